"""Files that other processes read: the same comes of it, whatever becomes of these, and audits begin meanwhile."""

import os
import signal
from pathlib import Path

import pytest

from dplint.check import Elsewhere, check_paths, loading, reading_ahead
from dplint.check.loading import LoadedFile, load_files
from dplint.check.reading_ahead import Readers
from dplint.config import Settings, SettingsByFile
from dplint.outcomes import CheckError, Failed, FailureKind, Plan, Result
from dplint.workers.messages import Done, Message

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
CLAIMED = """from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def {name}(data: float, rng):
    return data + rng.laplace(scale=1.0)
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Six files of a mechanism each, and one that is none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    for number in range(6):
        (tmp_path / f"module_{number}.py").write_text(CLAIMED.format(name=f"mechanism_{number}"))
    (tmp_path / "module_9.py").write_text("from dplint import dp\n@dp(\n")
    return tmp_path


@pytest.fixture
def at_once(monkeypatch):
    """The first file is read here, the others elsewhere."""
    monkeypatch.setattr(reading_ahead, "_WORTH", 0.0)


def read(folder, readers=None, *, cache=False):
    """What is in the files, with the programs of their mechanisms."""
    settings = SettingsByFile.fixed(Settings(cache=cache))
    found = []
    for one in load_files([folder], settings, readers):
        assert isinstance(one, LoadedFile)
        lowering = [p.lower for p in one.pending] if readers is None else readers.lower([p.lower for p in one.pending])
        targets = [lower() for lower in lowering]
        found.append((one.file, one.text, [p.mechanism for p in one.pending], one.findings, one.errors, targets))
    return found


@pytest.fixture
def pids(monkeypatch):
    """The processes that were started to read."""
    made = []
    started = reading_ahead.subprocess.Popen

    def noting(*args, **given):
        made.append(started(*args, **given))
        return made[-1]

    monkeypatch.setattr(reading_ahead.subprocess, "Popen", noting)
    return made


@pytest.mark.process
@pytest.mark.parametrize("lowering", [True, False])
def test_the_same_is_read_by_others(at_once, pids, lowering):
    here = read(FIXTURES / "checkdp")
    with Readers(2, lowering=lowering) as readers:
        there = read(FIXTURES / "checkdp", readers)
    assert there == here
    assert sum(len(targets) for *_, targets in here) > 5
    assert len(pids) == 2
    assert all(process.poll() is not None for process in pids), "none survives"


@pytest.mark.process
def test_what_is_known_is_lowered_by_others(at_once, project, pids):
    first = read(project, cache=True)
    with Readers(2, lowering=True) as readers:
        readers._spent = 1.0
        assert read(project, readers, cache=True) == first
    assert pids


@pytest.mark.process
def test_one_that_dies_has_a_successor(at_once, project, pids):
    here = read(project)
    with Readers(1, lowering=True) as readers:
        files = load_files([project], SettingsByFile.fixed(Settings(cache=False)), readers)
        found = [next(files), next(files)]
        os.kill(pids[0].pid, signal.SIGKILL)
        found += files
    assert [(one.file, one.errors) for one in found] == [(file, errors) for file, _, _, _, errors, _ in here]
    assert len(pids) == 2


@pytest.mark.process
def test_a_file_that_ends_whoever_reads_it_is_an_error(at_once, project, monkeypatch):
    monkeypatch.setattr(reading_ahead, "START", "import sys; sys.stdin.buffer.read(1)")
    with Readers(1, lowering=True) as readers:
        first, *rest = load_files([project], SettingsByFile.fixed(Settings(cache=False)), readers)
    assert not first.errors
    assert [one.errors for one in rest] == [(CheckError(one.file, None, reading_ahead._DIED),) for one in rest]


@pytest.mark.process
def test_where_no_process_can_be_started_all_is_read_here(at_once, project, monkeypatch):
    def refused(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(reading_ahead.subprocess, "Popen", refused)
    here = read(project)
    with Readers(2, lowering=True) as readers:
        assert read(project, readers) == here


def test_few_files_are_read_here(project, pids):
    with Readers(2, lowering=True) as readers:
        read(project, readers)
    assert not pids


class Fake:
    """A cluster that answers each job at once, and notes which files had been read by then."""

    environment = ""

    def __init__(self, read):
        self.read, self.begun = read, []

    def run(self, jobs, stop=None):
        number = 0
        for sent in jobs:
            if sent is None:
                yield None
                continue
            self.begun.append((sent.bundle.job.mechanism.qualname, len(self.read)))
            yield Message(number, Done(Failed(kind=FailureKind.INTERNAL, reason="a test")))
            number += 1


def test_the_first_audit_begins_before_all_files_are_read(project, monkeypatch):
    read_files, load_now = [], loading.load_now

    def noting(path, *rest):
        read_files.append(path.name)
        return load_now(path, *rest)

    monkeypatch.setattr(loading, "load_now", noting)
    monkeypatch.setattr(reading_ahead, "load_now", noting)
    cluster = Fake(read_files)

    events = list(check_paths([project], Settings(cache=False), elsewhere=Elsewhere(cluster)))

    assert cluster.begun == [(f"mechanism_{number}", number + 1) for number in range(6)]
    assert [[one.qualname for one in event.mechanisms] for event in events if isinstance(event, Plan)] == [
        [f"mechanism_{number}"] for number in range(6)
    ]
    assert len([event for event in events if isinstance(event, Result)]) == 6
    assert [event.file for event in events if isinstance(event, CheckError)] == ["module_9.py"]
    first, last = (
        next(place for place, event in enumerate(events) if is_it(event))
        for is_it in (
            lambda event: isinstance(event, Result),
            lambda event: isinstance(event, Plan) and event.mechanisms[0].qualname == "mechanism_5",
        )
    )
    assert first < last


def test_without_mechanisms_there_is_still_a_plan(tmp_path):
    events = list(check_paths([tmp_path], Settings(cache=False), elsewhere=Elsewhere(Fake([]))))
    assert events == [Plan(())]
