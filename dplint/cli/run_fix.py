"""`dplint check --fix` and `--diff`: findings are mended before anything is audited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from dplint.check.fixing import FixedFile, fix_file
from dplint.cli.differences import difference
from dplint.cli.output import report_stream, say
from dplint.cli.overrides import settings_by_file
from dplint.config import ConfigError, SettingsByFile
from dplint.contents import content
from dplint.outcomes import CheckError
from dplint.source.files import Exclusions, find_files
from dplint.source.read import MARK


def fix_files(paths: Sequence[Path], values: Mapping[str, object], options: Mapping[str, Any]) -> int | None:
    """Mend the files, or show how; the exit code, None if the check is to follow.

    Raises:
        click.ClickException: an option is wrong, or a file cannot be written.
    """
    settings = settings_by_file(paths[0], values)
    if isinstance(settings, CheckError):
        return None  # the check says what is wrong
    if options["diff"]:
        return show_difference(paths, settings, unsafe=options["unsafe_fixes"])
    fix_paths(paths, settings, unsafe=options["unsafe_fixes"])
    return None


def fix_paths(paths: Sequence[Path], settings: SettingsByFile, *, unsafe: bool) -> None:
    """Mend the files and say on stderr what was done; what is wrong with a file, the check that follows will tell."""
    for fixed in _fixed(paths, settings, unsafe=unsafe):
        if isinstance(fixed, CheckError):
            continue
        try:
            if fixed.fixed:
                fixed.write()
        except OSError as error:
            raise click.FileError(fixed.file, error.strerror) from None
        _tell(fixed)


def show_difference(paths: Sequence[Path], settings: SettingsByFile, *, unsafe: bool) -> int:
    """Print what `--fix` would change, and change nothing. 0: nothing. 1: something. 2: a file cannot be read."""
    code = 0
    with report_stream(None) as stream:
        for fixed in _fixed(paths, settings, unsafe=unsafe):
            if isinstance(fixed, CheckError):
                say(f"{fixed.file}: {fixed.message}")
                code = 2
            elif fixed.fixed:
                stream.write(difference(fixed.file, fixed.original, fixed.text))
                code = max(code, 1)
            if isinstance(fixed, FixedFile):
                _tell(fixed, verb="Would fix")
    return code


def _fixed(paths: Sequence[Path], settings: SettingsByFile, *, unsafe: bool) -> list[FixedFile | CheckError]:
    done: list[FixedFile | CheckError] = []
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
        fixed = fix_file(path, own, unsafe=unsafe)
        if fixed is not None:
            done.append(fixed)
    return done


def _tell(fixed: FixedFile, verb: str = "Fixed") -> None:
    for finding in fixed.fixed:
        title = finding.fix.title if finding.fix is not None else finding.message
        say(f"{verb} {finding.code} in {fixed.file}: {title}")
    for finding in fixed.refused:
        where = f"{fixed.file}:{finding.span.line}"
        say(f"Not fixed: {finding.code} at {where}; the fix would change what else is found there.")
