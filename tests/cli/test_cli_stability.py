"""Claims of stability as users see them, and `dplint inspect sensitivity`."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import jsonschema
import pytest

from dplint.cli import main
from dplint.report import json_document
from dplint.testing import find_violation

SCHEMA = json.loads(Path(json_document.__file__).with_name("dplint-report.schema.json").read_text(encoding="utf-8"))
SOURCE = """
from dplint import dp, stable


@stable(d_out=10, domain=[(0.0, 10.0), None])
def filled(rows):
    known = [row for row in rows if row is not None]
    mean = sum(known) / len(known) if known else 0.0
    return sum(mean if row is None else row for row in rows)


@stable(d_out=10, domain=[(0.0, 10.0), None])
def right(rows):
    return sum(sorted(row for row in rows if row is not None))  # of which no proof reads the sum


@stable(d_out=10, domain=[(0.0, 10.0), None])
def read(rows):
    return sum(row for row in rows if row is not None)


def unclaimed(rows, weight):
    return [weight * row for row in rows]


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 4.0))
def released(rng, rows, epsilon):
    return sum(rows) + rng.laplace(scale=4 / epsilon)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def told(capsys):
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.process
def test_a_refuted_claim_is_shown_with_both_outputs(module, capsys):
    """One missing value and a ten: 20 in place of 0."""
    assert main(["check", "steps.py::filled"]) == 1
    said = told(capsys)
    assert "DP913 filled is not stable: outputs 20 apart, where 10 is claimed" in said
    assert "output on D1: 0.0" in said
    assert "output on D2: 20.0" in said
    assert "1 mechanism: 1 not stable" in said
    assert "false alarm" not in said


@pytest.mark.process
def test_what_is_not_refuted_is_not_called_stable(module, capsys):
    assert main(["check", "steps.py::right"]) == 0
    said = told(capsys)
    assert "right is not refuted" in said
    assert "Not refuted does not mean stable" in said
    assert "proved" not in said


@pytest.mark.process
def test_the_document_of_both(module, capsys):
    assert main(["check", "steps.py::filled", "steps.py::right", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    filled, right = document["results"]
    assert (filled["verdict"], filled["code"], filled["d_out"], filled["pair"]["distance"]) == (
        "unstable",
        "DP913",
        10,
        20,
    )
    assert filled["claim"]["stable"] == {"d_in": 1.0, "d_out": 10.0, "metric": "absolute"}
    assert (filled["claim"]["epsilon"], filled["effort"]["alpha"]) == (None, 0.0)
    assert (right["verdict"], right["code"], right["pair"]["distance"]) == ("not-refuted", None, 10)


@pytest.mark.process
def test_a_comment_silences_it(module, capsys):
    text = SOURCE.replace("def filled(rows):", "def filled(rows):  # dplint: ignore[DP913] known")
    (module / "steps.py").write_text(text, encoding="utf-8")
    assert main(["check", "steps.py::filled"]) == 0
    assert "1 silenced by comments" in told(capsys)


@pytest.mark.process
def test_the_rules_about_releases_say_nothing_of_it(module, capsys):
    """Such a function returns exact data, which is what it is for."""
    assert main(["check", "steps.py", "--static-only"]) == 0
    assert "DP2" not in told(capsys)


@pytest.mark.process
def test_the_sensitivity_of_a_function_without_a_claim(module, capsys):
    options = ["--domain", "(0, 5)", "--arg", "weight=3", "--metric", "symmetric", "--budget", "1s"]
    assert main(["inspect", "sensitivity", "steps.py::unclaimed", *options]) == 0
    assert "exactly 1 row apart (symmetric)" in told(capsys)


@pytest.mark.process
def test_the_sensitivity_of_a_mechanism_without_its_noise(module, capsys):
    assert main(["inspect", "sensitivity", "steps.py::released", "--budget", "1s", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    found = document["sensitivity"]
    assert (found["metric"], found["centred"], found["pair"]["distance"]) == ("absolute", True, 4.0)


MISTAKEN = """
from dplint import dp


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 9.0))
def summed(rng, rows, epsilon):
    held = [min(row, 6.0) for row in rows]
    total = sum(held)
    return total + rng.laplace(scale=4 / epsilon)
"""


@pytest.mark.process
def test_lines_stand_beside_what_their_noise_pays_for(module, capsys):
    """A record of at most 6 moves the sum by 6, and the scale is made for 4."""
    (module / "steps.py").write_text(MISTAKEN, encoding="utf-8")
    assert main(["inspect", "sensitivity", "steps.py::summed", "--lines", "--budget", "1s", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    held, total, added = document["sensitivity"]["lines"]
    assert [(one["line"], one["name"]) for one in (held, total, added)] == [(7, "held"), (8, "total"), (9, "total")]
    assert (held["pays"], total["pays"], total["too_far"], total["pair"]["distance"]) == (None, None, False, 6.0)
    assert (added["pays"], added["too_far"], added["pair"]["distance"]) == (4.0, True, 6.0)


@pytest.mark.process
@pytest.mark.nightly
def test_lines_and_what_their_noise_pays_for_in_a_table(module, capsys):
    (module / "steps.py").write_text(MISTAKEN, encoding="utf-8")
    assert main(["inspect", "sensitivity", "steps.py::summed", "--lines", "--budget", "1s"]) == 0
    said = told(capsys)
    assert "9 total Δ = 6 4, too little" in said
    assert "8 total Δ = 6 9 total" in said


@pytest.mark.process
def test_of_a_file_all_functions_that_bear_a_claim(module, capsys):
    """By hand: a sum of records up to 10 moves by 10; a record of at most 6 moves the other by 6."""
    total = "\n\n@stable(d_out=10, domain=(0.0, 10.0))\ndef total(rows):\n    return sum(rows)\n"
    (module / "steps.py").write_text(MISTAKEN.replace("import dp", "import dp, stable") + total, encoding="utf-8")
    assert main(["inspect", "sensitivity", "steps.py", "--budget", "300ms", "--format", "json"]) == 0
    documents = json.loads(capsys.readouterr().out)
    for one in documents:
        jsonschema.validate(one, SCHEMA)
    distances = {one["sensitivity"]["function"]: one["sensitivity"]["pair"]["distance"] for one in documents}
    assert distances == {"summed": 6.0, "total": 10.0}

    assert main(["inspect", "sensitivity", "steps.py", "--budget", "300ms"]) == 0
    said = told(capsys)
    assert "steps.py::summed at least 6 apart" in said
    assert "steps.py::total exactly 10 apart" in said


def test_a_file_without_claims_is_told(module, capsys):
    (module / "steps.py").write_text("def total(rows):\n    return sum(rows)\n", encoding="utf-8")
    assert main(["inspect", "sensitivity", "steps.py"]) == 2
    assert "No function in 'steps.py' bears a claim" in capsys.readouterr().err


@pytest.mark.process
def test_what_is_refuted_is_told_by_a_quiet_check_too(module, capsys):
    """Each in a block of its own."""
    assert main(["check", "steps.py::filled", "--quiet", "--budget", "1s", "--no-cache"]) == 1
    text = capsys.readouterr().out
    assert "filled is not stable" in text
    assert text.endswith("\n\n")


@pytest.mark.process
def test_without_a_domain_there_are_no_pairs(module, capsys):
    assert main(["inspect", "sensitivity", "steps.py::unclaimed"]) == 2
    assert "needs a domain" in told(capsys)


@pytest.mark.process
def test_a_claim_says_its_own_domain(module, capsys):
    assert main(["inspect", "sensitivity", "steps.py::filled", "--domain", "(0, 1)"]) == 2
    assert "name the metric alone" in told(capsys)


@pytest.mark.process
def test_a_test_of_the_user_fails_by_it(module):
    spec = importlib.util.spec_from_file_location("steps", module / "steps.py")
    steps = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(steps)
    assert find_violation(steps.filled).violated
    assert not find_violation(steps.right, budget="1s").violated


@pytest.mark.process
def test_what_is_stable_is_proved_and_a_sensitivity_is_exact_where_a_proof_says_so(module, capsys):
    assert main(["check", "steps.py::read"]) == 0
    assert "read is proved for every length" in told(capsys)
    options = ["--domain", "(0, 5)", "--arg", "weight=3", "--metric", "symmetric", "--budget", "4s", "--format", "json"]
    assert main(["inspect", "sensitivity", "steps.py::unclaimed", *options]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["sensitivity"]["proved"].startswith("for every length")
    assert document["sensitivity"]["pair"]["distance"] == 1
