"""Options that commands share.

`--format`, once or several times: which reports are written, and where each of them goes.

Callbacks that read values of options: lists of numbers, ranges, prefixes of codes.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from dplint.claims import Literal
from dplint.cli.groups import codes
from dplint.config.settings import DEFAULT_METHOD
from dplint.outcomes.check_events import Shard
from dplint.report.formats import DEFAULT, UnknownFormatError, format_names, format_of, require_format


@dataclass(frozen=True, slots=True)
class Output:
    """One report to write. path: None for the standard output."""

    form: str
    path: Path | None = None


def read_formats(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[Output, ...]:
    """The outputs that are meant by FORMAT and FORMAT=FILE; a usage error if there is no such format."""
    return tuple(_read(value, ctx, param) for value in values)


def complete_formats(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The formats that begin so."""
    names = [name for name in format_names() if name.startswith(incomplete)]
    return [CompletionItem(name, help=format_of(name).description) for name in names]


def outputs(formats: Sequence[Output], output_file: Path | None) -> list[Output]:
    """What to write, in the order given; without any format the one for people.

    At most one report goes to the standard output, and it is that one which `output_file` sends to a file.

    Raises:
        click.UsageError: two reports would go to the same place, or none is left for `output_file`.
    """
    chosen = list(formats) or [Output(DEFAULT)]
    loose = [one for one in chosen if one.path is None]
    if len(loose) > 1:
        names = " and ".join(repr(one.form) for one in loose[:2])
        raise click.UsageError(f"{names} cannot both go to the standard output; write --format {loose[1].form}=FILE.")
    if output_file is not None:
        if not loose:
            raise click.UsageError("every --format has a file of its own, and none is left for --output-file.")
        chosen = [Output(one.form, output_file) if one.path is None else one for one in chosen]
    files = [one.path.absolute() for one in chosen if one.path is not None]
    twice = next((file for file in files if files.count(file) > 1), None)
    if twice is not None:
        raise click.UsageError(f"two reports cannot go to the same file '{twice.name}'.")
    return chosen


def _read(value: str, ctx: click.Context, param: click.Parameter) -> Output:
    form, sign, file = value.partition("=")
    try:
        require_format(form)
    except UnknownFormatError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    if sign and not file:
        raise click.BadParameter(f"{value!r} names no file; write for instance {form}=report.{form}", ctx, param)
    return Output(form, Path(file) if file else None)


MOST_VALUES = 1000


def _reads(advice: str = "") -> Callable[[Callable[[Any], Any]], Callable[..., Any]]:
    """Makes a callback of click of what reads the value of an option; not called where that is not given.

    A ValueError becomes a usage error. advice: stands behind what it says.
    """

    def made(read: Callable[[Any], Any]) -> Callable[..., Any]:
        def callback(_ctx: click.Context, _param: click.Parameter, value: Any) -> Any:
            try:
                return None if value is None else read(value)
            except ValueError as error:
                raise click.BadParameter(f"{error}{advice}") from None

        return callback

    return made


@_reads("; give positive numbers separated by commas, such as 0.2,0.7,1.5")
def epsilons(text: str) -> tuple[float, ...]:
    """Positive numbers, separated by commas."""
    return tuple(float(_positive(part)) for part in text.split(","))


@_reads("; give START:STOP:STEP, such as 0.1:2.0:0.1")
def epsilon_range(text: str) -> tuple[float, ...]:
    """START:STOP:STEP with both ends included, or numbers separated by commas."""
    if ":" not in text:
        return tuple(sorted({float(_positive(part)) for part in text.split(",")}))
    parts = text.split(":")
    if len(parts) != 3:
        raise ValueError(f"{text!r} has {len(parts)} parts, not three")
    start, stop, step = (_positive(part) for part in parts)
    if start > stop:
        raise ValueError(f"{text!r} starts above its end")
    count = int((stop - start) / step) + 1
    if count > MOST_VALUES:
        raise ValueError(f"{text!r} holds {count:,} values, more than {MOST_VALUES:,}")
    # decimal, so that the third value of 0.1:0.3:0.1 is 0.3 and is there
    return tuple(float(start + step * i) for i in range(count))


@_reads()
def seconds(text: str) -> float:
    """A duration as the settings have it, such as 500ms, 5s or 2m."""
    from dplint.config.validate import CHECKS  # noqa: PLC0415 - help answers fast

    return float(str(CHECKS["budget"](text)))


@_reads()
def shard(text: str) -> Shard:
    """K/N with K from 1 to N."""
    number, _, of = text.partition("/")
    try:
        return Shard(int(number), int(of))
    except ValueError:
        raise ValueError(f"{text!r} is no part of a check; give K/N with K from 1 to N, such as 3/16") from None


@_reads()
def costs(report: Path) -> dict[str, float]:
    """The seconds that each mechanism took by a JSON report, by its place."""
    try:
        results = json.loads(report.read_text(encoding="utf-8"))["results"]
        return {f"{one['file']}::{one['function']}": max(0.0, float(one["seconds"])) for one in results}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise ValueError(f"'{report}' is no JSON report of `dplint check`") from None


@_reads()
def prefixes(values: Sequence[str]) -> tuple[str, ...]:
    """Prefixes of codes in capitals, separated by commas; each option holds one at least."""
    found: list[str] = []
    for value in values:
        parts = [part.strip().upper() for part in value.split(",") if part.strip()]
        if not parts:
            raise ValueError(f"{value!r} holds no code; give codes or their beginnings, such as DP1,DP901")
        found += parts
    return tuple(found)


@_reads()
def codes_by_pattern(values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """PATTERN:CODES, such as "tests/*:DP2,DP301", as a table."""
    found: dict[str, tuple[str, ...]] = {}
    for value in values:
        pattern, colon, codes = value.rpartition(":")
        parts = tuple(part.strip().upper() for part in codes.split(",") if part.strip())
        if not colon or not pattern or not parts:
            raise ValueError(f"{value!r} is no PATTERN:CODES, such as 'tests/*:DP2,DP301'")
        found[pattern] = (*found.get(pattern, ()), *parts)
    return found


def _positive(text: str) -> Decimal:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError(f"{text.strip()!r} is not a number") from None
    if not number.is_finite() or number <= 0:
        raise ValueError(f"{text.strip()!r} is not positive and finite")
    return number


def argument_value(text: str) -> tuple[str, Literal]:
    """NAME=VALUE, as --arg has it; a usage error for anything else."""
    name, separator, value = text.partition("=")
    if not separator or not name.strip().isidentifier():
        raise click.UsageError(f"--arg {text!r} gives no value: write NAME=VALUE, such as T=1.0")
    return name.strip(), literal_value(f"--arg {name}", value)


def literal_value(option: str, text: str) -> Literal:
    """The value of an option that is a literal of Python; a usage error for anything else."""
    try:
        value: Literal = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise click.UsageError(f"{option}: {text!r} is no Python literal, such as '[1.0, 2.0]'") from None
    return value


Command = TypeVar("Command", bound=Callable[..., Any])


def _all_of(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """A decorator that gives a command these options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def flag(name: str, said: str, *others: str, setting: bool = False) -> Callable[[Command], Command]:
    """An option that takes nothing. setting: where it is not given it is None, as the settings may say something."""
    return click.option(name, *others, is_flag=True, default=None if setting else False, help=said)


def choice(name: str, values: Sequence[str], said: str) -> Callable[[Command], Command]:
    """An option that takes one of some words."""
    return click.option(name, type=click.Choice(values), help=said)


def value(name: str, metavar: str, said: str, *others: str, **more: Any) -> Callable[[Command], Command]:
    """An option that takes something. others: further names. more: as `click.option` has it."""
    return click.option(name, *others, metavar=metavar, help=said, **more)


audit_options = _all_of(
    choice("--profile", ["editor", "commit", "ci", "nightly"], "How much effort to make.  [default: ci]"),
    value("--seed", "N", "Seed of all audits.  [default: from source and claim]", type=int),
    value("--jobs", "N", "Worker processes.  [default: one for each processor]", "-j", type=int),
    value("--select-runs", "N", "StatDP: runs a side to choose on.", type=int),
    value("--test-runs", "N", "StatDP: fresh runs a side to test on.", type=int),
    value("--time-limit", "SECONDS", "For one mechanism, in any case.", type=float),
    value("--deadline", "SECONDS", "For one request to the code that is checked.", type=float),
    value("--memory-mib", "N", "Memory of the process that runs the code.", type=int),
    value("--interpreter", "PATH", "Interpreter that runs the code.", "--python", "interpreter"),
    value(
        "--allow",
        "EFFECT",
        "What the code may do: network, write, process, read or read:PATH; repeatable.",
        multiple=True,
    ),
    choice(
        "--solver",
        ["z3", "simple"],
        "How arguments are chosen: z3, or a handful of simple values, for comparison.  [default: z3]",
    ),
)
"""On how mechanisms are run. All default to None or (), which means: not given."""

method_options = _all_of(
    choice(
        "--require-proof",
        ["no", "bounded", "full"],
        "Report what is not proved: at all, or for all that is claimed.  [default: no]",
    ),
    choice(
        "--numerics",
        ["real", "machine"],
        "Which numbers claims are about: real ones, or those of the machine as well.  [default: real]",
    ),
    choice(
        "--method",
        ["anytime", "statdp"],
        f"The anytime test, or StatDP's with its two fixed stages.  [default: {DEFAULT_METHOD}]",
    ),
    value("--budget", "TIME", "Time to audit one mechanism, e.g. 500ms, 5s or 2m."),
    value("--runs", "N", "Make N single runs instead, so that the speed of the machine does not matter.", type=int),
    flag("--keep-going", "Spend the whole budget also on a violation, for a higher bound.", setting=True),
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


def codes_option(name: str, said: str) -> Callable[[Command], Command]:
    """An option that takes beginnings of codes, once or several times."""
    return click.option(name, multiple=True, callback=prefixes, metavar="CODES", shell_complete=codes, help=said)


argument_option = value(
    "--arg", "NAME=VALUE", "The value of a parameter, e.g. T=1.0; repeatable.", "arguments", multiple=True
)
sensitivity_options = _all_of(
    value("--neighbors", "NAME", "What neighbours are, of a function without a claim.  [default: add-remove]"),
    value("--domain", "VALUE", "What a record may be, as a claim has it, e.g. '(0, 100)'."),
    value("--user", "COLUMN", "The column that says whose a record is."),
    choice(
        "--metric",
        ["absolute", "l1", "l2", "linf", "symmetric", "changes", "insert-delete"],
        "How outputs are compared.  [default: what fits them]",
    ),
    argument_option,
    flag("--lines", "Also say it of each line that assigns a name over the data."),
    value("--budget", "TIME", "Time for the search, e.g. 5s.", callback=seconds, default="10s", show_default=True),
)
"""What neighbours are, of which function, and how its outputs are compared."""

epsilons_option = value(
    "--epsilons",
    "VALUES",
    "Values at which a claim that depends on a parameter is tested.  [default: 0.2,0.7,1.5]",
    "--epsilon",
    "epsilons",
    callback=epsilons,
)
_OUTPUT_FILE = click.option(
    "--output-file", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to a file."
)
_QUIET = (
    flag("--quiet", "Only what is wrong; no progress, no summary.", "-q"),
    flag("--no-progress", "No live display of the progress."),
)

stdin_option = value(
    "--stdin-filename",
    "FILE",
    'The file that a text on the standard input stands for; the path is "-", or FILE, or FILE::FUNCTION.',
    type=click.Path(path_type=Path),
)
report_options = _all_of(
    value(
        "--format",
        "FORMAT[=FILE]",
        f"{', '.join(format_names())}; with a file: written there. Repeatable.  [default: {DEFAULT}]",
        "--output-format",
        "formats",
        multiple=True,
        callback=read_formats,
        shell_complete=complete_formats,
    ),
    _OUTPUT_FILE,
    flag("--verbose", "Say why: how sure it is, reasons of proofs, all that was tried, branches of data, notes.", "-v"),
    flag("--exit-zero", "Exit with 0 also on violations; not if something failed."),
    *_QUIET,
)
"""Of `check` on its reports: which, where, and what the exit code says."""

change_options = _all_of(
    flag("--fix", "Mend what can be mended safely, also by repairs that are proved, and check."),
    flag("--unsafe-fixes", "With --fix or --diff: also what may change the meaning, and repairs that are not proved."),
    flag("--diff", "Show what --fix would change, and change nothing."),
    flag("--add-ignore", "Silence all that is reported by comments in the files."),
    click.option(
        "--baseline",
        type=click.Path(dir_okay=False),
        help="Report only what is not in this file.",
    ),
    flag("--write-baseline", "Write all that is reported into the baseline."),
)
"""Of `check` by which it changes files, and on what it need not report again."""


def output_options(formats: Sequence[str], *, quiet: bool = True) -> Callable[[Command], Command]:
    """Options on where the report goes and how it looks; the first format is the default. quiet: with progress."""
    choice = click.option("--format", "form", type=click.Choice(formats), default=formats[0], show_default=True)
    return _all_of(choice, _OUTPUT_FILE, *(_QUIET if quiet else ()))
