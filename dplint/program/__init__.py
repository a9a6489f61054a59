"""Programs: a mechanism lowered to a small tree, the one evaluator that walks it, and the seam to its readings."""

from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, Program
from dplint.program.reading import Masks, Reading
from dplint.program.refusals import Unsupported, UnsupportedConstruct, unsupported

__all__ = ["Draw", "Masks", "Program", "Reading", "Unsupported", "UnsupportedConstruct", "evaluate", "unsupported"]
