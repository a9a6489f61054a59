"""DP305: noise that is drawn and never used, or an epsilon that nothing depends on."""

from __future__ import annotations

import libcst as cst

from dplint.outcomes import Related
from dplint.rules.flow.dicts import root_of, states_before
from dplint.rules.flow.draws import SCALED
from dplint.rules.flow.terms import Term, TermKind, innermost, reached
from dplint.rules.flow.vocabulary import UPDATES
from dplint.rules.raw_sinks import RELEASES
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.source.walking import nodes_below

_HARMLESS = ("numpy.", "math.", "statistics.", "builtins.", "scipy.special.", "itertools.")
"""What these modules have gives a value and does nothing else."""


def check(context: Context) -> Reports:
    """Draws that reach no output, products with zero, and budgets that are not read."""
    if context.guessed and context.mechanism.data is None and not context.outside:
        return  # what it is for is not seen here
    if context.graph.full or "arguments" in context.mechanism.claim.observe:
        return
    used = _used(context)
    for draw in context.exposed.draws:
        if draw.name in SCALED and draw not in used and not _is_discarded(context, draw):
            message = (
                f"this {draw.name} noise is drawn, but nothing that is released depends on it: add it to the value "
                "that is released, or remove it"
            )
            yield Report(draw.node, message, (context.the_claim,), way=_way_of(context, draw))
    for term in context.graph.terms:
        if term.is_operation("*") and _is_switched_off(context, term):
            message = "this noise is multiplied by zero, so that there is none: remove the factor"
            yield Report(term.node, message, (context.the_claim,))
    yield from _unused_budget(context)


def _way_of(context: Context, draw: Term) -> tuple[Related, ...]:
    """Where the noise goes, and what is released without it."""
    noisy = set(reached([draw], context.users_of))
    kept = [one.term for one in context.graph.assigned if one.term in noisy and one.term is not draw]
    released = [sink.node for sink in context.graph.sinks if sink.kind in RELEASES]
    return context.way([draw, *kept], released[-1] if released else None, "released without it")


def _used(context: Context) -> set[Term]:
    """All that has a part in what leaves the function, or in whether it does."""
    pending = [sink.term for sink in context.graph.sinks] + [g for sink in context.graph.sinks for g in sink.guards]
    pending += [
        one for one in context.graph.terms if _may_keep(one) or _is_change_of_argument(one) or _is_shared(context, one)
    ]
    pending += [guard for loop in context.graph.loops for guards in loop.exits for guard in guards]
    return set(reached(pending, lambda term: (*term.inputs(), *_held(term))))


def _held(term: Term) -> list[Term]:
    """What a function that is handed on takes from around it."""
    if term.kind is not TermKind.FUNCTION or not isinstance(term.value, tuple) or not isinstance(term.value[1], dict):
        return []
    function, around, _ = term.value
    names = {one.value for one in nodes_below(function) if isinstance(one, cst.Name)}
    return [around[name] for name in names if name in around]


def _may_keep(term: Term) -> bool:
    """Whether it is a call of something unknown, which may do more than give a value: train a network, for one."""
    if term.kind is not TermKind.CALL or not isinstance(term.value, str) or not isinstance(term.node, cst.Call):
        return False
    return "." in term.value and not term.value.startswith(_HARMLESS)


def _is_change_of_argument(term: Term) -> bool:
    """Whether it is what an argument, or something that it holds, becomes by a change in place: the caller has it."""
    if term.kind is TermKind.EXIT and "." in term.name:
        return True  # an attribute of something in a loop, such as the gradient of a parameter
    if term.kind is TermKind.CONTAINER and (term.name == "store" or term.name in UPDATES):
        return bool(term.args) and _of_caller(root_of(term.args[0]))
    if term.kind is TermKind.OPERATION and isinstance(term.node, cst.AugAssign):
        held = isinstance(term.node.target, cst.Attribute)
        return _of_caller(root_of(term.args[0])) if held else _is_given(root_of(term.args[0]))
    # x[:] = noisy
    return term.is_call("array") and isinstance(term.node, cst.Subscript)


def _is_shared(context: Context, term: Term) -> bool:
    """Whether it is a change of what has another name, or is a part of something: that shows the change, too."""
    if term.kind is not TermKind.CONTAINER or not (term.name == "store" or term.name in UPDATES) or not term.args:
        return False
    changed = root_of(term.args[0])
    if changed.kind is TermKind.ELEMENT or changed.name == "[]":
        return True
    if changed.kind is TermKind.CALL and isinstance(changed.value, str) and changed.value[:1] == ".":
        return True
    return len({one.name for one in context.graph.assigned if one.term is changed}) > 1


def _is_given(term: Term) -> bool:
    """Whether it is an argument, and not certainly a number, which no operator changes in place."""
    if term.kind is TermKind.DATA:
        return term.value == "sequence"
    return term.kind is TermKind.SYMBOL and not term.name.startswith("<")


def _of_caller(term: Term) -> bool:
    """Whether it is an argument, or reached from one by attributes, indices and loops."""

    def passes(one: Term) -> bool:
        method = one.kind is TermKind.CALL and isinstance(one.value, str) and one.value[:1] == "."
        return method or one.kind is TermKind.ELEMENT or one.name == "[]" or bool(states_before(one))

    holder = innermost(term, passes)
    return holder.kind in (TermKind.DATA, TermKind.SYMBOL) and not holder.name.startswith("<")


def _is_discarded(context: Context, draw: Term) -> bool:
    """Whether the name it is given, `_`, says that it is thrown away."""
    return any(one.term is draw and one.name.startswith("_") for one in context.graph.assigned)


def _is_switched_off(context: Context, term: Term) -> bool:
    zero = any(one.kind is TermKind.CONSTANT and one.value in (0, 0.0) and not one.name for one in term.args)
    return zero and any(context.exposed.is_noise(one) for one in term.args)


def _unused_budget(context: Context) -> Reports:
    if context.roles.value is not None:
        return  # what is promised is one number, which the scales may be made for
    if context.guessed or not any(context.exposed.depends(sink.term) for sink in context.graph.sinks):
        return
    if any(_may_hide(context, term) for term in context.graph.terms):
        return
    for term in context.graph.terms:
        budget = term.kind is TermKind.SYMBOL and term.name in context.roles.epsilons
        if budget and isinstance(term.node, cst.Name) and not context.users.get(term):
            message = (
                f"nothing depends on {term.name}, so that the promise of {term.name} cannot hold for small values: "
                "use it in the scale of the noise"
            )
            yield Report(term.node, message, (context.the_claim,))


def _may_hide(context: Context, term: Term) -> bool:
    """Whether epsilon may be used in a way that cannot be seen: by `locals()`, or by a function that was not read."""
    if term.kind is TermKind.FUNCTION and isinstance(term.value, tuple):
        return not any(term.value[0] is one for one in context.graph.functions)
    return term.kind in (TermKind.CALL, TermKind.DRAW) and term.name in ("locals", "eval", "exec", "vars", "unknown")


RULE = Rule("DP305", check, disprovable=False, same_as=("DP106", "DP201"))
