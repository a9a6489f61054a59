"""What calls in a project make with a class or a library, as texts that stand for it."""

from __future__ import annotations

import ast
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from dplint.claims import is_by_name, is_made, spelled
from dplint.runner.failures import Failure
from dplint.runner.fresh_values import fresh, made, meant
from dplint.source.passed_values import Scope, literal_of

IMPORTS = {
    "np": "numpy",
    "Domain": "lib.Domain",
    "Ledger": "lib.Ledger",
    "Fake": "tests.test_it.Fake",
    "load": "lib.load",
}


def text_of(code: str) -> object:
    found = literal_of(ast.parse(code, mode="eval").body, Scope(IMPORTS))
    return None if found is None else found[0]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Domain(low=0, high=5.0)", "lib:Domain(low=0, high=5.0)"),
        ("np.zeros((2, 3))", "numpy:zeros((2, 3))"),
        ("Domain(low=np.ones(3), names=['a'])", "lib:Domain(low='numpy:ones(3)', names=['a'])"),
        ("Domain()", "lib:Domain()"),
    ],
)
def test_what_a_call_makes_is_a_text(code: str, text: str) -> None:
    assert text_of(code) == text
    assert is_by_name(text)
    assert is_made(text)


@pytest.mark.parametrize(
    "code",
    [
        "Ledger(epsilon=1.0)",  # the claim may be about another one
        "Ledger(total_delta=1e-6)",
        "Ledger(1.0)",  # which may be an epsilon
        "Fake(low=0)",  # of a test
        "load(path='x')",  # which may do more than to make something
        "np.random.default_rng(3)",
        "Domain(low=unknown)",
        "Domain(**given)",
    ],
)
def test_what_may_be_something_else_is_none(code: str) -> None:
    assert text_of(code) is None


def test_the_runner_makes_what_the_text_says() -> None:
    def pair(low: object, high: object = 1) -> tuple[object, object]:
        return low, high

    module = SimpleNamespace(__name__="own", pair=pair)
    assert fresh(meant(module, ":pair(2, high='fractions:Fraction(1, 3)')")) == (2, Fraction(1, 3))
    assert np.array_equal(meant(module, "numpy:arange(3)"), [0, 1, 2])
    assert meant(module, "math:pi") == math.pi
    assert made(module, "a:b") == "a:b", "a text of its own"
    assert made(module, [1]) == [1]


@pytest.mark.parametrize("text", [":nothing(1)", ":pair()", ":pair(x)", ":pair(1", "no.such.module:Thing(1)"])
def test_what_cannot_be_made_says_so(text: str) -> None:
    module = SimpleNamespace(__name__="own", pair=lambda low: low)
    with pytest.raises(Failure) as failure:
        meant(module, text if text.endswith(")") else f"{text})(")
    assert text.partition("(")[0].strip(":") in str(failure.value)


def test_code_says_it_with_the_module_that_it_is_of() -> None:
    assert spelled("numpy:ones(3)") == "numpy.ones(3)"
    assert spelled(":Domain(low=0)") == "Domain(low=0)"
    assert spelled("settings:WEIGHTS") == "WEIGHTS"
