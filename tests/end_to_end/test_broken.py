"""Files that are broken in every way: each has its own outcome, none hangs, none disturbs the others."""

import shutil

import pytest

from tests.end_to_end.conftest import ROOT, all_gone, run_check

pytestmark = pytest.mark.process

FOLDER = ROOT / "fixtures" / "broken"
DEADLINE = 6
LONG = ("unbounded_memory.py", "yields_without_end.py")
"""What uses up its time as `endless_loop.py` does, and is looked at at night alone."""

FAILED = {
    "import_fails.py": "statistics_of_a_package_that_nobody_has",
    "endless_loop.py": "a run did not end within 6 s: data = [",
    "os_exit.py": "exit code 3",
    "segfault.py": "SIGSEGV",
    "unbounded_memory.py": "memory",
    "sys_exit.py": "sys.exit",
    "forks.py": "process",
    "calls_home.py": "network",
    "writes_a_file.py": "write",
    "yields_without_end.py": "yields without end",
    "recursion_without_end.py": "every run raised RecursionError",
}
FINE = {"prints.py", "recursion.py", "yields.py", "closes_stdout.py", "neighbour.py"}


@pytest.fixture(scope="module")
def report(request, tmp_path_factory):
    """One check of a copy, so that a file that writes could only write there."""
    folder = tmp_path_factory.mktemp("broken") / "broken"
    left_out = () if request.config.getoption("--nightly") else LONG
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__", *left_out))
    report = run_check(".", "--profile", "editor", "--deadline", DEADLINE, "--memory-mib", 256, "--seed", 1, cwd=folder)
    report.left = all_gone()
    report.files = {path.name for path in folder.iterdir()}
    report.by_file = {result["file"]: result for result in report.document["results"]}
    return report


def test_the_exit_code_says_that_something_could_not_be_checked(report):
    assert report.code == 2


def test_every_file_has_an_outcome(report):
    named = {path.name for path in FOLDER.glob("*.py")}

    assert set(report.by_file) | {error["file"] for error in report.document["errors"]} == named
    assert set(report.by_file) == {*FAILED, *FINE, "raises_on_some_data.py"}


@pytest.mark.parametrize(("file", "word"), FAILED.items())
def test_what_breaks_is_a_failure_that_says_what_happened(report, file, word):
    result = report.by_file[file]

    assert (result["verdict"], result["code"]) == ("failed", "DP905")
    assert word in result["reason"]


@pytest.mark.parametrize("file", sorted(FINE))
def test_what_is_only_odd_is_checked_like_any_other(report, file):
    if file in ("neighbour.py", "yields.py"):  # the noisy maximum, and Laplace noise that is yielded: both are proved
        assert report.by_file[file]["verdict"] == "proved"
    else:  # most of them call the function, and how often in a second is a matter of the machine
        assert report.by_file[file]["verdict"] in ("no-violation", "underpowered")


def test_an_exception_on_some_data_is_an_output_that_leaks(report):
    result = report.by_file["raises_on_some_data.py"]

    assert result["verdict"] == "violation"
    assert result["counterexample"]["evidence"]["p1"] == 1.0


def test_a_file_that_does_not_parse_is_an_error_with_its_line(report):
    (error,) = report.document["errors"]

    assert (error["file"], error["line"]) == ("syntax_error.py", 9)


def test_nothing_is_left_behind(report):
    assert report.left == []
    assert "answers.log" not in report.files
