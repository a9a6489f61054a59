"""`dplint check`: call, gather, render.

Arguments of `check` that mean one function of a file: FILE::FUNCTION and FILE:LINE.

Ctrl-C in a terminal: the first asks the check to end with what is known so far, the second ends it at once.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from dplint import check
from dplint.check.cells import Cells, in_cells
from dplint.check.choosing import Choice
from dplint.check.continuing import cache_root
from dplint.cli import writing
from dplint.cli.buffer import Buffer, forget_lines, read_buffer, source_line
from dplint.cli.elsewhere import elsewhere_of
from dplint.cli.options import Output, outputs
from dplint.cli.output import require_writable, say, watched
from dplint.cli.overrides import overrides, repeat_words, settings_by_file
from dplint.cli.writing import code_of, loading_formats, write_reports
from dplint.config import SettingsByFile, hint
from dplint.contents import content, given_for
from dplint.outcomes import Changes, CheckError, CheckEvent
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import Gathered, gather
from dplint.source.files import SUFFIXES
from dplint.source.notebooks import is_notebook, read_notebook, split_cell
from dplint.source.text import DecodeError
from dplint.store import StoreProblem, refusal
from dplint.workers.pool import Stop

if TYPE_CHECKING:
    from dplint.contracts.tree import Budget

_LINE = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d*)")


def read_choices(paths: Sequence[Path]) -> tuple[tuple[Path, ...], tuple[Choice, ...]]:
    """The files and folders to read, and what is wanted of some of them. A file of such a name is what it is.

    Raises:
        click.UsageError: a file is to be checked as a whole and in part.
    """
    files: dict[Path, None] = {}
    choices: list[Choice] = []
    whole: set[Path] = set()
    for path in paths:
        choice = None if path.exists() else _choice(str(path))
        files[path if choice is None else choice.path] = None
        if choice is None:
            whole.add(path.resolve())
        else:
            choices.append(choice)
    for choice in choices:
        if choice.path.resolve() in whole:
            raise click.UsageError(f"'{choice.path}' is given as a whole and in part: give one of the two.")
        if choice.path.is_dir():
            raise click.UsageError(f"'{choice.path}' is a folder: name the file that holds {choice.words()}.")
    return tuple(files), tuple(choices)


def _choice(text: str) -> Choice | None:
    file, separator, function = text.rpartition("::")
    if separator and file and function:
        return Choice(Path(file), function)
    found = _LINE.fullmatch(text)
    if found is None:
        return None
    path, cell = split_cell(found["file"])
    line = int(found["line"])
    return Choice(Path(path), _in_notebook(Path(path), cell, line) if is_notebook(path) else line)


def _in_notebook(path: Path, cell: int | None, line: int) -> int:
    """The line of the module that the cells are read as."""
    if cell is None:
        raise click.UsageError(f"'{path}' is a notebook, in which lines count by cell: write '{path}:cell 3:{line}'.")
    try:
        return read_notebook(content(path)).module_line(cell, line)
    except (OSError, DecodeError):
        return line  # which the check tells
    except ValueError:
        raise click.UsageError(f"'{path}' has no code cell {cell}, of all cells counted from 1.") from None


INTERRUPTED = 130
"""Exit code after Ctrl-C, also where violations were found before: as with pytest, what was cut short says so first."""


@contextmanager
def asked_by_interrupt(stop: Stop) -> Iterator[None]:
    """Meanwhile the first Ctrl-C makes the request, and the next one raises KeyboardInterrupt.

    Only where somebody sits at a terminal: a script that sends the signal wants an end, and gets it at once.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not (usual and sys.stderr.isatty() and threading.current_thread() is threading.main_thread()):
        yield
        return

    def ask(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop.request()

    signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True, slots=True)
class Request:
    """What to check, and what to do with the outcome.

    values: the settings that were given as options. baseline: the file of what is known. known: its fingerprints, None
    where there are none to be heeded.
    choices: functions of some of the paths that are wanted alone.
    """

    paths: tuple[Path, ...]
    buffer: Buffer | None
    values: Mapping[str, object]
    outputs: Sequence[Output]
    options: Mapping[str, Any]
    baseline: Path | None = None
    known: frozenset[str] | None = None
    choices: tuple[Choice, ...] = ()

    @property
    def start(self) -> Path:
        """Where the settings are looked for."""
        return self.paths[0] if self.buffer is None else self.buffer.path


def run_check(paths: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Check the paths, write the reports, and return the exit code; after a Ctrl-C, the report of what is known so far.

    Raises:
        click.ClickException: a path does not exist, an option is wrong, or a report cannot be written.
    """
    forget_lines()
    request = read_request(paths, options)
    _tell_refusals(request)
    if options["fix"] or options["diff"]:
        from dplint.cli.run_fix import fix_files  # noqa: PLC0415 - only where it is asked for

        code = fix_files(request.paths, request.choices, request.values, options)
        if code is not None:
            return max(code, _shown_repairs(request))
    stop = Stop()
    gathered, seconds = examine(request, stop, stop)
    if options["fix"] and not stop.requested:
        from dplint.cli.run_fix import apply_repairs  # noqa: PLC0415

        if apply_repairs(gathered, unsafe=options["unsafe_fixes"]):
            gathered, seconds = examine(request, stop, stop)
    if stop.requested:
        report(request, meet(gathered), seconds)
        return INTERRUPTED
    if options["add_ignore"]:
        from dplint.cli.run_fix import add_ignores  # noqa: PLC0415 - only where it is asked for

        return add_ignores(gathered, request.values)
    if options["write_baseline"]:
        assert request.baseline is not None
        gathered = writing.write(gathered, request.baseline, source_line)
    gathered = meet(gathered)
    report(request, gathered, seconds)
    code = max(code_of(gathered), _without_claims(request, gathered))
    return 0 if code == 1 and options["exit_zero"] else code


def _shown_repairs(request: Request) -> int:
    """Show the repairs of what a check refutes; 1 if there are some. Nothing is run where the settings say so."""
    settings = settings_by_file(request.start, request.values)
    if isinstance(settings, CheckError) or settings.base.static_only or settings.base.repairs is False:
        return 0
    from dplint.cli.run_fix import show_repairs  # noqa: PLC0415

    stop = Stop()
    gathered, _ = examine(request, stop, stop)
    return int(show_repairs(gathered, unsafe=request.options["unsafe_fixes"]))


def _tell_refusals(request: Request) -> None:
    """Say which caches are left alone: a check that runs nothing has no other place for that."""
    if request.options["cache"] is False or request.options["quiet"]:
        return
    roots = dict.fromkeys(cache_root((path / "any.py" if path.is_dir() else path).absolute()) for path in request.paths)
    for why in filter(None, map(refusal, roots)):
        say(f"dplint: {why}")


def _without_claims(request: Request, gathered: Gathered) -> int:
    """Say so where nothing bears a claim, and return what that makes of the exit code."""
    if request.buffer is not None or request.choices or request.options["shard"] is not None:
        return 0
    from dplint.cli.claimless import is_claimless, tell  # noqa: PLC0415 - only after a check

    settings = settings_by_file(request.start, request.values)
    if isinstance(settings, CheckError) or not is_claimless(request.paths, settings, gathered):
        return 0
    if not request.options["quiet"]:
        tell(request.paths, settings, boxed=any(one.form == "rich" for one in request.outputs))
    return 2 if request.options["require_claims"] else 0


def read_request(paths: Sequence[Path], options: Mapping[str, Any]) -> Request:
    """What is asked for.

    Raises:
        click.UsageError: a path does not exist, or options do not fit.
    """
    chosen = outputs(options["formats"], options["output_file"])
    require_writable(*(one.path for one in chosen))
    buffer = read_buffer(paths, options["stdin_filename"])
    if buffer is None:
        files, choices = read_choices(paths)
        for path in files:
            require_path(path)
    else:
        files, choices = (buffer.path,), () if buffer.function is None else (Choice(buffer.path, buffer.function),)
    _require_fitting(options, buffered=buffer is not None, chosen=bool(choices))
    if options["unsafe_fixes"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--unsafe-fixes says which fixes; give --fix to apply them, or --diff to see them.")
    values = overrides(options)
    if options["fix"] or options["diff"]:
        values = {"repairs": True, **values}
    request = Request(files, buffer, values, chosen, options, choices=choices)
    settings = settings_by_file(request.start, request.values)
    named = None if isinstance(settings, CheckError) else settings.base.baseline
    file = None if named is None else Path(named)
    return replace(request, baseline=file, known=writing.require_baseline(file, options))


def _require_fitting(options: Mapping[str, Any], *, buffered: bool, chosen: bool) -> None:
    """Refuse what changes files, or lasts, where no whole files are checked once."""
    for name in ("watch", "fix", "diff", "add_ignore", "write_baseline"):
        option = f"--{name.replace('_', '-')}"
        writes = name != "diff"
        if options[name] and ((buffered and writes) or (options["watch"] and name != "watch")):
            other = "a text on the standard input" if buffered else "--watch"
            raise click.UsageError(f"{option} is for files, and does not go with {other}.")
        if options[name] and chosen and writes:
            raise click.UsageError(f"{option} is for whole files, and does not go with FILE::FUNCTION.")
        if options[name] and options["shard"] is not None:
            raise click.UsageError(f"{option} is for a whole check, and does not go with --shard.")
    if options["cluster"] is not None and (buffered or options["watch"]):
        other = "a text on the standard input" if buffered else "--watch"
        raise click.UsageError(f"--cluster is for files that are checked once, and does not go with {other}.")
    if options["resume"] and options["cache"] is False:
        raise click.UsageError("--resume goes on from the cache, and does not go with --no-cache.")
    if options["costs"] and options["shard"] is None:
        raise click.UsageError("--costs says how parts are dealt, and goes with --shard.")
    if options["shard"] is not None and (buffered or chosen):
        other = "a text on the standard input" if buffered else "FILE::FUNCTION"
        raise click.UsageError(f"--shard is for files, and does not go with {other}.")


def examine(request: Request, stop: Stop, asked: Stop) -> tuple[Gathered, float]:
    """What a check finds, and the seconds that it took. asked: the request to end that a person can make.

    Raises:
        click.UsageError: an option is wrong.
    """
    started = time.monotonic()
    settings = settings_by_file(request.start, request.values)
    if isinstance(settings, CheckError):
        gathered = gather([settings])
    else:
        shown = not (request.options["quiet"] or request.options["no_progress"])
        with elsewhere_of(request.options, settings) as elsewhere:
            events = loading_formats(_events(request, settings, stop, elsewhere), request.outputs)
            try:
                with asked_by_interrupt(asked), closing(watched(events, asked, shown=shown)) as stream:
                    gathered = gather(stream)
            except StoreProblem as problem:
                raise click.UsageError(f"--shard: the shared cache deals the parts, and {problem}.") from None
    if request.known is not None and request.baseline is not None:
        gathered = writing.heed(gathered, request.known, request.baseline, source_line)
    return gathered, time.monotonic() - started


def report(request: Request, gathered: Gathered, seconds: float, changes: Changes | None = None) -> None:
    """Write all reports that are asked for. gathered: after `meet`. changes: if it is about these alone.

    Raises:
        click.FileError: a file cannot be written.
    """
    options = request.options
    whole = Report(
        gathered,
        seconds,
        source_line,
        quiet=options["quiet"],
        repeat=repeat_words(request.values),
        verbose=options["verbose"],
        changes=changes,
        budgets=_budgets(request),
    )
    write_reports(whole, request.outputs)
    if request.outputs and all(one.path for one in request.outputs) and not options["quiet"]:
        _say_where(request, gathered)


def _budgets(request: Request) -> list[Budget]:
    """What each mechanism spends, where a report asks for that."""
    settings = settings_by_file(request.start, request.values)
    if isinstance(settings, CheckError) or not any(format_of(one.form).files for one in request.outputs):
        return []
    from dplint.check.budget_shares import budgets  # noqa: PLC0415 - only where a format asks for it

    found = (one for one in budgets(request.paths, settings) if not isinstance(one, CheckError))
    return list(map(Cells().budget, found))


def _say_where(request: Request, gathered: Gathered) -> None:
    """How a check ended of which the terminal has no report."""
    from dplint.report.numerals import listing  # noqa: PLC0415 - as late as the reports
    from dplint.report.summary import counts_words  # noqa: PLC0415

    say(f"{counts_words(gathered)}. Written: {listing([str(one.path) for one in request.outputs])}.")


def require_path(path: Path) -> None:
    """Raise a usage error that names the nearest sibling if the path does not exist, and no text stands for it."""
    if path.exists() or given_for(path) is not None:
        return
    parent = path.parent
    if not parent.is_dir():
        require_path(parent)
        raise click.UsageError(f"'{path}' does not exist: '{parent}' is not a folder.")
    siblings = sorted(entry.name for entry in parent.iterdir() if _is_candidate(entry))
    near = hint(path.name, siblings, noun="folders and Python files there") if siblings else "There is no Python file."
    raise click.UsageError(f"'{path}' does not exist. {near}")


def _events(request: Request, settings: SettingsByFile, stop: Stop, elsewhere: check.Elsewhere) -> Iterator[CheckEvent]:
    if request.buffer is not None:
        return in_cells(check.check_text(request.buffer.raw, request.buffer.path, settings, stop, request.choices))
    if request.choices:
        return in_cells(check.check_chosen(request.paths, request.choices, settings, stop, elsewhere))
    shard, costs = request.options["shard"], request.options["costs"]
    return in_cells(check.check_paths(request.paths, settings, stop, shard, elsewhere, costs))


def _is_candidate(entry: Path) -> bool:
    return entry.suffix in SUFFIXES or (entry.is_dir() and not entry.name.startswith("."))
