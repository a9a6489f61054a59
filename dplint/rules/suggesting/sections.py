"""Noise that lines outside of any function add to data: the main part of a script, a cell of a notebook."""

from __future__ import annotations

from dplint.claims import Literal, Span
from dplint.rules.flow.build import build_graph
from dplint.rules.flow.names import ModuleScope
from dplint.rules.flow.terms import Graph, Term, TermKind
from dplint.rules.outside import lines_outside, stand_in
from dplint.rules.suggesting.budget import Surroundings, read_budget
from dplint.rules.suggesting.noise_uses import NoiseUse, Way, ancestors, noise_uses
from dplint.rules.suggesting.suggestion import Name, Suggestion

_READS = ("read", "load", "open", "fetch", "input", "query", "get_data", "DataFrame", "select")


def suggest_for_sections(scope: ModuleScope) -> list[Suggestion]:
    """For each place at the top level where noise is added to what was read from somewhere; never sure.

    A claim is about a function, so the lines have to become one first.
    """
    whole = lines_outside(scope)
    if whole is None:
        return []
    graph = build_graph(scope, stand_in(scope), whole, lambda _: False, scalar=False)
    found: dict[Span, Suggestion] = {}
    spoken: set[Term] = set()
    for use in noise_uses(graph):
        if use.draw in spoken:
            continue  # what the noisy values are used for later
        named = _data_of(use, graph)
        if named is not None and use.meets.node is not None and not use.meets.function.count("."):
            one = _suggestion(use, named, graph, scope)
            if one is not None:
                spoken.add(use.draw)
                found.setdefault(one.span, one)
    return [found[span] for span in sorted(found)]


def _suggestion(use: NoiseUse, data: str, graph: Graph, scope: ModuleScope) -> Suggestion | None:
    budget = read_budget([use], graph, Surroundings((), scope.module.constants, {}))
    if budget.epsilon is None or use.meets.node is None:
        return None
    try:
        span = scope.module.span(use.meets.node)
    except KeyError:  # it stands in a function of another module
        return None
    claim: dict[str, Literal | Name] = {"epsilon": budget.epsilon}
    if budget.delta != 0.0:
        claim["delta"] = budget.delta
    records = any(
        one.kind is TermKind.LENGTH or one.name in ("sum", "mean", "count") for one in ancestors(use.operands)
    )
    claim["neighbors"] = "add-remove" if records else "l2" if use.draw.name == "normal" else "l1"
    if records:
        claim["domain"] = (0.0, float(budget.sensitivity or 1.0))
    doubts = (
        f"these lines stand in no function: move what is done with `{data}` into one that returns the noisy result",
        *dict.fromkeys(budget.doubts),
        *(("what a record may be is a guess",) if records else ()),
    )
    return Suggestion(None, span, span.line, span.line, data, claim, doubts, sketch=True)


def _data_of(use: NoiseUse, graph: Graph) -> str | None:
    """The name under which what was read from somewhere meets the noise."""
    if use.way is not Way.ADDED or use.meets.kind is TermKind.COMPARISON:
        return None
    within = set(ancestors(use.operands))
    if not any(_is_read(one) for one in within):
        return None
    named = [one.name for one in graph.assigned if one.term in within]
    return named[-1] if named else None


def _is_read(term: Term) -> bool:
    return term.kind is TermKind.CALL and any(term.name.startswith(word) for word in _READS)
