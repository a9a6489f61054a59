"""Code that is checked reads Python, packages, the system, its project, and what is allowed; never keys."""

import json
import sys
from pathlib import Path

import pytest

from dplint.outcomes import FailureKind
from dplint.runner import fence, fence_files
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.runner.fence_files import closed_places, open_places, readable_places
from dplint.runner.hosts import RunnerError
from tests.runner.conftest import described

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fence is one of Linux")
SECRETS = (".local/state/dplint/cache.key", ".ssh/id_ed25519", ".netrc", ".aws/credentials", ".config/gh/hosts.yml")
READS = """
import os, shutil, tempfile
HOME = {home!r}

def read(name):
    try:
        with open(os.path.join(HOME, name)) as file:
            return file.read()
    except OSError as error:
        return type(error).__name__

def m(queries):
    link = os.path.join(tempfile.gettempdir(), "link")
    if not os.path.lexists(link):
        os.symlink(os.path.join(HOME, ".ssh"), link)
    return [read(name) for name in {names!r}] + [read(link + "/id_ed25519")]
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with secrets, data and links."""
    home = tmp_path / "home"
    for name in (*SECRETS, "data/adult.csv", ".config/matplotlib/matplotlibrc", ".cache/sklearn/x", "notes"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("content")
    (home / "by_a_link").symlink_to(home / ".ssh")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("DPLINT_CACHE_KEY_FILE", raising=False)
    return home


def covers(places, path):
    return bool({str(folder) for folder in (path, *path.parents)} & set(places))


def test_what_is_closed_is_in_no_open_place_and_all_else_is(home):
    closed = closed_places(frozenset())
    places = open_places(["/"], closed)
    assert {str(home / name) for name in (".ssh", ".netrc", ".aws", ".config/gh")} < closed
    assert not any(covers(places, home / name) for name in SECRETS)
    for path in (home / "data" / "adult.csv", home / ".config" / "matplotlib", home / ".cache", Path("/usr/bin")):
        assert covers(places, path)
    assert not any(Path(place).is_symlink() for place in places)


def test_a_project_is_open_but_for_keys_and_what_lies_beside_it_is_not(home, tmp_path):
    named = [str(home / "data"), str(home / ".ssh"), str(home / ".config")]
    places = open_places(readable_places(frozenset(), named), closed_places(frozenset()))
    assert covers(places, home / "data" / "adult.csv")
    assert covers(places, home / ".config" / "matplotlib")
    assert not covers(places, home / ".config" / "gh")
    assert not covers(places, home / ".ssh" / "id_ed25519")
    assert not covers(places, home / "notes")
    assert not covers(places, tmp_path / "other")


def test_python_and_its_packages_are_open(tmp_path, monkeypatch):
    site, developed = tmp_path / "site-packages", tmp_path / "developed by me"
    told = {"url": developed.as_uri(), "dir_info": {"editable": True}}
    for name, document in {"a": told, "b": {**told, "dir_info": {}}, "c": [], "d": None}.items():
        (site / f"{name}-1.dist-info").mkdir(parents=True)
        text = "no JSON" if document is None else json.dumps(document)
        (site / f"{name}-1.dist-info" / "direct_url.json").write_text(text)
    developed.mkdir()
    places = readable_places(frozenset(), [])
    assert all(covers(places, Path(file).resolve()) for file in (json.__file__, pytest.__file__, fence.__file__))
    assert not covers(places, developed)
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    assert covers(readable_places(frozenset(), []), developed)


def test_of_places_in_each_other_the_outer_one_counts():
    places = readable_places(frozenset(), ["/usr/lib", "/"])
    assert places == ["/"]
    assert readable_places(frozenset({"read"}), []) == ["/"]
    assert "/usr/lib" not in readable_places(frozenset(), ["/usr/lib"])


def test_a_named_key_is_closed_and_credentials_are_open_to_who_may_use_a_network(home, tmp_path, monkeypatch):
    (tmp_path / "named.key").write_text("key")
    monkeypatch.setenv("DPLINT_CACHE_KEY_FILE", str(tmp_path / "named.key"))
    closed = closed_places(frozenset({"network"}))
    own = {place for place in closed if not place.startswith("/etc/")}
    assert own == {str(tmp_path / "named.key"), str(home / ".local/state/dplint")}
    assert all(Path(place).exists() for place in closed)


READS_OUTSIDE = """
import ctypes, os
import numpy as np

def opened(data):
    with open({file!r}) as file:
        return len(file.read())

def opened_and_hidden(data):
    try:
        return opened(data)
    except BaseException:
        return 0

def listed(data):
    return len(os.listdir({folder!r}))

def by_a_link(data):
    return np.loadtxt("link.csv", delimiter=",").sum()

def by_a_library(data):
    # No hook is told of it.
    fd = ctypes.CDLL(None, use_errno=True).open({file!r}.encode(), 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "refused", {file!r})
    return fd > 0

def by_another_language(data):
    if ctypes.CDLL(None).open({file!r}.encode(), 0) < 0:
        raise ValueError("Permission denied (os error 13)")
    return 1

def absent(data):
    try:
        return open({folder!r} + "/nothing").read()
    except FileNotFoundError:
        return "absent"
"""


@pytest.fixture
def outside(tmp_path):
    """A project, and a folder of data that lies beside it."""
    folder, project = tmp_path / "data", tmp_path / "project"
    for made in (folder, project):
        made.mkdir()
    (folder / "adult.csv").write_text("1,2")
    (project / "link.csv").symlink_to(folder / "adult.csv")
    (project / "reads.py").write_text(READS_OUTSIDE.format(file=str(folder / "adult.csv"), folder=str(folder)))
    return folder, project / "reads.py"


def outputs(path, name, allow=()):
    mechanism = described(path, name)
    settings = {"deadline": 60, "memory_mib": 1024, "allow": frozenset(allow), "mechanism": mechanism}
    with Runner(sys.executable, **settings) as runner:
        runner.load(mechanism)
        return runner.sample(SampleRequest((DataValue([1]),)))[0].outputs()


@pytest.mark.process
@pytest.mark.parametrize("name", ["opened", "opened_and_hidden", "listed", "by_a_link"])
def test_what_is_read_outside_is_told_with_its_place_and_its_cure(outside, name):
    folder, path = outside
    with pytest.raises(RunnerError) as failed:
        outputs(path, name)
    assert failed.value.kind == FailureKind.EFFECT
    assert str(folder) in failed.value.reason
    assert f'`allow = ["read:{folder}"]`' in failed.value.reason
    assert f'File "{path}"' in failed.value.detail


@pytest.mark.process
@pytest.mark.parametrize("name", ["by_a_library", "by_another_language"])
def test_what_the_kernel_alone_has_seen_is_no_output(outside, name):
    if fence.READ not in fence.try_out(frozenset()):
        pytest.skip("this kernel has no such fence")
    with pytest.raises(RunnerError, match="what the system refuses") as failed:
        outputs(outside[1], name)
    assert failed.value.kind == FailureKind.EFFECT


@pytest.mark.process
def test_what_is_not_there_is_not_refused(outside):
    assert outputs(outside[1], "absent") == ["absent"]


@pytest.mark.process
@pytest.mark.parametrize("allowed", ["read:../data", "read:{folder}", "read:../data/adult.csv", "read", "write"])
def test_what_is_allowed_is_read(outside, allowed):
    folder, path = outside
    assert outputs(path, "opened", [allowed.format(folder=folder)]) == [3]
    assert outputs(path, "by_a_library", [allowed.format(folder=folder)]) == [True]


@pytest.mark.process
def test_an_import_from_outside_says_how_to_allow_it(tmp_path):
    library, path = tmp_path / "library", tmp_path / "project" / "imports.py"
    for folder in (library, path.parent):
        folder.mkdir()
    (library / "beside_it.py").write_text("VALUE = 1")
    function = "def m(data): return beside_it.VALUE"
    path.write_text(f"import sys\nsys.path.insert(0, {str(library)!r})\nimport beside_it\n{function}\n")
    with pytest.raises(RunnerError, match="no module 'beside_it'") as failed:
        outputs(path, "m")
    assert f'"read:{library}"' in f"{failed.value.reason} {failed.value.cure}"
    assert outputs(path, "m", [f"read:{library}"]) == [1]


@pytest.mark.process
@pytest.mark.parametrize("allow", [("read",), ("read", "process")])
def test_who_may_read_all_reads_no_secrets(home, tmp_path, allow):
    if fence.WRITE not in fence.try_out(frozenset()) or fence_files.version() < 2:
        pytest.skip("this kernel has no such fence")
    names = (*SECRETS, "by_a_link/id_ed25519", "notes", "data/adult.csv", ".cache/sklearn/x")
    path = tmp_path / "reads.py"
    path.write_text(READS.format(home=str(home), names=names))
    (output,) = outputs(path, "m", allow)
    closed, others = [*output[: len(SECRETS) + 1], output[-1]], output[len(SECRETS) + 1 : -1]
    assert closed == ["PermissionError"] * len(closed)
    assert others == ["content"] * 3
