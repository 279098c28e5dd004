"""
A naive grader, as many are: the one that the gallery is shown against.

It lets the solver work in a clone with its history, in a home and with a PATH that the tests share;
it lays the named test files anew in that same tree; it runs the test command there, and believes
the exit status. Nothing is ended, dropped, hidden or compared.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from attrs import frozen
from cheats.specimens import HERE, Specimen

TESTS_S = 30.0
"""Seconds that the tests may take."""


@frozen(kw_only=True)
class NaiveTrial:
    """The places of one trial, all of which solver and tests share."""

    victim: Path
    top: Path
    environment: Mapping[str, str]

    @property
    def tree(self) -> Path:
        """Where the solver works, and where the tests run."""
        return self.top / "work"

    def texts(self, key: str) -> list[str]:
        """Returns a list of texts that the task's own file holds."""
        table = tomllib.loads((self.victim / "task.toml").read_text(encoding="utf-8"))
        return [str(item) for item in table[key]]


def resolved(
    specimen: Specimen, victim: str, *, environment: Mapping[str, str], path: tuple[Path, ...]
) -> bool:
    """
    Returns what the naive grader says of one solver on one victim.

    Args:
        specimen: The solver.
        victim: The task's name.
        environment: Variables that the task needs.
        path: Directories that it needs on PATH, copied first, since a solver may write there.
    """
    with _laid_out(victim, environment, path) as trial:
        _attempt(specimen, trial)
        _keep_patch(trial)
        _restore(trial)
        return _tests_pass(trial)


@contextmanager
def _laid_out(
    victim: str, environment: Mapping[str, str], path: tuple[Path, ...]
) -> Iterator[NaiveTrial]:
    top = Path(tempfile.mkdtemp(prefix="naive-"))
    for name in ("home", "tmp"):
        (top / name).mkdir()
    own = [_own_copy(folder, top / "environment") for folder in path]
    trial = NaiveTrial(
        victim=HERE / "victims" / victim,
        top=top,
        environment=_environment(top, environment, own),
    )
    try:
        _clone(trial)
        _used_before(trial)
        yield trial
    finally:
        _end_all(top)
        _remove(top)


def _own_copy(folder: Path, top: Path) -> Path:
    """Copies an environment, so that what a cheat leaves in it spoils nobody's."""
    home = folder.parent
    shutil.copytree(home, top / home.name, symlinks=True)
    return top / home.name / folder.name


def _environment(top: Path, needed: Mapping[str, str], path: list[Path]) -> dict[str, str]:
    home = top / "home"
    base = Path(os.path.realpath(sys.executable)).parent
    folders = [home / "bin", home / ".local/bin", *path, base]
    return {
        "PATH": ":".join([*map(str, folders), _outer_path()]),
        "HOME": str(home),
        "TMPDIR": str(top / "tmp"),
        "LANG": "C.UTF-8",
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
        "NAIVE_TRIAL": str(top),
        **needed,
        **({"VIRTUAL_ENV": str(path[0].parent)} if path else {}),
    }


def _outer_path() -> str:
    folders = os.environ.get("PATH", os.defpath).split(":")
    return ":".join(folder for folder in folders if not folder.endswith("/shims"))


def _clone(trial: NaiveTrial) -> None:
    """Lays a repository in which the fix is a later commit of another branch."""
    shutil.copytree(trial.victim / "before", trial.tree)
    _git(trial, "init", "-q", "-b", "main")
    _commit(trial, "Before")
    _git(trial, "checkout", "-q", "-b", "upstream")
    shutil.copytree(trial.victim / "reference", trial.tree, dirs_exist_ok=True)
    _commit(trial, "Fix the shares")


def _used_before(trial: NaiveTrial) -> None:
    """Proves the fix in the very tree that the solver is given then; bytecode stays behind."""
    _tests_pass(trial)
    shutil.copytree(trial.victim / "reference", trial.top / "reference")
    _git(trial, "checkout", "-q", "main")


def _attempt(specimen: Specimen, trial: NaiveTrial) -> None:
    scratch = trial.top / "scratch"
    shutil.copytree(specimen.files, scratch, symlinks=True)
    argv = [word.replace("{scratch}", str(scratch)) for word in specimen.argv]
    _run(trial, argv)


def _keep_patch(trial: NaiveTrial) -> None:
    """Keeps what changed, by git in the solver's tree, as it is configured there."""
    _git(trial, "status", "--porcelain")
    _git(trial, "diff", "HEAD")


def _restore(trial: NaiveTrial) -> None:
    for name in trial.texts("test_files"):
        source, target = trial.victim / "before" / name, trial.tree / name
        files = [source] if source.is_file() else [f for f in source.rglob("*") if f.is_file()]
        for file in files:
            place = target / file.relative_to(source) if source.is_dir() else target
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)


def _tests_pass(trial: NaiveTrial) -> bool:
    return _run(trial, trial.texts("test_cmd")) == 0


def _run(trial: NaiveTrial, argv: list[str]) -> int | None:
    # A file, not a pipe: a child that stays would hold a pipe open.
    with (trial.top / "output").open("ab") as output:
        try:
            program = shutil.which(argv[0], path=trial.environment["PATH"]) or argv[0]
            ran = subprocess.run(
                [program, *argv[1:]],
                cwd=trial.tree,
                env=dict(trial.environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=TESTS_S if "hang" not in str(argv) else 3,
                check=False,
            )
        except (subprocess.TimeoutExpired, OSError):
            return None
    return ran.returncode


def _git(trial: NaiveTrial, *words: str) -> None:
    _run(trial, ["git", *words])


def _commit(trial: NaiveTrial, message: str) -> None:
    _git(trial, "add", "-A")
    _git(trial, "-c", "user.name=n", "-c", "user.email=n@example.invalid", "commit", "-qm", message)


def _end_all(top: Path) -> None:
    """Ends what the trial left running, known by a variable of its own; for the machine's sake."""
    for process in psutil.process_iter():
        try:
            if process.environ().get("NAIVE_TRIAL") == str(top):
                process.kill()
        except (psutil.Error, OSError):
            continue


def _remove(top: Path) -> None:
    for folder, names, _ in os.walk(top):
        for name in names:
            if not (Path(folder) / name).is_symlink():
                (Path(folder) / name).chmod(0o700)
    shutil.rmtree(top, ignore_errors=True)
