"""What the views of an editor show of a mechanism: its counterexample, its outputs, its curve.

Answers are objects that an editor can show as they are. Where there is nothing to show, `error` says why.

What the view of a proof shows: the source with the shift at each draw, and a pair whose outputs can be drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from dplint import outcomes as out
from dplint.check.editor_model import MechanismView
from dplint.check.inspecting import joined, sweep_jobs
from dplint.check.loading import Target, audit_settings
from dplint.claims import Mechanism, Span
from dplint.inputs.forms import as_settled
from dplint.jobs import AuditSettings, PictureJob
from dplint.program.refusals import Unsupported
from dplint.report import editor
from dplint.report.counterexample_view import (
    drawn,
    pair_to_show,
    shown_proof,
    shown_shift,
    shown_unconfirmed,
    shown_violation,
)
from dplint.report.curve import curve_shown
from dplint.report.editor import if_confirmed, unconfirmed_json
from dplint.report.explaining import explained, place_of
from dplint.report.gathered import effort_of
from dplint.report.json_document import result_json
from dplint.report.json_evidence import Json, number_json
from dplint.report.proof_words import shift_words
from dplint.report.pytest_test import pytest_test
from dplint.server.actions import path_of_test
from dplint.server.documents import Document, first_line
from dplint.server.lenses import result_of, visible_findings, why_not_run
from dplint.server.progress import WorkDone
from dplint.server.reader import ReaderError
from dplint.server.reader_messages import Lower

if TYPE_CHECKING:
    from dplint.server.server import DplintServer


_MOST_NUMBERS = 8


def proof(document: Document, result: out.Result) -> Mapping[str, object]:
    """The JSON of a proof under `view`: words, the source, and its draws as places with their shifts.

    elsewhere: in words, the shifts of draws that stand in another file.
    """
    proved = result.outcome
    assert isinstance(proved, out.Proved)
    shifts = proved.certificate.shifts
    here = [one for one in shifts if not one.site.span.file]
    elsewhere: list[Json] = [shift_words(one, shifts) for one in shifts if one.site.span.file]
    places: list[Json] = [{**shown_shift(one, shifts), "range": range_json(document, one.site.span)} for one in here]
    shown: dict[str, Json] = {
        **shown_proof(result.mechanism, proved),
        "uri": document.uri,
        "places": places,
        "elsewhere": elsewhere,
        "source": _source(document, document.view(result.mechanism.qualname)),
    }
    return {"view": shown}


def _source(document: Document, view: MechanismView | None, fault: int | None = None) -> Json:
    """The lines of the mechanism, around the line at fault if there are many; lines count from 1."""
    if view is None:
        return None
    start, end = first_line(view), view.last
    if fault is not None:
        start, end = max(start, fault - _LINES_AROUND), min(end, fault + _LINES_AROUND)
    lines: list[Json] = [document.text.line(number - 1) for number in range(start, end + 1)]
    return {"firstLine": start, "lines": lines, **({} if fault is None else {"fault": fault})}


def range_json(document: Document, span: Span) -> Json:
    """A range of a document as the protocol writes it."""
    where = document.text.range(span)
    return {
        "start": {"line": where.start.line, "character": where.start.character},
        "end": {"line": where.end.line, "character": where.end.character},
    }


def witness_of(outcome: out.Outcome | None) -> out.Witness | None:
    """The pair whose outputs can be drawn: of a violation its counterexample, else the pair that loses most."""
    if isinstance(outcome, out.Violation):
        return outcome.counterexample.witness
    if not isinstance(outcome, out.Proved | out.NoViolation):
        return None
    worst = pair_to_show(outcome.losses)
    if worst is None or worst.where is None:
        return None
    return out.Witness(d1=worst.d1, d2=worst.d2, arguments=worst.arguments, observation=_to_draw(worst.where))


def _to_draw(where: out.Observation) -> out.Observation:
    """Of a single output with numbers in it all that is at least as large: a picture looks at one of the numbers."""
    if isinstance(where, out.OutputEvent):
        return where
    value = where.value
    if isinstance(value, list | tuple):
        numbers = [(f"output[{index}]", one) for index, one in enumerate(value) if isinstance(one, float)]
    else:
        numbers = [("output", value)] if isinstance(value, float) else []
    text = " and ".join(f"{name} >= {one!r}" for name, one in numbers[:_MOST_NUMBERS])
    return out.OutputEvent(text) if text else where


LEVEL = 0.05
"""Of each point of a curve, as in the paper."""
_POINTS = 30
_ON_LANES, _ONE_BY_ONE = (50_000, 500_000), (5_000, 50_000)
"""Runs for choosing events and for testing them: a curve should not take minutes."""
_LINES_AROUND = 30


@dataclass(frozen=True, slots=True)
class _Place:
    """Something in the source that has to do with a violation; `weight` is larger for what is more to blame."""

    span: Span
    message: str
    code: str | None
    weight: int
    fix: out.Fix | None = None


def counterexample(document: Document, result: out.Result) -> Mapping[str, object]:
    """The JSON of a violation, and under `view` what explains it: words, source, places, the bound on its way."""
    assert isinstance(result.outcome, out.Violation)
    state = document.states.get(result.mechanism.qualname)
    seen = state.growth if state is not None else ()
    known = sorted((one.runs, one.lower) for one in seen if one.claimed == result.outcome.epsilon_tested)
    # What one pass knows, the next one does not unlearn, though it begins with nothing.
    highest = accumulate((lower for _, lower in known), max)
    growth: list[Json] = [[runs, number_json(lower)] for (runs, _), lower in zip(known, highest, strict=True)]
    shown = shown_violation(result) | {"test": _test(document, result), "growth": growth}
    return {**result_json(result), "view": shown | _where(document, result)}


def unconfirmed(document: Document, mechanism: Mechanism, known: out.BySource) -> Mapping[str, object]:
    """The same of what speaks against a claim by the source alone: no verdict, nothing that grows, and no test."""
    assert known.against is not None
    result = explained(out.Result(mechanism, if_confirmed(known.against)), visible_findings(document))
    shown = shown_unconfirmed(mechanism, known) | {"test": None, "growth": []}
    found = {"function": mechanism.qualname, **unconfirmed_json(known.against)}
    return {**found, "view": shown | _where(document, result)}


def _where(document: Document, result: out.Result) -> dict[str, Json]:
    """The source of the mechanism, and the places that explain it."""
    view = document.view(result.mechanism.qualname)
    places = [] if view is None else sorted(_places(document, view, result), key=lambda one: -one.weight)
    fault = places[0].span.line if places else 0
    return {
        "uri": document.uri,
        "places": [_place(document, place) for place in places],
        "source": _source(document, view, fault),
    }


def _test(document: Document, result: out.Result) -> Json:
    """The counterexample as a test, and where it belongs; null if no test can show it."""
    test = pytest_test(result)
    if test is None:
        return None
    path = path_of_test(result.mechanism, test)
    uri = path.as_uri() if document.runnable else None
    return {"fileName": test.file_name, "text": test.text, "uri": uri, "exists": path.exists()}


def _places(document: Document, view: MechanismView, result: out.Result) -> Iterator[_Place]:
    """Findings in the function, draws, and the claim: what explains the violation is the fault, else a draw."""
    name = view.mechanism.qualname
    explaining = {place_of(one) for one in result.explained_by}
    for finding in visible_findings(document):
        if finding.function == name or place_of(finding) in explaining:
            grave = {out.Severity.ERROR: 3, out.Severity.WARNING: 2, out.Severity.INFO: 1}[finding.severity]
            weight = 5 + grave if place_of(finding) in explaining else 2
            yield _Place(finding.span, finding.message, finding.code, weight, finding.fix)
    for share in view.shares:
        if share.span.file:
            continue
        related: out.Related = editor.related(share)
        over = share.of_claim is not None and share.of_claim > 1
        yield _Place(related.span, related.message, None, 4 if over else 3)
    yield _Place(view.mechanism.claim_span, "the claim that is broken", None, 1)


def _place(document: Document, place: _Place) -> Json:
    return {
        "line": place.span.line,
        "text": document.text.line(place.span.line - 1).strip(),
        "message": place.message,
        "code": place.code,
        "range": range_json(document, place.span),
        "fix": _fix(document, place.fix),
    }


def _fix(document: Document, fix: out.Fix | None) -> Json:
    """Its edits, for that version of the text alone; null where there is none."""
    if fix is None:
        return None
    edits: list[Json] = [{"range": range_json(document, one.span), "newText": one.text} for one in fix.edits]
    return {"title": fix.title, "version": document.version, "edits": edits}


async def outputs(ls: DplintServer, document: Document, function: str) -> Mapping[str, object]:
    """How outputs are distributed on both sides of a counterexample, or of the pair computed to lose most."""
    result, state = result_of(document, function), document.states.get(function)
    if state is not None and state.unconfirmed is not None:
        return {"error": f"Nothing of {function} has been run: its outputs are shown once a test has confirmed it."}
    witness = None if result is None else witness_of(result.outcome)
    if result is None or witness is None:
        return {"error": f"There is no counterexample of {function} as it stands now, and no pair was computed."}
    text = document.text.text
    target = await runnable(ls, document, text, function)
    if isinstance(target, str):
        return {"error": target}
    settings = audit_settings(document.settings.settings, target.mechanism)
    drawn_as = replace(target, mechanism=as_settled(target.mechanism, effort_of(result.outcome).notes))
    job = drawn_as.job(PictureJob, settings, witness=witness, source_text=text)
    found = (await ls.requested_jobs.run(job)).result
    return drawn(found) if isinstance(found, out.Distributions) else {"error": _why_not(found)}


async def curve(ls: DplintServer, document: Document, function: str) -> Mapping[str, object]:
    """p-values against tested epsilons, from runs that are made now, with progress that can be cancelled."""
    text = document.text.text
    target = await runnable(ls, document, text, function)
    if isinstance(target, str):
        return {"error": target}
    settings = document.settings.settings
    on_lanes = not isinstance(target.program, Unsupported)
    epsilons = _epsilons(target, settings.epsilons, result_of(document, function))
    jobs = sweep_jobs(target, epsilons, settings, at=None, level=LEVEL, source_text=text)
    jobs = [replace(job, settings=_quick(job.settings, on_lanes=on_lanes)) for job in jobs]
    dones = await ls.requested_jobs.run_shown(
        jobs,
        lambda cancel: WorkDone(ls.work_done_progress, cancel, "sweeping"),
        [function] if ls.client.progress else [],
    )
    if dones is None:
        return {"error": "The curve was cancelled."}
    curves = [done.result for done in dones if isinstance(done.result, out.Curve)]
    if len(curves) < len(jobs):
        return {"error": next(_why_not(done.result) for done in dones if not isinstance(done.result, out.Curve))}
    found = joined(curves)
    notes = [*found.effort.notes, *_deciding(result_of(document, function))]
    return {**curve_shown(found), "notes": notes, "uri": document.uri}


def _deciding(known: out.Result | None) -> Iterator[str]:
    """Which of two numbers about one mechanism counts: a curve is made of other runs, and of fewer."""
    if known is not None and isinstance(known.outcome, out.Violation):
        verdict = editor.verdict_title(known.outcome, known.mechanism.claim)
        yield f"Where this curve and the verdict differ, the verdict decides: {verdict}."


async def runnable(ls: DplintServer, document: Document, text: str, function: str) -> Target | str:
    """The mechanism with its program as it stands in a text; or why there is none, or none that may be run now."""
    why = why_not_run(document, ls.mode)
    if why is not None:
        return f"The function is not run: {why}."
    request = Lower(document.path, text, document.settings.settings, function)
    try:
        target = await ls.reader.ask(request)
    except ReaderError as error:
        return str(error)
    return target if isinstance(target, Target) else f"There is no mechanism {function} in {document.path.name}."


def _epsilons(target: Target, at: Sequence[float], known: out.Result | None) -> list[float]:
    """What to test: beyond all claimed values, and beyond the bound that is known, so that the curve comes up again."""
    claimed = target.mechanism.claim.epsilon
    top = 2 * claimed if isinstance(claimed, int | float) else 1.5 * max(at)
    if known is not None and isinstance(known.outcome, out.Violation) and math.isfinite(known.outcome.epsilon_lower):
        top = max(top, 1.5 * known.outcome.epsilon_lower)
    step = _round_step(top / _POINTS)
    grid = {float(f"{step * number:.6g}") for number in range(1, math.ceil(top / step) + 1)}
    return sorted(grid | ({float(claimed)} if isinstance(claimed, int | float) else set(at)))


def _round_step(least: float) -> float:
    """The smallest step of at least this size that people count in: 1, 2, 2.5 or 5 and zeros."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= least * (1 - 1e-9))


def _quick(settings: AuditSettings, *, on_lanes: bool) -> AuditSettings:
    select, test = _ON_LANES if on_lanes else _ONE_BY_ONE
    return replace(settings, method="statdp", select_runs=select, test_runs=test)


def _why_not(found: out.Outcome | out.Answer | out.Distributions | out.BySource) -> str:
    if isinstance(found, out.Failed | out.Untestable):
        return found.reason
    return "The worker gave another answer than the one that it was asked for; please report this."
