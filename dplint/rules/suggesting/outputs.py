"""How what depends on the data and on noise leaves a function: returned, shown, kept, changed in place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

import libcst as cst

from dplint.rules.flow.dicts import states_before
from dplint.rules.flow.exposure import Exposed, Exposure
from dplint.rules.flow.reading import path_of
from dplint.rules.flow.terms import Graph, Term, TermKind, innermost
from dplint.rules.flow.vocabulary import MODEL_PARTS

_RETURNED = frozenset({"return", "yield"})
_OBSERVED = {"print": "stdout", "log": "logging", "write": "files"}
"""What a claim has to name before it is about outputs of these kinds."""
_SEVERAL = frozenset({"tuple", "list", "dict"})
_NO_CHANGE = MODEL_PARTS | {"reshape", "ravel", "view", "squeeze", "items", "values", "enumerate", "zip"}
"""Calls whose result shares its elements with what they are given."""


@dataclass(frozen=True, slots=True)
class NoisyOutputs:
    """returned: by `return` or `yield`. observed: what `observe` of a claim has to name, in order, for the others.

    kept: attributes keep what depends on the data, too, and are not among these. raw: exact data is returned as well,
    whatever happens.
    """

    returned: bool
    observed: tuple[str, ...]
    kept: bool = False
    raw: bool = False


def noisy_outputs(graph: Graph, noisy: Collection[Term], *, private_name: bool) -> NoisyOutputs:
    """The ways by which something leaves the function that depends on the data and on these draws.

    private_name: the function is no release if it also returns data without noise.
    """
    exposed = Exposed(graph, private_size=True)

    def is_noisy(*terms: Term) -> bool:
        return any(exposed.depends(one) for one in terms) and any(
            draw in noisy for one in terms for draw in exposed.draws_of(one)
        )

    exact = [one for one in graph.sinks if one.kind in _RETURNED and _is_raw(exposed, one.term)]
    if private_name and any(not exposed.is_random(one.guards) for one in exact):
        return NoisyOutputs(False, ())  # a step on the way, which releases nothing
    raw = any(not one.guards and _is_raw(exposed, one.term, among=all) for one in exact)
    returned, channels, kept, silent = False, set[str](), dict[str, None](), False
    for sink in graph.sinks:
        if not is_noisy(sink.term, *sink.guards):
            silent |= sink.kind == "attribute" and exposed.depends(sink.term)
            continue
        if sink.kind in _RETURNED:
            returned = True
        elif sink.kind == "attribute" and (name := attribute_of(path_of(sink.node) or "")) is not None:
            kept[name] = None
        elif sink.kind in _OBSERVED:
            channels.add(_OBSERVED[sink.kind])
    for term, holder in changes_in_place(graph):
        name = attribute_of(holder)
        many = term.kind is TermKind.CONTAINER or any(_is_sized(draw) for draw in exposed.draws_of(term))
        if many and is_noisy(term) and holder != "self":
            channels |= {"arguments"} if name is None else set()
            kept |= {name: None} if name is not None else {}
    order = ("stdout", "logging", "files", "arguments")
    return NoisyOutputs(returned, (*(name for name in order if name in channels), *kept), silent and not kept, raw)


def attribute_of(path: str) -> str | None:
    """Of `self.model.weight` `self.model`; None of what belongs to no object of a method."""
    first, _, rest = path.partition(".")
    return f"self.{rest.partition('.')[0]}" if first == "self" and rest else None


def changed_names(graph: Graph) -> set[str]:
    """What is changed in place or set anew: parameters, and attributes of the object of a method."""
    kept = (attribute_of(path_of(sink.node) or "") for sink in graph.sinks if sink.kind == "attribute")
    return {holder for _, holder in changes_in_place(graph)} | {name for name in kept if name is not None}


def changes_in_place(graph: Graph) -> Iterator[tuple[Term, str]]:
    """What lists, arrays and tables become that a function was given, each with the name of what holds it.

    Stores into elements, and `+=`, which changes an array but no number.
    """
    for term in graph.terms:
        if term.is_container("store"):
            holder = _holder(term.args[0])
        elif term.kind is TermKind.OPERATION and isinstance(term.node, cst.AugAssign) and term.args:
            holder = _holder(term.args[0]) if isinstance(term.node.target, cst.Name) else None
        else:
            continue
        if holder is not None:
            yield term, holder


def _holder(term: Term) -> str | None:
    """The parameter or attribute that holds a value: the value itself, one of its elements, a view of it."""

    def passes(one: Term) -> bool:
        view = one.kind is TermKind.ELEMENT or one.name == "[]" or one.is_call(_NO_CHANGE)
        return view or bool(states_before(one))

    holder = innermost(term, passes)
    named = holder.kind in (TermKind.DATA, TermKind.SYMBOL) and not holder.name.startswith("<")
    return holder.name if named else None


def _is_sized(draw: Term) -> bool:
    """Whether it is an array of noise, which only an array can be changed by in place."""
    return bool(getattr(draw.value, "sized", False))


def _is_raw(exposed: Exposed, term: Term, depth: int = 4, among: Callable[[Iterable[object]], bool] = any) -> bool:
    """Whether exact data is in what is returned, not only its size or the outcome of a test. among: of several ways."""
    if depth and term.kind is TermKind.CHOICE:
        return among(_is_raw(exposed, one, depth - 1, among) for one in term.args)
    if depth and term.is_container(_SEVERAL):
        return any(_is_raw(exposed, one, depth - 1, among) for one in term.args)
    return Exposure.VALUE in exposed.of(term) and not exposed.has_draws(term)
