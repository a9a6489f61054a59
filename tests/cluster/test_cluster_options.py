"""The options of `check` that are about clusters, where there is none."""

import sys
from functools import partial

import pytest
from click.testing import CliRunner

from dplint.main import app
from dplint.workers.cluster import Patience


def check(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def test_without_dask_it_says_what_to_install(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "dplint.workers.cluster", raising=False)

    done = check(project, "--cluster", "local")

    assert done.exit_code == 2
    assert "pip install 'dplint[cluster]'" in done.output


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://there"])
def test_where_no_scheduler_answers_nothing_is_checked(project, address, monkeypatch):
    monkeypatch.setattr("dplint.workers.cluster.Patience", partial(Patience, connect=1.0))

    done = check(project, "--cluster", address)

    assert done.exit_code == 2
    assert f"no scheduler answers at {address}" in done.output


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(("--resume", "--no-cache"), "--no-cache"), (("--cluster", "local", "--watch"), "--watch")],
)
def test_what_does_not_go_together(project, arguments, word):
    done = check(project, *arguments)

    assert done.exit_code == 2
    assert "does not go with" in done.output
    assert word in done.output


def test_where_nothing_is_run_no_cluster_is_needed(project):
    assert check(project, "--static-only", "--cluster", "tcp://127.0.0.1:9", "-q").exit_code in (0, 1)
