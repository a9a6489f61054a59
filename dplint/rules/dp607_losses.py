"""DP607: losses of a training that are released as they are, or decide which weights or settings are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dplint.rules.flow.dicts import root_of
from dplint.rules.flow.terms import Loop, Term, TermKind, inside, reached
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.rules.training import engine_of, is_noise, steps

_SAME = frozenset(
    {"item", "float", "detach", "cpu", "numpy", "mean", "sum", "round", "tolist", "clone", "array", "list", "min"}
    | {"max", "stack", "tensor", "abs", "sqrt"}
)
_RELEASES = ("return", "yield", "write")
_KEPT = (TermKind.CONTAINER, TermKind.LOOP, TermKind.EXIT, TermKind.CHOICE)


def check(context: Context) -> Reports:
    """What a backward pass begins with, and its like, where it leaves the function without noise of its own."""
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
                "the losses of the records decide, without noise, which weights or settings are released: decide by "
                "public records, or by a noisy loss that is counted"
            )
        yield Report(sink.node, message, context.claim_and((losses[0].node, "the loss")))


def _losses(context: Context) -> Iterator[Term]:
    """The values that backward passes begin with, what these are a mean or sum of, and what else gives such values."""
    found = list(_passed_back(context))
    functions = {loss.value for loss in found if loss.kind is TermKind.CALL}
    again = (term for term in context.graph.terms if term.kind is TermKind.CALL and term.value in functions)
    yield from dict.fromkeys([*found, *again])


def _passed_back(context: Context) -> Iterator[Term]:
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
    """What losses have chosen: by a comparison, where weights or settings are among what it may be, or as a key."""
    tests = {
        term for term in context.graph.terms if term.kind is TermKind.COMPARISON and any(x in exact for x in term.args)
    }
    choices = (
        term for term in context.graph.terms if term.kind is TermKind.CHOICE and not tests.isdisjoint(term.conditions)
    )
    steps_in = {bit for step in steps(context) for bit in _bits(step.loops)}
    by_key = (term for term in context.graph.terms if term.name in ("min-by", "max-by") and term.args[0] in exact)
    tried = {one for one in choices if any(_is_copy(part) or _is_tried(part, steps_in) for part in one.args)}
    return tried | set(by_key)


def _is_tried(term: Term, steps_in: set[int]) -> bool:
    """Whether it is what a loop goes through with a training in each turn, or a model of such a turn."""
    engine = engine_of(term)
    if engine is not None and engine.loops:
        return True
    return term.kind is TermKind.ELEMENT and isinstance(term.value, Loop) and term.value.bit in steps_in


def _bits(loops: int) -> Iterator[int]:
    return (1 << place for place in range(loops.bit_length()) if loops >> place & 1)


def _is_copy(term: Term) -> bool:
    """Whether it is the weights of a model as they are now, kept for later."""
    kept = (TermKind.CALL, TermKind.CONTAINER, TermKind.ELEMENT)
    calls = (part.name.rpartition(".")[2] for part in inside(term, lambda part: part.kind in kept))
    return not {"state_dict", "deepcopy"}.isdisjoint(calls)


RULE = Rule("DP607", check, foretells=False, same_as=("DP201", "DP205"))
