"""One document model: every medium says the same head first, and the same facts in the same order."""

import html
import io
import json
import re
from dataclasses import replace

import evidence_samples as evidence
import pytest
import report_samples as samples
from rich.console import Console

from dplint.claims import Span
from dplint.outcomes import CountedEvidence, Known, Repair, Repaired, Result, Violation
from dplint.report.document import plain
from dplint.report.documents import document, message
from dplint.report.format import Report
from dplint.report.formats.github import github
from dplint.report.formats.junit import junit
from dplint.report.formats.sarif import sarif
from dplint.report.gathered import gather
from dplint.report.markdown import hover
from dplint.report.page.document import page
from dplint.report.terminal import print_report
from dplint.testing.functions import Verdict

VIOLATIONS = [
    one
    for one in (*samples.RESULTS, *evidence.EVERY_KIND, Result(samples.mechanism(), samples.anytime_violation()))
    if isinstance(one.outcome, Violation)
]


def no_line(_file, _line):
    return None


def media(result):
    """The text of each medium, without markup."""
    gathered = gather((result,))
    stream = io.StringIO()
    print_report(Report(gathered, 1.0, no_line), Console(file=stream, width=400))
    told = json.loads(sarif(Report(gathered, 1.0, no_line)))["runs"][0]["results"][0]["message"]["text"]
    found = {
        "terminal": stream.getvalue(),
        "page": html.unescape(re.sub("<[^>]*>", " ", page(Report(gathered, 1.0, no_line)))),
        "hover": re.sub(r"\*\*|[\\|]", "", hover(result.mechanism, result.outcome, "")),
        "sarif": told.replace("\\", ""),
        "github": github(Report(gathered, 1.0)).replace("%0A", "\n").replace("%25", "%"),
        "junit": html.unescape(junit(Report(gathered, 1.0))),
        "pytest": Verdict(gathered, 1.0).text,
    }
    return {name: " ".join(text.replace("`", "").split()) for name, text in found.items()}


@pytest.mark.parametrize("result", VIOLATIONS, ids=lambda one: one.mechanism.qualname)
def test_every_medium_says_the_head_then_the_event_then_what_is_allowed(result):
    told = document(result, no_line)
    head = plain(told.head.said).replace("`", "")
    chart = next(block for block in told.body if hasattr(block, "bars"))
    event = plain(chart.of).replace("`", "")
    limit = message(result).rpartition(" on D2: ")[2].split(" (")[0]

    for name, text in media(result).items():
        places = [text.index(part) for part in (head, event, chart.bars[0].number, chart.bars[1].number)]
        assert places[0] < places[1], name
        assert limit.replace("`", "") in text, name
        if isinstance(
            result.outcome.counterexample.evidence, CountedEvidence
        ):  # what is computed comes again by itself
            assert " dplint check " in text, name


@pytest.mark.parametrize("word", ["randomness alignment", "coupled", "ball arithmetic", "looks and passes", "odds"])
def test_words_of_experts_are_for_those_who_ask(word):
    results = (*samples.RESULTS, *evidence.EVERY_KIND)
    stream = io.StringIO()
    print_report(Report(gather(results), 1.0, evidence.line_of), Console(file=stream, width=100))

    assert word not in " ".join(stream.getvalue().split())
    for one in results:
        assert word not in hover(one.mechanism, one.outcome, "")
        assert word not in message(one)


def test_what_is_proved_or_kept_is_a_line_without_its_reasons():
    for one in (evidence.PROVED, evidence.PROVED_UP_TO, evidence.NOTHING_FOUND, samples.RESULTS[6]):
        told = document(one, no_line)
        assert told.body == ()
        assert told.more


DIFF = "--- a\n+++ b\n@@ -1 +1 @@\n-    return count + noise(1)\n+    return count + noise(1 / epsilon)\n"
REPAIRS = tuple(
    Repair(title=title, edits=(), diff=DIFF, known=known, error_before=1.0, error_after=2.0)
    for title, known in (("Divide the scale by epsilon", Known.PROVED), ("Add noise", Known.EXACT))
)


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("causes", [1, 3])
def test_a_violation_with_repairs_takes_twelve_lines_and_the_rest_is_told_on_demand(width, causes):
    """A repair that is judged takes the place of what the rule advises; what is left out, `--verbose` has."""
    cause = replace(samples.FINDINGS[1], message="noise that epsilon does not change: divide by epsilon")
    others = [replace(cause, span=Span(line, 1, line, 2), message=f"cause {line}") for line in range(7, 6 + causes)]
    found = Result(samples.mechanism(), samples.violation(), explained_by=(cause, *others))
    gathered = gather((found, Repaired(found.mechanism, REPAIRS)))

    def told(*, verbose):
        stream = io.StringIO()
        print_report(Report(gathered, 1.0, lambda *_: "x" * 40, verbose=verbose), Console(file=stream, width=width))
        return stream.getvalue().split("\n\n", 1)[0]

    short, whole = told(verbose=False), " ".join(told(verbose=True).split())
    # A command that is to be copied is one line, however wide.
    assert len(short.splitlines()) <= 12
    assert "noise that epsilon does not change (DP101)" in short
    assert "fix: Divide the scale by epsilon (proved: --fix)" in short
    for part in (
        "+ return count + noise(1 / epsilon)",
        "Repair 2: Add noise (exact on all pairs that were computed, not proved; standard deviation 1 before, 2 after)",
        *(one.message for one in others),
    ):
        assert part in whole, part
