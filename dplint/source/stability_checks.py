"""What a claim of stability says beside what every claim says: how far inputs and outputs are apart, and how."""

from __future__ import annotations

from dplint.claims import Metric, Span, Stability, is_number
from dplint.config import hint, nearest
from dplint.relations import DataKind
from dplint.source.arguments import Arguments
from dplint.source.bounds import Bounds
from dplint.source.domains import is_finite
from dplint.source.problems import Item, Problems, respelling

CODE = "DP023"


def check_stability(arguments: Arguments, bounds: Bounds, claim_span: Span, problems: Problems) -> Stability | None:
    """The promise that the arguments make; None, with `problems` filled, if something is wrong with it."""
    items = arguments.items
    if "d_out" not in arguments.given:
        problems.add(
            CODE, claim_span, 'the claim has no d_out. Add one: stable(d_out=1), or stable(d_out="high - low").'
        )
    d_out = bounds.distance(items["d_out"]) if "d_out" in items else None
    d_in = _d_in(items.get("d_in"), bounds, problems, by_user="user" in items)
    metric = _metric(items.get("metric"), problems)
    return None if d_out is None else Stability(d_in, d_out, metric)


def _d_in(item: Item | None, bounds: Bounds, problems: Problems, *, by_user: bool) -> float:
    """How far inputs are apart: a length for vectors, a number of records or users for all else."""
    if item is None:
        return 1.0
    value, relation = item.value, bounds.relation
    if not is_number(value) or not is_finite(value) or value <= 0:
        problems.add(CODE, item.span, f"d_in must be positive and finite, not {value!r}.")
        return 1.0
    counted = relation is not None and relation.data is not DataKind.VECTOR
    single = by_user or relation is None or relation.data is not DataKind.RECORDS
    if counted and (value != int(value) or (single and value != 1)):
        number = "1" if single else "a whole number"
        problems.add(CODE, item.span, f"d_in must be {number} with these neighbours, not {value!r}.")
    return float(value)


def _metric(item: Item | None, problems: Problems) -> Metric:
    if item is None:
        return Metric.ABSOLUTE
    for known in Metric:
        if item.value == known:
            return known
    known_names = [one.value for one in Metric]
    near = hint(item.value, known_names, noun="known metrics") if isinstance(item.value, str) else ""
    fix = None
    if isinstance(item.value, str) and item.quoted is not None:
        fix = respelling(item.value, nearest(item.value, known_names), item.quoted.whole())
    problems.add(CODE, item.span, f"metric={item.value!r} is no metric of outputs. {near}".strip(), fix)
    return Metric.ABSOLUTE
