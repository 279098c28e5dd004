import sys
from pathlib import Path

# The kits import a plugin's module in a fresh interpreter, so it must be on the path.
sys.path.insert(0, str(Path(__file__).parent / "wrong"))
