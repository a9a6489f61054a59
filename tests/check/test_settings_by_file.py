"""Each file is checked with the settings of its own pyproject.toml, whatever the command was given."""

from pathlib import Path

import pytest

from dplint.check import check_paths
from dplint.config import COMMAND_LINE, Layer, SettingsByFile
from dplint.outcomes import CheckError, Finding, Plan, Result, Severity, Silenced, SilencedBy, Untestable
from dplint.report.gathered import exit_code, gather

WRONG = "from dplint import dp\n\n\n@dp(epsilon=0)\ndef f(rng, data):\n    return 0\n"
METHOD = """from dplint import dp


class Counter:
    def __init__(self, size):
        pass

    @dp(epsilon=1.0)
    def release(self, rng, data):
        return 0
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Writes files and checks the folder with options of a command."""
    monkeypatch.chdir(tmp_path)

    def check(files, *paths, **options):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        start = [Path(path) for path in paths] or [Path()]
        settings = SettingsByFile.of(start[0], [Layer(COMMAND_LINE, {"static_only": True, **options})])
        return list(check_paths(start, settings))

    return check


def kinds(events, kind=Finding):
    return {event.file: event for event in events if isinstance(event, kind)}


def test_two_files_of_one_check_have_their_own_settings(tree):
    files = {
        "pyproject.toml": "[tool.dplint]\nseverity = {DP0 = 'info'}\n",
        "a.py": WRONG,
        "inner/pyproject.toml": "[tool.dplint]\nignore = ['DP003']\n",
        "inner/b.py": WRONG,
        "plain/pyproject.toml": "[project]\nname = 'x'\n",
        "plain/c.py": WRONG,
    }
    events = tree(files, "inner", ".")
    assert {name: one.severity for name, one in kinds(events).items()} == {
        "a.py": Severity.INFO,
        "plain/c.py": Severity.INFO,  # a file without a table is passed over
    }
    (left_out,) = (one for one in events if isinstance(one, Silenced))
    assert (left_out.item.file, left_out.by) == ("inner/b.py", SilencedBy.SETTINGS)
    gathered = gather(events)
    assert (gathered.hidden, exit_code(gathered)) == (1, 0)


def test_the_command_wins_over_all_of_them(tree):
    files = {
        "pyproject.toml": "[tool.dplint]\nignore = ['DP003']\n",
        "a.py": WRONG,
        "inner/pyproject.toml": "[tool.dplint]\nignore = ['DP0']\n",
        "inner/b.py": WRONG,
    }
    assert kinds(tree(files)) == {}
    assert set(kinds(tree({}, ignore=("DP9",)))) == {"a.py", "inner/b.py"}


def test_a_wrong_file_inside_is_told_once_and_nothing_under_it_is_checked(tree):
    files = {
        "pyproject.toml": "[tool.dplint]\n",
        "a.py": WRONG,
        "inner/pyproject.toml": "[tool.dplint]\n\nseverity = {DP003 = 'eror'}\n",
        "inner/b.py": WRONG,
        "inner/deep/c.py": WRONG,
    }
    events = tree(files)
    (error,) = (event for event in events if isinstance(event, CheckError))
    assert (error.file, error.line) == ("inner/pyproject.toml", 3)
    assert "Did you mean 'error'?" in error.message
    assert set(kinds(events)) == {"a.py"}
    assert exit_code(gather(events)) == 2


def test_patterns_of_exclude_hold_below_their_own_file(tree):
    files = {
        "pyproject.toml": "[tool.dplint]\nexclude = ['gen/*']\n",
        "gen/a.py": WRONG,
        "inner/pyproject.toml": "[tool.dplint]\nexclude = ['src/old']\n",
        "inner/src/old/b.py": WRONG,
        "inner/gen/c.py": WRONG,
    }
    assert set(kinds(tree(files))) == {"inner/gen/c.py"}


@pytest.mark.process
def test_static_only_is_a_setting_of_each_file(tree):
    files = {
        "pyproject.toml": "[tool.dplint]\nstatic-only = true\ncache = false\n",
        "a.py": METHOD,
        "inner/pyproject.toml": "[tool.dplint]\ncache = false\njobs = 1\n[tool.dplint.severity]\nDP904 = 'error'\n",
        "inner/b.py": METHOD,
    }
    events = tree(files, static_only=None)
    (plan,) = (event for event in events if isinstance(event, Plan))
    assert [mechanism.file for mechanism in plan.mechanisms] == ["inner/b.py"]
    (result,) = (event for event in events if isinstance(event, Result))
    assert isinstance(result.outcome, Untestable)
    assert result.severity is Severity.ERROR
    assert exit_code(gather(events)) == 1


def test_a_claim_in_pyproject_is_for_the_files_below_it(tree):
    table = "[tool.dplint.mechanisms.'b:f']\nepsilonn = 1\n"
    files = {"pyproject.toml": table, "b.py": "def f(rng, data): ...\n", "inner/pyproject.toml": "[tool.dplint]\n"}
    events = tree({**files, "inner/b.py": "def f(rng, data): ...\n"})
    found = [event for event in events if isinstance(event, Finding)]
    assert {one.file for one in found} == {"pyproject.toml"}
    assert any(one.span.line == 2 and "'epsilon'" in one.message for one in found)
