"""What the view of a proof shows: the source with the shift at each draw, and a pair whose outputs can be drawn."""

from __future__ import annotations

from collections.abc import Mapping

from dplint.claims import Span
from dplint.outcomes import NoViolation, Observation, Outcome, OutputEvent, Proved, Result, Violation, Witness
from dplint.report.json_values import Json
from dplint.report.proof_view import pair_to_show, shown_proof, shown_shift
from dplint.report.proof_words import shift_words
from dplint.server.documents import Document

_MOST_NUMBERS = 8


def proof(document: Document, result: Result) -> Mapping[str, object]:
    """The JSON of a proof under `view`: words, the source, and its draws as places with their shifts.

    elsewhere: in words, the shifts of draws that stand in another file.
    """
    proved = result.outcome
    assert isinstance(proved, Proved)
    shifts = proved.certificate.shifts
    here = [one for one in shifts if not one.site.span.file]
    elsewhere: list[Json] = [shift_words(one, shifts) for one in shifts if one.site.span.file]
    places: list[Json] = [{**shown_shift(one, shifts), "range": range_json(document, one.site.span)} for one in here]
    shown: dict[str, Json] = {
        **shown_proof(result.mechanism, proved),
        "uri": document.uri,
        "places": places,
        "elsewhere": elsewhere,
        "source": _source(document, result),
    }
    return {"view": shown}


def _source(document: Document, result: Result) -> Json:
    """The lines of the mechanism; lines count from 1."""
    view = document.view(result.mechanism.qualname)
    if view is None:
        return None
    first = min(view.mechanism.claim_span.line, view.mechanism.span.line)
    return {
        "firstLine": first,
        "lines": [document.text.line(number - 1) for number in range(first, view.last + 1)],
    }


def range_json(document: Document, span: Span) -> Json:
    """A range of a document as the protocol writes it."""
    where = document.text.range(span)
    return {
        "start": {"line": where.start.line, "character": where.start.character},
        "end": {"line": where.end.line, "character": where.end.character},
    }


def witness_of(outcome: Outcome | None) -> Witness | None:
    """The pair whose outputs can be drawn: of a violation its counterexample, else the pair that loses most."""
    if isinstance(outcome, Violation):
        return outcome.counterexample.witness
    if not isinstance(outcome, Proved | NoViolation):
        return None
    worst = pair_to_show(outcome.losses)
    if worst is None or worst.where is None:
        return None
    return Witness(d1=worst.d1, d2=worst.d2, arguments=worst.arguments, observation=_to_draw(worst.where))


def _to_draw(where: Observation) -> Observation:
    """Of a single output with numbers in it all that is at least as large: a picture looks at one of the numbers."""
    if isinstance(where, OutputEvent):
        return where
    value = where.value
    if isinstance(value, list | tuple):
        numbers = [(f"output[{index}]", one) for index, one in enumerate(value) if isinstance(one, float)]
    else:
        numbers = [("output", value)] if isinstance(value, float) else []
    text = " and ".join(f"{name} >= {one!r}" for name, one in numbers[:_MOST_NUMBERS])
    return OutputEvent(text) if text else where
