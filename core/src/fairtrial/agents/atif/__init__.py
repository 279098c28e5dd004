"""
Trajectories in the Agent Trajectory Interchange Format (ATIF), written and read.

Version 1.7 is written, which most readers take; any 1.x is read, as far as it can be understood.
"""

from fairtrial.agents.atif.check import faults
from fairtrial.agents.atif.read import Imported, read
from fairtrial.agents.atif.write import write

__all__ = ["Imported", "faults", "read", "write"]
