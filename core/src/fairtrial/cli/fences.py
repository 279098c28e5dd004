"""What fences are made of on this machine, tried for real where that costs milliseconds."""

import os
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from fairtrial.builtin.auto import chosen
from fairtrial.cli.health import Health

_NAMESPACES = (
    ("sys/kernel/unprivileged_userns_clone", "1"),
    ("sys/kernel/apparmor_restrict_unprivileged_userns", "0"),
)
"""Files of /proc, and what stands in them where any user may make a namespace."""

_PING = b"GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n"
_PING_S = 2.0
_UNIX = "unix://"


def fences(proc: Path = Path("/proc")) -> Iterator[Health]:
    """
    Looks for what keeps attempts in.

    Args:
        proc: Where the kernel shows its settings.
    """
    bwrap = shutil.which("bwrap")
    yield Health(
        group="sandbox",
        name="bwrap",
        here=bwrap is not None,
        found=bwrap or "not found on PATH",
        weaker="attempts are kept apart but not fenced in: they can read what you can",
        way_on="apt-get install bubblewrap (dnf, pacman and zypper call it so too)",
    )
    yield _namespaces(proc)
    strong, why_not = chosen()
    yield Health(
        group="sandbox",
        name="a fence",
        here=strong is not None,
        found=why_not or "a program ran behind one",
        weaker='sandbox = "auto" falls back to local, network = "none" is not kept, and a run'
        " with require_fence stops",
        way_on="see to bwrap and to user namespaces, or use the sandbox docker",
    )
    yield _user(fenced=strong is not None)
    yield _engine(os.environ)


def _namespaces(proc: Path) -> Health:
    setting, because = _no_namespaces(proc)
    superuser = os.geteuid() == 0
    found = "may be made by any user"
    if because:
        found = f"{because}; not needed by the superuser" if superuser else because
    return Health(
        group="sandbox",
        name="user namespaces",
        here=not because,
        found=found,
        weaker="bwrap can't fence in what ordinary users run",
        way_on=f"sysctl -w {setting}" if setting else "use a kernel that has them",
    )


def _user(*, fenced: bool) -> Health:
    superuser = os.geteuid() == 0
    return Health(
        group="sandbox",
        name="user",
        here=not superuser or fenced,
        found="the superuser; behind a fence, programs are another user"
        if superuser and fenced
        else "the superuser"
        if superuser
        else f"an ordinary user ({os.geteuid()})",
        weaker="without a fence, attempts have the superuser's rights over this machine",
        way_on="run as an ordinary user, or get a fence",
    )


def _engine(environment: Mapping[str, str]) -> Health:
    program = shutil.which("docker") or shutil.which("podman")
    place = _socket(environment)
    because = "neither docker nor podman is on PATH" if program is None else ""
    because = because or _no_engine(place)
    return Health(
        group="sandbox",
        name="docker",
        here=not because,
        found=because or f"{program}, {place}",
        weaker="the sandbox docker, and suites whose tasks are container images, can't be used",
        way_on="apt-get install docker.io"
        if program is None
        else "systemctl start docker; usermod -aG docker USER lets an ordinary user use it",
    )


def _socket(environment: Mapping[str, str]) -> Path:
    """Returns where an engine listens: what DOCKER_HOST says, or the first usual place there is."""
    named = environment.get("DOCKER_HOST", "")
    if named.startswith(_UNIX):
        return Path(named.removeprefix(_UNIX))
    own = Path(environment.get("XDG_RUNTIME_DIR", "/nowhere"))
    usual = (Path("/var/run/docker.sock"), own / "docker.sock", own / "podman" / "podman.sock")
    return next((place for place in usual if place.exists()), usual[0])


def _no_engine(place: Path) -> str:
    """Says why no engine answers at a socket; empty where one does."""
    if not place.exists():
        return f"no socket at {place}"
    try:
        with socket.socket(socket.AF_UNIX) as wire:
            wire.settimeout(_PING_S)
            wire.connect(str(place))
            wire.sendall(_PING)
            answer = wire.recv(4096)
    except OSError as error:
        return f"{place} can't be used: {error.strerror or 'it does not answer'}"
    # docker and podman both say which version of the interface they speak.
    engine = answer.startswith(b"HTTP/1.") and b"api-version:" in answer.lower()
    return "" if engine else f"what listens at {place} is no container engine"


def _no_namespaces(proc: Path) -> tuple[str, str]:
    """Returns the setting to make and why none can be made; two empty texts where they can."""
    for name, wanted in _NAMESPACES:
        with suppress(OSError, ValueError):
            value = (proc / name).read_text(encoding="ascii").strip()
            if value != wanted:
                return f"{_as_setting(name)}={wanted}", f"/proc/{name} is {value}"
    most = "sys/user/max_user_namespaces"
    try:
        value = (proc / most).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return "", "this kernel has none, as far as can be told"
    return (f"{_as_setting(most)}=15000", f"/proc/{most} is 0") if value == "0" else ("", "")


def _as_setting(name: str) -> str:
    return name.removeprefix("sys/").replace("/", ".")
