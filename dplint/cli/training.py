"""The command that trains with canaries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dplint.cli.groups import GroupedCommand
from dplint.cli.options import output_options


@click.command(cls=GroupedCommand)
@click.argument("target", metavar="FILE::FUNCTION")
@click.option("--canaries", metavar="MODULE:NAME", help="Function that gives the canaries.  [default: of the domain]")
@click.option("--records", metavar="MODULE:NAME", help="Function that gives the other records of the training.")
@click.option("--score", metavar="MODULE:NAME", help="Function (model, canary) that is higher if the canary was in it.")
@click.option("--count", type=click.IntRange(8), default=1000, show_default=True, help="Canaries of the domain.")
@click.option("--normal", is_flag=True, help="The noise is normal: hold against the claim what follows from that.")
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 1 - 1e-9),
    default=0.95,
    show_default=True,
    metavar="SHARE",
    help="With which the bound holds.",
)
@click.option("--seed", type=int, metavar="N", help="Seed of coins and noise.  [default: from source and claim]")
@click.option("--deadline", type=float, default=3600.0, show_default=True, metavar="SECONDS", help="For one release.")
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
