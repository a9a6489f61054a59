"""Records as JSON: a table says for each type which fields are written, and under which keys.

What a user reads must not change because somebody has added or renamed a field. So there is a table, and no codec
that writes whatever there is, as that of the cache does.

Numbers, data and places as JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dplint import outcomes as out
from dplint.claims import Categories, Fixed, Literal, Span, Stability, Training
from dplint.report.proof_words import certificate_lines, scope_words, shift_words
from dplint.sites import DrawSite, all_calls, noise_words
from dplint.source.notebooks import split_cell

VERSION = 3
"""Of all documents that dplint prints."""
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def json_text(document: dict[str, Json]) -> str:
    """A document as text."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def number_json(value: float | None) -> Json:
    """A number that JSON can hold: null for NaN, "inf" for infinity."""
    if value is None or math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def value_json(value: Literal) -> Json:
    """Data as JSON: tuples become lists, and floats that JSON cannot hold become "nan", "inf" and "-inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list | tuple):
        return [value_json(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): value_json(entry) for key, entry in value.items()}
    return value


_RANGE = "line column end_line end_column"


def span_json(span: Span) -> dict[str, Json]:
    """The keys of a range: lines and columns count from 1, the end is exclusive; with "file" in another module only."""
    return {**(file_json(span.file) if span.file else {}), **fields(span, _RANGE)}


def place_json(file: str, span: Span) -> dict[str, Json]:
    """The keys of a range in a file; of one in another module, with that one's."""
    return {**file_json(span.within(file)), **fields(span, _RANGE)}


def file_json(name: str) -> dict[str, Json]:
    """The file, and in a notebook the cell that lines count from."""
    path, cell = split_cell(name)
    return {"file": path, **({} if cell is None else {"cell": cell})}


_DATA = frozenset({"d1", "d2", "value"})
"""Fields that hold data of users, in which infinity and NaN are texts."""


def fields(record: object, names: str) -> dict[str, Json]:
    """The fields of these names, in this order, each as its type is written.

    `name=key`: under another key. `+name`: the keys of what is in it. `key:text`: what is the same for all.
    """
    found: dict[str, Json] = {}
    for name in names.split():
        key, constant, text = name.partition(":")
        attribute, renamed, other = name.removeprefix("+").partition("=")
        if constant:
            found[key] = text
            continue
        value = getattr(record, attribute)
        shown = value_json(value) if attribute in _DATA else written(value)
        if name.startswith("+") and isinstance(shown, dict):
            found |= shown
        else:
            found[other if renamed else attribute] = shown
    return found


def written(value: object) -> Json:
    """A value as JSON, by its type."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return number_json(value)
        case str():
            return str(value)  # of a name in a list of names its text
        case list() | tuple():
            return [written(one) for one in value]
    shape = _SHAPES.get(type(value))
    if shape is None:
        raise TypeError(f"{type(value).__name__} has no form in JSON")
    return fields(value, shape) if isinstance(shape, str) else shape(value)


def _site(site: DrawSite) -> dict[str, Json]:
    calls: list[Json] = [span_json(call) for call in all_calls(site)]
    return {**span_json(site.span), "calls": calls, **fields(site, "turns"), "words": noise_words(site)}


def _scope(scope: out.Scope) -> Json:
    return {
        "full": scope.full,
        "words": scope_words(scope),
        **fields(scope, "neighbors sensitivity direction sizes"),
        "pairs": None if scope.pairs is None else len(scope.pairs),
        **fields(scope, "arguments epsilon delta arithmetic assumptions never_run"),
    }


def _argument(argument: out.ArgumentScope) -> Json:
    match argument.values:
        case Fixed():
            return {"name": argument.name, **fields(argument.values, "value")}
        case Categories(values=values):
            listed = [value_json(value) for value in values if not isinstance(value, out.OtherText)]
            return {"name": argument.name, "values": listed, "any_other_text": len(listed) < len(values)}
        case _:
            return fields(argument, "name +values")


def _certificate(certificate: out.Certificate) -> Json:
    shifts: list[Json] = [
        {
            **fields(one, "site every_turn distribution scale cost"),
            "words": shift_words(one, certificate.shifts),
            **fields(one, "cases"),
        }
        for one in certificate.shifts
    ]
    words: list[Json] = list(certificate_lines(certificate))
    return {"method": certificate.method, "words": words, **fields(certificate, "cost checked_by"), "shifts": shifts}


def _case(case: out.ShiftCase) -> Json:
    terms: list[Json] = [{"variable": variable, "coefficient": number} for variable, number in case.by.terms]
    return {**fields(case, "when"), "constant": case.by.constant, "terms": terms}


_SHAPES: Mapping[type, str | Callable[[Any], Json]] = {
    Span: span_json,
    DrawSite: _site,
    Stability: "d_in d_out metric",
    Training: "sample_rate steps",
    out.StepSpend: "apart ratio dims sample_rate steps epsilon delta claimed",
    out.Argument: "name value why",
    out.ArgumentScope: _argument,
    out.Bounds: lambda one: [number_json(one.low), number_json(one.high)],
    out.Broken: "kind claimed least order divergence",
    out.BranchCover: lambda one: {
        **fields(one, "file line"),
        "taken": one.taken.name.lower(),
        **fields(one, "told_apart impossible"),
    },
    out.Certificate: _certificate,
    out.ClimbStep: "inputs seconds loss pattern",
    out.Confirmation: "count1 count2 runs agrees",
    out.CountedEvidence: "kind:counted count1 count2 runs1 runs2 p1 p2 interval1 interval2 confidence p_value"
    " log_e_value seed coupled",
    out.Counterexample: "witness evidence epsilon_lower=lower draws",
    out.CoupledRuns: "model_runs p1=model_p1 p2=model_p2 differ1 differ2 given=given_noise losses",
    out.CurvePoint: "epsilon p_value lower rejected d1 d2 arguments event",
    out.Decision: "+span condition holds",
    out.DrawLoss: lambda one: {**file_json(one.file), **fields(one, "line scale moved draws loss")},
    out.Effort: "method looks earlier_runs pairs argument_choices events alpha seed notes branches forms",
    out.ExactCurve: "d1 d2 arguments loss deltas pairs certified_by",
    out.ExactDelta: "epsilon delta",
    out.ExactEvidence: "kind:exact measure p1 p2 infinite certified_by",
    out.ExactOutput: "output measure p1 p2 loss infinite",
    out.ExampleDraw: "site distribution value",
    out.Impossible: "kind:impossible mass",
    out.LargestLoss: "pairs high pair",
    out.OutputEvent: "expression=event",
    out.OutputPair: "d1 d2 arguments output1 output2 distance differences",
    out.PairLoss: "d1 d2 arguments loss claimed delta where",
    out.Power: lambda one: fields(one, f"claimed epsilon share probability{' left_out' * bool(one.left_out)}"),
    out.Proved: "scope epsilon_upper certificate",
    out.Range: lambda one: {**fields(one, "low high"), "low_included": not one.above, "integer": one.integer},
    out.Repair: "title diff known error_before error_after",
    out.Scope: _scope,
    out.ShiftCase: _case,
    out.SingleOutput: lambda one: {"event": one.expression, "output": value_json(one.value)},
    out.Sizes: "smallest largest",
    out.Spend: "low high tight delta",
    out.TestedEpsilon: "epsilon delta parameters p_value log_e_value lower runs rejected",
    out.UnequalVanishing: "kind:unequal-vanishing order1 order2",
    out.Witness: "d1 d2 arguments +observation",
    out.WorstInput: "d1 d2 arguments loss claimed claimed_delta refutes inputs seconds steps branches certified_by"
    " by_runs not_compared notes",
}
