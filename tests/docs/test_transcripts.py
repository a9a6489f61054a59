"""What the pages show of commands is what the commands print."""

from pathlib import Path

import pytest

from tests.docs.transcripts import comparable, run, steps

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "tutorial.md", DOCS / "ten-minutes.md", *sorted((DOCS / "how-to").glob("*.md"))]


@pytest.mark.process
@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_each_command_prints_what_the_page_shows(page, tmp_path):
    for step in steps(page.read_text(encoding="utf-8")):
        printed = run(step, tmp_path)
        if step.file is None:
            assert comparable(printed) == comparable(step.output), f"to renew: python -m tests.docs.transcripts {page}"


def test_the_tutorial_has_a_bug_that_is_found_and_mended():
    shown = [step.output for step in steps((DOCS / "tutorial.md").read_text(encoding="utf-8"))]

    assert any(" DP901 most_visits is not 0.2-private: " in output for output in shown)
    assert any("✓ most_visited is proved for every length" in output for output in shown)
    assert any("○ no violation found" in output for output in shown)


def test_a_page_is_read_as_files_and_commands():
    file, other = "```python\n# a.py\nx = 1\n```\n", "```python\nno_file = 1\n```\n"

    found = steps(f"{file}\n```console\n$ one\nfirst\n\nsecond\n$ two\n```\n\n{other}")

    assert [(step.file, step.text, step.output) for step in found] == [
        ("a.py", "# a.py\nx = 1\n", ""),
        (None, "one", "first\n\nsecond\n"),
        (None, "two", ""),
    ]


def test_seconds_and_wraps_are_no_difference_and_all_else_is():
    assert comparable("done (1.3 s; level\n0.001)\n") == comparable("done (12.0 s; level 0.001)")
    assert comparable("53 runs") != comparable("54 runs")
