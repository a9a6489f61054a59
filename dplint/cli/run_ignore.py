"""`dplint check --add-ignore`: a comment for everything that is reported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from dplint.check.ignoring import can_be_ignored, ignore_in_file
from dplint.cli.output import report_stream
from dplint.cli.overrides import settings_by_file
from dplint.config import shown
from dplint.outcomes import CheckError, Finding, Result
from dplint.report import numerals, problem_words
from dplint.report.gathered import Gathered, SharedFailure, place, problems
from dplint.source.cell_names import split_cell


def add_ignores(gathered: Gathered, values: Mapping[str, object]) -> int:
    """Write the comments, say which, and return the exit code: 2 if something could not be checked or silenced.

    Raises:
        click.FileError: a file cannot be written.
    """
    wanted: dict[str, list[Finding | Result]] = {}
    left: list[str] = []
    for problem in problems(gathered):
        file, line, _ = place(problem)
        in_notebook = split_cell(file)[1] is not None
        if isinstance(problem, CheckError | SharedFailure) or in_notebook or not can_be_ignored(problem):
            left.append(f"{file}:{line}: {problem_words.code(problem) or 'error'} {problem_words.text(problem)}")
        else:
            wanted.setdefault(place(problem)[0], []).append(problem)
    added = _write(wanted, values, left)
    with report_stream(None) as stream:
        stream.write("".join(f"{line}\n" for line in added))
        if left:
            stream.write("Not silenced:\n" + "".join(f"  {line}\n" for line in left))
        files = numerals.count(len(wanted), "file")
        stream.write(
            f"{numerals.count(len(added), 'problem')} silenced in {files}.\n" if added else "Nothing to silence.\n"
        )
    return 2 if left else 0


def _write(wanted: Mapping[str, list[Finding | Result]], values: Mapping[str, object], left: list[str]) -> list[str]:
    added: list[str] = []
    settings = settings_by_file(Path(next(iter(wanted), ".")), values)
    if isinstance(settings, CheckError):
        return added  # it is among the errors of the check
    for file, found in wanted.items():
        path = Path(file).absolute()
        done = ignore_in_file(path, found, settings.of_file(path))
        if isinstance(done, CheckError):
            left.append(f"{done.file}: {done.message}")
            continue
        try:
            done.write()
        except OSError as error:
            raise click.FileError(shown(path), error.strerror) from None
        added += (f"{file}:{place(one)[1]}: {problem_words.code(one)} silenced{_where(one)}" for one in done.problems)
    return added


def _where(problem: Finding | Result) -> str:
    return f" for all of `{problem.mechanism.qualname}`" if isinstance(problem, Result) else " in this line"
