"""Claims in pyproject.toml about installed packages: where their functions are found, and that they are audited."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest

from dplint.check import check_paths
from dplint.check.loading import load_files
from dplint.config import COMMAND_LINE, Layer, SettingsByFile
from dplint.outcomes import CheckError, Result, Violation

CORE = """from numpy.random import laplace


def count(rows, epsilon=1.0, random_state=None):
    return len(rows) + laplace(scale=0.5 / epsilon)


def _total(rows, bounds):
    low, high = bounds
    assert isinstance(bounds, tuple)
    return sum(min(max(row, low), high) for row in rows) + laplace(scale=high - low)


class Mean:
    def __init__(self, bound):
        self.bound = bound

    def fit(self, rows):
        self.n_seen_ = len(rows)
        self.mean_ = sum(rows) / max(len(rows), 1) + laplace(scale=self.bound)
        return self


class Sums:
    def fit(self, X):
        self.sums_ = X[:, :1].sum() + laplace(scale=5.0)
        return self
"""
MORE = """from . import core
from .core import Mean


class Bounded:
    pass


class Halved(Bounded, Mean):
    pass


class Quartered(Halved):
    def predict(self, rows):
        return self.mean_


class Totals(core.Sums):
    def get_params(self, deep=True):
        return {}
"""
TOTALS = """

def totals():
    from noisy.more import Totals
    return Totals()
"""
CLAIM = """
[tool.dplint.mechanisms."{name}"]
epsilon = 1.0
neighbors = "add-remove"
domain = {{ low = 0, high = 10 }}
{more}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The settings of a project with these claims, in the current folder; its environment has the package `noisy`."""
    packages = tmp_path / f".venv/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    (packages / "noisy").mkdir(parents=True)
    (packages / "noisy/__init__.py").write_text("from .core import Mean, count\nfrom .core import _total as total\n")
    (packages / "noisy/core.py").write_text(CORE)
    (packages / "noisy/more.py").write_text(MORE)
    (packages / "shared.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (tmp_path / ".venv/bin").mkdir()
    (tmp_path / ".venv/bin/python").symlink_to(Path(sys.executable).resolve())
    (tmp_path / ".venv/pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    (tmp_path / "helpers.py").write_text("import noisy\n\ndef mean():\n    return noisy.Mean(10)\n" + TOTALS)
    monkeypatch.chdir(tmp_path)

    def settings(*claims):
        tables = [CLAIM.format(name=name, more=more) for name, more in claims]
        (tmp_path / "pyproject.toml").write_text("[tool.dplint]\ncache = false\n" + "".join(tables))
        return SettingsByFile.of(tmp_path, [Layer(COMMAND_LINE, {"budget": "1s", "jobs": 1, "seed": 1})])

    return settings


def loaded(settings, path="."):
    """The mechanisms of a check by name, and what is wrong in it."""
    items = list(load_files([Path(path)], settings))
    wrong = [one for one in items if isinstance(one, CheckError)]
    files = [one for one in items if not isinstance(one, CheckError)]
    found = {one.mechanism.qualname: one.mechanism for file in files for one in file.pending}
    return found, wrong + [finding for file in files for finding in file.findings]


def test_a_function_is_found_where_it_is_defined(project):
    claims = (("noisy:total", "args = { bounds = [{ low = 0, high = 10 }] }"), ("noisy.core:count", ""))
    found, wrong = loaded(project(*claims))

    assert wrong == []
    assert set(found) == {"_total", "count"}
    assert {one.module for one in found.values()} == {"noisy.core"}
    assert all(one.file.endswith("site-packages/noisy/core.py") for one in found.values())


@pytest.mark.parametrize("kind", ["Halved", "Quartered"])
def test_a_method_is_found_in_the_class_that_it_is_inherited_from(project, kind):
    found, wrong = loaded(project((f"noisy.more:{kind}.fit", 'make = "helpers:mean"')))

    assert (list(found), wrong) == (["Mean.fit"], [])
    assert found["Mean.fit"].module == "noisy.core"


def test_a_method_that_no_base_has(project):
    _, (finding,) = loaded(project(("noisy.more:Halved.predict", "")))

    assert (finding.code, finding.file) == ("DP016", "pyproject.toml")


def test_a_generator_parameter_with_a_default_keeps_it(project):
    claims = (("noisy:count", ""), ("noisy.core:_total", 'rng = "bounds"\ndata = "rows"'))
    found, _ = loaded(project(*claims))

    assert {name: one.rng for name, one in found.items()} == {"count": None, "_total": "bounds"}


@pytest.mark.parametrize(("path", "names"), [("helpers.py", []), (".", ["count"])])
def test_single_files_are_asked_for_alone(project, path, names):
    found, wrong = loaded(project(("noisy:count", "")), path)

    assert (list(found), wrong) == (names, [])


def test_names_that_are_not_there(project):
    _, wrong = loaded(project(("noisy.cor:count", ""), ("noisy:cuont", "")))
    error, finding = sorted(wrong, key=lambda one: not isinstance(one, CheckError))

    assert "there is no module 'noisy.cor'" in error.message
    assert (finding.code, finding.file) == ("DP016", "pyproject.toml")


@pytest.mark.process
def test_records_are_the_rows_of_an_array_where_lists_of_dicts_will_not_do(project):
    """Noise for half of what a row of [0, 10] moves."""
    interval = "{ low = 0.0, high = 10.0 }"
    project(("noisy.more:Totals.fit", 'make = "helpers:totals"'))
    text = Path("pyproject.toml").read_text()
    Path("pyproject.toml").write_text(text.replace("{ low = 0, high = 10 }", f"{{ x = {interval}, y = {interval} }}"))
    settings = SettingsByFile.of(Path.cwd(), [Layer(COMMAND_LINE, {"budget": "5s", "jobs": 1, "seed": 1})])
    (result,) = [one for one in check_paths([Path()], settings) if isinstance(one, Result)]

    assert isinstance(result.outcome, Violation)
    assert any("NumPy array" in note for note in result.outcome.effort.notes)


@pytest.mark.process
def test_functions_and_fitted_models_are_audited(project):
    claims = (
        ("noisy:count", ""),
        ("noisy:total", "args = { bounds = [{ low = 0, high = 10 }] }"),
        ("noisy:Mean.fit", 'make = "helpers:mean"'),
    )
    events = list(check_paths([Path()], project(*claims)))

    found = {one.mechanism.qualname: isinstance(one.outcome, Violation) for one in events if isinstance(one, Result)}
    # half of the noise; as it should be; the number of rows is an attribute of what was fitted
    assert found == {"count": True, "_total": False, "Mean.fit": True}
