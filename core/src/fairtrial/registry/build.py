"""The objects that a run names, made from its tables."""

from collections.abc import Iterable, Mapping
from importlib import metadata
from typing import cast

from attrs import define, field, frozen

from fairtrial.api.answerer import Answerer
from fairtrial.api.auditor import Auditor
from fairtrial.api.errors import ConfigError, FairtrialError
from fairtrial.api.gateway import Gateway
from fairtrial.api.meter import Meter
from fairtrial.api.record import Distribution
from fairtrial.api.reporter import Reporter
from fairtrial.api.sandbox import Sandbox
from fairtrial.api.selector import Selector
from fairtrial.api.solver import Solver
from fairtrial.api.suite import Suite
from fairtrial.config import CONTROL_ARMS, SET, RunConfig, Table
from fairtrial.energy.auto import candidates
from fairtrial.registry.discover import Found, Installed, scan
from fairtrial.registry.errors import unbuildable
from fairtrial.registry.kinds import KINDS, kind_of
from fairtrial.registry.load import load
from fairtrial.serial import structure
from fairtrial.serial.wording import nearest


@frozen(kw_only=True)
class Plugins:
    """
    What a run is done with, each under its name in the config.

    Attributes:
        suite: Where the tasks come from.
        solvers: What attempts them; the control arms `reference` and `noop` are not among them.
        meters: What reads energy.
        sandbox: Where attempts and checks run.
        gateway: What meters on the wire; None where none is configured.
        auditors: What looks at how a score was come by.
        answerer: Who answers.
        reporters: What is shown at the end.
        distributions: The installed distributions that all this, and the core, came from.
        selectors: What picks among several attempts.
        names: What the config calls each solver, by its `id`; those that are parts of others, too.
    """

    suite: Suite
    solvers: Mapping[str, Solver]
    meters: Mapping[str, Meter]
    sandbox: Sandbox
    gateway: Gateway | None
    auditors: Mapping[str, Auditor]
    answerer: Answerer
    reporters: Mapping[str, Reporter]
    distributions: tuple[Distribution, ...]
    selectors: Mapping[str, Selector] = field(factory=dict)
    names: Mapping[int, str] = field(factory=dict)


def build(config: RunConfig) -> Plugins:
    """
    Makes every plugin that `[run]` names, and those that they name in turn; imports no other.

    Raises:
        PluginError: One of them can't be used.
        ConfigError: A table has a key that its plugin doesn't take, or tables name each other in
            a circle.
    """
    builder = Builder(config=config)
    run = config.run
    solvers = [name for name in run.solvers if name not in CONTROL_ARMS]
    # `auto` and `measured` are no plugins: the engine decides among those that they stand for.
    tables = {name: table.plugin for name, table in config.tables.get("meters", {}).items()}
    installed = {found.name for found in builder.installed.of("meter")}
    meters = candidates(run.meters, installed, tables)
    gateway = None if run.gateway is None else builder.asked("gateway", run.gateway)
    plugins = Plugins(
        suite=cast("Suite", builder.asked("suite", run.suite)),
        solvers=cast("Mapping[str, Solver]", builder.all("solver", solvers)),
        meters=cast("Mapping[str, Meter]", builder.all("meter", meters)),
        sandbox=cast("Sandbox", builder.asked("sandbox", run.sandbox)),
        gateway=cast("Gateway | None", gateway),
        auditors=cast("Mapping[str, Auditor]", builder.all("auditor", run.auditors)),
        answerer=cast("Answerer", builder.asked("answerer", run.answerer)),
        reporters=cast("Mapping[str, Reporter]", builder.all("reporter", run.reporters)),
        selectors=cast("Mapping[str, Selector]", builder.all("selector", run.selectors)),
        distributions=builder.distributions,
        names=builder.names("solvers"),
    )
    builder.refuse_unused_settings()
    return plugins


@define(kw_only=True)
class Builder:
    """
    Makes plugins from a config's tables, each table once.

    Attributes:
        config: Where the tables are.
        installed: What can be loaded.
    """

    config: RunConfig
    installed: Installed = field(factory=scan)
    _made: dict[tuple[str, str], object] = field(factory=dict, init=False)
    _under_way: list[tuple[str, str]] = field(factory=list, init=False)
    _used: list[Found] = field(factory=list, init=False)

    def all(self, kind: str, names: Iterable[str]) -> Mapping[str, object]:
        """Makes several plugins that `[run]` lists under the plural of their kind."""
        where = self.config.asked_in(KINDS[kind].plural)
        return {name: self.make(kind, name, asked_in=where) for name in names}

    def asked(self, kind: str, name: str) -> object:
        """Makes the plugin that `[run]` names under the noun of its kind."""
        return self.make(kind, name, asked_in=self.config.asked_in(kind))

    def make(self, kind: str, name: str, *, asked_in: str) -> object:
        """
        Makes the plugin of a table; of the plugin's defaults, where there is no such table.

        Args:
            kind: The noun of its kind.
            name: The table's name.
            asked_in: Who wants it, for the error.

        Raises:
            PluginError: It can't be used.
            ConfigError: Its table can't be used.
        """
        here = (KINDS[kind].plural, name)
        if here in self._under_way:
            raise self._circle(here)
        if here not in self._made:
            self._under_way.append(here)
            try:
                self._made[here] = self._make(kind, self.config.table(*here), asked_in)
            finally:
                self._under_way.pop()
        return self._made[here]

    def _make(self, kind: str, table: Table, asked_in: str) -> object:
        source = (table.source or self.config.source) if table.written else asked_in
        cls = load(
            kind,
            table.plugin,
            asked_in=f"{source}, table {table.heading}" if table.written else asked_in,
            in_table=table.written,
            tables=() if table.written else self._meant(kind),
            installed=self.installed,
        )
        found = next(each for each in self.installed.of(kind) if each.name == table.plugin)
        self._used.append(found)

        def resolve(protocol: type, name: str, key: str) -> object:
            return self._part(protocol, name, f"{source}, {table.heading} {key}")

        try:
            return structure(
                cls,
                table.fields,
                where=table.heading,
                base=table.bases,
                source=source,
                resolve=resolve,
            )
        except FairtrialError:
            raise
        except (Exception, SystemExit) as error:
            raise unbuildable(found, table.heading, source, error) from error

    def _meant(self, kind: str) -> tuple[str, ...]:
        """Names that may have been meant; a part of another plugin can't be a control arm."""
        arms = CONTROL_ARMS if kind == "solver" and len(self._under_way) == 1 else ()
        return (*self.config.tables.get(KINDS[kind].plural, {}), *arms)

    def _part(self, protocol: type, name: str, asked_in: str) -> object:
        """Makes the plugin that a field typed with an interface names."""
        kind = kind_of(protocol)
        if kind is None:  # pragma: no cover - `check` has refused such a plugin
            raise LookupError(protocol)
        if kind.noun == "solver" and name in CONTROL_ARMS:
            raise ConfigError(
                problem=f"“{name}” can't be a part of another solver",
                facts=(
                    ("asked for in", asked_in),
                    ("because", "it is a control arm of the engine, which no solver may call"),
                ),
                way_on="name a solver there",
            )
        return self.make(kind.noun, name, asked_in=asked_in)

    def _circle(self, again: tuple[str, str]) -> ConfigError:
        way = [*self._under_way[self._under_way.index(again) :], again]
        mixed = len({plural for plural, _ in way}) > 1
        names = [f"[{plural}.{name}]" if mixed else f"“{name}”" for plural, name in way]
        tables = [self.config.table(*each).source or self.config.source for each in way[:-1]]
        return ConfigError(
            problem=f"these {'tables' if mixed else again[0]} name each other in a circle: "
            + " → ".join(names),
            facts=(("written in", ", ".join(dict.fromkeys(tables))),),
            way_on="let one of them name another plugin",
        )

    def refuse_unused_settings(self) -> None:
        """
        Refuses a table that `--set` alone has begun and nothing that was made uses.

        A file may hold tables for other runs; what is set for this one is meant for it.

        Raises:
            ConfigError: There is one.
        """
        for plural, tables in self.config.tables.items():
            for name, table in tables.items():
                labels = {origin.label for origin in table.origins.values()}
                if labels == {SET} and (plural, name) not in self._made:
                    raise self._unused(table)

    def _unused(self, table: Table) -> ConfigError:
        made = [name for plural, name in self._made if plural == table.kind]
        near = nearest(table.name, made)
        return ConfigError(
            problem=f"nothing in this run uses {table.heading}",
            facts=(
                ("written in", SET),
                ("used", ", ".join(made) or "none"),
                *((("nearest", near),) if near else ()),
            ),
            way_on="correct the name there, or name the table in [run]",
        )

    def names(self, plural: str) -> Mapping[int, str]:
        """Returns what the config calls each plugin of a kind, by its `id`."""
        return {id(made): name for (kind, name), made in self._made.items() if kind == plural}

    @property
    def distributions(self) -> tuple[Distribution, ...]:
        """The core's distribution, and those of all plugins made so far."""
        core = Distribution(name="fairtrial-core", version=metadata.version("fairtrial-core"))
        used = {
            Distribution(name=found.distribution, version=found.version) for found in self._used
        }
        return tuple(sorted({core, *used}, key=lambda each: (each.name, each.version)))
