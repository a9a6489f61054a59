"""Budgets as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.contracts.tree import Budget, Choice, Node, Part, Repeat, Series, Spend, Unclear
from dplint.outcomes import CheckError
from dplint.report.json_document import error_json
from dplint.report.json_evidence import fields
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
    totals: list[Json] = [{"epsilon": str(epsilon), "delta": str(delta)} for epsilon, delta in budget.totals or ()]
    spent: dict[str, Json] = {"spent": _text(budget.spent), "arguments": dict(budget.at)}
    return {
        "mechanism": budget.mechanism.name,
        **file_json(budget.mechanism.file),
        "line": budget.mechanism.span.line,
        "claimed": {"epsilon": _text(budget.epsilon), "delta": _text(budget.delta)},
        "standing": budget.standing.value,
        "totals": None if budget.totals is None else totals,
        "overspent": None if over is None else {**_place(over), **spent},
        "not_understood": [{**_place(one), "reason": one.reason} for one in budget.unclear],
        "tree": _node(budget.tree),
    }


def _node(node: Node) -> Json:
    match node:
        case Spend():
            return {
                "kind": "call",
                **fields(node, "name"),
                **_place(node),
                "epsilon": str(node.epsilon),
                "delta": str(node.delta),
                "records": _part(node.part),
                "steps": node.factor,
                "accountant": node.accountant and node.accountant.partition("#")[0],
            }
        case Series(items=items):
            return {"kind": "series", "items": [_node(one) for one in items]}
        case Choice():
            branches: list[Json] = [_node(one) for one in node.branches]
            return {"kind": "choice", **_place(node), **fields(node, "condition"), "branches": branches}
        case Repeat():
            turns: dict[str, Json] = {"times": _text(node.times), "disjoint": node.disjoint}
            return {"kind": "loop", **_place(node), **turns, "body": _node(node.body)}


def _part(part: Part) -> Json:
    conditions = sorted(f"{one.left} {one.operator} {one.right}" for one in part.conditions)
    return {"conditions": list[Json](conditions), "exact": part.exact}


def _place(node: Spend | Choice | Repeat | Unclear) -> dict[str, Json]:
    return {**file_json(node.file), **fields(node.span, "line column")}


def _text(amount: object) -> Json:
    return None if amount is None else str(amount)
