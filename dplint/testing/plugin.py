"""The plugin of pytest: `pytest --dplint` collects the claims of the files that it comes across, one test for each.

Without `--dplint` it does nothing, and imports nothing of dplint.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from dplint.config import Settings
    from dplint.testing.functions import Verdict

_MARK = b"dplint"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("dplint", "audits of privacy claims")
    group.addoption("--dplint", action="store_true", help="Test the claims of dplint in the files that are collected.")
    group.addoption("--dplint-budget", metavar="TIME", help="Time to audit one mechanism, e.g. 5s.")
    group.addoption("--dplint-runs", type=int, metavar="N", help="Make N single runs instead.")


@pytest.fixture
def dp_audit(pytestconfig: pytest.Config) -> Callable[..., Verdict]:
    """`dplint.testing.assert_private`, with the time and the runs that pytest was given for audits."""
    from dplint.testing.functions import assert_private  # noqa: PLC0415 - only where it is asked for

    given = {name: pytestconfig.getoption(f"--dplint-{name}") for name in ("budget", "runs")}
    options = {name: value for name, value in given.items() if value is not None}

    def audit(function: Callable[..., Any], **claim: Any) -> Verdict:
        __tracebackhide__ = True
        return assert_private(function, **{**options, **claim})

    return audit


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The claims of a file, if they are asked for."""
    if file_path.suffix != ".py" or not parent.config.getoption("--dplint"):
        return None
    if not (_has_mark(file_path) or _settings(parent.config, file_path).mechanisms):
        return None
    return ClaimFile.from_parent(parent, path=file_path)


def _has_mark(path: Path) -> bool:
    try:
        return _MARK in path.read_bytes()
    except OSError:
        return False


def _settings(config: pytest.Config, path: Path) -> Settings:
    """The settings for a file, under the options of pytest.

    Raises:
        pytest.UsageError: they are wrong.
    """
    from dplint.config import COMMAND_LINE, ConfigError, Layer, SettingsByFile, environment_layer  # noqa: PLC0415

    given = {"budget": config.getoption("--dplint-budget"), "runs": config.getoption("--dplint-runs")}
    values = {key: value for key, value in given.items() if value is not None} | {"jobs": 1, "repairs": False}
    sources = {key: f"--dplint-{key}" for key in values}
    try:
        return SettingsByFile.of(path.parent, [environment_layer(), Layer(COMMAND_LINE, values, sources)]).of_file(path)
    except ConfigError as error:
        raise pytest.UsageError(str(error)) from None


class ClaimFile(pytest.File):
    """The claims of one file."""

    def collect(self) -> Iterable[ClaimItem]:
        """A test for each function that bears a claim, also a wrong one.

        Raises:
            pytest.Collector.CollectError: the file cannot be read.
        """
        from dplint.check.loading import read_through  # noqa: PLC0415 - only where claims are tested
        from dplint.config import is_reported  # noqa: PLC0415

        settings = _settings(self.config, self.path)
        loaded = read_through(self.path, settings, None)
        if loaded.errors:
            raise self.CollectError("\n".join(f"{one.file}: {one.message}" for one in loaded.errors))
        lines = {one.mechanism.qualname: one.mechanism.span.line for one in loaded.pending}
        for finding in loaded.findings:
            if finding.code.startswith("DP0") and finding.function and is_reported(finding.code, settings):
                lines.setdefault(finding.function, finding.span.line)
        for name, line in sorted(lines.items(), key=lambda one: one[1]):
            yield ClaimItem.from_parent(self, name=name, line=line)


class ClaimItem(pytest.Item):
    """The audit of one function."""

    def __init__(self, *, line: int, **rest: Any) -> None:
        super().__init__(**rest)
        self._line = line
        self.funcargs: dict[str, Any] = {}  # none: there are plugins that look for fixtures in every item
        self.add_marker("dplint")

    def runtest(self) -> None:
        """Check it, and tell JUnit's XML what was claimed and what was found."""
        from dplint.outcomes import Untestable  # noqa: PLC0415

        verdict = self._verdict()
        result = verdict.result
        if result is not None:
            claim = result.mechanism.claim
            if claim.stable is None:
                from dplint.definitions import promise_words  # noqa: PLC0415

                claimed = claim.epsilon if claim.promise is None else promise_words(claim.promise)
                self.user_properties.append(("dplint_epsilon_claimed", str(claimed)))
            if verdict.epsilon_lower is not None:
                bound = "inf" if math.isinf(verdict.epsilon_lower) else f"{verdict.epsilon_lower:.6g}"
                self.user_properties.append(("dplint_epsilon_lower", bound))
            if isinstance(result.outcome, Untestable) and not verdict.errors:
                pytest.skip(result.outcome.reason)
        if verdict.errors or verdict.violated or not verdict.checked:
            raise ClaimFailedError(verdict)

    def _verdict(self) -> Verdict:
        import time  # noqa: PLC0415

        from dplint.check import check_chosen  # noqa: PLC0415
        from dplint.check.choosing import Choice  # noqa: PLC0415
        from dplint.config import SettingsByFile  # noqa: PLC0415
        from dplint.report.explaining import meet  # noqa: PLC0415
        from dplint.report.gathered import gather  # noqa: PLC0415
        from dplint.testing.functions import Verdict  # noqa: PLC0415

        started = time.monotonic()
        settings = SettingsByFile.fixed(_settings(self.config, self.path))
        events = check_chosen([self.path], [Choice(self.path, self.name)], settings)
        return Verdict(meet(gather(events)), time.monotonic() - started)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report of dplint in place of a traceback."""
        if isinstance(excinfo.value, ClaimFailedError):
            return excinfo.value.verdict.text
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the function stands."""
        return self.path, self._line - 1, f"dplint: {self.name}"


class ClaimFailedError(Exception):
    """A claim that is broken, wrong, or could not be checked."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.line)
        self.verdict = verdict


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In the summary, which has room for a few words, the message of `assert_private` is what was found."""
    report = yield
    verdict: Any = getattr(call.excinfo.value, "verdict", None) if call.excinfo is not None else None
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None and type(verdict).__module__ == "dplint.testing.functions":
        crash.message = f"{verdict.said}\n{crash.message}"
    return report


def pytest_configure(config: pytest.Config) -> None:
    """The marker of the tests that are audits: `-m dplint` and `-m "not dplint"`."""
    config.addinivalue_line("markers", "dplint: the audit of a claim, collected by --dplint")


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Nothing, or that claims are tested."""
    return ["dplint: claims are tested"] if config.getoption("--dplint") else []
