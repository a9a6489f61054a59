"""What the rules about training share: steps and their noise, engines, accountants, loaders, and what is clipped to."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dplint.rules.context import Context
from dplint.rules.flow.dicts import origin_of
from dplint.rules.flow.terms import DrawTerm, Term, TermKind, inside

ENGINES = frozenset({"make_private", "make_private_with_epsilon"})
LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})
GRADIENTS = frozenset({"backward", "grad", "value_and_grad", "clipped_grad"})
_SAME = frozenset({"to", "type", "float", "array", "reshape", "view", "cpu", "cuda"})


def full_name(term: Term) -> str:
    """The full name of the function or method that a term is a call of, empty for what is no call."""
    if not isinstance(term.node, cst.Call) or isinstance(term.node.func, cst.Call):
        return ""  # or what a call gave is called
    if term.kind is TermKind.DRAW and isinstance(term.value, DrawTerm):
        return term.value.spelling
    return term.value if term.kind is TermKind.CALL and isinstance(term.value, str) else ""


def called(term: Term) -> tuple[str, str]:
    """The package and the last name of the function that a term is a call of."""
    full = full_name(term)
    return full.partition(".")[0], full.rpartition(".")[2]


def calls_of_opacus(context: Context, *names: str) -> list[Term]:
    """The calls of functions and methods of Opacus, in the order of the source."""
    return [term for term in context.graph.terms if called(term) in {("opacus", name) for name in names}]


def trains(context: Context) -> bool:
    """Whether gradients are computed, or an engine is asked to do what is needed for them."""
    calls = (term for term in context.graph.terms if term.kind in (TermKind.CALL, TermKind.DRAW))
    return any(called(call)[1] in GRADIENTS | ENGINES or call.name in GRADIENTS for call in calls)


def engine_of(term: Term) -> Term | None:
    """The call of an engine that has made a model, an optimiser or a loader."""
    term = origin_of(term)
    return term if term.kind is TermKind.DRAW and called(term) in {("opacus", name) for name in ENGINES} else None


def steps(context: Context) -> list[Term]:
    """Where a turn of a loop gets its noise: normal draws, and steps of an optimiser that an engine has made."""
    return [term for term in context.graph.terms if term.loops and (is_engine_step(term) or is_noise(term))]


def is_noise(term: Term) -> bool:
    """Whether it is normal noise."""
    return term.kind is TermKind.DRAW and term.name == "normal"


def is_engine_step(term: Term) -> bool:
    """Whether it is a step of an optimiser that an engine has made."""
    return term.kind is TermKind.CALL and term.value == ".step" and engine_of(term.args[0]) is not None


def scaled(context: Context, draw: Term) -> Term:
    """Noise with the factors that it has before it is added to anything."""
    top: Term | None = draw
    while top is not None:
        draw, users = top, context.users.get(top, ())
        top = next((user for user in users if len(users) == 1 and _is_product(user)), None)
    return draw


def _is_product(term: Term) -> bool:
    product = term.is_operation(("*", "/", "neg"))
    return product or term.is_call(_SAME)


def has_noise(term: Term) -> bool:
    """Whether normal noise is in a value by arithmetic."""
    arithmetic = (part for part in inside(term, lambda part: part.kind is TermKind.OPERATION or _is_product(part)))
    return any(map(is_noise, arithmetic))


def bounds(context: Context) -> Iterator[Term]:
    """What gradients are clipped to: `clip_grad_norm_(..., bound)`, `min(1, bound / norm)`."""
    for term in context.graph.terms:
        if term.kind is not TermKind.CALL:
            continue
        name = term.name.rpartition(".")[2]
        if name in ("clip_grad_norm_", "clip_grad_norm") and len(term.args) > 1:
            yield term.argument("max_norm") or term.args[1]
        elif name in ("min", "minimum", "clip"):
            ratios = [part for part in term.args if part.is_operation("/")]
            yield from (ratio.args[0] for ratio in ratios if _is_norm(ratio.args[1]))


def _is_norm(term: Term) -> bool:
    return any(
        part.kind is TermKind.CALL and part.name.rpartition(".")[2] in ("norm", "vector_norm") for part in inside(term)
    )
