"""What a run config holds. The docstring of `RunTable` becomes docs/run-config.md."""

import re
from collections.abc import Mapping
from pathlib import Path

import attrs
from attrs import field, frozen
from attrs.validators import ge, gt, in_, le, min_len, optional

from fairtrial.api.record import RunArm
from fairtrial.api.sandbox import Network

PLURALS: Mapping[str, str] = {
    noun: f"{noun}s"
    for noun in ("solver", "meter", "gateway", "auditor", "reporter", "answerer", "selector")
} | {"suite": "suites", "sandbox": "sandboxes"}
"""Each kind of plugin, and the name of its tables and of its entry-point group."""

CONTROL_ARMS = ("reference", "noop")
"""Solvers that the engine itself is: the known-good fix, and no change at all."""

SET = "--set"
"""Who wrote a value that was set on the command line by its key."""

SOLVER_BY_SOLVER = "solvers"
"""The order in which no two solvers are at work at once."""

UNLIMITED = "unlimited"
"""The word by which a run may spend without a limit."""

LONGEST_S = 2_000_000
"""Most seconds of a limit: a system counts what it waits for in 2³¹ milliseconds."""

ANY = "any"
"""The word by which a run's arms may differ in nothing, or in several things."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_ARMED = re.compile(rf"{_NAME.pattern}(?:@{_NAME.pattern})?")
_LONGEST = 100
"""Characters of a name; file systems take 255 bytes, and a number may follow."""
_RULE = "letters, digits, `.`, `_` and `-` only, a letter or digit first"


def _name(_: object, attribute: "attrs.Attribute[str]", value: str) -> None:
    """Refuses what can't be the name of a directory on every file system."""
    if value and not _NAME.fullmatch(value):
        msg = f"'{attribute.name}' must be a name ({_RULE}): “{value}”"
        raise ValueError(msg)
    if len(value) > _LONGEST:
        msg = f"'{attribute.name}' must have {_LONGEST} characters at most, not {len(value)}"
        raise ValueError(msg)


def _names_once(_: object, attribute: "attrs.Attribute[tuple[str, ...]]", value: object) -> None:
    names = value if isinstance(value, tuple) else ()
    # One arm's solver is called `mine@before`.
    form = _ARMED if attribute.name == "solvers" else _NAME
    for place, name in enumerate(names):
        if not form.fullmatch(name):
            msg = f"'{attribute.name}' must hold names ({_RULE}): “{name}”"
            raise ValueError(msg)
        if max(map(len, name.split("@"))) > _LONGEST:
            msg = f"'{attribute.name}' must hold names of {_LONGEST} characters at most: “{name}”"
            raise ValueError(msg)
        if name in names[:place]:
            msg = f"'{attribute.name}' names “{name}” twice"
            raise ValueError(msg)


@frozen(kw_only=True)
class RunTable:
    """
    The table `[run]`: which solvers attempt which tasks, under which limits.

    Attributes:
        suite: Where the tasks come from: a `[suites.*]` table, or a suite plugin.
        solvers: What attempts them, in the order in which the report shows them: `[solvers.*]`
            tables, solver plugins, and the control arms `reference` and `noop`.
        label: The run's name; its directory is `runs/<label>/`. By default the config file's
            name without its ending.
        rollouts: Attempts of each solver at each task.
        jobs: Trials under way at once.
        order: `tasks` begins all trials of a task before those of the next, so that the time of
            day and the load fall on all solvers alike. `solvers` begins a solver's trials once
            all of the one before have ended, so that with `jobs` above 1, too, the joules of
            each are known.
        meters: What reads energy: `[meters.*]` tables or meter plugins. `auto` is what can really
            be read, else an estimate; `measured` is only what can be read; both try what has a
            table, too. Empty is no joules.
        sandbox: Where attempts and checks run: a `[sandboxes.*]` table or a sandbox plugin.
            `auto` is bubblewrap where that works, else `local` with a warning.
        gateway: What stands between agents and their models and meters on the wire: a
            `[gateways.*]` table or a gateway plugin.
        auditors: What looks for scores that were bought: `[auditors.*]` tables or plugins.
        answerer: Who answers an agent's questions: an `[answerers.*]` table or plugin.
        selectors: What picks one of several rollouts of each task, to show what that would bring
            and cost: `[selectors.*]` tables or selector plugins.
        reporters: What is shown at the end: `[reporters.*]` tables or reporter plugins.
        only: Ids of the tasks to run; empty for all of them.
        limit: Run only the first so many tasks; 0 for all of them.
        timeout_s: Seconds that an attempt may take, in place of every task's own limit; at most
            2,000,000, which are 23 days.
        budget_usd_per_task: Dollars that one attempt may spend. A run whose solvers can spend
            needs this and the next key.
        budget_usd_total: Dollars that the run may spend; a trial that can't be paid for within
            it is not started.
        budget: `unlimited` lets a run whose solvers can spend do without the two keys above.
        validate: Whether a task counts only after its checks failed on the untouched tree and
            passed on the reference.
        max_infra_share: Above this share of trials that broke for a reason which is not the
            agent's, never began for want of budget, or did not finish, the report gives no
            headline.
        max_heldout_gap: The widest gap between a family's visible and held-out share that the
            run may have, where a held-out check was scored; above it the exit code is 1.
        max_clean_gap: The widest gap between a solver's pass rate and its clean rate, likewise;
            by default not judged.
        min_resolved: The share that every solver must resolve, likewise; by default not judged.
        network: What an attempt may reach: `none`, `model-only` (a gateway's address alone) or `open`.
            Checks reach nothing.
        require_fence: Whether to stop before anything is spent where the sandbox can't keep the
            whole fence; else it keeps what it can, and the record says what that is.
        seed: Seed of the bootstrap intervals.
        arms_differ: `one` if `[arms.*]` must differ in exactly one thing, `any` if they may differ
            in nothing or in several.
    """

    suite: str = field(validator=min_len(1))
    solvers: tuple[str, ...] = field(validator=[min_len(1), _names_once])
    label: str = field(default="", validator=_name)
    rollouts: int = field(default=1, validator=ge(1))
    jobs: int = field(default=1, validator=ge(1))
    order: str = field(default="tasks", validator=in_(("tasks", SOLVER_BY_SOLVER)))
    meters: tuple[str, ...] = field(default=("auto",), validator=_names_once)
    sandbox: str = field(default="auto", validator=min_len(1))
    gateway: str | None = field(default=None, validator=optional(min_len(1)))
    auditors: tuple[str, ...] = field(default=(), validator=_names_once)
    answerer: str = field(default="prefer", validator=min_len(1))
    selectors: tuple[str, ...] = field(default=(), validator=_names_once)
    reporters: tuple[str, ...] = field(default=("table",), validator=_names_once)
    only: tuple[str, ...] = ()
    limit: int = field(default=0, validator=ge(0))
    timeout_s: float | None = field(default=None, validator=optional([gt(0), le(LONGEST_S)]))
    budget_usd_per_task: float | None = field(default=None, validator=optional(gt(0)))
    budget_usd_total: float | None = field(default=None, validator=optional(gt(0)))
    budget: str = field(default="", validator=in_(("", UNLIMITED)))
    validate: bool = True
    max_infra_share: float = field(default=0.10, validator=[ge(0), le(1)])
    max_heldout_gap: float = field(default=0.25, validator=[ge(-1), le(1)])
    max_clean_gap: float | None = field(default=None, validator=optional([ge(0), le(1)]))
    min_resolved: float | None = field(default=None, validator=optional([ge(0), le(1)]))
    network: Network = Network.OPEN
    require_fence: bool = False
    seed: int = 20260101
    arms_differ: str = field(default="one", validator=in_(("one", ANY)))


@frozen(kw_only=True)
class Origin:
    """
    Where a value of a config came from.

    Attributes:
        label: The file as the user spelt it, `--set`, or a flag such as `--label`.
        base: The directory that relative paths start from.
        flag: Whether it is a flag, which says by itself what it is about.
    """

    label: str
    base: Path
    flag: bool = False


@frozen(kw_only=True)
class Table:
    """
    One plugin's table.

    Attributes:
        kind: The plural noun, such as `solvers`.
        name: The table's name.
        plugin: The plugin's name: the key `plugin`, by default the table's own name.
        fields: The other keys, as they were read.
        origins: Where each key came from; who wrote its last part, where it is a table itself.
        source: Everyone who wrote a part of it, for an error's facts.
        written: Whether there is such a table in the config; False where only its name is used.
    """

    kind: str
    name: str
    plugin: str
    fields: Mapping[str, object] = field(factory=dict)
    origins: Mapping[str, Origin] = field(factory=dict)
    source: str = ""
    written: bool = True

    @property
    def heading(self) -> str:
        """The table's name as TOML spells it."""
        return f"[{self.kind}.{self.name}]"

    @property
    def bases(self) -> Mapping[str, Path]:
        """What each key's relative paths start from."""
        return {key: origin.base for key, origin in self.origins.items()}


@frozen(kw_only=True)
class ArmTable:
    """
    One of the two tables `[arms.*]`: what it overrides, in one of two arms of the run.

    Attributes:
        name: The arm's name.
        run: Keys of `[run]`.
        solvers: Keys of solvers' tables, by solver; `plugin` is empty where it isn't overridden.
        source: Everyone who wrote a part of it, for an error's facts.
    """

    name: str = field(validator=_name)
    run: Mapping[str, object] = field(factory=dict)
    solvers: Mapping[str, Table] = field(factory=dict)
    source: str = ""


@frozen(kw_only=True)
class RunConfig:
    """
    A whole run config, merged and checked as far as that goes without any plugin.

    Attributes:
        run: The table `[run]`.
        tables: Every plugin's table, by plural noun and name, whether the run uses it or not.
        files: The files that were read, first one first.
        origins: Where each value came from, by its place, such as `("run", "jobs")`.
        arms: The tables `[arms.*]`, as they were written; empty once they were set apart.
        sides: The arms, once they were set apart; empty for a run without.
        timeouts: Seconds that attempts of an arm's solver may take, where the arm says so.
    """

    run: RunTable
    tables: Mapping[str, Mapping[str, Table]]
    files: tuple[Path, ...] = ()
    origins: Mapping[tuple[str, ...], Origin] = field(factory=dict)
    arms: tuple[ArmTable, ...] = ()
    sides: tuple[RunArm, ...] = ()
    timeouts: Mapping[str, float] = field(factory=dict)

    def table(self, kind: str, name: str) -> Table:
        """Returns a plugin's table; where none is written, the plugin of that name as it is."""
        written = self.tables.get(kind, {}).get(name)
        return written or Table(kind=kind, name=name, plugin=name, written=False)

    def asked_in(self, key: str) -> str:
        """Returns where a key of `[run]` was written, for an error's facts."""
        origin = self.origins.get(("run", key))
        if origin is not None and origin.flag:
            return origin.label
        return f"{self.source if origin is None else origin.label}, [run] {key}"

    @property
    def source(self) -> str:
        """The files behind the config, for an error's facts."""
        return ", ".join(str(path) for path in self.files) or "the command line"


def sources(origins: Mapping[tuple[str, ...], Origin]) -> str:
    """Returns the labels of some origins, each once, in order."""
    return ", ".join(dict.fromkeys(origin.label for origin in origins.values()))
