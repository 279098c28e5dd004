"""The sandbox `bubblewrap`: each program in namespaces of its own."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import evolve, field, frozen
from attrs.validators import ge, gt, optional
from fairtrial.api import Fence, MachineError, Network, Sandbox, SandboxDied, Workspace
from fairtrial.processes import Limits
from fairtrial.processes.job import LEAST_MEMORY_MB
from fairtrial.processes.person import person
from fairtrial.processes.places import Places, private_places
from fairtrial.processes.relay import MODEL_URL, MODEL_URL_NAME
from fairtrial.processes.surroundings import environment

from fairtrial_sandbox_bubblewrap.command import HOME, TMP, Fenced
from fairtrial_sandbox_bubblewrap.memory import Group, limited
from fairtrial_sandbox_bubblewrap.views import views, work_name
from fairtrial_sandbox_bubblewrap.workspace import BubblewrapWorkspace, Layout

_ANYBODY = 0o005
_SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"


@frozen(kw_only=True)
class BubblewrapSandbox:
    """
    Runs programs on this machine, each in namespaces of its own.

    They see the system's directories, read-only, the workspace as `/work`, and what the fence
    names; nothing of the user's home, of other workspaces, or of other processes. They have
    none of the superuser's rights, and no network but what the fence allows.
    """

    readable: tuple[Path, ...] = ()
    """Further directories that programs may read, such as where an agent is installed."""

    memory_mb: int | None = field(default=None, validator=optional(ge(LEAST_MEMORY_MB)))
    """Most memory, in MiB: of all programs together where control groups allow it, else of each
    single process. A fence may ask for less."""

    processes: int = field(default=4096, validator=ge(16))
    """Most processes at once; a fence may ask for less."""

    file_mb: int | None = field(default=None, validator=optional(gt(0)))
    """Longest file that a program may write, in MiB; a fence's `disk_mb` may ask for less."""

    keep: bool = False
    """Whether to leave the directories where they are, for a look at what happened."""

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        """
        Opens an empty workspace; leaving it kills what runs there and removes the directory.

        Raises:
            MachineError: A program is missing, or the fence is required and can't be had.
        """
        bwrap = _program("bwrap", "bubblewrap")
        memory_mb = _least(self.memory_mb, fence.memory_mb)
        with private_places(keep=self.keep) as places, limited(memory_mb) as group:
            if fence.required and fence.memory_mb is not None and group is None:
                raise _no_group(fence.memory_mb)
            workspace = BubblewrapWorkspace(
                self._layout(label, fence, self._fenced(bwrap, fence, places), group)
            )
            try:
                yield workspace
            finally:
                # A sandbox that died was told to whoever asked for the program's end.
                with suppress(SandboxDied):
                    workspace.settle()

    def _fenced(self, bwrap: str, fence: Fence, places: Places) -> Fenced:
        who = person()
        if who.dropped:
            _refuse_unreadable((*self.readable, *fence.readable, *fence.path))
        shown = views(fence, environment(places, fence)["PATH"], self.readable)
        model = fence.model_socket if fence.network is Network.MODEL_ONLY else None
        if model is not None and who.dropped:
            os.chown(model, who.uid, -1, follow_symlinks=False)
        return Fenced(
            bwrap=bwrap,
            setpriv=_program("setpriv", "util-linux") if who.dropped else None,
            prlimit=shutil.which("prlimit", path=_SYSTEM_PATH),
            places=places,
            inside=work_name(shown),
            shown=shown,
            person=who,
            network=fence.network,
            model_socket=model,
            processes=min(self.processes, fence.processes or self.processes),
        )

    def _layout(self, label: str, fence: Fence, fenced: Fenced, group: Group | None) -> Layout:
        memory_mb = _least(self.memory_mb, fence.memory_mb)
        each = None if memory_mb is None or group is not None else max(memory_mb, LEAST_MEMORY_MB)
        file_mb = _least(self.file_mb, fence.disk_mb)
        inside = evolve(fenced.places, home=Path(HOME), tmp=Path(TMP))
        variables = environment(inside, fence)
        if fenced.model_socket is not None:
            variables[MODEL_URL_NAME] = MODEL_URL
        return Layout(
            fenced=fenced,
            label=label,
            environment=variables,
            limits=Limits(memory_mb=each, file_mb=file_mb),
            group=group,
            lent=fence.writable,
            enforced={
                "sandbox": "bubblewrap",
                "network": fence.network.value,
                "filesystem": "listed",
                "processes": "namespace",
                "privileges": "dropped" if fenced.person.dropped else "caller",
                "programs": "read-only",
                "memory": f"all:{memory_mb}"
                if group is not None
                else f"each:{each}"
                if each is not None
                else "none",
                "pids": "none" if fenced.prlimit is None else str(fenced.processes),
                "file": "none" if file_mb is None else str(file_mb),
            },
        )


def _program(name: str, package: str) -> str:
    found = shutil.which(name, path=_SYSTEM_PATH) or shutil.which(name)
    if found is None:
        raise MachineError(
            problem=f"the sandbox “bubblewrap” needs the program “{name}”, which isn't here",
            facts=(("looked in", _SYSTEM_PATH),),
            way_on=f"install {package}, such as by `apt-get install {package}`",
        )
    return found


def _refuse_unreadable(places: Iterable[Path]) -> None:
    """Refuses what the superuser alone may read, since programs are somebody else."""
    for place in places:
        if place.exists() and place.stat().st_mode & _ANYBODY != _ANYBODY:
            raise MachineError(
                problem=f"programs in the sandbox “bubblewrap” can't read “{place}”",
                facts=(("because", "they are another user, and only its owner may read it"),),
                way_on=f"let others read it (chmod -R o+rX {place})",
            )


def _no_group(memory_mb: int) -> MachineError:
    return MachineError(
        problem="the sandbox “bubblewrap” can't keep the fence that is required",
        facts=(
            ("asked for", f"{memory_mb} MiB of memory for all processes together"),
            ("because", "no control group can be made here"),
        ),
        way_on="give this user a part of the control groups, or don't require the fence",
    )


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


_: type[Sandbox] = BubblewrapSandbox
