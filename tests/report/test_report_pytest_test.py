"""The test that is made of a violation: it fails on what is broken, and passes once that is mended."""

import subprocess
import sys
from dataclasses import replace

import pytest
import report_samples as samples

from dplint.outcomes import Result
from dplint.report.pytest_test import pytest_test
from tests.patience import patience

BROKEN = """
from dplint import dp


class Counts:
    @staticmethod
    @dp(epsilon="epsilon", neighbors="linf")
    def total(rng, values, epsilon):
        return values[0] + rng.laplace(scale=epsilon)


@dp(epsilon=1.0, neighbors="linf")
def test_of_one(rng, values):
    return values[0]
"""
MENDED = BROKEN.replace("scale=epsilon", "scale=1 / epsilon").replace("return values[0]\n", "return rng.laplace()\n")


def result(**changes):
    return Result(replace(samples.mechanism(), **changes), samples.violation(), explained_by=(samples.FINDINGS[1],))


def test_it_bears_the_counterexample_as_a_comment():
    made = pytest_test(result())

    assert made.file_name == "test_noisy_max_privacy.py"
    body = made.text.partition("def test_noisy_max_privacy():\n")[2].splitlines()
    assert body[0] == "    # `noisy_max` is not 0.7-private: at least 1.19"
    assert "    # P(`output < 0.5`): 0.3420 on D1 (171,000 of 500,000 runs), 0.1010 on D2 (50,500 of" in body
    assert all(line.startswith("    # ") for line in body[:-1])
    assert body[-1] == '    assert_private(noisy_max, budget="25s")'
    compile(made.text, "made", "exec")


def test_what_a_run_has_raised_stays_a_comment():
    made = pytest_test(result(qualname="f", file='a\n"""\nimport os.py'))
    assert [line for line in made.text.splitlines() if not line.startswith(("    #", "from", "def", "    assert"))] == [
        "",
        "",
        "",
    ]


@pytest.mark.parametrize(
    "changes", [{"qualname": "f.<locals>.g"}, {"module": "no-module"}, {"module": "a.class"}, {"qualname": "<lambda>"}]
)
def test_there_is_none_where_no_test_can_import_it(changes):
    assert pytest_test(result(**changes)) is None


def test_there_is_none_without_a_violation():
    assert pytest_test(Result(samples.mechanism(), samples.ANYTIME_NO_VIOLATION)) is None


@pytest.mark.nightly
@pytest.mark.process
def test_it_fails_until_the_function_is_mended(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\ncache = false\n")
    for qualname in ("Counts.total", "test_of_one"):
        made = pytest_test(result(module="release", qualname=qualname))
        (tmp_path / made.file_name).write_text(made.text)
    told = {}
    for name, text in (("broken", BROKEN), ("mended", MENDED)):
        (tmp_path / "release.py").write_text(text)
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short")
        told[name] = subprocess.run(
            command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=patience(120)
        ).stdout

    assert "2 failed" in told["broken"], told["broken"]
    assert "test_of_one is not 1-private" in told["broken"]
    assert "2 passed" in told["mended"], told["mended"]
