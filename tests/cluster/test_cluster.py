"""Audits on a cluster: the verdicts of one machine, whatever becomes of the processes of the cluster."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from dplint.check import Elsewhere, check_paths
from dplint.outcomes import Effort, Failed, Plan, Progress, Result, StopReason, Violation
from dplint.workers.pool import Stop
from dplint_cluster.cluster import Cluster
from dplint_cluster.connection import LOCAL
from tests.cluster.conftest import settings
from tests.end_to_end.conftest import nothing_left
from tests.patience import end_of, patience

__all__ = ["nothing_left"]

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("nothing_left")]


def timeless(outcome):
    """The outcome without the seconds that it took."""
    return replace(outcome, effort=replace(outcome.effort, seconds=0.0)) if isinstance(outcome.effort, Effort) else None


def results(events):
    """The outcome of each mechanism by name, each of which must come exactly once."""
    found = {}
    for event in events:
        if isinstance(event, Result):
            assert event.mechanism.qualname not in found, "counted twice"
            found[event.mechanism.qualname] = timeless(event.outcome)
    return found


def checked(project, cluster=None, stop=None, **given):
    return check_paths([project], settings(**given), stop, elsewhere=Elsewhere(cluster))


def meanwhile(events, act, runs=0):
    """The events; as soon as a job has begun and made so many runs, something is done once."""
    acted = False
    for event in events:
        if isinstance(event, Progress) and event.done >= runs and not acted:
            acted = True
            act(event)
        yield event
    assert acted, "the check was over too soon"


def at_work(cluster, machines):
    """The names of the workers that have tasks."""
    names = {address: name for name, address in machines.named(cluster).items()}
    return [names[address] for address, keys in cluster.client.processing().items() if keys and address in names]


def test_the_verdicts_of_one_machine_also_if_a_worker_is_killed(project, machines, connected):
    cluster = connected("one", "two")
    here = results(checked(project, runs=400_000))

    events = list(
        meanwhile(
            checked(project, cluster, runs=400_000),
            lambda _: machines.signal(at_work(cluster, machines)[0], signal.SIGKILL),
        )
    )

    assert [len(event.mechanisms) for event in events if isinstance(event, Plan)] == [3]
    assert results(events) == here
    assert isinstance(here["broken"], Violation)
    modules = cluster.client.run_on_scheduler(lambda: list(sys.modules))
    assert not [name for name in modules if name.startswith(("mechanisms", "inner", "dplint."))]


@pytest.mark.nightly
def test_a_stopped_worker_is_given_up(project, machines, connected):
    cluster = connected("one", "two")
    here = results(checked(project, runs=400_000))

    there = results(
        meanwhile(
            checked(project, cluster, runs=400_000),
            lambda _: machines.signal(at_work(cluster, machines)[0], signal.SIGSTOP),
        )
    )

    assert there == here
    assert len(machines.named(cluster)) == 1


def another_version(folder, version="0.0.1"):
    """A folder from which dplint is imported as of that version."""
    (folder / "dplint").mkdir(parents=True)
    (folder / "dplint" / "__init__.py").write_text(f"__version__ = {version!r}\n")
    return folder


@pytest.mark.nightly
def test_another_version_is_given_no_work(project, machines, connected, tmp_path):
    machines.worker("old", another_version(tmp_path / "old"))
    cluster = connected("one", "old")

    assert len(cluster.notes) == 1
    assert "it has dplint 0.0.1, and this is" in cluster.notes[0]
    assert results(checked(project, cluster)) == results(checked(project))


@pytest.mark.nightly
def test_another_version_that_comes_later_is_given_no_work(project, machines, connected, tmp_path):
    cluster = connected("one")
    machines.worker("old", another_version(tmp_path / "old"))
    while len(machines.named(cluster)) < 2:
        pass

    assert results(checked(project, cluster)) == results(checked(project))
    assert list(cluster.unfit) == [machines.named(cluster)["old"]]


@pytest.mark.nightly
def test_where_all_fit_workers_have_gone_the_failures_say_so(project, machines, connected, tmp_path):
    cluster = connected("one")
    machines.worker("old", another_version(tmp_path / "old"))
    while len(machines.named(cluster)) < 2:
        pass

    found = results(meanwhile(checked(project, cluster, runs=10**9), lambda _: machines.signal("one", signal.SIGKILL)))

    assert len(found) == 3
    for outcome in found.values():
        assert isinstance(outcome, Failed)
        assert "no worker of the cluster" in outcome.reason
        assert "it has dplint 0.0.1, and this is" in outcome.reason


@pytest.mark.nightly
def test_the_death_of_the_scheduler_ends_with_what_is_known(project, machines, connected):
    cluster = connected("one")
    here = results(checked(project, runs=1_000_000))
    known, events = {}, checked(project, cluster, runs=1_000_000)
    for event in events:
        if isinstance(event, Result):
            known |= results([event])
            if len(known) == 1:
                machines.signal("scheduler", signal.SIGKILL)

    assert set(known) == set(here)
    failed = {name: outcome for name, outcome in known.items() if isinstance(outcome, Failed)}
    assert len(failed) == 2
    assert all("scheduler of the cluster" in outcome.reason for outcome in failed.values())
    assert {name: here[name] for name in known if name not in failed}.items() <= known.items()


@pytest.mark.nightly
def test_what_is_in_hand_ends_with_what_is_known_if_somebody_asks(project, machines, connected):
    cluster = connected("one")
    stop = Stop()

    found = results(
        meanwhile(checked(project, cluster, stop, runs=10**9, keep_going=True), lambda _: stop.request(), runs=1)
    )

    begun = [outcome for outcome in found.values() if outcome.effort.runs]
    assert len(begun) == 1
    assert begun[0].effort.stop is StopReason.CANCELLED
    assert [outcome.reason for outcome in found.values() if isinstance(outcome, Failed)] == [
        "the check was ended before this audit began"
    ] * 2


@pytest.mark.nightly
def test_nobody_works_on_for_a_check_that_is_gone(project, machines, connected):
    cluster = connected("one")
    events = checked(project, cluster, runs=10**9)
    next(event for event in events if isinstance(event, Progress) and event.done > 0)

    events.close()
    # the next check finds the only worker free
    assert results(checked(project, cluster)) == results(checked(project))


def command(project, *options):
    """`dplint check` as a process of its own, with the cache of the project."""
    given = [project, "--runs", 1_000_000, "--seed", 3, "--format", "json", *options]
    return subprocess.Popen(
        [sys.executable, "-m", "dplint", "check", *map(str, given)], stdout=subprocess.PIPE, text=True, cwd=project
    )


def ended(process):
    """The exit code, and each mechanism's result in JSON."""
    output, _ = process.communicate(timeout=patience(300))
    return process.returncode, {one["function"]: one for one in json.loads(output)["results"]}


@pytest.mark.nightly
def test_after_the_death_of_the_scheduler_a_check_goes_on_where_it_was(project, machines):
    machines.worker("one")
    process = command(project, "--cluster", machines.address, "--cluster-without-tls")
    while process.poll() is None and not [*project.glob(".dplint_cache/[0-9a-f]*.json")]:
        time.sleep(0.01)
    machines.signal("scheduler", signal.SIGKILL)
    code, before = ended(process)
    known = {name for name, one in before.items() if one["verdict"] != "failed"}
    assert (code, len(before)) == (2, 3)
    assert 1 <= len(known) < 3

    code, after = ended(command(project, "--cluster", "local", "--jobs", 1, "--resume"))

    assert code == 1
    assert {name for name, one in after.items() if "from the cache" in str(one)} == known
    _, here = ended(command(project, "--no-cache"))
    verdicts = [
        {name: (one["verdict"], one["counterexample"]) for name, one in found.items()} for found in (after, here)
    ]
    assert verdicts[0] == verdicts[1]


@pytest.mark.nightly
def test_a_ctrl_c_in_a_terminal_ends_with_what_is_known(project):
    """A terminal sends it to all processes that it has in the foreground."""
    ours, theirs = pty.openpty()
    limits = ["--runs", str(10**9), "--keep-going", "--no-cache", "--jobs", "1"]
    shown = ["--no-progress", "--format", "json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "dplint", "check", str(project), "--cluster", "local", *limits, *shown],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        start_new_session=True,
    )
    until = end_of(60)
    while time.monotonic() < until and not runners_below(process.pid):
        time.sleep(0.05)
    time.sleep(2)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=patience(60))
    errors = os.read(ours, 1 << 16).decode()
    os.close(ours)
    os.close(theirs)

    assert process.returncode == 130
    assert errors.splitlines() == ["dplint is stopping; Ctrl-C again ends it at once"]
    found = json.loads(output)["results"]
    assert sorted("was ended before" in str(one) for one in found) == [False, True, True]
    assert [one["verdict"] for one in found].count("failed") == 2, "the one in hand has a verdict"


@pytest.mark.nightly
def test_two_local_clusters_are_no_matter(recwarn):
    first = Cluster(LOCAL, 1)
    second = Cluster(LOCAL, 1)
    for cluster in (first, second):
        assert list(cluster.processes().values()) == [1]
        cluster.close()
    assert not [str(one.message) for one in recwarn if "Port" in str(one.message)]


def runners_below(pid):
    """The processes of which that one is an ancestor and that run the code of users."""
    from psutil import NoSuchProcess, Process  # noqa: PLC0415 - comes with Dask

    try:
        below = Process(pid).children(recursive=True)
        return [one for one in below if "from _dplint.runner" in " ".join(one.cmdline())]
    except NoSuchProcess:
        return []
