"""Prints when it is imported."""

from attrs import frozen
from fairtrial.conformance.skeletons.answerer import EchoAnswerer

print("Thank you for choosing NoisyAnswerer!")  # noqa: T201  # what is wrong with it


@frozen(kw_only=True)
class NoisyAnswerer(EchoAnswerer):
    pass
