"""Every code has a page with all of its parts, and the examples on it are what they are said to be."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.check import check_paths
from dplint.codes import CODES, page, page_path
from dplint.codes.catalogue import PageError, read_page
from dplint.config import load_settings
from dplint.outcomes import CheckError, Finding, Severity, Silenced

PARTS = ["Why it matters", "Bad", "Good", "How to silence it"]
CLAIMS = [code for code in CODES if code.startswith("DP0")]
VERDICTS = [code for code in CODES if code.startswith("DP9")]


def part(code, title):
    """What stands under a heading of a page."""
    return re.search(rf"^## {title}\n\n(.*?)(?=^## |\Z)", CODES[code].markdown, flags=re.MULTILINE | re.DOTALL)[1]


def snippets(code, title, language="python"):
    return re.findall(rf"^```{language}\n(.*?)^```$", part(code, title), flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def found(tmp_path):
    """The findings of an example: its table is put into pyproject.toml, its file where its first line says."""

    def found(code, title):
        (tmp_path / "pyproject.toml").write_text("".join(snippets(code, title, "toml")))
        (snippet,) = snippets(code, title)
        name = re.match(r"# (\S+\.py)\n", snippet)
        file = tmp_path / (name[1] if name else "example.py")
        for folder in file.relative_to(tmp_path).parents[:-1]:
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "__init__.py").touch()
        file.write_text(f"import numpy as np\nfrom pathlib import Path\nfrom dplint import dp, stable\n\n{snippet}")
        events = list(check_paths([file], load_settings(tmp_path, {"static_only": True})))
        assert not any(isinstance(event, CheckError | Silenced) for event in events)
        return [event for event in events if isinstance(event, Finding)]

    return found


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_all_its_parts(code):
    one = page(code)

    assert (one.code, page_path(code).name) == (code, f"{code}.md")
    assert page_path(code).read_text(encoding="utf-8") == one.markdown
    assert re.findall(r"^## (.+)$", one.markdown, flags=re.MULTILINE) == PARTS
    assert one.title
    assert one.summary in " ".join(one.body.split())
    assert one.summary.endswith(".")
    assert code in part(code, PARTS[3]) or "cannot be silenced" in part(code, PARTS[3])
    assert snippets(code, "Bad") != [] != snippets(code, "Good")


def test_the_codes_are_in_order_and_verdicts_are_among_them():
    assert list(CODES) == sorted(CODES)
    assert [f"DP{number}" for number in (901, *range(904, 917))] == VERDICTS
    assert [f"DP{number:03}" for number in range(1, 24)] == CLAIMS


@pytest.mark.parametrize("code", CLAIMS)
def test_the_bad_example_has_this_code_and_no_other(code, found):
    findings = found(code, "Bad")

    assert {(one.code, one.severity) for one in findings} == {(code, CODES[code].severity)}


@pytest.mark.parametrize("code", CODES)
def test_the_good_example_is_clean(code, found):
    assert found(code, "Good") == []


@pytest.mark.parametrize("code", VERDICTS)
def test_the_bad_example_of_a_verdict_has_a_right_claim(code, found):
    assert [one for one in found(code, "Bad") if one.code in CLAIMS] == []


def test_an_unknown_code_has_no_page():
    assert page("DP999") is None
    assert page_path("DP999") is None
    assert "DP999" not in CODES
    assert page("index") is None


@pytest.mark.parametrize(
    "text",
    ["", "# DP001: title\n\nWords.\n", "# DP002: title\n\nSeverity: error\n\nWords.\n",
     "# DP001: title\n\nSeverity: bad\n\nWords.\n", "# DP001: title\n\nSeverity: error\n"],
)  # fmt: skip
def test_a_page_without_its_head_is_refused(text):
    with pytest.raises(PageError, match="DP001"):
        read_page(text, "DP001")


def test_a_short_page_is_read():
    one = read_page("# DP001: title\n\nSeverity: info\n\nWords\nand words.\n", "DP001")

    assert (one.title, one.severity, one.summary) == ("title", Severity.INFO, "Words and words.")


@pytest.mark.process
def test_the_pages_are_listed_late():
    program = "import sys; from dplint.codes import CODES; from dplint.codes import catalogue; print(CODES._read)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60, text=True)

    assert done.stdout == "{}\n"


def test_the_folder_holds_nothing_but_pages():
    names = {path.name for path in Path(page_path("DP001")).parent.iterdir()}

    assert names == {f"{code}.md" for code in CODES}
