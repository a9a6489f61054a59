"""Files that a mechanism is made of besides its own: when one of them changes, it is tested anew."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from dplint.check.origins import Origins
from dplint.check.reading import audit_settings
from dplint.check.seen import View
from dplint.server.documents import Document


async def made_anew(documents: Iterable[Document]) -> list[tuple[Document, str]]:
    """The mechanisms with a verdict that are made of something else by now, each as document and name."""
    wanted = [
        (document, view, judgement)
        for document in documents
        if document.current
        for view, judgement in document.judged()
        if judgement.origin is not None
    ]
    found = await asyncio.to_thread(_origins_now, [(document, view) for document, view, _ in wanted])
    return [
        (document, name)
        for (document, view, judgement), origin in zip(wanted, found, strict=True)
        if origin != judgement.origin and document.judgements.get(name := view.mechanism.qualname) is judgement
    ]


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
