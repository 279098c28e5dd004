import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from attrs import evolve, frozen
from fairtrial.api import EndedBy, Fence, Finished, Running, Workspace
from fairtrial.conformance.sandbox import TREE_LIMITS_S
from fairtrial.conformance.skeletons.sandbox import EchoSandbox


@frozen(kw_only=True)
class Spoilt:
    """Passes all on to a workspace; what is wrong is overridden."""

    inner: Workspace

    @property
    def root(self) -> Path:
        return self.inner.root

    @property
    def inside(self) -> PurePosixPath:
        return self.inner.inside

    @property
    def enforced(self) -> Mapping[str, str]:
        return self.inner.enforced

    def run(
        self,
        argv: Sequence[str],
        /,
        *,
        timeout_s: float,
        env: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        cwd: PurePosixPath = PurePosixPath(),
    ) -> Finished:
        return self.inner.run(argv, timeout_s=timeout_s, env=env, stdin=stdin, cwd=cwd)

    def spawn(
        self,
        argv: Sequence[str],
        /,
        *,
        timeout_s: float,
        idle_s: float | None = None,
        env: Mapping[str, str] | None = None,
        log: Path | None = None,
        stdin: bool = False,
    ) -> Running:
        return self.inner.spawn(
            argv, timeout_s=timeout_s, idle_s=idle_s, env=env, log=log, stdin=stdin
        )

    def settle(self) -> None:
        self.inner.settle()


class RestlessWorkspace(Spoilt):
    def settle(self) -> None:
        pass


@frozen(kw_only=True)
class WrongSandbox(EchoSandbox):
    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        with EchoSandbox.open(self, label, fence) as room:
            yield self.spoilt(room)

    def spoilt(self, room: Workspace) -> Workspace:
        return room


class MergingWorkspace(Spoilt):
    def run(self, argv: Sequence[str], /, **how: object) -> Finished:  # type: ignore[override]  # wrong on purpose
        done = self.inner.run(argv, **how)  # type: ignore[arg-type]  # as it came
        both = done.stdout + done.stderr
        return evolve(done, stdout=both, stderr=b"") if b"err" == done.stderr else done


class CutSilentlyWorkspace(Spoilt):
    def run(self, argv: Sequence[str], /, **how: object) -> Finished:  # type: ignore[override]  # wrong on purpose
        return evolve(self.inner.run(argv, **how), truncated=False)  # type: ignore[arg-type]  # as it came


class OpenHandedWorkspace(Spoilt):
    def run(self, argv: Sequence[str], /, **how: object) -> Finished:  # type: ignore[override]  # wrong on purpose
        given = how.pop("env", None) or {}
        decoy = {name: value for name, value in os.environ.items() if name.startswith("FAIR")}
        return self.inner.run(argv, env={**decoy, **given}, **how)  # type: ignore[arg-type,dict-item]  # as it came


class ForgetfulWorkspace(Spoilt):
    """Counts what a program itself used, and nothing of what it started."""

    def cpu_us(self) -> int | None:
        return 0


class BoastfulWorkspace(Spoilt):
    @property
    def enforced(self) -> Mapping[str, str]:
        return {**self.inner.enforced, "network": "none"}


class LeavingWorkspace(Spoilt):
    """Ends only the program itself at a limit, as `subprocess.run` does."""

    def run(self, argv: Sequence[str], /, **how: object) -> Finished:  # type: ignore[override]  # wrong on purpose
        if how["timeout_s"] not in TREE_LIMITS_S:
            return self.inner.run(argv, **how)  # type: ignore[arg-type]  # as it came
        with tempfile.TemporaryFile() as out:
            child = subprocess.Popen(argv, stdout=out, stderr=out, cwd=self.root)
            try:
                child.wait(float(str(how["timeout_s"])))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            out.seek(0)
            return Finished(code=None, ended_by=EndedBy.TIMEOUT, stdout=out.read())


@frozen(kw_only=True)
class MergingSandbox(WrongSandbox):
    def spoilt(self, room: Workspace) -> Workspace:
        return MergingWorkspace(inner=room)


@frozen(kw_only=True)
class CutSilentlySandbox(WrongSandbox):
    def spoilt(self, room: Workspace) -> Workspace:
        return CutSilentlyWorkspace(inner=room)


@frozen(kw_only=True)
class OpenHandedSandbox(WrongSandbox):
    def spoilt(self, room: Workspace) -> Workspace:
        return OpenHandedWorkspace(inner=room)


@frozen(kw_only=True)
class ForgetfulSandbox(WrongSandbox):
    def spoilt(self, room: Workspace) -> Workspace:
        return ForgetfulWorkspace(inner=room)


@frozen(kw_only=True)
class BoastfulSandbox(WrongSandbox):
    def spoilt(self, room: Workspace) -> Workspace:
        return BoastfulWorkspace(inner=room)


@frozen(kw_only=True)
class LeavingSandbox(WrongSandbox):
    def spoilt(self, room: Workspace) -> Workspace:
        return LeavingWorkspace(inner=room)


@frozen(kw_only=True)
class ObedientSandbox(EchoSandbox):
    """Opens whatever is required, though it keeps nothing."""

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        with EchoSandbox.open(self, label, evolve(fence, required=False)) as room:
            yield room


@frozen(kw_only=True)
class RestlessSandbox(WrongSandbox):
    def spoilt(self, room: Workspace) -> Workspace:
        return RestlessWorkspace(inner=room)
