"""Repairs of what a check has refuted, put into the files or shown: what is proved, or by request others, too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from dplint.check.repairing import unified
from dplint.check.sparing import CODE
from dplint.cli.differences import difference
from dplint.cli.output import report_stream, say
from dplint.outcomes import Edit, Known, Proved, Repair, Result
from dplint.report.gathered import Gathered
from dplint.report.repair_words import known_words
from dplint.source.edits import Original, OverlapError, apply_edits, read_original, replace_content
from dplint.source.text import DecodeError


def apply_repairs(gathered: Gathered, *, unsafe: bool) -> bool:
    """Write the best repair of each violation; whether something was changed. Raises click.FileError."""
    changed = False
    for original, text, done in _mended(gathered, unsafe=unsafe):
        try:
            replace_content(original, original.encode(text))
        except OSError as error:
            raise click.FileError(str(original.path), error.strerror) from None
        changed = True
        for result, repair in done:
            say(f"Fixed {result.mechanism.name}: {repair.title} ({known_words(repair)})")
    return changed


def show_repairs(gathered: Gathered, *, unsafe: bool) -> bool:
    """Print what `apply_repairs` would change, as diffs; whether that is something."""
    shown = False
    with report_stream(None) as stream:
        for original, text, done in _mended(gathered, unsafe=unsafe):
            stream.write(difference(done[0][0].mechanism.file, original, text))
            for result, repair in done:
                say(f"Would fix {result.mechanism.name}: {repair.title} ({known_words(repair)})")
            shown = True
    sys.stdout.flush()
    return shown


def _mended(gathered: Gathered, *, unsafe: bool) -> Iterator[tuple[Original, str, list[tuple[Result, Repair]]]]:
    """Each file with the best repairs in it, those left out whose edits meet; and what was done."""
    by_file: dict[str, list[tuple[Result, Repair]]] = {}
    told = {(one.file, one.function) for one in gathered.findings if one.code == CODE}
    for result in gathered.results:
        if isinstance(result.outcome, Proved) and (result.mechanism.file, result.mechanism.qualname) not in told:
            continue  # somebody has silenced that there is noise to spare
        best = next((one for one in result.repairs if unsafe or one.known is Known.PROVED), None)
        if best is not None:
            by_file.setdefault(result.mechanism.path, []).append((result, best))
    for path, chosen in by_file.items():
        try:
            original = read_original(Path(path))
        except (OSError, DecodeError):
            continue
        edits: tuple[Edit, ...] = ()
        done: list[tuple[Result, Repair]] = []
        for result, repair in chosen:
            try:
                alone = apply_edits(original.text, repair.edits)
                apply_edits(original.text, (*edits, *repair.edits))
            except OverlapError:
                continue
            if unified(result.mechanism.file, original.text, alone) == repair.diff:  # else the file has changed
                edits, done = (*edits, *repair.edits), [*done, (result, repair)]
        if done:
            yield original, apply_edits(original.text, edits), done
