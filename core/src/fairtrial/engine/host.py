"""Facts about the machine, for whoever reads a record later; no part of a run's identity."""

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil


def host_facts() -> dict[str, str]:
    """Returns what may explain a difference between two machines; nothing private."""
    memory_gib = psutil.virtual_memory().total / 2**30
    return {
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": str(os.cpu_count() or "–"),
        "memory": f"{memory_gib:.1f} GiB",
        "python": sys.version.split()[0],
    }


def revision_of(files: Sequence[Path]) -> dict[str, str]:
    """
    Returns the git revision that the first config file's folder is at, as `config revision`.

    Read from `.git` without running git; empty where there is none, or where it can't be told.
    """
    for place in (parent for file in files[:1] for parent in file.absolute().parents):
        head = place / ".git" / "HEAD"
        if head.is_file():
            return {"config revision": revision} if (revision := _revision(head)) else {}
    return {}


def _revision(head: Path) -> str:
    try:
        text = head.read_text(encoding="utf-8").strip()
        if not text.startswith("ref: "):
            return text
        name = text.removeprefix("ref: ")
        loose = head.parent / name
        if loose.is_file():
            return loose.read_text(encoding="utf-8").strip()
        packed = (head.parent / "packed-refs").read_text(encoding="utf-8")
        rows = (line.split(" ", 1) for line in packed.splitlines() if " " in line)
        return next((digest for digest, ref in rows if ref == name), "")
    except (OSError, ValueError):
        return ""


def _processor() -> str:
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or "–"
    named = (row.partition(":")[2].strip() for row in rows if row.startswith("model name"))
    return next(named, platform.processor() or "–")
