"""Joules in the curves of best of k: their kind, their doubts, and what is not drawn."""

import re
from collections.abc import Sequence

from attrs import evolve
from fairtrial.api import (
    Boundary,
    Check,
    CheckKind,
    Ending,
    Energy,
    Label,
    PlannedTask,
    RunRecord,
    Trial,
    Verdict,
)
from fairtrial_reporter_html import HtmlReporter

COUNTED = Energy(joules=30.0, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT, gross_j=30.0)
ESTIMATED = evolve(COUNTED, label=Label.ESTIMATOR)
TITLE = "Joules of all k attempts (host, measured-hardware-shunt, gross)"


def run_of(**energies: Sequence[tuple[Energy, ...]]) -> RunRecord:
    """A run of one task: of each solver, what the meters said of each rollout."""
    checks = (Check(name="hidden", kind=CheckKind.VISIBLE, passed=True),)
    trials = tuple(
        Trial(
            task="a",
            digest="a",
            family="a",
            solver=solver,
            rollout=rollout,
            ending=Ending.FINISHED,
            verdict=Verdict(checks=checks, suite_version="1"),
            energy=energy,
        )
        for solver, told in energies.items()
        for rollout, energy in enumerate(told, 1)
    )
    return RunRecord(
        label="r",
        suite="s",
        solvers=tuple(energies),
        rollouts=max(map(len, energies.values())),
        tasks=(PlannedTask(id="a", family="a", digest="a"),),
        trials=trials,
    )


def figures(run: RunRecord) -> dict[str, str]:
    """Each figure of best of k, by its heading."""
    (document,) = HtmlReporter(resamples=100).report([run])
    shown = document.body.decode().partition("<h2>Best of k</h2>")[2].partition("</section>")[0]
    found = re.findall(r"<figure><figcaption><h3>(.*?)</h3>(.*?)</figure>", shown)
    return dict(found)


def of_joules(run: RunRecord) -> dict[str, str]:
    return {title: body for title, body in figures(run).items() if title.startswith("Joules")}


def test_joules_are_drawn_where_no_dollars_are_known() -> None:
    found = figures(run_of(a=[(COUNTED,)] * 3))
    assert ["Tasks resolved by any of k", "Dollars of all k attempts", TITLE] == list(found)
    assert "<svg" not in found["Dollars of all k attempts"]
    assert "a: k=1 30.0 J, k=2 60.0 J, k=3 90.0 J</desc>" in found[TITLE]
    assert 3 == found[TITLE].count('class="m ')
    assert ">Joules</text>" in found[TITLE]
    assert not of_joules(run_of(a=[()] * 3))


def test_joules_of_different_kinds_are_on_no_axis_together() -> None:
    remote = evolve(ESTIMATED, boundary=Boundary.REMOTE)
    found = of_joules(run_of(a=[(COUNTED,)] * 2, b=[(ESTIMATED, remote)] * 2))
    assert [
        TITLE,
        "Joules of all k attempts (host, estimator, gross)",
        "Joules of all k attempts (remote-inference, estimator)",
    ] == list(found)
    first, *others = found.values()
    assert "k=2 60.0 J</desc>" in first
    assert "b: not drawn; joules of another kind" in re.sub("<.*?>", "", first)
    for other in others:
        assert 1 == other.count('class="curve')
        assert "b: k=1 30.0 J" in other


def test_joules_that_cover_different_parts_of_the_machine_are_of_different_kinds() -> None:
    whole = evolve(COUNTED, coverage=("dram0", "pkg0"))
    part = evolve(COUNTED, coverage=("pkg0",))
    assert [
        "Joules of all k attempts (host, measured-hardware-shunt, gross, of dram0 and pkg0)",
        "Joules of all k attempts (host, measured-hardware-shunt, gross, of pkg0)",
    ] == list(of_joules(run_of(a=[(whole,)] * 2, b=[(part,)] * 2)))


def test_estimates_of_different_powers_are_of_different_kinds() -> None:
    weak, strong = (evolve(ESTIMATED, sensor=f"tdp-model, {watts} W") for watts in (15, 30))
    run = run_of(a=[(weak,)] * 2, b=[(strong,)] * 2)
    assert [
        "Joules of all k attempts (host, estimator, gross, by tdp-model, 15 W)",
        "Joules of all k attempts (host, estimator, gross, by tdp-model, 30 W)",
    ] == list(of_joules(run))
    (document,) = HtmlReporter(resamples=100).report([run])
    assert 2 == document.body.decode().count("label, granularity, coverage or method can")


def test_joules_in_doubt_are_hollow_and_have_their_mark() -> None:
    weak = evolve(COUNTED, reliable=False)
    (shown,) = of_joules(run_of(a=[(COUNTED,), (weak,)])).values()
    assert "a: k=1 30.0 J, k=2 ~60.0 J</desc>" in shown
    assert (1, 1) == (shown.count('class="m '), shown.count('class="h '))
    assert ">~a</text>" in shown


def test_a_batch_s_joules_stand_only_where_all_of_it_is() -> None:
    batch = evolve(COUNTED, granularity="batch")
    rest = evolve(batch, joules=None, gross_j=None)
    run = run_of(a=[(batch,), (rest,), (rest,)])
    ((title, shown),) = of_joules(run).items()
    assert "Joules of all k attempts (host, measured-hardware-shunt, gross, per batch)" == title
    assert "a: k=3 30.0 J</desc>" in shown
    said = re.sub("<.*?>", "", shown)
    assert said.endswith("a: drawn for 1 of 3 k, otherwise not all of it is known")


def test_joules_that_are_known_in_part_are_not_drawn() -> None:
    (shown,) = of_joules(run_of(a=[(COUNTED,), ()], b=[(), (COUNTED,)])).values()
    said = re.sub("<.*?>", "", shown)
    assert "a: drawn for 1 of 2 k, otherwise not all of it is known" in said
    assert "b: not drawn; not all of it is known" in said


def test_joules_beside_others_are_no_reason_to_leave_those_out() -> None:
    remote = evolve(ESTIMATED, boundary=Boundary.REMOTE)
    shown, _ = of_joules(run_of(a=[(COUNTED, remote), (remote,)])).values()
    said = re.sub("<.*?>", "", shown)
    assert said.endswith("a: drawn for 1 of 2 k, otherwise not all of it is known")


def test_joules_below_zero_are_not_drawn() -> None:
    (shown,) = of_joules(run_of(a=[(evolve(COUNTED, joules=-3.0),)] * 2)).values()
    assert "<svg" not in shown
    assert "a: not drawn; a figure too large or too small to draw" in re.sub("<.*?>", "", shown)
