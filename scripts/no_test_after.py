"""A plugin for pytest: `-p scripts.no_test_after --no-test-after SECONDS` begins no test after that moment.

The moment is in seconds since 1970. How many tests were left out, and of how many files, is said at the end.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import pytest

_NAMED = 5
"""Files that are named; of many more, it does not matter which."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option, without which every test runs."""
    parser.addoption("--no-test-after", type=float, default=float("inf"), metavar="SECONDS", help="since 1970")


def pytest_configure(config: pytest.Config) -> None:
    """In the process that is started by hand as in the workers."""
    config.pluginmanager.register(NoTestAfter(config))


class NoTestAfter:
    """Leaves tests out, and counts them; the workers of pytest-xdist tell theirs to the process that started them."""

    def __init__(self, config: pytest.Config) -> None:
        self._until: float = config.getoption("--no-test-after")
        self._left_out: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """True is for pytest: this test has been dealt with."""
        if time.time() < self._until:
            return None
        self._left_out[item.nodeid.partition("::")[0]] += 1
        return True

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A worker tells."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = dict(self._left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has told."""
        self._left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """What did not run, if there is anything."""
        if self._left_out:
            files = ", ".join(list(self._left_out)[:_NAMED]) + (", ..." if len(self._left_out) > _NAMED else "")
            terminalreporter.write_sep("-", "the time is over")
            terminalreporter.write_line(
                f"{self._left_out.total()} tests of {len(self._left_out)} files did not run: {files}"
            )
