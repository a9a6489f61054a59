"""`dplint train`: which function, with which canaries, and where the bound goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dplint.check.inspecting import train
from dplint.cli.output import require_writable
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.run_check import INTERRUPTED, asked_by_interrupt
from dplint.cli.run_inspect import answered, write_picture
from dplint.cli.target import function_file
from dplint.config import Settings
from dplint.jobs import CanaryChoice
from dplint.outcomes import CheckEvent, TrainingBound
from dplint.report.trained import training_svg
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
    choice, stop = CanaryChoice(**{name: options[name] for name in _CHOICE}), Stop()

    def begin(chosen: Settings) -> Iterator[CheckEvent | TrainingBound]:
        return train(target, chosen, choice, deadline=options["deadline"], stop=stop)

    with asked_by_interrupt(stop):
        told = answered(target, settings, begin, TrainingBound, options, stop)
    told.write(options)
    if told.answer is not None and options["plot"] is not None:
        write_picture(training_svg(told.answer), options["plot"])
    if stop.requested:
        return INTERRUPTED
    return 2 if told.answer is None else int(told.answer.refutes)
