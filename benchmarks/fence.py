"""What the fence costs, and what ten hogs of memory take together.

    python -m benchmarks.fence [--runners 40] [--audits 6]

Runners are started with the fence and without it in turns, and so are audits of three mechanisms of the fixtures with a
given number of runs; what is told are medians of the differences of pairs, of the processor time of all processes. Then
one check has ten mechanisms that take all the memory that they get, and one that is as it should be. Ends with exit
code 1 above 10 ms a runner, above 2 % of an audit, beyond the budget of memory, or if the good neighbour is not judged.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.runner import fence  # noqa: E402
from dplint.runner.fence_files import readable_places  # noqa: E402
from dplint.workers.process import budget_mib  # noqa: E402

MOST_MS, MOST_SHARE = 10.0, 0.02
WITHOUT = "\n\ndef put_up(*_, **__):\n    return ()\n\n\nlimit_reading = standing = put_up\n"
AUDITED = ("statdp/noisy_max.py", "statdp/sparse_vector.py", "statdp/histogram.py")
HOG = "    kept = [np.ones(10**6) for _ in range(10**5)]\n    return data[0] + len(kept) + rng.laplace(scale=1.0)\n"
GOOD = "    return data[0] + rng.laplace(scale=0.2)\n"


def fence_ms(times: int) -> float:
    """Milliseconds of a processor that a runner takes to put it up, as the median of forks of this process."""
    took = []
    for _ in range(times):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            before = time.process_time()
            fence.put_up(frozenset(), [tempfile.gettempdir()], (), forks=False)
            places = readable_places(frozenset(), [str(Path.cwd())])
            fence.limit_reading(frozenset(), [tempfile.gettempdir()], places)
            fence.standing(frozenset(), forks=False)
            os.write(writing, str(time.process_time() - before).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            took.append(1000 * float(pipe.read()))
        os.waitpid(child, 0)
    return statistics.median(took)


def copied(folder: Path, with_fence: bool) -> Path:
    """A copy of dplint, whose runners have no fence if they are to have none."""
    shutil.copytree(ROOT / "dplint", folder / "dplint", ignore=shutil.ignore_patterns("__pycache__"))
    if not with_fence:
        with (folder / "dplint" / "runner" / "fence.py").open("a") as file:
            file.write(WITHOUT)
    return folder


def audit_cpu(code: Path, runs: int) -> float:
    """Processor seconds of a check by this copy, and of all that it starts."""
    command = [sys.executable, "-m", "dplint", "check", *(str(ROOT / "fixtures" / name) for name in AUDITED)]
    options = ["--runs", str(runs), "--seed", "1", "--no-cache", "-q", "--jobs", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(code)}
    subprocess.run([*command, *options], env=environment, cwd=code, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def hogs_peak(hogs: int) -> tuple[float, bool]:
    """MiB of all processes of a check of so many hogs, at most; and whether the good neighbour was judged."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyproject.toml").touch()
        claim = 'import numpy as np\nfrom dplint import dp\n\n\n@dp(epsilon=1.0, neighbors="linf")\ndef '
        for number in range(hogs):
            (folder / f"hog_{number}.py").write_text(f"{claim}hog_{number}(data: list[float], rng):\n{HOG}")
        (folder / "neighbour.py").write_text(f"{claim}neighbour(data: list[float], rng):\n{GOOD}")
        command = [sys.executable, "-m", "dplint", "check", ".", "--jobs", str(hogs), "--no-cache", "--budget", "2s"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            [*command, "-q", "--format", "concise"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
        )
        peak, over = 0.0, threading.Event()

        def watch() -> None:
            nonlocal peak
            while not over.wait(0.05):
                peak = max(peak, sum(map(resident_mib, below(process.pid))))

        thread = threading.Thread(target=watch)
        thread.start()
        text, _ = process.communicate()
        over.set()
        thread.join()
        return peak, "neighbour.py:6:5: DP901" in text


def below(pid: int) -> list[int]:
    """A process and all that have come from it."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *(each for child in children for each in below(child))]


def resident_mib(pid: int) -> float:
    """MiB of a process, shared pages by their share."""
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024
    except (OSError, StopIteration):
        return 0.0


def main() -> int:
    """Measure, print, and say whether it is within bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runners", type=int, default=40)
    parser.add_argument("--audits", type=int, default=6)
    parser.add_argument("--runs", type=int, default=200_000)
    parser.add_argument("--hogs", type=int, default=10)
    given = parser.parse_args()
    print(described_machine())
    milliseconds = fence_ms(given.runners)
    print(f"fence: {milliseconds:.2f} ms a runner (median of {given.runners}; bound {MOST_MS:g})")
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        ways = copied(Path(one), True), copied(Path(other), False)
        for code in ways:
            audit_cpu(code, 1000)  # compiles
        pairs = [tuple(audit_cpu(code, given.runs) for code in ways) for _ in range(given.audits)]
    share = statistics.median(held / free - 1 for held, free in pairs)
    listed = ", ".join(f"{held:.2f}/{free:.2f}" for held, free in pairs)
    print(f"audits: {share:+.1%} of processor time (median of {given.audits} pairs; bound {MOST_SHARE:.0%}; {listed})")
    budget = budget_mib()
    peak, judged = hogs_peak(given.hogs)
    print(f"{given.hogs} hogs: {peak:,.0f} MiB of all processes, budget {budget:,} MiB; neighbour judged: {judged}")
    return int(milliseconds > MOST_MS or share > MOST_SHARE or peak > budget or not judged)


if __name__ == "__main__":
    raise SystemExit(main())
