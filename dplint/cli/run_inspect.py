"""Commands about one mechanism: gather what is told, and write the one answer.

`dplint inspect exact`: which pair to compute.

`dplint inspect program`: read, render.

`dplint inspect sensitivity`: what the data may be.

`dplint inspect worst`: what to search for.

`dplint inspect sweep`: call, gather, render.

`dplint inspect loss`: the claim that is asked about, without an epsilon, and the report of the smallest.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TextIO, TypeVar

import click

from dplint import check
from dplint.check.inspecting import claiming, exact, least_claim, sensitivity, worst
from dplint.check.loading import Target, load_file
from dplint.check.programs import Programs, obstacles, read_programs
from dplint.claims import Literal
from dplint.cli.buffer import SEPARATOR, source_line
from dplint.cli.options import argument_value, literal_value
from dplint.cli.output import report_stream, require_writable, told_as, watched, whole_file
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.target import function_file, read_target, require_function, split_target
from dplint.config import Settings
from dplint.contents import content
from dplint.outcomes import (
    Answer,
    CheckError,
    CheckEvent,
    Curve,
    ExactTable,
    Failed,
    Outcome,
    Plan,
    Proved,
    Sensitivity,
    TrainingBound,
    Untestable,
    WorstInput,
)
from dplint.report.answers import exact_document, sensitivity_document, worst_document
from dplint.report.curve import curve_document, loss_svg, sweep_svg
from dplint.report.document import Document
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import Gathered, gather
from dplint.report.json_document import answer_json
from dplint.report.program_lines import programs_json
from dplint.report.trained import training_document
from dplint.syntax import parse_text
from dplint.workers.pool import Stop

A = TypeVar("A", Curve, ExactTable, WorstInput, Sensitivity, TrainingBound)


@dataclass(frozen=True, slots=True)
class Answered(Generic[A]):
    """What was told of a function. answer: what was asked for; None if there is none, and `gathered` says why."""

    target: str
    kind: type[A]
    answer: A | None
    gathered: Gathered
    seconds: float

    @property
    def json(self) -> str:
        """As a document for other programs."""
        return answer_json(self.kind, self.answer, self.gathered)

    def write(self, options: Mapping[str, Any]) -> None:
        """Write it where the options say, in their form. Raises click.FileError if the file cannot be written."""
        with report_stream(options["output_file"]) as out:
            if options["form"] == "json":
                out.write(self.json)
            else:
                self.tell(options["form"], out)

    def tell(self, form: str, out: TextIO) -> None:
        """Write it for people: what was found on the way, and then the answer."""
        if self.gathered.results or self.gathered.findings or self.gathered.errors:
            format_of(form).write(Report(self.gathered, self.seconds, source_line, quiet=True), out)
        if self.answer is not None:
            from dplint.cli.people import write_document  # noqa: PLC0415 - rich is imported only where it is used

            write_document(_document(self.target, self.answer), out)


def _document(target: str, answer: Answer) -> Document:
    match answer:
        case ExactTable():
            return exact_document(target, answer)
        case WorstInput():
            return worst_document(target, answer)
        case Sensitivity():
            return sensitivity_document(target, answer)
        case TrainingBound():
            return training_document(answer)
        case Curve():
            return curve_document(answer)


def answered(
    target: str,
    settings: Settings | CheckError,
    begin: Callable[[Settings], Iterator[CheckEvent | A]],
    kind: type[A],
    options: Mapping[str, Any],
    stop: Stop | None = None,
) -> Answered[A]:
    """The answer of this kind, and all else that was told; shown on stderr as it goes on.

    stop: the request to end early, which is acknowledged.
    """
    answer: A | None = None
    events: list[CheckEvent] = []
    started = time.monotonic()
    if isinstance(settings, CheckError):
        events.append(settings)
    else:
        shown = not (options["quiet"] or options["no_progress"])
        with closing(watched(begin(settings), stop, shown=shown)) as stream:
            for event in stream:
                if isinstance(event, kind):
                    answer = event
                else:
                    assert not isinstance(event, Answer)
                    events.append(event)
    # The answer is the outcome of the mechanism that was planned.
    gathered = gather(event for event in events if answer is None or not isinstance(event, Plan))
    return Answered(target, kind, answer, gathered, time.monotonic() - started)


C = TypeVar("C", ExactTable, WorstInput, Sensitivity)


def _run_single(
    target: str, options: Mapping[str, Any], kind: type[C], begin: Callable[[Settings], Iterator[CheckEvent | C]]
) -> int:
    """Compute something of one function, write it, and return the exit code: 1 if it refutes the claim, 2 for nothing.

    Raises:
        click.ClickException: there is no such function, or a file cannot be written.
    """
    file = function_file(target)
    require_writable(options["output_file"])
    settings = settings_for(file, overrides({"static_only": options.get("static_only")}))
    told = answered(target, settings, begin, kind, options)
    told.write(options)
    return 2 if told.answer is None else int(told.answer.refutes)


def run_exact(target: str, options: Mapping[str, Any]) -> int:
    """Compute, write the table, and return the exit code: 1 if the pair loses more than is claimed, 2 if there is none.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    target = read_target(target, options["stdin_filename"])
    pair, arguments = _pair(options), list(map(argument_value, options["arguments"]))
    return _run_single(
        target, options, ExactTable, lambda settings: exact(target, settings, pair=pair, arguments=arguments)
    )


def _pair(options: Mapping[str, Any]) -> tuple[Literal, Literal] | None:
    if options["d1"] is None and options["d2"] is None:
        return None
    if options["d1"] is None or options["d2"] is None:
        raise click.UsageError("--d1 and --d2 belong together: give both, or none for the pairs of the claim.")
    return literal_value("--d1", options["d1"]), literal_value("--d2", options["d2"])


def run_program(target: str, options: Mapping[str, Any]) -> int:
    """Lower, write the programs, and return the exit code; 2 wins over 1.

    Raises:
        click.ClickException: there is no such function, or the output file cannot be written.
    """
    file, function = split_target(target)
    if function is not None:
        require_function(file, function)
    require_writable(options["output_file"])
    settings = settings_for(file, {})
    if isinstance(settings, CheckError):
        programs = Programs((), (), (settings,))
    else:
        programs = read_programs(file, function, settings)
    with report_stream(options["output_file"]) as stream:
        if options["form"] == "json":
            stream.write(programs_json(programs))
        else:
            from dplint.cli.people import write_programs  # noqa: PLC0415 - rich is imported only where it is used

            write_programs(programs, stream)
    if programs.errors or programs.findings:
        return 2
    return 1 if any(obstacles(found) for found in programs.targets) else 0


def run_sensitivity(target: str, options: Mapping[str, Any]) -> int:
    """Search, write the furthest pair, and return the exit code: 2 if no pair could be compared.

    Of a file without a function, those of all its functions that bear a claim, one after the other; as JSON in a list.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    target = read_target(target, options["stdin_filename"])
    file, function = split_target(target)
    said = {name: options[name] for name in ("neighbors", "metric", "user") if options[name] is not None}
    said |= {} if options["domain"] is None else {"domain": literal_value("--domain", options["domain"])}
    arguments = dict(map(argument_value, options["arguments"]))
    said |= {"args": arguments} if arguments else {}

    def begin(target: str, settings: Settings) -> Iterator[CheckEvent | Sensitivity]:
        return sensitivity(target, settings, said, seconds=options["budget"], lines=options["lines"])

    if function is None:
        return _sensitivities(file, options, begin)
    return _run_single(target, options, Sensitivity, partial(begin, target))


def _sensitivities(
    file: Path,
    options: Mapping[str, Any],
    begin: Callable[[str, Settings], Iterator[CheckEvent | Sensitivity]],
) -> int:
    require_writable(options["output_file"])
    settings = settings_for(file, {})
    if isinstance(settings, CheckError):
        raise click.UsageError(settings.message)
    loaded = list(load_file(file, settings))
    names = [one.mechanism.qualname for one in loaded if isinstance(one, Target)]
    if not names:
        errors = [one.message for one in loaded if isinstance(one, CheckError)]
        raise click.UsageError(
            "; ".join(errors) or f"No function in '{file}' bears a claim; name one: {file}::FUNCTION."
        )
    worst, documents = 0, list[str]()
    with report_stream(options["output_file"]) as out:
        for number, name in enumerate(names):
            target = f"{file}{SEPARATOR}{name}"
            told = answered(target, settings, partial(begin, target), Sensitivity, options)
            worst = max(worst, 2 if told.answer is None else 0)
            if options["form"] == "json":
                documents.append(told.json.strip())
            else:
                out.write("\n" if number else "")
                told.tell(options["form"], out)
        if options["form"] == "json":
            out.write(f"[{', '.join(documents)}]\n")
    return worst


def run_worst(target: str, options: Mapping[str, Any]) -> int:
    """Search, write what was found, and return the exit code: 1 if it loses more than claimed, 2 for nothing.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    target = read_target(target, options["stdin_filename"])
    seconds, epsilon = options["budget"], options["epsilon"]
    return _run_single(
        target, options, WorstInput, lambda settings: worst(target, settings, seconds=seconds, epsilon=epsilon)
    )


_TEST_RUNS = 2_000_000
"""Runs on each side for a point of a curve: to tell 0.6 from a loss of 0.63 takes more than a verdict does."""


def run_sweep(target: str, options: Mapping[str, Any]) -> int:
    """Sweep, write the curve, and return the exit code: 0 if there is a curve and nothing failed, else 2.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    source = function_file(target if SEPARATOR in target else f"{target}{SEPARATOR}")
    require_writable(options["output_file"], options["plot"])
    values = overrides({name: value for name, value in options.items() if name != "epsilons"})
    values["method"] = "statdp"
    values.setdefault("test_runs", _TEST_RUNS)
    tested, at, level = options["epsilon_range"], options["epsilons"], options["level"]

    def begin(settings: Settings) -> Iterator[CheckEvent | Curve]:
        return check.sweep(target, tested, settings, at=at, level=level)

    told = answered(target, settings_for(source, values), begin, Curve, options)
    told.write(options)
    if told.answer is not None and options["plot"] is not None:
        write_picture(sweep_svg(told.answer), options["plot"])
    return 2 if told.answer is None or told.gathered.errors else 0


def write_picture(svg: str, path: Path) -> None:
    """Write a picture. Raises click.FileError."""
    with told_as(str(path)), whole_file(path) as unfinished:
        unfinished.write_text(svg, encoding="utf-8")


def run_loss(target: str, options: Mapping[str, Any]) -> int:
    """Search, write the report and the picture, and return the exit code: 0 if an epsilon is proved for all, else 2.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    target = read_target(target, options["stdin_filename"])
    path = function_file(target)
    require_writable(options["output_file"], options["plot"])
    started, function, values = time.monotonic(), target.rpartition("::")[2], _claim(options)
    settings = settings_for(path, {})
    if isinstance(settings, CheckError):
        gathered = gather([settings])
    else:
        events = least_claim(path, function, _parameters(content(path), function), values, settings)
        with closing(watched(events, shown=not (options["quiet"] or options["no_progress"]))) as stream:
            gathered = meet(gather(stream))
    with report_stream(options["output_file"]) as out:
        report = Report(gathered, time.monotonic() - started, source_line, quiet=options["quiet"])
        format_of(options["form"]).write(report, out)
    if options["plot"] is not None and not isinstance(settings, CheckError):
        for result in gathered.results:
            asked = claiming(settings, path, function, {**values, "epsilon": result.mechanism.claim.epsilon})
            _plot_loss(target, result.mechanism.qualname, result.outcome, asked, options)
    proofs = [one.outcome for one in gathered.results if isinstance(one.outcome, Proved)]
    return 0 if any(one.scope.full for one in proofs) else 2


def _plot_loss(target: str, name: str, outcome: Outcome, settings: Settings, options: Mapping[str, Any]) -> None:
    """Compute the worst pair under the claim that was found, and draw it. Raises click.ClickException without one."""
    told = answered(target, settings, lambda one: exact(target, one), ExactTable, options)
    table = told.answer
    if table is None:
        said = [one.message for one in told.gathered.errors]
        said += [one.outcome.reason for one in told.gathered.results if isinstance(one.outcome, Untestable | Failed)]
        raise click.ClickException(f"there is no picture, for no delta can be computed: {'; '.join(said)}")
    proved = outcome.share * table.claimed if isinstance(outcome, Proved) and outcome.scope.full else None
    write_picture(loss_svg(name, table, proved), options["plot"])


def _claim(options: Mapping[str, Any]) -> dict[str, object]:
    """The rest of the claim, as a decorator has it."""
    given = {name: options[name] for name in ("neighbors", "sensitivity", "delta") if options[name] is not None}
    if options["domain"] is not None:
        given["domain"] = literal_value("--domain", options["domain"])
    arguments = dict(map(argument_value, options["arguments"]))
    return given | ({"args": arguments} if arguments else {})


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
