"""How a value comes to the place of a finding: the lines of the source that it goes through, by hand."""

import json
from pathlib import Path

import pytest

from dplint.cli import main
from dplint.outcomes.findings import LONGEST_WAY
from dplint.source.read import read_source
from tests.rules.snippets import findings_of

SOURCE = """from dplint import dp


def clipped(values):
    return [min(max(v, 0.0), 1.0) for v in values]


@dp(epsilon=0.5, neighbors="add-remove", domain=(0.0, 1.0))
def leak(rng, data: list[float]):
    kept = clipped(data)
    total = sum(kept)
    noise = rng.laplace(scale=2.0)
    mean = total / 10
    print("total", total)
    if mean > 3:
        return 0
    doubled = 2 * noise
    return mean
"""
WAYS = {
    ("DP201", 18): [9, 5, 11, 13, 18],  # six lines, of which `kept` is left out
    ("DP205", 15): [9, 5, 13, 15, 16],  # seven
    ("DP209", 14): [9, 5, 10, 11, 14],
    ("DP305", 12): [12, 17, 18],
}


def report(folder, form):
    (folder / "leaks.py").write_text(SOURCE)
    main(["check", "leaks.py", "--static-only", "--no-progress", "--format", f"{form}=out"])
    return (folder / "out").read_text()


def test_every_line_that_a_value_goes_through_is_a_step_of_the_code_flow(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = {}
    for result in json.loads(report(tmp_path, "sarif"))["runs"][0]["results"]:
        line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        (flow,) = result["codeFlows"]
        steps = [step["location"]["physicalLocation"]["region"] for step in flow["threadFlows"][0]["locations"]]
        found[result["ruleId"], line] = [step["startLine"] for step in steps]
    assert found == WAYS
    assert max(map(len, WAYS.values())) == LONGEST_WAY


def test_people_read_the_lines_in_the_terminal_and_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal = report(tmp_path, "rich")
    assert "  · line 11: total = sum(kept)\n" in terminal
    assert "  · line 18: return mean (returned)\n" in terminal
    assert "  · line 11: total = sum(kept) (after 1 more: total)\n" in terminal
    assert "  · line 13: mean = total / 10 (after 2 more: mean)\n" in terminal
    page = report(tmp_path, "html")
    assert "total = sum(kept)" in page
    assert "(returned)" in page


def test_what_is_found_in_one_line_has_no_way(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.py").write_text("# dplint: dp(epsilon=1.0, neighbors='linf')\nleak = lambda rng, data: data\n")
    main(["check", "one.py", "--static-only", "--no-progress", "--format", "rich=out"])
    out = (tmp_path / "out").read_text()
    assert "DP201" in out
    assert "  · " not in out


def findings_with(text):
    return [(one.code, one.span.line) for one in findings_of(text)]


def test_what_is_called_public_where_it_is_made_is_no_data_any_more():
    """`mean` is made of `total`; the noise that is not used stays what it was."""
    found = findings_with(SOURCE)
    public = SOURCE.replace("    total = sum(kept)", "    total = sum(kept)  # dplint: public")
    assert {code for code, _ in found} == {"DP201", "DP205", "DP209", "DP305"}
    assert findings_with(public) == [("DP305", 12)]
    assert findings_with(SOURCE.replace("    mean = total / 10", "    mean = total / 10  # dplint: public")) == [
        ("DP305", 12),
        ("DP209", 14),
    ]
    elsewhere = SOURCE.replace("    noise = rng", "    noise = rng  # dplint: public\n    noise = rng")
    assert {code for code, _ in findings_with(elsewhere)} >= {"DP201", "DP205", "DP209"}


SCORED = """import numpy as np
from dplint import dp


def squeezed(values, low, high):
    return [low if value < low else high if value > high else value for value in values]


@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    kept = squeezed(scores, -2.5, 1e1)
    weights = np.exp(epsilon * np.asarray(kept) / 2)
    return int(rng.choice(len(scores), p=weights / weights.sum()))
"""


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("", ["DP210"]),
        ("  # dplint: clips [-2.5, 1e1]", []),
        ("  # dplint:clips[-2.5,10]", []),
    ],
)
def test_what_is_called_clipped_where_it_is_made_is_bounded(comment, codes):
    found = findings_with(SCORED.replace("1e1)", f"1e1){comment}", 1))
    assert [code for code, _ in found] == codes


@pytest.mark.parametrize("said", ["clips", "clips [10, -2.5]", "clips [1.2.3, 10]", "clips [low, high]", "clips 0, 10"])
def test_a_comment_that_says_no_two_ends_is_an_error(said):
    text = SCORED.replace("1e1)", f"1e1)  # dplint: {said}", 1)
    (finding,) = read_source(Path("m.py"), file="m.py", text=text).findings
    assert (finding.code, finding.span.line) == ("DP015", 11)
    assert f"'{said}' is neither dp(...), stable(...), clips [LOW, HIGH], public nor ignore[...]" in finding.message


def test_clipped_data_is_data_all_the_same():
    """The comment says how far a value goes, and not that anybody may see it."""
    said = SOURCE.replace("    total = sum(kept)", "    total = sum(kept)  # dplint: clips [0, 10]")
    assert findings_with(said) == findings_with(SOURCE)


def test_steps_in_helpers_say_in_which():
    (finding,) = [one for one in findings_of(SOURCE) if one.code == "DP201"]
    assert [one.helper for one in finding.way] == ["", "m.clipped", "", "", ""]


SCALES = """from dplint import dp


@dp(epsilon=0.5, neighbors="add-remove", domain=(0.0, 1.0))
def mean(rng, data: list[float]):
    count = len(data)
    scale = 2.0 / count
    noise = rng.laplace(scale=scale)
    return sum(data) / 10 + noise


@dp(epsilon=0.5, neighbors="add-remove", domain=(0.0, 1.0))
def top(rng, data: list[float]):
    largest = max(data)
    noise = rng.laplace(scale=2 * largest)
    return sum(data) + noise
"""


def test_data_that_comes_into_a_scale_has_a_way_to_the_noise():
    found = {(one.code, one.function): [step.span.line for step in one.way] for one in findings_of(SCALES)}
    assert found["DP204", "mean"] == [5, 6, 7, 8]
    assert found["DP203", "top"] == [13, 14, 15]
