"""
Adds a plugin to this repository: `uv run python scripts/new_plugin.py KIND NAME`.

Writes plugins/<kinds>/<name>, and says which lines of the root's pyproject.toml are still to be
written by hand. Outside of this repository, `fairtrial plugins new KIND NAME` does the same.
"""

import sys
from pathlib import Path

from fairtrial.api import FairtrialError
from fairtrial.conformance.skeleton import new_plugin
from fairtrial.registry import KINDS

ROOT = Path(__file__).parents[1]


def main(arguments: list[str]) -> int:
    """Writes the folder; returns the exit code."""
    if len(arguments) != 2:  # noqa: PLR2004  # KIND and NAME
        print(__doc__, file=sys.stderr)
        return 2
    kind, name = arguments
    plural = KINDS[kind].plural if kind in KINDS else kind
    try:
        written = new_plugin(kind, name, ROOT / "plugins" / plural / name)
    except FairtrialError as error:
        print(f"error: {error.problem}\n\n  {error.way_on}", file=sys.stderr)
        return error.exit_code
    for path in written:
        print(path.relative_to(ROOT))
    distribution = f"fairtrial-{kind}-{name}"
    print(f"\nnow add to pyproject.toml\n  {distribution} = {{ workspace = true }}")
    print(
        f"  “{distribution.replace('-', '_')}” to root_packages of import-linter\nand run uv sync"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
