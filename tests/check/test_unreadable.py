"""Files that do not parse are told of where they are named or looked into, those of Python 2 once."""

from __future__ import annotations

import pytest

from dplint.check import check_paths
from dplint.check.suggesting import suggest_paths
from dplint.config import SettingsByFile, load_settings
from dplint.outcomes import CheckError

OLD = {
    "a.py": "import os\nprint os.name\n",
    "b.py": "exec 'x'\n",
    "c.py": "raise ValueError, 'no'\n",
    "d.py": "print '%d' % 3\n",
}
WORDS = "# dplint laplace epsilon\n"


@pytest.fixture
def errors(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")

    def errors(*names, texts, how=check_paths):
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        values = {"static_only": True, "cache": False, "jobs": 1}
        settings = load_settings(tmp_path, values)
        paths = [tmp_path / name for name in names]
        told = how(paths, SettingsByFile.fixed(settings) if how is suggest_paths else settings)
        return [(one.file, one.line, one.message) for one in told if isinstance(one, CheckError)]

    return errors


@pytest.mark.parametrize("how", [check_paths, suggest_paths])
def test_a_file_that_is_named_is_an_error_whatever_is_in_it(errors, how):
    told = errors("plain.py", "right.py", texts={"plain.py": "x = (\n", "right.py": "x = 1\n"}, how=how)

    assert [(file, line) for file, line, _ in told] == [("plain.py", 1)]


@pytest.mark.parametrize("how", [check_paths, suggest_paths])
def test_a_file_of_a_folder_that_has_nothing_for_dplint_is_none(errors, how):
    assert errors(".", texts={"plain.py": "x = (\n"}, how=how) == []


@pytest.mark.parametrize("how", [check_paths, suggest_paths])
def test_files_of_python_2_are_one_error_and_others_have_their_own(errors, how):
    texts = {name: text + WORDS for name, text in OLD.items()} | {"e.py": "print('new')\nx = (\n" + WORDS}
    told = errors(".", texts=texts, how=how)

    assert [file for file, _, _ in told] == ["e.py", "a.py"]
    assert told[1][1:] == (2, "does not parse: it is written in Python 2, and so are b.py, c.py, d.py")


def test_one_file_of_python_2_is_told_alone(errors):
    told = errors(".", texts={"a.py": OLD["a.py"] + WORDS})

    assert told == [("a.py", 2, "does not parse: it is written in Python 2")]
