"""What the engines of a text spend, in words, for whoever rests on a call that makes one. Nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dplint.claims import Span
from dplint.config import Settings, shown
from dplint.source.read import read_source

if TYPE_CHECKING:
    from dplint.contracts.trainings import Training

MARK = "make_private"
"""A text without it makes no engine."""


def engine_notes(path: Path, text: str, settings: Settings) -> tuple[tuple[Span, str], ...]:
    """Each call that makes an engine, in the order of the source, and what is to be said of it.

    None of a text that does not parse.
    """
    source = read_source(path, file=shown(path), text=text, table=settings.mechanisms, without_claims=True)
    if source.module is None:
        return ()
    # LibCST, which these need, takes a fifth of a second to import.
    from dplint.contracts.training_search import trainings_in  # noqa: PLC0415
    from dplint.contracts.views import View  # noqa: PLC0415
    from dplint.source.project import ProjectIndex  # noqa: PLC0415

    mechanisms = [one.mechanism for one in source.mechanisms]
    view = View(source.module, source.file, mechanisms, ProjectIndex(source.module.place))
    return tuple((one.engine.span, _words(one)) for one in trainings_in(view, mechanisms))


def _words(training: Training) -> str:
    if training.missing:
        reasons = dict.fromkeys(f"line {one.span.line}: {one.reason}" for one in training.missing)
        return "What this engine spends is not known. " + "; ".join(reasons) + "."
    told = f"epsilon {float(training.epsilon or 0):g} at most for delta {float(training.delta):g}: {training.words}"
    if not training.engine.poisson:
        return (
            "Without Poisson sampling the bound by sampling does not hold, nor does the epsilon that the engine tells. "
            f"For a record that is left blank in its place, and is in one batch of each epoch: {told}."
        )
    return f"{told[:1].upper()}{told[1:]} (Poisson sampling)."
