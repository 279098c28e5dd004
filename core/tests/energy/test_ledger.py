import json
import threading

import pytest
from fairtrial.api import Label
from fairtrial.energy import EnergyLedger
from fairtrial.energy.lock import HostLock
from fairtrial.energy.verify import verify

J = 10**6


def only(window):
    (energy,) = window.energies()
    return energy


def test_a_window_has_what_was_counted_between_its_edges(rig) -> None:
    rig = rig()
    with rig.ledger:
        rig.passes(5, pkg0=50 * J)
        window = rig.ledger.begin("a")
        rig.passes(10, pkg0=100 * J)
        window.end()
        rig.passes(5, pkg0=50 * J)

        energy = only(window)

    assert (100.0, True, "m", Label.HARDWARE_SHUNT) == (
        energy.joules,
        energy.reliable,
        energy.meter,
        energy.label,
    )


def test_an_open_window_has_no_figure_and_a_second_end_changes_nothing(rig) -> None:
    rig = rig()
    with rig.ledger:
        window = rig.ledger.begin("a")
        assert () == window.energies()
        rig.passes(10, pkg0=100 * J)
        window.end()
        rig.passes(10, pkg0=100 * J)
        window.end()

        assert 100.0 == only(window).joules


def test_row_20_a_keepalive_inside_a_window_changes_nothing(rig) -> None:
    rig = rig()
    with rig.ledger:
        window = rig.ledger.begin("a")
        rig.passes(4, pkg0=40 * J)
        rig.ledger.sample()
        rig.passes(6, pkg0=60 * J)
        window.end()

        assert (100.0, ()) == (only(window).joules, only(window).flags)


def test_row_21_two_windows_one_after_the_other_are_disjoint(rig) -> None:
    rig = rig()
    with rig.ledger:
        joules = []
        for counted in (100, 40):
            with rig.ledger.window("a") as window:
                rig.passes(10, pkg0=counted * J)
            rig.passes(30, pkg0=7 * J)
            joules.append(only(window).joules)

    assert [100.0, 40.0] == joules


def test_v11_overlapping_windows_have_no_figure_and_the_batch_has_one(rig, tmp_path) -> None:
    rig = rig(path=tmp_path / "e.jsonl")
    with rig.ledger:
        one = rig.ledger.begin("a", group="fix")
        rig.passes(5, pkg0=1000 * J)
        other = rig.ledger.begin("b", group="fix")
        rig.passes(5, pkg0=1000 * J)
        one.end()
        rig.passes(5, pkg0=1000 * J)
        other.end()
        first, second = only(one), only(other)
        (batch,) = rig.ledger.batch("fix")

    assert [None, None] == [first.joules, second.joules]
    assert ("concurrent-window",) == first.flags == second.flags
    assert "another window was open on the same counters" == first.why
    assert (3000.0, "batch", True) == (batch.joules, batch.granularity, batch.reliable)
    found = verify(tmp_path / "e.jsonl")
    assert ({}, {"fix, host": 3000 * J}) == (found.totals, found.batches)


def test_v11_the_batch_of_one_solver_is_void_while_another_solver_worked(rig) -> None:
    rig = rig()
    with rig.ledger:
        one = rig.ledger.begin("a", group="fix")
        rig.passes(5, pkg0=J)
        other = rig.ledger.begin("b", group="other")
        rig.passes(5, pkg0=J)
        one.end()
        other.end()
        (batch,) = rig.ledger.batch("fix")

    assert (None, ("concurrent-window",)) == (batch.joules, batch.flags)


def test_the_windows_of_control_arms_are_inside_a_solvers_batch_and_do_not_void_it(
    rig, tmp_path
) -> None:
    rig = rig()
    with rig.ledger:
        one, other = (rig.ledger.begin(each, group="fix") for each in "ab")
        rig.passes(5, pkg0=100 * J)
        with_arm = rig.ledger.begin("a", group="reference", control=True)
        rig.passes(0.2, pkg0=2 * J)
        for window in (with_arm, one, other):
            window.end()
        (batch,) = rig.ledger.batch("fix")
        (arms,) = rig.ledger.batch("reference")
        alone = only(one)

    assert (102.0, "batch", ("checks-inside",)) == (batch.joules, batch.granularity, batch.flags)
    assert (None, ("concurrent-window",)) == (arms.joules, arms.flags)
    assert (None, ("concurrent-window",)) == (alone.joules, alone.flags)
    assert "" == verify(tmp_path / "energy.jsonl").problem


def test_v11_a_part_does_not_disturb_the_whole(rig) -> None:
    rig = rig()
    with rig.ledger:
        parent = rig.ledger.begin("all")
        children = []
        for counted in (400, 350):
            child = rig.ledger.begin("part", parent=parent)
            rig.passes(10, pkg0=counted * J)
            child.end()
            children.append(only(child).joules)
            rig.passes(10, pkg0=125 * J)
        parent.end()
        whole = only(parent).joules

    assert (1000.0, [400.0, 350.0], 250.0) == (whole, children, whole - sum(children))


def test_a_window_is_not_alone_while_another_trial_is_set_up_or_graded(rig, tmp_path) -> None:
    rig = rig()
    with rig.ledger:
        with rig.ledger.busy("a·fix·1"):
            whole = rig.ledger.begin("a·fix·1", group="fix")
            part = rig.ledger.begin("a·fix·1·cheap", group="fix", parent=whole)
            rig.passes(5, pkg0=50 * J)
            with rig.ledger.busy("b·fix·1"):
                rig.passes(5, pkg0=50 * J)
            part.end()
            whole.end()
        found = [only(part), only(whole)]
        (batch,) = rig.ledger.batch("fix")

    assert [(None, ("concurrent-trial",))] * 2 == [(own.joules, own.flags) for own in found]
    assert "another trial was set up or graded meanwhile" == found[0].why
    assert (100.0, ("checks-inside",), True) == (batch.joules, batch.flags, batch.reliable)
    assert "setting up and grading other trials meanwhile is inside" == batch.why
    assert "" == verify(tmp_path / "energy.jsonl").problem


def test_its_own_trials_checks_and_those_before_and_after_it_leave_a_window_alone(rig) -> None:
    rig = rig()
    with rig.ledger:
        with rig.ledger.busy("z·fix·1"):
            rig.passes(5, pkg0=J)
        with rig.ledger.busy("a·fix·1"):
            rig.passes(5, pkg0=J)
            whole = rig.ledger.begin("a·fix·1", group="fix")
            part = rig.ledger.begin("a·fix·1·cheap", group="fix", parent=whole)
            rig.passes(10, pkg0=100 * J)
            part.end()
            whole.end()
            with rig.ledger.busy("b·fix·1"):
                rig.passes(5, pkg0=J)
        found = [only(part), only(whole), *rig.ledger.batch("fix")]

    assert [(100.0, ())] * 3 == [(own.joules, own.flags) for own in found]


def test_work_that_begins_once_the_counters_were_read_leaves_a_window_alone(rig) -> None:
    rig = rig()

    def set_up() -> None:
        with rig.ledger.busy("b·fix·1"):
            pass

    other = threading.Thread(target=set_up)

    def meanwhile() -> None:
        other.start()
        other.join(0.05)  # it can't go on before the window is closed

    with rig.ledger:
        window = rig.ledger.begin("a·fix·1", group="fix")
        rig.passes(10, pkg0=100 * J)
        rig.meter.on_read = meanwhile
        window.end()
        rig.meter.on_read = lambda: None
        other.join()

        assert (100.0, ()) == (only(window).joules, only(window).flags)


def test_an_estimate_may_overlap_because_its_meter_is_nobody_elses(rig, meter, counter) -> None:
    guess = meter(counters=(counter(label=Label.ESTIMATOR, sensor="tdp-model"),))
    rig = rig(guess)
    with rig.ledger:
        one, other = rig.ledger.begin("a"), rig.ledger.begin("b")
        rig.passes(10, pkg0=150 * J)
        one.end()
        other.end()

        assert [150.0, 150.0] == [only(one).joules, only(other).joules]


def test_foreign_work_is_flagged_and_unranked(rig) -> None:
    rig = rig()
    rig.host.put("proc/self/cgroup", "0::/own\n")
    rig.host.put("sys/fs/cgroup/own/cpu.stat", "usage_usec 0\n")
    rig.busy(0)
    with rig.ledger:
        window = rig.ledger.begin("a")
        rig.passes(10, pkg0=100 * J)
        rig.busy(600)
        rig.host.put("sys/fs/cgroup/own/cpu.stat", "usage_usec 5000000\n")
        window.end()
        energy = only(window)

    assert (100.0, ("foreign-cpu",), False) == (energy.joules, energy.flags, energy.reliable)


@pytest.mark.parametrize(("others_s", "flags"), [(1, ("foreign-cpu",)), (0, ())])
def test_foreign_work_is_seen_in_a_batch_too(rig, tmp_path, others_s, flags) -> None:
    rig = rig()
    rig.host.put("proc/self/cgroup", "0::/own\n")
    rig.host.put("sys/fs/cgroup/own/cpu.stat", "usage_usec 0\n")
    rig.busy(0)
    with rig.ledger:
        windows = [rig.ledger.begin(each, group="fix", apart=True) for each in "ab"]
        part = rig.ledger.begin("a·part", group="fix", parent=windows[0], apart=True)
        rig.passes(10, pkg0=100 * J)
        rig.busy(100 * (5 + others_s))
        rig.host.put("sys/fs/cgroup/own/cpu.stat", "usage_usec 1000000\n")
        part.end(cpu_us=2_000_000)
        for window in windows:
            window.end(cpu_us=2_000_000)
        (batch,) = rig.ledger.batch("fix")

    assert (100.0, flags, not flags) == (batch.joules, batch.flags, batch.reliable)
    assert "" == verify(tmp_path / "energy.jsonl").problem


def test_an_attempts_own_containers_are_not_taken_for_foreign_work(rig) -> None:
    rig = rig()
    rig.host.put("proc/self/cgroup", "0::/own\n")
    rig.host.put("sys/fs/cgroup/own/cpu.stat", "usage_usec 0\n")
    rig.busy(0)
    with rig.ledger:
        window = rig.ledger.begin("a", apart=True)
        rig.passes(10, pkg0=100 * J)
        rig.busy(600)
        window.end()
        energy = only(window)

    assert (100.0, (), True) == (energy.joules, energy.flags, energy.reliable)


def test_checks_of_other_trials_in_containers_are_not_taken_for_foreign_work(
    rig, tmp_path
) -> None:
    rig = rig()
    rig.host.put("proc/self/cgroup", "0::/own\n")
    rig.host.put("sys/fs/cgroup/own/cpu.stat", "usage_usec 0\n")
    rig.busy(0)
    with rig.ledger:
        with rig.ledger.busy("a"), rig.ledger.busy("b"):
            window = rig.ledger.begin("a", group="fix", apart=True)
            rig.passes(10, pkg0=100 * J)
            rig.busy(600)
            window.end(cpu_us=2_000_000)
        energy = only(window)
        (batch,) = rig.ledger.batch("fix")

    assert (None, ("concurrent-trial",)) == (energy.joules, energy.flags)
    assert (100.0, ("checks-inside",), True) == (batch.joules, batch.flags, batch.reliable)
    assert "" == verify(tmp_path / "energy.jsonl").problem


@pytest.mark.parametrize(
    ("attempt_us", "own_us", "flags"),
    [
        (4_000_000, 0, ("foreign-cpu",)),
        (5_900_000, 0, ()),
        (4_000_000, 1_900_000, ()),
        (None, 0, ()),
    ],
)
def test_foreign_work_beside_an_attempts_containers_is_seen_where_their_time_is_known(
    rig, attempt_us, own_us, flags
) -> None:
    rig = rig()
    rig.host.put("proc/self/cgroup", "0::/own\n")
    rig.host.put("sys/fs/cgroup/own/cpu.stat", "usage_usec 0\n")
    rig.busy(0)
    with rig.ledger:
        window = rig.ledger.begin("a", apart=True)
        rig.passes(10, pkg0=100 * J)
        rig.busy(600)
        rig.host.put("sys/fs/cgroup/own/cpu.stat", f"usage_usec {own_us}\n")
        window.end(cpu_us=attempt_us)
        energy = only(window)

    assert (100.0, flags, not flags) == (energy.joules, energy.flags, energy.reliable)


def test_a_meter_that_raises_costs_the_figure_and_nothing_else(rig) -> None:
    def fails() -> None:
        raise RuntimeError("bus error")

    rig = rig()
    with rig.ledger:
        window = rig.ledger.begin("a")
        rig.meter.on_read = fails
        rig.passes(10)
        window.end()
        energy = only(window)

    assert (None, ("missing-reading",)) == (energy.joules, energy.flags)
    assert "a reading at the window's edge is missing; RuntimeError: bus error" == energy.why


@pytest.mark.parametrize(
    ("count", "why"),
    [
        (float("nan"), "“pkg0” showed nan, which is no count"),
        (-5, "“pkg0” showed -5, which is below 0"),
        ("12", "“pkg0” showed '12', which is no count"),
        (2**64 - 1, f"“pkg0” showed {2**64 - 1}, which stands for “no reading”"),
        (10**15, f"“pkg0” showed {10**15}, which is above its range"),
        (True, "“pkg0” showed True, which is no count"),
    ],
)
def test_nonsense_from_a_meter_is_a_missing_reading(rig, count, why) -> None:
    rig = rig()
    with rig.ledger:
        window = rig.ledger.begin("a")
        rig.passes(10)
        rig.meter.counts["pkg0"] = count
        window.end()

        assert None is only(window).joules
        assert why in only(window).why


def test_a_meter_that_can_not_be_opened_leaves_an_unavailable_figure(rig, meter) -> None:
    rig = rig(meter(counters=(), counts={}, unavailable={"pkg0": "only root may read it"}))
    with rig.ledger:
        window = rig.ledger.begin("a")
        window.end()
        energy = only(window)

    assert (None, Label.UNAVAILABLE, "only root may read it; it has no counter to read") == (
        energy.joules,
        energy.label,
        energy.why,
    )


def test_without_meters_there_is_no_figure(host) -> None:
    with EnergyLedger(meters={}, host=host) as ledger, ledger.window("a") as window:
        pass

    assert () == window.energies()


def test_row_18_a_second_run_on_the_host_is_flagged_and_so_is_the_first(rig, tmp_path) -> None:
    first = rig(lock=HostLock(folder=tmp_path / "lock"), path=None)
    second = rig(lock=HostLock(folder=tmp_path / "lock"), path=None)
    with first.ledger:
        early = first.ledger.begin("early")
        first.passes(10, pkg0=J)
        early.end()
        alone = only(early)
        with second.ledger:
            found = []
            for own in (first, second):
                window = own.ledger.begin("a")
                own.passes(10, pkg0=J)
                window.end()
                found.append(only(window))

    assert (1.0, ()) == (alone.joules, alone.flags)
    assert [(None, ("concurrent-run",))] * 2 == [(own.joules, own.flags) for own in found]


def test_the_keepalive_thread_samples_and_stops(host, meter) -> None:
    seen = threading.Event()
    own = meter(on_read=lambda: own.reads > 3 and seen.set())
    with EnergyLedger(meters={"m": own}, host=host, keepalive_s=0.05):
        assert seen.wait(5)

    assert not [thread for thread in threading.enumerate() if thread.name == "fairtrial-energy"]


def test_the_receipts_give_the_same_figures_again(rig, tmp_path) -> None:
    rig = rig()
    with rig.ledger:
        rig.calibrate()
        for _ in range(3):
            with rig.ledger.window("a", group="fix") as window:
                rig.passes(60, pkg0=1850 * J)
            window.energies()
        rig.ledger.batch("fix")

    found = verify(tmp_path / "energy.jsonl")

    assert ("", 3, {"host": 1050 * J}) == (found.problem, found.windows, found.totals)


def test_a_run_that_goes_on_chains_its_receipts_to_the_old_ones(rig, tmp_path) -> None:
    path = tmp_path / "energy.jsonl"
    for _ in range(2):
        own = rig()
        with own.ledger, own.ledger.window("a") as window:
            own.passes(10, pkg0=J)
        window.energies()
    with path.open("ab") as file:
        file.write(b'{"op":"read","cut off')
    third = rig()
    with third.ledger, third.ledger.window("a") as window:
        third.passes(10, pkg0=J)

    assert "" == verify(path).problem
    assert ["open", "open", "open"] == [
        op for line in path.read_text().splitlines() if (op := json.loads(line)["op"]) == "open"
    ]


def test_what_a_meter_did_wrong_is_told_at_the_end(rig) -> None:
    rig = rig()
    with rig.ledger:
        rig.meter.counts["pkg0"] = -1
        for _ in range(2):
            rig.ledger.sample()

        assert ("m: “pkg0” showed -1, which is below 0",) == rig.ledger.concerns()


def test_a_meter_that_is_wrong_in_many_ways_is_told_in_one_line(rig) -> None:
    rig = rig()
    with rig.ledger, rig.ledger.window("a") as window:
        for count in range(-7, 0):
            rig.meter.counts["pkg0"] = count
            rig.ledger.sample()

    (concern,) = rig.ledger.concerns()
    (energy,) = window.energies()
    assert concern.startswith("m: “pkg0” showed -7, which is below 0; “pkg0” showed -6,")
    assert concern.endswith("; and 4 more of the kind")
    assert energy.why.endswith("“pkg0” showed -5, which is below 0; and 4 more of the kind")


def test_a_share_by_cpu_time_is_one_of_idle_too(rig, meter, counter) -> None:
    ticks = counter(
        "busy", is_cpu_time=True, microjoules_per_count=10_000, atoms=frozenset({"cpu-host"})
    )
    rig = rig(meter(counters=(counter(), ticks), counts={"pkg0": 0, "busy": 0}))
    with rig.ledger:
        rig.calibrate(idle_w=20)
        window, other = (rig.ledger.begin(name, apart=True) for name in "ab")
        rig.passes(10, pkg0=500 * J, busy=1000)
        window.end(cpu_us=4_000_000)
        other.end(cpu_us=6_000_000)
        energy = only(window)

    shown = (energy.joules, energy.gross_j, energy.idle_j)
    assert pytest.approx((120.0, 200.0, 80.0)) == shown
    assert (Label.ESTIMATOR, "cpu-share") == (energy.label, energy.sensor)
