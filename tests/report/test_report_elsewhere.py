"""Places in other modules: every report names the file that they are in."""

from __future__ import annotations

from dplint.claims import Span
from dplint.program.refusals import Unsupported
from dplint.report.formats.sarif import _place
from dplint.report.json_evidence import _site, place_json, span_json
from dplint.sites import DrawSite

HERE = Span(12, 5, 12, 20)
THERE = Span(3, 9, 3, 30, "shop/noise.py")
NUMBERS = {"line": 3, "column": 9, "end_line": 3, "end_column": 30}


def test_json_has_a_file_where_it_is_another_one():
    assert span_json(THERE) == {"file": "shop/noise.py", **NUMBERS}
    assert "file" not in span_json(HERE)
    assert place_json("shop/m.py", THERE)["file"] == "shop/noise.py"
    assert place_json("shop/m.py", HERE)["file"] == "shop/m.py"
    site = _site(DrawSite(THERE, (HERE,)))
    assert (site["file"], site["line"], site["calls"][0].get("file")) == ("shop/noise.py", 3, None)
    assert site["words"] == "the noise of line 3 of shop/noise.py (called in line 12)"


def test_sarif_points_into_that_file():
    place = _place("shop/m.py", THERE)["physicalLocation"]

    assert place["artifactLocation"]["uri"] == "shop/noise.py"
    assert place["region"]["startLine"] == 3
    assert _place("shop/m.py", HERE)["physicalLocation"]["artifactLocation"]["uri"] == "shop/m.py"


def test_a_refusal_in_words():
    assert str(Unsupported("a set", THERE, "use a tuple")) == "a set at line 3 of shop/noise.py (use a tuple)"
    assert str(Unsupported("a set", HERE)) == "a set at line 12"
