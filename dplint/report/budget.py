"""Budgets as trees for people.

Budgets as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from dplint.contracts.tree import Budget, Choice, Node, Part, Repeat, Series, Spend, Standing, Unclear
from dplint.definitions import promise_words
from dplint.outcomes import CheckError
from dplint.report.json_document import error_json
from dplint.report.json_evidence import VERSION, Json, fields, file_json, json_text
from dplint.report.style import glyphs

_STYLES = {
    Standing.WITHIN: "green",
    Standing.OVERSPENT: "bold red",
    Standing.UNDECIDED: "yellow",
    Standing.LEAF: "dim",
}


def print_budgets(budgets: Sequence[Budget], console: Console) -> None:
    """Print one tree for each mechanism, and a line with how many keep their budget."""
    characters = glyphs(console.encoding)
    signs = {
        Standing.WITHIN: characters.proved,
        Standing.OVERSPENT: characters.rejected,
        Standing.UNDECIDED: characters.no_violation,
        Standing.LEAF: characters.dot,
    }
    for budget in budgets:
        style = _STYLES[budget.standing]
        head = Text.assemble((f"{signs[budget.standing]} ", style), (budget.mechanism.name, "bold"), "  ")
        tree = Tree(head.append(headline(budget), style))
        top = (budget.tree,) if not isinstance(budget.tree, Series) else budget.tree.items
        for node in top:
            _grow(tree, node, budget)
        for one in budget.unclear if budget.standing is not Standing.LEAF else ():
            elsewhere = "" if one.file == budget.mechanism.file else f"{one.file}, "
            tree.add(Text(f"not understood: {elsewhere}line {one.span.line}: {one.reason}", "yellow"))
        console.print(tree)
    counts = {one: sum(budget.standing is one for budget in budgets) for one in Standing}
    console.print(
        f"{counts[Standing.WITHIN]} within, {counts[Standing.OVERSPENT]} overspent, {counts[Standing.UNDECIDED]} "
        f"not decided, {counts[Standing.LEAF]} without claimed parts"
    )


def _grow(tree: Tree, node: Node, budget: Budget) -> None:
    words = Text(label(node), "bold red" if node == budget.over else "")
    branch = tree.add(words)
    for one in below(node):
        _grow(branch, one, budget)


def headline(budget: Budget) -> str:
    """What is spent, and of what."""
    promise = budget.mechanism.claim.promise
    whole = budget.mechanism.claim.epsilon if promise is None else promise_words(promise)
    claimed = f"{budget.epsilon if budget.epsilon is not None else whole}"
    claimed = f"{budget.currency} = {claimed}" if budget.currency and budget.epsilon is not None else claimed
    delta = "" if budget.delta is None or budget.delta.is_zero else f", delta {budget.delta}"
    match budget.standing:
        case Standing.LEAF:
            return f"claims {claimed}{delta}"
        case Standing.WITHIN if budget.composed is not None:
            spent = f"{budget.epsilon} (delta {budget.composed:.4g})"
            return f"spends {spent} of {claimed}{delta}, by composing what its parts claim, if that holds"
        case Standing.WITHIN:
            return f"spends {totals(budget)} of {claimed}{delta}, if the claims of its parts hold"
        case Standing.OVERSPENT:
            assert budget.over is not None
            where = "".join(f" for {name} = {value}" for name, value in budget.at)
            if not budget.over.delta.is_zero:
                return f"claims no delta, and its part {budget.over.name} claims {budget.over.delta}"
            return f"overspends: {budget.spent} of {claimed}{where} with line {budget.over.span.line}"
        case Standing.UNDECIDED:
            known = (
                f"spends {totals(budget)} of {claimed}{delta} in what is understood" if budget.totals else "not known"
            )
            return f"{known}; not decided"


def totals(budget: Budget) -> str:
    """The sums of the ways through a mechanism, each once."""
    found = dict.fromkeys(
        str(epsilon) + ("" if delta.is_zero else f" (delta {delta})") for epsilon, delta in budget.totals or ()
    )
    words = list(found)
    return words[0] if len(words) == 1 else f"at most the largest of {', '.join(words)}"


def label(node: Node) -> str:
    """One node, without what is below it."""
    match node:
        case Spend():
            delta = "" if node.delta.is_zero else f" (delta {node.delta})"
            steps = "" if node.factor == 1 else f", {node.factor} of its steps apart"
            allowed = "" if node.accountant is None else f", allowed by {node.accountant.partition('#')[0]}"
            remark = f", {node.remark}" if node.remark else ""
            spent = f"{node.name}  {node.epsilon}{delta}{part_words(node.part)}{steps}{allowed}{remark}"
            return f"{spent}, line {node.span.line}"
        case Choice():
            return f"one of these, by `{node.condition}` in line {node.span.line}"
        case Repeat():
            times = "not known how often" if node.times is None else f"{node.times} times"
            kind = "each turn has records of its own" if node.disjoint else times
            return f"loop in line {node.span.line}: {kind}"
        case Series():
            return "one after another" if node.items else "nothing"


def below(node: Node) -> tuple[Node, ...]:
    """The nodes that a node shows below itself; of a loop those of its body."""
    match node:
        case Spend():
            return ()
        case Choice(branches=branches):
            return branches
        case Repeat(body=Series(items=items)) | Series(items=items):
            return items
        case Repeat(body=body):
            return (body,)


def part_words(part: Part) -> str:
    """Which records a call is given, nothing if it is all."""
    if not part.conditions:
        return "" if part.exact else ", some of the data"
    words = sorted(
        f"{'not ' if one.right == 'False' else ''}`{_plain(one.left)}`"
        if one.operator == "is"
        else f"`{_plain(one.left)} {one.operator} {_plain(one.right)}`"
        for one in part.conditions
    )
    return ", records with " + " and ".join(words)


def _plain(text: str) -> str:
    """Without the numbers that tell values of one name apart."""
    shown = text.partition("#")[0] if "#" in text else text
    return "record" if shown == "_" else shown


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
        **({"currency": budget.currency} if budget.currency else {}),
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
                **({"remark": node.remark} if node.remark else {}),
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
