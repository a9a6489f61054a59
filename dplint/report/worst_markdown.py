"""The worst input of a search as a page, for editors."""

from __future__ import annotations

from dplint.outcomes import WorstInput
from dplint.report import numerals
from dplint.report.literals import literal
from dplint.report.markdown_text import code
from dplint.report.worst_words import compared_words, impossible_words, loss_words, taken_words

_STEPS = 20


def worst_markdown(function: str, worst: WorstInput) -> str:
    """The page: the input, its loss beside what is claimed, the steps that led to it, and the branches of data."""
    delta = f" with delta = {numerals.exact(worst.claimed_delta)}" if worst.claimed_delta else ""
    verdict = "**more than that, by the source alone**" if worst.refutes else "no more than that"
    lines = [
        f"# The worst input of {code(function)} that was found",
        "",
        f"epsilon = {loss_words(worst)}{delta}, {numerals.exact(worst.claimed)} claimed: {verdict}",
        "",
        f"- D1 = {code(literal(worst.d1))}",
        f"- D2 = {code(literal(worst.d2))}",
        *(f"- {one.name} = {code(literal(one.value))}" for one in worst.arguments),
        "",
        "| input | seconds | loss | found by |",
        "|---:|---:|---:|---|",
        *(
            f"| {one.inputs:,} | {one.seconds:.2f} | {one.loss:.6g} | {code(one.pattern)} |"
            for one in worst.steps[-_STEPS:]
        ),
        "",
        *(f"- {taken_words(one)}{impossible_words(one)}" for one in worst.branches),
        "",
        f"The worst of {numerals.count(worst.inputs, 'input')}, by {worst.certified_by}; no bound for other inputs.",
        f"{compared_words(worst).capitalize()}.",
        *(f"Note: {note}." for note in worst.notes),
    ]
    return "\n".join(lines) + "\n"
