"""`dplint train`: which function, with which canaries, and where the bound goes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, TextIO

from dplint.check.training import train
from dplint.cli.output import require_writable
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.run_check import INTERRUPTED, asked_by_interrupt
from dplint.cli.run_inspect import answered, write_answer, write_picture
from dplint.cli.target import function_file
from dplint.jobs import CanaryChoice
from dplint.outcomes import TrainingBound
from dplint.report.trained import training_document, training_json, training_svg
from dplint.workers.pool import Stop

_CHOICE = ("records", "canaries", "score", "count", "normal", "confidence")


def run_train(target: str, options: Mapping[str, Any]) -> int:
    """Train, write the bound and the picture, and return the exit code: 1 if the claim is refuted, 2 for no bound, and
    that of an interruption where it was cut short.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    settings = settings_for(function_file(target), overrides({"seed": options["seed"]}))
    require_writable(options["output_file"], options["plot"])
    choice, started, stop = CanaryChoice(**{name: options[name] for name in _CHOICE}), time.monotonic(), Stop()
    with asked_by_interrupt(stop):
        answer, gathered = answered(
            settings,
            lambda chosen: train(target, chosen, choice, deadline=options["deadline"], stop=stop),
            TrainingBound,
            options,
            stop,
        )
    write_answer(answer, gathered, started, options, as_json=training_json, for_people=_write)
    if answer is not None and options["plot"] is not None:
        write_picture(training_svg(answer), options["plot"])
    if stop.requested:
        return INTERRUPTED
    return 2 if answer is None else int(answer.refutes)


def _write(bound: TrainingBound, out: TextIO) -> None:
    from dplint.cli.people import write_document  # noqa: PLC0415 - rich is imported only where it is used

    write_document(training_document(bound), out)
