"""Markdown for a comment or a summary: what differs from a commit, if that was asked for, and every problem."""

from __future__ import annotations

from dplint.report import problem_words
from dplint.report.change_words import change_markdown
from dplint.report.format import Format, Report
from dplint.report.gathered import placed, problems
from dplint.report.markdown_text import code, plain
from dplint.report.summary import summary


def markdown(report: Report) -> str:
    """One list for the change, one for the problems, and a line that sums up; quiet drops that."""
    lines = [] if report.changes is None else [*change_markdown(report.changes), ""]
    for problem in problems(report.gathered):
        at = placed(problem)
        place = code(f"{at.file}:{at.line}")
        lines.append(f"- **{at.code or at.severity.value}** {place}: {plain(problem_words.text(problem))}")
    if not report.quiet:
        lines += ["", plain(summary(report.gathered, report.seconds))]
    return "\n".join(lines).strip("\n") + "\n"


FORMAT = Format.of_text("markdown", "Markdown, for a comment on a change", markdown)
