"""What the server is doing, in one object: for a status bar, and for a view that follows an audit."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

from dplint import __version__
from dplint.config.interpreter import choose_interpreter
from dplint.outcomes import Failed, NoViolation, Proved, Underpowered, Untestable, Violation
from dplint.server.documents import Document
from dplint.server.lenses import Mode
from dplint.server.mechanism_state import MechanismState
from dplint.source.places import import_place


def status(
    documents: Collection[Document], active: Sequence[tuple[Document, str, MechanismState]], mode: Mode
) -> dict[str, object]:
    """The notification `dplint/status`: what may run, what does, how the open documents stand, and who runs it."""
    outcomes = [state.outcome for document in documents for _, state in document.mechanism_states()]
    return {
        "state": mode.value,
        "running": [_running(document, name, state) for document, name, state in active],
        "mechanisms": len(outcomes),
        "violations": sum(isinstance(one, Violation) for one in outcomes),
        "proved": sum(isinstance(one, Proved) and one.scope.full for one in outcomes),
        "provedInPart": sum(isinstance(one, Proved) and not one.scope.full for one in outcomes),
        "noViolation": sum(isinstance(one, NoViolation) for one in outcomes),
        "underpowered": sum(isinstance(one, Underpowered) for one in outcomes),
        "untestable": sum(isinstance(one, Untestable) for one in outcomes),
        "failed": sum(isinstance(one, Failed) for one in outcomes),
        "interpreter": _interpreter(documents, mode),
        "version": __version__,
    }


def _interpreter(documents: Collection[Document], mode: Mode) -> str:
    """The one that runs the code of the document looked at last; that of the server where there is none."""
    last = max(documents, key=lambda one: one.seen, default=None)
    if last is None or mode is Mode.UNTRUSTED:
        return sys.executable
    return choose_interpreter(last.settings.settings, str(import_place(last.path).project_root))


def _running(document: Document, name: str, state: MechanismState) -> dict[str, object]:
    """An audit that goes on. claimed, epsilonLower: the value of the claim it is at and the bound there, if known."""
    tick = state.tick
    standing = None if tick is None else tick.standing
    return {
        "uri": document.uri,
        "function": name,
        "runs": 0 if tick is None else tick.done,
        "phase": state.phase.value,
        "claimed": None if standing is None else standing.epsilon,
        "epsilonLower": None if standing is None else standing.lower,
    }
