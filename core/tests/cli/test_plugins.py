"""`fairtrial plugins`, `fairtrial config` and `fairtrial doctor`."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from fairtrial.cli.doctor import LACKING
from fairtrial.cli.fences import fences
from fairtrial.cli.machine import places
from fairtrial.registry import KINDS

Run = Callable[..., CompletedProcess[str]]


def test_plugins_are_listed_by_kind_and_name(run: Run) -> None:
    found = json.loads(run("plugins", "list", "--kind", "sandbox", "--json").stdout)
    assert {"kind": "sandbox", "name": "auto", "distribution": "fairtrial-core"} == {
        key: found[0][key] for key in ("kind", "name", "distribution")
    }


def test_a_plugins_keys_are_shown_with_what_they_take(run: Run) -> None:
    said = run("plugins", "show", "local")
    assert "| `keep` | true or false | `false` |" in said.stdout
    found = json.loads(run("plugins", "show", "local", "--json").stdout)
    assert "boolean" == found[0]["config"]["properties"]["keep"]["type"]


def test_a_misspelt_plugin_is_answered_with_the_nearest(run: Run) -> None:
    said = run("plugins", "show", "locax")
    assert 2 == said.returncode
    assert (
        "error: no plugin called “locax” is installed\n\n"
        "  asked for in   fairtrial plugins show\n"
        "  nearest        local (sandbox)\n\n"
        "  `fairtrial plugins list` shows what there is, of every kind\n"
    ) == said.stderr
    said = run("plugins", "check", "parrot")
    assert "error: no plugin called “parrot” is installed\n" in said.stderr
    said = run("plugins", "show", "locax", "--kind", "sandbox")
    assert "error: no sandbox plugin called “locax” is installed" in said.stderr


def test_a_kind_that_is_none_is_refused(run: Run) -> None:
    for command in (["show", "local"], ["check", "local"], ["list"]):
        said = run("plugins", *command, "--kind", "sandbx")
        assert (2, True) == (said.returncode, "nearest        sandbox" in said.stderr)


def test_a_plugin_is_put_to_its_kit(run: Run) -> None:
    said = run("plugins", "check", "prefer")
    assert 0 == said.returncode, said.stdout
    assert "ok      the entry point leads to it\n" in said.stdout
    assert "promises checked, 0 broken" in said.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_plugin_is_a_distribution_under_its_own_name(
    run: Run, place: Path, kind: str
) -> None:
    said = run("plugins", "new", kind, "my-own")
    assert f"pip install -e fairtrial-{kind}-my-own " in said.stderr
    assert 0 == said.returncode, said.stderr
    folder = place / f"fairtrial-{kind}-my-own"
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    package = f"fairtrial_{kind}_my_own"
    points = {f"fairtrial.{KINDS[kind].plural}": {"my-own": f"{package}:MyOwn{kind.capitalize()}"}}
    assert points == project["entry-points"]
    source = (folder / "src" / package / "__init__.py").read_text()
    assert f"class MyOwn{kind.capitalize()}" in source
    assert "echo" not in source.lower()
    compile(source, package, "exec")
    compile((folder / "tests/test_conformance.py").read_text(), "test", "exec")


@pytest.mark.parametrize("name", ["My", "my_own", "-x", "class", "../up"])
def test_a_new_plugin_needs_a_plain_name(run: Run, place: Path, name: str) -> None:
    said = run("plugins", "new", "meter", "--", name)
    assert 2 == said.returncode
    assert f"a plugin can't be called “{name}”" in said.stderr
    assert [] == list(place.glob("fairtrial-*"))


def test_a_new_plugin_takes_no_installed_ones_name(run: Run, place: Path) -> None:
    said = run("plugins", "new", "sandbox", "local")
    assert 2 == said.returncode
    assert "error: a sandbox plugin called “local” is installed already" in said.stderr
    assert "provided by    fairtrial-core" in said.stderr
    assert [] == list(place.glob("fairtrial-*"))
    assert 0 == run("plugins", "new", "meter", "local").returncode


def test_what_could_not_be_judged_is_not_counted_as_checked(run: Run) -> None:
    said = run("plugins", "check", "patch", "--kind", "auditor")
    marks = [line[:6].strip() for line in said.stdout.splitlines()]
    kept, unjudged = marks.count("ok"), marks.count("–")
    assert 0 < unjudged == len(marks) - kept
    assert f"{kept} promises checked, 0 broken, {unjudged} not judged\n" == said.stderr


def test_a_new_plugin_never_overwrites(run: Run, place: Path) -> None:
    (place / "full").mkdir()
    (place / "full/mine").write_text("mine")
    said = run("plugins", "new", "meter", "x", "--dir", "full")
    assert (2, True) == (said.returncode, "“full” is there already" in said.stderr)
    assert ["mine"] == [path.name for path in (place / "full").iterdir()]


def test_the_schema_knows_the_keys_of_installed_plugins(run: Run) -> None:
    schema = json.loads(run("config", "schema").stdout)
    assert "rollouts" in schema["properties"]["run"]["properties"]


def test_a_stale_reference_page_is_told(run: Run, place: Path) -> None:
    page = place / "run-config.md"
    assert 0 == run("config", "docs", "--write", str(page)).returncode
    assert run("config", "docs").stdout == page.read_text()
    assert 0 == run("config", "docs", "--check", str(page)).returncode
    page.write_text(page.read_text() + "more\n")
    said = run("config", "docs", "--check", str(page))
    assert (1, True) == (said.returncode, "is stale" in said.stderr)


def test_a_config_is_shown_as_it_takes_effect(run: Run) -> None:
    said = run("config", "show", "run.toml", "--set", "run.jobs=3")
    assert "jobs = 3  # --set" in said.stdout
    found = json.loads(run("config", "show", "run.toml", "--json").stdout)
    assert ["reference", "noop"] == found["run"]["solvers"]
    assert "folder" == found["suites"]["small"]["plugin"]


def test_the_doctor_finds_what_a_first_run_needs(run: Run) -> None:
    said = run("doctor", "--json")
    assert 0 == said.returncode, said.stderr
    found = {each["name"]: each for each in json.loads(said.stdout)}
    assert found["python"]["here"]
    assert found["suite folder"]["here"]
    assert all(each["here"] for each in found.values() if each["needed"])


def test_the_doctor_says_what_is_weaker_and_the_way_to_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = run("doctor")
    assert 0 == said.returncode
    assert "not found on PATH" in said.stdout
    assert "without it: tasks that use Node are infra, not run" in said.stdout
    assert "way to it: install git" in said.stdout


def test_a_machine_that_cannot_run_anything_is_told_by_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/proc")
    said = run("doctor")
    assert LACKING == said.returncode
    assert "MISSING temporary files" in said.stdout
    assert "a first run can't work here: temporary files" in said.stderr


def test_a_cache_that_cannot_be_written_is_weaker_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_CACHE", "/proc/cache")
    cache = next(each for each in places() if each.name == "cache")
    assert (False, False) == (cache.here, cache.needed)


@pytest.mark.parametrize(
    ("name", "value", "here"),
    [
        ("sys/user/max_user_namespaces", "0", False),
        ("sys/user/max_user_namespaces", "63000", True),
        ("sys/kernel/apparmor_restrict_unprivileged_userns", "1", False),
        ("sys/kernel/unprivileged_userns_clone", "0", False),
    ],
)
def test_namespaces_are_read_from_the_kernels_settings(
    tmp_path: Path, name: str, value: str, *, here: bool
) -> None:
    defaults = {"sys/user/max_user_namespaces": "63000", name: value}
    for setting, text in defaults.items():
        (tmp_path / setting).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / setting).write_text(f"{text}\n")
    found = {each.name: each.here for each in fences(tmp_path)}
    assert here is found["user namespaces"]


def install(site: Path, distribution: str, points: str) -> None:
    info = site / f"{distribution}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {distribution.partition('-')[0]}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_bytes(points.encode("latin-1"))


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("\nimport no_such_dependency\n", "torn_meter.py, line 2\n"),
        ("\n\ndef (\n", "torn_meter.py, line 3\n"),
        ("", ""),
    ],
)
def test_a_check_shows_the_line_at_which_a_plugin_can_not_be_imported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, line: str
) -> None:
    install(tmp_path / "site", "torn-1.2", "[fairtrial.meters]\ntorn = torn_meter:Torn\n")
    (tmp_path / "site" / "torn_meter.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    said = run("plugins", "check", "torn")
    assert 2 == said.returncode
    assert "error: meter “torn” is installed but can't be loaded\n" in said.stderr
    assert (f"  raised at      {tmp_path}/site/{line}" in said.stderr) == bool(line)
    assert ("raised at" in said.stderr) == bool(line)
    assert said.stderr.endswith("-v shows the whole traceback\n")


def test_the_doctor_names_plugins_that_cannot_be_imported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", "torn-1.2", "[fairtrial.meters]\ntorn = no_such_module:Torn\n")
    install(tmp_path / "site", "rotten-1.2", "[fairtrial.meters]\nü = no_such_module:Torn\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    said = run("doctor")
    assert 0 == said.returncode
    assert "–       meter torn" in said.stdout
    assert "No module named 'no_such_module'" in said.stdout
    assert "way to it: reinstall torn with its dependencies" in said.stdout
    assert "its entry_points.txt is not UTF-8 text" in said.stdout
    assert "is damaged: its entry_points.txt is not UTF-8 text" in run("plugins", "list").stderr


LEAVING_REPORTER = """
import sys
from attrs import frozen


@frozen(kw_only=True)
class Leaving:
    def report(self, runs, /):
        sys.exit(0)
"""


def test_a_plugin_does_not_choose_the_exit_code(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[fairtrial.reporters]\nleaving = leaving_reporter:Leaving\n"
    install(tmp_path / "site", "leaving-1.2", points)
    (tmp_path / "site" / "leaving_reporter.py").write_text(LEAVING_REPORTER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    said = run("run", "run.toml", "--solvers", "noop", "--reporter", "leaving")
    assert 2 == said.returncode
    assert "the reporter “leaving”" in said.stderr
    assert "SystemExit: 0" in said.stderr


def test_the_doctor_tells_of_a_deprecated_distribution_where_it_is_installed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "pynvml from nvidia-ml-py" not in run("doctor").stdout
    install(tmp_path / "site", "pynvml-1.2", "")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    said = run("doctor")
    assert 0 == said.returncode
    assert "–       pynvml from nvidia-ml-py" in said.stdout
    assert "the deprecated distribution pynvml 1.2 is installed" in said.stdout
    assert "way to it: uninstall the distribution pynvml" in said.stdout


def test_the_doctor_names_what_a_meter_does_wrong(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[fairtrial.meters]\nodd = odd_meter:OddMeter\n"
    install(tmp_path / "site", "odd-1.2", points)
    (tmp_path / "site" / "odd_meter.py").write_text(ODD_METER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    said = run("doctor")
    assert 0 == said.returncode
    assert "–       joules by odd" in said.stdout
    assert (
        "reads pkg0 (measured-hardware-shunt); “pkg0” showed nan, which is no count" in said.stdout
    )


def test_the_doctor_says_that_an_estimate_estimates_and_which_key_a_meter_needs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[fairtrial.meters]\nodd = odd_needy:OddMeter\n"
    install(tmp_path / "site", "odd-1.2", points)
    needy = ODD_METER.replace("    counters =", "    address: str\n    counters =")
    (tmp_path / "site" / "odd_needy.py").write_text(needy, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    lines = [line.split(maxsplit=4) for line in run("doctor").stdout.splitlines()]
    told = {line[3]: line[4] for line in lines if line[1:3] == ["joules", "by"]}
    assert told["estimator"].startswith("estimates host (tdp-model")
    assert "[meters.odd] address: is missing, and has no default" == told["odd"]
    assert not told["nvml"].startswith("nvml: ")


ODD_METER = """
from attrs import frozen
from fairtrial.api import Boundary, Counter, Label, Probe, RawReading

PACKAGE = Counter(
    id="pkg0", microjoules_per_count=1.0, atoms=frozenset({"pkg0"}), sensor="vr-telemetry",
    label=Label.HARDWARE_SHUNT, boundary=Boundary.HOST,
)


@frozen(kw_only=True)
class OddMeter:
    counters = (PACKAGE,)

    def probe(self, host, /):
        return Probe(counters=self.counters)

    def open(self, host, /):
        return self

    def read(self):
        return [RawReading(counter="pkg0", count=float("nan"), before_ns=0, after_ns=0)]

    def close(self):
        pass
"""


def test_a_group_that_is_no_typer_app_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", "odd-1.2", "[fairtrial.commands]\nodd = json:dumps\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    said = run("odd")
    assert 2 == said.returncode
    assert "command group “odd” is no typer app" in said.stderr
