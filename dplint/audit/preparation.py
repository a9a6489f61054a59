"""From a job to inputs that can be run: pairs, choices of arguments, and a first look at whether runs work at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Fixed, Literal, Mechanism, Pair, ParameterKind
from dplint.inputs.forms import AS_ARRAY
from dplint.jobs import Job
from dplint.outcomes import Argument, FailureKind
from dplint.program.refusals import Unsupported
from dplint.runner.batch import Batch, Raised
from dplint.runner.client import DataValue, RunnerError

_CHOICES = 8
"""Choices of arguments that are screened; more are not worth their runs."""


@dataclass(frozen=True)
class Inputs:
    """The pairs of an audit, and their distinct data values, each of which is run only once for all its pairs."""

    pairs: tuple[Pair, ...]
    sides: tuple[tuple[int, int], ...]
    """For each pair, the numbers of its two data values."""
    data: tuple[DataValue, ...]


def gather_inputs(session: AuditSession, pairs: Sequence[Pair]) -> Inputs:
    """Number the data values of the pairs; equal ones share a number."""
    numbers: dict[str, int] = {}
    data: list[DataValue] = []
    sides: list[tuple[int, int]] = []
    for pair in pairs:
        both = []
        for side in (1, 2):
            value = session.data_value(pair, side)
            key = repr(value)
            if key not in numbers:
                numbers[key] = len(data)
                data.append(value)
            both.append(numbers[key])
        sides.append((both[0], both[1]))
    return Inputs(tuple(pairs), tuple(sides), tuple(data))


@dataclass(frozen=True)
class Choice:
    """Values for the parameters other than data, generator and claim. `fixed` are those that the claim depends on."""

    arguments: tuple[Argument, ...]
    fixed: tuple[Argument, ...]

    @property
    def values(self) -> dict[str, Literal]:
        """What the function is called with."""
        return {a.name: a.value for a in (*self.fixed, *self.arguments)}


def find_choices(
    job: Job, session: AuditSession, pairs: Sequence[Pair], setting: Setting, *, quick: bool = False
) -> list[Choice]:
    """The choices of arguments for one value of the claim, most promising first. At least one, perhaps empty.

    quick: only the first, from a look at a few pairs.
    """
    session.announce("choosing arguments")
    fixed = [*setting.parameters]
    named = {a.name for a in fixed}
    for name, spec in job.mechanism.claim.args:
        if isinstance(spec, Fixed) and name not in named:
            fixed.append(Argument(name, spec.value, "fixed by the claim"))
    values = {a.name: a.value for a in fixed}
    shown = tuple(fixed)
    if not _open_parameters(job.mechanism, values):
        return [Choice((), shown)]
    # z3 takes a fifth of a second to import, which mechanisms without open parameters need not wait for.
    from dplint.inputs.arguments import choose_arguments, simple_arguments  # noqa: PLC0415

    if job.settings.use_solver:
        found = choose_arguments(job.program, job.mechanism, pairs, values, quick=quick)
    else:
        found = simple_arguments(job.mechanism, values)
    return [Choice(choice.arguments, shown) for choice in found.choices[:_CHOICES]] or [Choice((), shown)]


def _open_parameters(mechanism: Mechanism, values: Mapping[str, Literal]) -> list[str]:
    """The parameters that somebody has to choose a value for."""
    named = {name for name, _ in mechanism.claim.args}
    return [
        parameter.name
        for parameter in mechanism.parameters
        if parameter.name not in values
        and parameter.name not in (mechanism.data, mechanism.rng)
        and parameter.kind not in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
        and (parameter.default is None or parameter.name in named)
    ]


@dataclass(frozen=True)
class Prepared:
    """Inputs that run, the choices that do, and one noise-free output for each data value where that worked."""

    inputs: Inputs
    choices: tuple[Choice, ...]
    noise_free: tuple[tuple[Batch, ...], ...]
    notes: tuple[str, ...]


def prepare(
    session: AuditSession, pairs: Sequence[Pair], choices: Sequence[Choice], stream: tuple[int, ...]
) -> Prepared:
    """Try a few runs of every choice, and leave out those under which every run raises an exception.

    If all do, the data is tried as an array instead of a list. Raises RunnerError, of kind INPUT if nothing runs.
    """
    notes: list[str] = []
    inputs = gather_inputs(session, pairs)
    running, complaint = _that_run(session, inputs, choices, stream)
    if not running and session.form == "list":
        session.form = "array"
        inputs = gather_inputs(session, pairs)
        running, _ = _that_run(session, inputs, choices, stream)
        if running:
            notes.append(f"{AS_ARRAY}: with a list every run raised {complaint}")
    if not running:
        raise RunnerError(
            FailureKind.INPUT,
            f"every run raised {complaint}, whatever the input: annotate the data parameter (list, numpy.ndarray, "
            "pandas.DataFrame, float, ...), or give the values that the function expects in the claim's `args`",
            "",
        )
    if len(running) < len(choices):
        notes.append(
            f"{len(choices) - len(running)} choice(s) of arguments were left out: every run raised {complaint}"
        )
    if session.lanes is None:
        session.measure_speed(inputs.data, running[0].values, (*stream, len(choices)))
    noise_free = tuple(session.noise_free(inputs.data, choice.values) for choice in running)
    return Prepared(inputs, tuple(running), noise_free, tuple(notes))


def _that_run(
    session: AuditSession, inputs: Inputs, choices: Sequence[Choice], stream: tuple[int, ...]
) -> tuple[list[Choice], str]:
    """The choices under which some run returns, and what the others raised."""
    running: list[Choice] = []
    complaint = ""
    for number, choice in enumerate(choices):
        chunks = list(session.sample(inputs.data, choice.values, 2, (*stream, number), "first runs", plain=True))
        raised = {_raised(batch) for chunk in chunks for batch in chunk.batches}
        if None in raised:
            running.append(choice)
        else:
            complaint = complaint or sorted(str(r) for r in raised)[0]
    return running, complaint


def _raised(batch: Batch) -> str | None:
    """What every run of the batch raised, None if one of them returned."""
    for group in batch.groups:
        if not isinstance(group.skeleton, Raised):
            return None
    group = batch.groups[0]
    assert isinstance(group.skeleton, Raised)
    name = group.skeleton.name
    message = batch.strings[int(group.values[0, 0])] if group.values.shape[1] else ""
    return f"{name}: {message}" if message else name


def program_note(job: Job, choices: Sequence[Choice]) -> str | None:
    """What the reader must know if arguments had to be chosen for a mechanism that could not be lowered."""
    if not isinstance(job.program, Unsupported) or not any(choice.arguments for choice in choices):
        return None
    place = job.program
    return (
        "arguments were chosen without reading the function: "
        f"{place.construct} at line {place.span.line} is not understood"
    )
