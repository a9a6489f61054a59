"""A table of exact losses as JSON."""

from __future__ import annotations

from dplint.outcomes import ExactOutput, ExactTable
from dplint.report.gathered import Gathered
from dplint.report.json_document import error_json, finding_json, result_json
from dplint.report.json_evidence import deltas_json, infinite_json
from dplint.report.json_values import VERSION, Json, arguments_json, bounds_json, json_text, number_json, value_json


def exact_json(table: ExactTable | None, gathered: Gathered) -> str:
    """The document of `dplint exact`; "table" is null if there is none, and "results" and "errors" say why."""
    return json_text(
        {
            "version": VERSION,
            "table": None if table is None else _table(table),
            "results": [result_json(result) for result in gathered.results],
            "findings": [finding_json(finding) for finding in gathered.findings],
            "errors": [error_json(error) for error in gathered.errors],
        }
    )


def _table(table: ExactTable) -> Json:
    return {
        "d1": value_json(table.d1),
        "d2": value_json(table.d2),
        "arguments": arguments_json(table.arguments),
        "claimed": number_json(table.claimed),
        "claimed_delta": number_json(table.claimed_delta),
        "neighbours": table.neighbours,
        "refutes": table.refutes,
        "loss": bounds_json(table.loss),
        "d1_over_d2": [_row(row) for row in table.forwards],
        "d2_over_d1": [_row(row) for row in table.backwards],
        "deltas": deltas_json(table.deltas),
        "at_claim": None if table.at_claim is None else bounds_json(table.at_claim.delta),
        "pairs": table.pairs,
        "arithmetic": "real numbers; rounding is not modelled",
        "certified_by": table.certified_by,
        "not_compared": table.not_compared,
        "notes": list(table.notes),
    }


def _row(row: ExactOutput) -> Json:
    return {
        "output": row.output,
        "measure": row.measure.value,
        "p1": bounds_json(row.p1),
        "p2": bounds_json(row.p2),
        "loss": bounds_json(row.loss),
        "infinite": infinite_json(row.infinite),
    }
