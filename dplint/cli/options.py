"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from dplint.cli.formats import complete_formats, read_formats
from dplint.cli.option_values import epsilons, seconds
from dplint.config.settings import DEFAULT_METHOD
from dplint.report.formats import DEFAULT, format_names

Command = TypeVar("Command", bound=Callable[..., Any])


def _all_of(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """A decorator that gives a command these options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


audit_options = _all_of(
    click.option(
        "--profile",
        type=click.Choice(["editor", "commit", "ci", "nightly"]),
        help="How much effort to make.  [default: ci]",
    ),
    click.option("--seed", type=int, metavar="N", help="Seed of all audits.  [default: from source and claim]"),
    click.option("--jobs", "-j", type=int, metavar="N", help="Worker processes.  [default: one for each processor]"),
    click.option("--select-runs", type=int, metavar="N", help="StatDP: runs a side to choose on."),
    click.option("--test-runs", type=int, metavar="N", help="StatDP: fresh runs a side to test on."),
    click.option("--time-limit", type=float, metavar="SECONDS", help="For one mechanism, in any case."),
    click.option("--deadline", type=float, metavar="SECONDS", help="For one request to the code that is checked."),
    click.option("--memory-mib", type=int, metavar="N", help="Memory of the process that runs the code."),
    click.option("--interpreter", "--python", "interpreter", metavar="PATH", help="Interpreter that runs the code."),
    click.option(
        "--allow",
        multiple=True,
        metavar="EFFECT",
        help="What the code may do: network, write, process, read or read:PATH; repeatable.",
    ),
    click.option(
        "--solver",
        type=click.Choice(["z3", "simple"]),
        help="How arguments are chosen: z3, or a handful of simple values, for comparison.  [default: z3]",
    ),
)
"""On how mechanisms are run. All default to None or (), which means: not given."""

method_options = _all_of(
    click.option(
        "--require-proof",
        type=click.Choice(["no", "bounded", "full"]),
        help="Report what is not proved: at all, or for all that is claimed.  [default: no]",
    ),
    click.option(
        "--numerics",
        type=click.Choice(["real", "machine"]),
        help="Which numbers claims are about: real ones, or those of the machine as well.  [default: real]",
    ),
    click.option(
        "--method",
        type=click.Choice(["anytime", "statdp"]),
        help=f"The anytime test, or StatDP's with its two fixed stages.  [default: {DEFAULT_METHOD}]",
    ),
    click.option("--budget", metavar="TIME", help="Time to audit one mechanism, e.g. 500ms, 5s or 2m."),
    click.option(
        "--runs",
        type=int,
        metavar="N",
        help="Make N single runs instead, so that the speed of the machine does not matter.",
    ),
    click.option(
        "--keep-going",
        is_flag=True,
        default=None,
        help="Spend the whole budget also on a violation, for a higher bound.",
    ),
    click.option(
        "--no-cache",
        "cache",
        is_flag=True,
        flag_value=False,
        default=None,
        help="Begin every audit anew, and keep nothing for the next one.",
    ),
)
"""On the method of `check` and when it ends. All default to None, which means: not given."""
sensitivity_options = _all_of(
    click.option(
        "--neighbors", metavar="NAME", help="What neighbours are, of a function without a claim.  [default: add-remove]"
    ),
    click.option("--domain", metavar="VALUE", help="What a record may be, as a claim has it, e.g. '(0, 100)'."),
    click.option("--user", metavar="COLUMN", help="The column that says whose a record is."),
    click.option(
        "--metric",
        type=click.Choice(["absolute", "l1", "l2", "linf", "symmetric", "changes"]),
        help="How outputs are compared.  [default: what fits them]",
    ),
    click.option(
        "--arg",
        "arguments",
        multiple=True,
        metavar="NAME=VALUE",
        help="The value of a parameter, e.g. T=1.0; repeatable.",
    ),
    click.option(
        "--budget",
        callback=seconds,
        default="10s",
        show_default=True,
        metavar="TIME",
        help="Time for the search, e.g. 5s.",
    ),
)
"""What neighbours are, of which function, and how its outputs are compared."""

epsilons_option = click.option(
    "--epsilons",
    "--epsilon",
    "epsilons",
    callback=epsilons,
    metavar="VALUES",
    help="Values at which a claim that depends on a parameter is tested.  [default: 0.2,0.7,1.5]",
)
_OUTPUT_FILE = click.option(
    "--output-file", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to a file."
)
_QUIET = (
    click.option("--quiet", "-q", is_flag=True, help="Only what is wrong; no progress, no summary."),
    click.option("--no-progress", is_flag=True, help="No live display of the progress."),
)

report_options = _all_of(
    click.option(
        "--format",
        "--output-format",
        "formats",
        multiple=True,
        callback=read_formats,
        shell_complete=complete_formats,
        metavar="FORMAT[=FILE]",
        help=f"{', '.join(format_names())}; with a file: written there. Repeatable.  [default: {DEFAULT}]",
    ),
    _OUTPUT_FILE,
    click.option(
        "--verbose",
        "-v",
        is_flag=True,
        help="Say why: how sure it is, reasons of proofs, all that was tried, branches of data, notes.",
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 also on violations; not if something failed."),
    *_QUIET,
)
"""Of `check` on its reports: which, where, and what the exit code says."""

change_options = _all_of(
    click.option(
        "--fix", is_flag=True, help="Mend what can be mended safely, also by repairs that are proved, and check."
    ),
    click.option(
        "--unsafe-fixes",
        is_flag=True,
        help="With --fix or --diff: also what may change the meaning, and repairs that are not proved.",
    ),
    click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing."),
    click.option("--add-ignore", is_flag=True, help="Silence all that is reported by comments in the files."),
    click.option(
        "--baseline",
        type=click.Path(dir_okay=False),
        help="Report only what is not in this file.",
    ),
    click.option("--write-baseline", is_flag=True, help="Write all that is reported into the baseline."),
)
"""Of `check` by which it changes files, and on what it need not report again."""


def output_options(formats: Sequence[str], *, quiet: bool = True) -> Callable[[Command], Command]:
    """Options on where the report goes and how it looks; the first format is the default. quiet: with progress."""
    choice = click.option("--format", "form", type=click.Choice(formats), default=formats[0], show_default=True)
    return _all_of(choice, _OUTPUT_FILE, *(_QUIET if quiet else ()))
