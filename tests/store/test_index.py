"""What was read in files comes back exactly, whatever else is in the folder; broken, it is read again."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check import check_paths
from dplint.check import loading as loading_module
from dplint.check.loading import LoadedFile, load_files
from dplint.claims import Span
from dplint.config import SettingsByFile
from dplint.outcomes import Edit, Finding, Fix, Related, Severity
from dplint.store import Index, Summary, folder
from dplint.store.folder import INDEX
from tests import caches
from tests.patience import patience

ROOT = Path(__file__).parents[2]
SOURCE = """from dplint import dp

PAIRS = 1


@dp(epsilon="e1 + e2", delta=1e-5, neighbors="add-remove", domain={"kind": ["a", None], "age": (0, 9)}, size=(3, 4),
    args={"e1": [1, 2.5], "e2": (0, 1), "k": 3})
def release(rng, people, e1, e2, k, *rest, flag: bool = True):
    return len(people)  # dplint: ignore[DP301]


@dp(epsilon=1, neighbors=PAIRS)
def wrong(rng, data):
    return 0


@dp(epsilonn=1, neighbors="any", domain=[True, False])
def misspelt(rng, data: bool):
    return data
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "release.py").write_text(SOURCE)
    return tmp_path


def read(monkeypatch=None):
    """What is in the files; with a monkeypatch, without parsing any."""
    if monkeypatch is not None:
        monkeypatch.setattr(loading_module, "read_source", None)
    found = list(load_files([Path()], SettingsByFile.of(Path(), [])))
    assert all(isinstance(one, LoadedFile) for one in found)
    return [(one.file, one.text, [p.mechanism for p in one.pending], one.findings, one.errors) for one in found]


def test_an_unchanged_file_is_not_parsed_and_gives_the_same(project, monkeypatch):
    first = read()
    (_, _, mechanisms, findings, _) = first[0]
    assert (len(mechanisms), len(findings) > 1) == (1, True)
    assert any(finding.fix for finding in findings)
    assert read(monkeypatch) == first


def test_its_mechanism_still_has_its_program(project):
    read()
    (found,) = load_files([Path()], SettingsByFile.of(Path(), []))
    (pending,) = found.pending
    assert pending.lower().mechanism == pending.mechanism
    (project / "release.py").write_text("")
    assert pending.lower() is None


@pytest.mark.parametrize(
    "change",
    [
        lambda project: (project / "release.py").write_text(SOURCE + "\n"),
        lambda project: (project / "__init__.py").touch(),
        lambda project: (project / "pyproject.toml").write_text("[tool.dplint]\nknown-noise = ['a.b']\n"),
        lambda project: (project / "pyproject.toml").write_text("[tool.dplint]\nselect = ['DP301']\n"),
        lambda project: (project / "pyproject.toml").write_text("[tool.dplint.mechanisms.'release:f']\nepsilon = 1\n"),
        lambda project: (project / "pyproject.toml").write_text("[tool.dplint]\ncache = false\n"),
    ],
)
def test_what_it_depends_on_makes_it_read_again(project, monkeypatch, change):
    read()
    change(project)
    with pytest.raises(TypeError):
        read(monkeypatch)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b'{"dplint": 1}', b'{"dplint": true, "files": {}}'])
def test_a_broken_index_is_read_anew(project, content):
    first = read()
    caches.put(project / ".dplint_cache" / INDEX, content)
    assert read() == first
    assert caches.body(project / ".dplint_cache" / INDEX) != content


def test_an_entry_that_was_tampered_with_is_not_believed(project):
    first = read()
    path = project / ".dplint_cache" / INDEX
    whole = json.loads(caches.body(path))
    cache_key, document = whole["files"]["release.py"]

    def everywhere(value):
        """Every document that differs from this one in a single place."""
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from ({**value, key: changed} for changed in everywhere(inner))
                yield {name: one for name, one in value.items() if name != key}
        elif isinstance(value, list):
            for number, inner in enumerate(value):
                yield from ([*value[:number], changed, *value[number + 1 :]] for changed in everywhere(inner))
        else:
            yield {"odd": 1}

    for changed in everywhere(document):
        caches.put(path, json.dumps({"dplint": 1, "files": {"release.py": [cache_key, changed]}}).encode())
        assert Index(project).get("release.py", cache_key) is None
    caches.put(path, json.dumps(whole).encode())
    assert read() == first


def test_a_relation_that_there_is_not_is_not_believed(project):
    first = read()
    path = project / ".dplint_cache" / INDEX
    text = caches.body(path).decode()
    assert '"relation":"add-remove"' in text
    caches.put(path, text.replace('"relation":"add-remove"', '"relation":"no-such"').encode())
    assert read() == first


def test_a_file_that_cannot_be_read_is_told_each_time(project):
    (project / "release.py").write_text("from dplint import dp\ndef (")
    assert read() == read()
    assert len(read()[0][-1]) == 1


FINDING = Finding("a.py", Span(1, 2, 3, 4), "f", "DP101", Severity.ERROR, "wrong")
WHOLE = replace(
    FINDING,
    fix=Fix("mend", (Edit(Span(1, 1, 1, 1), "x\n"),), safe=True),
    related=(Related(Span(5, 6, 7, 8), "here"),),
)


def test_the_latest_files_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "MOST_INDEXED", 3)
    for number in (1, 2, 3, 4, 2, 5):
        one = Index(tmp_path)
        one.put(f"{number}.py", "cache_key", Summary((), (WHOLE,)))
        one.save()
    known = {number for number in range(1, 6) if Index(tmp_path).get(f"{number}.py", "cache_key") is not None}
    assert known == {2, 4, 5}
    assert Index(tmp_path).get("5.py", "cache_key") == Summary((), (WHOLE,))
    assert Index(tmp_path).get("5.py", "other") is None


WRITER = """
import sys
from pathlib import Path
from dplint.store import Index, Summary
for turn in range(60):
    one = Index(Path(sys.argv[1]))
    one.put(f"{sys.argv[2]}{turn % 7}.py", "cache_key", Summary())
    one.save()
    found = Index(Path(sys.argv[1]))
    assert found.get(f"{sys.argv[2]}{turn % 7}.py", "cache_key") in (None, Summary())
    assert found._files, "the file is always whole"
"""


@pytest.mark.process
def test_processes_do_not_disturb_one_another(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    started = [
        subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE, text=True) for name in ("a", "b", "c")
    ]
    for process in started:
        _, errors = process.communicate(timeout=patience(120))
        assert process.returncode == 0, errors
    assert not list((tmp_path / ".dplint_cache").glob("*.tmp"))


def test_the_events_of_a_check_are_those_of_the_one_before(project):
    (project / "pyproject.toml").write_text("[tool.dplint]\nstatic-only = true\n")
    events = [list(check_paths([Path()], SettingsByFile.of(Path(), []))) for _ in range(2)]
    assert events[0] == events[1] != []
