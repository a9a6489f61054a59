"""The worst input of a mechanism, for an editor that asks for it: a search by the source, with progress."""

from __future__ import annotations

import json
from collections.abc import Mapping

from dplint.check.loading import Target, audit_settings
from dplint.jobs import WorstJob
from dplint.outcomes import WorstInput
from dplint.report.answers import worst_document
from dplint.report.gathered import gather
from dplint.report.json_answers import worst_json
from dplint.report.markdown import paragraphs_of
from dplint.report.markdown_text import code
from dplint.server.documents import Document
from dplint.server.progress import WorkDone
from dplint.server.server import DplintServer

_SECONDS = 5.0
"""Of CPU time: somebody waits."""


async def worst_input(
    ls: DplintServer, document: Document, target: Target, text: str
) -> tuple[Mapping[str, object], str]:
    """As `dplint inspect worst --format json` has it, and as a page; under `error` why there is none, with no page."""
    job = WorstJob(
        mechanism=target.mechanism,
        program=target.program,
        settings=audit_settings(document.settings.settings, target.mechanism),
        seconds=_SECONDS,
        source_text=text,
    )
    name = target.mechanism.qualname
    dones = await ls.requested_jobs.run_shown(
        [job],
        lambda cancel: WorkDone(ls.work_done_progress, cancel, "looking for the worst input"),
        [name] if ls.client.progress else [],
    )
    if dones is None:
        return {"error": "The search was cancelled."}, ""
    found = dones[0].result
    if not isinstance(found, WorstInput):
        return {"error": getattr(found, "reason", "The search has come to nothing.")}, ""
    told = worst_document(name, found)
    page = f"# The worst input of {code(name)} that was found\n\n" + "\n\n".join(paragraphs_of(told)) + "\n"
    return {**json.loads(worst_json(found, gather(())))["worst"], "uri": document.uri}, page
