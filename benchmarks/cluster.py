"""What a cluster costs beside the audits: how it scales on this machine, seconds and bytes a job, and far beyond.

    python -m benchmarks.cluster [--mechanisms 8] [--budget 3] [--most 2] [--runs 60000] [--turns 3]

Prints the tables of docs/how-to/cluster.md, in their order. The same mechanisms are audited for `--budget` seconds each
by 1, 2, ... local workers. An audit says how many seconds it took, wherever it was done; what the workers were there
for beside is overhead. Then many audits that are over at once say what a job costs, and the bundles of all fixtures
what it sends. The fixtures are also read for a cluster that does nothing: when the first job is sent, and when the last
one. A simulation of the same order of events (one reader of sources that sends, workers that die, jobs ahead of free
workers) goes on to 10,000 mechanisms and 1,000 workers; it knows of no limit of the scheduler or the network. One
mechanism that has to be called is audited with a fixed number of runs by 1, 2, ... processes in turns: how much sooner
it is over, and that the outcome is the same to the bit. Last, what a block of its runs takes beside them, and the
bytes of a run.
"""

from __future__ import annotations

import argparse
import heapq
import os
import pickle
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from benchmarks.machine import described_machine
from dplint.check import Elsewhere, check_paths
from dplint.check.dealing import bundle_of
from dplint.check.loading import Target, audit_settings, load_targets
from dplint.check.mechanism_keys import MechanismKeys
from dplint.config import Settings
from dplint.jobs import AuditJob
from dplint.outcomes import Failed, Result, Untestable
from dplint.runner.batch import DataValue, SampleRequest
from dplint.workers.installed import environment_digest
from dplint.workers.messages import BundleError, Done, Draw, DrawOrder, Message, Sent
from dplint.workers.pool import NOT_BEGUN, Stop
from dplint.workers.process import Worker, drawn_by
from dplint_cluster.cluster import Cluster
from dplint_cluster.connection import LOCAL
from dplint_cluster.gate import call

ROOT = Path(__file__).resolve().parent.parent
AHEAD = 4
FUNCTION = """
@dp(epsilon=1.0, neighbors="linf")
def mechanism_{number}(data: float, rng):
    return data + {number} + rng.laplace(scale=1.0)

"""

SLOW = """
@dp(epsilon=1.0, neighbors="linf")
def slow(data: float, rng):
    exec("pass")
    sum(range(10_000))
    return data + rng.laplace(scale=1.0)
"""
"""Some 100 microseconds a call, and a construct that keeps it from lanes."""


def project(folder: Path, mechanisms: int) -> Path:
    """A file of right mechanisms, whose audits use up what they are given."""
    functions = "".join(FUNCTION.format(number=number) for number in range(mechanisms))
    (folder / "mechanisms.py").write_text("from dplint import dp\n" + functions)
    return folder


def audited(folder: Path, cluster: Cluster, **given: object) -> tuple[float, float, int]:
    """Seconds of a check, connection not included, those of its audits together, and how many these are."""
    settings = Settings(cache=False, interpreter=sys.executable, **given)  # type: ignore[arg-type]
    before = time.monotonic()
    results = [one for one in check_paths([folder], settings, elsewhere=Elsewhere(cluster)) if isinstance(one, Result)]
    assert not any(isinstance(one.outcome, Failed) for one in results), results
    seconds = sum(one.outcome.effort.seconds for one in results if not isinstance(one.outcome, Untestable))
    return time.monotonic() - before, seconds, len(results)


def one_mechanism(most: int, runs: int, turns: int) -> list[tuple[str, int, float]]:
    """Who audits, how many processes, and the median seconds of the check of one mechanism that has to be called.

    The outcomes have to be the same to the bit.
    """
    taken: dict[tuple[str, int], list[float]] = {}
    outcomes = []
    clusters = {workers: Cluster(LOCAL, workers) for workers in range(1, most + 1)}
    try:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "slow.py").write_text("from dplint import dp\n" + SLOW)
            for turn in range(turns + 1):
                for workers, cluster in clusters.items():
                    for name, elsewhere in (("pool", Elsewhere()), ("cluster", Elsewhere(cluster))):
                        settings = Settings(cache=False, interpreter=sys.executable, seed=3, runs=runs, jobs=workers)
                        before = time.monotonic()
                        events = list(check_paths([Path(folder)], settings, elsewhere=elsewhere))
                        if turn:  # in the first one, everything is loaded
                            taken.setdefault((name, workers), []).append(time.monotonic() - before)
                        (result,) = (one for one in events if isinstance(one, Result))
                        assert not isinstance(result.outcome, Untestable)
                        outcomes.append(replace(result.outcome, effort=replace(result.outcome.effort, seconds=0.0)))
    finally:
        for cluster in clusters.values():
            cluster.close()
    assert all(one == outcomes[0] for one in outcomes), "the outcome hangs on who draws"
    return [(*who, statistics.median(seconds)) for who, seconds in taken.items()]


def sending() -> tuple[list[int], float]:
    """The bytes of the bundles of all fixtures, and the seconds that one takes to lower and to pack."""
    keys, sizes, settings = MechanismKeys(), [], Settings(cache=False, interpreter=sys.executable)
    before = time.monotonic()
    for item in load_targets([ROOT / "fixtures"], settings):
        if isinstance(item, Target):
            job = AuditJob(
                mechanism=item.mechanism, program=item.program, settings=audit_settings(settings, item.mechanism)
            )
            with suppress(BundleError):
                sizes.append(len(bundle_of(job, keys)[0].packed()))
    return sizes, (time.monotonic() - before) / len(sizes)


def blocks(turns: int) -> tuple[list[tuple[str, float]], float]:
    """Who draws, with the median seconds of a request for one run on each side, all but nothing; the bytes of a run."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "slow.py").write_text("from dplint import dp\n" + SLOW)
        settings = Settings(cache=False, interpreter=sys.executable)
        (target,) = (one for one in load_targets([Path(folder)], settings) if isinstance(one, Target))
        job = AuditJob(
            mechanism=target.mechanism, program=target.program, settings=audit_settings(settings, target.mechanism)
        )
        packed, pickled = bundle_of(job, MechanismKeys())[0].packed(), pickle.dumps(job)

        def asked(runs: int) -> bytes:
            return pickle.dumps([SampleRequest((DataValue(0.0, "scalar"), DataValue(1.0, "scalar")), runs=runs)])

        worker, cluster = Worker(), Cluster(LOCAL, 1)
        digests = frozenset({environment_digest(cluster.environment)})

        def by_pool(number: int, runs: int = 1) -> bytes | None:
            return drawn_by(worker, job, DrawOrder(pickled, Draw(number, 0, asked(runs)))).blocks

        def by_cluster(number: int) -> bytes | None:
            task = call("draw", packed, (number, 0, asked(1)), digests)
            why, _, drawn = cluster.client.submit(eval, *task, pure=False).result()
            assert not why, why
            return drawn  # type: ignore[no-any-return]

        try:
            found = []
            for name, draw in (("`--jobs`", by_pool), ("`--cluster local`", by_cluster)):
                taken = []
                for number in range(turns + 1):
                    before = time.monotonic()
                    assert draw(number) is not None
                    taken.append(time.monotonic() - before)
                found.append((name, statistics.median(taken[1:])))  # the first one loads what it takes
            return found, len(by_pool(turns + 1, 1000) or b"") / 2000
        finally:
            worker.kill()
            cluster.close()


class Idle:
    """A cluster that does nothing, and notes when jobs come."""

    environment = ""

    def __init__(self) -> None:
        self.came: list[float] = []

    def run(
        self,
        jobs: Iterator[Sent | None],
        stop: Stop | None = None,  # noqa: ARG002 - clusters take one
    ) -> Generator[Message | None, None, None]:
        """Answer each job at once."""
        number = 0
        for sent in jobs:
            if sent is None:
                yield None
                continue
            self.came.append(time.monotonic())
            yield Message(number, Done(NOT_BEGUN))
            number += 1


def reading(processes: int) -> tuple[float, float, int]:
    """Seconds until the first job of the fixtures is sent and until the last is, and how many they are."""
    cluster, before = Idle(), time.monotonic()
    settings = Settings(cache=False, interpreter=sys.executable, jobs=processes)
    for _ in check_paths([ROOT / "fixtures"], settings, elsewhere=Elsewhere(cluster)):
        pass
    return cluster.came[0] - before, cluster.came[-1] - before, len(cluster.came)


def simulated(jobs: int, workers: int, budget: float, sending: float, overhead: float, deaths: float) -> float:
    """Seconds until all jobs are done. deaths: of one worker, per hour; it is back after two minutes."""
    rng = random.Random(1)
    free = [(0.0, number) for number in range(workers)]
    heapq.heapify(free)
    ends: list[float] = []
    sent, last = 0.0, 0.0
    for number in range(jobs):
        if number >= AHEAD * workers:
            sent = max(sent, heapq.heappop(ends))  # room is made by one that has ended
        sent += sending
        at, worker = heapq.heappop(free)
        begin = max(at, sent)
        while (died := rng.expovariate(deaths / 3600) if deaths else float("inf")) < budget + overhead:
            begin += died + 120.0
        end = begin + overhead + budget
        heapq.heappush(ends, end)
        heapq.heappush(free, (end, worker))
        last = max(last, end)
    return last


def main() -> None:
    """Measure, simulate, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mechanisms", type=int, default=8)
    parser.add_argument("--budget", type=float, default=3.0)
    parser.add_argument("--most", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--runs", type=int, default=60_000, help="of the one mechanism")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    print(described_machine() + "\n")
    beside = print_scaling(options.most, options.mechanisms, options.budget)
    each = print_sending(options.most)
    print_simulation(each, beside)
    print_one_mechanism(options.most, options.runs, options.turns)
    print_blocks()


def print_scaling(most: int, mechanisms: int, budget: float) -> float:
    """Print how audits scale; seconds of a worker that an audit of 200 runs takes."""
    print(f"| local workers | seconds for {mechanisms} audits | of audits alone, shared out | beside, a job |")
    print("|---|---|---|---|")
    beside = 0.0
    for workers in range(1, most + 1):
        cluster = Cluster(LOCAL, workers)
        try:
            with tempfile.TemporaryDirectory() as folder:
                audited(project(Path(folder), 4 * workers), cluster, runs=200)
                took, alone, jobs = audited(project(Path(folder), mechanisms), cluster, budget=budget)
                each = (took * workers - alone) / jobs
                print(f"| {workers} | {took:.1f} | {alone / workers:.1f} | {each:.2f} |", flush=True)
                took, _, jobs = audited(project(Path(folder), 40), cluster, runs=200)
                beside = took * workers / jobs
        finally:
            cluster.close()
    print(f"\nAn audit of 200 runs takes {beside:.2f} s of a worker, all included.")
    return beside


def print_sending(most: int) -> float:
    """Print what jobs send and how long reading takes; seconds for each mechanism, to read, lower and pack."""
    sizes, each = sending()
    task = len(pickle.dumps(call("audit", b"", frozenset({64 * "0"}), 39 * "0", 45 * "0", 0.5)))
    print(
        f"Bundles of {len(sizes)} fixtures: median {statistics.median(sizes) / 1024:.1f} KiB, "
        f"largest {max(sizes) / 1024:.0f} KiB, and {task / 1024:.1f} KiB for the call; "
        f"{1000 * each:.0f} ms each to read, lower and pack.\n"
    )
    print("| processes that read | first job after, s | all jobs after, s |\n|---|---|---|")
    for processes in range(1, most + 1):
        first, last, _ = reading(processes)
        print(f"| {processes} | {first:.1f} | {last:.1f} |", flush=True)
    return each


def print_simulation(each: float, beside: float) -> None:
    """Print what is simulated, with these seconds to send a job and beside it."""
    print(
        "\n| mechanisms, 10 minutes each | audits at a time | deaths of a worker an hour | hours |\n|---|---|---|---|"
    )
    for jobs, workers, deaths in ((500, 16, 0), (500, 50, 0), (10_000, 100, 0), (10_000, 1_000, 0), (10_000, 1_000, 1)):
        hours = simulated(jobs, workers, 600.0, each, beside, deaths) / 3600
        print(f"| {jobs:,} | {workers:,} | {deaths} | {hours:.2f} |")


def print_one_mechanism(most: int, runs: int, turns: int) -> None:
    """Print how one mechanism scales."""
    print(f"\nOne mechanism of {runs:,} calls, the same outcome to the bit:\n")
    print("| who | processes | seconds | times as fast as one |\n|---|---|---|---|")
    alone: dict[str, float] = {}
    for who, workers, seconds in sorted(one_mechanism(most, runs, turns), key=lambda one: one[0] == "cluster"):
        alone.setdefault(who, seconds)
        name = "`--jobs`" if who == "pool" else "`--cluster local`"
        print(f"| {name} | {workers} | {seconds:.1f} | {alone[who] / seconds:.2f} |", flush=True)


def print_blocks() -> None:
    """Print what a block costs."""
    found, size = blocks(200)
    words = ", ".join(f"{1000 * seconds:.1f} ms ({name})" for name, seconds in found)
    print(f"\nA block takes beside its runs {words}, and {size:.0f} bytes for each run that returns a number.")


if __name__ == "__main__":
    main()
