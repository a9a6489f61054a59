"""`dplint inspect loss`: the claim that is asked about, without an epsilon, and the report of the smallest."""

from __future__ import annotations

import ast
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import click

from dplint.check.spent import least_claim
from dplint.cli.output import report_stream, require_writable, watched
from dplint.cli.overrides import settings_for
from dplint.cli.quoting import source_line
from dplint.cli.target import function_file
from dplint.contents import content
from dplint.outcomes import CheckError, Proved
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import gather
from dplint.syntax import parse_text


def run_loss(target: str, options: Mapping[str, Any]) -> int:
    """Search, write the report, and return the exit code: 0 if an epsilon is proved for all, 2 if none is.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    path = function_file(target)
    require_writable(options["output_file"])
    started, function = time.monotonic(), target.rpartition("::")[2]
    settings = settings_for(path, {})
    if isinstance(settings, CheckError):
        gathered = gather([settings])
    else:
        events = least_claim(path, function, _parameters(content(path), function), _claim(options), settings)
        with closing(watched(events, shown=not (options["quiet"] or options["no_progress"]))) as stream:
            gathered = meet(gather(stream))
    with report_stream(options["output_file"]) as out:
        report = Report(gathered, time.monotonic() - started, source_line, quiet=options["quiet"])
        format_of(options["form"]).write(report, out)
    proofs = [one.outcome for one in gathered.results if isinstance(one.outcome, Proved)]
    return 0 if any(one.scope.full for one in proofs) else 2


def _claim(options: Mapping[str, Any]) -> dict[str, object]:
    """The rest of the claim, as a table of pyproject.toml has it."""
    given = {name: options[name] for name in ("neighbors", "sensitivity", "delta") if options[name] is not None}
    if options["domain"] is not None:
        try:
            domain = ast.literal_eval(options["domain"])
        except (ValueError, SyntaxError):
            raise click.UsageError(f"--domain: {options['domain']!r} is no Python literal, such as '(0, 1)'") from None
        given["domain"] = {"low": domain[0], "high": domain[1]} if isinstance(domain, tuple) else domain
    return given


def _parameters(raw: bytes, function: str) -> tuple[str, ...]:
    """The names of the parameters, in their order; none where the file does not parse here."""
    try:
        tree = parse_text(raw)
    except (SyntaxError, ValueError):
        return ()
    name = function.rpartition(".")[2]
    found = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name == name)
    return tuple(
        argument.arg for one in found for argument in (*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs)
    )
