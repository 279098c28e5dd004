"""README's way without uv: the set installs with pip alone, editable, and runs."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
TIMEOUT_S = 300
LEAKING = ("COV", "FAIRTRIAL", "PYTEST", "PYTHON", "VIRTUAL_ENV")


def _run(*argv: str | Path, cwd: Path) -> str:
    """Runs a program as in an activated environment, where one is in `cwd`."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(LEAKING)}
    done = subprocess.run(
        [str(one) for one in argv],
        cwd=cwd,
        env={**kept, "PATH": f"{cwd / 'environment' / 'bin'}:{kept['PATH']}", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, f"{argv}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _default_set() -> dict[str, Path]:
    """Returns the folder of each distribution that the root's pyproject.toml depends on."""
    folders = {
        tomllib.loads(path.read_text())["project"]["name"]: path.parent
        for path in (ROOT / "core/pyproject.toml", *ROOT.glob("plugins/*/*/pyproject.toml"))
    }
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    return {name: folders[name] for name in wanted}


def _fresh_pip(folder: Path) -> tuple[Path, ...]:
    """Returns the pip of a fresh environment in which the locked dependencies are installed."""
    place = folder / "environment"
    python = place / "bin" / "python"
    locked = ("-r", ROOT / "requirements.lock")
    if shutil.which("uv"):  # only because it is quicker; what is tested is pip, below
        _run("uv", "venv", "--seed", "--python", sys.executable, place, cwd=folder)
        _run("uv", "pip", "install", "--python", python, *locked, cwd=folder)
    else:
        _run(sys.executable, "-m", "venv", place, cwd=folder)
        _run(python, "-m", "pip", "install", *locked, cwd=folder)
    # The builder is put in once and not, as by default, anew for each distribution.
    _run(python, "-m", "pip", "install", "uv_build>=0.9", cwd=folder)
    return python, Path("-m"), Path("pip")


def test_the_default_set_installs_with_pip_and_runs(tmp_path: Path) -> None:
    pip = _fresh_pip(tmp_path)
    folders = _default_set()
    editable = [word for folder in folders.values() for word in ("-e", folder)]

    _run(*pip, "install", "--no-deps", "--no-build-isolation", *editable, cwd=tmp_path)

    programs = pip[0].parent
    listed = _run(programs / "fairtrial", "plugins", "list", cwd=tmp_path)
    assert [] == [name for name in folders if name not in listed]
    told = _run(
        programs / "fairtrial", "run", ROOT / "tasks/smoke.toml", "--limit", "1", cwd=tmp_path
    )
    assert "reference" in told
    assert "noop" in told


def test_the_readme_says_how() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert "pip install -r requirements.lock" in readme
    assert "pip install --no-deps -e core" in readme
