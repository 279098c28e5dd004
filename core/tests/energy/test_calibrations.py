import json

import pytest
from attrs import frozen
from fairtrial.conformance.fakes import FakeHost
from fairtrial.energy import EnergyLedger
from fairtrial.energy.calibrations import kept_for
from fairtrial.energy.idle import idle_powers
from fairtrial.energy.verify import verify

J = 10**6


def only(window):
    (energy,) = window.energies()
    return energy


def test_v9_idle_is_taken_off_after_a_calibration(rig) -> None:
    rig = rig()
    with rig.ledger:
        rig.calibrate()
        window = rig.ledger.begin("a")
        rig.passes(60, pkg0=1850 * J)
        window.end()
        energy = only(window)

    assert (350.0, 1850.0, 1500.0, True) == (
        energy.joules,
        energy.gross_j,
        energy.idle_j,
        energy.significant,
    )


def test_a_figures_receipt_tells_what_it_depends_on(rig, tmp_path) -> None:
    rig = rig()
    with rig.ledger:
        rig.calibrate()
        rig.passes(120)
        window = rig.ledger.begin("a", group="fix")
        rig.passes(60, pkg0=1850 * J)
        rig.host.clock.sleep(0.25)
        window.end()
        window.energies()
        rig.ledger.batch("fix")
    records = [json.loads(line) for line in (tmp_path / "energy.jsonl").read_text().splitlines()]
    told = [own for record in records for own in record.get("accounts", ())]

    (read,) = rig.ledger.log.counters.values()
    assert 2 == len(told)
    for own in told:
        assert (round(read.update_s * 1e6), 250_000) == (own["tau_us"], own["suspended_us"])
        assert own["idle"] == {
            "w_uw": 25 * J,
            "n": 5,
            "cv_ppm": 0,
            "age_s": 120,
            "valid": True,
        }
    top = type(rig.meter).__module__.partition(".")[0]
    assert {"m": top.replace("_", "-")} == records[0]["meters"]


def test_v10_a_window_below_idle_is_zero_clipped_and_not_significant(rig) -> None:
    rig = rig()
    with rig.ledger:
        rig.calibrate()
        window = rig.ledger.begin("a")
        rig.passes(60, pkg0=1480 * J)
        window.end()
        energy = only(window)

    assert (0.0, ("clipped",), False, 1480.0) == (
        energy.joules,
        energy.flags,
        energy.significant,
        energy.gross_j,
    )


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda rig: rig.passes(1900), "it is 32 minutes old, and 30 are the most"),
        (lambda rig: rig.host.clock.sleep(60), "the machine slept since"),
        (
            lambda rig: rig.host.put("proc/sys/kernel/random/boot_id", "other"),
            "boot_id went from first to other",
        ),
    ],
)
def test_row_26_a_calibration_that_no_longer_holds_leaves_the_gross_figure(
    rig, spoil, why
) -> None:
    rig = rig()
    rig.host.put("proc/sys/kernel/random/boot_id", "first")
    with rig.ledger:
        rig.calibrate()
        spoil(rig)
        window = rig.ledger.begin("a")
        rig.passes(60, pkg0=1850 * J)
        window.end()
        energy = only(window)

    assert (1850.0, None, ("idle-invalid",)) == (energy.joules, energy.idle_j, energy.flags)
    assert f"idle not taken off: {why}" == energy.why


def test_row_26_a_condition_that_changed_inside_the_window_spoils_it(rig) -> None:
    rig = rig()
    rig.host.put("sys/class/power_supply/AC/online", "1")
    with rig.ledger:
        rig.calibrate()
        window = rig.ledger.begin("a")
        rig.passes(60, pkg0=1850 * J)
        rig.host.put("sys/class/power_supply/AC/online", "0")
        window.end()
        energy = only(window)

    assert (1850.0, "idle not taken off: mains.AC went from 1 to 0") == (energy.joules, energy.why)


@pytest.mark.parametrize(
    ("name", "was", "became"),
    [
        ("gpu0.temperature_c", "40", "71"),
        ("gpu0.persistence", "1", "0"),
        ("gpu0.mig", "0", "1"),
    ],
)
def test_row_26_what_a_meter_says_idle_depends_on_is_compared_when_a_window_begins(
    rig, meter, tmp_path, name, was, became
) -> None:
    own, kept = meter(conditions={name: was}), tmp_path / "idle.json"
    first = rig(own, path=None)
    first.host.put("proc/sys/kernel/random/boot_id", "first")
    with first.ledger:
        first.calibrate()
        first.ledger.keep_calibration(kept)
    own.conditions = {name: became}
    second = rig(own, calibration=kept)
    with second.ledger, second.ledger.window("a") as window:
        second.passes(60, pkg0=1850 * J)

    assert 1850.0 == only(window).joules
    assert f"idle not taken off: {name} went from {was} to {became}" == only(window).why
    assert "" == verify(tmp_path / "energy.jsonl").problem


def test_row_26_a_calibration_after_the_window_on_other_conditions_spoils_it(rig, meter) -> None:
    rig = rig(meter(conditions={"gpu0.mig": "0"}))
    with rig.ledger:
        rig.calibrate()
        window = rig.ledger.begin("a")
        rig.passes(60, pkg0=1850 * J)
        window.end()
        rig.meter.conditions = {"gpu0.mig": "1"}
        rig.ledger.calibrate()

    assert "idle not taken off: gpu0.mig went from 0 to 1" in only(window).why


def test_a_gpu_that_warms_up_inside_a_window_spoils_only_what_comes_after(rig, meter) -> None:
    rig = rig(meter(conditions={"gpu0.temperature_c": "40"}))
    with rig.ledger:
        rig.calibrate()
        found = []
        for warm in ("71", "72"):
            window = rig.ledger.begin("a")
            rig.passes(60, pkg0=1850 * J)
            rig.meter.conditions = {"gpu0.temperature_c": warm}
            window.end()
            found.append(only(window).joules)

    assert [350.0, 1850.0] == found


@pytest.mark.parametrize(
    ("busy", "why"),
    [
        (0.10, "idle not taken off: the machine was 10% busy in an idle window"),
        (0.06, "idle not taken off: the machine was 6% busy in an idle window"),
        (0.04, ""),
    ],
)
def test_row_26_a_busy_machine_can_not_be_calibrated(rig, busy: float, why: str) -> None:
    rig = rig()
    rig.busy(0)
    with rig.ledger:
        rig.meter.on_read = lambda: (
            rig.busy(round(rig.host.clock.now_ns * busy) // 10_000_000),
            rig.meter.counts.update(pkg0=rig.host.clock.now_ns // 40),
        )
        rig.ledger.calibrate()
        window = rig.ledger.begin("a")
        rig.passes(60)
        window.end()

        assert why == only(window).why


def test_a_calibration_ends_with_the_first_window_in_which_the_machine_was_busy(rig) -> None:
    rig = rig()
    rig.busy(0)
    begun: list[float] = []
    with rig.ledger:
        start_ns = rig.host.clock.now_ns
        rig.meter.on_read = lambda: (
            # Busy from 12.5 s on, which is in the third window.
            rig.busy(max(0, (rig.host.clock.now_ns - start_ns) // 10_000_000 - 1250)),
            rig.meter.counts.update(pkg0=rig.host.clock.now_ns // 40),
        )
        rig.ledger.calibrate(window_s=5.0, begun=begun.append)
        (run,) = rig.ledger.log.idle
        (idle,) = idle_powers(rig.ledger.log).values()

    assert ([5.0], 3) == (begun, len(run.windows))
    assert idle.invalid.endswith("busy in an idle window")


@pytest.mark.parametrize(
    ("after_w", "joules", "why"),
    [
        (27, 350.0, ""),
        (28, 1850.0, "idle not taken off: idle power moved by 3.0 W from before to after"),
        (22, 1850.0, "idle not taken off: idle power moved by 3.0 W from before to after"),
    ],
)
def test_row_26_an_idle_power_that_moved_from_before_to_after_is_not_taken_off(
    rig, after_w: int, joules: float, why: str
) -> None:
    rig = rig()
    with rig.ledger:
        rig.calibrate()
        window = rig.ledger.begin("a")
        rig.passes(60, pkg0=1850 * J)
        window.end()
        start = rig.meter.counts["pkg0"]
        since_ns = rig.host.clock.now_ns
        rig.meter.on_read = lambda: rig.meter.counts.update(
            pkg0=start + (rig.host.clock.now_ns - since_ns) * after_w // 1000
        )
        rig.ledger.calibrate()

    assert (joules, why) == (only(window).joules, only(window).why)


@pytest.mark.parametrize(
    ("says_s", "moves_every_s", "window_s"), [(2.23, 0.3, 30), (0.1, 0.16, 16), (0.001, 0.001, 5)]
)
def test_an_idle_window_holds_a_hundred_updates_as_they_are_seen_to_come(
    rig, meter, counter, says_s: float, moves_every_s: float, window_s: int
) -> None:
    rig = rig(meter(counters=(counter(update_s=says_s),)))
    step_ns = round(moves_every_s * 1e9)
    with rig.ledger:
        rig.meter.on_read = lambda: rig.meter.counts.update(
            pkg0=rig.host.clock.now_ns // step_ns * step_ns * 25 // 1000
        )
        begun: list[float] = []
        rig.ledger.calibrate(begun=begun.append)
        log = rig.ledger.log

    assert pytest.approx([window_s]) == begun
    lengths = [log.wall_ns(begin, end) / 1e9 for begin, end in log.idle[-1].windows]
    assert pytest.approx([window_s] * 5) == lengths


def test_idle_is_taken_off_dies_that_repeat_each_other_once(rig, meter, counter) -> None:
    dies = ("pkg0/die0", "pkg0/die1")
    rig = rig(meter(counters=tuple(map(counter, dies)), counts=dict.fromkeys(dies, 0)))
    with rig.ledger:
        rig.meter.on_read = lambda: rig.meter.counts.update(
            dict.fromkeys(dies, rig.host.clock.now_ns * 25 // 1000)
        )
        rig.ledger.calibrate()
        rig.meter.on_read = lambda: None
        with rig.ledger.window("a") as window:
            rig.passes(60, **dict.fromkeys(dies, 1850 * J))
        (idle,) = idle_powers(rig.ledger.log).values()

    assert (25.0, 5, "") == (idle.watts, idle.windows, idle.invalid)
    assert (350.0, 1500.0, ("mirrored-zone",)) == (
        only(window).joules,
        only(window).idle_j,
        only(window).flags,
    )


def test_a_kept_calibration_serves_later_runs_of_the_same_boot(rig, host, tmp_path) -> None:
    kept = tmp_path / "idle.json"
    host.put("proc/sys/kernel/random/boot_id", "first")
    first = rig(path=None)
    with first.ledger:
        first.calibrate()
        first.ledger.keep_calibration(kept)
    found = []
    for boot in ("first", "second"):
        host.put("proc/sys/kernel/random/boot_id", boot)
        own = rig(first.meter, path=tmp_path / f"{boot}.jsonl", calibration=kept)
        with own.ledger, own.ledger.window("a") as window:
            own.passes(60, pkg0=1850 * J)
        found.append(only(window).joules)

    assert [350.0, 1850.0] == found
    assert "" == verify(tmp_path / "first.jsonl").problem


@frozen(kw_only=True)
class Mac(FakeHost):
    """A host without /proc that can be asked which boot it is in."""

    session: list[str]

    def boot_session(self) -> str:
        return self.session[0]


def test_a_calibration_is_kept_where_a_call_and_no_file_tells_the_boot(meter, tmp_path) -> None:
    mac = Mac(sysfs=tmp_path / "sys", proc=tmp_path / "proc", session=["first"])
    kept, own = tmp_path / "idle.json", meter()

    def ledger(**settings: object) -> EnergyLedger:
        pause = mac.clock.advance
        return EnergyLedger(meters={"m": own}, host=mac, keepalive_s=None, pause=pause, **settings)

    with ledger() as first:
        own.on_read = lambda: own.counts.update(pkg0=mac.clock.now_ns * 25 // 1000)
        first.calibrate()
        first.keep_calibration(kept)
        own.on_read = lambda: None
    found = []
    for session in ("first", "second"):
        mac.session[0] = session
        with ledger(calibration=kept) as later, later.window("a") as window:
            mac.clock.advance(60)
            own.counts["pkg0"] += 1850 * J
        found.append(only(window).joules)

    assert [350.0, 1850.0] == found


def test_where_nothing_tells_one_boot_from_another_no_calibration_is_kept(rig, tmp_path) -> None:
    rig = rig()
    with rig.ledger:
        rig.calibrate()
        with pytest.raises(ValueError, match="doesn't tell one boot from another"):
            rig.ledger.keep_calibration(tmp_path / "idle.json")

    assert not (tmp_path / "idle.json").exists()


def test_a_damaged_calibration_is_none(rig, host, tmp_path) -> None:
    kept = tmp_path / "idle.json"
    kept.write_text('{"boot_id": "first", "counters"')
    host.put("proc/sys/kernel/random/boot_id", "first")
    own = rig(calibration=kept)
    with own.ledger, own.ledger.window("a") as window:
        own.passes(60, pkg0=1850 * J)

    assert (1850.0, None) == (only(window).joules, only(window).idle_j)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("reads", 0, "counts"), "none"),
        (("reads", 1, "before"), None),
        (("reads", 2, "cpu"), ["0", None]),
        (("reads", 3, "counts", "m/pkg0"), [1, 2]),
        (("idle", "windows"), []),
        (("idle", "windows", 4, 1), 99),
        (("idle", "windows", 0, 0), -1),
        (("idle", "conditions"), {"gpu0.temperature_c": None}),
        (("cadence", "update_s", "m/pkg0"), "1e308"),
        (("cadence", "update_s", "m/pkg0"), "1/0"),
    ],
)
def test_a_calibration_that_cant_be_reckoned_with_is_none(
    rig, host, tmp_path, place, value
) -> None:
    host.put("proc/sys/kernel/random/boot_id", "first")
    kept = tmp_path / "idle.json"
    first = rig(path=None)
    with first.ledger:
        first.calibrate()
        first.ledger.keep_calibration(kept)
    whole = json.loads(kept.read_text())
    part = whole
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    kept.write_text(json.dumps(whole))

    own = rig(calibration=kept)
    with own.ledger, own.ledger.window("a") as window:
        own.passes(60, pkg0=1850 * J)

    assert (1850.0, None) == (only(window).joules, only(window).idle_j)


def test_a_calibration_nested_without_an_end_is_none(log_of, tmp_path) -> None:
    kept = tmp_path / "idle.json"
    kept.write_text("[" * 100_000)

    assert [] == kept_for(kept, log_of((), ()), "first")


def test_row_26_a_run_whose_windows_are_below_idle_says_so(rig, tmp_path) -> None:
    rig = rig()
    with rig.ledger:
        rig.calibrate()
        for joules in (1480, 1490):
            with rig.ledger.window("a") as window:
                rig.passes(60, pkg0=joules * J)
            window.energies()
        said = rig.ledger.concerns()

    assert (
        "host: 2 of 2 windows are below idle power",
        "host: idle is 101% of all that was used",
    ) == said
    assert said == verify(tmp_path / "energy.jsonl").notes
