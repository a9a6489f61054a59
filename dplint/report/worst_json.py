"""The worst input of a search as JSON."""

from __future__ import annotations

from dplint.outcomes import WorstInput
from dplint.report.gathered import Gathered
from dplint.report.json_document import error_json, finding_json, result_json
from dplint.report.json_evidence import branches_json
from dplint.report.json_values import VERSION, Json, arguments_json, bounds_json, json_text, number_json, value_json


def worst_json(worst: WorstInput | None, gathered: Gathered) -> str:
    """The document of `dplint worst`; "worst" is null if there is none, and "results" and "errors" say why."""
    return json_text(
        {
            "version": VERSION,
            "worst": None if worst is None else _worst(worst),
            "results": [result_json(result) for result in gathered.results],
            "findings": [finding_json(finding) for finding in gathered.findings],
            "errors": [error_json(error) for error in gathered.errors],
        }
    )


def _worst(worst: WorstInput) -> Json:
    return {
        "d1": value_json(worst.d1),
        "d2": value_json(worst.d2),
        "arguments": arguments_json(worst.arguments),
        "loss": bounds_json(worst.loss),
        "claimed": number_json(worst.claimed),
        "claimed_delta": number_json(worst.claimed_delta),
        "refutes": worst.refutes,
        "inputs": worst.inputs,
        "seconds": worst.seconds,
        "steps": [
            {"inputs": one.inputs, "seconds": one.seconds, "loss": number_json(one.loss), "pattern": one.pattern}
            for one in worst.steps
        ],
        "branches": branches_json(worst.branches),
        "certified_by": worst.certified_by,
        "by_runs": worst.by_runs,
        "not_compared": worst.not_compared,
        "notes": list(worst.notes),
    }
