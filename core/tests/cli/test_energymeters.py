"""The meters that `fairtrial energy` looks at: those of a config, as a run would have them."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]

PLUG = """
from attrs import frozen
from fairtrial.api import Boundary, Counter, Host, Label, Probe, RawReading

COUNTER = Counter(
    id="outlet", microjoules_per_count=1.0, atoms=frozenset({"host"}), label=Label.HARDWARE_SHUNT,
    boundary=Boundary.WALL, sensor="wall-meter", update_s=0.001,
)

@frozen(kw_only=True)
class Plug:
    address: str
    def probe(self, host: Host, /):
        print("a stranger speaks")
        return Probe(counters=(COUNTER,)) if self.address else Probe(unavailable={"outlet": "off"})
    def open(self, host: Host, /):
        return Line(host=host)

@frozen(kw_only=True)
class Line:
    host: Host
    counters: tuple[Counter, ...] = (COUNTER,)
    def read(self):
        now = self.host.monotonic_ns()
        return [RawReading(counter="outlet", count=now // 20, before_ns=now, after_ns=now)]
    def close(self): ...
"""


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs a stranger's meter, which needs a key."""
    info = tmp_path / "site" / "acme_plug-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-plug\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[fairtrial.meters]\nplug = acme_plug:Plug\n")
    (info.parent / "acme_plug.py").write_text(PLUG)
    monkeypatch.syspath_prepend(str(info.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "acme_plug", raising=False)


@pytest.fixture
def desk(place: Path) -> str:
    """A file with a meter's table and nothing else."""
    (place / "meters.toml").write_text('[meters.desk]\nplugin = "estimator"\nwatts = 40.0\n')
    return "meters.toml"


def test_a_table_of_a_config_sets_up_what_is_probed_and_watched(run: Run, desk: str) -> None:
    said = run("energy", "probe", "-c", desk, "--json")
    assert 0 == said.returncode, said.stderr
    (guess,) = [
        meter
        for meter in json.loads(said.stdout)["meters"]
        if meter["name"] in {"desk", "estimator"}
    ]
    assert ("desk", "40 W") == (guess["name"], guess["counters"][0]["identity"])

    brief = ("--lines", "1", "--every-s", "0.1", "--json")
    told = run("energy", "watch", "-c", desk, "--meter", "desk", *brief)
    assert 39 < json.loads(told.stdout)["host"] < 41
    told = run("energy", "watch", "-c", desk, "--set", "run.meters=['desk']", *brief)
    assert 39 < json.loads(told.stdout)["host"] < 41


def test_a_whole_run_config_serves_too_and_a_key_is_set_without_any(run: Run) -> None:
    for named in (("-c", "run.toml"), ()):
        said = run(
            "energy",
            "probe",
            *named,
            "--set",
            "meters.estimator.watts=41.0",
            "--meter",
            "estimator",
        )
        assert "tdp-model, 41 W" in said.stdout, said.stderr


@pytest.mark.usefixtures("plug")
def test_a_meter_that_needs_a_key_is_told_and_hides_no_other(run: Run) -> None:
    said = run("energy", "probe")
    assert "- plug: [meters.plug] address: is missing, and has no default\n" in said.stdout
    assert "estimator/" in said.stdout

    said = run("energy", "probe", "--meter", "plug")
    assert (2, "") == (said.returncode, said.stdout)
    assert "error: [meters.plug] address: is missing" in said.stderr
    assert (
        "set it by --set meters.plug.KEY=VALUE, or name the config that does by -c" in said.stderr
    )


@pytest.mark.usefixtures("plug")
def test_a_strangers_counter_is_probed_and_taken_where_a_table_names_it(run: Run) -> None:
    said = run("energy", "probe", "--set", "meters.plug.address='here'")

    assert "plug/outlet" in said.stdout
    assert "- auto: plug reads outlet (measured-hardware-shunt)\n" in said.stdout
    as_json = run("energy", "probe", "--json", "--set", "meters.plug.address='here'")
    assert "plug" in json.loads(as_json.stdout)["auto"][0]
    assert "a stranger speaks" in as_json.stderr
    blind = run("energy", "calibrate", "--meter", "plug", "--set", "meters.plug.address=''")
    assert (3, True) == (blind.returncode, "  plug           off\n" in blind.stderr)


def test_a_table_that_nothing_here_uses_is_refused(run: Run, desk: str) -> None:
    said = run("energy", "probe", "-c", desk, "--meter", "desk", "--set", "meters.dusk.watts=1")
    assert (2, "") == (said.returncode, said.stdout)
    assert "nothing in this run uses [meters.dusk]" in said.stderr
    assert "correct the name there, or leave it out" in said.stderr

    said = run("energy", "watch", "--set", "meters.dusk.watts=1", "--lines", "1")
    assert 2 == said.returncode
    assert "error: no meter plugin called “dusk” is installed" in said.stderr
