"""
The wall between plugins and the core, as a contract for import-linter.

The kind of a plugin is read from its package's name, so that the wall holds for a new plugin
without a line of configuration.
"""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

CORE = "fairtrial"


class PluginWall(Contract):
    """
    A plugin imports the public interface, the rooms open to its kind, and nothing else of ours.

    Options:
        open_to_all: Rooms of the core that every plugin may enter.
        rooms: Entries `<kind>: <room>` for those that only one kind may.
    """

    type_name = "plugin_wall"

    open_to_all = fields.SetField(subfield=fields.StringField())
    rooms = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Finds the imports that go through the wall."""
        through = [
            f"{importer} -> {imported}"
            for importer in sorted(graph.modules)
            if importer.startswith(f"{CORE}_")
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self._allowed(importer, imported)
        ]
        return ContractCheck(kept=not through, metadata={"through": through})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Names each import that goes through the wall."""
        for line in check.metadata["through"]:
            output.print_error(f"- {line}")

    def _allowed(self, importer: str, imported: str) -> bool:
        package, (root, *path) = importer.split(".", maxsplit=1)[0], imported.split(".")
        if root != CORE:
            return root == package or not root.startswith(f"{CORE}_")
        kind = package.removeprefix(f"{CORE}_").split("_")[0]
        entries = (str(entry).split(":") for entry in self.rooms)  # type: ignore[attr-defined]    # a descriptor
        mine = {room.strip() for owner, room in entries if owner.strip() == kind}
        return bool(path) and path[0] in mine | set(self.open_to_all)  # type: ignore[call-overload]    # a descriptor
