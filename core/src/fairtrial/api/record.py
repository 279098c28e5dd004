"""
What a run leaves: one record a trial, and the run around them.

A trial is a line of `trials.jsonl`, the rest of `RunRecord` is `run.json`. Both are read by any
later version with the same `SCHEMA` major number.
"""

from collections.abc import Mapping

from attrs import field, frozen
from attrs.validators import ge, optional

from fairtrial.api.answerer import Answer, Question
from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.finding import Finding
from fairtrial.api.insight import Insight
from fairtrial.api.stage import Stage
from fairtrial.api.usage import Usage
from fairtrial.api.verdict import Verdict

SCHEMA = "1.0"
"""Version of the record's form: a new minor number adds fields, a new major one changes them."""


@frozen(kw_only=True)
class Exchange:
    """
    One question of an agent's, and what it was answered.

    Attributes:
        question: What it asked.
        answer: What it was told, and by whom.
        waited_s: Seconds that the answer took.
        follows: Whether it was asked together with the one before; both count as one question.
    """

    question: Question
    answer: Answer
    waited_s: float = 0.0
    follows: bool = False


@frozen(kw_only=True)
class Trial:
    """
    One task × solver × rollout, finished.

    Attributes:
        task: The task's id.
        digest: The task's digest, so that a changed task's result is never taken for this one's.
        family: The task's family.
        solver: The solver's name in the config, or `reference` or `noop`.
        rollout: 1-based.
        ending: How the attempt ended.
        limit: Which limit fired, in a machine word; empty where none did.
        verdict: What the checks said; None where nothing was graded.
        wall_s: Seconds that the attempt took; None where it never started.
        usage: Tokens and dollars as the agent tells them, or as its tokens are priced.
        metered: The same as a gateway metered it; None where none was configured.
        energy: Figures of joules, at most one a boundary; empty where no meter was configured.
        stages: What each solver did, where several worked on it one after the other; else empty.
        findings: What the auditors found; None where nothing was audited.
        unheard: Auditors that had nothing to judge by, such as a log.
        audited_by: The other auditors, with the number of their pattern set (0 for one that
            numbers none); findings of different sets are not compared.
        changed: Paths that the attempt changed and that were graded.
        dropped: Paths that it changed and that were not let into the clean room.
        outside: Paths of `changed` that are outside the task's scope.
        questions: What it asked; None where the solver can't tell.
        submission: Where the work was delivered, if elsewhere than in the tree.
        diff_added: Lines of text added; None where nothing was graded.
        diff_removed: Lines of text removed.
        enforced: What the sandbox really kept, by part.
        insight: What its log shows of turns, tools, time and tokens; None where it left no log.
        scoring_ms: Milliseconds that grading took; None where nothing was graded.
        model: The model that did the work.
        agent_version: The agent's own version.
        quarantine: Why the task is out of the headline; empty for a sound one.
        started_at: ISO 8601, UTC.
        note: One line for a reader; for `infra`, the reason and the way on.
    """

    task: str
    digest: str
    family: str
    solver: str
    rollout: int = field(default=1, validator=ge(1))
    ending: Ending
    limit: str = ""
    verdict: Verdict | None = None
    wall_s: float | None = field(default=None, validator=optional(ge(0)))
    usage: tuple[Usage, ...] = ()
    metered: tuple[Usage, ...] | None = None
    energy: tuple[Energy, ...] = ()
    stages: tuple[Stage, ...] = ()
    findings: tuple[Finding, ...] | None = None
    unheard: tuple[str, ...] = ()
    audited_by: Mapping[str, int] = field(factory=dict)
    changed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    questions: tuple[Exchange, ...] | None = None
    submission: str | None = None
    diff_added: int | None = None
    diff_removed: int | None = None
    enforced: Mapping[str, str] = field(factory=dict)
    insight: Insight | None = None
    scoring_ms: int | None = field(default=None, validator=optional(ge(0)))
    model: str | None = None
    agent_version: str | None = None
    quarantine: str = ""
    started_at: str = ""
    note: str = ""

    @property
    def resolved(self) -> bool | None:
        """Whether the task was resolved; None where that was not judged."""
        return None if self.verdict is None else self.verdict.resolved

    @property
    def clean(self) -> bool | None:
        """
        Whether an audit found nothing that enforces.

        None where none was made, and where one of the auditors had nothing to judge by: what the
        others found then stands, but what they didn't find proves nothing.
        """
        if self.findings is None:
            return None
        if any(finding.enforcing for finding in self.findings):
            return False
        return None if self.unheard else True

    @property
    def asked(self) -> int | None:
        """How often it asked; questions asked together are one. None where that isn't known."""
        if self.questions is None:
            return None
        return sum(not exchange.follows for exchange in self.questions)

    @property
    def cost_usd(self) -> float | None:
        """Dollars: as metered where a gateway was there, else as told; None if any is unknown."""
        entries = self.usage if self.metered is None else self.metered
        costs = [usage.cost_usd for usage in entries]
        if not costs or None in costs:
            return None
        return sum(cost for cost in costs if cost is not None)


@frozen(kw_only=True)
class PlannedTask:
    """
    One task as the run planned it.

    Attributes:
        id: The task's id.
        family: The task's family.
        digest: The task's digest.
        invalid: Why the task can't be used (its oracle passes before, or fails with the
            reference); empty for a sound one. Its trials are in no denominator.
        quarantine: Why it is kept out of the headline; empty for a sound one.
    """

    id: str
    family: str
    digest: str
    invalid: str = ""
    quarantine: str = ""


@frozen(kw_only=True)
class Distribution:
    """An installed distribution that took part, by name and version."""

    name: str
    version: str


@frozen(kw_only=True)
class Pick:
    """
    What a selector picked for one task, and what that took; the attempts' own cost is theirs.

    Attributes:
        task: The task's id.
        rollout: The attempt that it picked; None where it picked none.
        among: A digest of the attempts that it chose from.
        consulted: How many times it asked a solver.
        wall_s: Seconds that it took.
        usage: Tokens and dollars as the solvers that it asked tell them.
        metered: The same as a gateway metered it; None where none was asked through one.
        energy: Figures of joules, at most one a boundary; empty where it used nothing.
        note: Why it picked none, or what was weaker than asked.
    """

    task: str
    rollout: int | None = None
    among: str = ""
    consulted: int = 0
    wall_s: float = field(default=0.0, validator=ge(0))
    usage: tuple[Usage, ...] = ()
    metered: tuple[Usage, ...] | None = None
    energy: tuple[Energy, ...] = ()
    note: str = ""


@frozen(kw_only=True)
class Selection:
    """
    One selector's picks among one solver's attempts.

    Attributes:
        selector: Its name in the config.
        solver: The solver's name.
        upper_bound: Whether it looked at what the hidden checks said, so that no true selector
            can do better.
        picks: One a task that has attempts to choose from.
    """

    selector: str
    solver: str
    upper_bound: bool = False
    picks: tuple[Pick, ...] = ()


@frozen(kw_only=True)
class RunArm:
    """
    One of two arms of a run.

    Attributes:
        name: Its name in the config.
        solvers: Names of its solvers, such as `mine@before`, in order; the other arm's are in the
            same order.
        settings: What the arms differ in: each key, and its value in this arm, as TOML writes it.
    """

    name: str
    solvers: tuple[str, ...]
    settings: Mapping[str, str] = field(factory=dict)


@frozen(kw_only=True)
class RunRecord:
    """
    A run: what was planned, with what, and what came of it.

    Attributes:
        schema: Version of this form.
        label: The run's name.
        suite: The suite's name in the config.
        suite_version: Verdicts of different versions are not compared.
        started_at: ISO 8601, UTC.
        solvers: Names, in the order in which they are shown; control arms included.
        rollouts: Attempts planned for each task × solver.
        tasks: What was planned.
        trials: What is finished, in the order in which it finished.
        again: Attempts that were interrupted or broke, and that a later one of `trials` replaces:
            they count for nothing but what they spent.
        config: The config as it was run, secrets left out.
        max_infra_share: Above this share of trials that say nothing of the agent (`infra`,
            skipped, unfinished), a headline is refused.
        plugins: Distributions that took part.
        host: Facts about the machine, and the git revision of the config's folder, for the
            reader; no part of the run's identity.
        gates: Limits that the figures must keep for the run to succeed, by their keys of `[run]`.
        heldout: What a held-out suite concluded, and the gaps; None where none was scored.
        selections: What selectors picked among several attempts; empty where none was asked.
        arms: The two arms of the run, the one before first; empty for a run without.
        lock: What a `--resume` must find unchanged, key by key; leaves out hosts, ports, paths
            and secrets.
    """

    schema: str = SCHEMA
    label: str
    suite: str
    suite_version: str = ""
    started_at: str = ""
    solvers: tuple[str, ...]
    rollouts: int = field(default=1, validator=ge(1))
    tasks: tuple[PlannedTask, ...]
    trials: tuple[Trial, ...] = ()
    again: tuple[Trial, ...] = ()
    config: Mapping[str, object] = field(factory=dict)
    max_infra_share: float = 0.10
    plugins: tuple[Distribution, ...] = ()
    host: Mapping[str, str] = field(factory=dict)
    gates: Mapping[str, float] = field(factory=dict)
    heldout: Mapping[str, object] | None = None
    selections: tuple[Selection, ...] = ()
    arms: tuple[RunArm, ...] = ()
    lock: Mapping[str, str] = field(factory=dict)

    @property
    def planned(self) -> int:
        """How many trials one solver was to do: valid tasks × rollouts."""
        return sum(not task.invalid for task in self.tasks) * self.rollouts
