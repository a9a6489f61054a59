"""Fixtures for audits in the process of the tests: their runners are forked, as in a check.

To start one by itself takes half of the time of an audit of 20,000 runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from dplint.runner.hosts import ADDRESS
from dplint.workers.runner_hosts import RunnerHosts


@pytest.fixture(autouse=True, scope="module")
def runner_hosts() -> Iterator[RunnerHosts]:
    """Hosts of the modules of one test, forked from one that has loaded NumPy; all end with the tests of a file."""
    hosts = RunnerHosts(most=4)
    hosts.several = True
    if hosts.address is not None:
        os.environ[ADDRESS] = hosts.address
    yield hosts
    os.environ.pop(ADDRESS, None)
    hosts.close()


@pytest.fixture(autouse=True)
def modules_are_imported_anew(runner_hosts: RunnerHosts) -> None:
    """Files may have changed since the test before."""
    runner_hosts.renew()


__all__ = ["modules_are_imported_anew", "runner_hosts"]
