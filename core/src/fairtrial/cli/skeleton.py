"""A new plugin's distribution: a small honest plugin under its author's own name."""

import keyword
import re
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from attrs import frozen

from fairtrial.api.errors import ConfigError, RunError
from fairtrial.cli.kinds import refuse_unknown_kind
from fairtrial.registry import KINDS

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

_PROJECT = """\
[build-system]
requires = ["uv_build>=0.9"]
build-backend = "uv_build"

[project]
name = "{distribution}"
version = "0.1.0"
description = "A {kind} for fairtrial: what it does, in one line"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["fairtrial-core{bound}"]

[project.optional-dependencies]
test = ["fairtrial-core[conformance]"]

[project.entry-points."{group}"]
{name} = "{package}:{cls}"
"""

_README = """\
# {distribution}

The {kind} `{name}` for fairtrial. What it does, in a sentence or two.

```toml
[{plural}.{name}]
plugin = "{name}"
```

Its keys: `fairtrial plugins show {name}`. Its promises: `fairtrial plugins check {name}`.
"""

_TEST = """\
import pytest
from fairtrial.conformance import {kit}
from {package} import {cls}


class Test{camel}({kit}):
    entry_point = "{name}"

    @pytest.fixture
    def {kind}(self) -> {cls}:
        return {cls}()
"""


@frozen(kw_only=True)
class Naming:
    """
    All that is called after a plugin's kind and name.

    Attributes:
        kind: The noun of its kind.
        name: Its name in a config.
    """

    kind: str
    name: str

    @property
    def words(self) -> Mapping[str, str]:
        """Every word that the files need."""
        noun, snake = KINDS[self.kind], self.name.replace("-", "_")
        camel = "".join(part.capitalize() for part in self.name.split("-"))
        major, minor, *_ = version("fairtrial-core").split(".")
        return {
            "kind": self.kind,
            "plural": noun.plural,
            "group": noun.group,
            "name": self.name,
            "camel": camel,
            "cls": f"{camel}{self.kind.capitalize()}",
            "kit": f"{self.kind.capitalize()}Conformance",
            "distribution": f"fairtrial-{self.kind}-{self.name}",
            "package": f"fairtrial_{self.kind}_{snake}",
            "bound": f">={major}.{minor},<{major}.{int(minor) + 1}",
        }

    def source(self) -> str:
        """Returns the skeleton of its kind, renamed."""
        text = (files("fairtrial.conformance.skeletons") / f"{self.kind}.py").read_text("utf-8")
        return text.replace("Echo", self.words["camel"]).replace("echo", self.name)


def begin(kind: str, name: str, folder: Path | None) -> tuple[Path, ...]:
    """
    Writes a new plugin's distribution and returns its files.

    Args:
        kind: The noun of its kind.
        name: Its name in a config.
        folder: Where; by default a new folder here, called after the distribution.

    Raises:
        ConfigError: The kind or the name can't be.
        RunError: The folder holds something already, or can't be written.
    """
    refuse_unknown_kind(kind)
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ConfigError(
            problem=f"a plugin can't be called “{name}”",
            way_on="use small letters, digits and single dashes, a letter first",
        )
    naming = Naming(kind=kind, name=name)
    words = naming.words
    place = Path(words["distribution"]) if folder is None else folder
    texts = {
        place / "pyproject.toml": _PROJECT.format_map(words),
        place / "README.md": _README.format_map(words),
        place / "src" / words["package"] / "__init__.py": naming.source(),
        place / "src" / words["package"] / "py.typed": "",
        place / "tests" / "test_conformance.py": _TEST.format_map(words),
    }
    _refuse_full(place)
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(
            problem=f"“{place}” can't be written",
            facts=(("because", str(error.strerror)),),
            way_on="choose another place with --dir",
        ) from error
    return tuple(texts)


def _refuse_full(place: Path) -> None:
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise RunError(
            problem=f"“{place}” is there already",
            way_on="choose another place with --dir; nothing was written",
        )
