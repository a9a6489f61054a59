"""The progress that an editor shows while somebody waits for audits, with a cancel button.

What somebody asks for and waits for, beside the audits: a picture of outputs, a curve.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Hashable, Sequence

from lsprotocol import types as lsp
from pygls.progress import Progress

from dplint.jobs import Job
from dplint.workers.background import Background
from dplint.workers.fork_server import ForkServer
from dplint.workers.messages import Done, Tick

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


class RequestedJobs:
    """Jobs in workers of the audits' fork server, one at a time, so that they take little from the audits.

    Methods are called on the event loop. Whoever waits for one and is cancelled ends it: its worker is killed.
    """

    def __init__(self, fork_server: Callable[[], ForkServer | None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._fork_server = fork_server
        self._background: Background | None = None
        self._told: dict[Hashable, Callable[[Tick], None]] = {}
        self._waiting: dict[Hashable, asyncio.Future[Done]] = {}
        self._count = 0
        self._closed = False
        self._turn = asyncio.Lock()
        self.progresses: list[WorkDone] = []
        """What is shown of those that take long; each has a cancel button."""

    async def run(
        self, job: Job, told: Callable[[Tick], None] = lambda _tick: None, *, deadline: float | None = None
    ) -> Done:
        """Have a job done. told: hears how far it is. Raises CancelledError after `close`.

        deadline: seconds after which its worker is killed and TimeoutError is raised; waiting for other jobs is not
        counted.
        """
        async with self._turn:
            return await asyncio.wait_for(self._done(job, told), deadline)

    async def _done(self, job: Job, told: Callable[[Tick], None]) -> Done:
        background = self._ready()
        self._count += 1
        key = self._count
        answer: asyncio.Future[Done] = self._loop.create_future()
        self._waiting[key] = answer
        self._told[key] = told
        background.put(key, job)
        try:
            return await answer
        finally:
            self._told.pop(key, None)
            del self._waiting[key]
            background.drop(key)

    async def run_all(self, jobs: Sequence[Job], told: Callable[[float], None]) -> list[Done]:
        """Have several jobs done, one after the other. told: hears the share that is done, from 0 to 1."""
        found: list[Done] = []
        for job in jobs:
            before = len(found)

            def tell(tick: Tick, before: int = before) -> None:
                told((before + tick.done / max(tick.total, tick.done, 1)) / len(jobs))

            found.append(await self.run(job, tell))
        return found

    async def run_shown(
        self, jobs: Sequence[Job], progress: Callable[[Callable[[], object]], WorkDone], shown: Sequence[str]
    ) -> list[Done] | None:
        """Have jobs done, and show how far they are; None if the user has cancelled them.

        progress: makes what is shown, from what its button does. shown: names of what is in hand; none shows nothing.
        """

        def tell(share: float) -> None:
            on_screen.show(shown, share=share)

        task: asyncio.Task[list[Done]] = asyncio.ensure_future(self.run_all(jobs, tell))
        on_screen = progress(task.cancel)
        self.progresses.append(on_screen)
        try:
            on_screen.show(shown)
            return await task
        except asyncio.CancelledError:
            own = asyncio.current_task()
            if own is not None and own.cancelling():  # the editor has withdrawn its request
                raise
            return None
        finally:
            self.progresses.remove(on_screen)
            on_screen.show([])

    def close(self) -> None:
        """End all of them."""
        for answer in self._waiting.values():
            answer.cancel()
        self._closed = True
        if self._background is not None:
            self._background.close()

    def _ready(self) -> Background:
        """What carries jobs out, which begins with the first one."""
        fork_server = None if self._closed else self._fork_server()
        if fork_server is None:
            raise asyncio.CancelledError
        if self._background is None:
            self._background = Background(1, self._hear, fork_server=fork_server)
        return self._background

    def _hear(self, key: Hashable, message: Tick | Done) -> None:
        """From a thread of the background."""
        try:
            self._loop.call_soon_threadsafe(self._take, key, message)
        except RuntimeError:  # the loop is closed, and nobody is left to hear it
            return

    def _take(self, key: Hashable, message: Tick | Done) -> None:
        answer = self._waiting.get(key)
        if answer is None or answer.done():
            return
        if isinstance(message, Done):
            answer.set_result(message)
        else:
            self._told[key](message)
