"""The pictures of outcomes made by hand are those that reports make today, and each is shown with the verdicts."""

import json

import pytest

from tests.docs.evidence_pictures import EVIDENCE, PICTURES, ROOT, SHOWN, VIEWS, picture_of, view_of

AGAIN = "write them anew with `python -m tests.docs.evidence_pictures`"


def read(text):
    """The document, without the last bits of an exponential, in which mathematical libraries differ."""
    return json.loads(text, parse_float=lambda number: round(float(number), 9))


@pytest.mark.parametrize("name", EVIDENCE)
def test_a_picture_is_that_of_the_report_today(name, tmp_path):
    made = tmp_path / "made.svg"
    picture_of(name, made)
    assert made.read_text(encoding="utf-8") == (PICTURES / f"evidence-{name}.svg").read_text(encoding="utf-8"), AGAIN


@pytest.mark.parametrize("name", SHOWN)
def test_the_views_of_the_extension_are_tested_with_what_the_server_answers_today(name):
    found = (VIEWS / f"{name}.json").read_text(encoding="utf-8")
    assert read(found) == read(view_of(name)), AGAIN


def test_there_are_no_others_and_all_are_shown():
    assert {path.stem for path in PICTURES.glob("evidence-*")} == {f"evidence-{name}" for name in EVIDENCE}
    assert {path.stem for path in VIEWS.iterdir()} == set(SHOWN)
    page = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
    assert [name for name in EVIDENCE if f"(pictures/evidence-{name}.svg)" not in page] == []
    assert "made by hand" in page
