"""A proof as an editor's view shows it, as JSON: what it covers, and by how much the noise of each draw is shifted."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.claims import Mechanism
from dplint.outcomes import Argument, LargestLoss, PairLoss, Proved, Shift
from dplint.report import editor, words
from dplint.report.json_evidence import fields
from dplint.report.json_values import Json
from dplint.report.literals import literal, printable
from dplint.report.loss_words import losses_words
from dplint.report.proof_words import (
    EXACT_ARITHMETIC,
    cost_words,
    decisions_words,
    linear_words,
    scope_words,
    shift_words,
)

_LONGEST = 200
"""Characters of one value of the data."""


def shown_proof(mechanism: Mechanism, proved: Proved) -> dict[str, Json]:
    """All that can be said of a proof without its source. pair: that loses most of those that were computed."""
    certificate = proved.certificate
    return {
        "function": mechanism.qualname,
        "claim": words.claim_words(mechanism.claim),
        "title": editor.verdict_title(proved),
        **fields(proved.scope, "full"),
        "covers": scope_words(proved.scope),
        "words": printable(certificate.words),
        **fields(certificate, "method"),
        "cost": cost_words(certificate.cost),
        **fields(certificate, "checked_by=checkedBy"),
        "arithmetic": EXACT_ARITHMETIC,
        "losses": losses_words(proved.losses) if proved.losses else None,
        "pair": _pair(proved),
    }


def shown_shift(shift: Shift, among: tuple[Shift, ...]) -> dict[str, Json]:
    """One draw: by how much it moves in each case, and what that costs at most. among: all shifts of the proof."""
    return {
        "line": shift.site.span.line,
        "words": shift_words(shift, among),
        **fields(shift, "distribution scale every_turn=everyTurn"),
        "cases": [{"by": linear_words(case.by), "when": decisions_words(case.when)} for case in shift.cases],
        "cost": cost_words(shift.cost),
    }


def pair_to_show(losses: Sequence[LargestLoss]) -> PairLoss | None:
    """The pair that loses most, of those of which it is known where if there are any: their outputs can be drawn."""
    pairs = [one.pair for one in losses]
    known = [one for one in pairs if one.where is not None]
    return max(known or pairs, key=lambda one: one.loss.low, default=None)


def _pair(proved: Proved) -> Json:
    found = pair_to_show(proved.losses)
    if found is None:
        return None
    return {
        "d1": literal(found.d1, _LONGEST),
        "d2": literal(found.d2, _LONGEST),
        "arguments": arguments_shown(found.arguments),
        "event": None if found.where is None else found.where.expression,
    }


def arguments_shown(arguments: Sequence[Argument]) -> Json:
    """Arguments with their values as text."""
    return [{"name": one.name, "value": literal(one.value, _LONGEST), "why": one.why} for one in arguments]
