"""
A fair trial for coding agents: what they resolve, what that costs, whether the score is honest.

Plugins import `fairtrial.api`; see docs/writing-a-plugin.md for the other rooms that some kinds
may enter.
"""
