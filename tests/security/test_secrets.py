"""Keys and credentials of the user are not read by code that is checked; everything else is."""

import sys
from pathlib import Path

import pytest

from dplint.runner import fence, fence_files
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.runner.fence_secrets import closed_places, open_places
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


def test_what_is_closed_is_in_no_open_place_and_all_else_is(home):
    closed = closed_places(frozenset())
    places = open_places(closed)
    assert {str(home / name) for name in (".ssh", ".netrc", ".aws", ".config/gh")} < closed
    for name in SECRETS:
        above = [str(folder) for folder in (home / name, *(home / name).parents)]
        assert not set(above) & set(places)
    for path in (home / "data" / "adult.csv", home / ".config" / "matplotlib", home / ".cache", Path("/usr/bin")):
        assert {str(folder) for folder in (path, *path.parents)} & set(places)
    assert not any(Path(place).is_symlink() for place in places)


def test_a_named_key_is_closed_and_credentials_are_open_to_who_may_use_a_network(home, tmp_path, monkeypatch):
    (tmp_path / "named.key").write_text("key")
    monkeypatch.setenv("DPLINT_CACHE_KEY_FILE", str(tmp_path / "named.key"))
    assert closed_places(frozenset({"network"})) == {str(tmp_path / "named.key"), str(home / ".local/state/dplint")}


def test_without_secrets_nothing_is_closed(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("DPLINT_CACHE_KEY_FILE", raising=False)
    assert open_places(closed_places(frozenset())) == ["/"]


@pytest.mark.process
@pytest.mark.parametrize("allow", [(), ("process",)])
def test_a_runner_reads_data_and_no_secrets(home, tmp_path, allow):
    if fence.WRITE not in fence.try_out(frozenset()) or fence_files.version() < 2:
        pytest.skip("this kernel has no such fence")
    names = (*SECRETS, "by_a_link/id_ed25519", "notes", "data/adult.csv", ".cache/sklearn/x")
    path = tmp_path / "reads.py"
    path.write_text(READS.format(home=str(home), names=names))
    with Runner(sys.executable, deadline=60, memory_mib=1024, allow=frozenset(allow)) as runner:
        runner.load(described(path, "m"))
        (output,) = runner.sample(SampleRequest((DataValue([1]),)))[0].outputs()
    closed, others = [*output[: len(SECRETS) + 1], output[-1]], output[len(SECRETS) + 1 : -1]
    assert closed == ["PermissionError"] * len(closed)
    assert others == ["content"] * 3
