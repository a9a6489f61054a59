"""A connection to a cluster of Dask: its processes, which of them are fit for audits, and tasks for them."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from distributed import Client, Future, LocalCluster
from distributed.versions import VersionMismatchWarning

from dplint.workers.installed import environment_digest
from dplint_cluster.gate import call
from dplint_cluster.local import local_cluster

LOCAL = "local"
"""The address of a cluster that is made for the check, on this machine."""


_LOOK_SECONDS, _REMOVING_SECONDS, _CLOSING_SECONDS = 1.0, 5.0, 5.0


class ClusterProblem(Exception):
    """There is no cluster to work on; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds. connect: for the scheduler to answer, for a first process, and for each to say what it has.

    silence: for a process, and for the scheduler, to be heard of. lost: for a scheduler that has gone to come back.
    empty: without any process that could do a job.
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

    seen: the processes that the scheduler knows, by address, and heard: when it has last told.
    environment: of the processes that do the audits, as `environment_of` writes them. notes: what a reader should know
    of processes that are given no work.
    """

    def __init__(self, address: str, processes: int, patience: Patience | None = None) -> None:
        """processes: of a local cluster. Raises ClusterProblem."""
        _silence_dask()
        self.patience = patience or Patience()
        self.address = address
        self._local: LocalCluster | None = None
        try:
            if address == LOCAL:
                self._local = local_cluster(processes)
            target = self._local or address
            self.client = _connected(target, self.patience.connect)
        except ImportError as error:
            cure = "install dplint with its extra cluster"
            raise ClusterProblem(f"a local cluster takes {error.name}, which is not installed: {cure}") from None
        except Exception as error:  # each protocol has errors of its own
            self._close_local()
            raise ClusterProblem(f"no scheduler answers at {address}: {error}") from None
        self.unfit: dict[str, str] = {}
        self.seen: dict[str, Seen] = {}
        self.heard = time.monotonic()
        try:
            environments = self._described()
        except ClusterProblem:
            self.close()
            raise
        threading.Thread(target=self._watch, daemon=True).start()
        self.environment = "\0\0".join(sorted(environments))
        self._digests = frozenset(map(environment_digest, environments))

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
            eval,
            *call("audit", packed, self._digests, check, key, every),
            key=key,
            workers=allowed,
            allow_other_workers=False,
            pure=False,
        )
        return future

    def processes(self) -> dict[str, int]:
        """Those that are fit for work, each with its threads."""
        return {address: one.threads for address, one in self.seen.items() if address not in self.unfit}

    def _watch(self) -> None:
        """See who is there, again and again. In a thread: a scheduler that is stopped would keep us waiting."""
        while self.client.status != "closed":
            before = time.monotonic()
            with contextlib.suppress(Exception):
                self._see()
            # With a thousand processes it takes its time, and is to take a twentieth at most.
            time.sleep(max(_LOOK_SECONDS, 20 * (time.monotonic() - before)))

    def _see(self) -> None:
        info: dict[str, Any] = self.client.scheduler_info(n_workers=-1)["workers"]
        self.seen = {address: Seen(int(one["nthreads"]), float(one["last_seen"])) for address, one in info.items()}
        self.heard = time.monotonic()

    def remove(self, address: str) -> None:
        """Have the scheduler give up a process, and deal its tasks again."""
        scheduler = self.client.scheduler
        if scheduler is None:  # the connection is being closed
            return
        with contextlib.suppress(OSError, RuntimeError, TimeoutError):
            # As a process leaves by itself: the scheduler is sent no code.
            self.client.sync(
                scheduler.unregister,
                address=address,
                stimulus_id="dplint-silent",
                expected=True,
                callback_timeout=_REMOVING_SECONDS,
            )

    def tell(self, addresses: Collection[str], name: str, what: object) -> None:
        """Have processes hear something beside their tasks, in a thread: one that is stopped would keep us waiting."""

        def run() -> None:
            with contextlib.suppress(Exception):
                self.client.run(eval, *call(name, what), workers=sorted(addresses), on_error="ignore")

        threading.Thread(target=run, daemon=True).start()

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
        while True:
            with contextlib.suppress(OSError):
                self._see()
            if there := list(self.processes()):
                break
            if time.monotonic() > until:
                waited = f"{self.patience.connect:g} s"
                raise ClusterProblem(f"{self.words} has had no worker for {waited}: start some (dask worker ADDRESS)")
            time.sleep(0.1)
        answers: queue.SimpleQueue[tuple[str, str, str]] = queue.SimpleQueue()

        def ask(address: str) -> None:
            try:
                # Beside its tasks: it may be busy for somebody else.
                why, _, environment = self.client.run(eval, *call("describe"), workers=[address])[address]
            except Exception as error:
                why, environment = f"it cannot be asked what it has ({error})", ""
            answers.put((address, why, environment))

        for address in there:
            threading.Thread(target=ask, args=(address,), daemon=True).start()
        found: set[str] = set()
        self.unfit |= dict.fromkeys(there, f"it has not answered within {self.patience.connect:g} s")
        until = time.monotonic() + self.patience.connect
        with contextlib.suppress(queue.Empty):
            for _ in there:
                address, why, environment = answers.get(timeout=max(0.0, until - time.monotonic()))
                del self.unfit[address]
                if why:
                    self.unfit[address] = why
                else:
                    found.add(environment)
        if not found:
            raise ClusterProblem(f"no worker of {self.words} can audit: " + "; ".join(self.notes))
        return frozenset(found)


def _connected(target: LocalCluster | str, seconds: float) -> Client:
    """A client of a scheduler. Raises TimeoutError, and what Dask raises.

    Dask itself waits for ever for an address where somebody listens and says nothing.
    """
    found: queue.SimpleQueue[Client | Exception] = queue.SimpleQueue()

    def connect() -> None:
        try:
            found.put(Client(target, timeout=seconds))
        except Exception as error:
            found.put(error)

    threading.Thread(target=connect, daemon=True).start()
    try:
        made = found.get(timeout=seconds + _CLOSING_SECONDS)
    except queue.Empty:
        raise TimeoutError(f"who listens there has said nothing for {seconds:g} s") from None
    if isinstance(made, Exception):
        raise made
    return made


def _silence_dask() -> None:
    """What is wrong is told by us; in its own logs, each of which has a level, are pages of tracebacks."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)
    # Packages and Pythons are compared by us; those of a scheduler do not matter.
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)
