"""DP606: steps of a training that are left out, with their noise, as the records have it."""

from __future__ import annotations

import libcst as cst

from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, inside
from dplint.rules.training import steps, trains
from dplint.source.bindings import statements
from dplint.source.walking import nodes_below

_FINITE = frozenset({"isfinite", "isnan", "isinf"})


def check(context: Context) -> Reports:
    """`continue` for a batch without records, or for a loss that is no number, in front of the noise of that turn."""
    if not trains(context):
        return
    noisy = steps(context)
    conditions = {test: condition for condition, test in context.graph.branches}
    for branch in nodes_below(context.node):
        if not isinstance(branch, cst.If) or branch.orelse is not None or not context.in_function(branch):
            continue
        condition = conditions.get(branch.test)
        if condition is None or not condition.loops or not context.exposed.depends(condition):
            continue
        later = [
            step for step in noisy if step.number > condition.number and step.loops & condition.loops == condition.loops
        ]
        if _goes_on(branch):
            what = _what(condition)
        else:
            body = set(nodes_below(branch.body))
            later = later if all(step.node in body for step in later) else []
            what = _what(condition, passed=False)
        if later and what:
            message = (
                f"a step is left out {what}, and that there is no noise tells of the records: make every step, with a "
                "gradient of zero where there is none"
            )
            yield Report(branch, message, context.related([(later[0].node, "the noise of the step")]))


def _goes_on(branch: cst.If) -> bool:
    """Whether a branch does nothing but go on with the next turn."""
    lines = list(statements(branch.body))
    return bool(lines) and isinstance(lines[-1], cst.Continue) and len(lines) <= 3 and not _makes_a_step(branch)


def _makes_a_step(branch: cst.If) -> bool:
    """Whether something is called there that may add noise or make a step, to judge by its name."""
    called = (name_node.value for name_node in nodes_below(branch.body) if isinstance(name_node, cst.Name))
    return any(word in name for name in called for word in ("step", "noise", "randn", "normal", "update"))


def _what(condition: Term, *, passed: bool = True) -> str:
    """When a step is left out, in words; empty for another condition. passed: where the condition holds."""
    turned = False
    while condition.is_operation(("not", "or", "and")) and condition.args:
        turned = turned is not (condition.name == "not")
        condition = condition.args[0]
    if any(part.kind is TermKind.CALL and part.name.rpartition(".")[2] in _FINITE for part in inside(condition)):
        return "where something is no number"
    empty = "for a batch without records"
    if condition.kind is TermKind.LENGTH:
        return empty if turned is passed else ""
    parts = condition.args if condition.kind is TermKind.COMPARISON else []
    small = any(part.kind is TermKind.CONSTANT and part.value in (0, 1) for part in parts)
    fits = condition.name in (("==", "<", "<=") if passed else (">", "!=", ">="))
    return empty if small and fits and any(one.kind is TermKind.LENGTH for one in parts) else ""


RULE = Rule("DP606", check, foretells=False, same_as=("DP205",))
