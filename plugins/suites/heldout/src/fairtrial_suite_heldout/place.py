"""Where a held-out set may lie: outside the tree that the tasks are developed in, by real paths."""

from pathlib import Path

from fairtrial.api.errors import ConfigError, SuiteError


def worktree(start: Path | None = None) -> Path:
    """Returns the repository around a directory, by default around the current one; else itself."""
    here = (start or Path.cwd()).resolve()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)


def contained(path: Path, root: Path) -> bool:
    """
    Tells whether a path lies in a directory or is it, links resolved as far as there is a path.

    Paths are compared part by part: `/a/bc` is not in `/a/b`.
    """
    return path.resolve().is_relative_to(root.resolve())


def refuse_inside(directory: Path, root: Path) -> None:
    """
    Makes sure that a held-out set lies outside the work tree.

    Raises:
        ConfigError: It lies in it, be it through a link.
    """
    try:
        inside = contained(directory, root)
    except (OSError, RuntimeError) as error:
        raise ConfigError(
            problem=f"“{directory}” can't be followed to a real place",
            facts=(("because", str(error)),),
            way_on="name a directory that is no link",
        ) from error
    if inside:
        raise ConfigError(
            problem=f"the held-out set “{directory}” lies inside the work tree",
            facts=(("work tree", str(root)), ("really at", str(directory.resolve()))),
            way_on="keep it elsewhere: what lies beside the tasks, an agent can come to read",
        )


def refuse_escape(directory: Path, name: str, check: str) -> Path:
    """
    Returns where a check's file really is, inside the set's directory.

    Raises:
        SuiteError: It lies elsewhere.
    """
    path = directory / name
    if not contained(path, directory):
        raise SuiteError(
            problem=f"the held-out check “{check}” escapes from its set",
            facts=(("file", name), ("set", str(directory))),
            way_on="name a file in the set's own directory",
        )
    return path.resolve()
