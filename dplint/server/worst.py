"""The worst input of a mechanism, for an editor that asks for it: a search by the source, with progress."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

from dplint.check.loading import Target, audit_settings
from dplint.jobs import WorstJob
from dplint.outcomes import WorstInput
from dplint.report.gathered import gather
from dplint.report.worst_json import worst_json
from dplint.report.worst_markdown import worst_markdown
from dplint.server.documents import Document
from dplint.server.progress import WorkDone
from dplint.server.server import DplintServer
from dplint.workers.messages import Done

_SECONDS = 5.0
"""Of CPU time: somebody waits."""


async def worst_input(
    ls: DplintServer, document: Document, target: Target, text: str
) -> tuple[Mapping[str, object], str]:
    """As `dplint worst --format json` has it, and as a page; under `error` why there is none, with no page."""
    job = WorstJob(
        mechanism=target.mechanism,
        program=target.program,
        settings=audit_settings(document.settings.settings, target.mechanism),
        seconds=_SECONDS,
        source_text=text,
    )
    done = await _with_progress(ls, job, target.mechanism.qualname)
    if done is None:
        return {"error": "The search was cancelled."}, ""
    found = done.result
    if not isinstance(found, WorstInput):
        return {"error": getattr(found, "reason", "The search has come to nothing.")}, ""
    page = worst_markdown(target.mechanism.qualname, found)
    return {**json.loads(worst_json(found, gather(())))["worst"], "uri": document.uri}, page


async def _with_progress(ls: DplintServer, job: WorstJob, function: str) -> Done | None:
    """Have the job done; None if the user has cancelled it."""
    task: asyncio.Task[Done] = asyncio.ensure_future(ls.requested_jobs.run(job))
    progress = WorkDone(ls.work_done_progress, task.cancel, "looking for the worst input")
    ls.requested_jobs.progresses.append(progress)
    try:
        progress.show([function] if ls.client.progress else [])
        return await task
    except asyncio.CancelledError:
        own = asyncio.current_task()
        if own is not None and own.cancelling():  # the editor has withdrawn its request
            raise
        return None
    finally:
        ls.requested_jobs.progresses.remove(progress)
        progress.show([])
