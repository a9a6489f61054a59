"""Short lines on all pages but some, and short sentences on some: the lists of exceptions only shrink."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *(
        "README.md",
        "docs/index.md",
        "docs/tutorial.md",
        "docs/ten-minutes.md",
        "docs/ten-tasks.md",
        "docs/comparison.md",
        "docs/design.md",
        "docs/proofs.md",
    ),
    *("docs/codes.md", "docs/commands.md", "docs/distributions.md", "docs/formats.md", "docs/glossary.md"),
    *(f"docs/for/{name}.md" for name in ("reviewers", "managers", "libraries")),
    *(f"docs/how-to/{path.stem}.md" for path in sorted(ROOT.glob("docs/how-to/*.md")) if path.stem != "cluster"),
]
"""Pages with short sentences only."""
LONG_LINES = {
    *("claims", "contributing-tests", "exact", "glossary", "how-it-works", "how-to/cluster", "limitations"),
    *("program", "results/audits", "results/exact", "settings", "verdicts"),
}
"""Pages of docs/ that still have long lines."""
_CODE = re.compile(r"^(```|~~~).*?^\1$", re.MULTILINE | re.DOTALL)
_END = re.compile(r"[.!?:;](?:\*\*|\))?(?:\s+|$)|\n\s*\n|\n\s*(?:[-*]|\d+\.) ")


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


def long_lines(text):
    """Lines of a table cannot be broken, and what a command prints is as it is."""
    lines = _CODE.sub("", text).splitlines()
    return [line for line in lines if len(line) > 120 and not line.startswith(("|", "[", "    "))]


def test_no_line_of_prose_is_longer_than_120():
    docs = {path.relative_to(ROOT / "docs").with_suffix("").as_posix(): path for path in ROOT.glob("docs/**/*.md")}
    pages = {name: path for name, path in docs.items() if name not in LONG_LINES}
    long = {name: found for name, path in pages.items() if (found := long_lines(path.read_text(encoding="utf-8")))}

    assert long == {}
    assert {name for name in LONG_LINES if long_lines(docs[name].read_text(encoding="utf-8"))} == LONG_LINES
    assert long_lines((ROOT / "README.md").read_text(encoding="utf-8")) == []


def test_words_are_counted_as_readers_do():
    words = " ".join(["word"] * 26)
    assert long_sentences(f"Short. {words}.\n") == [words]
    assert long_sentences(f"```sh\n{words}\n```\n\n| {words} |\n") == []
    assert long_sentences("\n".join(f"- item {n} of a list without stops" for n in range(9))) == []
