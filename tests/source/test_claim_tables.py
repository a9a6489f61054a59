"""Claims in pyproject.toml: for functions that one cannot edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.claims import Categories, Columns, Fixed, Interval, Span
from dplint.config import load_settings
from dplint.source.read import SourceFile, read_source

MODULE = "def f(q, eps, N=1):\n    return q\n\n\nclass C:\n    @staticmethod\n    def g(q):\n        return q\n"


def check(folder: Path, pyproject: str, module: str = MODULE) -> SourceFile:
    (folder / "pyproject.toml").write_text(pyproject)
    (folder / "mod.py").write_text(module)
    return read_source(folder / "mod.py", file="mod.py", table=load_settings(folder, {}).mechanisms)


def test_a_table_claims_like_a_decorator(tmp_path: Path) -> None:
    source = check(
        tmp_path,
        '[tool.dplint.mechanisms."mod:f"]\nepsilon = "eps"\nneighbors = "replace-one"\nsize = [3, 4]\n'
        "domain = {age = {low = 0, high = 120}, sex = ['f', 'm']}\n"
        "args = {N = {low = 1, high = 5}, eps = 0.5}\n"
        '[tool.dplint.mechanisms."mod:C.g"]\nepsilon = 1\n',
    )
    assert source.findings == ()
    first, second = (found.mechanism for found in source.mechanisms)
    assert (first.qualname, first.claim.epsilon, first.claim.relation) == ("f", "eps", "replace-one")
    assert first.claim.size == (3, 4)
    assert first.claim.domain == Columns((("age", Interval(0, 120, integer=True)), ("sex", Categories(("f", "m")))))
    assert first.claim.args == (("N", Interval(1, 5, integer=True)), ("eps", Fixed(0.5)))
    assert first.claim_span == first.span == Span(1, 5, 1, 6)
    assert (second.qualname, second.claim.epsilon, second.untestable) == ("C.g", 1.0, None)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("epsilon = 0", "DP003"),
        ("epsilonn = 1", "DP001"),
        ("epsilon = 1979-05-27", "DP009"),
        ('epsilon = "epz"', "DP007"),
        ("epsilon = inf", "DP003"),
    ],
)
def test_a_wrong_table_is_reported_in_pyproject(tmp_path: Path, line: str, code: str) -> None:
    source = check(tmp_path, f'[tool.dplint.mechanisms."mod:f"]\n\n  {line}  # why\n')
    (finding,) = source.findings
    assert (finding.code, finding.function) == (code, "f")
    assert finding.file.endswith("pyproject.toml")
    assert (finding.span.line, finding.span.column) == (3, 3)
    assert source.mechanisms == ()


def test_a_table_for_no_function_names_the_nearest(tmp_path: Path) -> None:
    source = check(tmp_path, '[tool.dplint]\n[tool.dplint.mechanisms."mod:C.h"]\nepsilon = 1\n')
    (finding,) = source.findings
    assert (finding.code, finding.span) == ("DP016", Span(2, 1, 2, 35))
    assert "'C.g'" in finding.message


def test_a_table_for_another_module_is_not_this_files_business(tmp_path: Path) -> None:
    source = check(tmp_path, '[tool.dplint.mechanisms."other:f"]\nepsilon = 1\n')
    assert (source.findings, source.mechanisms, source.module) == ((), (), None)


def test_a_table_and_a_comment_are_two_claims(tmp_path: Path) -> None:
    module = "# dplint: dp(epsilon=1)\ndef f(q): ...\n"
    source = check(tmp_path, '[tool.dplint.mechanisms."mod:f"]\nepsilon = 1\n', module)
    (finding,) = source.findings
    assert (finding.code, finding.span.line) == ("DP014", 1)
    assert finding.file.endswith("pyproject.toml")
    assert "mod.py" in finding.message


def test_a_table_in_a_package_uses_the_dotted_name(tmp_path: Path) -> None:
    (tmp_path / "src" / "pkg").mkdir(parents=True)
    (tmp_path / "src" / "pkg" / "__init__.py").write_text(MODULE)
    (tmp_path / "pyproject.toml").write_text('[tool.dplint.mechanisms."pkg:f"]\nepsilon = 1\n')
    path = tmp_path / "src" / "pkg" / "__init__.py"
    source = read_source(path, file="x", table=load_settings(path, {}).mechanisms)
    assert [(found.mechanism.module, found.mechanism.qualname) for found in source.mechanisms] == [("pkg", "f")]
