import subprocess
import sys
from pathlib import Path

for argv in (
    [sys.executable, "-m", "unittest", "tests.test_prices"] if Path("shop").exists() else ["true"],
    ["node", "--test"] if Path("package.json").exists() else ["true"],
    ["python3", "-m", "pytest", "-q", "--junitxml=report.xml"] if Path("tests/test_prices.py").exists() else ["true"],
):
    subprocess.run(argv, check=False)
