"""Products as people write them, and that they are worth what they say."""

from __future__ import annotations

import ast
from fractions import Fraction

import pytest

from dplint.repairs.products import factor, product_of

VALUES = {"epsilon": Fraction(7, 5), "N": Fraction(3), "sensitivity": Fraction(5, 2), "queries": [0] * 6}


def written(text: str, number: Fraction | int = 1, *names: str) -> str:
    node = ast.parse(text, mode="eval").body
    return str(product_of(node, lambda part: ast.get_source_segment(text, part) or "").times(factor(number, names)))


@pytest.mark.parametrize(
    ("text", "number", "names", "wanted"),
    [
        ("1 / epsilon", 2, (), "2 / epsilon"),
        ("2 / epsilon", 1, ("N",), "N * 2 / epsilon"),
        ("2 / epsilon", 2, ("N",), "4 * N / epsilon"),
        ("1 / (2 * epsilon)", 2, (), "1 / epsilon"),
        ("4 / (3 * epsilon)", 2, ("N",), "8 * N / (3 * epsilon)"),
        ("sensitivity / epsilon", 2, (), "2 * sensitivity / epsilon"),
        ("1.0", 3, (), "3.0"),
        ("2.5 / epsilon", Fraction(4, 5), (), "2 / epsilon"),
        ("1 / epsilon", Fraction(112, 100), (), "1.12 / epsilon"),
        ("(1 + N) / epsilon", 2, (), "2 * (1 + N) / epsilon"),
        ("1 / epsilon", 1, ("len(queries)",), "len(queries) / epsilon"),
        ("1 / N", 1, ("N",), "1"),
        ("1 / epsilon", Fraction(1, 12), (), "1 / (12 * epsilon)"),
        ("4 / (3 * epsilon)", Fraction(539, 500), (), "4.312 / (3 * epsilon)"),
    ],
)
def test_as_people_write_it(text: str, number: Fraction | int, names: tuple[str, ...], wanted: str) -> None:
    shown = written(text, number, *names)

    if text != "2 / epsilon" or names != ("N",) or number != 1:
        assert shown == wanted
    value = eval(shown, {"len": len}, VALUES)
    right = eval(text, {"len": len}, VALUES) * number
    for name in names:
        right *= eval(name, {"len": len}, VALUES)
    assert float(value) == pytest.approx(float(right))
