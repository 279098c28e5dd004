"""Building all that a run needs, and finding every fault that can be found without spending."""

from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, cast

from attrs import astuple, evolve, frozen

from fairtrial.api import (
    ConfigError,
    Fence,
    HeldOut,
    Network,
    Preflighted,
    Priced,
    Suite,
    SuiteError,
    Task,
)
from fairtrial.config import RunConfig, apart
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.lock import lock_of
from fairtrial.engine.plan import CONTROLS, Plan, plan
from fairtrial.engine.room import Room
from fairtrial.registry import KINDS, Plugins, build, scan

if TYPE_CHECKING:
    from attrs import AttrsInstance


@frozen(kw_only=True)
class Prepared:
    """
    A run that could start: nothing was spent yet.

    Attributes:
        config: The config as it will be run.
        plugins: Built from it.
        plan: The tasks and cells.
    """

    config: RunConfig
    plugins: Plugins
    plan: Plan

    @property
    def lock(self) -> dict[str, str]:
        """What a resumed run must find unchanged."""
        suite = self.plugins.suite
        made = {**self.plugins.solvers, **_parts(self.plugins)}
        named = self.config.run.solvers
        names = (*named, *(part for part in self.parts if part not in named))
        solvers = {name: made.get(name) for name in names}
        versions = _versions(self.config, solvers)
        lock = lock_of(self.config, self.plan.tasks, suite.version, versions, solvers)
        if isinstance(suite, HeldOut):
            lock["held-out set"] = suite.held_out_version()
        if isinstance(self.plugins.gateway, Priced):
            lock["price table"] = self.plugins.gateway.price_table
        return lock

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the solvers that others are made of, such as a cascade's stages."""
        return tuple(_parts(self.plugins))

    def preflight(self) -> None:
        """
        Lets the suite fetch and check what it needs.

        Raises:
            SuiteError: The run must not start.
        """
        suite = self.plugins.suite
        if isinstance(suite, Preflighted):
            suite.preflight(self.plan.tasks)

    @property
    def fence(self) -> Fence:
        """What every attempt's sandbox is asked for."""
        run = self.config.run
        return Fence(network=run.network, required=run.require_fence)

    def room(self, directory: RunDirectory, ledger: EnergyLedger) -> Room:
        """Puts together what all trials share."""
        return Room(
            suite=self.plugins.suite,
            solvers=self.plugins.solvers,
            sandbox=self.plugins.sandbox,
            answerer=self.plugins.answerer,
            auditors=self.plugins.auditors,
            gateway=self.plugins.gateway,
            ledger=ledger,
            directory=directory,
            fence=self.fence,
            names=self.plugins.names,
        )


def prepare(config: RunConfig) -> Prepared:
    """
    Builds the plugins and lays out the plan.

    Raises:
        FairtrialError: Something is missing or wrong.
    """
    if config.run.network is Network.MODEL_ONLY and config.run.gateway is None:
        raise ConfigError(
            problem="[run] network = “model-only” has no way to a model",
            facts=(("asked for in", config.source), ("gateway", "none")),
            way_on="name a gateway, which is that way, or choose another network",
        )
    config = apart(config)
    plugins = build(config)
    laid = plan(
        _tasks(config, plugins.suite),
        config.run,
        arms=config.sides,
        timeouts=config.timeouts,
        only_in=config.asked_in("only"),
    )
    return Prepared(config=config, plugins=plugins, plan=laid)


def _tasks(config: RunConfig, suite: Suite) -> Sequence[Task]:
    """Reads a suite's tasks; a suite knows where they are, but not who asked for them."""
    try:
        return tuple(suite.tasks())
    except SuiteError as error:
        if error.task is not None:
            raise
        table = config.table("suites", config.run.suite)
        source = f"{table.source or config.source}, table {table.heading}"
        asked_in = source if table.written else config.asked_in("suite")
        raise evolve(error, facts=(*error.facts, ("asked for in", asked_in))) from error


def _parts(plugins: Plugins) -> dict[str, object]:
    found: dict[str, object] = {}
    waiting: list[object] = list(plugins.solvers.values())
    while waiting:
        # The registry takes nothing for a plugin that is no class of attrs.
        for value in astuple(cast("AttrsInstance", waiting.pop()), recurse=False):
            for part in value if isinstance(value, tuple) else (value,):
                name = plugins.names.get(id(part))
                if name is not None and name not in found:
                    found[name] = part
                    waiting.append(part)
    return found


def _versions(config: RunConfig, solvers: Iterable[str]) -> dict[str, str]:
    """Distribution → version of what a trial's outcome depends on; reporters are not among it."""
    run = config.run
    named = [("suite", run.suite), ("sandbox", run.sandbox), ("answerer", run.answerer)]
    named += [("solver", name) for name in solvers if name not in CONTROLS]
    named += [("gateway", run.gateway)] if run.gateway else []
    versions = {"fairtrial-core": metadata.version("fairtrial-core")}
    installed = scan()
    for kind, name in named:
        plugin = config.table(KINDS[kind].plural, name).plugin
        versions |= {
            found.distribution: found.version
            for found in installed.of(kind)
            if found.name == plugin
        }
    return versions
