"""The shared cache: entries come back, what anybody else has put there is not taken, and many may write at once."""

import multiprocessing
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from dplint.store import Entry, SharedCache, Store, StoreProblem

SLOT = {"function": "f"}
CACHE_KEY = {"text": "abc"}
ENTRY = Entry("no-violation", 1000, {"wealth": [0.5]}, ["NoViolation", {"runs": 3}], 2.5)


def of(location, key=None, cache_key=None):
    return SharedCache(str(location), key).store(Store(Path("nowhere"), SLOT, cache_key or CACHE_KEY))


def entries(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture(params=["folder", "memory", "file"])
def location(request, tmp_path):
    name = uuid.uuid4().hex
    return {"folder": tmp_path / "a" / name, "memory": f"memory://{name}", "file": f"file://{tmp_path}/{name}"}[
        request.param
    ]


@pytest.mark.parametrize("key", [None, b"secret"])
def test_an_entry_comes_back(location, key):
    assert of(location, key).load() is None
    of(location, key).save(ENTRY)
    assert of(location, key).load() == ENTRY


def test_other_sources_have_entries_of_their_own(location):
    of(location).save(ENTRY)
    other = of(location, cache_key={"text": "abd"})
    assert other.load() is None
    other.save(replace(ENTRY, runs=7))
    assert (of(location).load().runs, other.load().runs) == (1000, 7)


def test_every_damaged_byte_is_seen(tmp_path):
    of(tmp_path).save(ENTRY)
    (path,) = entries(tmp_path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(StoreProblem, match="is ignored"):
            of(tmp_path).load()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(StoreProblem, match="is ignored"):
            of(tmp_path).load()
    path.write_bytes(whole)
    assert of(tmp_path).load() == ENTRY


@pytest.mark.parametrize(
    ("writer", "reader", "words"),
    [
        (None, b"secret", "is not signed"),
        (b"other", b"secret", "signed with another key"),
        (b"secret", None, "there is no key to verify it"),
    ],
)
def test_only_what_the_key_has_signed_is_taken(location, writer, reader, words):
    of(location, writer).save(Entry("violation", 5, None))
    with pytest.raises(StoreProblem, match=words):
        of(location, reader).load()
    of(location, reader).save(ENTRY)
    assert of(location, reader).load() == ENTRY, "and is replaced"


def test_a_signed_entry_is_of_no_use_in_another_place(tmp_path):
    of(tmp_path, b"secret").save(ENTRY)
    (path,) = entries(tmp_path)
    other = of(tmp_path, b"secret", {"text": "abd"})
    other.save(replace(ENTRY, verdict="violation"))
    (planted,) = set(entries(tmp_path)) - {path}
    planted.write_bytes(path.read_bytes())
    with pytest.raises(StoreProblem, match="is ignored"):
        other.load()


def test_less_does_not_take_the_place_of_more(location):
    of(location).save(ENTRY)
    of(location).save(replace(ENTRY, spent=1.0, runs=3))
    assert of(location).load() == ENTRY
    violation = Entry("violation", 5, None, None, 0.5)
    of(location).save(violation)
    assert of(location).load() == violation
    of(location).save(replace(ENTRY, spent=100.0))
    assert of(location).load() == violation, "a violation that was found once stays known"


def test_a_place_that_cannot_be_written_is_a_problem_and_no_crash(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreProblem, match="is not kept"):
        of(tmp_path / "file").save(ENTRY)
    assert of(tmp_path / "file").load() is None
    with pytest.raises(StoreProblem, match="no place for a cache"):
        SharedCache("nonsense://there")


def test_a_place_that_costs_too_much_time_is_not_asked_for_a_while(tmp_path, monkeypatch):
    """A server that is down takes seconds to fail, for each of some hundred entries."""
    now = [0.0]
    monkeypatch.setattr("dplint.store.store.time", SimpleNamespace(monotonic=lambda: now[0]))
    cache, asked = SharedCache(str(tmp_path)), []

    def failing(name):
        now[0] += 20.0
        asked.append(name)
        raise OSError("no route to host")

    store = cache.store(Store(Path("nowhere"), SLOT, CACHE_KEY))
    store.save(ENTRY)
    read = cache._place.read
    monkeypatch.setattr(cache._place, "read", failing)
    for words in ("no route", "no route", "is not asked for 5 minutes", "is not asked"):
        with pytest.raises(StoreProblem, match=words):
            store.load()
    with pytest.raises(StoreProblem, match="is not asked"):
        store.save(replace(ENTRY, spent=99.0))
    assert len(asked) == 2
    now[0] += 301.0
    monkeypatch.setattr(cache._place, "read", read)
    assert store.load() == ENTRY


def test_quick_failures_do_not_keep_it_from_being_asked(tmp_path):
    (tmp_path / "file").write_text("")
    for _ in range(100):
        with pytest.raises(StoreProblem, match="is not kept"):
            of(tmp_path / "file").save(ENTRY)


def test_others_may_read_what_somebody_has_written(tmp_path):
    """Machines have users of their own: entries have the permissions that any new file has."""
    (tmp_path / "plain").write_text("")
    of(tmp_path / "shared").save(ENTRY)
    (path,) = entries(tmp_path / "shared")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_folder_of_a_store_is_made_only_where_it_is_missing(monkeypatch):
    """On S3 it would take rights that nobody needs, and make a bucket where one is mistyped."""
    location = f"memory://{uuid.uuid4().hex}"
    for name in ("mkdir", "makedirs"):
        monkeypatch.setattr(f"fsspec.implementations.memory.MemoryFileSystem.{name}", None)
    of(location).save(ENTRY)
    assert of(location).load() == ENTRY


def test_without_fsspec_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(StoreProblem, match="install dplint with its extra cluster"):
        SharedCache("s3://bucket")


def write_many(folder, number):
    for turn in range(40):
        of(folder, b"secret").save(replace(ENTRY, spent=float(turn), state={"who": [number] * 2000}))


@pytest.mark.process
def test_many_write_at_once_and_readers_see_whole_entries(tmp_path):
    writers = [
        multiprocessing.get_context("spawn").Process(target=write_many, args=(tmp_path, number)) for number in range(3)
    ]
    for writer in writers:
        writer.start()
    seen = 0
    while any(writer.is_alive() for writer in writers):
        entry = of(tmp_path, b"secret").load()
        if entry is not None:
            seen += 1
            assert len(set(entry.state["who"])) == 1
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert seen
    assert of(tmp_path, b"secret").load().spent == 39.0
    assert len(entries(tmp_path)) == 1, "nothing unfinished is left"


def test_all_agree_on_what_the_first_has_proposed(location):
    assert SharedCache(str(location)).agreed("a/b", lambda: b"one", lambda _: True) == b"one"
    assert SharedCache(str(location)).agreed("a/b", lambda: b"two", lambda _: True) == b"one"
    assert SharedCache(str(location)).agreed("a/b", lambda: b"three", lambda body: body == b"three") == b"three"


@pytest.mark.process
def test_of_many_that_ask_at_once_all_get_the_same(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        for turn in range(20):
            asked = [(f"deals/{turn}", str(number).encode()) for number in range(8)]
            found = set(
                pool.map(lambda one: SharedCache(str(tmp_path)).agreed(one[0], lambda: one[1], lambda _: True), asked)
            )
            assert len(found) == 1


def test_a_store_that_cannot_tell_what_is_new_is_written(monkeypatch):
    """An older fsspec has no such mode."""
    cache = SharedCache(f"memory://{uuid.uuid4().hex}")
    system = cache._place._system
    monkeypatch.setattr(system, "pipe_file", partial(_piped, system.pipe_file))
    assert cache.agreed("name", lambda: b"one", lambda _: True) == b"one"
    assert cache.agreed("name", lambda: b"two", lambda _: True) == b"one"


def _piped(written, path, content):
    written(path, content)


def test_where_nothing_can_be_kept_nothing_is_agreed(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreProblem, match="cannot be written"):
        SharedCache(str(tmp_path / "file")).agreed("name", lambda: b"one", lambda _: True)
