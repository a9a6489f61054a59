"""A JSON schema of `[tool.dplint]`, for editors that complete and check pyproject.toml.

`python -m dplint.config > dplint/config/dplint.schema.json` writes it. The schema is for a whole pyproject.toml, of
which it says nothing but what is ours, so that an editor needs no more than to know which files it is for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from dplint.claims import OBSERVABLE, Numerics
from dplint.config.settings import PROFILES, Settings
from dplint.config.validate import CHECKS, LEVELS, METHODS, PERMISSIONS, PROVEN, SOLVERS

Schema: TypeAlias = dict[str, object]
FILE = Path(__file__).with_name("dplint.schema.json")

_POSITIVE: Schema = {"type": "number", "exclusiveMinimum": 0}
_COUNT: Schema = {"type": "integer", "minimum": 1, "maximum": 10**12}
_FLAG: Schema = {"type": "boolean"}
_CODES: Schema = {"type": "array", "items": {"type": "string", "pattern": r"^DP\d{0,3}$"}}
_TEXT: Schema = {"type": "string", "pattern": r"\S"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_DURATION = r"^\s*(?=.*[1-9])(\d+\.?\d*|\.\d+)\s*(ms|s|m|h|)\s*$"
_NAME = r"[^\W\d]\w*(\.[^\W\d]\w*)*"
_NUMBER_OR_EXPRESSION: Schema = {"type": ["number", "string"]}

_SHAPES: Mapping[str, tuple[Schema, str]] = {
    "alpha": (
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "Largest probability of a false alarm for one mechanism.",
    ),
    "seed": ({"type": "integer", "minimum": 0}, "One seed for all audits; without it, from the source and the claim."),
    "jobs": ({"type": "integer", "minimum": 1, "maximum": 1024}, "Worker processes; without it, one a processor."),
    "epsilons": (
        {"type": "array", "items": _POSITIVE, "minItems": 1},
        "Values for a parameter that the claim depends on.",
    ),
    "profile": ({"enum": list(PROFILES)}, "How much effort one mechanism may cost."),
    "method": ({"enum": list(METHODS)}, "The anytime test, or the published test of StatDP."),
    "budget": (
        {"anyOf": [_POSITIVE, {"type": "string", "pattern": _DURATION}]},
        'How long one mechanism is audited: seconds, or a text such as "500ms", "5s" or "2m".',
    ),
    "runs": (_COUNT, "End after so many single runs, in place of a budget."),
    "keep_going": (_FLAG, "Spend the whole budget also on a violation, for a higher lower bound."),
    "select_runs": (_COUNT, "Runs on each side to choose on, for the method statdp."),
    "test_runs": (_COUNT, "Runs on each side to test on, for the method statdp."),
    "time_limit": (_POSITIVE, "Seconds after which one mechanism is given up, whatever else is set."),
    "deadline": (_POSITIVE, "Seconds that one request to your code may take."),
    "memory_mib": (
        {"type": "integer", "minimum": 128, "maximum": 2**30},
        "Limit of the memory of each process that runs or reads your code, in MiB.",
    ),
    "interpreter": (_TEXT, "The python that runs your code: a path from the folder of this file, or a name in PATH."),
    "exclude": (_TEXTS, "Patterns of files and folders that are not looked at."),
    "allow": (
        {"type": "array", "items": {"anyOf": [{"enum": list(PERMISSIONS)}, {"type": "string", "pattern": "^read:."}]}},
        "What your code may do in an audit; `read:PATH` is what it may read outside of the project.",
    ),
    "select": (_CODES, "Codes, or beginnings of codes, to report."),
    "ignore": (_CODES, "Codes, or beginnings of codes, to leave out."),
    "extend_select": (_CODES, "Codes to report besides those of select, or besides those that are on by default."),
    "per_file_ignores": (
        {"type": "object", "additionalProperties": _CODES},
        "Codes to leave out in files of a pattern.",
    ),
    "severity": (
        {
            "type": "object",
            "propertyNames": {"pattern": r"^DP\d{0,3}$"},
            "additionalProperties": {"enum": list(LEVELS)},
        },
        "How findings and verdicts count, by code or beginning of codes.",
    ),
    "known_noise": (
        {"type": "array", "items": {"type": "string", "pattern": rf"^{_NAME}[.:]{_NAME}$"}},
        "Full names of functions and classes that add noise.",
    ),
    "all_functions": (
        _FLAG,
        "Apply the rules also where there is no claim: to functions that `dplint suggest` has one for, and to code "
        "outside of functions.",
    ),
    "exact": (_FLAG, "Compute losses of pairs from the source before anything is run."),
    "proofs": (_FLAG, "Look for a proof before anything is run."),
    "repairs": (
        _FLAG,
        "Look for edits under which a broken claim holds. Not said: where a budget is ten seconds or more, with --fix "
        "and with --diff.",
    ),
    "spare_noise": (
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "How much more noise there may be than a claim asks for, as a share, before that is a finding.",
    ),
    "require_proof": (
        {"enum": list(PROVEN)},
        "What every mechanism needs a proof of: nothing, some lengths of the data, or all that is claimed.",
    ),
    "solver": ({"enum": list(SOLVERS)}, "Who chooses the arguments that nothing fixes."),
    "numerics": (
        {"enum": [one.value for one in Numerics]},
        "Which numbers claims are about: real ones, or those that the machine has as well.",
    ),
    "static_only": (_FLAG, "Read claims and source, run nothing."),
    "baseline": (_TEXT, "The file with what is known and not reported: a path from the folder of this file."),
    "cache": (_FLAG, "Keep what an audit has learnt, and answer what is known."),
}
_CLAIM: Mapping[str, tuple[Schema, str]] = {
    "epsilon": (_NUMBER_OR_EXPRESSION, "A number, or an expression over the parameters."),
    "delta": (_NUMBER_OR_EXPRESSION, "A number, or an expression over the parameters."),
    "neighbors": (_TEXT, 'The name of a relation, or "module:function" that yields pairs.'),
    "sensitivity": ({"type": "number"}, "How far neighbouring vectors may be apart."),
    "data": (
        {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
        "The data parameter, or several: each takes the column of its name.",
    ),
    "domain": ({}, "What a value or record may be: categories, {low = .., high = ..}, or a table of those by column."),
    "size": ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}, "Lengths to try."),
    "args": ({"type": "object"}, "Fixed values, lists of candidates or intervals for other parameters."),
    "rng": (_TEXT, "The generator parameter."),
    "make": (_TEXT, '"module:function" that makes the object of a method, or returns the function.'),
    "observe": (
        {
            "type": "array",
            "items": {"anyOf": [{"enum": list(OBSERVABLE)}, {"type": "string", "pattern": r"^self\.\w+$"}]},
        },
        "What is released besides the value returned: prints, logs, files, arguments changed in place, attributes.",
    ),
    "numerics": (
        {"enum": [one.value for one in Numerics]},
        "Which numbers the claim is about; by default what the setting says.",
    ),
    "user": (_TEXT, "The column that says whose a record is: neighbours differ in all records of one user."),
    "labels": (_TEXT, "The parameter that takes the last column; the data has the others."),
    "rho": (_NUMBER_OR_EXPRESSION, "In place of epsilon: zero-concentrated differential privacy."),
    "mu": (_NUMBER_OR_EXPRESSION, "In place of epsilon: Gaussian differential privacy."),
    "renyi": (
        {"anyOf": [_TEXT, {"type": "array"}]},
        "In place of epsilon: [alpha, bound], a list of those, or an expression in alpha.",
    ),
    "curve": (_TEXT, 'In place of epsilon: "module:function" that gives the promised delta for an epsilon.'),
    "sample_rate": ({"type": "number"}, "The probability with which a step of a training sees a record."),
    "steps": ({"type": "integer"}, "How many steps the claim is about, of which the function makes one."),
}


def schema() -> Schema:
    """The schema of a pyproject.toml, as far as it is about dplint."""
    defaults = Settings()
    settings: dict[str, object] = {}
    for name in CHECKS:
        shape, words = _SHAPES[name]
        default = getattr(defaults, name)
        # What the machine or the profile decides is no default that an editor should write.
        stated = isinstance(default, bool | str) or name in ("alpha", "deadline", "memory_mib", "spare_noise")
        settings[name.replace("_", "-")] = {**shape, "description": words, **({"default": default} if stated else {})}
    claim = {name: {**shape, "description": words} for name, (shape, words) in _CLAIM.items()}
    settings["mechanisms"] = {
        "type": "object",
        "description": 'Claims of functions that you cannot edit, by "package.module:function".',
        "propertyNames": {"pattern": r"^[^\s:]+:[^\s:]+$"},
        "additionalProperties": {"type": "object", "properties": claim, "additionalProperties": False},
    }
    ours: Schema = {
        "type": "object",
        "description": "Settings of dplint, a linter for differential privacy.",
        "properties": settings,
        "additionalProperties": False,
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "dplint in pyproject.toml",
        "type": "object",
        "properties": {"tool": {"type": "object", "properties": {"dplint": ours}}},
    }


def schema_text() -> str:
    """The schema as the file has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
