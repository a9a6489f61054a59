"""The curve that a claim promises, and what was computed below it, as an image in Markdown."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass

from dplint.claims import Claim
from dplint.definitions import claimed_amounts, definition_of
from dplint.expressions import ExpressionError
from dplint.outcomes import Argument, BySource, NoViolation, Outcome, Proved, Underpowered, Violation
from dplint.report import numerals, words
from dplint.report.curve import promise_svg

_STEPS = 60
_MORE = 1.25
"""The picture goes on behind the largest epsilon that is marked."""
_WIDTH, _HEIGHT = 480, 300
"""In pixels: VS Code makes room for a picture of this size before it has loaded it."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Marked:
    """What is known at one value of the claim: it allows an epsilon with a delta, and at least so much is lost."""

    arguments: tuple[Argument, ...]
    claimed: float
    delta: float
    lost: float


def promise_picture(name: str, claim: Claim, outcome: Outcome | None, by_source: BySource | None) -> str:
    """Delta over epsilon for the first value of the claim: what is claimed, and what is known to be lost.

    Empty where no loss was computed and none was shown. An infinite one is not drawn.
    """
    known, said = _marked(outcome, by_source)
    if claim.stable is not None or not known:
        return ""
    arguments = known[0].arguments
    same = [one for one in known if one.arguments == arguments]
    lost = sorted((one.lost, one.delta) for one in same if one.lost < math.inf)
    end = _MORE * max(*(one.claimed for one in same), *(epsilon for epsilon, _ in lost), 1e-9)
    proof = outcome if isinstance(outcome, Proved) else by_source.proved if by_source is not None else None
    promised = "claimed, and proved" if proof is not None and proof.scope.full and proof.share == 1 else "claimed"
    at = words.arguments_words(arguments)
    title = f"{name}, {at}" if at else name
    drawing = promise_svg(title, (_claimed(claim, same, end), promised), (lost, said))
    source = f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"
    return f"![{promised}: δ over ε]({source}|width={_WIDTH},height={_HEIGHT})"


def _marked(outcome: Outcome | None, by_source: BySource | None) -> tuple[list[_Marked], str]:
    """All that is known of losses, and what it is."""
    known = outcome.losses if isinstance(outcome, Violation | NoViolation | Underpowered | Proved) else ()
    losses = known or (by_source.losses if by_source is not None else ())
    if losses:
        found = [_Marked(one.arguments, one.claimed, one.delta, one.loss.low) for one in (each.pair for each in losses)]
        return found, f"computed: the worst of {numerals.count(max(one.pairs for one in losses), 'pair')}"
    if isinstance(outcome, Violation):
        arguments = outcome.counterexample.witness.arguments
        lost = _Marked(arguments, outcome.epsilon_tested, outcome.delta_tested, outcome.epsilon_lower)
        return [lost], "shown by the counterexample: at least"
    return [], ""


def _claimed(claim: Claim, marked: Sequence[_Marked], end: float) -> list[Point]:
    """The claimed curve; of a function of the project the points that were tested, as it is not asked here."""
    points = sorted({(one.claimed, one.delta) for one in marked})
    definition, amounts = definition_of(claim), tuple[float, ...](points[0])
    if claim.promise is not None and claim.promise.function is not None:
        return points
    if claim.promise is not None:
        try:
            amounts = claimed_amounts(claim.promise, {one.name: one.value for one in marked[0].arguments}).amounts
        except ExpressionError:
            return points
    steps = (end * i / _STEPS for i in range(_STEPS + 1))
    return [(epsilon, definition.delta(amounts, epsilon)) for epsilon in steps]
