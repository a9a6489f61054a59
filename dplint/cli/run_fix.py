"""`dplint check --fix` and `--diff`: findings are mended before anything is audited.

What a command would change in a file, as a unified diff.

Repairs of what a check has refuted, put into the files or shown: what is proved, or by request others, too.

`dplint check --add-ignore`: a comment for everything that is reported.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dplint.check.choosing import Choice
from dplint.check.fixing import EditedFile, can_be_ignored, fix_file, ignore_in_file
from dplint.check.noise_amounts import SPARE
from dplint.check.repairing import unified
from dplint.cli.output import report_stream, say, told_as
from dplint.cli.overrides import settings_by_file
from dplint.config import ConfigError, SettingsByFile, shown
from dplint.contents import content
from dplint.outcomes import CheckError, Edit, Finding, Known, Proved, Repair, Result
from dplint.report import numerals, problem_words
from dplint.report.gathered import Gathered, SharedFailure, place, problems
from dplint.report.repair_words import known_words
from dplint.source.edits import Original, OverlapError, apply_edits, read_original, replace_content
from dplint.source.files import Exclusions, find_files
from dplint.source.notebooks import as_written, split_cell
from dplint.source.read import MARK
from dplint.source.text import DecodeError


def difference(file: str, original: Original, text: str) -> str:
    """The difference to another text of the file; of a notebook between its cells, with magics as they are written."""
    before, after = original.text, text
    if original.notebook is not None:
        before, after = as_written(before), as_written(after)
    made = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{file}", f"b/{file}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made)


def fix_files(
    paths: Sequence[Path], choices: Sequence[Choice], values: Mapping[str, object], options: Mapping[str, Any]
) -> int | None:
    """Mend the files, or show how; the exit code, None if the check is to follow.

    Raises:
        click.ClickException: an option is wrong, or a file cannot be written.
    """
    settings = settings_by_file(paths[0], values)
    if isinstance(settings, CheckError):
        return None  # the check says what is wrong
    fixed = _fixed(paths, choices, settings, unsafe=options["unsafe_fixes"])
    if options["diff"]:
        return show_difference(fixed)
    fix_paths(fixed)
    return None


def fix_paths(found: Iterable[EditedFile[Finding] | CheckError]) -> None:
    """Mend the files and say on stderr what was done; what is wrong with a file, the check that follows will tell."""
    for fixed in found:
        if isinstance(fixed, CheckError):
            continue
        if fixed.done:
            with told_as(fixed.file):
                fixed.write()
        _tell(fixed)


def show_difference(found: Iterable[EditedFile[Finding] | CheckError]) -> int:
    """Print what `--fix` would change, and change nothing. 0: nothing. 1: something. 2: a file cannot be read."""
    code = 0
    with report_stream(None) as stream:
        for fixed in found:
            if isinstance(fixed, CheckError):
                say(f"{fixed.file}: {fixed.message}")
                code = 2
            elif fixed.done:
                stream.write(difference(fixed.file, fixed.original, fixed.text))
                code = max(code, 1)
            if not isinstance(fixed, CheckError):
                _tell(fixed, verb="Would fix")
    return code


def _fixed(
    paths: Sequence[Path], choices: Sequence[Choice], settings: SettingsByFile, *, unsafe: bool
) -> list[EditedFile[Finding] | CheckError]:
    done: list[EditedFile[Finding] | CheckError] = []
    for path in find_files(paths, exclude=Exclusions(settings)).files:
        try:
            own = settings.of_file(path)
            if MARK.encode() not in content(path) and not own.mechanisms:
                continue
        except ConfigError:
            continue
        except OSError as error:
            done.append(CheckError(str(path), None, f"cannot be read: {error.strerror or error}"))
            continue
        wanted = [one for one in choices if one.path.resolve() == path.resolve()]
        fixed = fix_file(path, own, wanted, unsafe=unsafe)
        if fixed is not None:
            done.append(fixed)
    return done


def _tell(fixed: EditedFile[Finding], verb: str = "Fixed") -> None:
    for finding in fixed.done:
        title = finding.fix.title if finding.fix is not None else finding.message
        say(f"{verb} {finding.code} in {fixed.file}: {title}")
    for finding in fixed.refused:
        where = f"{fixed.file}:{finding.span.line}"
        say(f"Not fixed: {finding.code} at {where}; the fix would change what else is found there.")


def apply_repairs(gathered: Gathered, *, unsafe: bool) -> bool:
    """Write the best repair of each violation; whether something was changed. Raises click.FileError."""
    changed = False
    for original, text, done in _mended(gathered, unsafe=unsafe):
        with told_as(str(original.path)):
            replace_content(original, original.encode(text))
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
    told = {(one.file, one.function) for one in gathered.findings if one.code == SPARE}
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
        with told_as(shown(path)):
            done.write()
        added += (f"{file}:{place(one)[1]}: {problem_words.code(one)} silenced{_where(one)}" for one in done.done)
    return added


def _where(problem: Finding | Result) -> str:
    return f" for all of `{problem.mechanism.qualname}`" if isinstance(problem, Result) else " in this line"
