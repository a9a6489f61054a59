"""What the page says of the size of the checker is so: each part, and that no part is left out."""

import re

from benchmarks.trusted_code import CHECKER, code_lines
from tests.proofs.proof_tools import ROOT

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
    (said,) = re.findall(r"some\s+([\d,]+)\s+lines\s+in\s+all", (ROOT / "docs" / "proofs.md").read_text())

    assert abs(sum(lines for _, lines in parts()) - int(said.replace(",", ""))) <= 100


def test_so_much_of_it_is_code():
    (said,) = re.findall(r"([\d,]+)\s+of\s+them\s+code", (ROOT / "docs" / "proofs.md").read_text())

    real = sum(code_lines(path.read_text()) for path in CHECKER.glob("*.py"))
    assert abs(real - int(said.replace(",", ""))) <= 60


RULES = {
    "bounded",
    "choices",
    "differences",
    "exclusive",
    "gaussian",
    "growing",
    "data_forms",
    "loops",
    "missing",
    "observed",
    "outcomes",
    "places",
    "postprocessing",
    "seeds",
    "stable",
    "subsampling",
}


def test_rules_know_nothing_of_each_other():
    """Each rests on what the page names beside it, and no part of the checker on a rule."""
    for path in CHECKER.glob("*.py"):
        imported = set(re.findall(r"from dplint\.proofs\.checker\.(\w+) import", path.read_text()))

        assert not imported & RULES, path.stem


def test_z3_is_asked_in_one_place():
    asking = {
        path.stem for path in CHECKER.glob("*.py") if re.search(r"z3\.(Solver|Optimize|solve|prove)", path.read_text())
    }

    assert asking == {"known"}
