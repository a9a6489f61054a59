"""DP203: bounds, categories or the amount of noise are taken from the private data."""

from __future__ import annotations

from dplint.rules.flow.draws import Noise, is_around_one
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.lengths import has_edges
from dplint.rules.flow.vocabulary import EXTREMES
from dplint.rules.raw_sinks import CATEGORIES, groups_by_categories, is_released, released_categories
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule, Term, TermKind, inside

_ENDS = EXTREMES - CATEGORIES - {"nunique"}


def check(context: Context) -> Reports:
    """Scales, categories, bins and bounds that come from exact data."""
    for noise in context.noises:
        yield from _scale(context, noise)
    for source in released_categories(context):
        by_version = groups_by_categories(source)
        message = (
            f"which categories occur is read from the private data ({context.code(source, 'here')}"
            f"{', since pandas 3' if by_version else ''}), and shows in the output: "
            f"{'group with observed=False' if by_version else 'use a list of categories that is fixed before'}"
        )
        yield Report(source.node, message, (context.the_claim,), weak=by_version)
    for term in context.graph.terms:
        if term.kind is TermKind.CALL and context.exposed.depends(term):
            yield from _bounds(context, term)
        elif term.is_operation("/") and context.exposed.depends(term):
            yield from _width(context, term)


def factors(noise: Noise) -> list[Term]:
    """What the scale of a noise is made of: the argument of the draw and all that it is multiplied by."""
    scales = [noise.scale] if noise.scale is not None else []
    whole = inside(noise.top, lambda one: one.is_operation(("*", "/", "neg")))
    return scales + [one for one in whole if not one.is_operation(("*", "/", "neg")) and one.kind is not TermKind.DRAW]


def _exact_factors(context: Context, noise: Noise) -> list[Term]:
    """What shows data, and a draw is multiplied by on its way to data: `sum(x) + max(x) * rng.normal()`.

    So it is in `x * (1 + rng.normal())`, where the two are one.
    """
    found: list[Term] = []
    pending, seen, met = [noise.top], {noise.top}, False
    while pending:
        term = pending.pop()
        for user in context.users.get(term, ()):
            if user in seen or user.kind is not TermKind.OPERATION or term not in user.args:
                continue
            seen.add(user)
            others = [one for one in user.args if one is not term and context.exposed.of(one)]
            if user.name in ("*", "/"):
                found += others
                pending.append(user)
                met = met or (bool(others) and is_around_one(term))
            elif user.name in ("+", "-"):
                met = met or bool(others)
                if is_around_one(user):
                    pending.append(user)
    return found if met else []


def extremes(context: Context, term: Term, names: frozenset[str]) -> Term | None:
    """A call inside an expression that takes its end, its middle or its categories from exact data."""
    kinds = (TermKind.OPERATION, TermKind.CALL, TermKind.CHOICE, TermKind.EXIT)
    for one in inside(term, lambda one: one.kind in kinds and context.exposed.depends(one)):
        named = one.is_call(names) and len(one.args) <= 2
        if named and not _is_floor(one) and any(_is_of_values(context, other) for other in one.args):
            return one
    return None


def _is_floor(term: Term) -> bool:
    """Whether a call only keeps one value from passing a constant: `max(eps, 1e-12)`."""
    return term.name in ("max", "min") and any(one.kind is TermKind.CONSTANT for one in term.args[1:])


def _is_of_values(context: Context, term: Term) -> bool:
    """Whether exact data shows in it, and not in the number of records alone."""
    shown = context.exposed.of(term).get(Exposure.VALUE)
    return shown is not None and shown.kind is not TermKind.LENGTH


def _is_smooth(context: Context, term: Term) -> bool:
    """Whether a scale holds exp(-beta k) times what the data moves by at distance k: its smooth sensitivity.

    Nissim, Raskhodnikova and Smith 2007. Such a scale depends on the data and may, where the claim has a delta.
    """
    for one in inside(term):
        if one.is_operation("*") and len(one.args) == 2:
            first, second = one.args
            if any(
                _is_decay(two) and context.exposed.depends(other) for two, other in ((first, second), (second, first))
            ):
                return True
    return False


def _is_decay(term: Term) -> bool:
    """Whether it is the exponential of something negative that counts: exp(-beta * k)."""
    if not term.is_call("exp") or not term.args:
        return False
    names = {one.name for one in inside(term.args[0], lambda one: one.is_operation(("*", "/", "neg")))}
    return "neg" in names and not names.isdisjoint(("<index>", "arange"))


def _scale(context: Context, noise: Noise) -> Reports:
    exact = _exact_factors(context, noise)
    if context.guessed and not (noise.raw or exact):
        return  # nothing is known that it protects
    for term in (*factors(noise), *exact):
        exposures = context.exposed.of(term)
        if Exposure.VALUE not in exposures and Exposure.SELECTION not in exposures:
            continue
        if (context.has_delta or context.guessed) and _is_smooth(context, term):
            continue
        end = extremes(context, term, _ENDS)
        written = None if term.kind in (TermKind.SYMBOL, TermKind.DATA) else term.node
        node = end.node if end is not None else written or noise.draw.node
        related = (context.the_claim, context.effect(noise.draw.node, "the noise that depends on it"))
        if end is not None:
            message = (
                f"the amount of noise depends on {context.code(end, 'an extreme')} of the private data, and so shows "
                "it: use bounds that are fixed before"
            )
        else:
            message = "the amount of noise depends on exact data, and so shows it: compute the scale from public values"
        way = context.way(context.exposed.way(term), noise.draw.node, "the scale of this noise")
        weak = end is None or "smooth" in noise.draw.function
        yield Report(node, message, related, weak=weak, way=way)
        return


def _bounds(context: Context, term: Term) -> Reports:
    given: list[Term] = []
    if term.name in ("linspace", "arange", "digitize", "cut"):
        given = term.args[:2] if term.name in ("linspace", "arange") else term.args[1:]
    elif term.name == "clip":
        given = term.args[1:]
    elif term.name in ("histogram", "histogram2d", "histogramdd") and not has_edges(term):
        exposures = context.exposed.of(term.args[0])
        if Exposure.VALUE in exposures and is_released(context, term):
            message = (
                "without a range the bins run from the smallest to the largest value of the private data: give "
                "range=(low, high), or the edges themselves"
            )
            yield Report(term.node, message, (context.the_claim,))
        return
    for one in given:
        end = extremes(context, one, _ENDS)
        if end is not None and is_released(context, term):
            message = (
                f"bounds are taken from the private data ({context.code(end, 'here')}), so that they move with a "
                "single record: use bounds that are fixed before"
            )
            yield Report(end.node, message, (context.the_claim,))


def _width(context: Context, term: Term) -> Reports:
    """Values that are divided by the difference of their largest and smallest one, before noise is added."""
    width = term.args[1]
    if not width.is_operation("-") or Exposure.VALUE not in context.exposed.of(term.args[0]):
        return
    ends = [extremes(context, one, frozenset({name})) for one, name in zip(width.args, ("max", "min"), strict=True)]
    first = ends[0]
    if None in ends or first is None or not is_released(context, term):
        return
    message = (
        f"values are scaled by the range of the private data ({context.code(first, 'here')}), so that all of them move "
        "with a single record: use bounds that are fixed before"
    )
    yield Report(first.node, message, (context.the_claim,))


RULE = Rule("DP203", check, outside=True, effects=ANY_EFFECT)
