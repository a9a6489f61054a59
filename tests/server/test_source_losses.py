"""When losses are computed by the source alone, and that the next key ends it: with jobs that are made by hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dplint.check.buffers import BufferReader
from dplint.config import Settings
from dplint.jobs import SourceJob
from dplint.outcomes import BySource, NoViolation
from dplint.server import source_losses
from dplint.server.client import Client
from dplint.server.configuration import EditorSettings, FileSettings
from dplint.server.documents import Document, Text
from dplint.server.mechanism_state import Phase
from dplint.server.source_losses import SourceLosses
from dplint.workers.messages import Done
from tests.report.report_samples import NO_VIOLATION

pytestmark = pytest.mark.asyncio
TEXT = "from dplint import dp\n\n\n@dp(epsilon=0.5)\ndef f(rng, x):\n    return x[0] + rng.laplace(scale=1)\n"


class Reader:
    def __init__(self):
        self.own = BufferReader()

    async def ask(self, request):
        return self.own.target(request.path, request.text, request.settings, request.qualname, request.before)


class Jobs:
    """Jobs that end when the test says so."""

    def __init__(self):
        self.begun, self.ended = [], []
        self.answer = asyncio.get_running_loop().create_future()

    async def run(self, job, *, deadline):
        self.begun.append(job)
        try:
            return Done(await asyncio.wait_for(asyncio.shield(self.answer), deadline))
        except (asyncio.CancelledError, TimeoutError):
            self.ended.append(job)
            raise


def document(text=TEXT, settings=None, run="onSave"):
    found = FileSettings(EditorSettings(run=run), settings or Settings(method="anytime"), None, None)
    made = Document("file:///f.py", Path("f.py"), Text(text), 1, found)
    made.take(BufferReader().read(made.path, text, found.settings), made.text, 1, made.revision)
    return made


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(source_losses, "_PAUSE_SECONDS", 0.0)
    return []


def losses_with(jobs, told):
    return SourceLosses(Reader(), jobs, Client(), lambda document, final: told.append((document, final)), told.append)


async def several_turns():
    for _ in range(20):
        await asyncio.sleep(0)


async def test_the_next_key_ends_what_is_under_way_and_the_next_pause_begins_it_anew(told):
    jobs, made = Jobs(), document()
    losses = losses_with(jobs, told)
    losses.look(made)
    losses.look(made)
    await several_turns()
    (job,) = jobs.begun
    assert isinstance(job, SourceJob)
    assert job.settings.exact_seconds <= 1
    losses.drop(made)
    await several_turns()
    assert jobs.ended == [job]
    assert made.states["f"].by_source is None
    losses.look(made)
    jobs.answer.set_result(BySource(refused="a test"))
    await several_turns()
    assert len(jobs.begun) == 2
    assert made.states["f"].by_source == BySource(refused="a test")
    assert told == [(made, False)]
    losses.look(made)
    await several_turns()
    assert len(jobs.begun) == 2, "what is known is not computed again"


async def test_it_takes_no_longer_than_its_deadline(told, monkeypatch):
    monkeypatch.setattr(source_losses, "_DEADLINE", 0.001)
    jobs, made = Jobs(), document()
    losses_with(jobs, told).look(made)
    while made.states["f"].by_source is None:
        await asyncio.sleep(0.001)
    assert made.states["f"].by_source == BySource(refused="it takes too long")
    assert jobs.ended == jobs.begun


@pytest.mark.parametrize(
    "made",
    [
        lambda: document(settings=Settings(method="anytime", exact=False)),
        lambda: document(settings=Settings(method="anytime", static_only=True)),
        lambda: document(settings=Settings(method="statdp")),
        lambda: document(run="manual"),
        lambda: document(text=TEXT + "def broken(\n"),
    ],
    ids=["exact off", "static only", "the published test", "manual", "does not parse"],
)
async def test_when_nothing_is_computed(made, told):
    jobs = Jobs()
    losses_with(jobs, told).look(made())
    await several_turns()
    assert jobs.begun == []


async def test_what_is_tested_or_was_tested_or_is_paused_is_left_alone(told):
    jobs, made = Jobs(), document()
    losses = losses_with(jobs, told)
    state = made.states["f"]
    state.phase = Phase.TESTING
    losses.look(made)
    assert isinstance(NO_VIOLATION, NoViolation)
    state.phase, state.outcome = Phase.IDLE, NO_VIOLATION
    losses.look(made)
    state.outcome = None
    losses.pause()
    losses.look(made)
    await several_turns()
    assert jobs.begun == []
    losses.resume()
    losses.look(made)
    await several_turns()
    assert len(jobs.begun) == 1
    losses.close()
