"""The kit of the kind `sandbox`."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import ClassVar

import psutil

from fairtrial.api import (
    CpuCounted,
    EndedBy,
    Fence,
    Finished,
    MachineError,
    Network,
    Sandbox,
    Workspace,
)
from fairtrial.conformance import programs
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.promise import may_only_raise, promise, same
from fairtrial.conformance.tree import snapshot

TIMEOUT_S = 30.0
SHORT_S = 0.4
TREE_LIMITS_S = (0.8, 4.8, 24.8)
"""Limits of a tree that has to grow first; the longer ones are for a busy machine."""
LATE_S = 10.0
SETTLE_S = 3.0
ORPHAN_US = 90_000
"""CPU time that an orphan of the kit's surely used; it counts to 0.1 s, in the kernel's ticks."""
ALL_BYTES = bytes(range(256))
BIG = 10 * 1024 * 1024
PARTS = ("sandbox", "network", "filesystem", "processes", "privileges", "memory")
DECOY = "FAIRTRIAL_KIT_DECOY"


class SandboxFiles(Conformance):
    """What every sandbox promises of its directory."""

    kind: ClassVar[str] = "sandbox"

    python: ClassVar[str] = sys.executable
    """A Python, as programs inside find it; the kit's own programs run in it."""

    def test_a_workspace_is_empty_and_goes_away(self, sandbox: Sandbox) -> None:
        """It opens on an empty directory, two are apart, and both are gone when they are left."""
        with self.opened(sandbox) as one, self.opened(sandbox) as two:
            same([], list(snapshot(one.root)), "an empty workspace holds")
            promise(one.root != two.root, "two workspaces share a directory")
            roots = (one.root, two.root)
        left = [str(root) for root in roots if root.exists()]
        same([], left, "directories of workspaces that were left")

    def test_all_bytes_go_round(self, sandbox: Sandbox) -> None:
        """Bytes 0–255 come back unchanged through stdin, stdout and a file."""
        with self.opened(sandbox) as room:
            done = self.python_run(room, programs.COPY, stdin=ALL_BYTES)
            same(ALL_BYTES, done.stdout, "bytes 0–255 through stdin and stdout")
            same(ALL_BYTES, (room.root / "copy").read_bytes(), "bytes 0–255 in a file")

    def test_ten_mebibytes_go_round(self, sandbox: Sandbox) -> None:
        """A file of 10 MiB is read and written whole."""
        with self.opened(sandbox) as room:
            (room.root / "big").write_bytes(os.urandom(1024) * (BIG // 1024))
            self.python_run(room, programs.COPY_FILE)
            equal = (room.root / "big").read_bytes() == (room.root / "copy").read_bytes()
        promise(equal, "a file of 10 MiB comes back changed")

    def test_programs_run_in_the_root(self, sandbox: Sandbox) -> None:
        """A program starts in the directory that `inside` names, or in `cwd` below it."""
        with self.opened(sandbox) as room:
            (room.root / "deep").mkdir()
            top = self.python_run(room, programs.WHERE).stdout.decode()
            done = room.run(
                [self.python, "-c", programs.WHERE],
                timeout_s=TIMEOUT_S,
                cwd=PurePosixPath("deep"),
            )
            same(os.path.realpath(room.inside), os.path.realpath(top), "where a program starts")
            same(f"{top}/deep", done.stdout.decode(), "where a program with a `cwd` starts")

    def test_a_link_out_is_not_followed_at_the_end(self, sandbox: Sandbox, tmp_path: Path) -> None:
        """Leaving a workspace removes links, never what they lead to."""
        (tmp_path / "kept").write_text("kept")
        with self.opened(sandbox) as room:
            (room.root / "file").symlink_to(tmp_path / "kept")
            (room.root / "directory").symlink_to(tmp_path)
        promise(
            (tmp_path / "kept").exists(), "removing the workspace removed what a link leads to"
        )

    def test_a_stubborn_tree_goes_away(self, sandbox: Sandbox) -> None:
        """Directories without permissions, as a test suite leaves them, are removed all the same."""
        with self.opened(sandbox) as room:
            self.python_run(room, programs.LOCK_DIRECTORY)
            root = room.root
        promise(not root.exists(), "a directory without permissions is left behind")

    def test_a_workspace_goes_away_after_an_error(self, sandbox: Sandbox) -> None:
        """An exception inside the block comes out, and the directory is gone."""
        root = None
        try:
            with self.opened(sandbox) as room:
                root = room.root
                raise KeyError("the caller's own")  # noqa: TRY301  # what is tested is that it comes out
        except KeyError:
            promise(root is not None and not root.exists(), "an error leaves a workspace behind")
        else:
            promise(False, "an error inside a workspace is swallowed")

    def opened(
        self, sandbox: Sandbox, fence: Fence | None = None
    ) -> AbstractContextManager[Workspace]:
        """Opens an empty workspace."""
        return sandbox.open("conformance", fence or Fence())

    def python_run(
        self, room: Workspace, program: str, *args: str, stdin: bytes = b""
    ) -> Finished:
        """Runs one of the kit's programs and expects it to succeed."""
        done = room.run([self.python, "-c", program, *args], timeout_s=TIMEOUT_S, stdin=stdin)
        told = done.stderr.decode(errors="replace")[-300:]
        promise(done.code == 0, f"a program of the kit's fails ({done.ended_by}): {told}")
        return done


class SandboxPrograms(SandboxFiles):
    """What every sandbox promises of the programs that run in it."""

    def test_exit_code_and_streams_are_apart(self, sandbox: Sandbox) -> None:
        """The exit code is the program's, and stdout and stderr don't mix."""
        with self.opened(sandbox) as room:
            done = room.run([self.python, "-c", programs.STREAMS], timeout_s=TIMEOUT_S)
        seen = (done.code, done.ended_by, done.stdout, done.stderr, done.truncated)
        same(
            (7, EndedBy.EXIT, b"out", b"err", False), seen, "code, end, stdout, stderr, truncated"
        )

    def test_a_signal_is_told(self, sandbox: Sandbox) -> None:
        """A program that a signal ended has no exit code but the signal's number."""
        with self.opened(sandbox) as room:
            done = room.run([self.python, "-c", programs.KILL_SELF], timeout_s=TIMEOUT_S)
        seen = (done.code, done.ended_by, done.signal)
        same((None, EndedBy.SIGNAL, 9), seen, "code, end, signal")

    def test_a_timeout_keeps_what_was_printed(self, sandbox: Sandbox) -> None:
        """At the limit the program ends, soon, and its output so far is kept."""
        with self.opened(sandbox) as room:
            started = time.monotonic()
            done = room.run([self.python, "-c", programs.PRINT_AND_WAIT], timeout_s=SHORT_S)
            took_s = time.monotonic() - started
        promise(took_s < LATE_S, f"a limit of {SHORT_S} s was met after {took_s:.1f} s")
        same((EndedBy.TIMEOUT, None), (done.ended_by, done.code), "end, code")
        same(b"partial", done.stdout, "what was printed before the limit")

    def test_a_timeout_ends_grandchildren(self, sandbox: Sandbox) -> None:
        """A limit ends the whole tree: a child, a double fork, one with a session of its own."""
        with self.opened(sandbox) as room:
            for limit_s in TREE_LIMITS_S:
                argv = [self.python, "-c", programs.TREE, str(room.root)]
                if b"ready" in room.run(argv, timeout_s=limit_s).stdout:
                    break
            left = _settled(str(room.root))
        same([], left, "programs that outlive their limit")

    def test_an_exit_ends_grandchildren(self, sandbox: Sandbox) -> None:
        """A program that exits leaves nothing behind, though it forked twice and hid."""
        with self.opened(sandbox) as room:
            self.python_run(room, programs.TREE, str(room.root), "exit")
            left = _settled(str(room.root))
        same([], left, "programs that outlive their parent's exit")

    def test_leaving_ends_what_runs(self, sandbox: Sandbox) -> None:
        """A program that was spawned and never ended dies with its workspace."""
        with self.opened(sandbox) as room:
            name = str(room.root)
            running = room.spawn([self.python, "-c", programs.TREE, name], timeout_s=TIMEOUT_S)
            next(running.lines())
        same([], _settled(name), "programs that outlive their workspace")

    def test_settling_ends_what_runs_and_keeps_the_tree(self, sandbox: Sandbox) -> None:
        """After `settle` nothing runs, what was written is there, and programs run afresh."""
        with self.opened(sandbox) as room:
            (room.root / "kept").write_text("kept")
            argv = [self.python, "-c", programs.TREE, str(room.root)]
            next(room.spawn(argv, timeout_s=TIMEOUT_S).lines())
            room.settle()
            same([], _settled(str(room.root)), "programs that outlive `settle`")
            same(["kept"], list(snapshot(room.root)), "the tree after `settle`")
            self.python_run(room, programs.WHERE)

    def test_too_much_output_is_cut_and_told(self, sandbox: Sandbox) -> None:
        """Of 24 MiB of output the first and last parts are kept, and it says so."""
        with self.opened(sandbox) as room:
            done = room.run([self.python, "-c", programs.FLOOD], timeout_s=TIMEOUT_S)
        promise(done.truncated, f"{len(done.stdout)} bytes of output, and `truncated` is False")
        ends = done.stdout.startswith(b"first") and done.stdout.rstrip().endswith(b"last")
        promise(ends, "the first or the last part of a long output is not kept")

    def test_only_a_small_environment_is_inherited(self, sandbox: Sandbox) -> None:
        """The harness's own variables stay out; what `run` is given comes in."""
        os.environ[DECOY] = "secret"
        try:
            with self.opened(sandbox) as room:
                argv = [self.python, "-c", programs.ENVIRONMENT]
                done = room.run(argv, timeout_s=TIMEOUT_S, env={"GIVEN": "é ="})
        finally:
            del os.environ[DECOY]
        promise(DECOY.encode() not in done.stdout, "the harness's environment is inherited")
        promise("GIVEN=é =".encode() in done.stdout, "a variable that was given is not there")

    def test_a_fence_adds_to_the_environment(self, sandbox: Sandbox, tmp_path: Path) -> None:
        """What the fence puts before `PATH` and among the variables is there."""
        # A sandbox whose programs are another user can't show what is its owner's alone.
        tmp_path.chmod(0o755)
        fence = Fence(path=(tmp_path,), readable=(tmp_path,), variables={"TASK": "1"})
        with self.opened(sandbox, fence) as room:
            lines = self.python_run(room, programs.ENVIRONMENT).stdout.decode().splitlines()
        first = any(line.startswith(f"PATH={tmp_path}:") for line in lines)
        promise(first, "a directory of the fence's `path` is not the first of PATH")
        promise("TASK=1" in lines, "a variable of the fence's is not there")

    def test_stdin_is_at_its_end(self, sandbox: Sandbox) -> None:
        """A program that reads where nothing is to be read goes on at once."""
        with self.opened(sandbox) as room:
            argv = [self.python, "-c", programs.COPY]
            same(b"", self.python_run(room, programs.COPY).stdout, "what is read from no stdin")
            done = room.spawn(argv, timeout_s=TIMEOUT_S).end(grace_s=LATE_S)
        same(EndedBy.EXIT, done.ended_by, "a spawned program without stdin")

    def test_a_missing_program_is_told(self, sandbox: Sandbox) -> None:
        """A program that isn't there is FileNotFoundError, from `run` and from `spawn`."""
        with self.opened(sandbox) as room:
            calls: tuple[Callable[[], object], ...] = (
                lambda: room.run(["no-such-program-here"], timeout_s=TIMEOUT_S),
                lambda: room.spawn(["no-such-program-here"], timeout_s=TIMEOUT_S),
            )
            for call in calls:
                with may_only_raise(FileNotFoundError, words="a missing program"):
                    try:
                        call()
                    except FileNotFoundError:
                        continue
                promise(False, "a program that isn't there was run")

    def test_a_conversation_goes_line_by_line(self, sandbox: Sandbox) -> None:
        """Lines come as they are printed, and what is written is read; `end` may be called twice."""
        with self.opened(sandbox) as room:
            running = room.spawn(
                [self.python, "-u", "-c", programs.ECHO], timeout_s=TIMEOUT_S, stdin=True
            )
            lines = running.lines()
            for word in ("one", "二"):
                running.write(f"{word}\n".encode())
                same(f"got {word}", next(lines).rstrip("\n"), "a line that was asked for")
            running.close_stdin()
            running.close_stdin()
            first = running.end(grace_s=LATE_S)
            same(first, running.end(), "the second `end`")
        same((0, EndedBy.EXIT), (first.code, first.ended_by), "code, end")

    def test_silence_ends_where_a_limit_was_set(self, sandbox: Sandbox) -> None:
        """A program that prints nothing for `idle_s` is ended, and that is told."""
        with self.opened(sandbox) as room:
            argv = [self.python, "-c", programs.PRINT_AND_WAIT]
            running = room.spawn(argv, timeout_s=TIMEOUT_S, idle_s=SHORT_S)
            list(running.lines())
            done = running.end(grace_s=LATE_S)
        same(EndedBy.IDLE, done.ended_by, "a program that fell silent")

    def test_what_is_spawned_is_logged(self, sandbox: Sandbox, tmp_path: Path) -> None:
        """With `log`, stdout and stderr go into two files of the caller's."""
        with self.opened(sandbox) as room:
            argv = [self.python, "-c", programs.STREAMS]
            room.spawn(argv, timeout_s=TIMEOUT_S, log=tmp_path).end(grace_s=LATE_S)
        logged = ((tmp_path / "stdout").read_bytes(), (tmp_path / "stderr").read_bytes())
        same((b"out", b"err"), logged, "what was logged")


class OptionalSandbox(SandboxPrograms):
    """What a sandbox promises besides, by its capabilities."""

    keeps_network: ClassVar[bool] = False
    """Whether it keeps programs off the network where the fence says `none`."""

    keeps_files: ClassVar[bool] = False
    """Whether programs see no file but the fence's and the system's."""

    def test_what_is_kept_is_told(self, sandbox: Sandbox) -> None:
        """`enforced` has a word for each part, and `none` for one that isn't kept."""
        with self.opened(sandbox, Fence(network=Network.NONE)) as room:
            enforced = dict(room.enforced)
        missing = [part for part in PARTS if not enforced.get(part)]
        same([], missing, "parts of the fence of which nothing is told")
        # For the network the word is what can be reached, so that here `none` is all of the fence.
        told = (enforced["network"] == Network.NONE.value, enforced["filesystem"] != "none")
        declared = told if self.live else (self.keeps_network, self.keeps_files)
        same(declared, told, "network and files kept: declared, told")

    def test_a_fence_that_is_required_is_kept_or_refused(self, sandbox: Sandbox) -> None:
        """Rather than be weaker than what is required, it raises MachineError."""
        fence = Fence(network=Network.NONE, required=True)
        try:
            with self.opened(sandbox, fence) as room:
                kept = self.live or self.keeps_network
                promise(kept, "a required fence is not kept, and not refused")
                self._reaches_nothing(room)
        except MachineError:
            promise(not self.keeps_network, "it keeps networks, and refuses a fence of one")

    def test_hidden_files_are_hidden(self, sandbox: Sandbox, tmp_path: Path) -> None:
        """Where files are kept, a hidden directory shows nothing to a program."""
        (tmp_path / "answer").write_text("42")
        with self.opened(sandbox, Fence(hidden=(tmp_path,))) as room:
            argv = [self.python, "-c", programs.READ, str(tmp_path / "answer")]
            done = room.run(argv, timeout_s=TIMEOUT_S)
            kept = room.enforced["filesystem"] != "none"
        promise(not (kept and b"42" in done.stdout), "a hidden file was read")

    def test_cpu_time_is_whole_or_not_known(self, sandbox: Sandbox) -> None:
        """Where CPU time is counted, what orphans used is in it, or None is said."""
        with self.opened(sandbox) as room:
            if not isinstance(room, CpuCounted):
                return
            before_us = room.cpu_us()
            self.python_run(room, programs.BUSY_ORPHAN)
            after_us = room.cpu_us()
        if before_us is None or after_us is None:
            return
        used_us = after_us - before_us
        promise(used_us >= ORPHAN_US, f"of 0.1 s of CPU time that an orphan used, {used_us} µs")

    def _reaches_nothing(self, room: Workspace) -> None:
        done = room.run([self.python, "-c", programs.CONNECT], timeout_s=TIMEOUT_S)
        promise(b"reached" not in done.stdout, "a program without a network reached the host")


def _settled(word: str) -> list[str]:
    """Returns the programs with a word in their command line, once they had time to die."""
    until = time.monotonic() + SETTLE_S
    while (left := _alive(word)) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _alive(word: str) -> list[str]:
    found = []
    for process in psutil.process_iter():
        try:
            alive = process.status() != psutil.STATUS_ZOMBIE
            if alive and process.pid != os.getpid() and word in process.cmdline():
                found.append(f"{process.name()} ({process.pid})")
        except psutil.Error:
            continue
    return found


class SandboxConformance(OptionalSandbox):
    """The kit: give it a fixture `sandbox`."""
