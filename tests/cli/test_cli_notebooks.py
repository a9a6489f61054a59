"""Notebooks as a user meets them: checked by path and by folder, told by cell, mended in their cells."""

import json
from pathlib import Path

import pytest

from dplint.cli import main

RIGHT = [
    "@dp(epsilon='epsilon', neighbors='l1')",
    "def right(rng, values, epsilon):",
    "    return sum(scaled(values)) + rng.laplace(0, 1 / epsilon)",
]
WRONG = [
    "",
    "@dp(epsilon='epsilon', neighbors='l1')",
    "def wrong(rng, values, epsilon):",
    "    return sum(values) + rng.laplace(0, SCALE * epsilon)",
]
CELLS = [
    [
        "%matplotlib inline",
        "!pip install nothing",
        "import numpy as np",
        "from dplint import dp",
        "from shop import scaled",
    ],
    ["%%bash", "ls"],
    ["SCALE = 1.0", "display(SCALE)"],
    RIGHT,
    WRONG,
]


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """A notebook of a folder in a project, beside a module of the same name."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text("")
    Path("work").mkdir()
    Path("work/shop.py").write_text("def scaled(values):\n    return values\n")
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}]
    for lines in CELLS:
        source = "\n".join(lines).splitlines(keepends=True)
        cells.append({"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source})
    path = Path("work/shop.ipynb")
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n")
    return path


@pytest.mark.process
def test_mechanisms_are_audited_and_told_by_cell(notebook, capsys):
    formats = ("--format", "json", "--format", "concise=c.txt", "--format", "sarif=s.sarif", "--format", "html=r.html")
    assert main(["check", ".", "--budget", "3", *formats]) == 1
    found = {one["function"]: one for one in json.loads(capsys.readouterr().out)["results"]}
    assert set(found) == {"right", "wrong"}
    wrong = found["wrong"]
    assert (wrong["verdict"], wrong["file"], wrong["cell"], wrong["line"]) == ("violation", "work/shop.ipynb", 6, 3)
    assert found["right"]["verdict"] != "failed", "it imports the module beside it, which has its name"
    assert "work/shop.ipynb:cell 6:3:5: DP901" in Path("c.txt").read_text()
    assert "; line 4: " in Path("c.txt").read_text()
    (run,) = json.loads(Path("s.sarif").read_text())["runs"]
    (one,) = [one for one in run["results"] if one["ruleId"] == "DP901"]
    place = one["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("work/shop.ipynb", 3)
    assert one["message"]["text"].startswith("cell 6, line 3: ")
    assert "fixes" not in one, "a region of the cell is none of the file"
    assert "rng.laplace(0, <mark>SCALE * epsilon</mark>)" in Path("r.html").read_text(), "the line of the cell"


@pytest.mark.process
def test_an_import_that_fails_names_the_cell(notebook, capsys):
    Path("work/shop.py").write_text("")
    assert main(["check", str(notebook), "--runs", "1000"]) == 2
    said = " ".join(capsys.readouterr().out.split())
    assert "Mend line 5 of cell 2" in said


def test_fixes_go_into_their_cells_and_change_nothing_else(notebook, capsys):
    before = notebook.read_text().splitlines()
    assert main(["check", "work", "--static-only", "--fix", "--unsafe-fixes", "--format", "concise"]) == 0
    after = notebook.read_text().splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert changed == [
        (
            '    "    return sum(values) + rng.laplace(0, SCALE * epsilon)"',
            '    "    return sum(values) + rng.laplace(0, SCALE / epsilon)"',
        )
    ]


def test_findings_are_chosen_by_function_and_by_line_of_a_cell(notebook, capsys):
    for chosen in ("work/shop.ipynb::wrong", "work/shop.ipynb:cell 6:4"):
        assert main(["check", chosen, "--static-only", "--format", "concise"]) == 1
        assert "work/shop.ipynb:cell 6:4:41: DP101" in capsys.readouterr().out
    for chosen, why in (
        ("work/shop.ipynb:4", "write 'work/shop.ipynb:cell 3:4'"),
        ("work/shop.ipynb:cell 1:4", "no code cell 1"),
    ):
        assert main(["check", chosen, "--static-only"]) == 2
        assert why in " ".join(capsys.readouterr().err.split())


def test_claims_are_suggested_for_cells_and_written_there(notebook, capsys):
    lines = notebook.read_text().replace("@dp(epsilon='epsilon', neighbors='l1')", "# none")
    notebook.write_text(lines)
    assert main(["suggest", "."]) == 0
    assert "work/shop.ipynb:cell 6:3: wrong [" in capsys.readouterr().out
    assert main(["suggest", ".", "--write", "--confidence", "low"]) == 0
    cells = json.loads(notebook.read_text())["cells"]
    assert any(line.startswith("@dp(") for line in cells[5]["source"])
    assert cells[:4] == json.loads(lines)["cells"][:4]
    assert main(["check", ".", "--static-only", "--require-claims", "--format", "concise"]) == 1, "claims are there now"


def test_a_cell_that_does_not_parse_is_told_with_its_line(notebook, capsys):
    document = json.loads(notebook.read_text())
    document["cells"][4]["source"] = ["x = 1\n", "y = = 2  # dplint"]
    notebook.write_text(json.dumps(document))
    assert main(["check", ".", "--format", "concise"]) == 2
    assert capsys.readouterr().out.startswith("work/shop.ipynb:cell 5:2:1: error does not parse: ")
    for command in ("suggest", "budget"):
        assert main([command, "."]) == 2
        assert "work/shop.ipynb:cell 5:2" in "".join(capsys.readouterr()), command


def test_a_baseline_knows_them_again_when_cells_are_added(notebook, capsys):
    options = ["check", ".", "--static-only", "--baseline", "known.json"]
    assert main([*options, "--write-baseline"]) == 0
    document = json.loads(notebook.read_text())
    document["cells"].insert(1, document["cells"][0])
    notebook.write_text(json.dumps(document))
    assert main(options) == 0


def test_a_notebook_that_cannot_be_read_is_told_where_it_may_matter(notebook, capsys):
    Path("empty.ipynb").write_text("")
    Path("old.ipynb").write_text('{"worksheets": [], "nbformat": 3}')
    assert main(["suggest", "."]) == 0
    assert main(["check", ".", "--static-only", "--exit-zero"]) == 0
    capsys.readouterr()
    Path("old.ipynb").write_text('{"worksheets": ["np.random.laplace() # dplint"], "nbformat": 3}')
    for command in (["suggest", "."], ["check", ".", "--static-only"]):
        assert main(command) == 2
        assert "old.ipynb" in "".join(capsys.readouterr()), command


@pytest.mark.process
def test_a_function_with_lines_of_ipython_is_not_taken_for_one_without(notebook, capsys):
    text = notebook.read_text()
    head = '    "def right(rng, values, epsilon):\\n",'
    assert head in text
    notebook.write_text(text.replace(head, f'{head}\n    "    !echo {{values}}\\n",'))
    main(["check", "work/shop.ipynb::right", "--budget", "1", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert found["verdict"] in ("untestable", "failed")
    assert "get_ipython" in json.dumps(found)


def test_budgets_are_told_by_cell(notebook, capsys):
    document = json.loads(notebook.read_text())
    both = (
        "@dp(epsilon='epsilon', neighbors='l1')\ndef both(rng, values, epsilon):\n    a = right(rng, values, epsilon)\n"
    )
    source = f"{both}    return a + right(rng, values, epsilon)"
    document["cells"].append({"cell_type": "code", "source": source})
    notebook.write_text(json.dumps(document))
    assert main(["budget", "."]) == 1
    said = capsys.readouterr().out
    assert "work/shop.ipynb:cell 7::both" in said
    assert "with line 4" in said
    assert main(["budget", ".", "--format", "json"]) == 1
    places = [(one["file"], one["cell"], one["line"]) for one in json.loads(capsys.readouterr().out)["budgets"]]
    assert ("work/shop.ipynb", 7, 2) in places


@pytest.mark.parametrize(
    "command", [["inspect", "exact"], ["inspect", "program"], ["inspect", "sweep", "--range", "0.1:0.2:0.1"]]
)
def test_commands_for_one_function_of_a_module_say_so(notebook, command, capsys):
    assert main([*command, "work/shop.ipynb::wrong"]) == 2
    assert "is a notebook: put the function into a module" in " ".join(capsys.readouterr().err.split())


def test_a_difference_shows_magics_as_they_are_written(notebook, capsys):
    document = json.loads(notebook.read_text())
    document["cells"][-1]["source"] = "%time 1\n" + "\n".join(WRONG[1:]).replace("SCALE * epsilon", "epsilon")
    notebook.write_text(json.dumps(document))

    assert main(["check", str(notebook), "--static-only", "--diff"]) == 1
    shown = capsys.readouterr().out
    assert " %time 1\n" in shown
    assert "#ipython#" not in shown
