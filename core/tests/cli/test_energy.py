"""`fairtrial energy`."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from attrs import evolve
from fairtrial.api import Boundary, Counter, Label, RunRecord
from fairtrial.cli.energypage import (
    idle_page,
    kinds_of,
    probe_page,
    seen_as_json,
    verification_page,
    watch_line,
)
from fairtrial.energy import EnergyLedger
from fairtrial.energy.account import Account
from fairtrial.energy.idle import IdlePower
from fairtrial.energy.probing import SeenCounter, SeenMeter
from fairtrial.energy.verify import Settled, Verification
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import write_plan
from fairtrial_meter_estimator import EstimatorMeter

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def receipts(tmp_path: Path) -> Path:
    path = tmp_path / "energy.jsonl"
    with EnergyLedger(meters={"estimator": EstimatorMeter()}, path=path) as ledger:
        with ledger.window("a") as window:
            pass
        window.energies()
    return path


def test_a_probe_names_what_is_here_and_what_auto_would_take(run: Run) -> None:
    said = run("energy", "probe")

    assert 0 == said.returncode, said.stderr
    row = r"\| estimator/assumed +\| host +\| estimator +\| tdp-model, 15 W +\|"
    assert re.search(row, said.stdout)
    assert 'What `meters = ["auto"]` takes:' in said.stdout


def test_what_a_probe_cannot_read_is_told_once_with_its_reason() -> None:
    seen = [
        SeenMeter(name="apple", unavailable={"apple": "this is linux"}),
        SeenMeter(name="rapl", unavailable={"psys": "run `sudo chmod a+r psys`"}),
    ]
    notes = (
        "auto: estimator estimates host",
        "auto: not apple: this is linux",
        "auto: not nvml: x",
    )
    expected = """No counter can be read here.

What can't be read here, with the way to it where there is one:

- apple: this is linux
- rapl, psys: run `sudo chmod a+r psys`

What `meters = ["auto"]` takes:

- auto: estimator estimates host
- auto: not nvml: x
"""
    assert expected == probe_page(seen, {}, notes)


def test_words_for_programs_are_left_out_of_pages_and_kept_in_json() -> None:
    why = "no-counter:virtualised: a virtual machine has none"
    seen = [SeenMeter(name="rapl", unavailable={"rapl": why})]

    assert "- rapl: a virtual machine has none\n" in probe_page(seen, {}, ())
    assert {"rapl": why} == seen_as_json(seen)[0]["unavailable"]
    blind = Account(boundary=Boundary.HOST, label=Label.UNAVAILABLE, why=why)
    told = "host – (unavailable): a virtual machine has none\n"
    assert told == watch_line([blind], as_json=False)
    assert {"host": why} == json.loads(watch_line([blind], as_json=True))["why"]


def test_a_counter_that_is_quicker_than_can_be_told_is_not_said_to_move_every_0_ms() -> None:
    counter = Counter(
        id="pkg0",
        microjoules_per_count=1.0,
        atoms=frozenset({"pkg0"}),
        label=Label.HARDWARE_SHUNT,
        boundary=Boundary.HOST,
        sensor="vr-telemetry",
    )
    seen = [
        SeenMeter(
            name="rapl",
            counters=tuple(
                SeenCounter(counter=counter, update_s=update_s, floor_s=0.1)
                for update_s in (0.0003, 0.0012, 2.1)
            ),
        )
    ]
    rows = [line.split("|")[5].strip() for line in probe_page(seen, {}, ()).splitlines()[2:]]

    assert ["< 1 ms", "1 ms", "2.1 s"] == rows


def test_cpu_time_is_not_shown_as_joules_of_a_boundary() -> None:
    counter = Counter(
        id="group",
        microjoules_per_count=1.0,
        atoms=frozenset({"cpu-group"}),
        label=Label.ESTIMATOR,
        boundary=Boundary.HOST,
        sensor="cpu-share",
        is_cpu_time=True,
    )
    page = probe_page([SeenMeter(name="cgroup", counters=(SeenCounter(counter=counter),))], {}, ())

    cells = [cell.strip() for cell in page.splitlines()[2].split("|")]
    assert ["cgroup/group", "–", "–", "CPU time"] == cells[1:5]
    warning = "None of these counts joules: an estimate is worked out, not measured.\n"
    assert warning in page
    package = evolve(counter, label=Label.MODEL_BASED, is_cpu_time=False)
    measured = [SeenMeter(name="rapl", counters=(SeenCounter(counter=package),))]
    assert warning not in probe_page(measured, {}, ())


def test_a_probe_is_told_to_programs_too(run: Run) -> None:
    said = json.loads(run("energy", "probe", "--meter", "estimator", "--json").stdout)

    (meter,) = said["meters"]
    assert ("estimator", "assumed", "estimator", None) == (
        meter["name"],
        meter["counters"][0]["id"],
        meter["counters"][0]["label"],
        meter["counters"][0]["floor_s"],
    )


def test_a_meter_that_is_not_installed_is_an_error(run: Run) -> None:
    said = run("energy", "probe", "--meter", "wattson")

    assert 2 == said.returncode
    assert "error: no meter plugin called “wattson” is installed" in said.stderr


def test_an_estimate_can_not_be_calibrated(run: Run) -> None:
    said = run("energy", "calibrate", "--meter", "estimator", "--windows", "1")

    assert 1 == said.returncode
    assert "None of these meters measures, so there is no idle power to take off.\n" == said.stdout
    assert "measuring" not in said.stderr


@pytest.mark.skipif(sys.platform == "darwin", reason="apple may have a counter there")
def test_without_a_counter_a_calibration_advises_no_estimate(run: Run) -> None:
    said = run("energy", "calibrate", "--meter", "apple")

    assert (3, "") == (said.returncode, said.stdout)
    assert "error: meter “apple” has no counter to read here" in said.stderr
    assert (
        "where a line above names a way, take it; "
        "else do without: only counters have an idle power to measure"
    ) in said.stderr
    assert "estimate" not in said.stderr


def test_idle_windows_that_are_too_short_are_refused_before_anything_is_measured(run: Run) -> None:
    said = run("energy", "calibrate", "--meter", "estimator", "--window-s", "0.1")

    assert (2, "") == (said.returncode, said.stdout)
    assert "error: --window-s takes a number of seconds from 5 on, not “0.1”" in said.stderr
    assert "write such as --window-s 10" in said.stderr


def test_idle_power_that_can_not_be_used_says_what_to_do() -> None:
    restless = IdlePower(watts=9.0, spread_w=4.0, windows=5, invalid="the idle windows differ")

    page = idle_page({Boundary.HOST: restless}, kept=False)

    assert "Not kept: figures stay gross. Close what keeps the machine busy" in page
    assert "|       5 |" in page
    none = evolve(restless, windows=0)
    assert "|       – |" in idle_page({Boundary.HOST: none}, kept=False)


def test_idle_power_that_no_later_run_could_find_is_not_said_to_be_kept() -> None:
    quiet = IdlePower(watts=9.0, spread_w=0.1, windows=5)

    page = idle_page({Boundary.HOST: quiet}, kept=False, why="it has no name")

    assert page.endswith("\nNot kept: figures stay gross. The reason is that it has no name.\n")


def test_power_is_watched_line_by_line(run: Run) -> None:
    said = run("energy", "watch", "--meter", "estimator", "--lines", "2", "--every-s", "0.1")

    assert re.fullmatch(r"(host 1[45]\.\d W \(estimator\)\n){2}", said.stdout)
    said = run(
        "energy", "watch", "--meter", "estimator", "--lines", "1", "--every-s", "0.1", "--json"
    )
    told = json.loads(said.stdout)
    assert (pytest.approx(15.0, rel=0.2), {"host": "estimator"}) == (told["host"], told["label"])


def test_a_line_without_power_says_why() -> None:
    broken = Account(
        boundary=Boundary.GPU, label=Label.HARDWARE_SHUNT, wall_us=10**6, why="the bus is gone"
    )
    sound = Account(
        boundary=Boundary.HOST, label=Label.MODEL_BASED, gross_uj=5 * 10**6, wall_us=10**6
    )

    assert (
        "host 5.0 W (measured-model-based); gpu – (measured-hardware-shunt): the bus is gone\n"
    ) == watch_line([sound, broken], as_json=False)
    assert {
        "host": 5.0,
        "gpu": None,
        "label": {"host": "measured-model-based", "gpu": "measured-hardware-shunt"},
        "why": {"gpu": "the bus is gone"},
    } == json.loads(watch_line([sound, broken], as_json=True))
    assert "– no meter is read\n" == watch_line([], as_json=False)


def test_receipts_are_verified_by_directory_or_file(run: Run, receipts: Path) -> None:
    for place in (receipts, receipts.parent):
        said = run("energy", "verify", str(place))

        assert 0 == said.returncode
        assert "worked out again alike: 1 window\n" in said.stdout
        assert "no run is beside them, so that no trial was compared" in said.stdout
        assert re.search(r"^host: [\d.]+ J \(estimator, gross\)$", said.stdout, re.MULTILINE)
        plain = json.loads(run("energy", "verify", str(place), "--json").stdout)
        assert {"host": ["estimator, gross"]} == plain["kinds"]


def test_a_sum_of_net_and_gross_joules_says_that_it_is_one() -> None:
    counted = Account(
        boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT, meter="m", sensor="", gross_uj=9
    )
    accounts = [counted, evolve(counted, net_uj=4, idle_uj=5), counted]
    windows = tuple(
        Settled(sitting=1, id=number, label="a", group="g", inside=(), accounts=(own,))
        for number, own in enumerate(accounts)
    )

    page = verification_page(Verification(totals={"host": 22}, settled=windows), None, None)

    both = "measured-hardware-shunt, gross and measured-hardware-shunt, net"
    assert f"host: 0.000022 J ({both})\n" in page


def test_the_joules_of_a_batch_say_how_they_were_come_by() -> None:
    own = Account(
        boundary=Boundary.HOST, label=Label.MODEL_BASED, meter="m", sensor="", gross_uj=9
    )
    found = Verification(batches={"g, host": 9}, together={(1, "g"): (own,)})

    page = verification_page(found, None, None)

    assert "g, host: 0.000009 J as a batch (measured-model-based, gross)\n" in page
    assert {"g, host": ["measured-model-based, gross"]} == kinds_of(found)


def test_trials_that_tell_other_joules_than_their_receipts_are_named(
    run: Run, place: Path
) -> None:
    begin = ("run", "run.toml", "--label", "one", "--solvers", "good,noop", "--log", "quiet")
    assert 0 == run(*begin).returncode
    assert 0 == run("grade", "one").returncode
    said = run("energy", "verify", "one")
    assert (0, True) == (
        said.returncode,
        said.stdout.endswith("4 attempts with the joules that their receipts give\n"),
    )

    journal = place / "runs/one/trials.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    last = json.loads(lines[-1])
    last["energy"][0]["joules"] += 1
    journal.write_text("".join([*lines[:-1], json.dumps(last) + "\n"]))
    said = run("energy", "verify", str(place / "runs/one/energy.jsonl"))
    assert 1 == said.returncode
    (named,) = [line for line in said.stdout.splitlines() if line.startswith("differs: ")]
    assert f"{last['task']} · {last['solver']}: host: joules is " in named
    plain = run("energy", "verify", "one", "--json")
    assert (1, [named.removeprefix("differs: ")]) == (
        plain.returncode,
        json.loads(plain.stdout)["trials"]["differences"],
    )


def test_a_trial_is_worked_on_until_it_is_graded_and_a_control_arms_window_says_so(
    run: Run, place: Path
) -> None:
    begin = ("run", "run.toml", "--label", "one", "--solvers", "good,noop", "--only", "first")
    assert 0 == run(*begin, "--log", "quiet").returncode

    lines = (place / "runs/one/energy.jsonl").read_text().splitlines()
    records = [record for line in lines if (record := json.loads(line))["op"] != "read"]
    assert [
        ("work", "first·proof"),
        ("rest", "first·proof"),
        ("work", "first·good·1"),
        ("begin", "first·good·1"),
        ("end", None),
        ("energy", None),
        ("rest", "first·good·1"),
        ("work", "first·proof"),
        ("rest", "first·proof"),
        ("work", "first·noop·1"),
        ("begin", "first·noop·1"),
        ("end", None),
        ("energy", None),
        ("rest", "first·noop·1"),
    ] == [
        (record["op"], record.get("label"))
        for record in records
        if record["op"] not in {"open", "conditions", "close"}
    ]
    begun = [record for record in records if record["op"] == "begin"]
    assert [None, True] == [record.get("control") for record in begun]


def test_receipts_tell_apart_what_an_attempt_used_that_was_made_again(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "energy.jsonl"
    with EnergyLedger(meters={"estimator": EstimatorMeter()}, path=path) as ledger:
        for _ in range(2):
            with ledger.window("a") as window:
                pass
            window.energies()

    said = run("energy", "verify", str(path)).stdout

    assert re.search(
        r"host: [\d.]+ J \(estimator, gross\), of which [\d.]+ J of 1 attempt that was made again",
        said,
    )
    found = json.loads(run("energy", "verify", str(path), "--json").stdout)
    assert 1 == found["made_again"]
    assert 0 < found["made_again_uj"]["host"] < found["totals_uj"]["host"]


def test_receipts_are_found_by_the_runs_label(run: Run, receipts: Path, tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path / "runs/mine")
    directory.path.mkdir(parents=True)
    write_plan(directory, RunRecord(label="mine", suite="s", solvers=("x",), tasks=()))
    receipts.rename(directory.energy)
    assert 0 == run("energy", "verify", "mine").returncode
    run("energy", "key", str(tmp_path / "key"))
    assert 0 == run("energy", "sign", "mine", "--key", str(tmp_path / "key")).returncode
    said = run("energy", "verify", "mien")
    assert (2, True) == (said.returncode, "error: there is no run “mien”" in said.stderr)
    assert "nearest        mine" in said.stderr


def test_changed_receipts_are_found_and_the_exit_says_so(run: Run, receipts: Path) -> None:
    receipts.write_bytes(receipts.read_bytes().replace(b'"boot"', b'"bout"', 1))

    said = run("energy", "verify", str(receipts), "--json")

    assert 1 == said.returncode
    assert json.loads(said.stdout)["problem"]


def test_what_somebody_wrote_into_receipts_reaches_no_terminal(run: Run, receipts: Path) -> None:
    receipts.write_bytes(receipts.read_bytes().replace(b'"read"', b'"\\u001b[2J\\nholds"', 1))

    said = run("energy", "verify", str(receipts))

    assert (1, 1) == (said.returncode, said.stdout.count("\n"))
    assert "unknown operation “␛[2J holds”" in said.stdout


def test_receipts_are_signed_with_a_key_and_checked_with_its_other_half(
    run: Run, receipts: Path, tmp_path: Path
) -> None:
    public = run("energy", "key", str(tmp_path / "key")).stdout.strip()
    unsigned = run("energy", "verify", str(receipts), "--key", public)
    run("energy", "sign", str(receipts), "--key", str(tmp_path / "key"))

    right = run("energy", "verify", str(receipts), "--key", public)
    foreign = run("energy", "key", str(tmp_path / "other")).stdout.strip()
    wrong = run("energy", "verify", str(receipts), "--key", foreign)
    no_key = run("energy", "verify", str(receipts), "--key", "A" * 44)

    assert (0, True) == (right.returncode, "the signature holds" in right.stdout)
    assert (1, True) == (wrong.returncode, "the signature does not hold" in wrong.stdout)
    assert (1, True) == (unsigned.returncode, "nobody signed it" in unsigned.stderr)
    assert "nobody signed it" not in wrong.stderr
    assert (2, True) == (no_key.returncode, "is no public key" in no_key.stderr)
