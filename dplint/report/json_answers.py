"""The answers of `dplint inspect exact` and `dplint inspect worst` as JSON."""

from __future__ import annotations

from dplint.outcomes import ExactTable, NotRefuted, Sensitivity, WorstInput
from dplint.report.gathered import Gathered
from dplint.report.json_document import error_json, finding_json, result_json
from dplint.report.json_evidence import branches_json, output_pair_json
from dplint.report.json_values import VERSION, Json, bounds_json, fields, json_text
from dplint.report.proof_words import scope_words


def exact_json(table: ExactTable | None, gathered: Gathered) -> str:
    """The document of `dplint inspect exact`; "table" is null if there is none, and "results" and "errors" say why."""
    return _document("table", None if table is None else _table(table), gathered)


def worst_json(worst: WorstInput | None, gathered: Gathered) -> str:
    """The document of `dplint inspect worst`; "worst" is null if there is none, and "results" and "errors" say why."""
    return _document("worst", None if worst is None else _worst(worst), gathered)


def sensitivity_json(answer: Sensitivity | None, gathered: Gathered) -> str:
    """The document of `dplint inspect sensitivity`; "sensitivity" is null if there is none."""
    return _document("sensitivity", None if answer is None else _sensitivity(answer.found), gathered)


def _document(key: str, answer: Json, gathered: Gathered) -> str:
    return json_text(
        {
            "version": VERSION,
            key: answer,
            "results": [result_json(result) for result in gathered.results],
            "findings": [finding_json(finding) for finding in gathered.findings],
            "errors": [error_json(error) for error in gathered.errors],
        }
    )


def _table(table: ExactTable) -> Json:
    row = "output measure p1 p2 loss infinite"
    return {
        **fields(table, "d1 d2 arguments claimed claimed_delta neighbours refutes loss"),
        "d1_over_d2": [fields(one, row) for one in table.forwards],
        "d2_over_d1": [fields(one, row) for one in table.backwards],
        **fields(table, "deltas"),
        "at_claim": None if table.at_claim is None else bounds_json(table.at_claim.delta),
        "pairs": table.pairs,
        "arithmetic": "real numbers; rounding is not modelled",
        **fields(table, "certified_by not_compared notes"),
    }


def _sensitivity(found: NotRefuted) -> Json:
    pair = None if found.furthest is None else output_pair_json(found.furthest)
    names = "d_in metric centred"
    proved = None if found.within is None else scope_words(found.within)
    counts: dict[str, Json] = {"pairs": found.effort.pairs, "runs": found.effort.runs}
    return {**fields(found.stability, names), "pair": pair, "proved": proved, **counts}


def _worst(worst: WorstInput) -> Json:
    return {
        **fields(worst, "d1 d2 arguments loss claimed claimed_delta refutes inputs seconds"),
        "steps": [fields(one, "inputs seconds loss pattern") for one in worst.steps],
        "branches": branches_json(worst.branches),
        **fields(worst, "certified_by by_runs not_compared notes"),
    }
