"""DP605: every step of a training has the noise of the step before: the same seed, or the same key."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.rules.flow.terms import DrawTerm, Loop, Term, TermKind, inside
from dplint.rules.flow.vocabulary import KEYS, SEEDS
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.rules.training import full_name, is_noise, trains

_MOST = 40


def check(context: Context) -> Reports:
    """Seeds that are set anew in each turn of a loop, and keys that are never split, with noise in that loop."""
    for draw in filter(is_noise, context.graph.terms if trains(context) else ()):
        if draw.loops and isinstance(draw.value, DrawTerm):
            for origin, seed in _origins(context, draw, draw.value):
                again = origin.loops if origin is not draw else draw.loops
                loop = next(
                    (around for around in context.graph.loops if around.bit & again and _is_same(seed, around)), None
                )
                if loop is not None:
                    what = "this key" if origin is draw else "this seed"
                    message = (
                        f"{what} is the same in every turn of the loop, and so is the noise, which falls out of a "
                        "difference: split a key for each turn, and set seeds before the loop"
                    )
                    yield Report(origin.node, message, context.related([(draw.node, "the noise")]))
                    break


def _origins(context: Context, draw: Term, drawn: DrawTerm) -> Iterator[tuple[Term, Term]]:
    """What decides on a draw, each with its seed or key."""
    key = draw.argument("key")
    if drawn.spelling.startswith("jax.random.") and key is not None:
        yield draw, key
    generator = drawn.generator or draw.argument("generator")
    if generator is not None and generator.kind is TermKind.GENERATOR and generator.args:
        yield generator, generator.args[0]
    elif generator is not None and generator.value == ".manual_seed" and len(generator.args) == 2:
        yield generator, generator.args[1]
    library = drawn.spelling.partition(".")[0]
    if generator is None and drawn.source == "module" and key is None:
        calls = [term for term in context.graph.terms if full_name(term) in SEEDS and term.args]
        for call in calls:
            before = call.number < draw.number and str(call.value).startswith(f"{library}.")
            again = call.loops and call.loops & ~draw.loops == 0
            if before and again and call.args[0].kind is not TermKind.CONSTANT:  # DP302 speaks of constants
                yield call, call.args[0]


def _is_same(seed: Term, loop: Loop) -> bool:
    """Whether a value is certainly the same in each turn of a loop: made before it, or of constants and names."""
    for number, term in enumerate(inside(seed, lambda part: bool(part.loops & loop.bit))):
        if number > _MOST or isinstance(term.value, Loop) or term.name.startswith("<"):
            return False
        made_there = bool(term.loops & loop.bit)
        plain = term.kind in (TermKind.CONSTANT, TermKind.SYMBOL, TermKind.OPERATION) or full_name(term) in KEYS
        if made_there and not plain:
            return False
        if term.kind is TermKind.SYMBOL and term.name.startswith("self."):
            return False  # a method may change it
    return True


RULE = Rule("DP605", check, foretells=False, same_as=("DP302",))
