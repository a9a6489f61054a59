"""What somebody asks for and waits for, beside the audits: a picture of outputs, a curve."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence

from dplint.jobs import Job
from dplint.server.progress import WorkDone
from dplint.workers.background import Background
from dplint.workers.fork_server import ForkServer
from dplint.workers.messages import Done, Tick


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
