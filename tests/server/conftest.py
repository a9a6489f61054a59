"""An editor for tests: pytest-lsp's client, once as one that gets diagnostics pushed and once as one that pulls."""

import asyncio
import os
import re
import sys

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from dplint.server.documents import Text

SERVER = [sys.executable, "-m", "dplint", "server"]
PATIENCE = float(os.environ.get("DPLINT_TEST_PATIENCE", "60"))
"""Seconds after which something is taken never to happen; nothing here takes long on a machine that is not busy."""

RULES = re.compile(r"DP[1-6]")

WRONG = """
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [c + rng.laplace(scale=0.1 / epsilon) for c in counts]
"""
RIGHT = WRONG.replace("scale=0.1 / epsilon", "scale=1 / epsilon")
HEAD = "import numpy as np\nfrom dplint import dp\n"


BOTH_WAYS = {"test_diagnostics.py", "test_actions.py"}
"""What is about diagnostics. The other files pull them, as VS Code does; whether it is the same where they are pushed,
is seen at night, and in the tests of editors."""


BETS_ALONE = "[tool.dplint]\nexact = false\nproofs = false\n"
"""What is asked of an editor here is how it tells of audits by runs; tests of what comes before give a `pyproject`."""


def pytest_configure(config):
    config.addinivalue_line("markers", "editor_with(options, settings, pyproject, roots): how an editor begins")


def pytest_itemcollected(item):
    ways = {"own_client", "shared_client"} & set(item.fixturenames)
    if ways and item.path.name not in BOTH_WAYS and "push" in item.callspec.params.values():
        item.add_marker(pytest.mark.nightly)


class Editor:
    """What a user does, and what they see."""

    def __init__(self, client, folder, *, pulls):
        self.client = client
        self.folder = folder
        self.pulls = pulls
        self.texts = {}
        self.versions = {}
        self.settings = {}

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text, *, write=True):
        if write:
            (self.folder / name).write_text(text, encoding="utf-8", newline="")
        uri = self.uri(name)
        self.texts[name], self.versions[name] = text, 1
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "python", 1, text)))
        return uri

    def type(self, name, old, new):
        """Replace a piece of the text by another, as one edit of a range."""
        before = Text(self.texts[name])
        start = before.text.index(old)
        where = lsp.Range(before.position(start), before.position(start + len(old)))
        self.texts[name] = before.text[:start] + new + before.text[start + len(old) :]
        self.versions[name] += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name)),
                [lsp.TextDocumentContentChangePartial(range=where, text=new)],
            )
        )

    def save(self, name, *, write=True):
        if write:
            (self.folder / name).write_text(self.texts[name], encoding="utf-8", newline="")
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(self.uri(name))))

    def close(self, name):
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(self.uri(name))))

    async def problems(self, name):
        """The diagnostics that are shown now, but for those of static rules, which have tests of their own."""
        return [item for item in await self.everything(name) if not RULES.match(str(item.code))]

    async def everything(self, name):
        """All diagnostics that are shown now."""
        uri = self.uri(name)
        if not self.pulls:
            return list(self.client.diagnostics.get(uri, ()))
        report = await self.client.text_document_diagnostic_async(
            lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        )
        return report.items

    async def see(self, name, wanted):
        """Wait until the diagnostics are as wanted, and return them."""
        return await until(lambda: self.problems(name), wanted)

    async def codes(self, name, *wanted):
        """Wait until exactly these codes are shown."""
        return await self.see(name, lambda items: sorted(str(item.code) for item in items) == sorted(wanted))

    async def lenses(self, name):
        found = await self.client.text_document_code_lens_async(
            lsp.CodeLensParams(lsp.TextDocumentIdentifier(self.uri(name)))
        )
        return found or []

    async def titles(self, name):
        return [lens.command.title for lens in await self.lenses(name)]

    async def see_title(self, name, part):
        """Wait until some lens holds this text."""
        return await until(lambda: self.titles(name), lambda titles: any(part in title for title in titles))

    async def run(self, command, *arguments):
        return await self.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command, arguments=list(arguments))
        )

    async def actions(self, name, item=None, line=0, only=None):
        where = item.range if item is not None else lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
        context = lsp.CodeActionContext([item] if item is not None else [], only=only)
        return await self.client.text_document_code_action_async(
            lsp.CodeActionParams(lsp.TextDocumentIdentifier(self.uri(name)), where, context)
        )

    def apply(self, name, action):
        """Apply an action that changes one document."""
        (change,) = action.edit.document_changes
        assert change.text_document.uri == self.uri(name)
        assert change.text_document.version == self.versions[name]
        text = self.texts[name]
        for edit in sorted(
            change.edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True
        ):
            before = Text(text)
            text = (
                before.text[: before.offset(edit.range.start)] + edit.new_text + text[before.offset(edit.range.end) :]
            )
        self.texts[name] = text
        self.versions[name] += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name)),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def hover(self, name, piece):
        """The hover over the beginning of a piece of the text, None if there is none."""
        text = Text(self.texts[name])
        found = await self.client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri(name)), text.position(text.text.index(piece)))
        )
        return found and found.contents.value

    @property
    def shown(self):
        """The messages that popped up."""
        return [message.message for message in self.client.messages]

    def configure(self, **values):
        """Set what the editor answers when it is asked for the section `dplint`, and tell the server."""
        self.client.set_configuration({"dplint": values})
        self.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings={"dplint": values}))


async def until(look, wanted):
    """Look again and again until it is as wanted; what was seen, or a failure that shows it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while True:
        seen = look()
        if asyncio.iscoroutine(seen):
            seen = await seen
        if wanted(seen):
            return seen
        if loop.time() > end:
            pytest.fail(f"not what was waited for: {seen}")
        await asyncio.sleep(0.03)


def capabilities(*, pulls):
    """Those of VS Code, with pull diagnostics or without."""
    found = client_capabilities("visual_studio_code")
    assert found.text_document is not None
    assert found.workspace is not None
    if pulls:
        found.text_document.diagnostic = lsp.DiagnosticClientCapabilities(dynamic_registration=True)
        found.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    else:
        found.text_document.diagnostic = None
    found.workspace.code_lens = lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True)
    found.workspace.inlay_hint = lsp.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    return found


def answer_requests(client):
    """What every editor answers, and this client does not by itself."""
    client.refreshes = []
    client.registered = []
    client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: client.registered.extend(params.registrations))
    client.protocol.fm.features.pop("workspace/diagnostic/refresh", None)  # it would ask by itself
    for method in ("workspace/codeLens/refresh", "workspace/inlayHint/refresh", "workspace/diagnostic/refresh"):
        client.feature(method)(lambda *_, method=method: client.refreshes.append(method))


async def start(client, folder, *, pulls, options=None, folders=None):
    answer_requests(client)
    roots = [folder] if folders is None else folders
    client.result = await client.initialize_session(
        lsp.InitializeParams(
            capabilities=capabilities(pulls=pulls),
            workspace_folders=[lsp.WorkspaceFolder(uri=root.as_uri(), name=root.name) for root in roots],
            initialization_options=options,
        )
    )
    return Editor(client, folder, pulls=pulls)


async def connect(request, client, folder):
    """Start a session as the marker or the parameter of the fixture says."""
    marker = request.node.get_closest_marker("editor_with")
    given = dict(marker.kwargs) if marker is not None else {}
    client.set_configuration({"dplint": given.pop("settings", {})})
    folder.mkdir(parents=True)
    for name, settings in given.pop("roots", {}).items():
        root = folder / name
        root.mkdir()
        given.setdefault("folders", []).append(root)
        client.set_configuration({"dplint": settings}, scope_uri=root.as_uri())
    (folder / "pyproject.toml").write_text(given.pop("pyproject", BETS_ALONE))
    client.editor = await start(client, folder, pulls=request.param == "pull", **given)


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER), params=["push", "pull"], scope="module")
async def shared_client(request, lsp_client: LanguageClient, tmp_path_factory):
    """One server for all tests of a file: each opens documents of its own."""
    await connect(request, lsp_client, tmp_path_factory.mktemp("shared") / "project")
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(shared_client):
    return shared_client.editor


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER), params=["push", "pull"])
async def own_client(request, lsp_client: LanguageClient, tmp_path):
    """A server for one test, with the options and settings of its marker `editor_with`."""
    await connect(request, lsp_client, tmp_path / "project")
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def own_editor(own_client):
    return own_client.editor
