"""One mechanism on several processes of a cluster: the outcome of one, to the bit, whatever becomes of them."""

import signal
import sys
import threading
import time
from contextlib import suppress

import pytest

from dplint.outcomes import Failed
from tests.cluster.test_cluster import another_version, checked, nothing_left, results
from tests.patience import end_of, patience

__all__ = ["nothing_left"]

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("nothing_left")]

MODULE = """
import time

from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def kept(data: float, rng):
    noise = rng.laplace(scale=1.0)
    time.sleep(1e-4 + 1e-9 * abs(noise))
    return data + noise
"""
RUNS = 30_000


@pytest.fixture
def slow(tmp_path):
    """A project of one mechanism that is too slow for one process: it sleeps by its noise, so that each run does."""
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    (folder / "mechanisms.py").write_text(MODULE)
    return folder


def drew(cluster):
    """The addresses of the processes that have begun to draw for another one, as they know it themselves."""

    def idle():
        module = sys.modules.get("dplint_cluster.process")
        return module is not None and module.begun > 0

    with suppress(Exception):
        return [address for address, did in cluster.client.run(idle, on_error="ignore").items() if did is True]
    return []


class Watch:
    """Does something once another process has begun to draw."""

    def __init__(self, cluster, act=lambda address: None):
        self.seen, self._over = [], threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(cluster, act), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join(patience(30))

    def _watch(self, cluster, act, interval=0.2):
        while not self._over.wait(interval):
            self.seen = drew(cluster) or self.seen
            if self.seen:
                act(self.seen[0])
                return


def test_blocks_are_drawn_elsewhere_and_nothing_changes_if_who_draws_is_killed(slow, machines, connected):
    here = results(checked(slow, runs=RUNS))
    cluster = connected("one", "two")
    names = {address: name for name, address in machines.named(cluster).items()}

    with Watch(cluster, lambda address: machines.signal(names[address], signal.SIGKILL)) as watch:
        there = results(checked(slow, cluster, runs=RUNS))

    assert watch.seen, "nobody else has drawn"
    assert there == here


@pytest.mark.nightly
def test_who_is_stopped_is_not_waited_for(slow, machines, connected):
    here = results(checked(slow, runs=RUNS))
    cluster = connected("one", "two")
    names = {address: name for name, address in machines.named(cluster).items()}

    with Watch(cluster, lambda address: machines.signal(names[address], signal.SIGSTOP)) as watch:
        there = results(checked(slow, cluster, runs=RUNS))

    assert watch.seen
    assert there == here


def who_bets(cluster, machines):
    """The name of the worker that has the audit, not only blocks of it."""
    names = {address: name for name, address in machines.named(cluster).items()}
    busy = {
        names[address]
        for address, keys in cluster.client.processing().items()
        if any("-draw-" not in str(key) for key in keys) and address in names
    }
    (name,) = busy
    return name


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_who_bets_is_gone_in_the_middle(slow, machines, connected, number):
    """Another one begins anew, and who has drawn may draw for that one. A block that still comes is nobody's."""
    here = results(checked(slow, runs=RUNS))
    cluster = connected("one", "two", "three")

    with Watch(cluster, lambda _: machines.signal(who_bets(cluster, machines), number)) as watch:
        there = results(checked(slow, cluster, runs=RUNS))

    assert watch.seen
    assert len(machines.named(cluster)) == 2
    assert there == here


@pytest.mark.nightly
def test_who_is_slow_costs_time_and_nothing_else(slow, machines, connected):
    """It runs for a tenth of the time."""
    here = results(checked(slow, runs=RUNS))
    cluster = connected("one", "two")
    names = {address: name for name, address in machines.named(cluster).items()}
    over = threading.Event()

    def slow_down(address):
        def stutter():
            while not over.is_set():
                for number, seconds in ((signal.SIGSTOP, 0.45), (signal.SIGCONT, 0.05)):
                    machines.signal(names[address], number)
                    over.wait(seconds)
            machines.signal(names[address], signal.SIGCONT)

        threading.Thread(target=stutter, daemon=True).start()

    with Watch(cluster, slow_down) as watch:
        there = results(checked(slow, cluster, runs=RUNS))
    over.set()

    assert watch.seen
    assert there == here
    assert len(machines.named(cluster)) == 2


@pytest.mark.nightly
def test_the_scheduler_dies_while_others_draw(slow, machines, connected):
    """What is not known then is a failure, and nobody draws on."""
    cluster = connected("one", "two")

    with Watch(cluster, lambda _: machines.signal("scheduler", signal.SIGKILL)) as watch:
        found = results(checked(slow, cluster, runs=10**9))

    assert watch.seen
    assert isinstance(found["kept"], Failed)
    assert "the scheduler of the cluster" in found["kept"].reason
    assert "--resume" in found["kept"].cure


@pytest.mark.nightly
def test_another_version_draws_nothing(slow, machines, connected, tmp_path):
    machines.worker("old", another_version(tmp_path / "old"))
    cluster = connected("one", "old")

    with Watch(cluster) as watch:
        there = results(checked(slow, cluster, runs=RUNS))

    assert there == results(checked(slow, runs=RUNS))
    assert not watch.seen


@pytest.mark.nightly
def test_three_draw_as_one_and_leave_nothing_behind(slow, machines, connected):
    here = results(checked(slow, runs=RUNS))
    cluster = connected("one", "two", "three")

    with Watch(cluster) as watch:
        assert results(checked(slow, cluster, runs=RUNS)) == here

    assert watch.seen

    def left(dask_worker):
        from pathlib import Path  # noqa: PLC0415 - it is run there

        return [path.name for path in Path(dask_worker.local_directory).glob("dplint-bundle-*")]

    until = end_of(90)
    while time.monotonic() < until and any(cluster.client.run(left).values()):
        time.sleep(1)
    assert not any(cluster.client.run(left).values())
