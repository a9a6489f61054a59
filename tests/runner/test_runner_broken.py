"""Every file of fixtures/broken has its own clear outcome, within its deadline, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dplint.outcomes import FailureKind
from dplint.runner.batch import Raised
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest

pytestmark = pytest.mark.process

BROKEN = Path(__file__).parents[2] / "fixtures" / "broken"
REQUEST = SampleRequest(
    datas=(DataValue([1, 1, 1, 1, 1]), DataValue([2, 2, 2, 2, 2])), arguments={"epsilon": 0.5}, runs=300, block=50
)
FAILING = {
    "endless_loop.py": (
        "bounded_noise",
        FailureKind.DEADLINE,
        "a run did not end within 2 s: data = [1, 1, 1, 1, 1], epsilon = 0.5",
        "endless_loop.py",
    ),
    "os_exit.py": ("leave", FailureKind.CRASH, "exit code 3", ""),
    "segfault.py": ("read_nowhere", FailureKind.CRASH, "SIGSEGV", "segfault.py"),
    "unbounded_memory.py": ("hoard", FailureKind.MEMORY, "more memory", ""),
    "yields_without_end.py": ("stream", FailureKind.DEADLINE, "yields without end", ""),
    "sys_exit.py": ("strict_answer", FailureKind.CRASH, "sys.exit('the answer is negative')", "sys_exit.py"),
    "forks.py": ("in_a_child", FailureKind.EFFECT, 'allow = ["process"]', "forks.py"),
    "calls_home.py": ("reported", FailureKind.EFFECT, 'allow = ["network"]', "calls_home.py"),
    "writes_a_file.py": ("logged", FailureKind.EFFECT, 'allow = ["write"]', "writes_a_file.py"),
}
RIGHT = {
    "prints.py": "chatty_max",
    "recursion.py": "recursive_max",
    "closes_stdout.py": "silent_max",
    "neighbour.py": "noisy_max",
}


@pytest.mark.parametrize("file", FAILING)
def test_a_failing_file_fails_in_its_own_way_and_leaves_no_process(file, describe):
    name, kind, reason, detail = FAILING[file]
    deadline = 2 if kind == FailureKind.DEADLINE else 15
    with Runner(sys.executable, deadline=deadline, memory_mib=128) as runner:
        runner.load(describe(BROKEN / file, name))
        with pytest.raises(RunnerError) as caught:
            runner.sample(REQUEST)
        pid = runner.pid

    assert kind == caught.value.kind
    assert reason in caught.value.reason
    assert detail in caught.value.detail
    assert_gone(pid)


def test_the_log_was_not_written():
    assert not (BROKEN / "answers.log").exists()


def test_an_import_that_fails_names_the_package_and_the_interpreter(own_runner, describe):
    own_runner.load(describe(BROKEN / "import_fails.py", "noisy_total"))
    with pytest.raises(RunnerError) as caught:
        own_runner.sample(SampleRequest((DataValue([1.0]),), arguments={"epsilon": 1.0}))

    assert caught.value.kind == FailureKind.IMPORT
    assert "statistics_of_a_package_that_nobody_has" in caught.value.reason
    assert sys.executable in caught.value.reason
    assert "import_fails.py" in caught.value.detail
    assert "importlib" not in caught.value.detail


def test_a_syntax_error_is_a_failed_import_with_its_line(own_runner, describe):
    whole = describe(BROKEN / "neighbour.py", "noisy_max")
    with pytest.raises(RunnerError) as caught:
        own_runner.load(whole, (BROKEN / "syntax_error.py").read_text())

    assert caught.value.kind == FailureKind.IMPORT
    assert "SyntaxError" in caught.value.reason
    assert "line 9" in caught.value.reason


@pytest.mark.parametrize("file", RIGHT)
def test_a_right_file_gives_an_index_for_every_run(file, describe):
    with Runner(sys.executable, deadline=10, memory_mib=512) as runner:
        runner.load(describe(BROKEN / file, RIGHT[file]))
        batches = runner.sample(REQUEST)

    for batch in batches:
        assert set(batch.outputs()) == {0, 1, 2, 3, 4}


def test_a_generator_gives_the_list_of_what_it_yields(shared_runner, describe):
    shared_runner.load(describe(BROKEN / "yields.py", "noisy_answers"))
    for batch in shared_runner.sample(REQUEST):
        assert [len(group.rows) for group in batch.groups] == [300]
        assert batch.groups[0].values.shape == (300, 5)


def test_an_exception_on_some_data_is_an_output(shared_runner, describe):
    shared_runner.load(describe(BROKEN / "raises_on_some_data.py", "checked_max"))
    small, large = shared_runner.sample(REQUEST)

    assert set(small.outputs()) == {0, 1, 2, 3, 4}
    assert [Raised("ValueError")] == [group.skeleton for group in large.groups]
    assert set(large.outputs()) == {("ValueError", "the answers are too large")}


def test_recursion_without_end_is_an_output(shared_runner, describe):
    shared_runner.load(describe(BROKEN / "recursion_without_end.py", "halve"))
    for batch in shared_runner.sample(REQUEST):
        assert [Raised("RecursionError")] == [group.skeleton for group in batch.groups]


def test_every_file_is_described_and_tested():
    """The table in the README has one row for each file, and each file has an expectation above."""
    files = {path.name for path in BROKEN.glob("*.py")}
    table = (BROKEN / "README.md").read_text()
    here = Path(__file__).read_text()

    assert files == {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert all(name in here for name in files)


def assert_gone(pid: int) -> None:
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
