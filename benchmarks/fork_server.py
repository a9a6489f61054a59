"""How soon an audit in the background speaks, with workers forked from a fork server and with workers of their own.

    python benchmarks/fork_server.py [--rounds 20] [--mechanism isvt3]

Seconds from `Background.put` to the first message and to the verdict, then from `drop` until neither the worker nor its
runner is left. The two kinds take turns, at the same niceness, on a fork server that has loaded everything; what a
front end waits for in the first seconds of its life is measured apart. Medians, and as a ratio. Prints Markdown.
"""

from __future__ import annotations

import argparse
import queue
import sys
import time
from collections.abc import Callable, Hashable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.workers.background import Background  # noqa: E402
from dplint.workers.fork_server import ForkServer  # noqa: E402
from dplint.workers.messages import Done, Tick  # noqa: E402
from dplint.workers.process import Worker  # noqa: E402

FOLDER = ROOT / "fixtures" / "statdp"
NICENESS = 10
LOADED_SECONDS = 5.0
"""After which a fork server has surely loaded everything."""
DONE, FIRST = "to the verdict", "to the first message"
GONE = "from `drop` until no process is left"


class NoForkServer(ForkServer):
    """Gives workers of their own, as they are started for a check on the command line."""

    def __init__(self) -> None:
        """There is nothing to start."""

    def worker(self) -> Worker:
        """A worker that has loaded nothing."""
        return Worker(niceness=NICENESS)

    def close(self) -> None:
        """There is nothing to close."""


class Watched:
    """A background that is asked one thing at a time, with a watch."""

    def __init__(self, fork_server: ForkServer | None) -> None:
        self._heard: queue.SimpleQueue[tuple[float, Tick | Done]] = queue.SimpleQueue()
        self._background = Background(1, self._hear, fork_server=fork_server)

    def _hear(self, _: Hashable, message: Tick | Done) -> None:
        self._heard.put((time.perf_counter(), message))

    def to_verdict(self, job: AuditJob) -> dict[str, float]:
        """Seconds of an audit."""
        began = time.perf_counter()
        self._background.put("job", job)
        first, message = self._heard.get()
        at = first
        while not isinstance(message, Done):
            at, message = self._heard.get()
        return {FIRST: first - began, DONE: at - began}

    def to_end(self, job: AuditJob) -> dict[str, float]:
        """Seconds from a drop in the middle of an audit to the death of the last process."""
        before = processes()
        self._background.put("job", job)
        self._heard.get()
        began = time.perf_counter()
        self._background.drop("job")
        wait_for(lambda: not processes() - before)
        ended = time.perf_counter()
        while not self._heard.empty():
            self._heard.get()
        return {GONE: ended - began}

    def close(self) -> None:
        """Leave nothing."""
        self._background.close()


def processes() -> set[str]:
    """The numbers of all workers and runners."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if b"from dplint.workers" in line or b"_dplint.runner" in line:
            found.add(folder.name)
    return found


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait, at most a minute."""
    until = time.perf_counter() + 60
    while not condition() and time.perf_counter() < until:
        time.sleep(0.001)


def measured(job: AuditJob, rounds: int) -> None:
    """A row for each question; the two kinds take turns."""
    rows: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in (FIRST, DONE, GONE)}
    with closing(ForkServer(niceness=NICENESS)) as fork_server:
        time.sleep(LOADED_SECONDS)
        with closing(Watched(fork_server)) as forked, closing(Watched(NoForkServer())) as fresh:
            for _ in range(rounds):
                for column, kind in enumerate((forked, fresh)):
                    for name, seconds in {**kind.to_verdict(job), **kind.to_end(job)}.items():
                        rows[name][column].append(seconds)
    print("| seconds, median | fork server | fresh worker | ratio |\n|---|---|---|---|")
    for name, columns in rows.items():
        forked_median, fresh_median = map(median, columns)
        print(f"| {name} | {forked_median:.3f} | {fresh_median:.3f} | {fresh_median / forked_median:.1f} |")


def cold(job: AuditJob, rounds: int) -> None:
    """The first audit of a front end, which waits for the fork server to load."""
    times = []
    for _ in range(rounds):
        with closing(Watched(None)) as first:
            times.append(first.to_verdict(job))
    medians = {name: median(one[name] for one in times) for name in (FIRST, DONE)}
    print(
        f"\nA fork server that has just been started: {', '.join(f'{s:.3f} s {name}' for name, s in medians.items())}."
    )


def main() -> int:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--mechanism", default="isvt3")
    options = parser.parse_args()
    loaded = load_settings(FOLDER, {"profile": "editor", "method": "anytime", "seed": 1})
    found = [target for target in load_targets([FOLDER], loaded) if isinstance(target, Target)]
    target = next(target for target in found if target.mechanism.qualname == options.mechanism)
    settings = replace(audit_settings(loaded, target.mechanism), epsilons=(0.7,))
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings)
    print(f"{described_machine()}; `{options.mechanism}`, claim 0.7, {options.rounds} rounds\n")
    measured(job, options.rounds)
    cold(job, max(3, options.rounds // 4))
    return 0


if __name__ == "__main__":
    sys.exit(main())
