"""What an audit of one function has found, as an object that shows itself in terminals and notebooks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dplint.cli.quoting import source_line
from dplint.outcomes import Failed, Finding, Result, Severity, Unstable, Untestable, Violation
from dplint.report.documents import document
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import Gathered
from dplint.report.literals import one_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

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
        from dplint.report.console import SafeConsole  # noqa: PLC0415
        from dplint.report.terminal import print_report  # noqa: PLC0415

        stream = io.StringIO()
        console = SafeConsole(file=stream, width=width, force_terminal=True, color_system="truecolor", highlight=False)
        print_report(self.gathered, self.seconds, console, source_line)
        return stream.getvalue()
