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
    capabilities = params.capabilities
    workspace, window, text = capabilities.workspace, capabilities.window, capabilities.text_document
    options: Mapping[str, Any] = (
        params.initialization_options if isinstance(params.initialization_options, dict) else {}
    )
    edit = workspace.workspace_edit if workspace else None
    made = (edit.resource_operations or []) if edit else []
    return Client(
        pull=bool(
            text and text.diagnostic and workspace and workspace.diagnostics and workspace.diagnostics.refresh_support
        ),
        progress=bool(window and window.work_done_progress),
        lens_refresh=bool(workspace and workspace.code_lens and workspace.code_lens.refresh_support),
        hint_refresh=bool(workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support),
        configuration=bool(workspace and workspace.configuration),
        watching=bool(
            workspace and workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration
        ),
        document_changes=bool(edit and edit.document_changes),
        create_files=bool(edit and edit.document_changes and lsp.ResourceOperationKind.Create in made),
        show_document=bool(window and window.show_document and window.show_document.support),
        trusted=options.get("trusted") is not False,
        clipboard=options.get("clipboard") is True,
        panel=options.get("panel") is True,
        status=options.get("status") is True,
        select_interpreter=options.get("selectInterpreter") is True,
    )
