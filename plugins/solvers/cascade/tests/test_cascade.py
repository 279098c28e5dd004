"""The cascade: when it goes on, with what limits, and what it says of itself at the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve, frozen
from fairtrial.api import (
    AssistantText,
    Attempt,
    Brief,
    EndedBy,
    Ending,
    MachineError,
    ModelUsage,
    Outlook,
    Session,
    Solver,
    TurnEnd,
    Usage,
)
from fairtrial.conformance import SolverConformance
from fairtrial.conformance.fakes import FakeSession, open_local
from fairtrial_solver_cascade import CascadeSolver

NEVER = "no-change"


@frozen(kw_only=True)
class Shell:
    """Runs a line of shell in the workspace, and says what it was told to say."""

    line: str = "echo done > done.txt"
    says: str = ""
    cost_usd: float | None = None
    ending: Ending = Ending.FINISHED
    model: str = "small"
    spends: bool | None = False
    turns: tuple[TurnEnd, ...] = ()

    def solve(self, session: Session, /) -> Attempt:
        if self.says:
            session.record(AssistantText(text=self.says))
        for turn in self.turns:
            session.record(turn)
        native = session.scratch / "native"
        native.mkdir()
        (native / "log").write_text(
            f"{session.brief.budget_usd} {session.brief.timeout_s:.0f} {self.line}"
        )
        argv = ["sh", "-c", self.line]
        try:
            running = session.workspace.spawn(argv, timeout_s=max(session.remaining_s(), 0.01))
        except FileNotFoundError as error:
            raise MachineError(problem="there is no shell") from error
        finished = running.end(grace_s=60)
        late = finished.ended_by is EndedBy.TIMEOUT
        ending = self.ending if finished.code == 0 else Ending.CRASHED
        return Attempt(
            ending=Ending.TIMED_OUT if late else ending,
            limit="timeout" if late else "",
            model=self.model,
            usage=(Usage(model=self.model, output=10, cost_usd=self.cost_usd),),
            note="" if finished.code == 0 else f"exit status {finished.code}",
        )


GOOD = Shell(line="echo 5 > answer.txt")
LARGE = evolve(GOOD, model="large", cost_usd=1.0)


class TestCascade(SolverConformance):
    entry_point = "cascade"
    composes = True

    @pytest.fixture
    def solver(self) -> CascadeSolver:
        return CascadeSolver(stages=(Shell(line="true"), GOOD), escalate=("no-change or crash",))

    def stuck(self, solver: Solver) -> Solver:
        return CascadeSolver(
            stages=(Shell(line="true"), Shell(line="sleep 60")), escalate=(NEVER,)
        )


@pytest.fixture
def session(tmp_path: Path) -> Iterator[FakeSession]:
    with open_local("cascade") as workspace:
        brief = Brief(prompt="Write 5 into answer.txt.", timeout_s=60, budget_usd=2.0)
        yield FakeSession(brief=brief, workspace=workspace, scratch=tmp_path)


def escalations(session: FakeSession) -> list[str]:
    return [stage.escalated for stage in session.stages]


def test_a_first_stage_that_will_do_is_the_last(session: FakeSession) -> None:
    attempt = CascadeSolver(stages=(GOOD, LARGE), escalate=(NEVER,)).solve(session)
    assert (Ending.FINISHED, "small", "") == (attempt.ending, attempt.model, attempt.note)
    assert [""] == escalations(session)


@pytest.mark.parametrize(
    ("first", "rule", "why"),
    [
        (Shell(line="true"), "no-change", "nothing was changed"),
        (Shell(ending=Ending.CRASHED), "crash", "it crashed"),
        (Shell(ending=Ending.OVER_BUDGET), "over-share", "its share of the budget was used up"),
        (Shell(cost_usd=0.7), "over-share", "its share of the budget was used up"),
        (
            Shell(says="Done, but I could not verify it."),
            "self-doubt",
            "it doubts its work: “could not verify”",
        ),
        (
            Shell(line="echo 6 > answer.txt"),
            "visible-tests-fail",
            "the visible tests fail (exit status 1)",
        ),
        (Shell(line="true"), "crash or no-change", "nothing was changed"),
    ],
)
def test_a_rule_that_fires_begins_the_next_stage(
    session: FakeSession, first: Shell, rule: str, why: str
) -> None:
    cascade = CascadeSolver(
        stages=(first, LARGE),
        escalate=(rule,),
        share=(0.3, 0.7),
        test_cmd=("grep", "-q", "5", "answer.txt"),
    )
    attempt = cascade.solve(session)
    assert [why, ""] == escalations(session)
    assert (Ending.FINISHED, None) == (attempt.ending, attempt.model)
    assert ["small", "large"] == [usage.model for usage in attempt.usage]
    assert "Shell → Shell" == attempt.note


@pytest.mark.parametrize(
    ("first", "rule"),
    [
        (Shell(cost_usd=0.5), "over-share"),
        (Shell(says="All tests pass; I am sure."), "self-doubt"),
        (GOOD, "visible-tests-fail"),
        (Shell(line="true"), "crash"),
    ],
)
def test_a_rule_that_does_not_fire_ends_the_attempt(
    session: FakeSession, first: Shell, rule: str
) -> None:
    cascade = CascadeSolver(
        stages=(first, LARGE),
        escalate=(rule,),
        share=(0.3, 0.7),
        test_cmd=("grep", "-q", "5", "answer.txt"),
    )
    cascade.solve(session)
    assert [""] == escalations(session)


def test_the_same_models_usage_is_summed_over_the_stages(session: FakeSession) -> None:
    stages = (Shell(line="true", cost_usd=0.25), Shell(cost_usd=0.5))
    attempt = CascadeSolver(stages=stages, escalate=(NEVER,)).solve(session)
    assert [(20, 0.75)] == [(usage.output, usage.cost_usd) for usage in attempt.usage]


def turn(cost_usd: float | None, **outputs: int) -> TurnEnd:
    used = {model: ModelUsage(output_tokens=count) for model, count in outputs.items()}
    return TurnEnd(cost_usd=cost_usd, model_usage=used or None)


def test_the_figures_of_a_stages_turns_stand_on_those_of_the_stages_before(
    session: FakeSession,
) -> None:
    idle = Shell(line="true")
    stages = (
        evolve(idle, turns=(turn(0.25, a=4), turn(0.5, a=10))),
        evolve(idle, turns=(turn(None),)),
        CascadeSolver(
            stages=(
                evolve(idle, turns=(turn(1.0, a=1, b=2),)),
                evolve(idle, turns=(turn(2.0, b=5),)),
            ),
            escalate=(NEVER,),
        ),
    )
    CascadeSolver(stages=stages, escalate=(NEVER,)).solve(session)
    ends = [event for event in session.events if isinstance(event, TurnEnd)]
    assert [0.25, 0.5, None, 1.5, 3.5] == [end.cost_usd for end in ends]
    assert [
        {"a": 4},
        {"a": 10},
        {},
        {"a": 11, "b": 2},
        {"a": 11, "b": 7},
    ] == [
        {model: used.output_tokens for model, used in (end.model_usage or {}).items()}
        for end in ends
    ]


@pytest.mark.parametrize("turns", [(turn(None),), (turn(0.5), turn(None)), ()])
@pytest.mark.parametrize("spends", [True, None])
def test_dollars_on_top_of_a_stage_of_unknown_cost_are_unknown(
    session: FakeSession, turns: tuple[TurnEnd, ...], spends: bool | None
) -> None:
    idle = Shell(line="true")
    stages = (
        evolve(idle, turns=(turn(0.25),)),
        evolve(idle, turns=turns, spends=spends),
        evolve(idle, turns=(turn(1.0),)),
    )
    CascadeSolver(stages=stages, escalate=(NEVER,)).solve(session)
    costs = [event.cost_usd for event in session.events if isinstance(event, TurnEnd)]
    assert (0.25, None) == (costs[0], costs[-1])


def test_dollars_on_top_of_a_stage_that_cannot_spend_are_those_of_the_others(
    session: FakeSession,
) -> None:
    idle = Shell(line="true")
    stages = (idle, evolve(idle, turns=(turn(0.25),)), idle, evolve(idle, turns=(turn(1.0),)))
    CascadeSolver(stages=stages, escalate=(NEVER,)).solve(session)
    ends = [event for event in session.events if isinstance(event, TurnEnd)]
    assert [0.25, 1.25] == [end.cost_usd for end in ends]


def test_a_stage_over_its_time_is_ended_and_the_next_has_the_rest(session: FakeSession) -> None:
    session.brief = evolve(session.brief, timeout_s=2)
    cascade = CascadeSolver(
        stages=(Shell(line="sleep 30"), GOOD), escalate=("over-share",), share=(0.2, 0.8)
    )
    attempt = cascade.solve(session)
    assert Ending.FINISHED is attempt.ending
    assert ["its share of the time was used up (timeout)", ""] == escalations(session)
    # Its share runs from when it is set up, a moment before it is timed.
    assert 0.35 <= session.stages[0].wall_s < 1.5


def test_what_a_stage_leaves_of_its_share_goes_to_the_next(session: FakeSession) -> None:
    stages = (Shell(line="true", cost_usd=0.1), Shell(line="true"), LARGE)
    cascade = CascadeSolver(stages=stages, escalate=(NEVER,), share=(0.25, 0.25, 0.5))
    cascade.solve(session)
    native = session.scratch / "native"
    told = [(native / f"stage-{n}" / "log").read_text().split()[:2] for n in (1, 2, 3)]
    assert [["0.5", "15"], ["0.9", "30"], ["1.9", "60"]] == told


def test_a_tree_is_carried_over_or_put_back_as_asked(session: FakeSession) -> None:
    first = Shell(line="mkdir a; echo x > a/draft.txt", ending=Ending.CRASHED)
    for carry, kept in ((True, True), (False, False)):
        cascade = CascadeSolver(stages=(first, GOOD), escalate=("crash",), carry=carry)
        scratch = session.scratch / str(carry)
        scratch.mkdir()
        cascade.solve(evolve(session, scratch=scratch))
        assert kept is (session.workspace.root / "a/draft.txt").exists()
        session.reset()


def test_a_stage_that_lays_links_for_the_next_one_gains_nothing(
    session: FakeSession, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    session.scratch = tmp_path / "scratch"
    for folder in (elsewhere, session.scratch):
        folder.mkdir()
    links = f"for n in stage-2 native; do ln -s {elsewhere} {session.scratch}/$n; done"
    cascade = CascadeSolver(stages=(Shell(line=links), GOOD), escalate=(NEVER,))
    assert Ending.FINISHED is cascade.solve(session).ending
    assert [] == list(elsewhere.iterdir())


def test_a_fault_that_is_not_the_agents_ends_the_attempt(session: FakeSession) -> None:
    stages = (Shell(line="true", ending=Ending.INFRA), LARGE)
    attempt = CascadeSolver(stages=stages, escalate=(NEVER,)).solve(session)
    assert (Ending.INFRA, 1) == (attempt.ending, len(session.stages))


def test_no_stage_begins_once_all_the_money_is_spent(session: FakeSession) -> None:
    stages = (Shell(line="true", cost_usd=2.0), LARGE)
    CascadeSolver(stages=stages, escalate=(NEVER,)).solve(session)
    assert [""] == escalations(session)


def test_a_missing_test_program_is_the_users_to_mend(session: FakeSession) -> None:
    cascade = CascadeSolver(
        stages=(GOOD, LARGE), escalate=("visible-tests-fail",), test_cmd=("no-such-program",)
    )
    with pytest.raises(MachineError, match="“no-such-program” can't be started"):
        cascade.solve(session)


def test_a_stage_inside_of_a_stage_is_a_cascade_too(session: FakeSession) -> None:
    inner = CascadeSolver(stages=(Shell(line="true"), Shell(line="true")), escalate=(NEVER,))
    CascadeSolver(stages=(inner, GOOD), escalate=(NEVER,)).solve(session)
    assert ["Shell", "Shell", "CascadeSolver", "Shell"] == [one.solver for one in session.stages]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"escalate": ("no-chance",)}, "“no-chance” is no rule"),
        ({"escalate": (NEVER,) * 3}, "'escalate' must hold 1 rule"),
        ({"share": (0.5, 0.6)}, "share must hold parts of 1"),
        ({"share": (0.5,)}, "'share' must hold 2 parts"),
        ({"escalate": ("visible-tests-fail",)}, "'test_cmd' must say"),
        ({"doubt": "("}, "doubt is no regular expression"),
        ({"stages": (GOOD,)}, "stages"),
    ],
)
def test_a_config_that_makes_no_sense_is_refused(fields: dict[str, object], words: str) -> None:
    sound = {"stages": (GOOD, LARGE), "escalate": (NEVER,)}
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        CascadeSolver(**{**sound, **fields})  # type: ignore[arg-type]  # that is the test


@pytest.mark.parametrize(
    ("told", "expected"),
    [((False, True), True), ((False, None), None), ((False, False), False), ((None, True), True)],
)
def test_it_spends_if_any_stage_does(told: tuple[bool | None, ...], expected: bool | None) -> None:
    stages = tuple(evolve(GOOD, spends=each) for each in told)
    assert expected is CascadeSolver(stages=stages, escalate=(NEVER,)).spends


@frozen(kw_only=True)
class Keyless(Shell):
    """Says that it has no key."""

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        return (
            None
            if "KEY" in outlook.environment
            else MachineError(problem="no key", way_on="set it")
        )


def test_what_a_stage_lacks_is_said_before_a_run_with_its_place(session: FakeSession) -> None:
    whole = CascadeSolver(stages=(GOOD, Keyless(), Keyless()), escalate=(NEVER,))
    lack = whole.lacks(Outlook(workspace=session.workspace))
    assert lack is not None
    assert ("no key", (("stage", "2 of 3"),)) == (lack.problem, lack.facts)
    assert whole.lacks(Outlook(workspace=session.workspace, environment={"KEY": "x"})) is None
    silent = CascadeSolver(stages=(GOOD, GOOD), escalate=(NEVER,))
    assert silent.lacks(Outlook(workspace=session.workspace)) is None
