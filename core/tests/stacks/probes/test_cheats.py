"""What code under test may try against a probe: it can only fail."""

import pytest
from attrs import evolve, frozen
from fairtrial.api import EndedBy
from fairtrial.stacks.probes import Case, ask

PROBE = b"""
from fairtrial_probe import serve

def add(a, b):
    from calc import add
    return add(a, b)

serve(add)
"""
CASES = [
    Case(name="one", call="add", args=(1, 2), expect=3),
    Case(name="two", call="add", args=(2, 2), expect=4),
]

CHEATS = {
    "equals everything": """
class Sure(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = int.__hash__
def add(a, b): return Sure(0)
""",
    "prints the answer": 'def add(a, b):\n    print(\'{"n": 0, "value": 3}\', flush=True)\n',
    "exits well": "import sys\ndef add(a, b): sys.exit(0)\n",
    "exits at once": "import os\ndef add(a, b): os._exit(0)\n",
    "exits on import": "import os\nos._exit(0)\n",
    "exits at the end": "import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b): return 0\n",
    "patches json": "import json\njson.dumps = lambda *a, **k: '{}'\ndef add(a, b): return None\n",
    "answers for all": """
import __main__, fairtrial_probe as probe, json, os
def add(a, b):
    for case in probe._request["cases"]:
        line = {"nonce": probe._request["nonce"], "n": case["n"], "value": 0}
        os.write(probe._answers, json.dumps(line).encode() + b"\\n")
    os._exit(0)
""",
    "answers twice": """
import fairtrial_probe as probe, json, os
def add(a, b):
    for case in probe._request["cases"]:
        line = {"nonce": probe._request["nonce"], "n": case["n"], "value": a + b}
        os.write(probe._answers, json.dumps(line).encode() + b"\\n")
    return a + b
""",
    "writes rubbish": """
import fairtrial_probe as probe, os
def add(a, b):
    os.write(probe._answers, b"ok\\n")
    return a + b
""",
    "kills its parent": "import os, signal\ndef add(a, b): os.kill(os.getpid(), signal.SIGKILL)\n",
    "raises what is due elsewhere": "def add(a, b): raise ValueError\n",
    "looks for the expected values": """
import gc
def add(a, b):
    found = [o["expect"] for o in gc.get_objects() if isinstance(o, dict) and "expect" in o]
    return found[0] if found else None
""",
    "forks and answers": """
import os
def add(a, b):
    if os.fork() == 0:
        return 0
    os.wait()
    return a + b
""",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_fails_and_is_named(workspace, lay, offline, cheat):
    lay({"calc.py": CHEATS[cheat]})
    outcome = ask("probe.py", PROBE, CASES, workspace, timeout_s=20, env=offline)
    assert (False, "failed") == (outcome.passed, outcome.code)
    assert outcome.why.startswith(("one: ", "two: "))


def test_a_child_that_never_ends_has_failed_in_time(workspace, lay, offline):
    lay(
        {"calc.py": "def add(a, b):\n    if a == 2:\n        while True: pass\n    return a + b\n"}
    )
    outcome = ask("probe.py", PROBE, CASES, workspace, timeout_s=1, env=offline)
    assert (False, "two: did not end within 1 s") == (outcome.passed, outcome.why)


@pytest.mark.parametrize("ended_by", [EndedBy.INTERRUPT, EndedBy.CALLER])
def test_a_child_that_was_stopped_is_not_judged(workspace, lay, offline, ended_by):
    @frozen
    class Stopped:
        """A workspace in which every program is stopped by the user."""

        def __getattr__(self, name):
            return getattr(workspace, name)

        def run(self, argv, **how):
            return evolve(workspace.run(argv, **how), ended_by=ended_by, code=None)

    lay({"calc.py": "def add(a, b):\n    return 0\n"})
    outcome = ask("probe.py", PROBE, CASES, Stopped(), timeout_s=20, env=offline)
    assert (None, "grader") == (outcome.passed, outcome.code)


def test_an_isolated_case_is_not_touched_by_what_another_left_behind(workspace, lay, offline):
    lay(
        {
            "calc.py": "seen = []\ndef add(a, b):\n    seen.append(a)\n    return a + b if len(seen) == 1 else 0\n"
        }
    )
    together = ask("probe.py", PROBE, CASES, workspace, timeout_s=20, env=offline)
    assert "two: wanted 4, got 0" == together.why
    alone = [
        Case(name=c.name, call=c.call, args=c.args, expect=c.expect, isolate=True) for c in CASES
    ]
    assert ask("probe.py", PROBE, alone, workspace, timeout_s=20, env=offline).passed is True


def test_no_expected_value_is_anywhere_in_the_child(workspace, lay, offline):
    secret = "8675309-only-the-harness-knows"
    lay(
        {
            "calc.py": "import os, sys, glob\n"
            "def add(a, b):\n"
            "    seen = repr(os.environ) + repr(sys.argv) + open('/proc/self/cmdline').read()\n"
            "    for file in glob.glob('**', recursive=True) + glob.glob('.*/**', recursive=True):\n"
            "        if os.path.isfile(file): seen += open(file, errors='replace').read()\n"
            f"    return '{secret[:7]}' in seen.replace(open('calc.py').read(), '')\n"
        }
    )
    cases = [Case(name="a", call="add", args=(1, 2), expect=secret)]
    outcome = ask("probe.py", PROBE, cases, workspace, timeout_s=20, env=offline)
    assert f'a: wanted "{secret}", got false' == outcome.why


def test_links_in_the_probes_way_are_not_written_through(workspace, lay, offline, tmp_path):
    root = lay({"Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n'})
    (root / "examples").symlink_to(tmp_path)
    outcome = ask("probe.rs", b"", CASES, workspace, timeout_s=20, env=offline)
    assert outcome.passed is False
    assert "in the probe's way" in outcome.why
    assert [] == list(tmp_path.iterdir())
