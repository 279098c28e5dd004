"""An answerer for fairtrial: answers from a file that was written beforehand."""

from fairtrial_answerer_script.answerer import ScriptAnswerer

__all__ = ["ScriptAnswerer"]
