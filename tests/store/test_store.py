"""The cache: entries come back as they were, strangers' files do no harm, and the folder stays small."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.store import Entry, Store, StoreProblem, folder, read_outcome
from tests import caches
from tests.examples import examples
from tests.patience import patience

ROOT = Path(__file__).parents[2]
SLOT = {"function": "f", "epsilons": [0.2, 0.7], "seed": None}
CACHE_KEY = {"text": "abc"}
ENTRY = Entry("no-violation", 1000, {"wealth": [0.5, 2.0], "bets": {"a": -1e300}}, ["NoViolation", {"runs": 3}], 2.5)


def files(root):
    return sorted((root / ".dplint_cache").glob("*.json"))


def test_an_entry_comes_back(tmp_path):
    assert Store(tmp_path, SLOT, CACHE_KEY).load() is None
    assert not (tmp_path / ".dplint_cache").exists(), "looking makes nothing"
    Store(tmp_path, SLOT, CACHE_KEY).save(ENTRY)
    assert Store(tmp_path, SLOT, CACHE_KEY).load() == ENTRY


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@examples(50)
@given(
    state=st.none() | st.dictionaries(st.text(), JSON, max_size=4),
    outcome=st.none() | st.lists(JSON, max_size=3),
    runs=st.integers(0, 10**15),
    spent=st.floats(0, 1e9),
)
def test_every_document_comes_back_to_the_last_bit(tmp_path_factory, state, outcome, runs, spent):
    root = tmp_path_factory.mktemp("project")
    entry = Entry("violation", runs, state, outcome, spent)
    Store(root, SLOT, CACHE_KEY).save(entry)
    assert Store(root, SLOT, CACHE_KEY).load() == entry


def test_another_cache_key_is_out_of_date_and_is_replaced(tmp_path):
    Store(tmp_path, SLOT, CACHE_KEY).save(ENTRY)
    changed = Store(tmp_path, SLOT, {"text": "abd"})
    assert changed.load() is None
    changed.save(Entry("violation", 5, None))
    assert len(files(tmp_path)) == 1
    assert Store(tmp_path, SLOT, CACHE_KEY).load() is None


def test_another_slot_has_a_place_of_its_own(tmp_path):
    Store(tmp_path, SLOT, CACHE_KEY).save(ENTRY)
    other = Store(tmp_path, {**SLOT, "seed": 7}, CACHE_KEY)
    assert other.load() is None
    other.save(Entry("violation", 5, None))
    assert Store(tmp_path, SLOT, CACHE_KEY).load() == ENTRY


def test_the_folder_says_what_it_is(tmp_path):
    Store(tmp_path, SLOT, CACHE_KEY).save(ENTRY)
    cache = tmp_path / ".dplint_cache"
    assert (cache / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert (cache / ".gitignore").read_text().splitlines()[-1] == "*"
    assert {path.name for path in cache.iterdir()} == {"CACHEDIR.TAG", ".gitignore", files(tmp_path)[0].name}


def altered(**changes):
    document = {
        "dplint": 4,
        "slot": SLOT,
        "cache_key": CACHE_KEY,
        "verdict": "x",
        "runs": 1,
        "state": {},
        "outcome": [],
    }
    return json.dumps({**document, "spent": 1.5, **changes}).encode()


def test_what_is_altered_below_can_be_read(tmp_path):
    store = Store(tmp_path, SLOT, CACHE_KEY)
    store.save(ENTRY)
    caches.put(files(tmp_path)[0], altered())
    assert store.load() == Entry("x", 1, {}, [], 1.5)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"\xff\xfe", b"null", b"[]", b'{"dplint": 1}', b"[" * 100_000, b"9" * 10_000,
        altered(dplint=1), altered(slot={}), altered(cache_key=3), altered(verdict=None), altered(runs="1"),
        altered(runs=-1), altered(state=[]), altered(state="x"), altered(outcome={}), altered(spent=-0.5),
        altered(spent=float("inf")), altered(spent=float("nan")), altered(spent=1), altered(spent=None),
    ],
)  # fmt: skip
def test_a_file_of_a_stranger_is_a_problem_with_a_name_and_is_replaced(tmp_path, content):
    store = Store(tmp_path, SLOT, CACHE_KEY)
    store.save(ENTRY)
    caches.put(files(tmp_path)[0], content)
    with pytest.raises(StoreProblem, match=f"{files(tmp_path)[0].name}.*is ignored"):
        store.load()
    store.save(ENTRY)
    assert store.load() == ENTRY


def test_an_entry_cut_short_anywhere_is_no_entry(tmp_path):
    store = Store(tmp_path, SLOT, CACHE_KEY)
    store.save(ENTRY)
    whole = files(tmp_path)[0].read_bytes()
    for length in range(len(whole)):
        files(tmp_path)[0].write_bytes(whole[:length])
        with pytest.raises(StoreProblem):
            store.load()


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_what_is_no_file_is_not_read(tmp_path, kind):
    store = Store(tmp_path, SLOT, CACHE_KEY)
    store.save(ENTRY)
    path = files(tmp_path)[0]
    path.unlink()
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    with pytest.raises(StoreProblem, match="is ignored"):
        store.load()


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / ".dplint_cache").write_text("")
    store = Store(tmp_path, SLOT, CACHE_KEY)
    assert store.load() is None
    with pytest.raises(StoreProblem, match="cannot be written"):
        store.save(ENTRY)


def test_an_entry_that_is_too_large_is_not_kept(tmp_path):
    store = Store(tmp_path, SLOT, CACHE_KEY)
    with pytest.raises(StoreProblem, match="17 MiB"):
        store.save(Entry("no-violation", 1, {"x": "y" * (17 << 20)}))
    assert store.load() is None


def test_a_write_that_fails_leaves_the_old_entry_and_no_rubbish(tmp_path, monkeypatch):
    store = Store(tmp_path, SLOT, CACHE_KEY)
    store.save(ENTRY)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(StoreProblem, match="No space left"):
        store.save(Entry("violation", 5, None))
    assert store.load() == ENTRY
    assert not list((tmp_path / ".dplint_cache").glob("*.tmp"))


def save_at(root, number, when):
    """An entry as if it had been written at that time."""
    store = Store(root, {**SLOT, "function": str(number)}, CACHE_KEY)
    store.save(ENTRY)
    path = max(files(root), key=lambda path: path.stat().st_mtime_ns)
    os.utime(path, (when, when))
    return store


def test_the_oldest_entries_go_when_there_are_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "MOST_FILES", 3)
    stores = [save_at(tmp_path, number, when) for number, when in enumerate([1e9, 3e9, 2e9])]
    fourth = Store(tmp_path, SLOT, CACHE_KEY)
    fourth.save(ENTRY)
    assert [store.load() is not None for store in [*stores, fourth]] == [False, True, True, True]


def test_the_oldest_entries_go_when_they_are_too_large(tmp_path, monkeypatch):
    first = save_at(tmp_path, 0, 1e9)
    monkeypatch.setattr(folder, "MOST_BYTES", 2 * files(tmp_path)[0].stat().st_size + 100)
    second = save_at(tmp_path, 1, 2e9)
    third = save_at(tmp_path, 2, 3e9)
    assert [store.load() is not None for store in (first, second, third)] == [False, True, True]


def test_what_a_process_left_behind_is_cleared_away(tmp_path):
    Store(tmp_path, SLOT, CACHE_KEY).save(ENTRY)
    cache = tmp_path / ".dplint_cache"
    old, new, others = cache / "dplint-abcdefg1.tmp", cache / "dplint-abcdefg2.tmp", cache / "work.tmp"
    for path in (old, new, others):
        path.touch()
    for path in (old, others):
        os.utime(path, (1e9, 1e9))
    Store(tmp_path, SLOT, CACHE_KEY).save(ENTRY)
    assert (old.exists(), new.exists(), others.exists()) == (False, True, True), "names that are not ours stay"


WRITER = """
import sys
from pathlib import Path
from dplint.store import Entry, Store, StoreProblem, folder, read_outcome
folder.MOST_FILES = 3
for turn in range(150):
    store = Store(Path(sys.argv[1]), {"function": str(turn % 5)}, {})
    store.save(Entry("no-violation", turn, {"who": sys.argv[2] * 2000}))
    entry = store.load()
    assert entry is None or set(entry.state["who"]) <= {"a", "b", "c"} and len(entry.state["who"]) == 2000
"""


@pytest.mark.process
def test_processes_do_not_disturb_one_another(tmp_path):
    """Three of them write, read and drop entries of the same folder, and see whole entries only."""
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    started = [
        subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE, text=True) for name in ("a", "b", "c")
    ]
    for process in started:
        _, errors = process.communicate(timeout=patience(120))
        assert process.returncode == 0, errors
    assert not list((tmp_path / ".dplint_cache").glob("*.tmp"))


def test_a_cache_file_of_the_format_before_is_refused_with_its_name(tmp_path):
    """Written by a check that found a violation, when a counterexample held its counts itself."""
    old = (Path(__file__).parent / "data" / "format-3.json").read_bytes()
    document = json.loads(old)
    store = Store(tmp_path, document["slot"], document["cache_key"])
    store.save(ENTRY)
    (place,) = files(tmp_path)
    caches.put(place, old)
    with pytest.raises(StoreProblem, match=f"{place.name} is no cache file of this version of dplint, and is ignored"):
        store.load()
    assert read_outcome(document["outcome"]) is None, "not even if somebody writes the number of this format into it"
