"""Files that a mechanism is made of besides its own: when one of them changes, it is tested anew."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dplint.check.origins import Origins
from dplint.check.reading import audit_settings
from dplint.check.seen import View
from dplint.server.documents import Document
from dplint.server.lenses import Mode

if TYPE_CHECKING:
    from dplint.server.server import DplintServer


async def retest_what_changed(ls: DplintServer) -> None:
    """Look at the files that judged mechanisms are made of, and forget the verdicts of those that are others now."""
    wanted = [
        (document, view, judgement)
        for document in ls.documents.values()
        if document.current
        for view, judgement in document.judged()
        if judgement.origin is not None
    ]
    found = await asyncio.to_thread(_origins_now, [(document, view) for document, view, _ in wanted])
    for (document, view, judgement), origin in zip(wanted, found, strict=True):
        name = view.mechanism.qualname
        if origin == judgement.origin or document.judgements.get(name) is not judgement:
            continue
        ls.audits.drop(document.renew(name))
        if document.settings.editor.run != "manual" and ls.mode is not Mode.UNTRUSTED and document.may_run:
            ls.audits.request(document, name)
        ls.judged(document, final=True)


def _origins_now(wanted: Sequence[tuple[Document, View]]) -> list[str | None]:
    """Digests of all that mechanisms are made of as they stand in the editor; None where that cannot be read."""
    origins, found = Origins(), list[str | None]()
    for document, view in wanted:
        interpreter = audit_settings(document.settings.settings, view.mechanism).interpreter
        try:
            found.append(origins.digest(view.mechanism, interpreter, document.text.text))
        except OSError:
            found.append(None)
    return found
