"""Claims of stability, as decorators, comments and tables: what is read, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.claims import Metric, Span, Stability
from dplint.config import ClaimTable
from dplint.source.read import SourceFile, read_source

HEADER = "from dplint import dp, stable\n\n\n"
D = "domain=(0, 9)"


def read(text: str, **values: object) -> SourceFile:
    path = Path("steps.py")
    table = {"steps:total": ClaimTable("steps:total", values, "pyproject.toml", Span(1, 1, 1, 1))} if values else {}
    return read_source(path, file="steps.py", text=text, table=table)


def decorated(arguments: str) -> SourceFile:
    return read(f"{HEADER}@stable({arguments})\ndef total(rows, high=5):\n    return sum(rows)\n")


FUNCTION = "def total(rows, high=5):\n    return sum(rows)\n"


@pytest.mark.parametrize(
    "source",
    [
        decorated(f'd_out="high", d_in=2, metric="l1", {D}'),
        read(f'# dplint: stable(d_out="high", d_in=2, metric="l1", {D})\n{FUNCTION}'),
        read(FUNCTION, d_out="high", d_in=2, metric="l1", domain={"low": 0, "high": 9}),
        read(f'import dplint\n\n\n@dplint.stable(d_out="high", d_in=2, metric="l1", {D})\n{FUNCTION}'),
        read(f'from dplint import stable as steady\n\n\n@steady(d_out="high", d_in=2, metric="l1", {D})\n{FUNCTION}'),
    ],
    ids=["decorator", "comment", "table", "module", "alias"],
)
def test_forms(source: SourceFile) -> None:
    assert source.findings == ()
    (found,) = source.mechanisms
    assert found.mechanism.claim.stable == Stability(2.0, "high", Metric.L1)
    assert found.mechanism.claim.relation == "add-remove"
    assert found.mechanism.data == "rows"


def test_vectors_are_as_far_apart_as_d_in_says() -> None:
    (found,) = decorated('d_out=1, d_in=0.5, neighbors="l2"').mechanisms
    assert found.mechanism.claim.sensitivity == 0.5


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("DP023", D),
        ("DP023", f"d_out=-1, {D}"),
        ("DP023", f"d_out=1, metric='l3', {D}"),
        ("DP023", f"d_out=1, metric=1, {D}"),
        ("DP023", f"d_out=1, d_in=0, {D}"),
        ("DP023", f"d_out=1, d_in=1.5, {D}"),
        ("DP023", "d_out=1, d_in=2, user='id', domain={'id': (1, 5), 'age': (0, 9)}"),
        ("DP008", f"d_out='sum(rows)', {D}"),
        ("DP007", f"d_out='hihg', {D}"),
        ("DP001", f"d_out=1, epsilon=1, {D}"),
        ("DP017", f"1, {D}"),
        ("DP006", "d_out=1"),
        ("DP005", f"d_out=1, neighbors='add', {D}"),
    ],
)
def test_mistakes(code: str, arguments: str) -> None:
    source = decorated(arguments)
    assert [finding.code for finding in source.findings] == [code]
    assert source.mechanisms == ()


def test_a_function_bears_one_claim_of_either_kind() -> None:
    source = read(f"{HEADER}@stable(d_out=1, {D})\n@dp(epsilon=1.0, neighbors='add-remove', {D})\n{FUNCTION}")
    assert [finding.code for finding in source.findings] == ["DP014"]


def test_another_stable_is_none_of_ours() -> None:
    source = read(f"from sorting import stable\nimport dplint\n\n\n@stable(d_out=1)\n{FUNCTION}")
    assert (source.findings, source.mechanisms) == ((), ())


def test_the_digest_changes_with_the_promise() -> None:
    one, two = (decorated(f"d_out={d_out}, {D}").mechanisms[0].mechanism for d_out in (1, 2))
    assert one.digest != two.digest
