"""A connection to a cluster of Dask: its processes, which of them are fit for audits, and tasks for them."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from distributed import Client, Future, LocalCluster
from distributed import wait as wait_for

import dplint
from dplint.workers.cluster_code import description, task

LOCAL = "local"
"""The address of a cluster that is made for the check, on this machine."""


class ClusterProblem(Exception):
    """There is no cluster to work on; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds. connect: for the scheduler to answer, and for a first process. silence: for a process to be heard of.

    lost: for a scheduler that has gone to come back. empty: without any process that could do a job.
    """

    connect: float = 30.0
    silence: float = 60.0
    lost: float = 10.0
    empty: float = 60.0


class Seen(NamedTuple):
    """What the scheduler knows of a process. at: when it was last heard of, by the scheduler's clock."""

    threads: int
    at: float


class Connection:
    """A cluster, from the connection to its end.

    environment: of the processes that do the audits, as `environment_of` writes them. notes: what a reader should know
    of processes that are given no work.
    """

    def __init__(self, address: str, processes: int, patience: Patience | None = None) -> None:
        """processes: of a local cluster. Raises ClusterProblem."""
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self.patience = patience or Patience()
        self.address = address
        self._local: LocalCluster | None = None
        try:
            if address == LOCAL:
                self._local = LocalCluster(
                    n_workers=processes,
                    threads_per_worker=1,
                    # Any free port: with None it is 8787, and a warning where that is taken.
                    dashboard_address="127.0.0.1:0",
                    memory_limit=None,
                    silence_logs=logging.CRITICAL,
                    preload=["dplint.workers.cluster_local"],
                )
            target = self._local or address
            self.client = Client(target, timeout=self.patience.connect)
        except (OSError, ValueError, RuntimeError) as error:
            self._close_local()
            raise ClusterProblem(f"no scheduler answers at {address}: {error}") from None
        self.unfit: dict[str, str] = {}
        try:
            self._environments = self._described()
        except ClusterProblem:
            self.close()
            raise
        self.environment = "\0\0".join(sorted(self._environments))

    @property
    def words(self) -> str:
        """The cluster, in a sentence."""
        return "the local cluster" if self.address == LOCAL else f"the cluster at {self.address}"

    @property
    def notes(self) -> list[str]:
        """A line for each process that is given no work."""
        return [f"{address} is given no work: {why}" for address, why in self.unfit.items()]

    def submit(self, packed: bytes, check: str, key: str, allowed: Sequence[str] | None, every: float) -> Future[Any]:
        """Have a bundle done by one of the processes that are allowed, None for any. every: seconds between news."""
        future: Future[Any] = self.client.submit(
            task(),
            packed,
            dplint.__version__,
            self._environments,
            check,
            key,
            every,
            key=key,
            workers=allowed,
            allow_other_workers=False,
            pure=False,
        )
        return future

    def seen(self) -> dict[str, Seen]:
        """The processes that the scheduler knows, by address."""
        info: dict[str, Any] = self.client.scheduler_info(n_workers=-1)["workers"]
        return {address: Seen(int(one["nthreads"]), float(one["last_seen"])) for address, one in info.items()}

    def processes(self) -> dict[str, int]:
        """Those that are fit for work, each with its threads."""
        return {address: one.threads for address, one in self.seen().items() if address not in self.unfit}

    def remove(self, address: str) -> None:
        """Have the scheduler give up a process, and deal its tasks again."""

        async def drop(dask_scheduler: Any) -> None:
            await dask_scheduler.remove_worker(address, stimulus_id="dplint-silent", expected=True)

        with contextlib.suppress(OSError, RuntimeError):
            self.client.run_on_scheduler(drop, wait=False)

    def close(self) -> None:
        """Leave the cluster; one that was made for this check ends."""
        with contextlib.suppress(Exception):
            self.client.close(timeout=2)
        self._close_local()

    def _close_local(self) -> None:
        if self._local is not None:
            with contextlib.suppress(Exception):
                self._local.close(timeout=10)

    def _described(self) -> frozenset[str]:
        """The environments of the processes that there are. Raises ClusterProblem if none is fit."""
        until = time.monotonic() + self.patience.connect
        while not (there := list(self.processes())):
            if time.monotonic() > until:
                waited = f"{self.patience.connect:g} s"
                raise ClusterProblem(f"{self.words} has had no worker for {waited}: start some (dask worker ADDRESS)")
            time.sleep(0.1)
        asked = {
            address: self.client.submit(description(), dplint.__version__, workers=[address], pure=False)
            for address in there
        }
        with contextlib.suppress(TimeoutError):
            wait_for(list(asked.values()), timeout=max(1.0, until - time.monotonic()))
        found: set[str] = set()
        for address, future in asked.items():
            if future.status == "finished":
                unfit, environment = future.result(timeout=self.patience.connect)
            else:
                unfit, environment = f"it does not answer ({future.status})", ""
            if unfit:
                self.unfit[address] = unfit
            else:
                found.add(environment)
            future.cancel(force=True)
        if not found:
            raise ClusterProblem(f"no worker of {self.words} can audit: " + "; ".join(self.notes))
        return frozenset(found)
