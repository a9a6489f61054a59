"""DP607: losses of a training that are released as they are, or decide which weights are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dplint.rules.flow.dicts import root_of
from dplint.rules.flow.terms import Term, TermKind, inside, reached
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.rules.training import is_noise, steps

_SAME = frozenset(
    {"item", "float", "detach", "cpu", "numpy", "mean", "sum", "round", "tolist", "clone", "array", "list", "min"}
    | {"max", "stack", "tensor", "abs", "sqrt"}
)
_RELEASES = ("return", "yield", "write")
_KEPT = (TermKind.CONTAINER, TermKind.LOOP, TermKind.EXIT, TermKind.CHOICE)


def check(context: Context) -> Reports:
    """What a backward pass begins with, where it leaves the function without noise of its own."""
    noisy = steps(context)
    losses = [loss for loss in _losses(context) if any(step.loops & loss.loops for step in noisy)]
    losses = [loss for loss in losses if context.exposed.depends(loss)]
    if not losses:
        return
    exact = _followed(context, losses)
    chosen = _followed(context, _chosen(context, exact) - exact)
    told: set[object] = set()
    for sink in context.graph.sinks:
        if sink.kind not in _RELEASES or sink.term not in exact | chosen or sink.node in told:
            continue
        told.add(sink.node)
        if sink.term in exact:
            message = (
                "the losses of the records are released without noise beside what was trained with it: leave them out, "
                "or add noise to their clipped sum and count it"
            )
        else:
            message = (
                "the losses of the records decide, without noise, which weights are released: decide by public "
                "records, or by a noisy loss that is counted"
            )
        yield Report(sink.node, message, context.claim_and((losses[0].node, "the loss")))


def _losses(context: Context) -> Iterator[Term]:
    """The values that backward passes begin with, and what these are a mean or sum of."""
    for term in context.graph.terms:
        if term.kind is TermKind.CALL and term.value == ".backward" and term.args:
            loss = root_of(term.args[0])
            while loss.kind is TermKind.CALL and loss.value in (".mean", ".sum") and len(loss.args) == 1:
                yield loss
                loss = root_of(loss.args[0])
            yield loss


def _followed(context: Context, terms: Iterable[Term]) -> set[Term]:
    """The values, and what still shows them: numbers made of them, lists and dicts of those."""

    def follow(term: Term) -> Iterator[Term]:
        return (user for user in context.users_of(term) if term in user.args and _shows(user, term))

    return set(reached(terms, follow))


def _shows(user: Term, term: Term) -> bool:
    if user.kind in _KEPT:
        return user.name != "store" or user.args[-1] is term or user.args[0] is term
    if user.is_operation(("+", "-", "*", "/", "[]")):
        return not any(_is_noisy(other) for other in user.args if other is not term)
    return user.is_call(_SAME | {"state_dict", "deepcopy", "copy.deepcopy"})


def _is_noisy(term: Term, depth: int = 5) -> bool:
    """Whether noise, or a call that may give some, is in a value by arithmetic."""
    if term.kind is TermKind.DRAW:
        return is_noise(term) or term.name not in ("library",)
    return depth > 0 and term.kind is TermKind.OPERATION and any(_is_noisy(part, depth - 1) for part in term.args)


def _chosen(context: Context, exact: set[Term]) -> set[Term]:
    """What a comparison of losses has chosen, where weights are among what it may be."""
    tests = {
        term for term in context.graph.terms if term.kind is TermKind.COMPARISON and any(x in exact for x in term.args)
    }
    choices = (
        term for term in context.graph.terms if term.kind is TermKind.CHOICE and not tests.isdisjoint(term.conditions)
    )
    return {choice for choice in choices if any(_is_copy(part) for part in choice.args)}


def _is_copy(term: Term) -> bool:
    """Whether it is the weights of a model as they are now, kept for later."""
    kept = (TermKind.CALL, TermKind.CONTAINER, TermKind.ELEMENT)
    calls = (part.name.rpartition(".")[2] for part in inside(term, lambda part: part.kind in kept))
    return not {"state_dict", "deepcopy"}.isdisjoint(calls)


RULE = Rule("DP607", check, foretells=False, same_as=("DP201", "DP205"))
