"""`--format`, once or several times: which reports are written, and where each of them goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from click.shell_completion import CompletionItem

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
