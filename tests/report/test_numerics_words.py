"""Every format says which numbers a violation is about; one in real numbers says nothing of it."""

import io
import json
from dataclasses import replace

import jsonschema
import pytest
import report_samples as samples
from test_report_json import SCHEMA

from dplint.claims import Numerics
from dplint.report import editor
from dplint.report.format import Report
from dplint.report.formats import format_names, format_of
from dplint.report.gathered import gather
from dplint.report.json_document import check_json

REAL = samples.RESULTS[0]
SAID = "none found in real numbers"
MACHINE = replace(REAL, outcome=replace(REAL.outcome, numerics=Numerics.MACHINE, in_real_numbers=SAID))


def written(name, result):
    stream = io.StringIO()
    format_of(name).write(Report(gather((result,)), 1.0, lambda _file, _line: None), stream)
    return " ".join(stream.getvalue().replace("│", " ").split())


@pytest.mark.parametrize("name", format_names())
def test_every_format_names_the_numbers(name):
    text = written(name, MACHINE)

    assert "in machine numbers" in text
    assert SAID in text
    assert SAID not in written(name, REAL)


def test_the_code_is_its_own():
    assert (REAL.outcome.code, MACHINE.outcome.code) == ("DP901", "DP911")
    assert "DP911" in written("rich", MACHINE)


def test_json_has_both():
    document = json.loads(check_json(Report(gather((MACHINE, REAL)), 1.0)))
    jsonschema.validate(document, SCHEMA)

    one, other = document["results"]
    assert (one["verdict"], one["code"], one["numerics"], one["in_real_numbers"]) == (
        "violation", "DP911", "machine", SAID,
    )  # fmt: skip
    assert (other["code"], other["numerics"], other["in_real_numbers"]) == ("DP901", "real", None)


def test_the_editor_names_them():
    assert editor.message(MACHINE).endswith(f". violation in machine numbers; {SAID}")
    assert editor.verdict_title(MACHINE.outcome).startswith("violated in machine numbers: ε ≥ ")
    assert editor.verdict_title(REAL.outcome).startswith("violated: ε ≥ ")
