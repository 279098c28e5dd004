"""
Values to text and back: the one door through which cattrs is used.

`structure` is for what a person wrote (a config's table) and forgives nothing; `loads` is for
what fairtrial itself wrote (a line of a journal) and is made for speed.
"""

from fairtrial.serial.records import (
    dumps,
    load_event,
    load_numbered,
    loads,
    loads_many,
    unstructure,
)
from fairtrial.serial.shape import NotPlain, default_of, shape
from fairtrial.serial.strict import structure

__all__ = [
    "NotPlain",
    "default_of",
    "dumps",
    "load_event",
    "load_numbered",
    "loads",
    "loads_many",
    "shape",
    "structure",
    "unstructure",
]
