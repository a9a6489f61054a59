"""What noise pays for: the loss of one noisy value, and how many of them are released.

How far a value moves at least, where the data moves as far as the claim allows.

Looking for terms inside of other terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import libcst as cst

from dplint.claims import Interval
from dplint.program.calls import words
from dplint.rules.context import Context
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.releases import Form
from dplint.rules.flow.scales import EPSILON, Monomial
from dplint.rules.flow.terms import Loop, Term, TermKind, innermost, inside, reached


def moves_fully(context: Context, term: Term) -> bool:
    """Whether a value certainly moves by the whole sensitivity of the claim, or, for records, by one.

    An element of a vector, and a sum of all of them, do; of records the counts do, and sums of values that are clipped
    to bounds that far apart. For everything else the answer is no, which means that it is not known.
    """
    if context.on_vectors:
        return _is_element(term) or _is_sum(term)
    return context.on_records and (_is_count(term) or _moves_by_one(context, term))


def share_of_move(context: Context, term: Term) -> float | None:
    """The share of the data's own move that is left in a value, at most 1; None where a factor is not known.

    Averages, weights and units make it smaller. Of what is neither arithmetic nor a copy, nothing is said: it is 1.
    """
    known: dict[Term, float | None] = {}

    def share(one: Term) -> float | None:
        if one not in known:
            known[one] = 1.0  # in a circle
            known[one] = _work_out_share(context, one, share)
        return known[one]

    return share(term)


def _work_out_share(context: Context, term: Term, share_of: Callable[[Term], float | None]) -> float | None:
    """share_of: of what it is made of."""
    moving = [one for one in term.args if context.exposed.depends(one)]
    if not moving or not (term.kind is TermKind.OPERATION or term.is_call(words("moves"))):
        return 1.0
    shares = [share_of(one) for one in moving]
    known = [share for share in shares if share is not None]
    if len(known) < len(shares):
        return None
    least = min(1.0, *known)
    if term.name not in ("*", "/") or len(term.args) != 2 or len(moving) != 1:
        return least
    one, other = term.args
    if moving[0] is other:
        if term.name == "/":
            return None
        other = one
    factor = context.algebra.single(other)
    if factor is None or not factor.exact or factor.powers or not factor.coefficient:
        return None
    size = abs(factor.coefficient)
    return least * min(1.0, 1 / size if term.name == "/" else size)


_COPIES = ("list", "tuple", "array", "float", "copy", "reversed", "enumerate")


def _is_data(term: Term) -> bool:
    return innermost(term, lambda one: one.is_call(_COPIES) and len(one.args) == 1).kind is TermKind.DATA


def _is_element(term: Term) -> bool:
    if term.kind is TermKind.DATA:
        return term.value == "scalar"
    if term.kind is TermKind.ELEMENT:
        return _is_data(term.args[0])
    return term.is_operation("[]") and len(term.args) == 2 and (_is_data(term.args[0]) and term.args[1].name != "slice")


def _is_sum(term: Term) -> bool:
    if term.is_call("sum"):
        return len(term.args) == 1 and _is_data(term.args[0])
    return _accumulates(term, _is_element)


def _is_count(term: Term) -> bool:
    if term.kind is TermKind.LENGTH:
        return term.args[0].kind is TermKind.DATA
    if term.is_call("sum") and term.args:
        inner = term.args[0]
        return inner.kind is TermKind.CONTAINER and isinstance(inner.value, tuple) and inner.args[0].is_number(1)
    if term.is_call("count") and len(term.args) == 2:
        return _is_data(term.args[0])
    return _accumulates(term, lambda one: one.is_number(1))


def _moves_by_one(context: Context, term: Term) -> bool:
    """Whether a term is a sum of clipped values, one of which may move it by 1 or more, in the claim's domain."""
    domain = context.mechanism.claim.domain
    if not term.is_call("sum") or len(term.args) != 1 or not isinstance(domain, Interval):
        return False
    bounds = _clipped(term.args[0])
    if bounds is None or domain.low > bounds[0] or domain.high < bounds[1]:
        return False
    exponent = _exponent(term.args[0])
    low, high = bounds
    if exponent is not None:
        if low < 0 or exponent <= 0:
            return False
        low, high = low**exponent, high**exponent
    return max(abs(low), abs(high)) >= 1 if context.records_come_and_go else high - low >= 1


def _exponent(term: Term) -> float | None:
    return term.args[1].number_written if term.is_operation("**") else None


def _clipped(term: Term) -> tuple[float, float] | None:
    """The numbers that all of the data is clipped to, also where it is raised to a power afterwards."""
    if _exponent(term) is not None:
        term = term.args[0]
    if not term.is_call("clip") or len(term.args) != 3 or not _is_data(term.args[0]):
        return None
    low, high = (one.number_written for one in term.args[1:])
    return None if low is None or high is None or low > high else (low, high)


def _accumulates(term: Term, part: Callable[[Term], bool]) -> bool:
    """Whether a variable is zero before a loop, and a part is added in each round, or in some."""
    term = innermost(term, lambda one: one.kind is TermKind.EXIT)
    if term.kind is not TermKind.LOOP or len(term.args) != 2:
        return False
    start, step = term.args
    if not start.is_number(0):
        return False
    added = [one for one in step.alternatives if one is not term]
    return bool(added) and all(one.is_operation("+") and one.args[0] is term and part(one.args[1]) for one in added)


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


def factors_above(term: Term) -> Iterator[Term]:
    """A term, and the factors of the product that it is, or that stands above the line of a fraction."""

    def follow(one: Term) -> list[Term]:
        above = one.is_operation("/") or one.kind is TermKind.EXIT
        return one.args if one.is_operation("*") else one.args[:1] if above else []

    return reached([term], follow)


def data_loops(context: Context, term: Term) -> list[Loop]:
    """The loops over the elements of the data that a value differs between."""
    varies = context.exposed.varies(term)
    return [loop for loop in context.graph.loops if loop.bit & varies and over_data(context, loop)]


def one_for_each(context: Context, noise: Noise, met: Term) -> bool:
    """Whether there is one noisy value for each element of the data."""
    return bool(data_loops(context, met)) or any(is_whole_vector(context, one) for one in noise.raw)


def all_released(context: Context, noise: Noise, met: Term) -> bool:
    """Whether one noisy value is released for each element of the data, with no end before the last."""
    whole = Form.VALUE in context.releases.of(met) and one_for_each(context, noise, met)
    return whole and not any(loop.exits for loop in data_loops(context, met))


def over_data(context: Context, loop: Loop) -> bool:
    """Whether a loop runs over the elements of the data, or over their indices."""
    iterable = loop.iterable
    if iterable is None:
        return False
    if context.exposed.depends(iterable):
        return True
    if iterable.is_call("range"):
        return any(_is_length_of_data(one) for one in iterable.args)
    return False


def _is_length_of_data(term: Term) -> bool:
    if term.kind is TermKind.LENGTH:
        return _is_of_data(term.args[0])
    return term.kind is TermKind.OPERATION and any(_is_length_of_data(one) for one in term.args)


def _is_of_data(term: Term) -> bool:
    return innermost(term, lambda one: one.kind is TermKind.CALL).kind is TermKind.DATA


def is_whole_vector(context: Context, term: Term) -> bool:
    """Whether a value is an array with one entry for each element of the data."""
    for _ in range(20):
        if term.is_call("array"):
            return bool(term.args) and _is_of_data(term.args[0])
        if term.is_call(("clip", "abs", "nan_to_num", "copy", "astype", "float")) and term.args:
            term = term.args[0]
        elif term.is_operation(("+", "-", "*", "/", "neg")):
            arrays = [one for one in term.args if context.exposed.depends(one)]
            if len(arrays) != 1:
                return False
            term = arrays[0]
        else:
            return False
    return False


_ARITHMETIC = (TermKind.OPERATION, TermKind.CALL, TermKind.CHOICE, TermKind.EXIT, TermKind.COMPARISON)


def is_arithmetic(term: Term) -> bool:
    """Whether a term is made by operators and functions, not by loops, containers or draws."""
    return term.kind in _ARITHMETIC


def logarithm_of_delta(term: Term) -> Term | None:
    """The `log(1.25 / delta)` of the classic Gaussian mechanism inside a scale, None if there is none."""
    logarithms = (one for one in inside(term, is_arithmetic) if one.is_call("log") and one.args)
    classic = (one for one in logarithms if any(two.is_number(1.25) for two in inside(one.args[0], is_arithmetic)))
    return next(classic, None)
