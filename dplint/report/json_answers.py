"""The answers of `dplint inspect exact`, `worst` and `sensitivity` as JSON."""

from __future__ import annotations

from dplint.outcomes import ExactTable, NotRefuted, Sensitivity, WorstInput
from dplint.report.gathered import Gathered
from dplint.report.json_document import answer_json
from dplint.report.json_evidence import fields, written
from dplint.report.json_values import Json
from dplint.report.proof_words import scope_words


def exact_json(table: ExactTable | None, gathered: Gathered) -> str:
    """The document of `dplint inspect exact`; "table" is null if there is none, and "results" and "errors" say why."""
    return answer_json("table", None if table is None else _table(table), gathered)


def worst_json(worst: WorstInput | None, gathered: Gathered) -> str:
    """The document of `dplint inspect worst`; "worst" is null if there is none, and "results" and "errors" say why."""
    return answer_json("worst", written(worst), gathered)


def sensitivity_json(answer: Sensitivity | None, gathered: Gathered) -> str:
    """The document of `dplint inspect sensitivity`; "sensitivity" is null if there is none."""
    return answer_json("sensitivity", None if answer is None else _sensitivity(answer.found), gathered)


def _table(table: ExactTable) -> Json:
    return {
        **fields(table, "d1 d2 arguments claimed claimed_delta neighbours refutes loss"),
        **fields(table, "forwards=d1_over_d2 backwards=d2_over_d1 deltas"),
        "at_claim": None if table.at_claim is None else written(table.at_claim.delta),
        **fields(table, "pairs"),
        "arithmetic": "real numbers; rounding is not modelled",
        **fields(table, "certified_by not_compared notes"),
    }


def _sensitivity(found: NotRefuted) -> Json:
    pairs = {**fields(found, "furthest=pair"), **fields(found.effort, "pairs runs")}
    proved = None if found.within is None else scope_words(found.within)
    return {**fields(found.stability, "d_in metric centred"), **pairs, "proved": proved}
