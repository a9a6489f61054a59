"""What is known of arguments and of their exponentials: e^(epsilon / 2) is a positive number with the square e^epsilon.

A `Decider` for runs on known data: nothing in them is a term but what is made of arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction

import z3

from dplint.proofs.checker.costs import MINUS, ONE, Ratio, ratio_of
from dplint.proofs.checker.inputs import claimed
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.values import Mask, NotProved, Value, Values, fail_if, is_term, refuse, term
from dplint.syntax import parse_expression

_LARGEST = 8
"""Exponentials of `epsilon * p / q` are known for p and q up to this."""
_TERMS = 40


class Exponentials(Known):
    """Answers questions about terms over arguments. Implements `Decider`.

    roots: the variables of exponentials, by the text of an argument and by what it is divided.
    large: how many times which argument has been an exponent; one of these may be too large for a float.
    """

    def __init__(self, world: Sequence[z3.BoolRef]) -> None:
        super().__init__(world)
        self.roots: dict[tuple[str, int], z3.ArithRef] = {}
        self.large: set[tuple[str, Fraction]] = set()

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:  # noqa: ARG002 - no run asks
        """No term has noise in it."""
        raise refuse("a decision that is not about a coin")

    def argument(self, condition: z3.BoolRef) -> Mask:
        """A condition on arguments that comes out one way for all of them."""
        if self.certain(condition):
            return True
        if self.certain(z3.Not(condition)):
            return False
        raise refuse("a condition that comes out differently for different arguments")

    def at_most(self, left: Value, right: Value) -> bool:
        """Whether left <= right, for all arguments."""
        if not is_term(left) and not is_term(right):
            return bool(left <= right)
        return self.certain(term(left) <= term(right))

    def ratio_at_most(self, left: Ratio, right: Ratio) -> bool:
        """The same for rational functions, multiplied by their denominators."""
        difference = right + MINUS * left
        known = difference.value.value
        if known is not None:
            return known >= 0
        return self.certain(difference.denominator() > 0) and self.certain(difference.numerator() >= 0)

    def exponential(self, value: Value) -> z3.ArithRef:
        """Euler's number to the power of a whole number of halves, thirds, ... of one argument."""
        if not is_term(value):
            if value == 0:
                return z3.RealVal(1)
            raise refuse("the exponential of a number that is not 0")
        ratio = ratio_of(value)
        monomials = list(ratio.value.top.items())
        if ratio.value.bottom != ONE.value.bottom or [[power for _, power in one] for one, _ in monomials] != [[1]]:
            raise refuse("the exponential of what is no multiple of one argument")
        ((name, _),), factor = monomials[0]
        self.large |= {(name, factor)} if factor > 0 else set()
        power, root = abs(factor.numerator), factor.denominator
        if power > _LARGEST or root > _LARGEST:
            raise refuse("the exponential of so large or so small a multiple of an argument")
        result = z3.Product([self._root(name, ratio.variables[name], root)] * power)
        return result if factor > 0 else 1 / result

    def _root(self, name: str, variable: z3.ArithRef, root: int) -> z3.ArithRef:
        """Euler's number to the power of an argument divided by a whole number."""
        if (name, root) not in self.roots:
            found = z3.Real(f"a:exp:{name}/{root}")
            self.roots[name, root] = found
            self.assume(found > 0)
            self.assume((found > 1) == (variable > 0))
            if root > 1:
                self.assume(z3.Product([found] * root) == self._root(name, variable, 1))
        return self.roots[name, root]

    def of_claim(self, epsilon: float | str, values: Values, data: str) -> Ratio:
        """Euler's number to the power of the claimed epsilon, or a number that is less than that."""
        text = epsilon if isinstance(epsilon, str) else repr(epsilon)
        return self._power(parse_expression(text), values, data)

    def _power(self, node: ast.expr, values: Values, data: str) -> Ratio:
        match node:
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._power(left, values, data) * self._power(right, values, data)
            case ast.BinOp(left=ast.Constant(value=int(times)), op=ast.Mult(), right=one) if 0 < times <= 4 * _LARGEST:
                base, result = self._power(one, values, data), ONE
                for _ in range(times):
                    result = result * base
                return result
            case ast.Call(func=ast.Name(id="log"), args=[one]):
                ratio = ratio_of(claimed(ast.unparse(one), values, data, None))
                if not self.certain(ratio.denominator() > 0) or not self.certain(ratio.numerator() > 0):
                    raise NotProved("a claim with the logarithm of what may not be positive")
                return ratio
        value = claimed(ast.unparse(node), values, data, None)
        known = ratio_of(value).value.value
        if known is None:
            return ratio_of(self.exponential(value))
        fail_if(known < 0, "a claimed epsilon that is negative")
        return ratio_of(_exponential_from_below(known))


def _exponential_from_below(number: Fraction) -> Fraction:
    """A sum of the first terms of the series, all of which are positive."""
    total, summand = Fraction(0), Fraction(1)
    for turn in range(1, _TERMS):
        total += summand
        summand = summand * number / turn
    return total
