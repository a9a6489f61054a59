"""What all tests share: which of them run, in which order, and where."""

import gc
import itertools
import signal
import tempfile

import pytest
from hypothesis import settings

from tests import distribution, examples, processes, shares

__all__ = ["examples"]
pytest_itemcollected = processes.pytest_itemcollected
pytest_runtest_protocol = processes.pytest_runtest_protocol
pytest_xdist_auto_num_workers = distribution.pytest_xdist_auto_num_workers
pytest_xdist_make_scheduler = distribution.pytest_xdist_make_scheduler


def pytest_addoption(parser):
    parser.addoption("--nightly", action="store_true", help="the tests marked nightly, too, and ten times the examples")


def pytest_configure(config):
    if config.getoption("--nightly"):
        settings.load_profile("nightly")
    # A run in the background of a shell ignores Ctrl-C, and so would the processes that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session):
    distribution.collect_from_elsewhere(session.config)


def pytest_collection():
    # All that is collected stays to the end: to look through it for garbage takes half of the time, and later again.
    gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def caches(tmp_path_factory):
    """A folder for the caches of files of no project, of which each test has its own."""
    return tmp_path_factory.mktemp("caches"), itertools.count()


@pytest.fixture(scope="session", autouse=True)
def _own_key():
    """The key of the caches is made in a folder of the session's own.

    It does not lie among those of tests: a runner reads no file that comes to lie beside the key while it is there.
    """
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setenv("XDG_STATE_HOME", f"{folder}/state")
        patch.delenv("DPLINT_CACHE_KEY_FILE", raising=False)
        yield


@pytest.fixture(autouse=True)
def _own_cache(caches, monkeypatch):
    folder, numbers = caches
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / str(next(numbers))))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    items[:] = distribution.long_ones_first(distribution.in_one_order(items))
    if not config.getoption("--nightly"):
        marked = {item for item in items if item.get_closest_marker("nightly")}
        nightly = marked | set(shares.left_for_the_night(item for item in items if item not in marked))
        items[:] = [item for item in items if item not in nightly]
        config.hook.pytest_deselected(items=list(nightly))
