"""How an agent's program is started, as values."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from attrs import field, frozen


@frozen(kw_only=True)
class Tool:
    """
    What is always so for one agent's program.

    Attributes:
        name: The plugin's name.
        program: What it is called on PATH.
        package: What has to be installed for it, as its maker calls that.
        keys: Variables that hold its key; one of them is enough.
        addresses: Variables that name its model's address; a gateway sets them.
        oldest: The oldest version whose output is known.
        sessions: Globs of its own session files, relative to its home; they are kept.
    """

    name: str
    program: str
    package: str
    keys: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    oldest: tuple[int, ...] = ()
    sessions: tuple[str, ...] = ()


@frozen(kw_only=True)
class Place:
    """
    Where one attempt's program finds its things.

    Attributes:
        home: Its private home directory; empty at first.
        inside: The workspace, as the program sees it.
        env: What it gets besides the sandbox's own environment: the gateway's addresses, keys,
            and the config's `env`.
    """

    home: Path
    inside: PurePosixPath
    env: Mapping[str, str] = field(repr=False)


@frozen(kw_only=True)
class Launch:
    """
    One start of the program.

    Attributes:
        argv: Its arguments, the program left out.
        env: Variables for it, besides `Place.env`.
        stdin: What it reads; then its stdin is closed.
        talks: Whether its stdin stays open, for answers, until it is done.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(factory=dict)
    stdin: bytes = b""
    talks: bool = False
