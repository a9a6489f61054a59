"""`assert_private` and `find_violation`: audits of one function, asked for by tests, scripts and notebooks.

Where a function stands: its file, or for one of a script or a notebook a module with it and what it mentions.

What an audit of one function has found, as an object that shows itself in terminals and notebooks.
"""

from __future__ import annotations

import ast
import inspect
import io
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dplint.check import check_chosen
from dplint.check.choosing import Choice
from dplint.claims import Span
from dplint.cli.buffer import source_line
from dplint.config import COMMAND_LINE, ClaimTable, ConfigError, Layer, Settings, SettingsByFile, environment_layer
from dplint.outcomes import CheckError, CheckEvent, Failed, Finding, Result, Severity, Unstable, Untestable, Violation
from dplint.report import problem_words
from dplint.report.documents import document
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import Gathered, gather, problems
from dplint.report.literals import one_line
from dplint.source.arguments import as_table
from dplint.source.files import import_place
from dplint.syntax import parse_text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


class NoSourceError(ValueError):
    """The source of a function cannot be found, or no name leads to it."""


def qualname_of(function: Callable[..., Any]) -> str:
    """The qualified name of a function or method.

    Raises:
        NoSourceError: it has none that could be imported.
    """
    name = getattr(function, "__qualname__", None)
    if not isinstance(name, str) or "<" in name:
        shown = name or repr(function)
        raise NoSourceError(f"{shown} has no name that it could be imported by: put it at the top of a module.")
    return name


def file_of(function: Callable[..., Any], folder: Path) -> Path:
    """The file to check. Of a function of `__main__`, a script or a notebook, a new file in the folder.

    That has the statements of the script that the function needs, by name, and leaves out the others: so nothing of
    them is run again, and what they change is not there.

    Raises:
        NoSourceError: there is no source.
    """
    name = qualname_of(function)
    source = inspect.unwrap(function)
    module = getattr(source, "__module__", None)
    if module != "__main__":
        try:
            file = inspect.getsourcefile(source)
        except TypeError:
            file = None
        if file is None or not Path(file).is_file():
            raise NoSourceError(f"the source of {name} cannot be found: it has to stand in a file.")
        return Path(file)
    path = folder / "script.py"
    path.write_text(needed(_main_text(name), name.partition(".")[0]), encoding="utf-8")
    return path


def _main_text(name: str) -> str:
    """The text of the script, or of all cells that a notebook has run."""
    main = sys.modules["__main__"]
    shell = getattr(main, "get_ipython", lambda: None)()
    if shell is not None:
        return "\n\n".join(shell.history_manager.input_hist_parsed)
    file = getattr(main, "__file__", None)
    if file is None or not Path(file).is_file():
        raise NoSourceError(f"the source of {name} cannot be found: put it into a file.")
    return Path(file).read_text(encoding="utf-8")


def needed(text: str, name: str) -> str:
    """The top-level statements that bind the name or what these mention in turn; of a function the last definition.

    Raises:
        NoSourceError: nothing binds it, or the text does not parse.
    """
    try:
        body = parse_text(text).body
    except SyntaxError as error:
        raise NoSourceError(f"the source around {name} does not parse: {error}") from None
    binders: dict[str, list[int]] = {}
    for number, statement in enumerate(body):
        for bound in _bound(statement):
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                binders[bound] = []  # what was defined under this name before is gone
            binders.setdefault(bound, []).append(number)
    if name not in binders:
        raise NoSourceError(f"{name} is defined in no statement at the top of the script.")
    wanted: set[int] = set()
    pending = [name]
    while pending:
        for number in binders.get(pending.pop(), ()):
            if number not in wanted:
                wanted.add(number)
                pending += _mentioned(body[number])
    return "\n\n".join(ast.unparse(body[number]) for number in sorted(wanted)) + "\n"


def _bound(statement: ast.stmt) -> Iterable[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [one.asname or one.name.partition(".")[0] for one in names]
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return [
                one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            ]
        case _:
            return []


def _mentioned(statement: ast.stmt) -> list[str]:
    return [one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]


_WIDTH = 100


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """The outcome of one function's audit.

    gathered: all that was found. seconds: how long it took. "No violation" is not a proof of privacy: `text` says what
    was tried.
    """

    gathered: Gathered
    seconds: float

    @property
    def result(self) -> Result | None:
        """The verdict on the function, None where its claim cannot be read."""
        return next(iter(self.gathered.results), None)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings of the rules that are errors."""
        return tuple(one for one in self.gathered.all_findings if one.severity is Severity.ERROR)

    @property
    def violated(self) -> bool:
        """Whether a counterexample was found."""
        return self.result is not None and isinstance(self.result.outcome, Violation | Unstable)

    @property
    def checked(self) -> bool:
        """Whether the audit came to an end: the function could be run, and its claim be read."""
        outcome = None if self.result is None else self.result.outcome
        return not self.gathered.errors and outcome is not None and not isinstance(outcome, Failed | Untestable)

    @property
    def epsilon_lower(self) -> float | None:
        """The lower bound of epsilon that the counterexample shows, None without one; infinite where only one input
        can have the event.
        """
        outcome = None if self.result is None else self.result.outcome
        return outcome.epsilon_lower if isinstance(outcome, Violation) else None

    @property
    def text(self) -> str:
        """The report as `dplint check` prints it, without colours."""
        stream = io.StringIO()
        format_of("rich").write(Report(self.gathered, self.seconds, source_line), stream)
        return stream.getvalue()

    @property
    def said(self) -> str:
        """What is known, in a few words: "release is not 0.7-private: at least 0.805"."""
        problem = self.result or next(iter(self.errors), None)
        return "nothing was checked" if problem is None else one_line("".join(document(problem, source_line).head.said))

    @property
    def line(self) -> str:
        """The verdict in a line, as a report begins: the place, the code, and what is known."""
        problem = self.result or next(iter(self.errors), None)
        if problem is None:
            return "nothing was checked"
        head = document(problem, source_line).head
        return one_line(" ".join(part for part in (head.place, head.code, "".join(head.said)) if part))

    def __repr__(self) -> str:
        return f"<Verdict on {self.line}>"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text  # noqa: PLC0415 - only where it is shown

        yield Text.from_ansi(self._coloured(min(options.max_width, _WIDTH)))

    def _repr_html_(self) -> str:
        """The report in a notebook: one element with its own styles, nothing from elsewhere."""
        from rich.console import Console  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        console = Console(record=True, file=io.StringIO(), width=_WIDTH, force_terminal=True, color_system="truecolor")
        console.print(Text.from_ansi(self._coloured(_WIDTH)))
        return console.export_html(inline_styles=True, code_format='<pre style="line-height: 1.2">{code}</pre>')

    def _coloured(self, width: int) -> str:
        from dplint.report.terminal import SafeConsole, print_report  # noqa: PLC0415

        stream = io.StringIO()
        console = SafeConsole(file=stream, width=width, force_terminal=True, color_system="truecolor", highlight=False)
        print_report(Report(self.gathered, self.seconds, source_line), console)
        return stream.getvalue()


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
    neighbors and the other arguments of `dp` (delta, sensitivity, domain, size, args, data, rng, make, observe); or
    rho, mu, renyi or curve in its place; None of them for the claim that it bears. budget: seconds, or a text such as
    "5s"; runs: a number of single runs instead. Where neither is given, the settings of the project decide. seed: of
    the audit.

    Raises:
        NotCheckedError: the claim is wrong, or the function could not be run.
        NoSourceError: the function has no source, or no name that leads to it.
    """
    __tracebackhide__ = True
    promised = epsilon is not None or not claim.keys().isdisjoint(("rho", "mu", "renyi", "curve"))
    if claim and not promised:
        raise NotCheckedError(f"{', '.join(claim)} belong to a claim: give epsilon, too.")
    name = qualname_of(function)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = file_of(function, Path(folder)).absolute()
        settings = _settings(path, {"budget": budget, "runs": runs, "seed": seed})
        if promised:
            values = {"epsilon": epsilon, "neighbors": _reference(neighbors, function), **claim}
            values |= {"curve": _reference(claim["curve"], function)} if "curve" in claim else {}
            values = {key: value for key, value in values.items() if key != "epsilon" or value is not None}
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


def _reference(given: str | Callable[..., Any], function: Callable[..., Any]) -> str:
    """A function as a table of claims names it."""
    if isinstance(given, str):
        return given
    own = getattr(given, "__module__", None) == getattr(function, "__module__", None)
    return f"{'' if own else given.__module__}:{qualname_of(given)}"


def _reasons(verdict: Verdict) -> Sequence[str]:
    return [
        f"{one.file}: {one.message}" if isinstance(one, CheckError) else problem_words.text(one)
        for one in problems(verdict.gathered)
    ] or ["nothing was checked"]
