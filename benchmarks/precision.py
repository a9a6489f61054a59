"""How often the rules and the suggestions are right on code that nobody here wrote, from what was judged by reading.

python -m benchmarks.precision            # prints Markdown
python -m benchmarks.precision --write    # into docs/rules-precision.md

`benchmarks/judged` holds the judgements, one a row, of what `python -m benchmarks.corpus` finds.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpus import PACKAGES
from dplint.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
JUDGED = ROOT / "benchmarks" / "judged"
PAGE = ROOT / "docs" / "rules-precision.md"
VERDICTS = ("right", "debatable", "false")
UNREAD = "Of the large ones nvflare, openfl and plato-learn"
_INTRODUCTION = """\
# How often the rules are right on others' code

Printed by `python -m benchmarks.precision --write` from `benchmarks/judged`, where every judgement stands with its
package, place and reason. `python -m benchmarks.corpus FOLDER --entries FILE` downloads {packages} packages by version,
runs `dplint check --static-only --all-functions` and `dplint suggest` over them, and lists what they say; nothing of
them is kept here. {unread} had not been run through when this was judged. In most of the others the rules find
nothing, as they look only where noise meets data and something is called an epsilon.

A member of the team read the code around each finding. *Right*: it is so, and matters for a promise, also where the
library warns of it. *False*: it is not so. *Debatable*: it is so, and one may still do it. Nobody else has judged them,
and mistakes of the rules were mended after they were seen here: the numbers are of code that the rules have met, and
say what is left, not how they will do elsewhere."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What was judged of one rule, or of all of them."""

    right: int
    debatable: int
    false: int

    @property
    def judged(self) -> int:
        """How many there are."""
        return self.right + self.debatable + self.false

    @property
    def share(self) -> float:
        """How many of them are right."""
        return self.right / self.judged


def judged(name: str) -> list[dict[str, str]]:
    """The rows of one table: "findings" or "suggestions"."""
    with (JUDGED / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def tally(rows: Sequence[dict[str, str]]) -> Tally:
    """How many are right, debatable and false."""
    counts = Counter(row["judgement"] for row in rows)
    return Tally(*(counts[verdict] for verdict in VERDICTS))


def page() -> Iterator[str]:
    """The lines of the page."""
    yield from _INTRODUCTION.format(packages=len(PACKAGES), unread=UNREAD).splitlines()
    yield ""
    yield from _rules(judged("findings"))
    yield ""
    yield from _suggestions(judged("suggestions"))


def _rules(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    yield "## Findings"
    yield ""
    yield "| rule | | right | debatable | false | share that is right |"
    yield "|---|---|---|---|---|---|"
    for rule in RULES:
        mine = [row for row in rows if row["code"] == rule.code]
        if mine:
            asked = " (off by default)" if rule.opt_in else ""
            yield _row(f"{rule.code} | {rule.name}{asked}", tally(mine))
    off = {rule.code for rule in RULES if rule.opt_in}
    yield _row("**all** | on by default", tally([row for row in rows if row["code"] not in off]))


def _row(title: str, counted: Tally) -> str:
    numbers = f"{counted.right} | {counted.debatable} | {counted.false}"
    return f"| {title} | {numbers} | {counted.share:.0%} |"


def _suggestions(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    yield "## Suggestions"
    yield ""
    yield "Would the author sign the claim? What a line with `?` says is a guess is not held against it; data, epsilon,"
    yield "delta and relation are."
    yield ""
    yield "| confidence | signed | not | share |"
    yield "|---|---|---|---|"
    for level in ("high", "medium"):
        yield _signed(level, [row for row in rows if row["confidence"] == level])
    yield _signed("**both**", rows)


def _signed(title: str, rows: Sequence[dict[str, str]]) -> str:
    signed = sum(row["judgement"] == "signed" for row in rows)
    return f"| {title} | {signed} | {len(rows) - signed} | {signed / len(rows):.0%} |"


def main() -> int:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(description="Precision of rules and suggestions on public packages.")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = "\n".join(page()) + "\n"
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
