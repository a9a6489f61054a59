"""The expressions of a claim."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.expressions import ExpressionError, evaluate_expression, expression_parameters, length_parameters
from tests.examples import examples

VALUES = {"a": 2, "b": 0.5, "w": [1.0, 2.0, 4], "t": (), "s": "x", "yes": True, "n": None}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1", 1.0),
        ("a + b", 2.5),
        ("-a * (b - 3)", 5.0),
        ("a ** 3 / 4", 2.0),
        ("a ** -1", 0.5),
        (" a ", 2.0),
        ("+a", 2.0),
        ("min(a, b, 1) + max(a, 7)", 7.5),
        ("abs(b - 1)", 0.5),
        ("sqrt(a * 8)", 4.0),
        ("math.log(exp(3))", 3.0),
        ("log(8, 2)", 3.0),
        ("sum(w) / len(w)", 7 / 3),
        ("max(w)", 4.0),
        ("sum(t) + len(t)", 0.0),
        ("yes + 1", 2.0),
    ],
)
def test_values(expression: str, value: float) -> None:
    result = evaluate_expression(expression, VALUES)
    assert isinstance(result, float)
    assert result == pytest.approx(value)


@pytest.mark.parametrize(
    "expression",
    [
        "", "a +", "a b", "(", "a\0", "'x'", "None", "True", "1j", "a.b", "w[0]", "a if b else 1", "lambda: 1", "a < b",
        "a // b", "a % b", "not a", "~a", "[a]", "f(a)", "eval('1')", "__import__('os')", "math.floor(a)", "os.log(a)",
        "log()", "sqrt(a, b)", "max()", "max(*w)", "log(x=a)", "sum(a, b)", "sum([1])", "len(a + b)", "(a := 1)",
        "a" * 2000, "(" * 500,
    ],
)  # fmt: skip
def test_what_an_expression_may_not_hold(expression: str) -> None:
    with pytest.raises(ExpressionError):
        expression_parameters(expression)
    with pytest.raises(ExpressionError):
        evaluate_expression(expression, VALUES)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("1 / (a - 2)", "divides by zero"),
        ("0 ** -1", "no real value"),
        ("log(0)", "no real value"),
        ("(-1) ** b", "no real value"),
        ("9 ** 9 ** 9", "too large"),
        ("exp(1000)", "too large"),
        ("1e308 * 10", "finite"),
        ("c", "'c' has no value"),
        ("s + 1", "'s' is 'x'"),
        ("n", "'n' is None"),
        ("w", "not a number"),
        ("len(a)", "not a sequence"),
        ("max(t)", "no real value"),
    ],
)
def test_what_has_no_value(expression: str, words: str) -> None:
    expression_parameters(expression)
    with pytest.raises(ValueError, match=words):
        evaluate_expression(expression, VALUES)


def test_an_attribute_of_the_object_has_a_cure_of_its_own() -> None:
    with pytest.raises(ExpressionError, match="write the number that the object is made with"):
        expression_parameters("2 * self.epsilon")
    with pytest.raises(ExpressionError, match="allowed are"):
        expression_parameters("2 * budget.epsilon")


def test_parameters() -> None:
    assert expression_parameters("eps1 + min(eps2, 2) * sum(w) / math.log(x)") == {"eps1", "eps2", "w", "x"}
    assert expression_parameters("1 + 2") == frozenset()
    assert length_parameters("len(q) * e + len(r) + r") == {"q"}
    assert length_parameters("sum(q)") == frozenset()


@examples(200)
@given(st.text("abw019.+-*/() ,e", max_size=20))
def test_a_value_is_what_python_says(expression: str) -> None:
    """Only characters of the language: what is accepted means in Python what it means here."""
    try:
        result = evaluate_expression(expression, {"a": 2.0, "b": 0.5, "w": 3.0, "e": 1.5})
    except ValueError:
        return
    python = eval(expression.strip(), {"__builtins__": {}}, {"a": 2.0, "b": 0.5, "w": 3.0, "e": 1.5})
    assert math.isclose(result, python, rel_tol=1e-9)
