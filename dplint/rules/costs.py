"""What noise pays for: the loss of one noisy value, and how many of them are released."""

from __future__ import annotations

import math
from fractions import Fraction

import libcst as cst

from dplint.rules.context import Context
from dplint.rules.flow.noises import Noise
from dplint.rules.flow.scales import EPSILON, Monomial
from dplint.rules.flow.terms import Loop, Term, TermKind
from dplint.rules.gains import share_of_move

_ROUNDED = 1.01
"""A scale written as a number has seldom all of its digits (1.42 for 1 / 0.7): so much is not held against it."""


def over_epsilon(context: Context, way: Monomial) -> Monomial | None:
    """A scale as a known number times parameters over epsilon, None if it is nothing of the kind.

    Where the claim says a number, so may the scale: 2.0 is 1.4 / epsilon if epsilon is 0.7.
    """
    if not way.exact or way.coefficient <= 0:
        return None
    if way.power(EPSILON) == -1:
        return way
    epsilon = None if context.guessed else context.roles.value
    if epsilon is None or way.powers:
        return None
    return Monomial(as_meant(way.coefficient * epsilon), {EPSILON: Fraction(-1)}, term=way.term)


def as_meant(coefficient: float) -> float:
    """The simplest fraction that is not smaller, and hardly larger; the number itself if there is none."""
    for denominator in range(1, 11):
        fraction = math.ceil(coefficient * denominator * (1 - 1e-9)) / denominator
        if fraction <= coefficient * _ROUNDED:
            return fraction
    return coefficient


def plain_ways(context: Context, noise: Noise) -> tuple[Monomial, ...] | None:
    """The scales, if all of them are a known number over epsilon and nothing else; None otherwise."""
    ways = tuple(over_epsilon(context, way) for way in noise.ways)
    known = tuple(way for way in ways if way is not None and not way.others)
    return known if known and len(known) == len(ways) else None


def loss_each(context: Context, noise: Noise) -> float | None:
    """The loss of one value with this noise, as a multiple of the claim's epsilon, where one element moves.

    None where that is not known: another thing is in the scale, or the claim says more than one epsilon.
    """
    ways = plain_ways(context, noise)
    if ways is None or context.roles.factor is None or any(raw in context.mentions for raw in noise.raw):
        return None  # epsilon may be in the data's own factor: epsilon * score + noise of scale 1
    if any(context.exposed.draws_of(met) != [noise.draw] for met in noise.meets):
        return None  # other noise helps
    shares = [share_of_move(context, raw) for raw in noise.raw]
    if None in shares:
        return None
    share = min((one for one in shares if one is not None), default=1.0)
    least = min(way.coefficient for way in ways)
    return share * context.mechanism.claim.sensitivity / least / context.roles.factor


def scale_node(noise: Noise, way: Monomial | None = None) -> cst.CSTNode | None:
    """Where the scale of a noise is written: the expression that makes it, or the argument of the draw."""
    if noise.top is not noise.draw:
        return noise.top.node
    made = way.term if way is not None else None
    if made is not None and made.node is not None and made.kind in (TermKind.OPERATION, TermKind.CALL):
        return made.node
    return noise.source.nodes.get("scale") or noise.draw.node


def data_loops(context: Context, term: Term) -> list[Loop]:
    """The loops over the elements of the data that a value differs between."""
    varies = context.exposed.varies(term)
    return [loop for loop in context.graph.loops if loop.bit & varies and over_data(context, loop)]


def over_data(context: Context, loop: Loop) -> bool:
    """Whether a loop runs over the elements of the data, or over their indices."""
    iterable = loop.iterable
    if iterable is None:
        return False
    if context.exposed.depends(iterable):
        return True
    if iterable.kind is TermKind.CALL and iterable.name == "range":
        return any(_is_length_of_data(one) for one in iterable.args)
    return False


def _is_length_of_data(term: Term) -> bool:
    if term.kind is TermKind.LENGTH:
        return _is_data(term.args[0])
    return term.kind is TermKind.OPERATION and any(_is_length_of_data(one) for one in term.args)


def _is_data(term: Term) -> bool:
    while term.kind is TermKind.CALL and term.args:
        term = term.args[0]
    return term.kind is TermKind.DATA


def is_whole_vector(context: Context, term: Term) -> bool:
    """Whether a value is an array with one entry for each element of the data."""
    for _ in range(20):
        if term.kind is TermKind.CALL and term.name == "array":
            return bool(term.args) and _is_data(term.args[0])
        if (
            term.kind is TermKind.CALL
            and term.name in ("clip", "abs", "nan_to_num", "copy", "astype", "float")
            and term.args
        ):
            term = term.args[0]
        elif term.kind is TermKind.OPERATION and term.name in ("+", "-", "*", "/", "neg"):
            arrays = [one for one in term.args if context.exposed.depends(one)]
            if len(arrays) != 1:
                return False
            term = arrays[0]
        else:
            return False
    return False
