"""
Writes a new plugin: the skeleton of its kind, renamed, with its packaging and its tests.

What is written is a whole distribution, as a stranger would publish it: it installs, it keeps
every promise of its kind's kit, and it is ready to be made into something of its own.
"""

import keyword
import re
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from attrs import frozen

from fairtrial.api import ConfigError, RunError, Unwritable
from fairtrial.registry import KINDS

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

PYPROJECT = """\
[build-system]
requires = ["uv_build>=0.9"]
build-backend = "uv_build"

[project]
name = "{distribution}"
version = "0.1.0"
description = "{description}"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["attrs>=24.2", "fairtrial-core{bound}"]

[dependency-groups]
dev = ["fairtrial-core[conformance]"]

[project.entry-points."{group}"]
{name} = "{package}:{cls}"
"""

README = """\
# {distribution}

{description}.

Install it beside fairtrial with `pip install -e .` (`uv pip install -e .` in an environment that uv
made), and name it in a run config:

```toml
[run]
{used}

[{plural}.{name}]    # its keys, if any; a table alone uses nothing
plugin = "{name}"
```

Its keys: `fairtrial plugins show {name}`. Its promises: `fairtrial plugins check {name}`.
"""

SEVERAL = ("solver", "meter", "auditor", "reporter", "selector")
"""Kinds of which a run takes a list."""

TEST = """\
{imports}

class Test{camel}({kit}):
    entry_point = "{name}"

    @pytest.fixture
    def {kind}(self) -> {cls}:
        return {cls}(){more}
"""

# What a kit needs to know beyond the plugin, for those skeletons that have something to tell.
MORE = {
    "auditor": """

    def planted(self) -> Mapping[str, Evidence]:
        call = ToolCall(tool_call_id="1", name="Bash", input={"command": "git log -p"})
        return {"reads-history": evidence(events=(call,))}""",
    "meter": """

    def host(self, directory: Path) -> Host:
        host = FakeHost.below(directory)
        host.put("sys/class/hwmon/hwmon0/energy1_input", "123456\\n")
        return host""",
    "solver": """

    def stuck(self, solver: Solver) -> Solver:
        return {cls}(argv=("sleep", "20"))""",
}
IMPORTS = {
    "auditor": (
        "from collections.abc import Mapping\n",
        "from fairtrial.api import Evidence, ToolCall",
        "from fairtrial.conformance.auditor import evidence",
    ),
    "meter": (
        "from pathlib import Path\n",
        "from fairtrial.api import Host",
        "from fairtrial.conformance.fakes import FakeHost",
    ),
    "solver": ("", "from fairtrial.api import Solver", ""),
}


@frozen(kw_only=True)
class Names:
    """
    All that a new plugin is called, from its kind and its name.

    Attributes:
        kind: The noun of its kind.
        name: What a config calls it: lower case, words joined by `-`.
    """

    kind: str
    name: str

    @property
    def camel(self) -> str:
        """The name as a class has it."""
        return "".join(word.capitalize() for word in self.name.split("-"))

    @property
    def cls(self) -> str:
        """The plugin's class."""
        return f"{self.camel}{self.kind.capitalize()}"

    @property
    def distribution(self) -> str:
        """What is installed."""
        return f"fairtrial-{self.kind}-{self.name}"

    @property
    def package(self) -> str:
        """What is imported."""
        return self.distribution.replace("-", "_")

    @property
    def kit(self) -> str:
        """The kit of its kind."""
        return f"{self.kind.capitalize()}Conformance"


def new_plugin(kind: str, name: str, directory: Path | None = None) -> tuple[Path, ...]:
    """
    Writes a new plugin's distribution and returns its files.

    Args:
        kind: The noun of its kind, such as `solver`.
        name: What a config will call it.
        directory: Where; by default a new one here, called after the distribution.

    Raises:
        ConfigError: There is no such kind, or the name can't be used.
        RunError: The directory holds something already.
        Unwritable: It can't be written.
    """
    texts = plugin_files(kind, name)
    place = Path(f"fairtrial-{kind}-{name}") if directory is None else directory
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise RunError(
            problem=f"“{place}” is there already",
            way_on="choose another place with --dir; nothing was written",
        )
    try:
        for path, text in texts.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Unwritable(
            problem=f"“{place}” can't be written",
            facts=(("because", str(error.strerror)),),
            way_on="choose another place with --dir",
        ) from error
    return tuple(place / path for path in texts)


def plugin_files(kind: str, name: str) -> Mapping[str, str]:
    """
    Returns a new plugin's files, by their path in its distribution.

    Raises:
        ConfigError: There is no such kind, or the name can't be used.
    """
    names = _checked(kind, name)
    module = module_text(kind, name)
    parts = {
        "bound": _bound(),
        "camel": names.camel,
        "cls": names.cls,
        "description": module.splitlines()[0].strip('".'),
        "distribution": names.distribution,
        "group": KINDS[kind].group,
        "imports": _imports(names),
        "kind": kind,
        "kit": names.kit,
        "more": MORE.get(kind, "").replace("{cls}", names.cls),
        "name": name,
        "package": names.package,
        "plural": KINDS[kind].plural,
        "used": f'{KINDS[kind].plural} = ["{name}"]' if kind in SEVERAL else f'{kind} = "{name}"',
    }
    return {
        "pyproject.toml": PYPROJECT.format(**parts),
        "README.md": README.format(**parts),
        f"src/{names.package}/__init__.py": module,
        f"src/{names.package}/py.typed": "",
        "tests/test_conformance.py": TEST.format(**parts),
    }


def module_text(kind: str, name: str) -> str:
    """Returns the skeleton of a kind under a new name."""
    names = _checked(kind, name)
    text = (files("fairtrial.conformance.skeletons") / f"{kind}.py").read_text(encoding="utf-8")
    return text.replace("Echo", names.camel).replace('"echo"', f'"{name}"')


def _bound() -> str:
    """Returns the versions of the core that keep the promises of this one's kits."""
    major, minor, *_ = version("fairtrial-core").split(".")
    return f">={major}.{minor},<{major}.{int(minor) + 1}"


def _checked(kind: str, name: str) -> Names:
    if kind not in KINDS:
        raise ConfigError(
            problem=f"there is no kind of plugin called “{kind}”",
            facts=(("kinds", ", ".join(KINDS)),),
            way_on="use one of these",
        )
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ConfigError(
            problem=f"a plugin can't be called “{name}”",
            way_on="use small letters, digits and single dashes, a letter first; no word of Python's own",
        )
    return Names(kind=kind, name=name)


def _imports(names: Names) -> str:
    standard, api, kit = IMPORTS.get(names.kind, ("", "", ""))
    lines = [
        "import pytest",
        api,
        f"from fairtrial.conformance import {names.kit}",
        kit,
        f"from {names.package} import {names.cls}",
    ]
    top = f"{standard}\n" if standard else ""
    return top + "\n".join(line for line in lines if line) + "\n"
