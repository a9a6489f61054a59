"""`assert_private` and `find_violation`: audits of one function, asked for by tests, scripts and notebooks."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dplint.check import check_chosen
from dplint.check.choosing import Choice
from dplint.claims import Span
from dplint.config import COMMAND_LINE, ClaimTable, ConfigError, Layer, Settings, SettingsByFile, environment_layer
from dplint.outcomes import CheckError, CheckEvent
from dplint.report import problem_words
from dplint.report.explaining import meet
from dplint.report.gathered import gather, problems
from dplint.source.arguments import as_table
from dplint.source.places import import_place
from dplint.testing.standing import file_of, qualname_of
from dplint.testing.verdict import Verdict


class PrivacyViolation(AssertionError):
    """A function breaks its claim. verdict: with the counterexample; the message is its report."""

    __module__ = "dplint.testing"
    """As it is imported, and as a summary of tests has room for."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.text)
        self.verdict = verdict


class NotCheckedError(RuntimeError):
    """A claim is wrong, or the function could not be run; so nothing is known of its privacy."""


def assert_private(
    function: Callable[..., Any],
    *,
    epsilon: float | str | None = None,
    neighbors: str | Callable[..., Any] = "linf",
    budget: float | str | None = None,
    runs: int | None = None,
    seed: int | None = None,
    **claim: Any,
) -> Verdict:
    """Audit a function, and fail if it is found not to be private. What it returns otherwise is no proof of privacy.

    The arguments are those of `find_violation`.

    Raises:
        PrivacyViolation: there is a counterexample, or the rules find an error. It is an AssertionError.
        NotCheckedError: the claim is wrong, or the function could not be run.
        NoSourceError: the function has no source, or no name that leads to it.
    """
    __tracebackhide__ = True  # pytest ends the traceback at the line of the test
    verdict = find_violation(
        function, epsilon=epsilon, neighbors=neighbors, budget=budget, runs=runs, seed=seed, **claim
    )
    if verdict.violated or verdict.errors:
        raise PrivacyViolation(verdict)
    return verdict


def find_violation(
    function: Callable[..., Any],
    *,
    epsilon: float | str | None = None,
    neighbors: str | Callable[..., Any] = "linf",
    budget: float | str | None = None,
    runs: int | None = None,
    seed: int | None = None,
    **claim: Any,
) -> Verdict:
    """Audit a function, and tell what was found.

    function: of a module, a script or a notebook; it is imported and run in processes of its own. Of a script or a
    notebook only the statements that it mentions are run. epsilon: what it promises, as in `dplint.dp`, and with it
    neighbors and the other arguments of `dp` (delta, sensitivity, domain, size, args, data, rng, make, observe); None
    for the claim that it bears. budget: seconds, or a text such as "5s"; runs: a number of single runs instead. Where
    neither is given, the settings of the project decide. seed: of the audit.

    Raises:
        NotCheckedError: the claim is wrong, or the function could not be run.
        NoSourceError: the function has no source, or no name that leads to it.
    """
    __tracebackhide__ = True
    if epsilon is None and claim:
        raise NotCheckedError(f"{', '.join(claim)} belong to a claim: give epsilon, too.")
    name = qualname_of(function)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = file_of(function, Path(folder)).absolute()
        settings = _settings(path, {"budget": budget, "runs": runs, "seed": seed})
        if epsilon is not None:
            values = {"epsilon": epsilon, "neighbors": _neighbors(neighbors, function), **claim}
            settings = _with_claim(settings, path, name, values)
        events: list[CheckEvent] = list(check_chosen([path], [Choice(path, name)], SettingsByFile.fixed(settings)))
    verdict = Verdict(meet(gather(events)), time.monotonic() - started)
    if not verdict.checked:
        raise NotCheckedError("\n".join(_reasons(verdict)))
    return verdict


def _settings(path: Path, given: Mapping[str, object]) -> Settings:
    values = {key: value for key, value in given.items() if value is not None} | {"jobs": 1, "repairs": False}
    try:
        layers = [environment_layer(), Layer(COMMAND_LINE, values, {key: key for key in values})]
        return SettingsByFile.of(path.parent, layers).of_file(path)
    except ConfigError as error:
        raise NotCheckedError(str(error)) from None


def _with_claim(settings: Settings, path: Path, name: str, values: Mapping[str, object]) -> Settings:
    key = f"{import_place(path).module}:{name}"
    written = {one: as_table(value) for one, value in values.items()}
    table = ClaimTable(key, written, str(path), Span(1, 1, 1, 1))
    return replace(settings, mechanisms={**settings.mechanisms, key: table})


def _neighbors(neighbors: str | Callable[..., Any], function: Callable[..., Any]) -> str:
    if isinstance(neighbors, str):
        return neighbors
    own = getattr(neighbors, "__module__", None) == getattr(function, "__module__", None)
    return f"{'' if own else neighbors.__module__}:{qualname_of(neighbors)}"


def _reasons(verdict: Verdict) -> Sequence[str]:
    return [
        f"{one.file}: {one.message}" if isinstance(one, CheckError) else problem_words.text(one)
        for one in problems(verdict.gathered)
    ] or ["nothing was checked"]
