"""What `--statistics` tells: how often each code and each verdict came up, and what the audits cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from dplint.codes import page
from dplint.outcomes import Effort, Result
from dplint.report import numerals, problem_words
from dplint.report.gathered import Gathered, effort_of, problems
from dplint.report.json_document import check_json
from dplint.report.json_values import Json, json_text
from dplint.report.summary import cached_count

_NO_CODE = "error"


def check_json_with_tally(gathered: Gathered, seconds: float, *, tallied: bool) -> str:
    """The JSON report of a check, with the key "statistics" if that is asked for."""
    text = check_json(gathered, seconds)
    return json_text({**json.loads(text), "statistics": tally_json(gathered, seconds)}) if tallied else text


def tally_json(gathered: Gathered, seconds: float) -> dict[str, Json]:
    """The numbers, for the key "statistics" of the JSON report."""
    efforts = _efforts(gathered)
    return {
        "codes": dict(_codes(gathered)),
        "verdicts": dict(_verdicts(gathered)),
        "cached": cached_count(gathered),
        "runs": sum(effort.runs for effort in efforts),
        "earlier_runs": sum(effort.earlier_runs for effort in efforts),
        "audit_seconds": round(sum(effort.seconds for effort in efforts), 3),
        "seconds": round(seconds, 3),
    }


def tally(gathered: Gathered, seconds: float) -> str:
    """Three small tables, the most frequent first; a code without a problem has no line."""
    codes = [(_title(code), code, number) for code, number in _codes(gathered)]
    lines = ["", "statistics"]
    lines += _columns([(f"{number:,}", code, title) for title, code, number in codes])
    lines += _columns([(f"{number:,}", verdict, "") for verdict, number in _verdicts(gathered)])
    efforts = _efforts(gathered)
    runs, earlier = sum(effort.runs for effort in efforts), sum(effort.earlier_runs for effort in efforts)
    before = f" (in earlier passes: {earlier:,})" if earlier else ""
    audits = numerals.seconds(sum(effort.seconds for effort in efforts))
    if cached := cached_count(gathered):
        lines.append(f"  {numerals.count(cached, 'mechanism')} from the cache")
    lines.append(f"  {numerals.count(runs, 'run')}{before} in {audits} of auditing; {numerals.seconds(seconds)} in all")
    return "".join(f"{line}\n" for line in lines)


def _codes(gathered: Gathered) -> list[tuple[str, int]]:
    found = [problem_words.code(problem) or _NO_CODE for problem in problems(gathered)]
    found += [finding.code for result in gathered.results for finding in result.explaining]
    return _sorted(Counter(found))


def _verdicts(gathered: Gathered) -> list[tuple[str, int]]:
    counts = gathered.counts
    named = {
        "violation": counts.violations,
        "proved": counts.proved,
        "proved in part": counts.proved_in_part,
        "no violation found": counts.no_violation,
        "underpowered": counts.underpowered,
        "untestable": counts.untestable,
        "failed": counts.failed,
        "silenced by comments": len(gathered.silenced),
        "in the baseline": len(gathered.known),
        "findings disproved": len(gathered.disproved),
    }
    return [(name, number) for name, number in named.items() if number]


def _efforts(gathered: Gathered) -> list[Effort]:
    """Those of all audits of this check: what is silenced was audited too, and what the cache knew was not."""
    silenced = (one.item for one in (*gathered.silenced, *gathered.known) if isinstance(one.item, Result))
    return [effort_of(result.outcome) for result in (*gathered.results, *silenced) if not result.cached]


def _sorted(counter: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def _title(code: str) -> str:
    found = page(code)
    if found is None:
        return "something could not be checked" if code == _NO_CODE else ""
    return found.title


def _columns(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    return [f"  {number:>{widths[0]}}  {name:{widths[1]}}  {title}".rstrip() for number, name, title in rows]
