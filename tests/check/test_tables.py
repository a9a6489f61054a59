"""Claims in pyproject.toml that are of no module: nothing of them would be tested, and nobody would know."""

from __future__ import annotations

import pytest

from dplint.check import check_paths
from dplint.config import COMMAND_LINE, Layer, SettingsByFile
from dplint.outcomes import CheckError

FUNCTION = "def f(rng, x: float):\n    return x + rng.laplace()\n"


@pytest.fixture
def errors(tmp_path, monkeypatch):
    """What is wrong in a project with these claims when these of its paths are checked: (file, line, message)."""
    monkeypatch.chdir(tmp_path)
    for name in ("src/census/__init__.py", "src/census/legacy.py", "src/census/other.py", "lib/tools.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("" if name.endswith("__init__.py") else FUNCTION)

    def found(claims, *paths):
        tables = [f'[tool.dplint.mechanisms."{name}"]\nepsilon = 2.0\nneighbors = "any"\n' for name in claims]
        (tmp_path / "pyproject.toml").write_text("[tool.dplint]\ncache = false\n" + "".join(tables))
        settings = SettingsByFile.of(tmp_path, [Layer(COMMAND_LINE, {"static_only": True})])
        events = check_paths([tmp_path / one for one in paths], settings)
        return [(one.file, one.line, one.message) for one in events if isinstance(one, CheckError)]

    return found


def test_a_module_that_does_not_exist(errors):
    ((file, line, message),) = errors(["census.legacy:f", "census.legcy:f"], "src")

    assert (file, line) == ("pyproject.toml", 6)
    assert message == "the claim of 'census.legcy:f' is not tested: there is no module 'census.legcy' in . or src"


def test_a_module_that_is_imported_by_another_name(errors):
    ((_, _, message),) = errors(["lib.tools:f"], ".")

    assert message.endswith("lib/tools.py is imported as 'tools', for want of an __init__.py: write that, or add one")


@pytest.mark.parametrize("path", ["src", "src/census/legacy.py", "."])
def test_a_module_that_was_just_not_asked_for(errors, path):
    assert errors(["census.legacy:f", "census.other:f", "census:f"], path) == []


def test_a_module_of_another_folder_that_is_checked_too(errors):
    assert len(errors(["tools:f"], "src")) == 1
    assert errors(["tools:f"], "src", "lib") == []
