"""Audits behind the editor: which mechanism is tested when, for how long, and what happens to the answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from dplint.check.continuing import Resumed, finish, known, resume, to_check
from dplint.check.loading import Target, audit_settings
from dplint.check.mechanism_keys import MechanismKeys
from dplint.jobs import AuditJob
from dplint.outcomes import Failed, FailureKind, Outcome, Violation
from dplint.server.documents import Document
from dplint.server.mechanism_state import DEEPER, MechanismState, Phase, passes_in
from dplint.server.reader import Reader, ReaderError
from dplint.server.reader_messages import Lower
from dplint.workers.background import Background
from dplint.workers.fork_server import ForkServer
from dplint.workers.messages import Done, Tick

_IDLE_SECONDS = 3.0
"""So long after the last key, passes that nobody waits for may begin."""
_END_SECONDS = 0.3
"""So long a pass that nobody waits for may take to end by itself."""
_MANY_RUNS = 10**12


@dataclass(slots=True)
class _Audit:
    """An audit that waits or runs. deeper: nobody waits for it."""

    document: Document
    qualname: str
    state: MechanismState
    deeper: bool
    resumed: Resumed | None = None


class Audits:
    """All audits of a server. Methods are called on its event loop.

    changed: called when something about a document's mechanism states is new; final: whether a verdict has come.
    """

    def __init__(self, reader: Reader, changed: Callable[[Document, bool], None], log: Callable[[str], None]) -> None:
        self._reader = reader
        self._changed = changed
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._background: Background | None = None
        self._audits: dict[int, _Audit] = {}
        self._preparing: set[asyncio.Task[None]] = set()
        self._lowering = asyncio.Lock()
        """One at a time: a text that was typed meanwhile is read before the rest."""
        self._count = 0
        self._last_key = 0.0
        self._idle: asyncio.TimerHandle | None = None
        self._paused = False
        self._closed = False
        self.deepening: Callable[[], tuple[Document, str] | None] = lambda: None
        """What to test deeper next, while nothing else is to be done."""

    def start(self, jobs: int) -> None:
        """Load what audits need, which takes a second; later calls change the number of jobs."""
        if self._background is None and not self._closed:
            self._background = Background(jobs, self._hear, urgency=self._urgency)
            if self._paused:
                self._background.pause()
        elif self._background is not None and self._background.jobs != jobs:
            self._background.jobs = jobs

    @property
    def active(self) -> list[tuple[Document, str, MechanismState]]:
        """What somebody waits for, in the order in which it was asked for."""
        return [(one.document, one.qualname, one.state) for one in self._audits.values() if not one.deeper]

    @property
    def fork_server(self) -> ForkServer | None:
        """Where workers for other jobs can be had, None before anything was started."""
        return None if self._background is None else self._background.fork_server

    @property
    def paused(self) -> bool:
        """Whether nothing runs."""
        return self._paused

    def request(self, document: Document, qualname: str, *, deeper: bool = False, by_user: bool = False) -> None:
        """Have a mechanism tested, or tested deeper. by_user: somebody asked for it, and waits."""
        state = document.states.get(qualname)
        if state is None or state.busy or self._closed or not document.runnable:
            return
        if by_user or not deeper:
            self._make_room()
        if by_user:
            self.renew_imports()
        self._count += 1
        number = self._count
        state.phase, state.tick = Phase.WAITING, None
        self._audits[number] = _Audit(document, qualname, state, deeper and not by_user)
        task = self._loop.create_task(self._prepare(number, deeper=deeper, by_user=by_user))
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)
        self._changed(document, False)

    def renew_imports(self) -> None:
        """Files may have changed: what begins from now on imports its module anew."""
        if self._background is not None:
            self._background.renew_imports()

    def drop(self, state: MechanismState) -> None:
        """End what is done about a mechanism's state; its worker is killed."""
        for number, audit in list(self._audits.items()):
            if audit.state is state:
                self._forget(number)
                if self._background is not None:
                    self._background.drop(number)
        state.phase, state.tick = Phase.IDLE, None

    def stop(self, state: MechanismState) -> None:
        """The user wants no test of this mechanism, until the next change or request."""
        self.drop(state)
        state.phase = Phase.STOPPED

    def stop_all(self) -> list[Document]:
        """The user wants no test at all for now; the documents that are affected."""
        affected = [audit.document for audit in self._audits.values()]
        for audit in list(self._audits.values()):
            self.stop(audit.state)
        return affected

    def typed(self) -> None:
        """Somebody types: what nobody waits for, waits."""
        self._last_key = self._loop.time()
        self._make_room()
        self._when_idle()

    def _make_room(self) -> None:
        """What nobody waits for ends with what it knows so far, and is killed if it cannot do so soon."""
        for number, audit in list(self._audits.items()):
            if not audit.deeper:
                continue
            if audit.resumed is None or self._background is None:
                self.drop(audit.state)
                continue
            self._background.ask_to_end(number)
            self._loop.call_later(_END_SECONDS, self._drop_number, number)

    def _drop_number(self, number: int) -> None:
        audit = self._audits.get(number)
        if audit is not None and not self._closed:
            self.drop(audit.state)

    def pause(self) -> None:
        """Nothing runs until `resume`."""
        self._paused = True
        if self._background is not None:
            self._background.pause()

    def resume(self) -> None:
        """Go on."""
        self._paused = False
        if self._background is not None:
            self._background.resume()
        self._when_idle()

    def close(self) -> None:
        """End everything at once."""
        self._closed = True
        for task in self._preparing:
            task.cancel()
        if self._idle is not None:
            self._idle.cancel()
        self._audits.clear()
        if self._background is not None:
            self._background.close()

    async def _prepare(self, number: int, *, deeper: bool, by_user: bool) -> None:
        """Lower the mechanism, look into the store, and put it in the queue if that has no answer."""
        audit = self._audits[number]
        document, state = audit.document, audit.state
        try:
            resumed, found = await self._resumed(audit, deeper=deeper)
        except ReaderError as error:
            return self._end(number, Failed(kind=FailureKind.INTERNAL, reason=str(error)), None)
        except Exception as error:
            self._log(f"an audit could not be prepared: {error!r}")
            reason = f"the audit could not be prepared ({type(error).__name__}: {error})"
            return self._end(number, Failed(kind=FailureKind.INTERNAL, reason=reason), None)
        if number not in self._audits:
            return None
        if resumed is None or self._background is None:
            self._forget(number)
            state.phase = Phase.IDLE
            return self._changed(document, False)
        again = to_check(resumed, found)
        if again is not None and state.outcome is None and not (deeper or by_user):
            resumed, found = again, None
        if found is not None and state.outcome is None and not (deeper or by_user):
            self._end(number, found, None)
            state.passes = passes_in(resumed.spent)
            return None
        broken = None if by_user else next((one for _, one in _not_imported(document, state)), None)
        if broken is not None and broken.outcome is not None:
            return self._end(number, broken.outcome, None)
        if state.unsaved:  # the interpreter would take what is on disk
            self._forget(number)
            state.phase = Phase.IDLE
            return self._changed(document, False)
        audit.resumed = resumed
        self._background.put(number, resumed.job)
        return None

    async def _resumed(self, audit: _Audit, *, deeper: bool) -> tuple[Resumed | None, Outcome | None]:
        """The job, None if the source has changed meanwhile; and what an earlier pass of it has found."""
        document, state = audit.document, audit.state
        async with self._lowering:
            if not any(one is audit for one in self._audits.values()):
                return None, None
            text, settings = document.text.text, document.settings.settings
            target = await self._reader.ask(Lower(document.path, text, settings, audit.qualname))
        if not isinstance(target, Target):
            return None, None
        chosen = audit_settings(settings, target.mechanism)
        budget = DEEPER[min(max(state.passes, 1), len(DEEPER)) - 1] if deeper else chosen.budget
        if settings.runs is None and chosen.method == "anytime":
            chosen = replace(chosen, budget=budget, time_limit=max(chosen.time_limit, 2 * budget + 60))
        if deeper and isinstance(state.outcome, Violation):
            # A higher bound is wanted; a known violation would end as soon as it is found again.
            chosen = replace(chosen, keep_going=True, max_runs=_MANY_RUNS, time_limit=DEEPER[1])
        job = target.job(AuditJob, chosen, source_text=text, state=state.audit_state, lowered=target.lowered)
        return await asyncio.to_thread(_look_up, job, state, cache=settings.cache)

    def _hear(self, number: Any, message: Tick | Done) -> None:
        """From a worker's thread: keep what was learnt, then tell the event loop."""
        audit = self._audits.get(number)
        outcome: Outcome | None = None
        if isinstance(message, Done) and audit is not None and audit.resumed is not None:
            outcome = finish(audit.resumed, message)
        try:
            self._loop.call_soon_threadsafe(self._take, number, message, outcome)
        except RuntimeError:  # the loop is closed, and nobody is left to hear it
            return

    def _take(self, number: int, message: Tick | Done, outcome: Outcome | None) -> None:
        audit = self._audits.get(number)
        if audit is None:
            return
        if isinstance(message, Tick):
            audit.state.hear(message)
            self._changed(audit.document, False)
        elif outcome is not None:
            self._end(number, outcome, message)

    def _end(self, number: int, outcome: Outcome, done: Done | None) -> None:
        audit = self._audits.pop(number, None)
        if audit is None:
            return
        document, state = audit.document, audit.state
        state.take(outcome, None if done is None else done.state)
        if isinstance(outcome, Failed) and state.cannot_be_imported:
            self._fail_alike(document, state, outcome)
        elif done is not None:  # what has failed before can be imported, too, for a reason that no file tells
            for name, _ in list(_not_imported(document, state)):
                self.drop(document.renew(name))
                self.request(document, name)
        self._changed(document, True)
        self._when_idle()

    def _fail_alike(self, document: Document, failed: MechanismState, outcome: Failed) -> None:
        """Nobody waits for another import of the same module, which would fail as this one has."""
        for audit in list(self._audits.values()):
            if audit.document is document and audit.resumed is not None and audit.state.imported_as(failed):
                self.drop(audit.state)
                audit.state.take(outcome, None)

    def _forget(self, number: int) -> None:
        self._audits.pop(number, None)

    def _urgency(self, number: Any) -> tuple[Any, ...]:
        """Smallest first: what somebody waits for, under the cursor, in the document looked at last, in its order."""
        audit = self._audits.get(number)
        if audit is None:
            return (2,)
        view = audit.document.view(audit.qualname)
        line = view.mechanism.span.line if view is not None else 0
        at_cursor = view is not None and view is audit.document.view_at(audit.document.cursor)
        return (audit.deeper, not at_cursor, -audit.document.seen, line)

    def _when_idle(self) -> None:
        """Look for more to do, some seconds after the last key."""
        if self._idle is not None:
            self._idle.cancel()
        wait = max(0.05, self._last_key + _IDLE_SECONDS - self._loop.time())
        self._idle = self._loop.call_later(wait, self._deepen)

    def _deepen(self) -> None:
        if self._audits or self._paused or self._closed:
            return
        found = self.deepening()
        if found is not None:
            document, qualname = found
            self.request(document, qualname, deeper=True)


def _not_imported(document: Document, state: MechanismState) -> Iterator[tuple[str, MechanismState]]:
    """The other mechanisms whose import has failed, of what this one's is made of, too."""
    for name, one in document.states.items():
        if one.cannot_be_imported and one.imported_as(state):
            yield name, one


def _look_up(job: AuditJob, state: MechanismState, *, cache: bool) -> tuple[Resumed, Outcome | None]:
    """In a thread: what an earlier pass has left on disk, else in memory."""
    keys = MechanismKeys()
    resumed = resume(job, keys) if cache else Resumed(job)
    state.mechanism_key = mechanism_key_of(job, keys)
    with contextlib.suppress(OSError):
        state.import_key = keys.import_digest(job.mechanism, job.settings.interpreter, job.source_text)
        state.unsaved = next(map(str, keys.unsaved(job.mechanism, job.source_text)), "")
    if resumed.entry is None and state.audit_state is not None:
        return replace(resumed, job=replace(resumed.job, state=state.audit_state)), None
    return resumed, known(resumed)


def mechanism_key_of(job: AuditJob, keys: MechanismKeys) -> str | None:
    """A digest of all that a mechanism is made of, in its file and beyond; None if its file is not there."""
    try:
        return keys.digest(job.mechanism, job.settings.interpreter, job.source_text)
    except OSError:
        return None
