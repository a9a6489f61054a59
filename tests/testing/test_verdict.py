"""A verdict shows itself: in a line, in a terminal, in a notebook."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from dplint.outcomes import Violation
from dplint.report.gathered import gather
from dplint.testing.functions import Verdict

sys.path.append(str(Path(__file__).parent.parent / "report"))
import report_samples as samples


def verdict(number: int) -> Verdict:
    return Verdict(gather([samples.RESULTS[number]]), 1.0)


def test_it_shows_itself() -> None:
    violation = next(one for one in map(verdict, range(len(samples.RESULTS))) if one.violated)
    stream = io.StringIO()
    Console(file=stream, width=90).print(violation)
    html = violation._repr_html_()

    assert "is not 0.7-private" in repr(violation)
    assert violation.epsilon_lower is not None
    for shown in (violation.text, stream.getvalue(), html):
        assert "DP901" in shown
    assert "<script" not in html
    assert "http" not in html


def test_no_violation_is_not_called_private() -> None:
    quiet = next(one for one in map(verdict, range(len(samples.RESULTS))) if one.checked and not one.violated)

    assert quiet.epsilon_lower is None
    assert "private" not in repr(quiet).lower()


def test_the_line_claims_no_more_than_the_bound() -> None:
    violation = next(one for one in samples.RESULTS if isinstance(one.outcome, Violation))
    assert isinstance(violation.outcome, Violation)
    outcome = replace(violation.outcome, epsilon_tested=1.0, epsilon_lower=4.6379)

    assert "is not 1-private: at least 4.63" in Verdict(gather([replace(violation, outcome=outcome)]), 1.0).line
