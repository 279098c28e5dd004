"""The meters that `fairtrial energy` looks at, set up as a run of the same config would have them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self, cast

from attrs import evolve, field, frozen

from fairtrial.api.errors import ConfigError, FairtrialError, MachineError, PluginError
from fairtrial.api.meter import Host, Meter
from fairtrial.cli.streams import note
from fairtrial.config import RunConfig, load
from fairtrial.energy.auto import AUTO, ESTIMATED, MEASURED_ONLY, Choice, candidates, choose
from fairtrial.registry import Builder

_ASKED_IN = "fairtrial energy"
_NO_IDLE = "do without: only counters have an idle power to measure"
_NO_RUN = {"label": "energy", "suite": "none", "solvers": ["noop"]}
"""What a config must say of a run, and energy doesn't depend on."""


@frozen(kw_only=True)
class MeterSet:
    """
    What a command was told, and what is installed.

    Attributes:
        config: Whose tables set meters up; one without any, where none was named.
        wanted: Names by `--meter`; none for what the config asks for.
    """

    config: RunConfig
    wanted: tuple[str, ...] = ()
    _builder: Builder = field(alias="builder", repr=False)

    @classmethod
    def of(
        cls,
        wanted: Sequence[str] | None,
        files: Sequence[Path] | None,
        settings: Sequence[str] | None,
    ) -> Self:
        """
        Reads the config that a command line names.

        Raises:
            ConfigError: It can't be read, or holds what no run config can hold.
        """
        config = load(files or (), settings or (), beneath=_NO_RUN)
        return cls(config=config, wanted=tuple(wanted or ()), builder=Builder(config=config))

    def all(self) -> tuple[Mapping[str, Meter], Mapping[str, str]]:
        """
        Returns every meter that is installed or has a table; and what can't be had, with the reason.

        Raises:
            FairtrialError: One can't be had that `--meter` or a table names.
        """
        if self.wanted:
            return self._made(self.wanted)
        names = (self._installed - {*self._tables.values()}) | self._tables.keys()
        return self._made(sorted(names))

    def taken(self, meters: Mapping[str, Meter], host: Host) -> tuple[str, ...]:
        """Says what `auto` takes among these, or what stops a run that leaves the choice to it."""
        known = candidates([AUTO], self._installed, self._tables)
        offered = {name: meters[name] for name in known if name in meters}
        try:
            return choose([AUTO], offered, host).notes
        except ConfigError as error:
            return (f"{AUTO}: no run can begin: {error.problem}; {error.way_on}",)

    def chosen(self, host: Host) -> Choice:
        """
        Chooses the meters that a run would read.

        Raises:
            FairtrialError: One can't be had, or has no counter.
        """
        return self._chosen(self.wanted or self.config.run.meters, host)

    def to_calibrate(self, host: Host) -> Choice:
        """
        Chooses the meters of which idle power is measured; an estimate is no way on here.

        Raises:
            FairtrialError: One can't be had, or has no counter.
        """
        run = (MEASURED_ONLY if name == AUTO else name for name in self.config.run.meters)
        asked = self.wanted or tuple(dict.fromkeys(run))
        try:
            return self._chosen(asked, host, otherwise=_NO_IDLE)
        except MachineError as error:
            if asked != (MEASURED_ONLY,):
                raise
            # The word is of the config; who calibrates may have none.
            raise evolve(error, problem="no counter can be read here") from error

    def _chosen(self, asked: Sequence[str], host: Host, *, otherwise: str = ESTIMATED) -> Choice:
        meters, broken = self._made(candidates(asked, self._installed, self._tables))
        for name, why in broken.items():
            note(f"{name}: {why}")
        return choose(asked, meters, host, otherwise=otherwise)

    def _made(self, names: Sequence[str]) -> tuple[dict[str, Meter], dict[str, str]]:
        """Builds meters; what nobody named may be broken."""
        named = {*self.wanted, *self._tables, *self.config.run.meters}
        found: dict[str, Meter] = {}
        broken: dict[str, str] = {}
        for name in names:
            try:
                found[name] = cast("Meter", self._builder.make("meter", name, asked_in=_ASKED_IN))
            except (PluginError, ConfigError) as error:
                if name in named:
                    raise self._closer(name, error) from error
                broken[name] = error.problem
        try:
            self._builder.refuse_unused_settings()
        except ConfigError as error:
            raise evolve(error, way_on="correct the name there, or leave it out") from error
        return found, broken

    def _closer(self, name: str, error: FairtrialError) -> FairtrialError:
        """Returns an error that says where keys can be set of a meter that needs some."""
        if isinstance(error, PluginError) or name in self._tables:
            return error
        return ConfigError(
            problem=error.problem,
            facts=(("asked for in", _ASKED_IN),),
            way_on=f"set it by --set meters.{name}.KEY=VALUE, or name the config that does by -c",
        )

    @property
    def _installed(self) -> set[str]:
        return {found.name for found in self._builder.installed.of("meter")}

    @property
    def _tables(self) -> Mapping[str, str]:
        tables = self.config.tables.get("meters", {})
        return {name: table.plugin for name, table in tables.items()}
