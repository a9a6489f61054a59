"""The command that trains with canaries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dplint.cli.groups import GroupedCommand
from dplint.cli.options import flag, output_options, value


@click.command(cls=GroupedCommand)
@click.argument("target", metavar="FILE::FUNCTION")
@value("--canaries", "MODULE:NAME", "Function that gives the canaries.  [default: of the domain]")
@value("--records", "MODULE:NAME", "Function that gives the other records of the training.")
@value("--score", "MODULE:NAME", "Function (model, canary) that is higher if the canary was in it.")
@click.option("--count", type=click.IntRange(8), default=1000, show_default=True, help="Canaries of the domain.")
@flag("--normal", "The noise is normal: hold against the claim what follows from that.")
@value(
    "--confidence",
    "SHARE",
    "With which the bound holds.",
    type=click.FloatRange(0.5, 1 - 1e-9),
    default=0.95,
    show_default=True,
)
@value("--seed", "N", "Seed of coins and noise.  [default: from source and claim]", type=int)
@value("--deadline", "SECONDS", "For one release.", type=float, default=3600.0, show_default=True)
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw the bound over releases, as SVG.")
@output_options(("rich", "json"))
def train(target: str, **options: Any) -> int:
    """Train once with canaries in the data, and bound epsilon from below by how well they are told.

    Each canary is in the training with probability 1/2. A function that yields what it releases is looked at on the
    way, and Ctrl-C gives the bound so far. A bound is no proof that less is not kept.

    Exit code 0: the claim is not refuted. 1: it is. 2: there is no bound, and the reason is told.
    """
    from dplint.cli.run_train import run_train  # noqa: PLC0415 - help answers fast

    return run_train(target, options)
