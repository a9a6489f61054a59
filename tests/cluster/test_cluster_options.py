"""The options of `check` that are about clusters, where there is none."""

import json
import shutil
import sys
from functools import partial

import pytest
from click.testing import CliRunner

from dplint.main import app
from dplint_cluster.connection import Patience


def check(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def test_without_dask_it_says_what_to_install(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "dplint_cluster.cluster", raising=False)

    done = check(project, "--cluster", "local")

    assert done.exit_code == 2
    assert "the package dplint-cluster with Dask, and distributed is not installed" in " ".join(done.output.split())


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "tls://127.0.0.1:9", "nonsense://there"])
def test_where_no_scheduler_answers_nothing_is_checked(project, address, monkeypatch):
    monkeypatch.setattr("dplint_cluster.connection.Patience", partial(Patience, connect=1.0))

    done = check(project, "--cluster", address, "--cluster-without-tls")

    assert done.exit_code == 2
    assert f"no scheduler answers at {address}" in done.output


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "ws://127.0.0.1:9", "inproc://x", "LOCAL"])
def test_an_address_without_tls_wants_a_flag_that_says_what_that_means(project, address, monkeypatch):
    monkeypatch.setattr("dplint_cluster.cluster.Cluster", None)

    done = check(project, "--cluster", address)

    assert done.exit_code == 2
    assert "without TLS, so that whoever reaches" in done.output
    assert "--cluster-without-tls" in done.output


@pytest.mark.parametrize("address", ["tls://127.0.0.1:9", "TLS://127.0.0.1:9"])
def test_an_address_with_tls_wants_none(project, address, monkeypatch):
    monkeypatch.setattr("dplint_cluster.connection.Patience", partial(Patience, connect=1.0))

    assert "no scheduler answers at" in check(project, "--cluster", address).output


def test_without_certificates_it_says_what_to_install(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)

    done = check(project, "--cluster", "local")

    assert done.exit_code == 2
    assert "cryptography" in done.output
    assert "install dplint with its extra cluster" in done.output


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
    assert check(project, "--static-only", "--cluster", "tls://127.0.0.1:9", "-q").exit_code in (0, 1)


@pytest.mark.process
def test_what_one_machine_has_found_out_another_knows(project, tmp_path, monkeypatch):
    monkeypatch.setattr("dplint.cli.elsewhere.named_key", lambda: b"a secret of 16 or more")
    other = tmp_path / "elsewhere"
    shutil.copytree(project, other)
    options = ("--shared-cache", tmp_path / "shared", "--runs", 2000, "--format", "json")

    first, second = (json.loads(check(folder, *options).stdout) for folder in (project, other))

    assert [one["verdict"] for one in first["results"]] == [one["verdict"] for one in second["results"]]
    assert not any("from the cache" in str(one) for one in first["results"])
    assert all("from the cache" in str(one) for one in second["results"])


def test_a_store_that_is_none_is_told(project):
    done = check(project, "--shared-cache", "nonsense://there")

    assert done.exit_code == 2
    assert "nonsense://there is no place for a cache" in done.output
