"""DP609: an accountant that is told of fewer steps than are made, or of more, or is asked before they are."""

from __future__ import annotations

from dplint.rules.flow.dicts import origin_of
from dplint.rules.flow.terms import Loop, Term, TermKind
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.rules.training import called, full_name, is_engine_step, is_noise, steps

_ACCOUNTANTS = frozenset({"RDPAccountant", "PRVAccountant", "GaussianAccountant"})


def check(context: Context) -> Reports:
    """Calls of `step` outside of a loop whose turns are steps, and of `get_epsilon` in front of all of them."""
    told = [term for term in context.graph.terms if full_name(term).startswith("opacus.accountants.")]
    counted = [call for call in told if called(call)[1] == "step"]
    yield from _outside(context, counted)
    yield from _never(context, counted)
    yield from _twice(context)
    yield from _early(context)


def _outside(context: Context, counted: list[Term]) -> Reports:
    noises = [term for term in context.graph.terms if is_noise(term)]
    if len(counted) != 1:
        return
    step, place = counted[0], counted[0].node
    for noise in noises:
        inner = noise.loops & ~step.loops
        loop = next(
            (around for around in context.graph.loops if around.bit & inner and _is_of_steps(context, around)), None
        )
        if loop is not None and place is not None and step.loops & ~noise.loops == 0:
            message = (
                "this counts one step, and the loop in front of it makes several, each with noise of its own: count "
                "each of them, inside of that loop"
            )
            yield Report(place, message, context.related([(noise.node, "the noise of a step")]))
            return


def _is_of_steps(context: Context, loop: Loop) -> bool:
    """Whether each turn of a loop is a step: it counts and computes a gradient, or an optimiser makes a step in it.

    A loop over samples may add noise to each, and be one step.
    """
    counts = loop.iterable is None or loop.iterable.name == "range"
    wanted = (".step", ".backward") if counts else (".step",)
    calls = (term for term in context.graph.terms if term.kind is TermKind.CALL and term.value in wanted)
    return any(call.loops & loop.bit for call in calls)


def _twice(context: Context) -> Reports:
    """A step that is counted by hand in a loop in which the engine counts each step of its optimiser."""
    counted = [term for term in context.graph.terms if _is_by_hand(term)]
    for step in context.graph.terms if counted else ():
        again = next((one for one in counted if is_engine_step(step) and one.loops & step.loops), None)
        if again is not None:
            message = (
                "the engine has counted this step already, when its optimiser made it, so that epsilon comes out too "
                "large: leave the accountant of an engine alone"
            )
            yield Report(again.node, message, context.related([(step.node, "the step of the optimiser")]))
            return


def _is_by_hand(term: Term) -> bool:
    """`engine.accountant.step(...)`."""
    accountant = term.args[0] if term.is_call((".step", "step")) and term.args else None
    if accountant is None or accountant.name not in ("accountant", ".accountant") or not accountant.args:
        return False
    return called(origin_of(accountant.args[0]))[1] == "PrivacyEngine"


def _never(context: Context, counted: list[Term]) -> Reports:
    """An accountant that is made and asked here, and is told of nothing."""
    if counted or not steps(context):
        return
    for made in context.graph.terms:
        if made.kind is TermKind.CALL and called(made)[1] in _ACCOUNTANTS:
            users = context.users.get(made, ())
            asked = [term for term in context.graph.terms if _asks(term, made)]
            if asked and not users:
                message = (
                    "this accountant was told of no step, so that this is the epsilon of nothing: call its `step` in "
                    "each turn"
                )
                yield Report(asked[0].node, message, context.related([(made.node, "the accountant")]))


def _asks(term: Term, made: Term) -> bool:
    name = full_name(made)
    return bool(name) and full_name(term) == f"{name}.get_epsilon"


def _early(context: Context) -> Reports:
    """An epsilon that is asked for before the first step, and never again."""
    asked = [term for term in context.graph.terms if called(term) == ("opacus", "get_epsilon")]
    noisy = steps(context)
    if len(asked) != 1 or not noisy:
        return
    if asked[0].loops == 0 and all(step.number > asked[0].number for step in noisy):
        message = "no step was made yet, so that this is the epsilon of nothing: ask for it after the last step"
        yield Report(asked[0].node, message, context.related([(noisy[0].node, "a step")]))


RULE = Rule("DP609", check, foretells=False)
