"""Tests that are generated from real audits of the fixtures: they fail on what is broken and pass once it is mended.

The audits make a fixed number of runs from a fixed seed. A generated test may by its own promise fail on a mended
function with a probability below 1e-6, over its seed, which is fixed; only `party` draws without one.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.check import check_paths
from dplint.config import load_settings
from dplint.outcomes import Result, Violation
from dplint.report.pytest_test import MOST_RUNS, pytest_test
from tests.patience import patience

pytestmark = pytest.mark.process

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
NO_DPLINT = "def dp(**claim):\n    return lambda function: function\n"
"""Stands in for the package: the tests must not need it."""

MENDS = {
    "statdp/histogram.py": {"histogram_eps": [("scale=epsilon", "scale=1 / epsilon")]},
    "statdp/noisy_max.py": {
        "noisy_max_v1b": [("scale=2 / epsilon", "scale=len(queries) / epsilon")],
        "noisy_max_v2b": [("rng.exponential(scale=2 / epsilon)", "rng.laplace(scale=len(queries) / epsilon)")],
    },
    "statdp/sparse_vector.py": {
        "isvt1": [("query >= threshold", "query + rng.laplace(scale=4 * len(queries) / epsilon) >= threshold")],
        "isvt2": [("query + rng.laplace(scale=2 / epsilon)", "query + rng.laplace(scale=4 * len(queries) / epsilon)")],
        "isvt3": [("scale=4 / (3 * epsilon)", "scale=8 * N / (3 * epsilon)")],
        "isvt4": [
            ("T + rng.laplace(scale=2", "T + rng.laplace(scale=4"),
            ("rng.laplace(scale=2 * N / epsilon)", "rng.laplace(scale=8 * N / epsilon)"),
            ("output.append(noisy)", "output.append(query + rng.laplace(scale=2 * N / epsilon))"),
        ],
    },
    "dpsniper/laplace.py": {"prefix_sum": [("scale=1 / epsilon", "scale=len(queries) / epsilon")]},
    "checkdp/sums.py": {
        "bad_partial_sum": [("1 / (2 * epsilon)", "1 / epsilon")],
        "bad_smart_sum": [("following = block + query", "following = block + query + rng.laplace(scale=1 / epsilon)")],
    },
    "broken/raises_on_some_data.py": {"checked_max": [("if sum(queries) > 5:", "if len(queries) > 10:")]},
    "realistic/src/census/counts.py": {
        "adults": [("epsilon / SENSITIVITY", "SENSITIVITY / epsilon")],
        "children_and_seniors": [("SENSITIVITY, epsilon)", "SENSITIVITY, epsilon / 2)")],
    },
    "realistic/src/census/histograms.py": {
        "people_by_known_district": [('sorted(people["district"].unique())', "DISTRICTS")],
    },
    "realistic/src/census/means.py": {
        "mean_income_quick": [("sum(incomes)", "sum(clipped)")],
        "mean_of_noisy_sum": [("max(len(incomes), 1)", "10")],
        "mean_within_range": [("width = max(incomes) - min(incomes)", "width = 100.0")],
        "district_means_by_helper": [("add_gaussian(rng, mean, sigma)", "add_gaussian(rng, mean, sigma**2)")],
    },
    "realistic/src/census/selection.py": {"best_site_score": [("float(np.max", "int(np.argmax")]},
    "realistic/src/census/survey.py": {
        "ever_fined_by_coin": [
            ("math.exp(epsilon) / (1 + math.exp(epsilon))", "(math.exp(epsilon) - 1) / (math.exp(epsilon) + 1)")
        ],
        "hours_online_above": [("while hours + noise < hours", "while False")],
        "party": [],
    },
}  # fmt: skip
BROKEN_HERE = {"party": [("math.exp(epsilon)", "math.exp(2 * epsilon)")]}
"""Right in the fixtures, and made wrong here: it draws from a generator of its own."""
ALL = sorted(name for functions in MENDS.values() for name in functions)
OFTEN = [
    "bad_smart_sum", "histogram_eps", "isvt3", "mean_within_range", "noisy_max_v2b", "party",
    "people_by_known_district",
]  # fmt: skip
"""Of each kind of output and of data one; the others are tried at night."""


def edited(text, edits, claims):
    """The module with these replacements inside functions; only those of `claims` keep their claim."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.name not in claims:
            for decorator in node.decorator_list:
                if "dp(" in ast.unparse(decorator):
                    lines[decorator.lineno - 1 : decorator.end_lineno] = [""] * (
                        decorator.end_lineno - decorator.lineno + 1
                    )
            if lines[node.lineno - 2].startswith("# dplint:"):
                lines[node.lineno - 2] = ""
        body = "".join(lines[node.lineno - 1 : node.end_lineno])
        for old, new in edits.get(node.name, []):
            assert old in body, f"{node.name} has no {old!r}"
            body = body.replace(old, new)
        lines[node.lineno - 1 : node.end_lineno] = [body] + [""] * (node.end_lineno - node.lineno)
    return "".join(lines)


@pytest.fixture(scope="module", params=[OFTEN, pytest.param(ALL, marks=pytest.mark.nightly)], ids=["often", "all"])
def names(request):
    return request.param


@pytest.fixture(scope="module")
def projects(tmp_path_factory, names):
    """A folder with the broken functions, and the same one with all of them mended."""
    root = tmp_path_factory.mktemp("projects")
    for name in ("broken", "mended"):
        folder = root / name
        shutil.copytree(FIXTURES / "realistic/src/census", folder / "census")
        (folder / "pyproject.toml").write_text("")
        for file, all_mends in MENDS.items():
            mends = {one: edits for one, edits in all_mends.items() if one in names}
            target = folder / ("census/" if "census" in file else "") / Path(file).name
            text = edited((FIXTURES / file).read_text(), BROKEN_HERE if name == "broken" else mends, mends)
            target.write_text(text)
    return root


@pytest.fixture(scope="module")
def results(projects, names):
    settings = load_settings(projects / "broken", {"cache": False, "jobs": 2, "runs": 1_000_000, "seed": 11})
    found = [one for one in check_paths([projects / "broken"], settings) if isinstance(one, Result)]
    return {one.mechanism.qualname: one for one in found if one.mechanism.qualname in names}


@pytest.fixture(scope="module")
def generated(projects, results):
    """The generated tests, in a folder of their own."""
    folder = projects / "tests"
    folder.mkdir()
    files = {name: pytest_test(result) for name, result in results.items()}
    for file in files.values():
        (folder / file.file_name).write_text(file.text)
    return files


def verdicts(projects, version):
    """What pytest says of each of the generated tests where this version of the package is to be imported."""
    (projects / version / "dplint.py").write_text(NO_DPLINT)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=line", "-p", "no:cacheprovider", "tests"],
        cwd=projects, env={**os.environ, "PYTHONPATH": str(projects / version), "PYTEST_ADDOPTS": "-p no:dplint"},
        capture_output=True, text=True, check=False, timeout=patience(300),
    )  # fmt: skip
    found = re.findall(r"^(PASSED|FAILED|ERROR) .*::test_(\w+)_privacy", done.stdout, re.M)
    return {name: verdict for verdict, name in found}


def test_each_of_the_broken_functions_is_found_and_gets_a_test(names, results, generated):
    assert sorted(results) == names
    assert all(isinstance(one.outcome, Violation) for one in results.values())
    for file in generated.values():
        assert int(re.search(r"^RUNS = ([\d_]+)$", file.text, re.M)[1]) <= MOST_RUNS
        assert "dplint" not in re.findall(r"^(?:import|from) (\w+)", file.text, re.M)


def test_they_fail_on_the_broken_functions(names, projects, generated):
    assert verdicts(projects, "broken") == dict.fromkeys(names, "FAILED")


def test_they_pass_on_the_mended_ones(names, projects, generated):
    assert verdicts(projects, "mended") == dict.fromkeys(names, "PASSED")


def test_ruff_has_nothing_to_change(projects, generated):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--check", str(projects / "tests")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
