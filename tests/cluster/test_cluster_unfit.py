"""Processes of a cluster that cannot do audits: they are given none, and cost nobody a verdict."""

import ast
import os
import shutil
import signal
import socket
import time

import pytest
from distributed import Client

import dplint
from dplint.outcomes import Failed, Result, Violation
from dplint.workers.installed import code_digest
from dplint_cluster.cluster import Cluster
from dplint_cluster.connection import ClusterProblem, Patience
from dplint_cluster.gate import call
from tests.cluster.conftest import PATIENCE, ROOT
from tests.cluster.test_cluster import checked, meanwhile, nothing_left, results

__all__ = ["nothing_left"]


def processes(test):
    """A test with real ones."""
    return pytest.mark.process(pytest.mark.nightly(pytest.mark.usefixtures("nothing_left")(test)))


def test_the_way_in_is_text_that_older_pythons_read():
    """Code of one Python ends the process of another one."""
    expression, given = call("describe")

    ast.parse(expression, mode="eval", feature_version=(3, 8))
    ast.parse(given["text"], feature_version=(3, 8))
    assert "dplint" not in given["text"].partition("def called")[0]


def test_the_way_in_looks_at_the_dplint_that_is_there_first(monkeypatch):
    def answer():
        expression, given = call("describe")
        return eval(expression, given)

    why, _, environment = answer()
    assert (why, environment != "") == ("", True)
    expression, given = call("describe")
    monkeypatch.setattr(dplint, "__version__", "0.0.1")
    assert eval(expression, dict(given))[0].startswith("it has dplint 0.0.1, and this is")
    monkeypatch.undo()
    monkeypatch.setattr("dplint_cluster.digest", lambda: "other")
    assert eval(expression, dict(given))[0].startswith("it has other code that also calls itself dplint")
    monkeypatch.undo()
    monkeypatch.setattr("dplint_cluster.digest", None)
    assert eval(expression, dict(given))[0].startswith("dplint cannot be imported there")


def test_a_digest_of_code_is_of_all_files(tmp_path, monkeypatch):
    home = tmp_path / "dplint"
    (home / "inner").mkdir(parents=True)
    monkeypatch.setattr(dplint, "__file__", str(home / "__init__.py"))
    seen = set()
    for name, text in [("__init__.py", ""), ("inner/a.py", "x = 1"), ("inner/a.py", "x = 2"), ("inner/b.py", "")]:
        (home / name).write_text(text)
        seen.add(code_digest.__wrapped__())
    assert len(seen) == 4
    (home / "inner" / "data.txt").write_text("")
    assert code_digest.__wrapped__() in seen


@processes
def test_one_in_which_no_worker_can_start_does_not_spoil_what_it_gets(project, machines, connected, tmp_path):
    """It would be free at once again, and have had all audits soon."""
    (tmp_path / "broken" / "numpy").mkdir(parents=True)
    (tmp_path / "broken" / "numpy" / "__init__.py").write_text("raise ImportError('libblas is missing')\n")
    machines.worker("broken", f"{tmp_path / 'broken'}{os.pathsep}{ROOT}")
    cluster = connected("one", "broken")

    assert results(checked(project, cluster)) == results(checked(project))
    (why,) = cluster.unfit.values()
    assert why == "no worker process can be had there (ImportError: libblas is missing)"


@processes
def test_other_code_of_the_same_version_is_given_no_work(project, machines, connected, tmp_path):
    shutil.copytree(ROOT / "dplint", tmp_path / "other" / "dplint")
    with (tmp_path / "other" / "dplint" / "decorator.py").open("a") as stream:
        stream.write("\nX = 1\n")
    machines.worker("other", tmp_path / "other")
    cluster = connected("one", "other")

    assert [why.startswith("it has other code") for why in cluster.unfit.values()] == [True]
    assert results(checked(project, cluster)) == results(checked(project))


@processes
def test_one_that_is_busy_for_somebody_else_is_waited_for(project, machines, connected):
    connected("one").close()
    with Client(machines.address) as client:
        busy = client.submit(time.sleep, 8)
        while not any(client.processing().values()):
            time.sleep(0.05)
        cluster = Cluster(machines.address, 0, PATIENCE)
        assert not cluster.unfit
        assert not busy.done(), "it was not waited for to be asked"
        assert isinstance(results(checked(project, cluster))["broken"], Violation)
        cluster.close()


@processes
def test_a_scheduler_that_says_nothing_ends_with_what_is_known(project, machines, connected):
    """Stopped, or cut off: the connection stands, and nobody may wait for it for ever."""
    cluster = connected("one")
    here = results(checked(project, runs=1_000_000))
    known = {}
    for event in checked(project, cluster, runs=1_000_000):
        if isinstance(event, Result):
            known |= results([event])
            if len(known) == 1:
                machines.signal("scheduler", signal.SIGSTOP)

    failed = {name: outcome for name, outcome in known.items() if isinstance(outcome, Failed)}
    assert (len(known), len(failed)) == (3, 2)
    assert all("has said nothing for 20 s" in outcome.reason for outcome in failed.values())
    assert {name: here[name] for name in known if name not in failed}.items() <= known.items()
    cluster.close()  # has an end


@processes
def test_somebody_else_who_listens_at_the_address_is_told():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterProblem, match="who listens there has said nothing for 1 s"):
            Cluster(address, 0, Patience(connect=1.0))


@processes
def test_where_all_workers_of_a_process_are_killed_at_once_the_audit_is_done_again(project, machines, connected):
    """As where memory runs out, and the system ends the process that they are forked from."""
    cluster = connected("one")
    here = results(checked(project, runs=4_000_000))

    def kill(_event):
        from psutil import Process  # noqa: PLC0415 - comes with Dask

        for child in Process(machines.processes["one"].pid).children():
            child.send_signal(signal.SIGKILL)

    assert results(meanwhile(checked(project, cluster, runs=4_000_000), kill, runs=1)) == here
    assert not cluster.unfit
