"""Files that a mechanism is made of besides its own: when one of them changes, it is read and tested anew.

One whose module could not be imported is tried again when that may have changed: its text, what it imports, or what is
installed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dplint.check.editor_model import MechanismView
from dplint.check.loading import audit_settings
from dplint.check.mechanism_keys import MechanismKeys
from dplint.config import Settings
from dplint.server.documents import Document
from dplint.source.file_digests import same_files


async def changed_mechanisms(documents: Iterable[Document]) -> list[tuple[Document, str]]:
    """The mechanisms with a verdict that are made of something else by now, each as document and name."""
    wanted = [
        (document, view, state)
        for document in documents
        if document.current and not document.unreadable
        for view, state in document.mechanism_states()
        if state.mechanism_key is not None
    ]
    # The texts of now, which are typed in while they are looked at.
    asked = [
        _Asked(document.settings.settings, document.text.text, view, state.cannot_be_imported)
        for document, view, state in wanted
    ]
    found = await asyncio.to_thread(_keys_now, asked)
    return [
        (document, name)
        for (document, view, state), one, key in zip(wanted, asked, found, strict=True)
        if key != (state.import_key if one.of_import else state.mechanism_key)
        and document.states.get(name := view.mechanism.qualname) is state
    ]


async def changed_findings(documents: Iterable[Document]) -> list[Document]:
    """The documents with findings that depend on another file which has changed since."""
    wanted = [
        (document, dict(document.loaded.files))
        for document in documents
        if document.current and document.loaded is not None and document.loaded.files
    ]
    same = await asyncio.to_thread(lambda: [same_files(files) for _, files in wanted])
    return [document for (document, _), still in zip(wanted, same, strict=True) if not still]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A mechanism of a text, and whether what its import is made of is asked for, or what it is."""

    settings: Settings
    text: str
    view: MechanismView
    of_import: bool


def _keys_now(asked: Sequence[_Asked]) -> list[str | None]:
    """Digests of all that mechanisms, or their imports, are made of as they stand in the editor; None where that cannot
    be read.
    """
    keys, found = MechanismKeys(), list[str | None]()
    for one in asked:
        interpreter = audit_settings(one.settings, one.view.mechanism).interpreter
        digest = keys.import_digest if one.of_import else keys.digest
        try:
            found.append(digest(one.view.mechanism, interpreter, one.text))
        except OSError:
            found.append(None)
    return found
