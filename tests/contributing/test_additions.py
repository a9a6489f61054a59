"""CONTRIBUTING.md, tried by doing it: what is added is found and works, and no more files change than it says."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dplint_conformance import all_cases, run_conformance_test
from tests.contributing.additions.noting import drawn, noting
from tests.contributing.conftest import ROOT, Checkout

ROUNDED = """\
from dplint import dp


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=1 / round(epsilon, 1))
"""
ONE_ANSWER = """\
from dplint import dp


@dp(epsilon=1.0, neighbors="{relation}", size=3)
def {relation_name}_cells(rng, values):
    return [value + rng.laplace(scale={scale}) for value in values]
"""
RAYLEIGH = """\
from dplint import dp


@dp(epsilon=0.1, neighbors="linf", size=1)
def total(rng, values):
    return sum(values) + rng.rayleigh(scale=1.0)
"""
PARITY = """\
from dplint import dp


@dp(epsilon=1.0, neighbors="linf", size=1)
def hidden(rng, values):
    return 2 * int(rng.integers(0, 100000)) + (1 if values[0] > 0.5 else 0)
"""


@pytest.mark.process
def test_a_rule_is_its_file_its_page_and_its_examples(checkout: Checkout) -> None:
    checkout.add("dp499_rounded_epsilon.py", "dplint/rules")
    checkout.add("DP499.md", "dplint/codes/pages")
    checkout.add("dp499.py", "tests/rules/cases")
    file = checkout.write("release.py", ROUNDED)

    (finding,) = json.loads(checkout.python("dplint", "check", "--static-only", "--format", "json", file.name))[
        "findings"
    ]
    examples = checkout.python("pytest", "-q", "tests/rules/test_examples.py", "-k", "DP499 or every")

    assert (finding["code"], finding["line"]) == ("DP499", 6)
    assert "DP499: rounded epsilon" in checkout.python("dplint", "explain", "DP499")
    assert "DP499  warning  rounded epsilon" in checkout.python("dplint", "explain")
    assert " passed" in examples
    assert checkout.changed() == {
        "dplint/rules/dp499_rounded_epsilon.py",
        "dplint/codes/pages/DP499.md",
        "tests/rules/cases/dp499.py",
    }


@pytest.mark.process
def test_a_format_is_its_file_and_what_the_docs_say_of_it(checkout: Checkout) -> None:
    checkout.add("csv.py", "dplint/report/formats")
    file = checkout.write("release.py", ROUNDED.replace("1 / round(epsilon, 1)", "epsilon"))
    drift = ("pytest", "-q", "tests/cli/test_cli_formats.py", "tests/docs/test_site.py", "-k", "the_page")
    missing = checkout.python(*drift, code=1)
    checkout.replace("docs/formats.md", "| `gitlab` | ", "| `csv` | spreadsheets: a table |\n| `gitlab` | ")
    checkout.replace("docs/formats.md", "## gitlab\n", "## csv\n\n`--format csv=problems.csv`\n\n## gitlab\n")
    checkout.python("scripts.commands_page", "--write")

    printed = checkout.python("dplint", "check", "--static-only", "--format", "csv", file.name, code=1)
    refused = checkout.python("dplint", "check", "--format", "cvs", file.name, code=2)

    assert "2 failed" in missing
    assert "2 passed" in checkout.python(*drift)
    assert [row[:4] for row in csv.reader(printed.splitlines())][1] == ["release.py", "6", "44", "DP101"]
    assert "Did you mean 'csv'?" in refused
    assert checkout.changed() == {"dplint/report/formats/csv.py", "docs/formats.md", "docs/commands.md"}


@pytest.mark.process
def test_a_relation_is_its_file_and_its_row(checkout: Checkout) -> None:
    checkout.add("one_answer.py", "dplint/relations/known")
    drift = ("pytest", "-q", "tests/fixtures/test_docs_drift.py", "tests/relations", "-k", "one-answer or relation_has")
    missing = checkout.python(*drift, code=1)
    row = '| `"one-answer"` | vector of answers | one answer moves by at most `sensitivity` | |\n'
    checkout.replace("docs/claims.md", '| `"l2"` |', f'{row}| `"l2"` |')
    cells = [
        ONE_ANSWER.format(relation=relation, relation_name=name, scale=scale)
        for relation, name, scale in (
            ("one-answer", "right", 1),
            ("one-answer", "wrong", 0.2),
            ("linf", "other", 1),
            ("one-answers", "misspelt", 1),
        )
    ]
    checkout.write("release.py", "\n\n".join(cells))

    printed = checkout.python(
        "dplint", "check", "--runs", "40000", "--seed", "7", "--format", "json", "release.py", code=1
    )
    document = json.loads(printed)

    assert "1 failed" in missing
    assert " passed" in checkout.python(*drift)
    assert {one["function"]: one["verdict"] for one in document["results"]} == {
        "right_cells": "no-violation",
        "wrong_cells": "violation",
        "other_cells": "violation",
    }
    assert [one["code"] for one in document["findings"] if one["code"] == "DP005"] == ["DP005"]
    assert "Did you mean 'one-answer'?" in printed
    assert checkout.changed() == {"dplint/relations/known/one_answer.py", "docs/claims.md"}


@pytest.mark.process
def test_a_distribution_is_its_file_and_the_list_that_is_made_of_all(checkout: Checkout) -> None:
    """One that there is, taken out before."""
    file = checkout.folder / "dplint/distributions/known/rayleigh.py"
    text = file.read_text()
    file.unlink()
    (checkout.folder / "docs/distributions.md").write_text(checkout.python("dplint.distributions"))
    release = checkout.write("release.py", RAYLEIGH)
    without = Checkout(checkout.folder)
    unread = without.python("dplint", "inspect", "program", f"{release.name}::total", code=1)

    file.write_text(text)
    (checkout.folder / "docs/distributions.md").write_text(checkout.python("dplint.distributions"))
    document = json.loads(
        without.python("dplint", "check", "--runs", "40000", "--seed", "7", "--format", "json", release.name, code=1)
    )

    assert "rayleigh" in unread
    assert "rayleigh" in without.python("dplint", "inspect", "program", f"{release.name}::total")
    (result,) = document["results"]
    assert (result["verdict"], result["effort"]["notes"]) == ("violation", [])  # on lanes, replayed in the runner
    assert without.changed() == {"dplint/distributions/known/rayleigh.py", "docs/distributions.md"}


@pytest.mark.process
def test_an_event_family_is_its_file(checkout: Checkout) -> None:
    release = checkout.write("release.py", PARITY)
    check = ("dplint", "check", "--runs", "40000", "--seed", "7", "--format", "json", release.name)
    before = json.loads(checkout.python(*check))

    checkout.add("parity.py", "dplint/events/families")
    after = json.loads(checkout.python(*check, "--no-cache", code=1))

    assert before["results"][0]["verdict"] == "no-violation"
    assert after["results"][0]["verdict"] == "violation"
    assert "output % 2" in json.dumps(after["results"][0]["counterexample"])
    assert checkout.changed() == {"dplint/events/families/parity.py"}


def test_an_interpretation_is_its_package_and_the_suite() -> None:
    """It lies outside of dplint."""
    passed = run_conformance_test(noting, cases=all_cases()[::25], random=0)

    assert passed.followed > 20
    assert "laplace" in drawn


@pytest.mark.parametrize(
    "what", ["a rule", "a format", "a relation", "a distribution", "an event family", "an interpretation"]
)
def test_the_page_says_how(what: str) -> None:
    text = Path(ROOT / "CONTRIBUTING.md").read_text()

    section = text.partition(f"## Add {what}\n")[2].partition("\n## ")[0]
    steps = [line for line in section.splitlines() if line.partition(".")[0].isdigit()]
    assert 0 < len(steps) <= 12
    assert len(section.split()) <= 300
