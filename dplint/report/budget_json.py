"""Budgets as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.claims import Span
from dplint.contracts.tree import Budget, Choice, Node, Part, Repeat, Series, Spend
from dplint.outcomes import CheckError
from dplint.report.json_document import error_json
from dplint.report.json_values import VERSION, Json, file_json, json_text


def budgets_json(budgets: Sequence[Budget], errors: Sequence[CheckError]) -> str:
    """The document of `dplint budget`. Amounts are texts: expressions over the parameters."""
    return json_text(
        {
            "version": VERSION,
            "budgets": [_budget(one) for one in budgets],
            "errors": [error_json(error) for error in errors],
        }
    )


def _budget(budget: Budget) -> Json:
    over = budget.over
    return {
        "mechanism": budget.mechanism.name,
        **file_json(budget.mechanism.file),
        "line": budget.mechanism.span.line,
        "claimed": {"epsilon": _text(budget.epsilon), "delta": _text(budget.delta)},
        "standing": budget.standing.value,
        "totals": None
        if budget.totals is None
        else [{"epsilon": str(epsilon), "delta": str(delta)} for epsilon, delta in budget.totals],
        "overspent": None
        if over is None
        else {**_place(over.file, over.span), "spent": _text(budget.spent), "arguments": dict(budget.at)},
        "not_understood": [{**_place(one.file, one.span), "reason": one.reason} for one in budget.unclear],
        "tree": _node(budget.tree),
    }


def _node(node: Node) -> Json:
    match node:
        case Spend():
            return {
                "kind": "call",
                "name": node.name,
                **_place(node.file, node.span),
                "epsilon": str(node.epsilon),
                "delta": str(node.delta),
                "records": _part(node.part),
                "steps": node.factor,
                "accountant": None if node.accountant is None else node.accountant.partition("#")[0],
            }
        case Series(items=items):
            return {"kind": "series", "items": [_node(one) for one in items]}
        case Choice():
            branches: list[Json] = [_node(one) for one in node.branches]
            place = _place(node.file, node.span)
            return {"kind": "choice", **place, "condition": node.condition, "branches": branches}
        case Repeat():
            return {
                "kind": "loop",
                **_place(node.file, node.span),
                "times": _text(node.times),
                "disjoint": node.disjoint,
                "body": _node(node.body),
            }


def _part(part: Part) -> Json:
    conditions = sorted(f"{one.left} {one.operator} {one.right}" for one in part.conditions)
    return {"conditions": list[Json](conditions), "exact": part.exact}


def _place(file: str, span: Span) -> dict[str, Json]:
    return {**file_json(file), "line": span.line, "column": span.column}


def _text(amount: object) -> Json:
    return None if amount is None else str(amount)
