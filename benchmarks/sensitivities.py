"""Sensitivities of single lines: what dplint says beside each, against what was judged by hand.

    python -m benchmarks.sensitivities [--only TEXT] [--seconds 2] [--all]

Each line of `fixtures/sensitivities` with a judgement behind it is looked at, in so many seconds. Prints a Markdown
table, and with `--all` every line. "exact" is the judged number. "right" is a smaller one that is at least half of it;
where the judged one has no bound, any. "low" is one below that, and "wrong" one above it, or of another metric. Exit
code 1 if a line is said to be proved that is wrong.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dplint.check.assigned import LINE_SECONDS, Moved, moved_lines
from dplint.check.loading import wanted_target
from dplint.claims import Metric
from dplint.config import Settings

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "sensitivities"
_JUDGED = re.compile(r"#: (?P<value>\S+) (?P<metric>absolute|l1|rows)\b")
_METRICS = {"absolute": Metric.ABSOLUTE, "l1": Metric.L1, "rows": Metric.SYMMETRIC}
_NEAR = 1e-6


@dataclass(frozen=True)
class Judged:
    """A line with a judgement: how far neighbours move what it assigns, infinite where that has no bound."""

    file: str
    function: str
    line: int
    text: str
    value: float
    metric: Metric


@dataclass(frozen=True)
class Row:
    """What dplint says of a judged line; None where it says nothing."""

    judged: Judged
    moved: Moved | None

    @property
    def far(self) -> float:
        """The distance that is told."""
        furthest = None if self.moved is None else self.moved.found.furthest
        return 0.0 if furthest is None else furthest.distance

    @property
    def proved(self) -> bool:
        """Whether it is said to be proved that no pair is further apart."""
        within = None if self.moved is None else self.moved.found.within
        return within is not None and within.full

    @property
    def verdict(self) -> str:
        """One of exact, right, low, silent, wrong."""
        if self.moved is None or (self.far == 0 and not self.proved):
            return "silent"
        value, same = self.judged.value, self.moved.found.stability.metric is self.judged.metric
        if not same or self.far > value * (1 + _NEAR) + _NEAR or (self.proved and self.far < value * (1 - _NEAR)):
            return "wrong"
        if math.isinf(value):
            return "right" if not self.proved else "wrong"
        if math.isclose(self.far, value, rel_tol=_NEAR, abs_tol=_NEAR):
            return "exact"
        return "right" if self.far >= value / 2 else "low"


def judged_lines() -> Iterator[Judged]:
    """The judgements, file by file."""
    for path in sorted(FOLDER.glob("*.py")):
        function = ""
        for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            if text.startswith("def "):
                function = text.removeprefix("def ").partition("(")[0]
            found = _JUDGED.search(text)
            if found is not None:
                said = text.partition("#:")[0].strip()
                yield Judged(path.name, function, number, said, float(found["value"]), _METRICS[found["metric"]])


def rows_of(judged: list[Judged], seconds: float) -> Iterator[Row]:
    """Each judged line with what is said of it."""
    for file, function in dict.fromkeys((one.file, one.function) for one in judged):
        wanted, complaints = wanted_target(f"{FOLDER / file}::{function}", Settings(jobs=1))
        assert wanted is not None, complaints
        said = {
            (one.assigned.span.line, one.assigned.name): one
            for one in moved_lines(wanted, Settings(jobs=1), seconds=seconds)
        }
        for one in judged:
            if (one.file, one.function) == (file, function):
                yield Row(one, next((moved for (line, _), moved in said.items() if line == one.line), None))


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="functions with this in their names, or files")
    parser.add_argument("--seconds", type=float, default=LINE_SECONDS, help="for each line; those of an editor")
    parser.add_argument("--all", action="store_true", help="also each line")
    options = parser.parse_args(arguments)
    judged = [one for one in judged_lines() if options.only in f"{one.file}::{one.function}"]
    begun, counts, proved, bad = time.process_time(), Counter[tuple[str, str]](), Counter[str](), 0
    for row in rows_of(judged, options.seconds):
        counts[row.judged.file, row.verdict] += 1
        proved[row.judged.file] += row.proved
        bad += row.proved and row.verdict == "wrong"
        if options.all or row.verdict in ("wrong", "low", "silent"):
            metric = "" if row.moved is None else row.moved.found.stability.metric
            sign = "=" if row.proved else "≥"
            told = f"{sign} {row.far:g} {metric}" if row.moved is not None else "nothing"
            print(f"{row.verdict:7}{row.judged.file}:{row.judged.line}: {told}, judged {row.judged.value:g}", end="")
            print(f" {row.judged.metric}: {row.judged.text}", flush=True)
    verdicts = ("exact", "right", "low", "silent", "wrong")
    print(f"\n| file | lines | {' | '.join(verdicts)} | proved |\n|---|{'---|' * 7}")
    for file in [*dict.fromkeys(one.file for one in judged), ""]:
        numbers = [
            sum(n for (name, one), n in counts.items() if one == verdict and file in ("", name)) for verdict in verdicts
        ]
        shown = sum(n for name, n in proved.items() if file in ("", name))
        print(f"| {file or 'all'} | {sum(numbers)} | {' | '.join(map(str, numbers))} | {shown} |")
    seconds = time.process_time() - begun
    print(f"\n{bad} lines are said to be proved and are wrong. {seconds:.0f} s of this process.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
