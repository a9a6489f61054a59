"""What the server is doing, in one object: for a status bar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dplint.outcomes import Failed, NoViolation, Untestable, Violation
from dplint.server.documents import Document
from dplint.server.judgements import Judgement
from dplint.server.lenses import Mode


def state(
    documents: Iterable[Document], active: Sequence[tuple[Document, str, Judgement]], mode: Mode
) -> dict[str, object]:
    """The notification `dplint/state`: mode, what is tested, and how the open documents stand."""
    outcomes = [judgement.outcome for document in documents for _, judgement in document.judged()]
    return {
        "mode": mode.value,
        "testing": [{"uri": document.uri, "function": name} for document, name, _ in active],
        "mechanisms": len(outcomes),
        "violations": sum(isinstance(one, Violation) for one in outcomes),
        "noViolation": sum(isinstance(one, NoViolation) for one in outcomes),
        "untestable": sum(isinstance(one, Untestable) for one in outcomes),
        "failed": sum(isinstance(one, Failed) for one in outcomes),
    }
