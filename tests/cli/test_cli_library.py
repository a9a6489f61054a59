"""`dplint library`: what constructors claim of themselves, by an adapter of the test's own."""

from __future__ import annotations

import json

import pytest

from dplint.check.library import adapters
from dplint.cli import main
from dplint.testing.library import AdapterError, LibraryViolation, assert_library, check_library

LIBRARY = """
import random


class Noisy:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, rows):
        return len(rows) + random.expovariate(1 / self.scale) - random.expovariate(1 / self.scale)


class Sum:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, rows):
        return sum(min(max(row, self.low), self.high) for row in rows)
"""
ADAPTER = """
import json
import sys

claims = []
for low, high in [(0, 5), (-9, 5)]:
    # The library says that a record moves a sum by the upper bound, which is wrong where the lower one is larger.
    claims.append(
        {"make": f"toylib.Sum({low}, {high})", "neighbors": "add-remove", "domain": "(-20, 20)", "size": None,
         "d_out": high, "metric": "absolute"}
    )
json.dump({"library": "toylib 1.0", "setup": "import toylib", "claims": claims}, sys.stdout)
"""


@pytest.fixture
def adapter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "toylib.py").write_text(LIBRARY, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    (tmp_path / "adapter.py").write_text(ADAPTER, encoding="utf-8")
    return tmp_path


@pytest.mark.process
def test_a_map_that_is_wrong_is_refuted(adapter, capsys):
    assert main(["library", "adapter.py"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "toylib 1.0: 1 of 2 claims of constructors are refuted" in said
    assert "toylib.Sum(-9, 5)" in said
    assert "toylib.Sum(0, 5)" not in said
    assert "Not refuted does not mean stable" in said


@pytest.mark.process
def test_the_document_has_every_claim(adapter, capsys):
    assert main(["library", "adapter.py", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["library"] == "toylib 1.0"
    verdicts = {one["make"]: (one["verdict"], one["pair"]["distance"]) for one in document["results"]}
    assert verdicts == {"toylib.Sum(0, 5)": ("not-refuted", 5), "toylib.Sum(-9, 5)": ("unstable", 9)}


@pytest.mark.process
def test_a_librarys_own_tests_name_the_constructors_that_are_refuted(adapter):
    library, claims = check_library("adapter.py", budget=1.0)
    assert library == "toylib 1.0"
    assert [(one.make, one.verdict, one.refuted) for one in claims] == [
        ("toylib.Sum(0, 5)", "not-refuted", False),
        ("toylib.Sum(-9, 5)", "unstable", True),
    ]
    with pytest.raises(LibraryViolation, match=r"toylib 1.0, refuted: 1 of the claims") as raised:
        assert_library(adapter / "adapter.py", budget=1.0)
    assert [one.make for one in raised.value.claims] == ["toylib.Sum(-9, 5)"]
    assert "outputs 9 apart (absolute), 5 claimed" in str(raised.value)


def test_an_adapter_that_is_not_there_is_an_error():
    with pytest.raises(AdapterError, match=r"there is no adapter 'opendq'; dplint has those of diffprivlib, opendp"):
        assert_library("opendq")


PAIRS = """
import json
import sys

# Of the pairs that the library names, one is moved further than it says.
claims = [
    {"make": "toylib.Sum(0, 5)", "pairs": f"[([1], [1, {row}]), ([], [{row}])]", "d_out": 4, "metric": "absolute"}
    for row in (4, 5)
]
json.dump({"library": "toylib 1.0", "setup": "import toylib", "claims": claims}, sys.stdout)
"""


@pytest.mark.process
def test_an_adapter_may_name_the_pairs(adapter, capsys):
    (adapter / "adapter.py").write_text(PAIRS, encoding="utf-8")
    assert main(["library", "adapter.py", "--format", "json"]) == 1
    right, wrong = json.loads(capsys.readouterr().out)["results"]
    assert (right["verdict"], right["effort"]["pairs"]) == ("not-refuted", 2)
    assert (wrong["verdict"], wrong["pair"]["distance"]) == ("unstable", 5)


PRIVATE = """
import json
import sys

# A count needs a scale of 1 / epsilon: the second has half of it.
claims = [
    {"make": f"toylib.Noisy({scale})", "neighbors": "add-remove", "domain": "(0, 1)", "epsilon": 1.0}
    for scale in (1.0, 0.5)
]
json.dump({"library": "toylib 1.0", "setup": "import toylib", "claims": claims}, sys.stdout)
"""


@pytest.mark.nightly
@pytest.mark.process
def test_a_measurement_that_spends_more_than_it_says_is_refuted(adapter, capsys):
    (adapter / "adapter.py").write_text(PRIVATE, encoding="utf-8")
    assert main(["library", "adapter.py", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    right, wrong = document["results"]
    assert (right["make"], wrong["make"]) == ("toylib.Noisy(1.0)", "toylib.Noisy(0.5)")
    assert right["verdict"] in ("no-violation", "underpowered")
    assert wrong["verdict"] == "violation"
    assert 1.0 < wrong["epsilon_lower"] <= 2.0


@pytest.mark.process
@pytest.mark.parametrize("text", ["raise ValueError('no library')", "print('hello')", "print('{}')"])
def test_an_adapter_that_tells_nothing_is_an_error(adapter, capsys, text):
    (adapter / "adapter.py").write_text(text, encoding="utf-8")
    assert main(["library", "adapter.py"]) == 2
    assert "adapter.py does not tell what there is" in " ".join(capsys.readouterr().err.split())


def test_an_unknown_library_is_a_usage_error(capsys):
    assert main(["library", "opendq"]) == 2
    assert "Did you mean" in " ".join(capsys.readouterr().err.split())
    assert adapters() == ("diffprivlib", "opendp", "opendp_polars", "opendp_releases")
