"""A module is imported once for all of its audits, and keeps nobody else waiting."""

import contextlib
import os
import signal
import sys
import threading
from contextlib import closing
from dataclasses import replace

import pytest

from dplint.check import check_paths
from dplint.config import load_settings
from dplint.outcomes import FailureKind, FailureScope, NoViolation, Result, Underpowered, Violation
from dplint.runner import system
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.runner.hosts import ADDRESS
from dplint.workers import pool
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs
from dplint.workers.runner_hosts import RunnerHosts
from tests.patience import patience
from tests.workers.conftest import needs_fork, nothing_left, runners, wait_for
from tests.workers.jobs import answered, job_from

__all__ = ["nothing_left"]

ONCE = 2
"""What is executed once is executed once more, rewritten for many runs at once."""
FUNCTION = """

@dp(epsilon=1.0, neighbors="linf")
def {name}(rng, xs):
    return xs[0] + rng.laplace(scale={scale})
"""


def module(path, head, **scales):
    """A module of mechanisms, whose imports are counted in a file beside it."""
    count = f"open({str(path.with_suffix('.imports'))!r}, 'a').write('x')\n"
    body = "".join(FUNCTION.format(name=name, scale=scale) for name, scale in scales.items())
    path.write_text(f"import time\nfrom dplint import dp\n{count}{head}\n{body}")


def imports_of(path):
    return len(path.with_suffix(".imports").read_text())


def checked(folder, **settings):
    """The outcomes by function, in the order in which they came."""
    given = {
        "jobs": 2,
        "profile": "editor",
        "cache": False,
        "allow": ("write",),
        "seed": 1,
        "runs": 400_000,
        **settings,
    }
    with closing(check_paths([folder], load_settings(folder, given))) as events:
        return {event.mechanism.qualname: event.outcome for event in events if isinstance(event, Result)}


@needs_fork
@pytest.mark.process
def test_four_mechanisms_of_a_module_import_it_once(tmp_path, nothing_left):
    path = tmp_path / "release.py"
    module(path, "time.sleep(2)", a=1, b=0.1, c=1, d=0.1)
    outcomes = checked(tmp_path)

    assert imports_of(path) == ONCE
    assert {name: type(outcome) for name, outcome in outcomes.items()} == {
        "a": NoViolation,
        "b": Violation,
        "c": NoViolation,
        "d": Violation,
    }


@needs_fork
@pytest.mark.process
def test_what_is_found_for_a_seed_does_not_depend_on_who_imports(tmp_path, nothing_left, monkeypatch):
    module(tmp_path / "release.py", "", a=1, b=0.3)
    forked = checked(tmp_path)
    monkeypatch.setattr(system, "LINUX", False)
    alone = checked(tmp_path)

    # A worker that is done with its own draws for the other, with a runner of its own.
    assert imports_of(tmp_path / "release.py") >= ONCE * (1 + 2)
    for name, outcome in forked.items():
        other = alone[name]
        assert outcome.tested == other.tested
        if isinstance(outcome, Violation):
            assert outcome.counterexample == other.counterexample


@needs_fork
@pytest.mark.process
def test_a_statement_that_fails_is_tried_once_and_told_by_its_line(tmp_path, nothing_left):
    path = tmp_path / "release.py"
    module(path, "raise LookupError('no table')", a=1, b=1, c=1)
    outcomes = checked(tmp_path)

    assert imports_of(path) == ONCE
    for outcome in outcomes.values():
        assert isinstance(outcome, NoViolation | Underpowered)
        told = "imported without line 4 of release.py (LookupError: no table)"
        assert any(told in note for note in outcome.effort.notes)


@needs_fork
@pytest.mark.process
def test_an_import_without_end_is_waited_for_once_and_says_where_it_was(tmp_path, nothing_left):
    path = tmp_path / "release.py"
    module(path, "def endless():\n    while True:\n        pass\n\nSCALE = endless()", a="SCALE", b="SCALE", c="SCALE")
    outcomes = checked(tmp_path, deadline=3.0)

    assert imports_of(path) < len(outcomes), "not once for each mechanism"
    for outcome in outcomes.values():
        assert (outcome.kind, outcome.scope) == (FailureKind.DEADLINE, FailureScope.MODULE)
        assert outcome.line in (5, 6, 8)
        assert "the import did not end within 3 s" in outcome.reason


@needs_fork
@pytest.mark.process
def test_a_statement_without_end_that_nobody_needs_is_left_out_and_told(tmp_path, nothing_left):
    path = tmp_path / "release.py"
    module(path, "while True:\n    pass", a=1, b=0.1)
    outcomes = checked(tmp_path, deadline=3.0)

    assert isinstance(outcomes["a"], NoViolation)
    assert isinstance(outcomes["b"], Violation)
    for outcome in outcomes.values():
        told = "imported without line 4 of release.py (TooLong: it takes more than 1 s"
        assert any(told in note for note in outcome.effort.notes)


@needs_fork
@pytest.mark.process
def test_a_slow_import_keeps_no_other_file_waiting_even_with_one_worker(tmp_path, nothing_left):
    module(tmp_path / "a_slow.py", "time.sleep(12)", slow=1)
    module(tmp_path / "b.py", "", quick=0.1)
    order = list(checked(tmp_path, jobs=1, deadline=60.0))

    assert order == ["quick", "slow"]


@needs_fork
@pytest.mark.process
def test_a_module_that_starts_a_thread_is_imported_by_each_runner(tmp_path, nothing_left):
    path = tmp_path / "release.py"
    module(path, "import threading\nthreading.Thread(target=time.sleep, args=(100,), daemon=True).start()", a=1, b=0.1)
    outcomes = checked(tmp_path)

    assert imports_of(path) > 1
    assert isinstance(outcomes["a"], NoViolation)
    assert isinstance(outcomes["b"], Violation)


@needs_fork
@pytest.mark.process
def test_a_runner_that_dies_takes_no_other_along(tmp_path, nothing_left):
    """Of two forks of the same host one dies in C, one is too slow for its deadline, one is fine."""
    (tmp_path / "release.py").write_text(
        "import ctypes\nfrom dplint import dp\n"
        '\n\n@dp(epsilon=1.0, neighbors="linf")\ndef dies(rng, xs):\n    return ctypes.string_at(1)\n'
        '\n\n@dp(epsilon=1.0, neighbors="linf")\ndef hangs(rng, xs):\n    while True:\n        pass\n'
        + FUNCTION.format(name="fine", scale=1)
    )
    outcomes = checked(tmp_path, deadline=3.0)

    assert outcomes["dies"].kind is FailureKind.CRASH
    assert "SIGSEGV" in outcomes["dies"].reason
    assert outcomes["hangs"].kind is FailureKind.DEADLINE
    assert "a run did not end within 3 s: data = [" in outcomes["hangs"].reason
    assert "release.py" in outcomes["hangs"].detail
    assert isinstance(outcomes["fine"], NoViolation)


@pytest.mark.process
@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), MemoryError()])
def test_whatever_happens_in_the_thread_of_a_worker_its_job_is_answered(error, nothing_left, monkeypatch):
    def fails(*_):
        raise error

    monkeypatch.setattr(pool, "carry_through", fails)
    job = answered("never asked")
    done = [message.body for message in run_jobs([job, replace(job)], 1)]

    assert [body.result.kind for body in done] == [FailureKind.INTERNAL] * 2
    assert type(error).__name__ in done[0].result.reason


@needs_fork
@pytest.mark.process
def test_hosts_of_an_editor_are_renewed_make_room_and_end_by_themselves(tmp_path, nothing_left, monkeypatch):
    paths = [tmp_path / "one.py", tmp_path / "two.py"]
    for path in paths:
        module(path, "", a=1)
    mechanisms = [job_from(path).mechanism for path in paths]
    asked = SampleRequest((DataValue([0.0]),), runs=3)

    def runner(mechanism):
        made = Runner(sys.executable, deadline=50.0, memory_mib=512, allow={"write"}, mechanism=mechanism)
        made.load(mechanism)
        return made

    with closing(RunnerHosts(idle=1.0, most=1)) as hosts:
        monkeypatch.setenv(ADDRESS, hosts.address)
        with runner(mechanisms[0]) as first, runner(mechanisms[0]):
            assert imports_of(paths[0]) == ONCE
            hosts.renew()
            with runner(mechanisms[0]), runner(mechanisms[1]), runner(mechanisms[0]):
                # Made anew, and once more after the other one took its place.
                assert (imports_of(paths[0]), imports_of(paths[1])) == (3 * ONCE, ONCE)
                assert first.sample(asked)[0].runs == 3, "what was forked before goes on"
        assert wait_for(lambda: not runners())

        with runner(mechanisms[1]) as again:
            assert again.sample(asked)[0].runs == 3
            assert imports_of(paths[1]) == 2 * ONCE


@needs_fork
@pytest.mark.process
def test_a_module_is_imported_while_its_first_audit_has_not_begun(tmp_path, nothing_left):
    """Of as many modules as there are workers. Each is imported once."""
    paths = [tmp_path / "one.py", tmp_path / "two.py", tmp_path / "three.py"]
    for path in paths:
        module(path, "", a=1)
    jobs = [job_from(path, allow=frozenset({"write"}), max_runs=20_000) for path in paths]
    done = []
    with closing(pool.Pool()) as own:
        # As long as the fork server stands still, no audit can begin.
        os.kill(own.workers.pid, signal.SIGSTOP)
        running = threading.Thread(target=lambda: done.extend(run_jobs(jobs, 2, pool=own)), daemon=True)
        running.start()
        begun = wait_for(lambda: all(path.with_suffix(".imports").exists() for path in paths[:2]))
        third = paths[2].with_suffix(".imports").exists()
        os.kill(own.workers.pid, signal.SIGCONT)
        running.join(patience(200))

    assert (begun, third) == (True, False)
    assert [type(message.body.result) for message in done if isinstance(message.body, Done)] == [Underpowered] * 3
    assert [imports_of(path) for path in paths] == [ONCE] * 3


BY = "open({0!r}, 'a').write(f'{{os.getpid()}} {{os.getppid()}}\\n')"


@needs_fork
@pytest.mark.process
@pytest.mark.parametrize("killed", [False, True])
def test_hosts_of_several_modules_are_forked_from_one_that_has_loaded_what_runners_need(
    tmp_path, nothing_left, monkeypatch, killed
):
    """Which may die: then a host begins by itself."""
    paths = [tmp_path / "one.py", tmp_path / "two.py", tmp_path / "three.py"]
    told = tmp_path / "told"
    for path in paths:
        module(path, f"import os\n{BY.format(str(told))}", a=1)
    mechanisms = [job_from(path).mechanism for path in paths]

    def made(mechanism):
        return Runner(sys.executable, deadline=50.0, memory_mib=512, allow={"write"}, mechanism=mechanism)

    with closing(RunnerHosts()) as hosts, contextlib.ExitStack() as stack:
        hosts.several = True
        monkeypatch.setenv(ADDRESS, hosts.address)
        for number, mechanism in enumerate(mechanisms):
            if killed and number == 2:
                os.kill(int(told.read_text().split()[1]), signal.SIGKILL)
            runner = stack.enter_context(made(mechanism))
            runner.load(mechanism)
            assert runner.sample(SampleRequest((DataValue([0.0]),), runs=3))[0].runs == 3
    own, parents = zip(*(line.split() for line in dict.fromkeys(told.read_text().splitlines())), strict=True)

    assert len(set(own)) == 3, "each import is in a process of its own"
    assert parents[0] == parents[1] != str(os.getpid())
    assert parents[2] == (str(os.getpid()) if killed else parents[0])


LOOKED_AT = """
import gc, os
from dplint import dp
seen = []
gc.callbacks.append(lambda phase, _: seen.append((os.getpid(), len(gc.get_objects()))))

@dp(epsilon=1.0, neighbors="linf")
def a(rng, xs):
    return max(count for pid, count in seen if pid == os.getpid())
"""


@needs_fork
@pytest.mark.process
def test_what_a_host_has_imported_is_not_looked_through_again(tmp_path, nothing_left, monkeypatch):
    """A collection of garbage in each fork would take longer than the fork, and memory of its own for what they share.

    The function returns at how many objects a collection has looked in its own process.
    """
    path = tmp_path / "release.py"
    path.write_text(LOOKED_AT)
    mechanism = job_from(path).mechanism

    def objects():
        with Runner(sys.executable, deadline=50.0, memory_mib=512, allow=set(), mechanism=mechanism) as runner:
            runner.load(mechanism)
            (batch,) = runner.sample(SampleRequest((DataValue([0.0]),), runs=1))
            return batch.outputs()[0]

    alone = objects()
    with closing(RunnerHosts()) as hosts:
        monkeypatch.setenv(ADDRESS, hosts.address)
        forked = objects()

    assert alone > 10_000 > 5 * forked
