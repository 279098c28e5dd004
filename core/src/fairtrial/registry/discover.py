"""What is installed, read from the metadata of distributions; nothing is imported."""

import re
from collections.abc import Iterator, Mapping
from email.parser import HeaderParser
from importlib import metadata

from attrs import frozen

from fairtrial.registry.kinds import KINDS

_OURS = "fairtrial."


@frozen(kw_only=True)
class Found:
    """
    A plugin that some distribution says it provides.

    Attributes:
        kind: The noun of its kind.
        name: The name under which a config asks for it.
        distribution: The distribution's name; its directory's where its metadata is gone.
        version: The distribution's version; empty where its metadata is gone.
        entry_point: What would load it.
    """

    kind: str
    name: str
    distribution: str
    version: str
    entry_point: metadata.EntryPoint

    @property
    def provider(self) -> str:
        """The distribution and its version."""
        return f"{self.distribution} {self.version or '(its metadata is missing)'}"

    @property
    def place(self) -> str:
        """The distribution, and where in it the plugin is."""
        return f"{self.provider} → {self.entry_point.value}"


@frozen(kw_only=True)
class Damaged:
    """
    An installed distribution of which nothing can be said.

    Attributes:
        distribution: Its name, as far as one can be made out.
        because: What is wrong with it.
    """

    distribution: str
    because: str


@frozen(kw_only=True)
class Installed:
    """Everything that was found in one look, in a fixed order."""

    plugins: tuple[Found, ...]
    damaged: tuple[Damaged, ...] = ()

    def of(self, kind: str) -> tuple[Found, ...]:
        """Returns the plugins of one kind, by name."""
        return tuple(found for found in self.plugins if found.kind == kind)


def scan() -> Installed:
    """
    Looks at every installed distribution, afresh each time.

    One that is damaged does not hide the others, which `importlib.metadata.entry_points` would.
    """
    plugins: list[Found] = []
    damaged: list[Damaged] = []
    seen: set[str] = set()
    for distribution in metadata.distributions():
        try:
            text = distribution.read_text("entry_points.txt") or ""
            here = list(_plugins_of(distribution)) if _OURS in text else []
        except (ValueError, TypeError, AttributeError, OSError) as error:
            damaged.append(Damaged(distribution=_folder(distribution), because=_why(error)))
            continue
        # The first one on the path is the one that an import would find.
        if here and (name := _normal(here[0].distribution)) not in seen:
            seen.add(name)
            plugins.extend(here)
    plugins.sort(key=lambda found: (found.kind, found.name, found.distribution))
    damaged.sort(key=lambda each: each.distribution)
    return Installed(plugins=tuple(plugins), damaged=tuple(damaged))


def _plugins_of(distribution: metadata.Distribution) -> Iterator[Found]:
    groups = {kind.group: noun for noun, kind in KINDS.items()}
    about = _about(distribution)
    name = about.get("Name") or _folder(distribution)
    version = about.get("Version", "")
    for entry_point in distribution.entry_points:
        if entry_point.group in groups:
            yield Found(
                kind=groups[entry_point.group],
                name=entry_point.name,
                distribution=name,
                version=version,
                entry_point=entry_point,
            )


def _about(distribution: metadata.Distribution) -> Mapping[str, str]:
    """Returns the fields of the metadata; nothing where its file is gone."""
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO")
    # The long description below takes most of the time to parse, and nobody asks for it.
    return HeaderParser().parsestr(text.partition("\n\n")[0]) if text else {}  # type: ignore[return-value]  # a message is one


def _folder(distribution: metadata.Distribution) -> str:
    """Names a distribution by its directory, which is all there is when its metadata is not."""
    path = getattr(distribution, "_path", None)
    return getattr(path, "name", "an unnamed distribution")


def _normal(name: str) -> str:
    """Makes `A.b-c` and `a-b_c` one name, as PEP 503 does."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "its entry_points.txt is not UTF-8 text"
    return "its entry_points.txt can't be read"
