"""Proposes where the end of a program begins that only works on private values, and what is inside of it.

The longest ends come first. Inside of an end there may be expressions that look at the data: those that also draw, or
where an expression is made of such ones, the parts of it. What is made of the data without noise counts as data, too.

Proposes numbers for claims with a delta: how far normal noise may move, and what its shifts cost, in floats.

Proposes what a mechanism on a sample of the records may claim, so that the claim of the whole follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

import z3

from dplint.claims import Claim
from dplint.program import nodes as ir
from dplint.program.walk import bound_names, children, walk

_MOST = 2
"""Expressions inside, each of which doubles what is to be shown."""
_WRAPPING = (ir.DictDisplay, ir.Draw, ir.IfExp, ir.ListDisplay, ir.Opaque, ir.TupleDisplay)


def ends(program: ir.Program) -> Iterator[tuple[int, list[ir.Expression]]]:
    """The statements at which an end may begin, and what looks at the data inside of it."""
    data = frozenset([(program.data or "").partition(".")[0]])
    made = data
    for place, first in enumerate(program.body):
        before = program.body[place - 1] if place else None
        if isinstance(before, ir.Pass):
            continue
        if isinstance(before, ir.Assign) and _mentions(before.value, made) and not _draws(program, before.value):
            made |= bound_names([before])
        tried: list[list[int]] = []
        for names, wrapping in dict.fromkeys(product((data, made), (False, True))):
            inner = [part for one in program.body[place:] for part in _inner(program, one, names, wrapping)]
            if [id(one) for one in inner] in tried or len(inner) > _MOST:
                continue
            tried.append([id(one) for one in inner])
            useful = all(_draws(program, one) or (isinstance(one, ir.Call) and one.function == "len") for one in inner)
            # The data as it is will not do; and an end after an assignment is no other than one with its value inside.
            same = isinstance(first, ir.Assign) and any(first.value is one for one in inner)
            if useful and not same and not _gives_back(first, inner):
                yield place, inner
    if program.body:
        last = program.body[-1]
        drawn = [one for one in walk(last) if isinstance(one, ir.Draw)]
        if 0 < len(drawn) <= _MOST and not _gives_back(last, [*drawn]):
            yield len(program.body) - 1, [*drawn]


def _gives_back(statement: ir.Node, inner: list[ir.Expression]) -> bool:
    """Whether a statement only returns what is inside, or variables."""
    if isinstance(statement, ir.Return | ir.TupleDisplay):
        return all(_gives_back(one, inner) for one in children(statement))
    return isinstance(statement, ir.Name) or any(statement is one for one in inner)


def _inner(program: ir.Program, node: ir.Node, data: frozenset[str], wrapping: bool) -> Iterator[ir.Expression]:
    """The expressions that look at the data: those that also draw, or where there is none, what is inside of displays.

    Whichever are found, `_kept` tells whether the end is one of them. wrapping: also go into displays and the like for
    what does not draw.
    """
    if not _mentions(node, data):
        return
    looking = [child for child in children(node) if _mentions(child, data)]
    is_statement = not isinstance(node, ir.Expression)
    drawing = looking and all(_draws(program, child) for child in looking)
    wraps = wrapping and (isinstance(node, _WRAPPING) or (isinstance(node, ir.Call) and node.function == "f-string"))
    if is_statement or (drawing and not isinstance(node, ir.Draw)) or (wraps and ir.Name not in map(type, looking)):
        for child in looking:
            yield from _inner(program, child, data, wrapping)
    else:
        yield node  # type: ignore[misc]  # it is no statement


def _mentions(node: ir.Node, names: frozenset[str]) -> bool:
    return any(isinstance(one, ir.Name) and one.id.partition(".")[0] in names for one in walk(node))


def _draws(program: ir.Program, node: ir.Node) -> bool:
    """Whether there is a draw in an expression, or in a function that it calls."""
    left, seen = [node], set()
    while left:
        for one in walk(left.pop()):
            if isinstance(one, ir.Draw):
                return True
            if isinstance(one, ir.CallFunction) and one.function not in seen:
                seen.add(one.function)
                left += program.function(one.function).body
    return False


_TIGHT = 1e-9
_STEPS = 200
_NAMED = {"epsilon": 0.5, "delta": 0.05}
"""Arguments at which a term is worked out; what hangs on others is no number, which the checker notices."""


def most_moved(epsilon: float, delta: float) -> Fraction | None:
    """The most sigmas by which noise may move (Balle and Wang, ICML 2018, theorem 8), or a little less."""
    low, high = 0.0, 1.0
    while _delta(high, epsilon) <= delta and high < 1e6:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if middle and _delta(middle, epsilon) <= delta else (low, middle)
    return Fraction(low * (1 - _TIGHT)) if low > 0 else None


def _delta(moved: float, epsilon: float) -> float:
    far, half = epsilon / moved, moved / 2
    below = [math.erfc(one / math.sqrt(2)) / 2 for one in (far - half, far + half)]
    try:
        return below[0] - math.exp(epsilon) * below[1]
    except OverflowError:
        return below[0]


def shares(cost: z3.ArithRef) -> Iterator[Fraction]:
    """Numbers that a cost may not exceed: a fraction of small numbers that is near, or a little more."""
    try:
        number = _worked_out(cost)
    except (ValueError, ArithmeticError, KeyError):
        return
    near = Fraction(number).limit_denominator(10_000)
    if near > 0 and abs(float(near) / number - 1) < _TIGHT:
        yield near
    if number > 0:
        yield Fraction(number * (1 + _TIGHT))


def _worked_out(value: z3.ExprRef) -> float:
    if z3.is_rational_value(value) or z3.is_int_value(value):
        return float(value.as_fraction()) if z3.is_rational_value(value) else float(value.as_long())
    name = value.decl().name()
    if z3.is_const(value):
        return _NAMED.get(name.removeprefix("a:"), 1.0)
    parts = [_worked_out(part) for part in value.children()]
    if z3.is_add(value):
        return math.fsum(parts)
    if z3.is_mul(value):
        return math.prod(parts)
    if z3.is_sub(value):
        return parts[0] - math.fsum(parts[1:])
    if z3.is_div(value):
        return parts[0] / parts[1]
    if z3.is_to_real(value):
        return parts[0]
    known: Mapping[str, Callable[..., float]] = {
        "log": math.log,
        "sqrt": math.sqrt,
        "exp": math.exp,
        "-": lambda one: -one,
    }
    return known[name.partition("/")[0]](*parts)


_LESS = 1e-9
_LARGEST = 50.0


def claims_of_samples(claim: Claim, rate: Fraction) -> Iterator[Claim]:
    """Of numbers, the largest ones; the same claim."""
    if (
        rate > 0
        and not isinstance(claim.epsilon, str)
        and not isinstance(claim.delta, str)
        and claim.epsilon < _LARGEST
    ):
        epsilon, delta = math.log1p(math.expm1(claim.epsilon) / float(rate)), claim.delta / float(rate)
        # A program may have worked it out in floats, which are not larger than what follows, or are.
        for share in (1.0, 1 - _LESS):
            yield replace(claim, epsilon=epsilon * share, delta=delta * share)
    yield claim
