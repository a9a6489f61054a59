"""Peak memory of runs on lanes, whatever their number: chunk by chunk, as an audit makes them.

    python benchmarks/memory.py [--runs 10 100] [--only svt]

For each mechanism and number of runs (in millions, for each of D1 and D2) there is a process of its own with a worker's
allocator settings. It imports what a worker imports, replays some runs, and makes the runs with `ResidualRuns`, a
chunk for each of D1 and D2 at a time. Prints a Markdown table: the peak of the resident set after the imports and at
the end, and what lies between them. Above LIMIT, or if memory grows with the number of runs, it ends with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path

LIMIT = 256.0
"""MiB that a worker may take in all."""
GROWTH = 8.0
"""MiB by which the peaks of one mechanism may differ; a leak of one byte in ten runs would exceed it."""
MILLION = 1_000_000
MECHANISMS = {
    "histogram": ("fixtures/statdp/histogram.py", [1.0] * 10, {"epsilon": 0.7}),
    "noisy_max_v1a": ("fixtures/statdp/noisy_max.py", [1.0] * 10, {"epsilon": 0.7}),
    "svt": ("fixtures/statdp/sparse_vector.py", [1.0] * 10, {"epsilon": 0.7, "N": 1, "T": 0.5}),
}
"""File, D1 and arguments: ten numbers come out of each run, one does, or a list whose length varies. In D2 the first
answer is larger by one."""


@dataclass(frozen=True)
class Peak:
    """MiB of the resident set: its peak after the imports, and at the end; and seconds."""

    imports: float
    total: float
    seconds: float


def peak() -> float:
    """The largest resident set of this process so far, in MiB."""
    status = Path("/proc/self/status")
    if status.exists():
        # The kernel's other figure is inherited from the process that started this one.
        (line,) = (line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def measured(name: str, runs: int) -> Peak:
    """Make the runs in a process of its own."""
    from dplint.workers.process import ALLOCATOR  # noqa: PLC0415 - it is needed in this process only

    done = subprocess.run(
        [sys.executable, __file__, "--child", name, "--runs", str(runs)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **ALLOCATOR},
    )
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr}")
    return Peak(**json.loads(done.stdout))


def make_runs(name: str, runs: int) -> Peak:
    """Make the runs in this process."""
    import dplint.audit.statdp.procedure  # noqa: F401, PLC0415
    import numpy as np  # noqa: PLC0415 - what a worker imports is part of the measurement

    from dplint.audit.residual_runs import ResidualRuns  # noqa: PLC0415
    from dplint.check.loading import Target, load_file  # noqa: PLC0415
    from dplint.config import Settings  # noqa: PLC0415
    from dplint.runner.client import DataValue, Runner  # noqa: PLC0415

    path, data, arguments = MECHANISMS[name]
    found = [item for item in load_file(ROOT / path, Settings()) if isinstance(item, Target)]
    (target,) = [item for item in found if item.mechanism.qualname == name]
    sides = [DataValue([*data]), DataValue([data[0] + 1, *data[1:]])]
    imports, started = peak(), time.monotonic()
    with Runner(sys.executable, deadline=60, memory_mib=1024) as runner:
        runner.load(target.mechanism)
        lanes = ResidualRuns(runner, target.mechanism)
        for side in sides:
            lanes.check([side], arguments, 1000, np.random.SeedSequence(0))
        left, number = runs, 0
        while left > 0:
            count = min(left, lanes.chunk)
            batches = [
                lanes.sample(side, arguments, count, np.random.SeedSequence(0, spawn_key=(number, place)))
                for place, side in enumerate(sides)
            ]
            assert all(batch.runs == count for batch in batches)
            left -= count
            number += 1
    return Peak(imports, peak(), time.monotonic() - started)


def main() -> int:
    """Measure and print; 1 if it is too much."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=float, nargs="+", default=[10, 100], help="millions of runs on each side")
    parser.add_argument("--only", choices=MECHANISMS)
    parser.add_argument("--child", choices=MECHANISMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(asdict(make_runs(options.child, int(options.runs[0])))))
        return 0
    print(described_machine(), end="\n\n")
    print("| mechanism | million runs a side | MiB after imports | peak MiB | beyond the imports | seconds |")
    print("|---|--:|--:|--:|--:|--:|")
    too_much = False
    for name in [options.only] if options.only else MECHANISMS:
        totals = []
        for millions in options.runs:
            found = measured(name, int(millions * MILLION))
            totals.append(found.total)
            beyond = found.total - found.imports
            print(f"| {name} | {millions:g} | {found.imports:.0f} | {found.total:.0f} | {beyond:.0f} |", end=" ")
            print(f"{found.seconds:.0f} |", flush=True)
        too_much |= max(totals) > LIMIT or max(totals) - min(totals) > GROWTH
    return int(too_much)


if __name__ == "__main__":
    sys.exit(main())
