"""The suite that `fairtrial tasks` looks at: a config's, or a folder's."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from fairtrial.api import Suite
from fairtrial.api.errors import ConfigError
from fairtrial.cli.settings import settings_of
from fairtrial.config import RunConfig, load
from fairtrial.config.files import refuse_endless
from fairtrial.registry import Builder

MANIFESTS = ("tasks.toml", "tasks.json")
"""No run config: what the `folder` suite reads many tasks from."""


def suite_config(
    files: Sequence[Path],
    folder: Path | None,
    only: Sequence[str],
    settings: Sequence[str],
    *,
    only_from: str = "--only",
) -> RunConfig:
    """
    Returns a config that names the suite which the user means.

    Args:
        files: Config files; or in their place one folder of tasks, or its manifest.
        folder: A folder of tasks in one of the forms that the `folder` suite reads; or None.
        only: Ids of tasks, empty for all.
        settings: What `--set` was given.
        only_from: What the user gave these ids by.

    Raises:
        ConfigError: Neither a config nor a folder is named, or what is named can't be read.
    """
    for path in files:
        refuse_endless(path, "name a run config, or a folder of tasks")
    if folder is None and len(files) == 1 and _holds_tasks(files[0]):
        folder = files[0]
        files = ()
    if not files and folder is None:
        raise ConfigError(
            problem="no suite is named",
            way_on="name a run config, or a folder of tasks by --suite-path",
        )
    flags: dict[str, object] = {"only": tuple(only)}
    if folder is not None:
        flags["suite"] = "folder"
        settings = (f"suites.folder.path={json.dumps(str(folder), ensure_ascii=False)}", *settings)
        if not files:
            flags["solvers"] = ("noop",)
    return load(files, settings_of(flags, settings, {"only": only_from}))


def _holds_tasks(path: Path) -> bool:
    return path.is_dir() or (path.name in MANIFESTS and path.exists())


def suite_of(builder: Builder) -> Suite:
    """
    Returns the suite of a config, built; no other plugin is needed to look at tasks.

    Raises:
        FairtrialError: It can't be loaded or built.
    """
    return cast("Suite", builder.asked("suite", builder.config.run.suite))
