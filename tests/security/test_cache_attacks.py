"""What others put in the way of the cache: it is not believed, and nothing of theirs is read, written or removed."""

import json
import os
import shutil
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from dplint.jobs import CHECKED_AGAIN, DROPPED
from dplint.main import main
from dplint.store import NAME, Entry, Index, Store, StoreProblem, Summary, clean, folder, refusal
from dplint.store.key import _key_of, _own_key, cache_key
from tests import caches

ENTRY = Entry("proved", 1000, None, ["Proved", {}], 2.5)
WRONG = """
from dplint import dp


@dp(epsilon=1.0, neighbors="l1", size=2)
def good(rng, xs):
    return [x + rng.laplace(scale=1.0) for x in xs]


@dp(epsilon=1.0, neighbors="l1", size=2)
def wrong(rng, xs):
    return [x + rng.laplace(scale=0.1) for x in xs]
"""
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git makes the repository")


def store(root, function="f"):
    return Store(root, {"function": function}, {"text": "abc"})


def the_file(root):
    (path,) = (root / NAME).glob("*.json")
    return path


@contextmanager
def another_user():
    """Somebody else, with a key of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", f"{os.environ['XDG_STATE_HOME']}-of-another")
        yield


def git(root, *arguments):
    subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True)


@pytest.fixture
def victim(tmp_path):
    """A folder of somebody else, with names that a careless cache would take for its own."""
    kept = tmp_path / "victim"
    kept.mkdir()
    for name in ("a" * 32 + ".json", "index.json", "work.tmp", "dplint-abcdefgh.tmp", "CACHEDIR.TAG", ".gitignore"):
        (kept / name).write_text("mine")
        os.utime(kept / name, (1e9, 1e9))
    yield kept
    assert {path.read_text() for path in kept.iterdir()} == {"mine"}
    assert len(list(kept.iterdir())) == 6


def test_an_entry_that_another_key_has_signed_is_not_believed(tmp_path):
    with another_user():
        store(tmp_path).save(ENTRY)
    with pytest.raises(StoreProblem, match="not signed with your key"):
        store(tmp_path).load()


def test_every_changed_byte_is_seen(tmp_path):
    store(tmp_path).save(ENTRY)
    path = the_file(tmp_path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with suppress(StoreProblem):
            assert store(tmp_path).load() is None, f"byte {place}"


def test_an_entry_is_of_no_use_under_another_name_in_another_project_or_for_another_version(tmp_path, monkeypatch):
    here, there = tmp_path / "here", tmp_path / "there"
    for root, name in ((here, "f"), (there, "f"), (here, "g")):
        root.mkdir(exist_ok=True)
        store(root, name).save(ENTRY if name == "f" and root == here else Entry("violation", 1, None))
    (good,) = (path for path in (here / NAME).glob("*.json") if b'"function":"f"' in path.read_bytes())
    (other,) = set((here / NAME).glob("*.json")) - {good}
    shutil.copy(good, other)
    with pytest.raises(StoreProblem, match="not signed with your key"):
        store(here, "g").load()
    shutil.copy(good, the_file(there))
    assert store(there).load() is None
    monkeypatch.setattr(folder, "__version__", "0.0.9")
    assert store(here).load() is None


def test_an_index_that_nobody_has_signed_is_not_believed(tmp_path):
    def kept(root):
        index = Index(root)
        index.put("m.py", "key", Summary())
        index.save()
        return Index(root).get("m.py", "key")

    assert kept(tmp_path) == Summary()
    (tmp_path / NAME / "index.json").write_bytes(caches.body(tmp_path / NAME / "index.json"))
    assert Index(tmp_path).get("m.py", "key") is None
    with another_user():
        assert kept(tmp_path) == Summary()
    assert Index(tmp_path).get("m.py", "key") is None


GAUSS = """from dplint import dp


@dp(epsilon=1.0, delta=1e-5, neighbors="l1")
def release(rng, value: float):
    return value + rng.normal(scale=5.0)
"""


@pytest.mark.process
def test_a_smaller_delta_in_a_proof_is_proved_anew(tmp_path, monkeypatch, capsys):
    """1.75e-8 is the delta of this noise at epsilon = 1, by Balle and Wang (ICML 2018)."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "m.py").write_text(GAUSS)
    monkeypatch.chdir(tmp_path)

    def told():
        assert main(["check", ".", "--budget", "20s", "--format", "json", "--no-progress"]) == 0
        (result,) = json.loads(capsys.readouterr().out)["results"]
        return (
            result["spend"]["delta"],
            CHECKED_AGAIN in result["effort"]["notes"],
            DROPPED in result["effort"]["notes"],
        )

    assert told() == (1.8e-8, False, False)
    assert told() == (1.8e-8, True, False)
    (path,) = (tmp_path / NAME).glob(32 * "[0-9a-f]" + ".json")
    forged = caches.body(path).replace(b"1.8e-08", b"1.7e-08")
    assert forged != caches.body(path)
    caches.put(path, forged)
    assert told() == (1.8e-8, False, True)


@pytest.mark.process
def test_a_proof_in_the_entry_of_a_wrong_function_is_not_told(tmp_path, monkeypatch, capsys):
    """As a repository would bring it along: without the line of a signature, and with that of somebody else."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "m.py").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    check = ["check", ".", "--budget", "300ms", "--format", "concise", "--no-progress"]
    with another_user():
        assert main(check) == 1
        documents = {}
        for path in (tmp_path / NAME).glob(32 * "[0-9a-f]" + ".json"):
            document = json.loads(caches.body(path))
            documents[document["slot"]["function"]] = path, document
        (_, good), (wrong, document) = documents["good"], documents["wrong"]
        believed = ("verdict", "outcome", "state", "places")
        forged = json.dumps(document | {name: good[name] for name in believed}).encode()
        caches.put(wrong, forged)
        signed_by_another = wrong.read_bytes()
        capsys.readouterr()
        assert main([*check[:-2], "json", "--no-progress"]) == 1, "who has the key is not believed about proofs, either"
        (result,) = (one for one in json.loads(capsys.readouterr().out)["results"] if one["function"] == "wrong")
        assert result["verdict"] == "violation"
        assert DROPPED in result["effort"]["notes"]
        caches.put(wrong, forged)
    for content in (signed_by_another, forged):
        wrong.write_bytes(content)
        capsys.readouterr()
        assert main(check) == 1
        assert "`wrong` is not 1-private: " in capsys.readouterr().out


@pytest.mark.process
def test_a_proof_is_checked_again_and_what_it_was_told_with_stays(tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "m.py").write_text(WRONG.partition("\n\n@dp")[0] + "\n\n@dp" + WRONG.split("\n\n@dp")[1])
    monkeypatch.chdir(tmp_path)
    check = ["check", ".", "--budget", "300ms", "--format", "json", "--no-progress"]
    told = []
    for _ in "abc":
        assert main(check) == 0
        told += json.loads(capsys.readouterr().out)["results"]
    first, *later = told
    assert first["verdict"] == "proved"
    for result in later:
        assert result["effort"]["notes"] == [*first["effort"]["notes"], CHECKED_AGAIN]
        result["effort"]["notes"] = first["effort"]["notes"]
        assert result == first


def test_a_link_in_the_place_of_the_folder_costs_nobody_anything(tmp_path, victim):
    project = tmp_path / "project"
    project.mkdir()
    (project / NAME).symlink_to(victim)
    with pytest.raises(StoreProblem, match="is a link"):
        store(project).load()
    with pytest.raises(StoreProblem, match="is a link"):
        store(project).save(ENTRY)
    index = Index(project)
    index.put("m.py", "key", Summary())
    index.save()
    assert clean(project) == (0, 0)


def test_a_link_that_leads_nowhere_makes_nothing_there(tmp_path):
    (tmp_path / NAME).symlink_to(tmp_path / "new")
    with pytest.raises(StoreProblem, match="is a link"):
        store(tmp_path).save(ENTRY)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("arguments", [["check", ".", "--static-only"], ["clean"]])
def test_a_static_check_and_a_cleaning_leave_a_link_alone_and_say_so(tmp_path, victim, monkeypatch, capsys, arguments):
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    (project / "m.py").write_text(WRONG)
    (project / NAME).symlink_to(victim)
    monkeypatch.chdir(project)
    assert main(arguments) == 0
    assert "is a link, and is left alone" in capsys.readouterr().err


def test_links_in_the_place_of_files_are_neither_read_nor_followed(tmp_path, victim):
    store(tmp_path).save(ENTRY)
    path = the_file(tmp_path)
    (victim / "index.json").write_bytes(path.read_bytes())  # even with what would be believed in its place
    path.unlink()
    path.symlink_to(victim / "index.json")
    with pytest.raises(StoreProblem, match="is ignored"):
        store(tmp_path).load()
    (victim / "index.json").write_text("mine")
    store(tmp_path).save(ENTRY)
    assert not path.is_symlink()
    assert store(tmp_path).load() == ENTRY


def test_only_names_of_our_own_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "MOST_FILES", 1)
    store(tmp_path).save(ENTRY)
    others = ["thesis.json", "v1.json", "a" * 33 + ".json", "A" * 32 + ".json", "work.tmp", "tmpabcdefgh.tmp"]
    for name in others:
        (tmp_path / NAME / name).write_text("mine")
        os.utime(tmp_path / NAME / name, (1e9, 1e9))
    store(tmp_path, "g").save(ENTRY)
    clean(tmp_path)
    assert sorted(path.name for path in (tmp_path / NAME).iterdir()) == sorted(others)


@needs_git
@pytest.mark.parametrize("inner", [".", "packages/one"])
def test_what_git_tracks_is_refused(tmp_path, inner):
    root = tmp_path / inner
    root.mkdir(parents=True, exist_ok=True)
    git(tmp_path, "init", "-q")
    (tmp_path / "before.py").touch()
    git(tmp_path, "add", "before.py")
    store(root).save(ENTRY)
    assert store(root).load() == ENTRY
    git(root, "add", "-f", NAME)
    for attempt in (store(root).load, lambda: store(root).save(ENTRY)):
        with pytest.raises(StoreProblem, match="is tracked by git"):
            attempt()
    assert clean(root) == (0, 0)
    assert the_file(root).exists()
    git(root, "rm", "-q", "-r", "--cached", NAME)
    assert store(root).load() == ENTRY


@needs_git
def test_a_worktree_and_a_cache_that_lies_deeper(tmp_path):
    top = tmp_path / "top"
    top.mkdir()
    git(top, "init", "-q")
    (top / "sub").mkdir()
    store(top / "sub").save(ENTRY)
    git(top, "add", "-f", f"sub/{NAME}")
    git(top, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "first")
    assert refusal(top) is None, "another folder of this name is tracked"
    git(top, "worktree", "add", "-q", "../other")
    assert "is tracked by git" in (refusal(tmp_path / "other" / "sub") or "")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_another_user_is_refused(tmp_path):
    store(tmp_path).save(ENTRY)
    os.chown(the_file(tmp_path), 12345, -1)
    with pytest.raises(StoreProblem, match="is ignored"):
        store(tmp_path).load()
    os.chown(tmp_path / NAME, 12345, -1)
    with pytest.raises(StoreProblem, match="belongs to another user"):
        store(tmp_path).save(ENTRY)
    assert clean(tmp_path) == (0, 0)


@pytest.fixture
def no_keys(monkeypatch, tmp_path):
    """Nobody has asked for a key yet, and none is there."""
    for forgotten in (_own_key, _key_of):
        forgotten.cache_clear()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield tmp_path / "state" / "dplint" / "cache.key"
    for forgotten in (_own_key, _key_of):
        forgotten.cache_clear()


def test_the_key_is_made_once_and_for_the_user_alone(no_keys):
    key = cache_key()
    assert len(key) >= 32
    assert (no_keys.stat().st_mode & 0o777, no_keys.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in no_keys.parent.iterdir()] == ["cache.key"]
    _own_key.cache_clear()
    assert cache_key() == key


@pytest.mark.parametrize("spoilt", ["readable", "a link", "short", "a folder"])
def test_a_key_that_others_may_know_is_not_used(no_keys, tmp_path, spoilt):
    no_keys.parent.mkdir(parents=True)
    no_keys.write_text("k" * 64)
    no_keys.chmod(0o644 if spoilt == "readable" else 0o600)
    if spoilt == "a link":
        no_keys.rename(tmp_path / "elsewhere")
        no_keys.symlink_to(tmp_path / "elsewhere")
    elif spoilt == "short":
        no_keys.write_text("k")
    elif spoilt == "a folder":
        no_keys.unlink()
        no_keys.mkdir()
    with pytest.raises(StoreProblem, match="nothing is kept"):
        store(tmp_path).save(ENTRY)
    assert not list((tmp_path / NAME).glob("*.json"))


@pytest.mark.parametrize("home", ["a file", "none"])
def test_without_a_place_for_a_key_nothing_is_kept_and_that_is_told(no_keys, tmp_path, monkeypatch, home):
    if home == "a file":
        (tmp_path / "state").touch()
    else:
        monkeypatch.setenv("XDG_STATE_HOME", "")
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    with pytest.raises(StoreProblem, match="DPLINT_CACHE_KEY_FILE can name another one"):
        store(tmp_path).save(ENTRY)
    assert store(tmp_path).load() is None, "nothing is there to be verified"


def named(path, content, mode=0o600):
    path.write_text(content)
    path.chmod(mode)
    return str(path)


def test_a_named_key_is_taken_instead(no_keys, tmp_path, monkeypatch):
    monkeypatch.setenv("DPLINT_CACHE_KEY_FILE", named(tmp_path / "key", "0123456789abcdef\n"))
    assert cache_key() == b"0123456789abcdef"
    assert not no_keys.exists()


def test_a_key_from_a_pipe_is_read_once(no_keys, monkeypatch):
    receiving, sending = os.pipe()
    os.write(sending, b"0123456789abcdef\n")
    os.close(sending)
    monkeypatch.setenv("DPLINT_CACHE_KEY_FILE", f"/dev/fd/{receiving}")
    assert cache_key() == cache_key() == b"0123456789abcdef"
    os.close(receiving)


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        ("0123456789abcdef", 0o604, "others can read"),
        ("short", 0o600, "must hold"),
        ("0123456789abcdef", 0o620, "others"),
    ],
)
def test_a_named_key_that_is_none_is_told(no_keys, tmp_path, monkeypatch, capsys, content, mode, words):
    monkeypatch.setenv("DPLINT_CACHE_KEY_FILE", named(tmp_path / "key", content, mode))
    monkeypatch.chdir(tmp_path)
    assert main(["check", ".", "--static-only"]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


@needs_git
def test_a_key_that_the_repository_has_is_none(no_keys, tmp_path, monkeypatch):
    git(tmp_path, "init", "-q")
    monkeypatch.setenv("DPLINT_CACHE_KEY_FILE", named(tmp_path / "key", "0123456789abcdef"))
    git(tmp_path, "add", "key")
    with pytest.raises(StoreProblem, match="the repository has the key"):
        cache_key()


def test_a_key_in_the_environment_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DPLINT_CACHE_KEY", "0123456789abcdef")
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()
    assert main(["check", "."]) == 2
    said = capsys.readouterr().err
    assert "DPLINT_CACHE_KEY_FILE" in said
    assert "0123456789abcdef" not in said
