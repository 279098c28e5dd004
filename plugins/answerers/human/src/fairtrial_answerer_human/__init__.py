"""An answerer for fairtrial: asks the person at the terminal."""

from fairtrial_answerer_human.answerer import HumanAnswerer

__all__ = ["HumanAnswerer"]
