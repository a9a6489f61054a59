"""The progress that an editor shows while somebody waits for audits, with a cancel button."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence

from lsprotocol import types as lsp
from pygls.progress import Progress

_SECONDS = 0.25
"""Between two reports: people do not read faster."""


class WorkDone:
    """One progress for all that somebody waits for: it begins with the first and ends with the last."""

    def __init__(self, progress: Progress, cancel: Callable[[], object], verb: str = "testing") -> None:
        self._progress = progress
        self._cancel = cancel
        self._verb = verb
        self._share: float | None = None
        self._token: str | None = None
        self._wanted: Sequence[str] = ()
        self._detail = ""
        self._task: asyncio.Task[None] | None = None

    def show(self, names: Sequence[str], detail: str = "", share: float | None = None) -> None:
        """What is being tested, the one in hand first; nothing ends the progress. share: of all that is done."""
        self._wanted, self._detail, self._share = names, detail, share
        if names and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def cancelled(self, token: object) -> None:
        """The user has pressed the button."""
        if token == self._token:
            self._cancel()

    async def _run(self) -> None:
        """Begin, report until nothing is left, end."""
        token = self._token = str(uuid.uuid4())
        most = done = 0
        try:
            try:
                await asyncio.wait_for(self._progress.create_async(token), 5.0)
            except Exception:  # an editor that does not answer, or refuses, goes without
                return
            begin = lsp.WorkDoneProgressBegin(title="dplint", message=self._message(), cancellable=True, percentage=0)
            self._progress.begin(token, begin)
            while self._wanted:
                most = max(most, len(self._wanted))
                done = max(done, most - len(self._wanted))
                report = lsp.WorkDoneProgressReport(message=self._message(), percentage=self._percentage(done, most))
                self._progress.report(token, report)
                await asyncio.sleep(_SECONDS)
            self._progress.end(token, lsp.WorkDoneProgressEnd(message="done"))
        finally:
            self._progress.tokens.pop(token, None)
            self._token, self._task = None, None

    def _message(self) -> str:
        if not self._wanted:
            return "done"
        more = f" ({len(self._wanted) - 1} more)" if len(self._wanted) > 1 else ""
        return f"{self._verb} {self._wanted[0]}{self._detail}{more}"

    def _percentage(self, done: int, most: int) -> int:
        return 100 * done // max(1, most) if self._share is None else int(100 * self._share)
