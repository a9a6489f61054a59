"""`dplint suggest`: call, choose, write, render."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from dplint.check.cells import Cells
from dplint.check.suggesting import SuggestedFile, suggest_paths, tried
from dplint.cli.buffer import STDIN, read_paths
from dplint.cli.output import report_stream, say, told_as
from dplint.cli.overrides import overrides, settings_by_file
from dplint.cli.run_check import require_path
from dplint.cli.run_fix import difference
from dplint.config import SettingsByFile, choose_interpreter
from dplint.outcomes import CheckError
from dplint.report import numerals
from dplint.report.suggestions import LEVELS, Found, entry, ranked, suggestions_json, summary


def run_suggest(paths: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Suggest, and write what is chosen; the exit code: 2 if a file cannot be read, with --diff 1 for a difference.

    Raises:
        click.ClickException: a path does not exist, options do not fit, or a file cannot be written.
    """
    _require_fitting(paths, options)
    paths = read_paths(paths, options["stdin_filename"])
    for path in paths:
        require_path(path)
    settings = settings_by_file(paths[0], overrides(options))
    if isinstance(settings, CheckError):
        say(_error(settings))
        return 2
    if options["from_tests"]:
        _record(paths[0], settings)
    found = list(suggest_paths(paths, settings))
    if options["tried"]:
        found = [tried(one, settings) if isinstance(one, SuggestedFile) else one for one in found]
    cells = Cells()
    errors = [cells.error(one) for one in found if isinstance(one, CheckError)]
    everything = ranked(one for one in found if isinstance(one, SuggestedFile))
    least = options["confidence"] or ("medium" if options["write"] or options["diff"] else "low")
    shown = [pair for pair in everything if LEVELS.index(pair[1].confidence) <= LEVELS.index(least)]
    hidden = len(everything) - len(shown)
    code = 2 if errors else 0
    if options["form"] == "json":
        with report_stream(options["output_file"]) as stream:
            stream.write(suggestions_json(shown, [(one.file, one.line, one.message) for one in errors]))
        return code
    for error in errors:
        say(_error(error))
    if options["interactive"]:
        return max(code, _ask(shown))
    if options["diff"]:
        with report_stream(options["output_file"]) as stream:
            differences = [difference(file.file, file.original, file.text(chosen)) for file, chosen in _by_file(shown)]
            stream.write("".join(differences))
        return code or int(bool(differences))
    with report_stream(options["output_file"]) as stream:
        stream.write("".join(entry(file, one) for file, one in shown))
        stream.write(summary(shown, hidden))
    if options["write"]:
        _write(shown)
    return code


def _record(path: Path, settings: SettingsByFile) -> None:
    """Run the tests of the project that a path is in, and keep how they call it. Raises click.ClickException."""
    from dplint.check.recorded import RecordingError, record_calls  # noqa: PLC0415 - only where tests are run
    from dplint.source.files import RECORDED, import_place  # noqa: PLC0415

    where = path.absolute()
    root = import_place(where / "any.py" if where.is_dir() else where).project_root
    say(f"dplint runs the tests in '{root}'")
    try:
        with told_as(str(root / RECORDED)):
            calls, passed = record_calls(root, choose_interpreter(settings.base, str(root)))
    except RecordingError as error:
        raise click.ClickException(str(error)) from None
    failed = "" if passed else "; some of the tests fail"
    say(f"{numerals.count(calls, 'call')} written to {RECORDED}, which later checks read, too{failed}")


def _require_fitting(paths: Sequence[Path], options: Mapping[str, Any]) -> None:
    chosen = [name for name in ("write", "diff", "interactive") if options[name]]
    if (STDIN in paths or options["stdin_filename"] is not None) and (options["write"] or options["interactive"]):
        raise click.UsageError(f"--{chosen[0]} is for files, and does not go with a text on the standard input.")
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} do not go together: give one of them.")
    if chosen and options["form"] == "json":
        raise click.UsageError(f"--{chosen[0]} does not go with --format json, which changes and asks nothing.")
    if options["interactive"] and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--interactive asks questions, and needs a terminal. Use --write or --diff here.")


def _error(error: CheckError) -> str:
    return f"{error.file}{'' if error.line is None else f':{error.line}'}: {error.message}"


def _by_file(found: Found) -> list[tuple[SuggestedFile, list[Any]]]:
    """What can be written, file by file."""
    files: dict[str, tuple[SuggestedFile, list[Any]]] = {}
    for file, one in found:
        if one.function is not None:
            files.setdefault(file.file, (file, []))[1].append(one)
    return [files[name] for name in sorted(files)]


def _write(found: Found) -> None:
    count = 0
    for file, chosen in _by_file(found):
        with told_as(file.file):
            file.write(chosen)
        count += len(chosen)
    click.echo(f"{numerals.count(count, 'claim')} written in {numerals.count(len(_by_file(found)), 'file')}.")


def _ask(found: Found) -> int:
    """Show one after another, and write those that are accepted."""
    from rich.prompt import Prompt  # noqa: PLC0415 - only where somebody is asked

    accepted: list[Any] = []
    for file, one in found:
        if one.function is None:
            continue
        click.echo(entry(file, one), nl=False)
        answer = Prompt.ask(
            "Add this claim? (yes, no, all of the rest, quit)", choices=["y", "n", "a", "q"], default="n"
        )
        if answer == "q":
            break
        if answer == "a":
            accepted += found[found.index((file, one)) :]
            break
        if answer == "y":
            accepted.append((file, one))
    _write(accepted)
    return 0
