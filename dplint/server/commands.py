"""The commands of the server. Editors call them from code lenses and code actions, or by name.

The worst input of a mechanism, for an editor that asks for it: a search by the source, with progress.
"""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types as lsp

from dplint.check.loading import Target, audit_settings
from dplint.codes import page, page_path
from dplint.jobs import WorstJob
from dplint.outcomes import Proved, Result, Violation, WorstInput
from dplint.report.answers import worst_document
from dplint.report.json_evidence import written
from dplint.report.markdown import hover as hover_text
from dplint.report.markdown import paragraphs_of
from dplint.report.markdown_text import code
from dplint.report.pytest_test import pytest_test
from dplint.server import views
from dplint.server.documents import Document, first_line
from dplint.server.lenses import Command, result_of, state_title, why_not_run
from dplint.server.progress import WorkDone
from dplint.server.server import DplintServer
from dplint.server.views import proof

_SECONDS = 5.0
"""Of CPU time: somebody waits."""


async def worst_input(
    ls: DplintServer, document: Document, target: Target, text: str
) -> tuple[Mapping[str, object], str]:
    """As `dplint inspect worst --format json` has it, and as a page; under `error` why there is none, with no page."""
    settings = audit_settings(document.settings.settings, target.mechanism)
    job = target.job(WorstJob, settings, seconds=_SECONDS, source_text=text)
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
    shown = written(found)
    assert isinstance(shown, dict)
    return {**shown, "uri": document.uri}, page


_NOT_OPEN = "The file is not open in the editor any more."


def register_commands(server: DplintServer) -> None:
    """Make the commands known. All answer null, or an object for an editor that can do something with it."""
    server.command(Command.TEST)(begin)
    server.command(Command.TEST_DEEPER)(go_on)
    server.command(Command.TEST_ALL)(test_all)
    server.command(Command.STOP)(stop)
    server.command(Command.SHOW_COUNTEREXAMPLE)(show_counterexample)
    server.command(Command.SHOW_PROOF)(show_proof)
    server.command(Command.SHOW_OUTPUTS)(show_outputs)
    server.command(Command.SHOW_CURVE)(show_curve)
    server.command(Command.WORST)(show_worst)
    server.command(Command.COPY_TEST)(copy_test)
    server.command(Command.EXPLAIN)(explain)
    server.command(Command.MECHANISMS)(mechanisms)
    server.command(Command.PAUSE)(pause)
    server.command(Command.RESUME)(resume)


def begin(ls: DplintServer, *meant: str) -> None:
    """Test a mechanism now, whatever is known of it; without arguments, the one under the cursor."""
    _request(ls, meant, deeper=False)


def go_on(ls: DplintServer, *meant: str) -> None:
    """Go on with a mechanism for longer than before; without arguments, with the one under the cursor."""
    _request(ls, meant, deeper=True)


def test_all(ls: DplintServer) -> None:
    """Test all mechanisms of all open documents."""
    for document in ls.everything:
        why = why_not_run(document, ls.mode)
        if why is None:
            ls.test(document, all_of_them=True)
        elif document.views:
            ls.warn(f"{document.path.name} is not tested: {why}.")


def stop(ls: DplintServer, *meant: str) -> None:
    """End the test of a mechanism; it begins again with the next change, or when somebody asks for it."""
    uri, function = _named(ls, meant)
    document = ls.document_of(uri)
    state = document.states.get(function) if document is not None else None
    if document is not None and state is not None:
        ls.audits.stop(state)
        ls.verdict_changed(document, final=False)


async def show_counterexample(ls: DplintServer, *meant: str) -> Mapping[str, object] | None:
    """The counterexample of a violation as JSON, with what explains it; a page, unless the editor has a view.

    Where the source alone speaks against the claim, what it shows; `confirmed` is false then.
    """
    uri, function = _named(ls, meant)
    document = await ls.read_document(uri)
    if document is None:
        return None
    view, state = document.view(function), document.states.get(function)
    known = None if state is None else state.shown_by_source
    if view is not None and known is not None and known.against is not None:
        if not ls.client.panel:
            text = hover_text(view.mechanism, None, "", (), known) + "\n"
            await _show(ls, f"counterexample-{function}.md", text)
        return _in_cell(ls, uri, views.unconfirmed(document, view.mechanism, known))
    result = _violation(ls, uri, function)
    if result is None:
        _tell(ls, function and f"There is no counterexample of {function}.")
        return None
    if not ls.client.panel:
        text = hover_text(result.mechanism, result.outcome, "", result.explained_by) + "\n"
        await _show(ls, f"counterexample-{function}.md", text)
    return _in_cell(ls, uri, views.counterexample(document, result))


async def show_proof(ls: DplintServer, *meant: str) -> Mapping[str, object] | None:
    """The proof of a mechanism as JSON, with the shift at each draw; a page, unless the editor has a view."""
    uri, function = _named(ls, meant)
    document = await ls.read_document(uri)
    result = None if document is None else result_of(document, function)
    if document is None or result is None or not isinstance(result.outcome, Proved):
        _tell(ls, function and f"There is no proof of {function}.")
        return None
    if not ls.client.panel:
        await _show(ls, f"proof-{function}.md", hover_text(result.mechanism, result.outcome, "", ()) + "\n")
    return _in_cell(ls, uri, proof(document, result))


async def show_outputs(ls: DplintServer, *meant: str) -> Mapping[str, object]:
    """How the outputs on both sides of a counterexample are distributed, or under `error` why they are not shown.

    Of what is not violated those of the pair that was computed to lose most, if there is one.
    """
    uri, function = _named(ls, meant)
    document = await ls.read_document(uri)
    if document is None:
        return {"error": _NOT_OPEN}
    return await views.outputs(ls, document, function)


async def show_curve(ls: DplintServer, *meant: str) -> Mapping[str, object]:
    """p-values against tested epsilons; a page, unless the editor has a view."""
    uri, function = _named(ls, meant)
    document = await ls.read_document(uri)
    if document is None:
        return {"error": _NOT_OPEN}
    found = await views.curve(ls, document, function)
    if "error" in found and not ls.client.panel:
        ls.warn(f"The curve of {function} cannot be shown. {found['error']}")
    return found


async def show_worst(ls: DplintServer, *meant: str) -> Mapping[str, object]:
    """The input that loses most of those that a search by the source comes to; a page, too."""
    uri, function = _named(ls, meant)
    document = await ls.read_document(uri)
    if document is None:
        return {"error": _NOT_OPEN}
    text = document.text.text
    target = await views.runnable(ls, document, text, function)
    if isinstance(target, str):
        return {"error": target}
    found, page = await worst_input(ls, document, target, text)
    if page:
        await _show(ls, f"worst-{function}.md", page)
    else:
        ls.warn(f"No worst input of {function} was found. {found['error']}")
    return found


async def copy_test(ls: DplintServer, *meant: str) -> dict[str, str] | None:
    """The counterexample as a test for pytest: file name and text; shown, unless the editor copies it."""
    uri, function = _named(ls, meant)
    result = _violation(ls, uri, function)
    found = pytest_test(result) if result is not None else None
    if found is None:
        if uri:
            ls.warn(f"The counterexample of {function} cannot be written as a test.")
        return None
    if not ls.client.clipboard:
        await _show(ls, found.file_name, found.text)
    return {"fileName": found.file_name, "text": found.text}


async def mechanisms(ls: DplintServer, uri: str) -> list[dict[str, object]]:
    """The mechanisms of a document: for an editor that looks for the one under the cursor, or lets people choose.

    function: its name. first, last: its lines with those of its claim, from 0. state: what its lens says. violated,
    proved: whether there is a counterexample or a proof to show. unconfirmed: whether the source alone speaks against
    the claim.
    """
    document = await ls.read_document(uri)
    if document is None:
        return []
    found: list[dict[str, object]] = [
        {
            "function": view.mechanism.qualname,
            "first": first_line(view) - 1,
            "last": view.last - 1,
            "state": state_title(document, view, state, ls.mode),
            "violated": isinstance(state.outcome, Violation),
            "proved": isinstance(state.outcome, Proved),
            "unconfirmed": state.unconfirmed is not None,
        }
        for view, state in document.mechanism_states()
    ]
    cell = ls.notebooks.cell(uri)
    return found if cell is None else cell.mechanisms(found)


def _in_cell(ls: DplintServer, uri: str, found: Mapping[str, object]) -> Mapping[str, object]:
    """What a view shows, with the places of a cell if it is in one."""
    cell = ls.notebooks.cell(uri)
    return found if cell is None else cell.view(dict(found))


def pause(ls: DplintServer) -> None:
    """No test runs until `dplint.resume`."""
    ls.audits.pause()
    ls.source_losses.pause()
    ls.everything_changed()


def resume(ls: DplintServer) -> None:
    """Tests run again."""
    ls.audits.resume()
    ls.source_losses.resume()
    for document in ls.everything:
        ls.readings.read(document, then_test=True)
    ls.everything_changed()


async def explain(ls: DplintServer, code: str) -> dict[str, str] | None:
    """The page of a code: its path and its text; opened, unless the editor has a view for it."""
    found, path = page(code), page_path(code)
    if found is None or path is None:
        ls.warn(f"There is no page about {code}.")
        return None
    if not ls.client.panel:
        await _show(ls, f"{code}.md", found.markdown)
    return {"uri": path.as_uri(), "text": found.markdown}


def _under_cursor(ls: DplintServer) -> tuple[str, ...]:
    """The mechanism where the user was seen last; of a document with a single one, that; empty if there is none."""
    document = max(ls.everything, key=lambda one: one.seen, default=None)
    if document is None:
        return ()
    only = document.views[0] if len(document.views) == 1 else None
    view = document.view_at(document.cursor) or only
    return () if view is None else (document.uri, view.mechanism.qualname)


def _named(ls: DplintServer, meant: tuple[str, ...]) -> tuple[str, str]:
    """Address of the document and name of the function; where a command was given neither, those under the cursor.

    Two empty texts, and a message, where there is no such mechanism.
    """
    named = meant or _under_cursor(ls)
    if len(named) == 2:
        return named[0], named[1]
    ls.warn("There is no mechanism under the cursor: call the command with the address and the function.")
    return "", ""


def _request(ls: DplintServer, meant: tuple[str, ...], *, deeper: bool) -> None:
    uri, function = _named(ls, meant)
    if not uri:
        return
    document = ls.document_of(uri)
    if document is None or document.view(function) is None:
        ls.warn(f"There is no mechanism {function} in an open document {uri}.")
    elif (why := why_not_run(document, ls.mode)) is not None:
        ls.warn(f"{function} is not tested: {why}.")
    else:
        ls.audits.start(ls.configuration.jobs)
        ls.look_at(document)
        ls.audits.request(document, function, deeper=deeper, by_user=True)


def _tell(ls: DplintServer, why: str) -> None:
    """Said where nobody has a view that would say it; nothing, where something else was said before."""
    if not ls.client.panel and why:
        ls.warn(why)


def _violation(ls: DplintServer, uri: str, function: str) -> Result | None:
    document = ls.document_of(uri)
    result = result_of(document, function) if document is not None else None
    return result if result is not None and isinstance(result.outcome, Violation) else None


async def _show(ls: DplintServer, name: str, text: str) -> None:
    """Open a text in the editor, from a file for the purpose; as a message where it cannot open files."""
    if not ls.client.show_document:
        ls.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=text))
        return
    path = ls.scratch / name.replace("<", "").replace(">", "")
    path.write_text(text, encoding="utf-8")
    await ls.window_show_document_async(lsp.ShowDocumentParams(uri=path.as_uri(), external=False, take_focus=True))
