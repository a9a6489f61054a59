"""A live display of a check: what is refuted so far, one overall line, and one for each running mechanism.

Transient, and only on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, assert_never

from rich.cells import set_cell_size
from rich.console import Console, RenderableType
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from dplint import outcomes as out
from dplint.claims import Mechanism
from dplint.outcomes import Progress as Step
from dplint.report import numerals
from dplint.report.document import plain
from dplint.report.literals import printable
from dplint.report.style import Glyphs, bar, glyphs
from dplint.report.violation import title
from dplint.report.words import STOPPING

NAME_WIDTH = 28
BAR = 10
_RUNS, _LOWER, _CLAIMED, _EVENT = 10, 29, 36, 12
"""Columns of the runs, of the lower bound without and with the claim, and the least for an event: nothing may jump."""
_ECHO = 3
"""Columns left free at the end: where a terminal's echo of ^C breaks the line, the display is not removed whole."""
_AROUND = 1 + 1 + 1 + BAR + 1 + 1 + 7 + _ECHO
"""Columns of a line for all but the name and the state: spinner, bar, time, and what is between and behind them."""

_MOST_REFUTED = 8
"""Violations that are shown before the report is there, the first ones."""


class LiveProgress:
    """Shows the events that it is told of; a context manager that leaves the terminal as it was.

    Every line has the same width at all times. Where the console is no terminal it shows nothing.
    """

    def __init__(self, console: Console) -> None:
        """The console is that of stderr, so that a report on stdout can be piped on."""
        characters = glyphs(console.encoding)
        self._name = min(NAME_WIDTH, max(14, (console.width - _AROUND) // 3 - 6))
        self._room = max(10, console.width - _AROUND - self._name)
        self._width = _AROUND - _ECHO + self._name + self._room
        self._progress = _Display(
            SpinnerColumn("dots" if characters.bar != "#" else "line"),
            TextColumn("{task.description}", markup=False),
            _BarColumn(characters),
            TextColumn("{task.fields[state]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal or console.is_dumb_terminal,
        )
        self._running: dict[str, TaskID] = {}
        self._done: set[str] = set()
        self._violations = 0
        self._stopping = False
        self._overall = self._progress.add_task(
            set_cell_size("dplint", self._name), total=None, state="", evidence=False
        )

    def __enter__(self) -> Self:
        """Start to draw."""
        self._progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Remove the display."""
        self._progress.stop()

    def show(self, event: out.CheckEvent | out.Answer) -> None:
        """Take one event into account."""
        match event:
            case out.Plan():
                before = self._progress.tasks[0].total or 0
                self._progress.update(self._overall, total=before + len(event.mechanisms))
                self._update_overall()
            case Step():
                self._step(event)
            case out.Result():
                self._finish(event)
            case out.Silenced(item=out.Result() as result):
                self._finish(result, silenced=True)
            case out.Repaired():
                self._remove(event.mechanism)
            case out.Finding() | out.Silenced() | out.CheckError():
                pass
            case out.Curve() | out.ExactTable() | out.WorstInput() | out.Sensitivity() | out.TrainingBound():
                pass
            case _:
                assert_never(event)

    def stopping(self) -> None:
        """Show that the check was asked to end."""
        self._stopping = True
        self._update_overall()

    def _step(self, step: Step) -> None:
        name, standing = step.mechanism.name, step.standing
        if standing is None:
            # a plan that is used up, or that there is none of yet, says nothing of how much is left
            planned = step.total > step.done
            state, done, total = _plan_words(step), float(step.done if planned else 0), float(step.total or 1)
        else:
            state, done, total = standing_words(step.done, standing, self._room), standing.share, 1.0
        state, evidence = set_cell_size(state, self._room), standing is not None
        if (task := self._running.get(name)) is None:
            description = set_cell_size(_short_name(step.mechanism, self._name), self._name)
            task = self._progress.add_task(description, completed=0, total=None, state=state, evidence=evidence)
            self._running[name] = task
        self._progress.update(task, completed=done, total=total, state=state, evidence=evidence)

    def _finish(self, result: out.Result, *, silenced: bool = False) -> None:
        self._done.add(result.mechanism.name)
        if isinstance(result.outcome, out.Violation) and not silenced:
            self._violations += 1
            self._progress.refuted.append(Text(set_cell_size(_head(result, result.outcome), self._width), "bold red"))
        self._remove(result.mechanism)
        self._update_overall()

    def _remove(self, mechanism: Mechanism) -> None:
        if (task := self._running.pop(mechanism.name, None)) is not None:
            self._progress.remove_task(task)

    def _update_overall(self) -> None:
        total = self._progress.tasks[0].total
        of = f" of {total:.0f}" if total is not None else ""
        found = f", {numerals.count(self._violations, 'violation')}" if self._violations else ""
        state = STOPPING if self._stopping else f"{len(self._done)}{of} mechanisms done{found}"
        self._progress.update(self._overall, completed=len(self._done), state=set_cell_size(state, self._room))


class _Display(Progress):
    """Progress below what is refuted so far: a check goes on for a while, to look for repairs for instance."""

    def __init__(self, *columns: str | ProgressColumn, **options: Any) -> None:
        self.refuted: list[Text] = []
        super().__init__(*columns, **options)

    def get_renderables(self) -> Iterable[RenderableType]:
        """See `Progress`."""
        yield from self.refuted[:_MOST_REFUTED]
        yield self.make_tasks_table(self.tasks)


def _head(result: out.Result, violation: out.Violation) -> str:
    """The line with which the report of a violation begins: its place, and what is broken, by how much."""
    mechanism = result.mechanism
    name = mechanism.qualname
    return f"{mechanism.file}:{mechanism.span.line}:{mechanism.span.column} {plain(title(name, violation))}"


class _BarColumn(ProgressColumn):
    """The share of what is planned that is done; in red, the share of the evidence for a violation that is there."""

    def __init__(self, characters: Glyphs) -> None:
        super().__init__()
        self._characters = characters

    def render(self, task: Task) -> Text:
        share = task.completed / task.total if task.total else 0.0
        filled = bar(share, BAR, self._characters)
        style = "red" if task.fields["evidence"] else "blue"
        return Text.assemble((filled, style), (self._characters.horizontal * (BAR - len(filled)), "dim"))


def standing_words(runs: int, standing: out.Standing, room: int) -> str:
    """Runs so far and the lower bound so far; where there is room for them, the claim and the event that leads."""
    wide = room >= _RUNS + 2 + _CLAIMED + 2 + _EVENT
    lower = "nothing found so far"
    if standing.lower > 0:
        lower = f"epsilon {numerals.shown(standing.lower, standing.epsilon)}"
        lower += f", claimed {numerals.claimed(standing.epsilon)}" if wide else " so far"
    words = f"{numerals.compact(runs) + ' runs':<{_RUNS}}  {lower:<{_CLAIMED if wide else _LOWER}}"
    left = room - len(words) - 2
    event = " ".join(printable(standing.event).split())
    if not wide or not event:
        return words
    return f"{words}  {event if len(event) <= left else event[: left - 3] + '...'}"


def _plan_words(step: Step) -> str:
    if step.total <= step.done:
        return f"{step.phase}: {numerals.compact(step.done)} runs done" if step.done else step.phase
    return f"{step.phase}: {numerals.compact(step.done)} runs done, {numerals.compact(step.total - step.done)} left"


def _short_name(mechanism: Mechanism, width: int) -> str:
    name = mechanism.qualname
    return name if len(name) <= width else "..." + name[-width + 3 :]
