"""Short lines and short sentences, on all pages; and files that are where the pages say."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "dplint/codes/pages/*.md", "vscode-extension/*.md")
    for path in ROOT.glob(pattern)
)
_CODE = re.compile(r"^(```|~~~).*?^\1$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?:    .*\n)+")
_END = re.compile(r"[.!?:;](?:\*\*|\))?(?:\s+|$)|\n\s*\n|\n\s*(?:[-*]|\d+\.) ")
_LISTED = re.compile(r"(?:\b(?:code|DP\d+)(?: [\d,]*\d)?(?:, |,? and |\s)){3,}")
"""Names in a row, which are read as one."""


def prose(text):
    """The text without code, tables, heads and addresses of links."""
    without = _INDENTED.sub("\n", _CODE.sub("\n\n", text))
    lines = ["" if re.match(r"\s*[|#!>]", line) else line for line in without.splitlines()]
    return _LISTED.sub("code ", re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "code", "\n".join(lines))))


def long_sentences(text):
    return [part for part in _END.split(prose(text)) if part and len(part.split()) > 25]


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_is_longer_than_25_words(page):
    assert long_sentences((ROOT / page).read_text(encoding="utf-8")) == []


def long_lines(text):
    """Lines of a table cannot be broken, and what a command prints is as it is."""
    lines = _INDENTED.sub("\n", _CODE.sub("", text)).splitlines()
    return [line for line in lines if len(line) > 120 and not line.lstrip().startswith(("|", "[", "!"))]


@pytest.mark.parametrize("page", PAGES)
def test_no_line_of_prose_is_longer_than_120(page):
    assert long_lines((ROOT / page).read_text(encoding="utf-8")) == []


def test_words_are_counted_as_readers_do():
    words = " ".join(["word"] * 26)
    assert long_sentences(f"Short. {words}.\n") == [words]
    assert long_sentences(f"Short, for `x`, `y`, {words}.\n") != []
    assert long_sentences(f"```sh\n{words}\n```\n\n| {words} |\n\n    {words}\n") == []
    assert long_sentences("\n".join(f"- item {n} of a list without stops" for n in range(9))) == []
    assert long_sentences(f"Flagged are {', '.join(f'DP{n}' for n in range(101, 130))}, and no more.") == []
    assert "docs/verdicts.md" in PAGES
    assert "README.md" in PAGES


FILE = re.compile(r"`([\w-]+(?:/[\w-]+)+\.(?:py|md|toml|txt))`")


def test_files_that_the_pages_of_the_house_name_are_there():
    tracked = {
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in ("benchmarks", "cluster", "conformance", "docs", "dplint", "fixtures", "scripts", "tests")
        for path in (ROOT / folder).rglob("*.*")
    } | {f"/{page}" for page in PAGES}
    pages = [path for path in (ROOT / "docs").glob("*.md") if path.name not in {"codes.md"}]
    named = {(path.name, file) for path in pages for file in FILE.findall(path.read_text(encoding="utf-8"))}

    assert len(named) > 50
    assert [one for one in sorted(named) if not any(name.endswith(f"/{one[1]}") for name in tracked)] == []
