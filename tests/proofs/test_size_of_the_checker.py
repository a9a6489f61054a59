"""What the page says of the size of the checker is so: each part, and that no part is left out."""

import re

from tests.proofs.proof_tools import ROOT

CHECKER = ROOT / "dplint" / "proofs" / "checker"
ROW = re.compile(r"^\| [^|]+ \| ((?:`\w+`(?:, )?)+) \| (\d+) \|", re.MULTILINE)


def parts():
    """The files of each row of the table, and the lines that it says they have."""
    text = (ROOT / "docs" / "proofs.md").read_text()
    return [(re.findall(r"`(\w+)`", files), int(lines)) for files, lines in ROW.findall(text)]


def test_every_file_is_in_one_part():
    named = [name for files, _ in parts() for name in files]

    assert sorted(named) == sorted(path.stem for path in CHECKER.glob("*.py") if path.stem != "__init__")


def test_the_lines_are_those_of_the_files():
    """To a tenth, so that not every change of the checker changes the page."""
    assert parts()
    for files, lines in parts():
        real = sum(len((CHECKER / f"{name}.py").read_text().splitlines()) for name in files)
        assert abs(real - lines) <= 0.1 * real, f"{', '.join(files)}: {real} lines"


def test_the_whole_is_no_larger_than_the_page_says():
    (said,) = re.findall(r"some ([\d,]+) lines in all", (ROOT / "docs" / "proofs.md").read_text())

    assert abs(sum(lines for _, lines in parts()) - int(said.replace(",", ""))) <= 100
