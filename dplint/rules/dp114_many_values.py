"""DP114: randomised response among many values by the probability that is right for two."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.claims import Categories
from dplint.rules.flow.terms import Graph, Term, TermKind, inside
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.rules.suggesting.noise_uses import Way, ancestors, noise_uses


def check(context: Context) -> Reports:
    """Coins of probability e^epsilon / (1 + e^epsilon) that decide between the value and an even choice of others."""
    domain = context.mechanism.claim.domain
    if isinstance(domain, Categories) and len(domain.values) <= 2 and not context.guessed:
        return
    told: set[Term] = set()
    for use in noise_uses(context.graph):
        if use.way is not Way.COIN or use.draw in told:
            continue
        formula = next((one for one in ancestors(use.measure) if _is_for_two(one)), None)
        if formula is None or not _chosen_of_many(context, use.draw):
            continue
        told.add(use.draw)
        message = (
            "this probability is right for two values, and here are more: keep the value with probability "
            "e^epsilon / (k - 1 + e^epsilon) for k values, and choose one of the others evenly"
        )
        yield Report(formula.node, message, (context.the_claim,))


def _is_for_two(term: Term) -> bool:
    """e^x / (1 + e^x), 1 / (1 + e^x) or 1 / (1 + e^-x)."""
    if not term.is_operation("/") or len(term.args) != 2:
        return False
    above, below = term.args
    if not below.is_operation("+") or not (above.is_number(1) or _is_power(above)):
        return False
    return any(one.is_number(1) for one in below.args) and any(map(_is_power, below.args))


def _is_power(term: Term) -> bool:
    return term.is_call("exp")


def _chosen_of_many(context: Context, coin: Term) -> bool:
    """Whether what is released, if not the value, is an even choice among things that are not known to be two."""
    graph = context.graph
    released = {one for sink in graph.sinks if sink.kind in ("return", "yield") for one in _makes(sink.term)}
    for draw in context.exposed.draws:
        if draw is coin or draw not in released or not _is_under(graph, draw, coin):
            continue
        if draw.name == "choice" and draw.argument("p") is None and not _has_two(draw.argument("a")):
            return True
        if draw.name == "integers":
            high = draw.argument("high") or draw.argument("low")
            number = None if high is None or high.kind is not TermKind.CONSTANT else high.value
            if not isinstance(number, int) or number > 2:
                return True
    return False


def _makes(term: Term) -> Iterator[Term]:
    return inside(term, lambda one: one.kind is not TermKind.DRAW)


def _is_under(graph: Graph, draw: Term, coin: Term) -> bool:
    """Whether the coin decides if the draw is released; not where either answer is made of it, or of another draw."""
    decided = [sink for sink in graph.sinks if any(one is coin for one in ancestors(sink.guards))]
    if any(draw in set(_makes(sink.term)) for sink in decided):
        return not all(any(one.kind is TermKind.DRAW for one in _makes(sink.term)) for sink in decided)
    return any(
        one.kind is TermKind.CHOICE
        and any(part is coin for condition in one.conditions for part in ancestors([condition]))
        and 0 < sum(draw in set(_makes(way)) for way in one.args) < len(one.args)
        for one in graph.terms
    )


def _has_two(items: Term | None) -> bool:
    """Whether a choice is among two things at most."""
    if items is None:
        return True
    if items.kind is TermKind.CONTAINER and not isinstance(items.value, tuple):
        return len(items.args) <= 2
    if items.kind is TermKind.CONSTANT:
        size = (
            items.value if isinstance(items.value, int) else len(items.value) if hasattr(items.value, "__len__") else 0
        )
        return size <= 2
    return False


RULE = Rule("DP114", check)
