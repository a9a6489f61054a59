"""Losses and proofs by the source alone, computed at each pause in typing: nothing of the user's is executed for them.

And repairs of what was refuted, where the workspace is trusted: these are audited, as texts that nobody has saved. Last
of all, once there are verdicts, how far neighbours move what each line assigns: that runs parts of the function.

So losses are there in a workspace that is not trusted, too, and for a text that nobody has saved. They are no verdicts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from dplint.check.assigned import LINE_SECONDS, Moved, assigned_lines, line_job
from dplint.check.editor_model import MechanismView
from dplint.check.loading import Target, audit_settings
from dplint.check.noise_amounts import short_noise
from dplint.check.repairing import LONGEST, Asked, Jobs, search, wants_repairs
from dplint.config import Settings
from dplint.jobs import Job, SourceJob
from dplint.outcomes import BySource, Failed, NotRefuted, Proved, Repair, Untestable
from dplint.program.refusals import Unsupported
from dplint.server.client import Client
from dplint.server.documents import Document
from dplint.server.lenses import visible_findings
from dplint.server.mechanism_state import MechanismState
from dplint.server.progress import RequestedJobs
from dplint.server.reader import Reader, ReaderError
from dplint.server.reader_messages import Lower

_PAUSE_SECONDS = 0.3
"""So long after the last key it begins."""
_MOST_SECONDS = 1.0
"""Of CPU time for one mechanism."""
_REPAIR_DEADLINE = 30.0
"""The same for a candidate of a repair, which is audited."""
_DEADLINE = 10.0
"""Seconds after which a worker is killed, whatever it does: arithmetic without noise is Python's own."""


@dataclass(slots=True)
class SourceLosses:
    """Computes what is not known of the mechanisms of documents, one at a time. Methods are called on the event loop.

    A worker of its own carries each job out, and is killed by the next key. What was computed stays with the source of
    the mechanism, so that undoing an edit brings it back. changed: called when something new is known of a document;
    whether it is something that diagnostics show. Where nothing is trusted it looks for
    proofs, too, as audits do otherwise.
    """

    reader: Reader
    jobs: RequestedJobs
    client: Client
    changed: Callable[[Document, bool], None]
    log: Callable[[str], None]
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _paused: bool = False

    def look(self, document: Document) -> None:
        """Compute what is missing after a pause, unless that is under way."""
        running = self._tasks.get(document.uri)
        if (running is None or running.done()) and not self._paused and _has_more(document):
            self._tasks[document.uri] = asyncio.get_running_loop().create_task(self._look(document))

    def drop(self, document: Document) -> None:
        """End what is under way: its text has changed, or it is closed."""
        running = self._tasks.pop(document.uri, None)
        if running is not None:
            running.cancel()

    def pause(self) -> None:
        """Nothing begins until `resume`."""
        self._paused = True
        self.close()

    def resume(self) -> None:
        """Go on with what is looked at from now on."""
        self._paused = False

    def close(self) -> None:
        """End everything."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def _look(self, document: Document) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        while (found := _next(document)) is not None:
            view, state = found
            try:
                state.by_source = await self._computed(document, view.mechanism.qualname)
            except ReaderError as error:
                state.by_source = BySource(refused=str(error))
            except Exception as error:
                self.log(f"losses could not be computed: {error!r}")
                state.by_source = BySource(refused=f"dplint itself failed ({type(error).__name__}: {error})")
            if state is document.states.get(view.mechanism.qualname):
                self.changed(document, state.by_source.against is not None)
        while self.client.trusted and (found := _next_to_mend(document)) is not None:
            view, state = found
            try:
                repairs = await self._repairs(document, view, state)
            except ReaderError:
                repairs = ()
            except Exception as error:
                self.log(f"repairs could not be looked for: {error!r}")
                repairs = ()
            state.repairs, state.repaired_at = repairs, view.mechanism.span.line
            if state is document.states.get(view.mechanism.qualname):
                # The diagnostic of noise to spare says what to write in its place.
                self.changed(document, bool(repairs) and isinstance(state.outcome, Proved))

        await self._look_at_lines(document)

    async def _look_at_lines(self, document: Document) -> None:
        while self.client.trusted and (found := _next_to_ask(document)) is not None:
            view, state = found
            try:
                await self._move(document, view, state)
            except Exception as error:
                self.log(f"how far lines are moved could not be found: {error!r}")
                state.lines = []
            if state is document.states.get(view.mechanism.qualname):
                known = short_noise(view, state.outcome, state.moved_at(view.mechanism.span.line))
                self.changed(document, any(known))

    async def _move(self, document: Document, view: MechanismView, state: MechanismState) -> None:
        """Find the lines of a mechanism; or ask how far neighbours move the next one."""
        text, settings, mechanism = document.text.text, document.settings.settings, view.mechanism
        if state.lines is None:
            state.lines, state.lined_at = assigned_lines(text, mechanism), mechanism.span.line
            return
        asked = state.lines[0]
        found: object = next((one.found for one in state.moved if one.assigned.written == asked.written), None)
        if found is None:
            target = await self._lowered(Lower(document.path, asked.text, settings, mechanism.qualname, mechanism))
            job = line_job(target, asked, settings, LINE_SECONDS) if isinstance(target, Target) else None
            found = None if job is None else await self._answer(job)
        state.lines = state.lines[1:]
        state.moved += [Moved(asked, found)] if isinstance(found, NotRefuted) else []

    async def _repairs(self, document: Document, view: MechanismView, state: MechanismState) -> tuple[Repair, ...]:
        """The repairs of a mechanism, each judged as if its text had been written."""
        text, settings, mechanism = document.text.text, document.settings.settings, view.mechanism
        target = await self.reader.ask(Lower(document.path, text, settings, mechanism.qualname))
        if not isinstance(target, Target) or state.outcome is None:
            return ()
        fixes = [one for one in visible_findings(document) if one.function == mechanism.qualname]
        looking = search(target.mechanism, target.program, text, state.outcome, settings, fixes, seconds=LONGEST)
        try:
            asked = next(looking)
            while True:
                asked = looking.send(await self._answers(asked, document.path, settings))
        except StopIteration as end:
            found: tuple[Repair, ...] = end.value
            return found

    async def _answers(self, asked: Asked, path: Path, settings: Settings) -> list[object]:
        if isinstance(asked, Jobs):
            answers, begun = list[object](), time.monotonic()
            for job in asked.jobs:
                done = asked.enough(answers, time.monotonic() - begun)
                answers.append(None if done else await self._answer(job))
            return answers
        known = asked.mechanism
        return [await self._lowered(Lower(path, text, settings, known.qualname, known)) for text in asked.texts]

    async def _answer(self, job: Job) -> object:
        try:
            return (await self.jobs.run(job, deadline=_REPAIR_DEADLINE)).result
        except TimeoutError:
            return None

    async def _lowered(self, request: Lower) -> object:
        """None for a candidate that is no code at all."""
        try:
            return await self.reader.ask(request)
        except ReaderError:
            return None

    async def _computed(self, document: Document, qualname: str) -> BySource:
        text, settings = document.text.text, document.settings.settings
        target = await self.reader.ask(Lower(document.path, text, settings, qualname))
        if not isinstance(target, Target):
            return BySource(refused="its program cannot be read")
        if isinstance(target.program, Unsupported):
            return BySource(refused=f"{target.program.construct} at line {target.program.span.line} is not understood")
        chosen = audit_settings(settings, target.mechanism)
        proof_seconds = min(chosen.proof_seconds, _MOST_SECONDS) if not self.client.trusted else 0.0
        chosen = replace(chosen, exact_seconds=min(chosen.exact_seconds, _MOST_SECONDS), proof_seconds=proof_seconds)
        job = target.job(SourceJob, chosen, source_text=text)
        try:
            found = (await self.jobs.run(job, deadline=_DEADLINE)).result
        except TimeoutError:
            return BySource(refused="it takes too long")
        if isinstance(found, BySource):
            return found
        return BySource(refused=found.reason if isinstance(found, Failed | Untestable) else "another answer came")


def _next_to_mend(document: Document) -> tuple[MechanismView, MechanismState] | None:
    """The mechanism to look for repairs of next, the one under the cursor first; none while verdicts are missing."""
    settings, states = document.settings.settings, list(document.mechanism_states())
    if not document.current or not document.may_run or any(_has_no_verdict_yet(state) for _, state in states):
        return None
    missing = [
        (view, state)
        for view, state in states
        if state.repairs is None and state.outcome is not None and wants_repairs(state.outcome, settings)
    ]
    return min(missing, key=document.urgency, default=None)


def _next(document: Document) -> tuple[MechanismView, MechanismState] | None:
    """The mechanism to compute next, the one under the cursor first; None if there is nothing to do."""
    settings = document.settings.settings
    if (
        not document.current
        or document.unreadable
        or not settings.exact
        or settings.runs is not None
        or settings.method != "anytime"
        or settings.static_only
        or document.settings.editor.run == "manual"
    ):
        return None
    missing = [(view, state) for view, state in document.mechanism_states() if _is_missing(view, state)]
    return min(missing, key=document.urgency, default=None)


def _next_to_ask(document: Document) -> tuple[MechanismView, MechanismState] | None:
    """The mechanism whose lines are asked about next; none while verdicts are missing, or where nobody sees hints.

    Where tests begin on demand, so does this: it is asked of what has a verdict.
    """
    editor, settings, states = document.settings.editor, document.settings.settings, list(document.mechanism_states())
    wanted = editor.inlay_hints and settings.runs is None and document.current and document.may_run
    if not wanted or any(_has_no_verdict_yet(state) for _, state in states):
        return None
    missing = [
        (view, state)
        for view, state in states
        if state.lines != [] and state.outcome is not None and not isinstance(state.outcome, Failed)
    ]
    return min(missing, key=document.urgency, default=None)


def _has_no_verdict_yet(state: MechanismState) -> bool:
    """Whether somebody waits for an audit of it; for longer passes nobody does."""
    return state.busy and state.outcome is None


def _has_more(document: Document) -> bool:
    return any(one(document) is not None for one in (_next, _next_to_mend, _next_to_ask))


def _is_missing(view: MechanismView, state: MechanismState) -> bool:
    """Whether nothing was computed, and no audit does so or has done so."""
    undecided = state.outcome is None or isinstance(state.outcome, Failed | Untestable)
    return state.by_source is None and undecided and not state.busy and not view.mechanism.untestable
