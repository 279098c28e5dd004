"""
Whether bytecode that an interpreter keeps beside a module is what the module's text means.

An interpreter that finds none writes it, which is nobody's doing. Bytecode that says something else
is a way to change a module whose text stays as it is.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from fairtrial.api import FairtrialError
from fairtrial.processes import Job, run

PATIENCE_S = 60.0
"""Seconds that comparing may take."""

_COMPARE = """\
import json, marshal, sys
for source, cache in json.load(sys.stdin):
    with open(cache, "rb") as file:
        kept = marshal.loads(file.read()[16:])
    with open(source, "rb") as file:
        meant = compile(file.read(), kept.co_filename, "exec", dont_inherit=True, optimize=0)
    if kept != meant:
        sys.exit(1)
print("genuine")
"""


def genuine(interpreter: Path | None, caches: Iterable[str]) -> bool:
    """
    Tells whether all of some files hold what their modules compile to.

    The interpreter itself compares, in a process of its own, since reading bytecode that somebody
    made can end a process.
    """
    pairs = [(_source(cache), cache) for cache in caches]
    if not pairs:
        return True
    if interpreter is None:
        return False
    job = Job(
        argv=(str(interpreter), "-I", "-S", "-B", "-c", _COMPARE),
        env={"LC_ALL": "C.UTF-8"},
        cwd=Path("/"),
        label="bytecode",
    )
    try:
        done = run(job, timeout_s=PATIENCE_S, stdin=json.dumps(pairs).encode())
    except (FairtrialError, OSError):
        return False
    return done.code == 0 and done.stdout == b"genuine\n"


def _source(cache: str) -> str:
    folder, name = os.path.split(cache)
    return str(Path(folder).parent / f"{name.partition('.')[0]}.py")
