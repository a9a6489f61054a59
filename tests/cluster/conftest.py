"""A cluster of Dask as real processes on this machine, and mechanisms to audit on it."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from distributed import Client

from dplint.config import Settings
from dplint_cluster.cluster import Cluster
from dplint_cluster.connection import Patience
from tests.patience import end_of

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = Patience(connect=60, silence=20, lost=3, empty=20)
MODULE = """
from dplint import dp
from inner.noise import noisy


@dp(epsilon=1.0, neighbors="linf")
def kept(data: float, rng):
    return noisy(data, rng, 1.0)


@dp(epsilon=1.0, neighbors="linf")
def broken(data: float, rng):
    return noisy(data, rng, 0.4)


@dp(epsilon=1.0, neighbors="linf")
def another(data: float, rng):
    return noisy(data, rng, 0.7) + 1
"""
NOISE = """
def noisy(value, rng, scale):
    return value + rng.laplace(scale=scale)
"""


class Machines:
    """A scheduler and workers, each a process of its own, on ports that the system chooses."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = {}
        self._start("scheduler", "dask_scheduler", "--port", "0", "--scheduler-file", str(folder / "scheduler.json"))

    @property
    def address(self):
        file = self.folder / "scheduler.json"
        until = end_of(60)
        while time.monotonic() < until:
            with suppress(OSError, ValueError):
                return json.loads(file.read_text())["address"]
            time.sleep(0.05)
        raise AssertionError("the scheduler did not start")

    def worker(self, name, path=ROOT):
        """Another worker, which imports dplint from there."""
        options = ["--name", name, "--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder / name)]
        self._start(name, "dask_worker", self.address, *options, path=path)

    def signal(self, name, number):
        os.kill(self.processes[name].pid, number)

    def named(self, cluster):
        """The names of the workers by their addresses."""
        return {one["name"]: address for address, one in cluster.client.scheduler_info(n_workers=-1)["workers"].items()}

    def close(self):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def _start(self, name, module, *options, path=ROOT):
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(path)},
            )


@pytest.fixture
def machines(tmp_path):
    folder = tmp_path / "machines"
    folder.mkdir()
    made = Machines(folder)
    yield made
    for process in made.processes.values():
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
    made.close()


@pytest.fixture
def project(tmp_path):
    """A project of three mechanisms, whose noise is in another module."""
    folder = tmp_path / "project"
    (folder / "inner").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("")
    (folder / "inner" / "__init__.py").touch()
    (folder / "inner" / "noise.py").write_text(NOISE)
    (folder / "inner" / "unused.py").write_text("secret = 1\n")
    (folder / "mechanisms.py").write_text(MODULE)
    return folder


@pytest.fixture
def connected(machines):
    """Connects to the machines once all of these workers are there."""
    made = []

    def connect(*names):
        for name in names:
            if name not in machines.processes:
                machines.worker(name)
        with Client(machines.address, timeout=60) as client:
            client.wait_for_workers(len(names), timeout=60)
        made.append(Cluster(machines.address, 0, PATIENCE))
        return made[-1]

    yield connect
    for cluster in made:
        cluster.close()


def settings(**given):
    return Settings(**{"runs": 20_000, "seed": 3, "cache": False, "jobs": 1, "interpreter": sys.executable, **given})
