"""DP604: a model with batch normalisation, whose running means are made of the records without noise."""

from __future__ import annotations

import re

import libcst as cst

from dplint.rules.flow.terms import Term, TermKind, reached
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.rules.training import calls_of_opacus, full_name, is_noise
from dplint.source.bindings import dotted_name
from dplint.source.walking import nodes_below

_LAYERS = re.compile(
    r"^(?:torch\.nn|tensorflow\.keras|keras)\.(?:.*\.)?(?:Sync)?Batch(?:Norm(?:[123]d)?|Normalization)$"
)
_KEEPS = "track_running_stats"
_KEPT = (TermKind.CONTAINER, TermKind.LOOP, TermKind.EXIT, TermKind.CHOICE)
_WITHOUT = frozenset({"parameters", "named_parameters", "eval"})


def check(context: Context) -> Reports:
    """Layers that keep running statistics, in a model that is trained with noise here and released as a whole."""
    passes = [term for term in context.graph.terms if term.kind is TermKind.CALL and term.value == ".backward"]
    noises = [term for term in context.graph.terms if is_noise(term) and term.loops and _is_after(term, passes)]
    if not noises or calls_of_opacus(context, "fix"):
        return
    if any(term.kind is TermKind.CALL and term.value == ".eval" for term in context.graph.terms):
        return
    for layer in context.graph.terms:
        if not (_LAYERS.match(full_name(layer)) and _keeps(layer)) and not _has_layers(context, layer):
            continue
        if layer.node is not None and _is_released(context, layer):
            message = (
                "batch normalisation keeps running means of the records, without noise, and they leave with the model: "
                "take group or layer normalisation"
            )
            yield Report(layer.node, message, context.claim_and((noises[0].node, "the noise")))


def _is_after(noise: Term, passes: list[Term]) -> bool:
    return any(backward.number < noise.number and backward.loops & noise.loops for backward in passes)


def _keeps(layer: Term) -> bool:
    given = layer.argument(_KEEPS)
    return given is None or (given.kind is TermKind.CONSTANT and given.value is True)


def _has_layers(context: Context, made: Term) -> bool:
    """Whether it is an object of a class of this module that makes such layers, and says nothing of statistics."""
    scope = context.scope
    node = scope.classes.get(full_name(made)) if made.kind is TermKind.CALL else None
    calls = (
        (node_below for node_below in nodes_below(node.body) if isinstance(node_below, cst.Call))
        if node is not None
        else ()
    )
    names = [(scope.canonical(dotted_name(call.func) or "") or "", call) for call in calls]
    return any(_LAYERS.match(name) and _KEEPS not in context.text(call) for name, call in names)


def _is_released(context: Context, layer: Term) -> bool:
    """Whether the model that a layer is a part of is returned, not its parameters alone."""
    goals = {sink.term for sink in context.graph.sinks if sink.kind in ("return", "yield", "write")}
    return not goals.isdisjoint(
        reached([layer], lambda term: (user for user in context.users_of(term) if _holds(user, term)))
    )


def _holds(user: Term, term: Term) -> bool:
    """Whether a model, or a part of one, is in what is made of it."""
    if user.kind is TermKind.CALL:
        return user.name not in _WITHOUT and (_is_class(user) or _is_whole(user))
    stored = user.name == "store" and term not in user.args[:1]
    return user.kind in _KEPT and not stored and term in user.args


def _is_class(call: Term) -> bool:
    return full_name(call).rpartition(".")[2][:1].isupper()


def _is_whole(call: Term) -> bool:
    return call.value in (".state_dict", ".to", ".cpu", ".cuda", ".train", ".double", ".float")


RULE = Rule("DP604", check, foretells=False)
