"""The file of a baseline: read before the check, written after it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dplint.cli.output import report_stream, say
from dplint.config import shown
from dplint.contents import content
from dplint.report.baseline import BaselineError, Rename, baseline_text, read_baseline, without_known
from dplint.report.fingerprints import SourceLine
from dplint.report.gathered import Gathered


def require_baseline(path: Path | None, options: Mapping[str, Any]) -> frozenset[str] | None:
    """The fingerprints of the baseline, None if there is none to be heeded.

    A file that the settings name may be missing, one that an option names may not. An empty one knows nothing.

    Raises:
        click.UsageError: the options do not fit, or the file is no baseline.
    """
    if path is None:
        if options["write_baseline"]:
            raise click.UsageError(
                "--write-baseline needs the name of the file: --baseline FILE, or `baseline` in pyproject.toml."
            )
        return None
    if options["write_baseline"]:
        return None
    try:
        text = "" if str(path) == os.devnull else content(path).decode("utf-8")
        return read_baseline(text) if text else frozenset()
    except FileNotFoundError:
        if options["baseline"] is None:
            return None
        raise click.UsageError(f"'{shown(path)}' does not exist. --write-baseline makes it.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"'{shown(path)}' cannot be read: {error}") from None
    except BaselineError as error:
        raise click.UsageError(f"'{shown(path)}' {error}. --write-baseline makes a new one.") from None


def heed(gathered: Gathered, baseline: frozenset[str], path: Path, source: SourceLine) -> Gathered:
    """What is new."""
    return without_known(gathered, baseline, source, _from(path))


def write(gathered: Gathered, path: Path, source: SourceLine) -> Gathered:
    """Accept all that is reported: write it into the file; what is left are errors and failed audits.

    Raises:
        click.FileError: the file cannot be written.
    """
    text = baseline_text(gathered, source, _from(path))
    with report_stream(path) as stream:
        stream.write(text)
    left = without_known(gathered, read_baseline(text), source, _from(path))
    say(f"Wrote {len(left.known)} of {_all(gathered)} to {shown(path)}.")
    return left


def _all(gathered: Gathered) -> str:
    counts = gathered.counts
    count = counts.violations + counts.untestable + counts.failed + counts.findings + counts.errors
    return f"{count} problem" if count == 1 else f"{count} problems"


def _from(path: Path) -> Rename:
    """Names of files as the folder of the baseline sees them."""
    home = path.absolute().parent

    def rename(file: str) -> str:
        try:
            return Path(os.path.relpath(Path(file).absolute(), home)).as_posix()
        except ValueError:  # another drive
            return file

    return rename
