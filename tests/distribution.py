"""How the tests are shared out among the workers of pytest-xdist, which `dev.py test` starts with `--dist loadfile`.

The tests of a file share a server or a runner, and so run in one worker; so do those of all files of conformance, since
to lower their cases takes ten seconds. Files whose tests start processes come first, for some of them take a minute.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

TESTS = Path(__file__).resolve().parent
SPREAD = {"tests/fixtures/test_output_fixtures.py": 4}
"""Into how many parts a file is divided. All that is about one case, `[...-case]`, is in the same part."""
TOGETHER = ("tests/conformance/",)
"""Folders whose files are run in one worker."""


def part_of(nodeid: str) -> str:
    """The name of what is run in one worker: a folder, a file, or a part of one."""
    file, _, test = nodeid.partition("::")
    for folder in TOGETHER:
        if file.startswith(folder):
            return folder
    if file not in SPREAD:
        return file
    case = test.rstrip("]").rpartition("[")[2].rpartition("-")[2]
    return f"{file} {zlib.crc32(case.encode()) % SPREAD[file]}"


def collect_from_elsewhere(config: pytest.Config) -> None:
    """Each worker collects the folders from another one on: what one has compiled, the others find there.

    To rewrite the assertions of all tests takes as long as the rest of collecting them.
    """
    given = getattr(config, "workerinput", None)
    if given is None or [Path(one).resolve() for one in config.args] != [TESTS]:
        return
    parts = sorted(str(one) for one in TESTS.iterdir() if any(one.glob("test_*.py")))
    start = int(given["workerid"].removeprefix("gw")) * len(parts) // given["workercount"]
    config.args[:] = [*parts[start:], *parts[:start]]


def in_one_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """All workers have to have the same list."""
    return sorted(items, key=lambda item: item.path)


def long_ones_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests of files with a test that starts processes before all others; otherwise their order stays."""
    starting = {item.path for item in items if item.get_closest_marker("process")}
    return sorted(items, key=lambda item: item.path not in starting)


class ByParts(LoadFileScheduling):
    """Shares out parts."""

    def _split_scope(self, nodeid: str) -> str:
        return part_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByParts | None:
    """None leaves the other ways to share out as they are."""
    return ByParts(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three for two processors: a third of the time, tests wait for what they have started."""
    return (os.cpu_count() or 1) * 3 // 2
