"""The sandbox `docker`: each program in a container of its own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, cast

from attrs import evolve, field, frozen
from attrs.validators import ge, gt, min_len, optional
from fairtrial.api import Fence, MachineError, Network, Sandbox, SandboxDied, Workspace
from fairtrial.processes.person import person
from fairtrial.processes.places import Places, private_places
from fairtrial.processes.relay import MODEL_URL, MODEL_URL_NAME
from fairtrial.processes.surroundings import FIXED

from fairtrial_sandbox_docker.container import HOME, TMP, Recipe
from fairtrial_sandbox_docker.engine import Engine, complaint, found
from fairtrial_sandbox_docker.workspace import DockerWorkspace, Layout

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_LEAST_MEMORY_MB = 16


@frozen(kw_only=True)
class DockerSandbox:
    """
    Runs programs in containers of docker or podman, one container a program.

    They see the image, read-only, the workspace as `/work`, and what the fence names. They have
    no rights of the superuser's, and no network but what the fence allows.
    """

    image: str = field(validator=min_len(1))
    """The image; it must hold `/bin/sh` and whatever the tasks and agents need."""

    program: str = ""
    """The engine's command line: `docker` or `podman`; by default the first one installed."""

    socket: Path | None = None
    """Where the engine listens; by default where its command line looks."""

    pull: Literal["never", "missing"] = "never"
    """Whether to fetch the image where it is missing."""

    network: str = "bridge"
    """The engine's network that stands for `open`."""

    python: str = "python3"
    """The interpreter in the image that relays to the model, for `model-only`."""

    memory_mb: int | None = field(default=None, validator=optional(ge(_LEAST_MEMORY_MB)))
    """Most memory of one program with all that it starts, in MiB; a fence may ask for less."""

    processes: int = field(default=4096, validator=ge(16))
    """Most processes of one program; a fence may ask for less."""

    file_mb: int | None = field(default=None, validator=optional(gt(0)))
    """Longest file that a program may write, in MiB; a fence's `disk_mb` may ask for less."""

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        """
        Opens an empty workspace; leaving it kills what runs there and removes the directory.

        Raises:
            MachineError: There is no engine, or it lacks the image.
        """
        engine = found(self.program, self.socket)
        path = self._path_of_image(engine)
        with private_places() as places:
            recipe = self._recipe(engine, fence, places)
            workspace = DockerWorkspace(
                Layout(
                    recipe=recipe,
                    label=label,
                    environment=_environment(fence, path, recipe),
                    enforced=_enforced(recipe),
                )
            )
            try:
                yield workspace
            finally:
                # A sandbox that died was told to whoever asked for the program's end.
                with suppress(SandboxDied):
                    workspace.settle()

    def _path_of_image(self, engine: Engine) -> str:
        known = engine.image(self.image)
        if not known and self.pull == "missing":
            done = engine.call("pull", self.image)
            known = engine.image(self.image)
            said = complaint(done)
        else:
            said = "no such image"
        if not known:
            raise MachineError(
                problem=f"the container engine has no image “{self.image}”",
                facts=(("engine", engine.program), ("it said", said)),
                way_on=f"`{Path(engine.program).name} pull {self.image}`, or pull = “missing”",
            )
        config = cast("dict[str, list[str] | None]", known.get("Config") or {})
        variables = dict(each.split("=", 1) for each in config.get("Env") or () if "=" in each)
        return variables.get("PATH") or _PATH

    def _recipe(self, engine: Engine, fence: Fence, places: Places) -> Recipe:
        who = person()
        model = fence.model_socket if fence.network is Network.MODEL_ONLY else None
        if model is not None and who.dropped:
            os.chown(model, who.uid, -1, follow_symlinks=False)
        return Recipe(
            engine=engine,
            image=self.image,
            places=places,
            person=who,
            fence=_absolute(fence),
            model_socket=model,
            network=self.network,
            memory_mb=_least(self.memory_mb, fence.memory_mb),
            processes=min(self.processes, fence.processes or self.processes),
            file_mb=_least(self.file_mb, fence.disk_mb),
            python=self.python,
        )


def _absolute(fence: Fence) -> Fence:
    def whole(places: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple(place.absolute() for place in places)

    return evolve(
        fence,
        readable=whole(fence.readable),
        writable=whole(fence.writable),
        hidden=whole(fence.hidden),
        path=whole(fence.path),
    )


def _environment(fence: Fence, path: str, recipe: Recipe) -> dict[str, str]:
    found = {**FIXED, "HOME": HOME, "TMPDIR": TMP, **fence.variables}
    if recipe.model_socket is not None:
        found[MODEL_URL_NAME] = MODEL_URL
    before = [str(place) for place in recipe.fence.path]
    return {**found, "PATH": ":".join([*before, fence.variables.get("PATH") or path])}


def _enforced(recipe: Recipe) -> dict[str, str]:
    memory, file = recipe.memory_mb, recipe.file_mb
    return {
        "sandbox": "podman" if recipe.engine.podman else "docker",
        "network": recipe.fence.network.value,
        "filesystem": "image",
        "processes": "container",
        "privileges": "dropped" if recipe.person.dropped else "caller",
        "programs": "read-only",
        "memory": "none" if memory is None else f"program:{memory}",
        "pids": str(recipe.processes),
        "file": "none" if file is None else str(file),
        "image": recipe.image,
    }


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


_: type[Sandbox] = DockerSandbox
