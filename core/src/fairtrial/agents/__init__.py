"""
What drivers of agent command lines share.

A driver is a mapping and a parser: a frozen class derived from `AgentCommand` says how its program
is started, and a `Transcript` says what the lines that the program prints mean. All the rest lives
here once: a private home, keys, the deadline, hangs, whose fault an end is, retries, tokens.
"""

from fairtrial.agents.command import AgentCommand
from fairtrial.agents.faults import Failure, failure
from fairtrial.agents.launch import Launch, Place, Tool
from fairtrial.agents.tokens import Tokens
from fairtrial.agents.tools import canonical
from fairtrial.agents.transcript import Asked, Transcript

__all__ = [
    "AgentCommand",
    "Asked",
    "Failure",
    "Launch",
    "Place",
    "Tokens",
    "Tool",
    "Transcript",
    "canonical",
    "failure",
]
