"""A live display of a check: one overall line and one for each running mechanism. Transient, and only on a terminal."""

from __future__ import annotations

from types import TracebackType
from typing import Self, assert_never

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from dplint.claims import Mechanism
from dplint.outcomes import CheckError, CheckEvent, Curve, Finding, Plan, Result, Violation
from dplint.outcomes import Progress as Step
from dplint.report import numerals
from dplint.report.style import glyphs

NAME_WIDTH = 28


class LiveProgress:
    """Shows the events that it is told of; a context manager that leaves the terminal as it was.

    Where the console is no terminal it shows nothing.
    """

    def __init__(self, console: Console) -> None:
        """The console is that of stderr, so that a report on stdout can be piped on."""
        spinner = SpinnerColumn("dots" if glyphs(console.encoding).bar != "#" else "line")
        self._progress = Progress(
            spinner,
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[state]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal or console.is_dumb_terminal,
        )
        self._running: dict[str, TaskID] = {}
        self._done: set[str] = set()
        self._violations = 0
        self._overall = self._progress.add_task("dplint", total=None, state="")

    def __enter__(self) -> Self:
        """Start to draw."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Remove the display."""
        self._progress.stop()

    def show(self, event: CheckEvent | Curve) -> None:
        """Take one event into account."""
        match event:
            case Plan():
                self._progress.update(self._overall, total=len(event.mechanisms))
                self._update_overall()
            case Step():
                self._step(event)
            case Result():
                self._finish(event)
            case Finding() | CheckError() | Curve():
                pass
            case _:
                assert_never(event)

    def _step(self, step: Step) -> None:
        name = step.mechanism.name
        left = max(0, step.total - step.done)
        state = f"{step.phase}: {numerals.compact(step.done)} runs done, {numerals.compact(left)} left"
        if name not in self._running:
            self._running[name] = self._progress.add_task(_short_name(step.mechanism), total=step.total, state=state)
        self._progress.update(self._running[name], completed=step.done, total=step.total or None, state=state)

    def _finish(self, result: Result) -> None:
        self._done.add(result.mechanism.name)
        self._violations += isinstance(result.outcome, Violation)
        if (task := self._running.pop(result.mechanism.name, None)) is not None:
            self._progress.remove_task(task)
        self._update_overall()

    def _update_overall(self) -> None:
        total = self._progress.tasks[0].total
        of = f" of {total:.0f}" if total is not None else ""
        found = f", {numerals.count(self._violations, 'violation')}" if self._violations else ""
        state = f"{len(self._done)}{of} mechanisms done{found}"
        self._progress.update(self._overall, completed=len(self._done), state=state)


def _short_name(mechanism: Mechanism) -> str:
    name = mechanism.qualname
    return name if len(name) <= NAME_WIDTH else "..." + name[-NAME_WIDTH + 3 :]
