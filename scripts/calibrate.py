"""
Measures the trajectory monitor on its calibration set and writes docs/trajectory-monitor.md.

uv run python scripts/calibrate.py            writes the page
uv run python scripts/calibrate.py --check    exits with 1 where the page is stale
"""

import sys
from pathlib import Path

from fairtrial_auditor_trajectory.page import page

PAGE = Path(__file__).parents[1] / "docs/trajectory-monitor.md"


def main() -> int:
    """Writes or checks the page; returns the exit code."""
    text = page()
    if "--check" in sys.argv[1:]:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
