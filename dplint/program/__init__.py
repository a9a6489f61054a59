"""Programs: a mechanism lowered to a small tree, the one evaluator that walks it, and the seam to its readings."""

from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, Program, Unsupported, UnsupportedConstruct, unsupported
from dplint.program.reading import Masks, Reading

__all__ = ["Draw", "Masks", "Program", "Reading", "Unsupported", "UnsupportedConstruct", "evaluate", "unsupported"]
