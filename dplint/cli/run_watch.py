"""`dplint check --watch`: check again when a file changes, until Ctrl-C.

Files are looked at, not subscribed to: that needs no package, works on every file system, and a look at a thousand
files takes some hundredths of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import click

from dplint.cli.buffer import forget_lines
from dplint.cli.overrides import settings_by_file
from dplint.cli.run_check import INTERRUPTED, Request, examine, read_request, report
from dplint.config import Settings, SettingsByFile, find_pyproject
from dplint.outcomes import CheckError
from dplint.report import numerals
from dplint.report.explaining import meet
from dplint.source.files import Exclusions, find_files
from dplint.workers.pool import Stop

Snapshot: TypeAlias = dict[Path, tuple[int, int]]
"""Of each file the time of its last change and its size."""

LEAST_PAUSE = 0.3
_SHARE = 20
"""A pause is at least so many times as long as a look: watching takes a twentieth of a processor at most."""


@dataclass(slots=True)
class Watcher:
    """Knows how the files were at the last look.

    Watched are the Python files under the paths, those of the project around them, which they may import, and the
    pyproject.toml files.
    """

    paths: Sequence[Path]
    exclude: Exclusions
    known: Snapshot

    def changes(self, end: threading.Event) -> bool:
        """Wait until a file changes: True, or until the end is set: False."""
        pause = LEAST_PAUSE
        while not end.wait(pause):
            started = time.monotonic()
            now = snapshot(self.paths, self.exclude)
            if now != self.known:
                self.known = now
                return True
            pause = max(LEAST_PAUSE, _SHARE * (time.monotonic() - started))
        return False


def run_watch(paths: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Check and report, again after every change; a change in the middle of a check begins it anew.

    Returns 130: only Ctrl-C ends it.

    Raises:
        click.ClickException: as `run_check`.
    """
    request = read_request(paths, options)
    while True:
        watcher = _watcher(request)
        asked, stop = Stop(), Stop()
        asked.tell(stop.request)
        click.clear()
        _say("checking")
        with _stopped_by_changes(watcher, stop) as changed:
            gathered, seconds = examine(request, stop, asked)
        if changed.is_set() and not asked.requested:
            continue
        report(request, meet(gathered), seconds)
        if asked.requested:
            return INTERRUPTED
        _say(f"watching {numerals.count(len(watcher.known), 'file')}; Ctrl-C ends")
        watcher.changes(threading.Event())
        forget_lines()


def snapshot(paths: Sequence[Path], exclude: Exclusions) -> Snapshot:
    """How the files are now; one that cannot be looked at counts as not there."""
    homes = [find_pyproject(path if path.is_dir() else path.parent) for path in paths]
    projects = list(dict.fromkeys(home for home in homes if home is not None))
    places = [*paths, *(file.parent for file in projects)]
    found: Snapshot = {}
    for file in (*find_files(places, exclude=exclude).files, *projects):
        try:
            status = file.stat()
        except OSError:
            continue
        found[file] = status.st_mtime_ns, status.st_size
    return found


@contextmanager
def _stopped_by_changes(watcher: Watcher, stop: Stop) -> Iterator[threading.Event]:
    """Meanwhile a change of a file requests the stop; the event tells whether there was one."""
    end, changed = threading.Event(), threading.Event()

    def watch() -> None:
        if watcher.changes(end):
            changed.set()
            stop.request()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield changed
    finally:
        end.set()
        thread.join()


def _watcher(request: Request) -> Watcher:
    """The files as they are before the check reads them, so that no change falls between two looks."""
    settings = settings_by_file(request.start, request.values)
    exclude = Exclusions(SettingsByFile.fixed(Settings()) if isinstance(settings, CheckError) else settings)
    return Watcher(request.paths, exclude, snapshot(request.paths, exclude))


def _say(text: str) -> None:
    """A line for whoever watches; the standard output holds nothing but the report."""
    click.echo(f"[{time.strftime('%H:%M:%S')}] {text}", err=True)
