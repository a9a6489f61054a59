"""`dplint check --diff-base`: read both states, check what differs, render."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from dplint.check.cells import in_cells
from dplint.check.changing import Comparison
from dplint.check.revisions import RevisionProblem, revision_of
from dplint.cli import writing
from dplint.cli.buffer import forget_lines, source_line
from dplint.cli.elsewhere import elsewhere_of
from dplint.cli.output import say, watched
from dplint.cli.overrides import settings_by_file
from dplint.cli.run_check import INTERRUPTED, Request, asked_by_interrupt, read_request, report
from dplint.cli.writing import code_of
from dplint.config import SettingsByFile
from dplint.outcomes import Changes, CheckError
from dplint.report.change_words import is_worse
from dplint.report.explaining import meet
from dplint.report.gathered import Gathered, gather
from dplint.workers.pool import Stop

_NOT_WITH = ("watch", "fix", "diff", "add_ignore", "write_baseline", "shard", "cluster")


def run_changes(paths: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Compare with the commit, write the reports, and return the exit code: 1 if something was made worse.

    Raises:
        click.ClickException: there is no such commit, an option is wrong, or a report cannot be written.
    """
    forget_lines()
    request = read_request(paths, options)
    wrong = next((name for name in _NOT_WITH if options[name]), None)
    if wrong is not None or request.buffer is not None or request.choices:
        what = f"--{wrong.replace('_', '-')}" if wrong else "FILE::FUNCTION and texts on the standard input"
        raise click.UsageError(f"--diff-base compares whole files once, and does not go with {what}.")
    settings = settings_by_file(request.start, request.values)
    if isinstance(settings, CheckError):
        report(request, gather([settings]), 0.0)
        return 2
    started, stop = time.monotonic(), Stop()
    gathered, changes = _compare(request, settings, stop)
    gathered = meet(gathered)
    report(request, gathered, time.monotonic() - started, changes)
    if stop.requested:
        return INTERRUPTED
    nothing = options["require_claims"] and changes.mechanisms == 0
    if nothing and not options["quiet"]:
        say("dplint: nothing bears a claim, and --require-claims asks for one.")
    code = 2 if nothing or code_of(gathered) == 2 else int(is_worse(changes))
    return 0 if code == 1 and options["exit_zero"] else code


def _compare(request: Request, settings: SettingsByFile, stop: Stop) -> tuple[Gathered, Changes]:
    shown = not (request.options["quiet"] or request.options["no_progress"])
    try:
        comparison = Comparison(request.paths, settings, revision_of(request.options["diff_base"], request.paths))
    except RevisionProblem as problem:
        raise click.UsageError(f"--diff-base: {problem}.") from None
    with elsewhere_of(request.options, settings) as elsewhere, asked_by_interrupt(stop):
        with closing(watched(comparison.events_before(stop, elsewhere), stop, shown=shown)) as stream:
            before = gather(stream)
        with closing(watched(in_cells(comparison.events_after(stop, elsewhere)), stop, shown=shown)) as stream:
            gathered = gather(stream)
    if request.known is not None and request.baseline is not None:
        gathered = writing.heed(gathered, request.known, request.baseline, source_line)
    silenced = [*gathered.silenced, *gathered.known]
    changes = comparison.changes([*before.results, *before.silenced], [*gathered.results, *silenced])
    return gathered, changes
