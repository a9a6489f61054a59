"""Budgets as trees for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from dplint.contracts.tree import Budget, Node, Series, Standing
from dplint.report.budget_words import below, headline, label
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
        Standing.OVERSPENT: characters.violation,
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
        console.print(tree, soft_wrap=True)
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
