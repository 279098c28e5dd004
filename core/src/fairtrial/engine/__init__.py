"""
The engine: runs trials, grades what they leave, and keeps it.

`trial.py` is one trial from top to bottom; `run.py` is the run around it.
"""
