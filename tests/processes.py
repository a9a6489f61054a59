"""Who starts a process is marked so: `dev.py quick` leaves these tests out, and all others are held to it."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from dplint.check import reading_ahead

STARTING = frozenset({"shared_runner", "own_runner", "hasty_runner", "fork_server"})
"""Fixtures that hold a process: who uses one is marked by that."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests with such a fixture."""
    if STARTING & set(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.process)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fail a test that starts a Python and is not marked, also where a fixture of its module does so."""
    if item.get_closest_marker("process"):
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Refused)
        # On a slow machine it may pay to have files read by others.
        patch.setattr(reading_ahead, "_WORTH", math.inf)
        return (yield)


class Refused(subprocess.Popen[Any]):
    """Starts no Python. What libraries ask of the system, such as its fonts, is not meant."""

    def __init__(self, args: Any, *more: Any, **options: Any) -> None:
        if not isinstance(args, str | bytes) and sys.executable in list(map(str, args)):
            pytest.fail("this test starts a process: mark it with pytest.mark.process", pytrace=False)
        super().__init__(args, *more, **options)
