"""A violation explained to somebody who is no expert: what an editor's view of a counterexample shows, as JSON.

A proof as an editor's view shows it, as JSON: what it covers, and by how much the noise of each draw is shifted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dplint import outcomes as out
from dplint.claims import Claim, Mechanism
from dplint.inputs.forms import data_form
from dplint.outcomes import Argument, LargestLoss, PairLoss, Proved, Shift
from dplint.report import editor, numerals, words
from dplint.report.difference import compare, frames
from dplint.report.editor import BY_SOURCE, HOW_SURE, by_source_title, if_confirmed
from dplint.report.event_words import losses_words
from dplint.report.json_evidence import Json, fields, number_json, written
from dplint.report.literals import literal, printable
from dplint.report.numerals import allowed_probability, measure_of, probability_found, ratio_allowed, ratio_found
from dplint.report.proof_words import (
    EXACT_ARITHMETIC,
    against_words,
    certificate_lines,
    cost_words,
    decisions_words,
    linear_words,
    scope_words,
    shift_words,
)
from dplint.report.violation import facts, seen, title
from dplint.report.words import limit_words, neighbours_words

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


_ANY_WIDTH = 10**6
"""Of a table: a view scrolls sideways."""


def shown_violation(result: out.Result) -> dict[str, Json]:
    """All that can be said of a violation without its source and without further runs."""
    violation = result.outcome
    assert isinstance(violation, out.Violation)
    return {
        **_shown(result.mechanism, violation),
        "headline": "".join(title(result.mechanism.qualname, violation)),
        "unconfirmed": None,
        "bound": _bound(violation, editor.verdict_title(violation, result.mechanism.claim)),
        "facts": [{"name": name, "text": text} for name, text in facts(result, violation)],
    }


def shown_unconfirmed(mechanism: Mechanism, known: out.BySource) -> dict[str, Json]:
    """The same of what speaks against a claim by the source alone. unconfirmed: in words, what it is not."""
    assert known.against is not None
    violation = if_confirmed(known.against)
    said = [("How sure", HOW_SURE)]
    if known.losses:
        said.append(("Exact losses", losses_words(known.losses)))
    return {
        **_shown(mechanism, violation),
        "headline": f"{BY_SOURCE[0].upper()}{BY_SOURCE[1:]}: {''.join(title(mechanism.qualname, violation))}",
        "unconfirmed": BY_SOURCE,
        "bound": _bound(violation, by_source_title(known, mechanism.claim)),
        "facts": [{"name": name, "text": text} for name, text in said],
    }


def _shown(mechanism: Mechanism, violation: out.Violation) -> dict[str, Json]:
    """What hangs on the evidence alone."""
    found, witness = violation.counterexample, violation.counterexample.witness
    return {
        "function": mechanism.qualname,
        "claim": words.claim_words(mechanism.claim),
        "claimed": words.tested_promise(violation),
        "promise": promise_words(violation, mechanism.claim, scalar=data_form(mechanism) == "scalar"),
        "seen": seen(violation),
        "proof": _proof(violation),
        "event": witness.event,
        "data": _data(witness),
        "table": _table(mechanism, witness),
        "arguments": arguments_shown(witness.arguments),
        "measure": measure_of(found.evidence).value,
        "probabilities": _probabilities(found.evidence),
        "limit": _limit(violation),
        "notes": list(violation.effort.notes),
    }


def promise_words(violation: out.Violation, claim: Claim, *, scalar: bool) -> str:
    """What the function promises, in two sentences, for the value of the claim that is broken."""
    limit = limit_words(violation.epsilon_tested, violation.delta_tested, "on one as on the other")
    return (
        "Whoever sees the output should hardly be able to tell whether the data was D1 or its neighbour D2: no set of "
        f"outputs may be more than {limit}. Two values of the data are neighbours if "
        f"{neighbours_words(claim, scalar=scalar)}."
    )


def drawn(picture: out.Distributions) -> dict[str, Json]:
    """The distributions of outputs, for a view that draws them."""
    bars: dict[str, Json] = {name: [_bar(bar) for bar in getattr(picture, name)] for name in ("bars", "others")}
    return {
        **fields(picture, "measure kind"),
        **bars,
        "runs": [picture.runs1, picture.runs2],
        **fields(picture, "notes"),
        "computed": None if picture.computed is None else _known(picture.computed),
    }


def _known(shares: out.ComputedShares) -> dict[str, Json]:
    """Pairs of D1 and D2, null where nothing is known; line: place and both densities."""
    pairs: dict[str, Json] = {
        name: [None if math.isnan(both[0]) else [number_json(one) for one in both] for both in getattr(shares, name)]
        for name in ("bars", "others")
    }
    return {**pairs, **fields(shares, "line certified_by=certifiedBy")}


def _bar(bar: out.Bar) -> Json:
    """Low and high are null for a category. counts, inside: of D1 and D2."""
    both: dict[str, Json] = {"counts": [bar.count1, bar.count2], "inside": [bar.inside1, bar.inside2]}
    return {**fields(bar, "label low high"), **both}


def _proof(violation: out.Violation) -> Json:
    """The proof that stands against the violation, and what that means; null where there is none."""
    if violation.against is None:
        return None
    return {"text": against_words(violation), "lines": list(certificate_lines(violation.against.certificate))}


def _data(found: out.Witness) -> Json:
    """The entries of D1 and D2 side by side, aligned, with what differs marked; null where one has no counterpart."""
    return [
        {**fields(cell, "before"), "text": [cell.text1, cell.text2], **fields(cell, "after differs")}
        for cell in compare(found.d1, found.d2, _LONGEST)
    ]


def _table(mechanism: Mechanism, found: out.Witness) -> Json:
    """Both in one table: rows that both have, and those of one side; null where the data is no table."""
    tables = frames(mechanism, found.d1, found.d2, _ANY_WIDTH)
    if tables is None:
        return None
    names, *body = tables.rows
    rows: list[Json] = [
        {**fields(row, "label=side cells"), "differs": [*row.differs] or None, **fields(row, "times")} for row in body
    ]
    return {"columns": list(names.cells), "rows": rows, "more": tables.more}


def _probabilities(evidence: out.Evidence) -> Json:
    """Both sides. between: of exact numbers the same as text; count, runs: null for them."""
    if isinstance(evidence, out.CountedEvidence):
        return [
            _probability(evidence.p1, evidence.interval1, evidence.count1, evidence.runs1),
            _probability(evidence.p2, evidence.interval2, evidence.count2, evidence.runs2),
        ]
    return [_probability(bounds.middle, bounds) for bounds in (evidence.p1, evidence.p2)]


def _probability(value: float, interval: out.Bounds, count: int | None = None, runs: int | None = None) -> Json:
    text = between = numerals.certified(interval)
    if count is not None:
        places = numerals.decimals(interval)
        text, between = f"{value:.{places}f}", f"{interval.low:.{places}f} to {interval.high:.{places}f}"
    return {
        "value": number_json(value),
        "interval": written(interval),
        "text": text,
        "between": between,
        "count": count,
        "runs": runs,
    }


def _limit(violation: out.Violation) -> Json:
    """What the claim allows beside what was found: ratios, or for delta > 0 probabilities on D1.

    atLeast: the event was never seen on D2, and `found` comes from the ends of the intervals.
    """
    evidence = violation.counterexample.evidence
    if violation.delta_tested:
        limits, of = (allowed_probability(violation), probability_found(evidence), False), "probability"
    else:
        limits, of = (ratio_allowed(violation), *ratio_found(evidence)), "ratio"
    allowed, value, at_least = limits
    return {"of": of, "allowed": number_json(allowed), "found": number_json(value), "atLeast": at_least}


def _bound(violation: out.Violation, title: str) -> Json:
    lower = violation.epsilon_lower
    return {
        **fields(violation, "epsilon_tested=claimed epsilon_lower=lower"),
        "text": words.lower_words(violation)
        if violation.broken
        else "∞"
        if math.isinf(lower)
        else numerals.lower(lower, violation.epsilon_tested),
        "confidence": numerals.percent(violation.confidence),
        "certain": words.is_exact(violation),
        "title": title,
        "runs": violation.effort.runs + violation.effort.earlier_runs,
    }
