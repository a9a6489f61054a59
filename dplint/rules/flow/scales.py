"""The algebra of scales: a value as a coefficient times powers of what it is made of, as far as that can be said."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dplint.rules.flow.terms import Term, TermKind

EPSILON = "epsilon"
"""Stands for all parameters that make up the epsilon of the claim."""
_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "exp": math.exp,
    "ceil": math.ceil,
    "abs": abs,
}
"""Functions of numbers that are worked out."""
_MOST_WAYS = 8
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Monomial:
    """coefficient * product of key ** power. exact: the coefficient is known; otherwise only its sign is.

    keys: `EPSILON`, the name of a parameter, "len" for the length of the data, or the number of a term that is not
    looked into, as "#12". node: where this value is made.
    """

    coefficient: float
    powers: Mapping[str, Fraction] = field(default_factory=dict)
    exact: bool = True
    term: Term | None = None

    def power(self, key: str) -> Fraction:
        """The power of a key, 0 if it does not occur."""
        return self.powers.get(key, Fraction(0))

    @property
    def others(self) -> frozenset[str]:
        """What it is made of besides epsilon."""
        return frozenset(key for key, power in self.powers.items() if key != EPSILON and power)

    def times(self, other: Monomial, sign: int = 1) -> Monomial | None:
        """The product, or for -1 the quotient; None where that is not finite."""
        powers = dict(self.powers)
        for key, power in other.powers.items():
            powers[key] = powers.get(key, Fraction(0)) + sign * power
        coefficient = _finite(lambda: self.coefficient * other.coefficient**sign)
        if coefficient is None:
            return None
        kept = {key: power for key, power in powers.items() if power}
        return Monomial(coefficient, kept, self.exact and other.exact, self.term)

    def to(self, power: Fraction) -> Monomial | None:
        """A power of it."""
        coefficient = _finite(lambda: float(self.coefficient) ** float(power))
        if coefficient is None:
            return None
        return Monomial(coefficient, {key: one * power for key, one in self.powers.items()}, self.exact, self.term)


class Algebra:
    """Reads terms as monomials.

    key: what a symbol, or any other term that is not taken apart, is called, or its number; None for neither.
    mentions: whether epsilon is anywhere in a term, so that it cannot stand as an unknown factor.

    In a draw stands the draw's scale, so that `scale * rng.standard_normal()` has the magnitude `scale`.
    """

    def __init__(self, key: Callable[[Term], str | float | None], mentions: Callable[[Term], bool]) -> None:
        self._key = key
        self._mentions = mentions
        self._known: dict[Term, tuple[Monomial, ...] | None] = {}

    def ways(self, term: Term, depth: int = 0) -> tuple[Monomial, ...] | None:
        """What the value may be, one monomial for each way through the branches; None where that cannot be said."""
        if term in self._known:
            return self._known[term]
        if depth > _DEEPEST:
            return None
        self._known[term] = None  # in a circle
        found = self._find(term, depth + 1)
        ways = None if found is None else tuple(found[:_MOST_WAYS])
        if ways is None and not self._mentions(term):
            ways = (_opaque(term),)
        self._known[term] = ways
        return ways

    def single(self, term: Term) -> Monomial | None:
        """The monomial, if there is one way only."""
        ways = self.ways(term)
        return ways[0] if ways is not None and len(ways) == 1 else None

    def _find(self, term: Term, depth: int) -> list[Monomial] | None:
        key = self._key(term)
        if isinstance(key, float):
            return [Monomial(key, term=term)]
        if key is not None:
            return [Monomial(1.0, {key: Fraction(1)}, term=term)]
        match term.kind:
            case TermKind.CONSTANT:
                number = term.number_written
                return None if number is None else _constant(term, lambda: number)
            case TermKind.OPERATION:
                return self._operation(term, depth)
            case TermKind.CALL:
                return self._call(term, depth)
            case TermKind.CHOICE | TermKind.EXIT:
                return self._joined(term.args, depth)
            case TermKind.DRAW:
                scale = term.argument("scale")
                ways = None if scale is None else self.ways(scale, depth)
                return None if ways is None else list(ways)
        return None

    def _joined(self, terms: Iterable[Term], depth: int) -> list[Monomial] | None:
        found: list[Monomial] = []
        for term in terms:
            ways = self.ways(term, depth)
            if ways is None:
                return None
            found += ways
        return found

    def _operation(self, term: Term, depth: int) -> list[Monomial] | None:
        if term.name == "neg":
            ways = self.ways(term.args[0], depth)
            return None if ways is None else list(ways)
        if term.name in ("*", "/", "+", "-", "**") and len(term.args) == 2:
            left, right = (self.ways(one, depth) for one in term.args)
            if left is None or right is None:
                return None
            pairs = [(one, two) for one in left for two in right][:_MOST_WAYS]
            found = [self._pair(term, one, two) for one, two in pairs]
            known = [one for one in found if one is not None]
            return known if len(known) == len(found) else None
        return None

    def _pair(self, term: Term, left: Monomial, right: Monomial) -> Monomial | None:
        result: Monomial | None
        if term.name in ("*", "/"):
            result = left.times(right, 1 if term.name == "*" else -1)
        elif term.name == "**":
            result = (
                None if right.powers or not right.exact else left.to(Fraction(right.coefficient).limit_denominator())
            )
        else:
            result = _sum(term, left, right)
        if result is None:
            return None
        placed = term if len(result.powers) or result.exact else None
        return Monomial(result.coefficient, result.powers, result.exact, placed)

    def _extreme(self, term: Term, parts: list[Monomial]) -> list[Monomial]:
        """Of `max` and `min` of such parts. That something is not below 0 says nothing of what it is."""
        if len(parts) == len(term.args) and all(one.exact and not one.powers for one in parts):
            chosen = max if term.name == "max" else min
            return [Monomial(chosen(one.coefficient for one in parts), term=term)]
        return [one for one in parts if term.name == "min" or one.powers or not one.exact or one.coefficient > 0]

    def _call(self, term: Term, depth: int) -> list[Monomial] | None:
        first = term.args[0] if term.args else None
        if first is None:
            return None
        if term.name in ("float", "array", "item", "squeeze"):
            ways = self.ways(first, depth)
            return None if ways is None else list(ways)
        if term.name in ("sqrt", "square", "pow"):
            power = {"sqrt": Fraction(1, 2), "square": Fraction(2)}.get(term.name)
            if power is None:
                exponent = self.single(term.args[1]) if len(term.args) == 2 else None
                if exponent is None or exponent.powers:
                    return None
                power = Fraction(exponent.coefficient).limit_denominator()
            ways = self.ways(first, depth)
            found = [one.to(power) for one in ways or ()]
            return [one for one in found if one is not None] if found and None not in found else None
        if term.name in ("max", "min") and len(term.args) > 1:
            return self._extreme(term, self._joined(term.args, depth) or []) or None
        if term.name in _FUNCTIONS and len(term.args) == 1:
            inner = self.single(first)
            if inner is not None and not inner.powers and inner.exact:
                return _constant(term, lambda: _FUNCTIONS[term.name](inner.coefficient))
        return None


def _sum(term: Term, left: Monomial, right: Monomial) -> Monomial | None:
    sign = 1 if term.name == "+" else -1
    if left.powers == right.powers:
        coefficient = left.coefficient + sign * right.coefficient
        exact = left.exact and right.exact
        if exact or coefficient > 0:
            return Monomial(coefficient, left.powers, exact)
    if left.power(EPSILON) == right.power(EPSILON):
        # How it depends on epsilon is known; the rest is one thing of its own.
        power = left.power(EPSILON)
        powers = {f"#{term.number}": Fraction(1)} | ({EPSILON: power} if power else {})
        return Monomial(1.0, powers, exact=False)
    return None


def _opaque(term: Term) -> Monomial:
    """A value that is not looked into."""
    return Monomial(1.0, {f"#{term.number}": Fraction(1)}, exact=False, term=term)


def _constant(term: Term, compute: Callable[[], float]) -> list[Monomial] | None:
    number = _finite(compute)
    return None if number is None else [Monomial(number, term=term)]


def _finite(compute: Callable[[], float]) -> float | None:
    """What is computed, None where that is no finite number: also where it is complex."""
    try:
        number = float(compute())
    except (ArithmeticError, TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
