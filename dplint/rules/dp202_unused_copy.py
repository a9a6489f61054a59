"""DP202: a clipped or cleaned copy is made, and the original is used."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import libcst as cst

from dplint.outcomes import Related
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.terms import Assigned, Term, TermKind, reached
from dplint.rules.flow.vocabulary import CLIPS
from dplint.rules.rule import Context, Report, Reports, Rule, replace_node
from dplint.source.bindings import dotted_name


def check(context: Context) -> Reports:
    """Copies of the data within bounds that no release depends on, while the data itself is released with noise."""
    released = [sink.term for sink in context.graph.sinks] + [g for sink in context.graph.sinks for g in sink.guards]
    for copy in context.graph.assigned:
        source = _source(context, copy)
        if source is None or source is copy.term or _reaches(context, copy.term, released, frozenset()):
            continue
        if _reaches(context, source, released, {copy.term}):
            yield from _report(context, copy, source, released)


def _source(context: Context, copy: Assigned) -> Term | None:
    """The data that a variable is a bounded copy of; None if it is something else."""
    value = copy.value
    if not isinstance(value, cst.Call) or Exposure.VALUE not in context.exposed.of(copy.term):
        return None
    name = dotted_name(value.func) or ""
    if not CLIPS.search(name.rpartition(".")[2]):
        return None
    nodes = [argument.value for argument in value.args[:1]]
    if isinstance(value.func, cst.Attribute):
        nodes.append(value.func.value)
    names = [node.value for node in nodes if isinstance(node, cst.Name) and node.value != copy.name]
    for term in context.graph.terms:
        if term.kind is TermKind.DATA and term.name in names:
            return term
    for other in context.graph.assigned:
        if other.name in names and other.function == copy.function and Exposure.VALUE in context.exposed.of(other.term):
            return other.term
    return None


def _reaches(context: Context, term: Term, goals: Collection[Term], without: Collection[Term]) -> bool:
    """Whether the values of a term have a part in one of the goals; its length alone does not count."""

    def follow(one: Term) -> Iterable[Term]:
        return (user for user in context.users_of(one) if user not in without and user.kind is not TermKind.LENGTH)

    return not set(goals).isdisjoint(reached([term], follow))


def _report(context: Context, copy: Assigned, source: Term, released: Collection[Term]) -> Reports:
    name = source.name if source.kind is TermKind.DATA else ""
    uses = [
        (user, place)
        for user in context.users.get(source, ())
        if user is not copy.term and user.kind is not TermKind.LENGTH and _reaches(context, user, released, {copy.term})
        for place in _places(context, user, name)
        if context.span(place) > context.span(copy.target)
    ]
    message = (
        f"`{copy.name}` is computed but its values are never used, and the values as they were are released: "
        f"use `{copy.name}` here"
    )
    related = (Related(context.span(copy.target), "the copy within bounds"),)
    if not uses:
        yield Report(copy.target, message.replace(" here", ""), related)
    for _, place in uses[:1]:
        fix = replace_node(context, place, copy.name, f"Use {copy.name}", safe=len(uses) == 1)
        yield Report(place, message, related, fix)


def _places(context: Context, user: Term, name: str) -> list[cst.Name]:
    """Where the data is named in an expression of the mechanism."""
    if user.node is None or not name or not context.in_function(user.node):
        return []
    return _named(user.node, name, [])


def _named(node: cst.CSTNode, name: str, found: list[cst.Name]) -> list[cst.Name]:
    if isinstance(node, cst.Name) and node.value == name:
        found.append(node)
    elif not isinstance(node, cst.BaseSuite):
        children = [node.iter] if isinstance(node, cst.For | cst.CompFor) else node.children
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "len":
            return found
        for child in children:
            _named(child, name, found)
    return found


RULE = Rule("DP202", check, disprovable=False)
