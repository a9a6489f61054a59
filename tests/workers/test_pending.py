"""Which job comes next while a module is being imported."""

from dplint.workers import pool as module
from dplint.workers.pool import PendingJobs


def test_of_a_module_that_is_being_imported_one_job_is_tried_and_then_the_others_come():
    pending = PendingJobs(["a", "a", "b", "b", "c"], 3)

    assert [pending.take() for _ in range(3)] == [0, 2, 4]


def test_where_there_is_nothing_else_a_second_worker_waits_for_the_same_import():
    pending = PendingJobs(["a", "a"], 2)

    assert [pending.take(), pending.take(), pending.take()] == [0, 1, None]


def test_after_its_import_all_jobs_of_a_module_may_run_at_once():
    pending = PendingJobs(["a", "a", "b"], 2)
    pending.take()
    pending.heard(0, importing=True)
    pending.heard(0, importing=False)

    assert pending.take() == 1


def test_the_last_job_of_a_module_names_it():
    pending = PendingJobs(["a", "b", "a"], 1)

    assert [pending.done(number) for number in (0, 1, 2)] == [None, "b", "a"]


def test_another_worker_is_taken_on_while_one_waits_too_long_and_leaves_when_the_wait_is_over(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    pending = PendingJobs(["slow", "slow", "b", "c"], 1)
    assert pending.take() == 0
    pending.heard(0, importing=True)
    assert not pending.take_on_another(1.0)

    now[0] += 1.5
    assert pending.take_on_another(1.0)
    assert not pending.take_on_another(1.0), "there is one already"
    assert pending.take() == 2
    pending.heard(0, importing=False)
    pending.done(2)
    assert pending.take() is None, "one is enough again"


def test_nobody_is_taken_on_where_all_that_is_left_needs_the_same_module(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    pending = PendingJobs(["slow", "slow"], 1)
    pending.take()
    pending.heard(0, importing=True)
    now[0] += 5

    assert not pending.take_on_another(1.0)


def test_what_was_not_begun_can_be_taken_back():
    pending = PendingJobs(["a", "b"], 1)
    pending.take()

    assert pending.clear() == [1]
    assert pending.take() is None
