"""Claims about all steps of a training: as decorators, comments and tables, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.claims import Span, Training
from dplint.config import ClaimTable
from dplint.source.read import SourceFile, read_source

FUNCTION = "STEPS = 30 * 100\n\n\ndef step(batch):\n    return batch\n"
USUAL = 'epsilon=8, delta=1e-5, neighbors="add-remove", domain=(0, 1)'


def read(text: str, **values: object) -> SourceFile:
    table = {"steps:step": ClaimTable("steps:step", values, "pyproject.toml", Span(1, 1, 1, 1))} if values else {}
    return read_source(Path("steps.py"), file="steps.py", text=text, table=table)


def decorated(arguments: str, usual: str = USUAL) -> SourceFile:
    head, _, function = FUNCTION.partition("def")
    return read(f"from dplint import dp\n\n{head}@dp({usual}, {arguments})\ndef{function}")


def training(source: SourceFile) -> Training | None:
    assert source.findings == ()
    (found,) = source.mechanisms
    return found.mechanism.claim.training


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("steps=3000, sample_rate=0.01", Training(0.01, 3000)),
        ("steps=STEPS, sample_rate=256 / 60_000", Training(256 / 60_000, 3000)),
        ("steps=10", Training(1.0, 10)),
        ("sample_rate=1", Training(1.0, 1)),
        ("sample_rate=0.5, steps=None", Training(0.5, 1)),
        ("steps=None, sample_rate=None", None),
    ],
)
def test_forms(arguments: str, expected: Training | None) -> None:
    assert training(decorated(arguments)) == expected
    comment = FUNCTION.replace("def step", f"# dplint: dp({USUAL}, {arguments})\ndef step")
    assert training(read(comment)) == expected


def test_tables() -> None:
    values = {"epsilon": 8, "delta": 1e-5, "neighbors": "add-remove", "domain": [0, 1]}
    assert training(read(FUNCTION, **values, steps=3000, sample_rate=0.01)) == Training(0.01, 3000)


def test_other_definitions_and_relations() -> None:
    assert training(decorated("steps=4", 'mu=2, neighbors="add-remove", domain=(0, 1)')) == Training(1.0, 4)
    assert training(decorated("steps=4", 'rho=2, neighbors="replace-one", domain=(0, 1)')) == Training(1.0, 4)


@pytest.mark.parametrize(
    ("code", "arguments", "words"),
    [
        ("DP003", "sample_rate=0", "above 0 and at most 1"),
        ("DP003", "sample_rate=1.5", "above 0 and at most 1"),
        ("DP003", 'sample_rate="q"', "above 0 and at most 1"),
        ("DP003", "sample_rate=True", "above 0 and at most 1"),
        ("DP003", "steps=0", "at least 1"),
        ("DP003", "steps=2.5", "a whole number"),
        ("DP003", "steps=True", "a whole number"),
        ("DP003", 'steps="n"', "a whole number"),
    ],
)
def test_what_is_wrong(code: str, arguments: str, words: str) -> None:
    (found,) = decorated(arguments).findings
    assert found.code == code
    assert words in found.message


def test_sampling_is_about_records_that_may_be_missing() -> None:
    (found,) = decorated("sample_rate=0.1", 'mu=1, neighbors="replace-one", domain=(0, 1)').findings
    assert (found.code, 'Write neighbors="add-remove"' in found.message) == ("DP005", True)


def test_a_claim_of_stability_has_no_steps() -> None:
    (found,) = read("# dplint: stable(d_out=1, steps=4, domain=(0, 1))\ndef step(batch):\n    return 1\n").findings
    assert "steps" in found.message


def test_another_number_of_steps_is_another_mechanism() -> None:
    """A verdict of the cache is about one claim."""
    few, many = (decorated(f"steps={count}").mechanisms[0].mechanism for count in (10, 11))
    assert few.digest != many.digest
