"""Claims in rho, mu and Renyi divergences: as decorators, comments and tables, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.claims import Promise, Span
from dplint.config import ClaimTable
from dplint.source.read import SourceFile, read_source

FUNCTION = "def total(answers, rho=0.5, alpha=2):\n    return answers\n"


def read(text: str, **values: object) -> SourceFile:
    table = {"steps:total": ClaimTable("steps:total", values, "pyproject.toml", Span(1, 1, 1, 1))} if values else {}
    return read_source(Path("steps.py"), file="steps.py", text=text, table=table)


def decorated(arguments: str, function: str = FUNCTION) -> SourceFile:
    return read(f"from dplint import dp\n\n\n@dp({arguments})\n{function}")


def promise(source: SourceFile) -> Promise | None:
    assert source.findings == ()
    (found,) = source.mechanisms
    return found.mechanism.claim.promise


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("rho=0.5", Promise("rho", (0.5,))),
        ('rho="rho"', Promise("rho", ("rho",))),
        ("rho=0.5, delta=1e-5", Promise("rho", (0.5, 1e-5))),
        ('mu="2 * rho"', Promise("mu", ("2 * rho",))),
        ("renyi=(8, 0.5)", Promise("renyi", (8.0, 0.5))),
        ('renyi=[(2, 0.1), (8, "rho")]', Promise("renyi", (2.0, 0.1, 8.0, "rho"))),
    ],
)
def test_forms(arguments: str, expected: Promise) -> None:
    assert promise(decorated(arguments)) == expected
    assert promise(read(f"# dplint: dp({arguments})\n{FUNCTION}")) == expected


@pytest.mark.parametrize(("written", "reference"), [("total", ":total"), ('"steps:total"', "steps:total")])
def test_a_curve_is_a_function(written: str, reference: str) -> None:
    function = FUNCTION + "\n\n@dp(curve=total)\ndef other(answers):\n    return answers\n"
    first, second = decorated("rho=1", function.replace("curve=total", f"curve={written}")).mechanisms
    assert second.mechanism.claim.promise == Promise("curve", (reference,))
    assert first.mechanism.digest != second.mechanism.digest


def test_tables() -> None:
    assert promise(read(FUNCTION, curve="steps:total")) == Promise("curve", ("steps:total",))
    assert promise(read(FUNCTION, rho="rho / 2")) == Promise("rho", ("rho / 2",))
    assert promise(read(FUNCTION, renyi=[8, 0.5])) == Promise("renyi", (8.0, 0.5))
    assert promise(read(FUNCTION, renyi=[[2, 0.1], [8, 0.5]])) == Promise("renyi", (2.0, 0.1, 8.0, 0.5))


def test_an_expression_in_the_order() -> None:
    function = "def total(answers, rho):\n    return answers\n"
    found = promise(decorated('renyi="alpha * rho"', function))
    assert found == Promise("renyi", ("alpha * rho",))
    assert found.of_all_orders


@pytest.mark.parametrize(
    ("code", "arguments", "words"),
    [
        ("DP001", "rho=0.5, mu=1", "Keep one"),
        ("DP001", "epsilon=1, rho=0.5", "Keep one"),
        ("DP002", "delta=1e-5", "no epsilon"),
        ("DP003", "rho=0", "positive and finite"),
        ("DP003", "mu=-1.0", "positive and finite"),
        ("DP003", "rho=True", "positive and finite"),
        ("DP003", "renyi=0.5", "alpha > 1"),
        ("DP003", "renyi=(1, 0.5)", "alpha > 1"),
        ("DP003", "renyi=[]", "alpha > 1"),
        ("DP003", "renyi=[(2, 0.5), 3]", "alpha > 1"),
        ("DP003", "renyi=(2, -0.5)", "positive and finite"),
        ("DP004", "mu=1, delta=1e-5", "beside epsilon or rho"),
        ("DP004", "rho=1, delta=2", "less than 1"),
        ("DP003", 'curve="total"', "is no function"),
        ("DP003", "curve=0.5", "is no function"),
        ("DP004", 'curve=":f", delta=1e-5', "beside epsilon or rho"),
        ("DP001", 'curve=":f", rho=1', "Keep one"),
        ("DP007", 'rho="rhoo"', "no parameter"),
        ("DP008", 'renyi="alpha * rho"', "Rename the parameter"),
        ("DP008", 'mu="answers"', "depends on the data"),
        ("DP009", "mu=rho", "in quotes"),
    ],
)
def test_mistakes(code: str, arguments: str, words: str) -> None:
    source = decorated(arguments)
    assert source.mechanisms == ()
    assert [one for one in source.findings if one.code == code and words in one.message], source.findings


def test_a_claim_that_cannot_be_read_hides_no_other_one() -> None:
    text = "from dplint import dp\n\n\n@dp(plan=f)\ndef one(q): 0\n\n\n@dp(mu=1)\ndef two(q): 0\n"
    source = read(text)
    assert [one.mechanism.qualname for one in source.mechanisms] == ["two"]
    assert {one.code for one in source.findings} == {"DP001", "DP002"}


def test_the_digest_is_of_the_promise_too() -> None:
    """rho = 0.5 and mu = 1 imply other points; two orders with one first pair imply the same."""
    texts = ("renyi=(8, 0.5)", "renyi=[(8, 0.5), (2, 1.0)]")
    one, two = (decorated(text).mechanisms[0].mechanism for text in texts)
    assert one.digest != two.digest
