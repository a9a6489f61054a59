"""What the static rules find in fixtures with known answers: precision and recall.

python -m benchmarks.rules            # prints Markdown
python -m benchmarks.rules --write    # into docs/rules-results.md
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dplint.codes import CODES
from dplint.config import load_settings
from dplint.outcomes import Finding, Severity
from dplint.rules import RULES, check_module
from dplint.source.read import read_source

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
PAGE = ROOT / "docs" / "rules-results.md"
_ROW = re.compile(r"\| `(\w+)` \| (\w+\.py) \| (wrong|right)")
INTRODUCTION = """\
Printed by `python -m benchmarks.rules --write` over `fixtures/`: the mechanisms of four papers' benchmarks, the
package `realistic`, and the look-alikes in `arguments`. A mechanism is *flagged* if a rule that is on by default says
something of it. Precision is the share of wrong mechanisms among those flagged. Recall is the share flagged of those
that are wrong; of one rule alone it says how much of all that is wrong this rule sees, and so it is small.

The rules were written with these fixtures at hand, so that the numbers say how far the analysis reaches, not how it
will do on code that nobody here has seen."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A mechanism whose truth is known, and what the rules say of it. name: folder/function."""

    name: str
    right: bool
    findings: tuple[Finding, ...]


def judge_fixtures() -> list[Judged]:
    """All mechanisms of the fixtures whose truth is known."""
    judged: list[Judged] = []
    for folder in ("statdp", "realistic", "dpsniper", "dpfinder", "checkdp", "arguments"):
        judged += _judge(folder, dict(_truth(FIXTURES / folder)))
    return judged


def _truth(folder: Path) -> Iterator[tuple[tuple[str, str], bool]]:
    table = folder / "truth.json"
    if table.is_file():
        for one in json.loads(table.read_text())["mechanisms"]:
            if one["right"] is not None:
                yield (one["file"].rpartition("/")[2], one["function"].rpartition(".")[2]), one["right"]
    else:
        for line in (folder / "README.md").read_text().splitlines():
            row = _ROW.match(line)
            if row is not None:
                yield (row[2], row[1]), row[3] == "right"


def _judge(folder: str, truth: dict[tuple[str, str], bool]) -> Iterator[Judged]:
    for path in sorted((FIXTURES / folder).rglob("*.py")):
        source = read_source(path, file=path.name, table=load_settings(path.parent, {}).mechanisms)
        if source.module is None:
            continue
        findings = check_module(source.module, source.mechanisms, path.name)
        for one in source.mechanisms:
            qualname = one.mechanism.qualname
            right = truth.get((path.name, qualname.rpartition(".")[2]))
            if right is not None:
                mine = tuple(finding for finding in findings if finding.function == qualname)
                yield Judged(f"{folder}/{qualname.rpartition('.')[2]}", right, mine)


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """The lines of the page."""
    wrong = [one for one in judged if not one.right]
    right = [one for one in judged if one.right]
    yield "# What the static rules find"
    yield ""
    yield from INTRODUCTION.splitlines()
    yield ""
    yield f"{len(right)} mechanisms are right, {len(wrong)} wrong."
    yield ""
    yield "| rule | | flagged right | flagged wrong | precision | recall |"
    yield "|---|---|---|---|---|---|"
    for rule in RULES:
        flags = [one for one in judged if rule.code in {finding.code for finding in one.findings}]
        if not rule.opt_in and flags:
            yield _row(f"{rule.code} | {CODES[rule.code].title}", flags, wrong)
    silent = [rule.code for rule in RULES if not any(rule.code == f.code for one in judged for f in one.findings)]
    errors = [one for one in judged if any(finding.severity is Severity.ERROR for finding in one.findings)]
    yield _row("**all** | errors alone", errors, wrong)
    yield _row("**all** | errors and warnings", [one for one in judged if one.findings], wrong)
    yield ""
    yield f"Nothing in these fixtures is flagged by {', '.join(silent)}: their examples are in the rules' own files."
    yield ""
    yield "Not seen by any rule:"
    yield ""
    yield from (f"- `{one.name}`" for one in wrong if not one.findings)


def _row(title: str, flags: Sequence[Judged], wrong: Sequence[Judged]) -> str:
    false, true = sum(one.right for one in flags), sum(not one.right for one in flags)
    precision = f"{true / len(flags):.0%}" if flags else "–"
    return f"| {title} | {false} | {true} | {precision} | {true / len(wrong):.0%} |"


def main() -> int:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(description="Precision and recall of the static rules.")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = "\n".join(table(judge_fixtures())) + "\n"
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
