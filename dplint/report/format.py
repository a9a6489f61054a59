"""What a format is: a name, whom it is for, and a function that writes the report of a check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from dplint.contracts.tree import Budget
    from dplint.outcomes import Changes
    from dplint.report.fingerprints import SourceLine
    from dplint.report.gathered import Gathered


def no_source(_file: str, _line: int) -> None:
    """For texts beside which the source stands anyway."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is made of, whatever its format.

    gathered: what the check has found. seconds: how long it took. source: gives lines of files. quiet: only what is
    wrong is wanted, without a summary. repeat: options that a command to reproduce a violation needs besides the seed.
    verbose: how evidence was won is wanted, too. changes: what differs from a commit, None where no one asked;
    `gathered` is about that alone then. budgets: of the mechanisms, where a format asks for them. earlier: what the
    file held in whose place the report goes, where the format asks for that. day: of the check, such as 2026-11-30.
    """

    gathered: Gathered
    seconds: float
    source: SourceLine = no_source
    quiet: bool = False
    repeat: str = ""
    verbose: bool = False
    changes: Changes | None = None
    budgets: Sequence[Budget] = ()
    earlier: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of `--format`.

    name: that of its file. description: one line, for lists of formats. write: writes a report to a stream. files: it
    is a page to be filed: it takes budgets, and what was in its place before.
    """

    name: str
    description: str
    write: Callable[[Report, TextIO], None]
    files: bool = False

    @classmethod
    def of_text(cls, name: str, description: str, text: Callable[[Report], str], *, files: bool = False) -> Format:
        """A format whose reports are the same wherever they go: a function from a report to its text."""

        def write(report: Report, stream: TextIO) -> None:
            stream.write(text(report))

        return cls(name, description, write, files)
