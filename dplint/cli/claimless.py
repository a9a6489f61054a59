"""A check in which nothing bears a claim: that is told in a box, with what to do, and never looks like a pass."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from dplint.check.suggesting import SuggestedFile, suggest_paths
from dplint.cli.output import say
from dplint.config import ConfigError, SettingsByFile
from dplint.report import numerals
from dplint.report.gathered import Gathered
from dplint.source.files import Exclusions, find_files
from dplint.source.read import read_source

_LONGEST = 5.0
"""Seconds of counting what could be claimed; what was counted by then is told as the least."""


def is_claimless(paths: Sequence[Path], settings: SettingsByFile, gathered: Gathered) -> bool:
    """Whether no file under the paths has a claim, not even a wrong one; False where a file could not be read."""
    judged = (*gathered.results, *gathered.silenced, *gathered.known)
    if gathered.mechanisms or gathered.errors or judged:
        return False
    if any(one.code.startswith("DP0") for one in gathered.all_findings):
        return False
    return not any(_has_claims(path, settings) for path in find_files(paths, exclude=Exclusions(settings)).files)


def _has_claims(path: Path, settings: SettingsByFile) -> bool:
    try:
        table = settings.of_file(path).mechanisms
    except ConfigError:
        return False
    source = read_source(path, file=str(path), table=table)
    return bool(source.mechanisms) or any(one.code.startswith("DP0") for one in source.findings)


def tell(paths: Sequence[Path], settings: SettingsByFile, *, boxed: bool) -> None:
    """Say on stderr that nothing was checked, how many functions add noise to data, and what to do.

    boxed: in a box, for people, rather than as a line.
    """
    count, more = _count(paths, settings)
    functions = f"{'at least ' if more else ''}{numerals.count(count, 'function')}"
    verb = "adds" if count == 1 else "add"
    named = " ".join(str(path) for path in paths)
    advice = f"{functions} {verb} noise to data; try `dplint suggest {named}`" if count else "a claim says what to test"
    text = f"No claims, so nothing was tested: {advice}."
    if boxed:
        from dplint.cli.people import write_box  # noqa: PLC0415 - rich is imported only where it is used

        write_box(text, sys.stderr)
    else:
        say(text)


def _count(paths: Sequence[Path], settings: SettingsByFile) -> tuple[int, bool]:
    """How many functions could have a claim, and whether there may be more."""
    count, end = 0, time.monotonic() + _LONGEST
    for file in suggest_paths(paths, settings):
        if isinstance(file, SuggestedFile):
            count += sum(one.function is not None for one in file.suggestions)
        if time.monotonic() > end:
            return count, True
    return count, False
