"""How often the rules and the suggestions are right on code that nobody here wrote, from what was judged by reading.

python -m benchmarks.precision            # prints Markdown
python -m benchmarks.precision --write    # into docs/rules-precision.md

`benchmarks/judged` holds the judgements, one a row, of what `python -m benchmarks.corpus` and
`python -m benchmarks.noise_functions` find.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import strangers
from benchmarks.corpus import HELD_OUT, PACKAGES, STRANGERS
from dplint.codes import CODES
from dplint.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
JUDGED = ROOT / "benchmarks" / "judged"
PAGE = ROOT / "docs" / "rules-precision.md"
VERDICTS = ("right", "debatable", "false")
_INTRODUCTION = """\
# How often the rules are right on others' code

Printed by `python -m benchmarks.precision --write` from `benchmarks/judged`, where every judgement stands with its
package, place and reason. `python -m benchmarks.corpus FOLDER --entries FILE` downloads {packages} packages by version,
runs `dplint check --static-only --all-functions` and `dplint suggest` over them, and lists what they say; nothing of
them is kept here. In most of them the rules find nothing, as they look only where noise meets data and something is
called an epsilon: that is why there are no more findings to judge. Of nvflare the check did not end in 400 seconds on
a busy machine; a dozen in which nothing had been found before were not run again with the rules as they are now.
The findings were judged for several states of the rules; five that are no longer found were taken out, and what was
found since was judged on 2026-11-24, in the packages that have any. Those of suggestions are of an earlier state.

A member of the team read the code around each finding. *Right*: it is so, and matters for a promise, also where the
library warns of it. *False*: it is not so. *Debatable*: it is so, and one may still do it. Nobody else has judged them,
and mistakes of the rules were mended after they were seen here: the numbers are of code that the rules have met, and
say what is left. How they do elsewhere, the packages at the end say, which were chosen before anything was run on them
or read of them. Of these, `appfl` and `optax` were read when `suggest` was last mended."""
_OF_NOISE = """\
## Functions that draw noise

`python -m benchmarks.noise_functions FOLDER --list` finds by names alone, without dplint, every function outside of
tests, examples, plots and simulations that calls noise. Each was read, and judged in
`benchmarks/judged/noise_functions.csv`: whether noise meets data there to protect it. `python -m
benchmarks.noise_functions FOLDER --write` asks `dplint suggest` of each."""
_WITHOUT = """\
What gets none takes its data as `*args` or in an object of a class of its own; or it holds it in a function that
scores candidates. Or it makes its noise in ways that are not followed, such as coins of a helper or hooks of
gradients. The signatures above were judged of high and medium confidence; what has fallen to low since is counted
apart."""


_OF_STRANGERS = """\
{number} further repositories and packages, `STRANGERS` in `benchmarks/corpus.py`, were chosen by their names alone.
What the rules and `suggest` said of them was judged one by one, before anything was changed, in
`benchmarks/judged/held_out.csv`. What was false was then mended in general, and they were asked again. Most are small:
projects of students and code of papers."""


_OF_SECOND = """\
{second} further repositories, those of `benchmarks/strangers.py`, were chosen by their names, and asked and judged in
the same way, in `benchmarks/judged/held_out_again.csv`. Copies of a function count once. What was false was mended in
general. Then {third} more were asked, of which nothing had been read; what was false there was mended after they were
judged, so that their line *before* alone tells of code that nobody here has seen. Most are notebooks, exercises and
code of papers; in more than half of them nothing is found, or no noise is drawn on data."""


_OF_LAST = """\
{fourth} further ones were chosen by their names, asked and judged before the rules were changed so that they say only
what is certain: what a call does that cannot be read is unknown, and stops everything behind it. Then {fifth} others
were asked and judged, of which nothing had been read: their line *before* alone tells of code that nobody here has
seen. It falls short of what is aimed at: four of five findings right, one of twenty false, and 85 % of the
suggestions signed."""


_OF_SIXTH = """\
{sixth} further ones were chosen by their names, asked and judged before anything was changed. Then {seventh} others
were asked and judged, of which nothing had been read. {eighth} and {ninth} more followed, each asked once with what
those before had mended. Their lines *before* alone tell of code that nobody here has seen. Copies count once; claims
that the judge could not decide are left out. It falls short of what is aimed at: four of five findings right, one of
twenty false, 85 % of the suggestions signed. Most of them are small, and in most of them nothing is found."""


_OF_TENTH = """\
{tenth} further ones were chosen by their names, and asked with what all those had mended. Of those named first, all
without a Python file were left out. Only 18 draw noise of their own on data. So {eleventh} others were chosen by
their names and by the name of one file, such as `dp_mechanisms.py`. 33 of these draw noise; they hold more plain
mechanisms than projects do in general. Copies count once, and so does what is said of one line to several callers: as
printed, one more is right and four more are false. Claims that the judge could not decide are left out. In 7 of
the 18 and in 18 of the 33 there is a finding that is right, or a claim to be signed. Six of the nine false findings
have two causes. One is bounds of a linear program, the other a public vocabulary that was taken for data. What they
showed was mended then, and the second lines tell what is said of the same places since. The judge first called four
prints debatable. They became right by earlier judgements of the same kind, after a test of shares had failed. As
judged first, and with two copies, 16 of 36 were right (44 %) and 8 false (22 %)."""


_OF_TWELFTH = """\
{twelfth} others were chosen as the last were, by their names and the name of one file, such as `dp_utils.py` or
`rappor.py`. They were asked once, with most of what those before had shown mended by principle (commit 0e25585), and
judged in the same way. 40 of them draw noise on data, five of these by calls of a library alone. In 15 of the 40
there is a finding that is right, or a claim to be signed. Copies count once, and so does what is said of one line
through several callers. Three claims that the judge could not decide are left out. One repository holds the chapters
of a book that others hold, too. Without it, 4 of 22 findings are false, and 33 of 53 claims would be signed. The
second lines tell what is said of the same places since. Of the 23 claims not to be signed, eight have taken records or
bounded values for answers that move by 1. Five have taken a name or a part of the input for the data, and five spend
what they do not say."""


_OF_THIRTEENTH = """\
{thirteenth} more were chosen in the same way, by their names and the name of one file, such as `dpsgd.py` or
`mwem.py`. They were asked once, with the rules that the {twelfth} before had mended (commit 6ccc3d8).
31 of them draw noise on data, two of these by calls of a library alone. In 11 of the 31 there is a finding that is
right, or a claim to be signed. Copies count once. Some of the code copies what was judged before: that of
DataSynthesizer and of Private-PGM. Without it, 4 of 9 findings are right, 2 are false, and 21 of 26 claims would be
signed. One of the two false findings takes the number of columns for data. The other does not see that a loop adds
noise in place. Of the six claims not to be signed, four have taken a histogram or a list of gradients for records."""


_ROUNDS = {
    ("7",): "The first of them",
    ("8",): "The second, asked with what the first had mended",
    ("9",): "The third, asked with what these had mended",
    ("10",): "The last, asked with what all had mended",
    ("8", "9", "10"): "The second to the last together",
}


_ROUNDS_OF_DECEMBER = {
    ("11",): "Chosen by their names",
    ("12",): "Chosen by the name of a file, too",
    ("11", "12"): "Both together",
}


_OF_LATE = """\
These rules were made on 2026-11-30. So only the {number} repositories that were held out on 2026-12-01 were asked with
them, each before anything was changed. What was found there is too little for a share."""
_LATE, _LATE_ROUNDS = ("DP115", "DP212", "DP213", "DP214", "DP409"), ("11", "12", "13", "14")


_EARLIER = "5"
"""The round of what was said of the last ones by the rules before."""


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
    yield from _INTRODUCTION.format(packages=len(PACKAGES)).splitlines()
    yield ""
    yield "## Findings"
    yield ""
    yield from _rules(_of(judged("findings"), held_out=False))
    yield ""
    yield "## Suggestions"
    yield ""
    yield "Would the author sign the claim? What a line with `?` says is a guess is not held against it; data, epsilon,"
    yield "delta and relation are."
    yield ""
    yield from _suggestions(_of(judged("suggestions"), held_out=False))
    yield ""
    yield from _OF_NOISE.splitlines()
    yield ""
    yield from _noise(_of(judged("noise_functions"), held_out=False))
    yield ""
    yield from _WITHOUT.splitlines()
    yield ""
    yield from _held_out()
    yield from _strangers()
    yield ""
    yield "## All that was judged"
    yield ""
    yield "Findings in packages and repositories, as they are after all that was mended:"
    yield ""
    yield from _rules(everything("after"))
    yield ""
    yield "Those in held-out repositories when they were asked first:"
    yield ""
    yield from _rules(everything("before"))
    yield ""
    yield "## Rules that were made late"
    yield ""
    yield from _late()


def _late() -> Iterator[str]:
    """Rules that most of the code was not asked with, each with what was judged of it, be it nothing."""
    asked = (strangers.TENTH, strangers.ELEVENTH, strangers.TWELFTH, strangers.THIRTEENTH)
    yield from _OF_LATE.format(number=sum(map(len, asked))).splitlines()
    yield ""
    yield "| rule | | right | debatable | false |"
    yield "|---|---|---|---|---|"
    rows = [row for row in everything("before") if row.get("round") in _LATE_ROUNDS]
    for code in _LATE:
        found = tally([row for row in rows if row["code"] == code])
        yield f"| {code} | {CODES[code].title} | {found.right} | {found.debatable} | {found.false} |"


def everything(when: str) -> list[dict[str, str]]:
    """All findings that were judged, each once; of held-out repositories "before" or "after" anything was mended.

    Before, nothing else counts: the packages were met while the rules were made.
    """
    rows = judged("findings") if when == "after" else []
    what = {"before": "what", "after": "after_what"}[when]
    held = [row for row in (*judged("held_out"), *judged("held_out_again")) if row["kind"] == "finding" and row[when]]
    held = [row for row in held if row.get("round") != _EARLIER]
    return rows + [row | {"code": row[what], "judgement": row[when]} for row in held]


def _of(rows: Sequence[dict[str, str]], *, held_out: bool) -> list[dict[str, str]]:
    names = {one.partition("==")[0] for one in HELD_OUT}
    return [row for row in rows if (row["package"] in names) is held_out]


def _held_out() -> Iterator[str]:
    yield "## Packages that were held out"
    yield ""
    yield f"{', '.join(f'`{one}`' for one in HELD_OUT)}."
    yield ""
    for name, lines in (("findings", _rules), ("suggestions", _suggestions), ("noise_functions", _noise)):
        rows = _of(judged(name), held_out=True)
        if rows:
            yield from lines(rows)
        else:
            yield f"There are no {name} in them to judge."
        yield ""


def _strangers() -> Iterator[str]:
    """What was held out last: with the rules that had not seen it, and with those that were mended by it."""
    yield "## Held out on 2026-11-24"
    yield ""
    yield from _OF_STRANGERS.format(number=len(STRANGERS)).splitlines()
    yield ""
    yield from _before_and_after(judged("held_out"))
    yield ""
    yield "## Held out again"
    yield ""
    yield from _OF_SECOND.format(second=len(strangers.SECOND), third=len(strangers.THIRD)).splitlines()
    rows = judged("held_out_again")
    for number, title in (("2", "The first of them"), ("3", "The others, asked with rules that had not seen them")):
        yield ""
        yield f"### {title}"
        yield ""
        yield from _before_and_after([row for row in rows if row["round"] == number])
    yield ""
    yield "## Held out on 2026-11-29"
    yield ""
    yield from _OF_LAST.format(fourth=len(strangers.FOURTH), fifth=len(strangers.FIFTH)).splitlines()
    for number, title in (("4", "The first of them"), ("6", "The others, asked with rules that had not seen them")):
        yield ""
        yield f"### {title}"
        yield ""
        yield from _before_and_after([row for row in rows if row["round"] == number])
    earlier = [row | {"judgement": row["before"]} for row in rows if row["round"] == _EARLIER]
    found = tally([row for row in earlier if row["kind"] == "finding"])
    signed = [row["judgement"] == "signed" for row in earlier if row["kind"] == "suggestion"]
    yield ""
    yield f"Of the same code the rules before them had {found.right} findings right, {found.debatable} debatable and"
    yield f"{found.false} false; {sum(signed)} of {len(signed)} suggestions were to be signed."
    yield ""
    yield "## Held out on 2026-11-30"
    yield ""
    numbers = {
        "sixth": len(strangers.SIXTH),
        "seventh": len(strangers.SEVENTH),
        "eighth": len(strangers.EIGHTH),
        "ninth": len(strangers.NINTH),
    }
    yield from _OF_SIXTH.format(**numbers).splitlines()
    yield from _by_rounds(rows, _ROUNDS)
    yield from _strangers_of_december(rows)


def _strangers_of_december(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """Those of one day, each asked with what the ones before them had mended."""
    yield ""
    yield "## Held out on 2026-12-01"
    yield ""
    yield from _OF_TENTH.format(tenth=len(strangers.TENTH), eleventh=len(strangers.ELEVENTH)).splitlines()
    yield from _by_rounds(rows, _ROUNDS_OF_DECEMBER)
    yield ""
    yield "## Asked again after these had mended: others, on 2026-12-01"
    yield ""
    yield from _OF_TWELFTH.format(twelfth=len(strangers.TWELFTH)).splitlines()
    yield ""
    yield from _before_and_after([row for row in rows if row["round"] == "13"])
    yield ""
    yield "## Asked a third time: others, on 2026-12-01"
    yield ""
    yield from _OF_THIRTEENTH.format(thirteenth=len(strangers.THIRTEENTH), twelfth=len(strangers.TWELFTH)).splitlines()
    yield ""
    yield from _before_and_after([row for row in rows if row["round"] == "14"])


def _by_rounds(rows: Sequence[dict[str, str]], titles: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    for rounds, title in titles.items():
        yield ""
        yield f"### {title}"
        yield ""
        yield from _before_and_after([row for row in rows if row["round"] in rounds])


def _before_and_after(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """What was judged before anything was changed by it, and what is said since."""
    yield "| | right | debatable | false | share that is right | share that is false |"
    yield "|---|---|---|---|---|---|"
    findings = [row for row in rows if row["kind"] == "finding"]
    for title, column in (("findings before", "before"), ("findings after, no longer held out", "after")):
        counted = tally([row | {"judgement": row[column]} for row in findings if row[column]])
        yield _row(title, counted) + f" {counted.false / counted.judged:.0%} |"
    yield ""
    yield "| suggestions of high and medium confidence | signed | not | share |"
    yield "|---|---|---|---|"
    for title, level, column in (("before", "what", "before"), ("after, no longer held out", "after_what", "after")):
        mine = [row | {"judgement": row[column]} for row in rows if row[level] in ("high", "medium")]
        mine = [row for row in mine if row["judgement"] != "undecided"]
        yield _signed(title, mine)


def _noise(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    private = [row for row in rows if row["judgement"] == "private"]
    told = [row for row in private if row["suggested"] in ("high", "medium", "low")]
    without = [row for row in private if row["suggested"] == "unknown"]
    counts = Counter(row["judgement"] for row in rows)
    yield "| functions that call noise | to protect data | for something else | without data |"
    yield "|---|---|---|---|"
    yield f"| {len(rows)} | {counts['private']} | {counts['other']} | {counts['none']} |"
    yield ""
    yield "| of those that protect data | functions | share |"
    yield "|---|---|---|"
    yield f"| get a claim | {len(told)} | {len(told) / len(private):.0%} |"
    yield f"| get one in which epsilon is missing | {len(without)} | {len(without) / len(private):.0%} |"
    both = len(told) + len(without)
    yield f"| **both** | {both} | {both / len(private):.0%} |"


def _rules(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    yield "| rule | | right | debatable | false | share that is right |"
    yield "|---|---|---|---|---|---|"
    for rule in RULES:
        mine = [row for row in rows if row["code"] == rule.code]
        if mine:
            asked = " (off by default)" if rule.opt_in else ""
            yield _row(f"{rule.code} | {CODES[rule.code].title}{asked}", tally(mine))
    off = {rule.code for rule in RULES if rule.opt_in}
    yield _row("**all** | on by default", tally([row for row in rows if row["code"] not in off]))


def _row(title: str, counted: Tally) -> str:
    numbers = f"{counted.right} | {counted.debatable} | {counted.false}"
    return f"| {title} | {numbers} | {counted.share:.0%} |"


def _suggestions(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    yield "| confidence | signed | not | share |"
    yield "|---|---|---|---|"
    for level in ("high", "medium", "low"):
        mine = [row for row in rows if row["confidence"] == level]
        if mine:
            yield _signed(level, mine)
    yield _signed("**high and medium**, which `--write` writes", [row for row in rows if row["confidence"] != "low"])


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
