"""What the editor at the other end can do, read once from its capabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp


@dataclass(frozen=True, slots=True)
class Client:
    """Abilities of an editor.

    pull: it asks for diagnostics, and can be told to ask again; else they are pushed. Never both: an editor that gets
    them twice shows them twice. trusted: whether the user lets code of the workspace run; editors that say nothing
    about it have no such notion. clipboard: it copies the text that `dplint.copyTest` returns. panel: it has a view of
    its own for counterexamples. status: it wants to be told what the server is doing. select_interpreter: it has
    a command `dplint.selectInterpreter`.
    """

    pull: bool = False
    progress: bool = False
    lens_refresh: bool = False
    hint_refresh: bool = False
    configuration: bool = False
    watching: bool = False
    document_changes: bool = False
    create_files: bool = False
    show_document: bool = False
    trusted: bool = True
    clipboard: bool = False
    panel: bool = False
    status: bool = False
    select_interpreter: bool = False


def read_client(params: lsp.InitializeParams) -> Client:
    """From the parameters of `initialize`, of which nothing is taken for granted."""
    given = params.initialization_options
    options: Mapping[str, Any] = given if isinstance(given, dict) else {}

    def has(ability: str) -> bool:
        """Whether a capability is there, and not false; by its name, and those of what it stands in."""
        found: Any = params.capabilities
        for name in ability.split("."):
            found = getattr(found, name, None)
        return bool(found)

    edit = params.capabilities.workspace and params.capabilities.workspace.workspace_edit
    made = (edit.resource_operations if edit else None) or []
    document_changes = has("workspace.workspace_edit.document_changes")
    return Client(
        pull=has("text_document.diagnostic") and has("workspace.diagnostics.refresh_support"),
        progress=has("window.work_done_progress"),
        lens_refresh=has("workspace.code_lens.refresh_support"),
        hint_refresh=has("workspace.inlay_hint.refresh_support"),
        configuration=has("workspace.configuration"),
        watching=has("workspace.did_change_watched_files.dynamic_registration"),
        document_changes=document_changes,
        create_files=document_changes and lsp.ResourceOperationKind.Create in made,
        show_document=has("window.show_document.support"),
        trusted=options.get("trusted") is not False,
        clipboard=options.get("clipboard") is True,
        panel=options.get("panel") is True,
        status=options.get("status") is True,
        select_interpreter=options.get("selectInterpreter") is True,
    )
