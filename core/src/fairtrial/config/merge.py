"""Several sources made one: tables are merged key by key, and a later source wins."""

from collections.abc import Mapping

from attrs import define, field

from fairtrial.config.schema import Origin

Place = tuple[str, ...]


@define(kw_only=True)
class Merged:
    """
    Plain data, with where each value came from.

    Attributes:
        data: All sources, merged.
        origins: For each value that is no table, and each empty table, its place and its source;
            what was written last stands last.
    """

    data: dict[str, object] = field(factory=dict)
    origins: dict[Place, Origin] = field(factory=dict)

    def add(self, tables: Mapping[str, object], origin: Origin) -> None:
        """Lays a source over those that were added before."""
        self._lay(self.data, tables, origin, ())

    def _lay(
        self,
        below: dict[str, object],
        above: Mapping[str, object],
        origin: Origin,
        place: Place,
    ) -> None:
        for key, value in above.items():
            here = (*place, key)
            if isinstance(value, Mapping) and value:
                inner = below.get(key)
                if not isinstance(inner, dict):
                    self._forget(here)
                    inner = below[key] = {}
                self._lay(inner, value, origin, here)
                continue
            if not (isinstance(value, Mapping) and isinstance(below.get(key), dict)):
                below[key] = dict(value) if isinstance(value, Mapping) else value
                self._forget(here)
            self.origins[here] = origin

    def _forget(self, place: Place) -> None:
        """Drops the origins of a value that is being replaced, and of all that was in it."""
        for known in [each for each in self.origins if each[: len(place)] == place]:
            del self.origins[known]

    def all_in(self, *table: str) -> dict[Place, Origin]:
        """Returns everyone who wrote a part of a table, or the table itself."""
        depth = len(table)
        return {place: by for place, by in self.origins.items() if place[:depth] == table}

    def origins_in(self, *table: str) -> dict[str, Origin]:
        """Returns, for each key of a table, who wrote it last."""
        depth = len(table)
        return {
            place[depth]: origin
            for place, origin in self.all_in(*table).items()
            if len(place) > depth
        }
