"""Why there is no proof, in words: what could not be followed, and on which line.

Proposer and checker read programs of any kind, and may fail in any way at what neither of them was written for. Where
that was is known to the evaluator, which was at a node of the program then: the innermost one is looked for in the
traceback, rather than passed down to every operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType

import z3

from dplint.claims import Span
from dplint.program.building import NOWHERE
from dplint.program.nodes import Draw, Expression, Program
from dplint.program.printing import Writer, text_of
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import walk
from dplint.proofs.checker.known import Refuted
from dplint.proofs.checker.values import NotProved
from dplint.proofs.proposer.forms import NoProposal
from dplint.sites import lines_words

REFUSALS = (NotProved, NoProposal, UnsupportedConstruct)
"""What the two parts say themselves."""
FAILURES = (
    *(*REFUSALS, z3.Z3Exception),
    *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError),
)
"""What neither of the two understands may fail in any way; that is no proof, and nothing more."""
_MOST = 60


def why(error: Exception, program: Program) -> str:
    """What could not be followed, with its line where one is known."""
    place = next(_places(error.__traceback__), None)
    if isinstance(error, UnsupportedConstruct):
        refused = error.unsupported
        unplaced = refused.span == NOWHERE and place is not None
        return f"{refused.construct} at {place.words}" if unplaced and place is not None else str(error)
    if isinstance(error, REFUSALS):
        return f"{error}, at {place.words}" if place is not None else f"{error}{_noise(error, program)}"
    if place is None:
        return "the search for proofs does not follow this program"
    return f"the search for proofs does not follow {_code(program, place)} at {place.words}"


def _noise(error: Exception, program: Program) -> str:
    """The lines of the noise, where certain data and arguments are against how it was to move."""
    drawn = [node.span for node in walk(program) if isinstance(node, Draw)]
    return f", with the noise of {lines_words(drawn)}" if isinstance(error, Refuted) and drawn else ""


def _places(traceback: TracebackType | None) -> Iterator[Span]:
    """Where in the program it was, innermost first."""
    frames = []
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    for frame in reversed(frames):
        for name in ("span", "node", "statement", "drawn"):
            found = frame.f_locals.get(name)
            span = found if isinstance(found, Span) else getattr(found, "span", None)
            if isinstance(span, Span) and span != NOWHERE:
                yield span


def _code(program: Program, place: Span) -> str:
    for node in walk(program):
        if isinstance(node, Expression) and node.span == place:
            text = text_of(Writer(program.rng).expression(node))
            return f"`{text}`" if len(text) <= _MOST else f"`{text[:_MOST]}...`"
    return "what is done"
