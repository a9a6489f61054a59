"""`dplint init` asks, does what is wanted, and never touches what is there."""

import io
import tomllib
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dplint.cli import main
from dplint.cli.run_init import HOOK, section_text, with_hook, with_section
from dplint.config import SettingsByFile

RELEASE = """\
import numpy as np


def favourite(scores: np.ndarray, epsilon):
    return int(np.argmax(scores + np.random.laplace(scale=1 / epsilon, size=len(scores))))
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("release.py").write_text(RELEASE)
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_without_a_terminal_it_is_told_and_nothing_is_done(project, capsys):
    before = contents(project)
    assert main(["init"]) == 0
    said = capsys.readouterr().out
    assert said.count("Would be done.") == 3
    assert "Nothing was changed" in said
    assert contents(project) == before


def test_yes_takes_every_default_and_a_second_time_nothing_is_left(project, capsys):
    assert main(["init", "--yes"]) == 0
    first = contents(project)
    assert tomllib.loads(first["pyproject.toml"].decode()) == {
        "tool": {"dplint": {"profile": "ci", "baseline": ".dplint-baseline.json"}}
    }
    assert SettingsByFile.of(project, []).of_file(project / "release.py").profile == "ci"
    (repo,) = yaml.safe_load(first[".pre-commit-config.yaml"])["repos"]
    assert repo["hooks"][0]["entry"].startswith("dplint check ")
    assert b"# dplint: dp(" in first["release.py"]
    capsys.readouterr()
    assert main(["init", "--yes"]) == 0
    assert contents(project) == first
    assert "is kept" in capsys.readouterr().out
    assert main(["check", "--static-only", "--require-claims", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("answers", "written"),
    [
        # effort, files to leave out, settings, hook, claims, baseline
        ("\n\ny\ny\ny\nn\n", {"pyproject.toml", ".pre-commit-config.yaml", "release.py"}),
        ("\n\n\n\n\n\n", {"pyproject.toml", ".pre-commit-config.yaml", "release.py"}),
        ("\n\nn\nn\nn\n", set()),
        ("nightly\nbuild, old/*\ny\nn\nn\nn\n", {"pyproject.toml"}),
        ("\n\nn\nn\ny\n", {"release.py"}),
    ],
)
def test_what_is_answered_is_done(project, answers, written, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    before = contents(project)
    monkeypatch.setattr("sys.stdin", Terminal(answers))
    monkeypatch.setattr("sys.stdout", Terminal())
    assert main(["init"]) == 0
    after = contents(project)
    assert {name for name, raw in after.items() if before.get(name) != raw} == written
    if "nightly" in answers:
        settings = tomllib.loads(after["pyproject.toml"].decode())["tool"]["dplint"]
        assert settings == {"profile": "nightly", "baseline": ".dplint-baseline.json", "exclude": ["build", "old/*"]}


@pytest.mark.process
def test_what_is_accepted_is_known_to_the_hook_and_what_is_new_is_not(project, capsys, monkeypatch):
    monkeypatch.setenv("DPLINT_STATIC_ONLY", "1")
    assert main(["init", "--yes", "--accept"]) == 0
    assert "DP401" in capsys.readouterr().out, "what is accepted is shown first"
    hook = yaml.safe_load(Path(".pre-commit-config.yaml").read_text())["repos"][0]["hooks"][0]["entry"].split()[1:]
    assert main([*hook, "release.py"]) == 0
    assert "1 in the baseline" in capsys.readouterr().out
    Path("release.py").write_text(Path("release.py").read_text().replace("1 / epsilon", "epsilon"))
    assert main([*hook, "release.py"]) == 1
    assert "DP101" in capsys.readouterr().out


def test_what_is_there_is_kept(project, capsys):
    Path("pyproject.toml").write_text("[tool.dplint]\nalpha = 0.01\n")
    Path(".pre-commit-config.yaml").write_text("repos: [{repo: local, hooks: []}]\n")
    before = contents(project)
    assert main(["init", "--yes"]) == 0
    after = contents(project)
    assert {name for name in before if before[name] != after[name]} == {"release.py"}
    assert "The hook would be" in capsys.readouterr().out


def test_a_project_of_setup_py_alone_gets_no_pyproject_unasked(project):
    Path("setup.py").write_text("")
    assert main(["init", "--yes"]) == 0
    assert not Path("pyproject.toml").exists()


def test_a_folder_that_is_none_is_an_error(project, capsys):
    assert main(["init", "nowhere"]) == 2
    assert "is no folder" in capsys.readouterr().err


SECTION = section_text("ci", ["a b", 'c"'])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "[project]\nname = 'x'",
        "[tool.ruff]\nx = 1\n",
        "[tool]\n",
        "a = 1\r\n[tool.ruff]\r\n",
        "[[tool.x]]\ny = 1\n# end",
    ],
)
def test_a_pyproject_keeps_all_that_it_says(text):
    changed = with_section(text, SECTION)
    assert changed.startswith(text)
    after = tomllib.loads(changed)
    assert after["tool"].pop("dplint") == {
        "profile": "ci", "baseline": ".dplint-baseline.json", "exclude": ["a b", 'c"'],
    }  # fmt: skip
    before = tomllib.loads(text)
    assert after == before or after == {**before, "tool": {}}


@pytest.mark.parametrize(
    "text", ["[tool.dplint]\n", "[tool]\ndplint = {}\n", "[tool\n", "tool = 1\n", "[[tool]]\n", "tool = {}\n"]
)
def test_one_that_cannot_be_extended_is_left_alone(text):
    assert with_section(text, SECTION) is None


REPOS = [
    "repos:\n- repo: https://x\n  rev: v1\n  hooks:\n  - id: a\n",
    "# first\nrepos:\n  - repo: https://x\n    rev: v1\n    hooks:\n      - id: a  # last",
    "default_stages: [commit]\nrepos:\n    - repo: local\n      hooks:\n      - {id: a, name: b, entry: c}\n\n",
]


@pytest.mark.parametrize("text", ["", *REPOS])
def test_a_hook_is_added_to_the_list(text):
    before = yaml.safe_load(text) or {"repos": []}
    changed = with_hook(text)
    after = yaml.safe_load(changed)
    assert changed.startswith(text)
    assert after == {**before, "repos": [*before["repos"], *yaml.safe_load(HOOK)]}


@pytest.mark.parametrize(
    "text",
    [
        "repos: []\n",
        "repos: [{repo: local}]\n",
        f"{REPOS[0]}ci:\n  skip: [a]\n",
        f"{REPOS[0]}# dplint\n",
        "a: 1\n",
        "repos:\n",
    ],
)
def test_a_list_of_another_form_is_left_alone(text):
    assert with_hook(text) is None


@given(
    st.lists(
        st.sampled_from(
            [*REPOS, "ci: {}\n", "- repo: x\n", "  - repo: y\n", "repos:\n", "#\n", "exclude: |\n  - repo: z\n"]
        ),
        max_size=4,
    ).map("".join)
)
def test_whatever_is_written_means_what_was_there_and_the_hook(text):
    changed = with_hook(text)
    try:
        before = yaml.safe_load(text)
    except yaml.YAMLError:
        return  # what is no YAML stays none
    if changed is not None and isinstance(before, dict) and isinstance(before.get("repos"), list):
        assert yaml.safe_load(changed) == {**before, "repos": [*before["repos"], *yaml.safe_load(HOOK)]}
