"""Code lenses above mechanisms, and inlay hints at their draws."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from lsprotocol import types as lsp

from dplint.check.editor_model import MechanismView
from dplint.outcomes import NoViolation, Proved, Underpowered, Violation
from dplint.report import editor
from dplint.report.source_words import by_source_title
from dplint.server.documents import Document
from dplint.server.mechanism_state import MechanismState, Phase


class Command(StrEnum):
    """The commands of the server, under the names that editors call them by."""

    TEST = "dplint.test"
    TEST_DEEPER = "dplint.testDeeper"
    TEST_ALL = "dplint.testAll"
    STOP = "dplint.stop"
    SHOW_COUNTEREXAMPLE = "dplint.showCounterexample"
    SHOW_OUTPUTS = "dplint.showOutputs"
    SHOW_CURVE = "dplint.showCurve"
    COPY_TEST = "dplint.copyTest"
    MECHANISMS = "dplint.mechanisms"
    PAUSE = "dplint.pause"
    RESUME = "dplint.resume"


class Mode(StrEnum):
    """Whether audits may run at all."""

    ON = "on"
    PAUSED = "paused"
    UNTRUSTED = "untrusted"


def lenses(document: Document, mode: Mode) -> list[lsp.CodeLens]:
    """The state of each mechanism in words, and what can be done about it, above its function."""
    return [lens for view, state in document.mechanism_states() for lens in _lenses(document, view, state, mode)]


def _lenses(document: Document, view: MechanismView, state: MechanismState, mode: Mode) -> Iterator[lsp.CodeLens]:
    found = state.outcome
    where = document.text.range(view.mechanism.span)
    arguments: list[object] = [document.uri, view.mechanism.qualname]

    def lens(title: str, command: str) -> lsp.CodeLens:
        return lsp.CodeLens(range=where, command=lsp.Command(title=title, command=command, arguments=arguments))

    shown = isinstance(found, Violation) or state.unconfirmed is not None
    yield lens(state_title(document, view, state, mode), Command.SHOW_COUNTEREXAMPLE if shown else "")
    if shown:
        yield lens("show counterexample", Command.SHOW_COUNTEREXAMPLE)
    if mode is not Mode.ON or not document.may_run:
        return
    if state.busy:
        yield lens("stop", Command.STOP)
    elif isinstance(found, Violation | NoViolation | Underpowered | Proved):
        yield lens("test deeper", Command.TEST_DEEPER)
    else:
        yield lens("test now", Command.TEST)


def state_title(document: Document, view: MechanismView, state: MechanismState, mode: Mode) -> str:
    """The claim and what is known of it: "claims ε = 0.7 · testing, 41k runs"."""
    found, claim = state.outcome, editor.claim_title(view.mechanism.claim)
    known = None if found is None else f"{claim} · {editor.verdict_title(found)}"
    if state.phase is Phase.TESTING and mode is Mode.ON:
        testing = editor.testing_title(state.tick.done if state.tick else 0)
        return f"{claim} · {testing}" if known is None else f"{known} · {testing}"
    computed = "" if state.by_source is None else by_source_title(state.by_source)
    if state.unconfirmed is not None:
        return f"{claim} · {computed}" if known is None else f"{known} · {computed}"
    if known is not None:
        return known
    unknown = _unknown(document, state, mode)
    return f"{claim} · {unknown} ({computed})" if computed else f"{claim} · {unknown}"


def _unknown(document: Document, state: MechanismState, mode: Mode) -> str:
    """Why there is no verdict."""
    if mode is Mode.UNTRUSTED:
        return "not tested: the workspace is not trusted"
    if not document.runnable:
        return "not tested: save it as a file first"
    if document.settings.settings.static_only:
        return "not tested: the settings say static-only"
    if mode is Mode.PAUSED:
        return "not tested: dplint is paused"
    if document.unreadable:
        return "not tested: the file does not parse"
    if state.phase is Phase.WAITING:
        return "waiting"
    if state.phase is Phase.STOPPED:
        return "stopped"
    if state.older is not None:
        return "changed since it was tested"
    return "not tested yet"


def hints(document: Document, first: int, last: int) -> list[lsp.InlayHint]:
    """What each draw in these lines, counted from 1, spends of the budget, where that is known."""
    found = []
    for view in document.views:
        for share in view.shares:
            label = editor.share_label(share)
            if label is None or share.span.file or not first <= share.span.end_line <= last:
                continue
            found.append(
                lsp.InlayHint(
                    position=document.text.range(share.span).end,
                    label=label,
                    padding_left=True,
                    tooltip=editor.share_words(share, view.mechanism.claim.sensitivity),
                )
            )
    return found
