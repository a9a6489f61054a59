"""The site is built without a warning, from pages that say what the code says, and fetches nothing when it is read."""

import html
import json
import re
import shutil
from pathlib import Path

import pytest

from dplint.codes import CODES
from scripts.commands_page import PAGE, document
from scripts.site_build import DOCS, build, fetches, stage

INDEX = "# Pages\n\n```{toctree}\none\ncodes\n```\n"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A folder with a small set of pages that builds."""
    folder = tmp_path_factory.mktemp("pages")
    shutil.copy(DOCS / "conf.py", folder)
    shutil.copytree(DOCS / "_static", folder / "_static")
    (folder / "codes.md").write_text("# Codes\n")
    (folder / "one.md").write_text("# One\n\n## Two words\n\n[here](#two-words), [there](codes.md)\n")
    (folder / "index.md").write_text(INDEX)
    return folder


@pytest.mark.process
def test_pages_that_are_right_make_a_site_with_a_page_for_each_code(pages, tmp_path):
    assert build(pages, tmp_path / "site") == 0

    made = {path.stem for path in (tmp_path / "site" / "codes").glob("*.html")}
    assert made == set(CODES)
    listed = (tmp_path / "site" / "codes.html").read_text(encoding="utf-8")
    assert all(f"codes/{code}.html" in listed and page.title in html.unescape(listed) for code, page in CODES.items())
    assert "Severity: <span" in (tmp_path / "site" / "codes" / "DP101.html").read_text(encoding="utf-8")


@pytest.mark.process
def test_broken_links_and_a_page_outside_of_the_navigation_fail_the_build(pages, tmp_path, capfd):
    folder = tmp_path / "pages"
    shutil.copytree(pages, folder)
    (folder / "one.md").write_text("# One\n\n[nowhere](two.md)\n\n[no such heading](codes.md#nothing)\n")
    (folder / "lonely.md").write_text("# In no table of contents\n")

    assert build(folder, tmp_path / "site") != 0

    told = capfd.readouterr().err
    assert all(part in told for part in ("two.md", "nothing", "lonely.md"))


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://example.org/a.js"></script>',
        '<link rel="stylesheet" href="//example.org/a.css">',
        "@import 'https://example.org/a.css';",
        "a { background: url(https://example.org/a.png) }",
    ],
)
def test_what_would_be_fetched_from_elsewhere_is_told(tmp_path, text):
    (tmp_path / "page.html").write_text(f'<a href="https://example.org">a link is no fetch</a>\n{text}\n')

    (line,) = fetches(tmp_path)
    assert line.startswith("page.html: ")
    assert "example.org" in line


def test_links_into_the_package_lead_to_the_copies(tmp_path):
    stage(DOCS, tmp_path / "docs")

    for path in (tmp_path / "docs").rglob("*.md"):
        for target in re.findall(
            r"\]\((?!https?:|#)([^)\s#]+)", re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
        ):
            assert (path.parent / target).is_file(), (path, target)
    assert "properties" in json.loads((tmp_path / "docs" / "dplint.schema.json").read_text())
    assert "$defs" in json.loads((tmp_path / "docs" / "dplint-report.schema.json").read_text())


def test_every_page_is_found_from_the_index():
    """The codes are added to their table of contents when the site is built."""
    listed = re.findall(r"^[\w-]+(?:/[\w-]+)*$", (DOCS / "index.md").read_text(), flags=re.MULTILINE)
    there = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}

    assert there == {*listed, "index"}


def test_the_page_of_commands_is_what_the_parser_says():
    assert Path(PAGE).read_text(encoding="utf-8") == document(), "python -m scripts.commands_page --write"
