"""Scales multiplied as people write it: `2 / epsilon` times `N` is `2 * N / epsilon`, and not `(2 / epsilon) * N`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

_SIMPLE = 60
"""People write fractions with smaller denominators, where a number is no decimal."""
_COMPOUND = (ast.BinOp, ast.IfExp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.Lambda)


@dataclass(frozen=True)
class Product:
    """number * top / bottom, each a list of texts. floating: whether some number of it is written as a float."""

    number: Fraction = Fraction(1)
    top: tuple[str, ...] = ()
    bottom: tuple[str, ...] = ()
    floating: bool = False

    def times(self, other: Product) -> Product:
        """The product, with what stands above and below left out."""
        top, bottom = [*other.top, *self.top], [*other.bottom, *self.bottom]
        for one in [*top]:
            if one in bottom:
                top.remove(one)
                bottom.remove(one)
        return Product(self.number * other.number, tuple(top), tuple(bottom), self.floating or other.floating)

    @property
    def inverse(self) -> Product:
        """One over it."""
        return Product(1 / self.number, self.bottom, self.top, self.floating)

    def __str__(self) -> str:
        """As people write it."""
        below = self.number.denominator
        for part in (2, 5):  # what is left is no part of a decimal number
            while below % part == 0:
                below //= part
        if below > 1 and self.number.denominator <= _SIMPLE:
            below = self.number.denominator
        above = self.number * below
        alone = not self.top and not self.bottom
        first = f"{float(above)!r}" if above.denominator > 1 or (self.floating and alone) else str(above)
        top = [*([] if above == 1 and self.top else [first]), *self.top]
        bottom = [*([] if below == 1 else [str(below)]), *self.bottom]
        written = " * ".join(top)
        if not bottom:
            return written
        return f"{written} / {bottom[0]}" if len(bottom) == 1 else f"{written} / ({' * '.join(bottom)})"


def product_of(node: ast.expr, segment: Callable[[ast.expr], str]) -> Product:
    """An expression as a product; what is none is one factor of it."""
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as value) if value > 0 and value < 1e15:
            return Product(Fraction(segment(node).replace("_", "")), floating=isinstance(value, float))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as operator, right=right):
            first, second = product_of(left, segment), product_of(right, segment)
            return _joined(first, second if isinstance(operator, ast.Mult) else second.inverse)
    text = segment(node)
    return Product(top=(f"({text})" if isinstance(node, _COMPOUND) else text,))


def _joined(first: Product, second: Product) -> Product:
    """As written, in this order."""
    floating = first.floating or second.floating
    return Product(first.number * second.number, first.top + second.top, first.bottom + second.bottom, floating)


def factor(number: Fraction | int = 1, names: Sequence[str] = ()) -> Product:
    """What is multiplied by."""
    return Product(Fraction(number), tuple(names))
