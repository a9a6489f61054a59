"""Pages that keep to short sentences and lines; a page that does is added to the list, and none leaves it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/index.md", "docs/tutorial.md", "docs/comparison.md", "docs/ten-tasks.md"]
PAGES += sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "for").glob("*.md"))
_CODE = re.compile(r"^(```|~~~).*?^\1$", re.MULTILINE | re.DOTALL)
_END = re.compile(r"[.!?:;](?:\s+|$)|\n\s*\n|\n\s*(?:[-*]|\d+\.) ")


def prose(text):
    """The text without code, tables, heads and addresses of links."""
    without = _CODE.sub("\n\n", text)
    lines = ["" if re.match(r"\s*[|#!>]", line) else line for line in without.splitlines()]
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "code", "\n".join(lines)))


def long_sentences(text):
    return [part for part in _END.split(prose(text)) if part and len(part.split()) > 25]


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_is_longer_than_25_words(page):
    assert long_sentences((ROOT / page).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES)
def test_no_line_of_prose_is_longer_than_120(page):
    """Lines of a table cannot be broken, and what a command prints is as it is."""
    text = _CODE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    assert [line for line in text.splitlines() if len(line) > 120 and not line.startswith(("|", "["))] == []


def test_words_are_counted_as_readers_do():
    words = " ".join(["word"] * 26)
    assert long_sentences(f"Short. {words}.\n") == [words]
    assert long_sentences(f"```sh\n{words}\n```\n\n| {words} |\n") == []
    assert long_sentences("\n".join(f"- item {n} of a list without stops" for n in range(9))) == []
