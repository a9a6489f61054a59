"""A first look at choices of arguments: which of them the function takes, and under which its noise is none.

A parameter that the claim says nothing of has a natural domain that nobody has written down: a count is at least 1, the
scale of noise is positive. So a choice that dplint has made itself is no evidence where the function rejects it, or
where noise has a scale that is zero, negative or not finite, whatever the data. A claim that names the parameter in
`args` speaks of such values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dplint.audit.choices import Choice
from dplint.audit.inputs import Inputs
from dplint.audit.session import AuditSession
from dplint.inputs.candidates import candidate_forms
from dplint.runner.batch import Batch, Raised, Record, Skeleton
from dplint.runner.client import SeenDraws
from dplint.runner.observing import RECORD

_RUNS = 2
"""Runs of each data value."""
_SURE, _AGAIN = 60, 1
"""Runs of data on which the first ones raise, before it is taken for no input, and the name of their stream."""


@dataclass
class Tried:
    """What a first look has shown.

    running: the choices that may be used. without: sizes of data at which the noise of one is none, by its place in
    `running`. complaint: what the function raised under one that it rejects, "" if it rejects none. refused: what every
    run on a data value raised under some choice that may be used, by its number, where that shows that it is no input.
    notes: for the reader, on all that were left out.
    """

    running: list[Choice] = field(default_factory=list)
    without: dict[int, frozenset[int]] = field(default_factory=dict)
    complaint: str = ""
    refused: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def try_choices(
    session: AuditSession, inputs: Inputs, choices: Sequence[Choice], stream: tuple[int, ...], *, remember: bool = True
) -> Tried:
    """Make a few runs of every choice on all data. Raises RunnerError where the process of the function fails.

    remember: a choice that cannot be used is not tried again, in this audit and in later passes.
    """
    tried = Tried()
    rejected: list[Choice] = []
    known: list[Choice] = []
    vanishing: list[tuple[Choice, SeenDraws]] = []
    named = {name for name, _ in session.mechanism.claim.args}
    for number, choice in enumerate(choices):
        if repr(choice.values) in session.rejected:
            known.append(choice)
            continue
        watched = any(argument.name not in named for argument in choice.arguments)
        batches, draws = _first_runs(session, inputs, choice, (*stream, number), watched=watched)
        complaints = [raised(batch) for batch in batches]
        if None not in complaints:
            tried.complaint = tried.complaint or in_a_line(sorted(map(str, complaints))[0])
            rejected.append(choice)
            continue
        without = _without_noise(inputs, draws)
        if without and len(without) == len(inputs.sizes):
            vanishing.append((choice, next(iter(without.values()))))
            continue
        tried.refused = _refused(session, inputs, choice, complaints, (*stream, number)) | tried.refused
        tried.without[len(tried.running)] = frozenset(without)
        tried.running.append(choice)
    left_out = [(choice, f"every run raised {tried.complaint}") for choice in rejected]
    left_out += [(choice, _without_noise_words(draw.line)) for choice, draw in vanishing]
    left_out += [(choice, session.rejected[repr(choice.values)]) for choice in known]
    if remember:
        session.rejected |= {repr(choice.values): why for choice, why in left_out}
    for why in dict.fromkeys(why for _, why in left_out):
        choices = [choice for choice, one in left_out if one == why]
        words = _listed([_words(choice) for choice in choices])
        tried.notes.append(f"{len(choices)} choice(s) of arguments were left out{words}: {why}")
    return tried


def _refused(
    session: AuditSession, inputs: Inputs, choice: Choice, complaints: Sequence[str | None], stream: tuple[int, ...]
) -> dict[int, str]:
    """Where nothing says which numbers the data may hold: those of the data on which many more runs raise, too."""
    numbers = [index for index, complaint in enumerate(complaints) if complaint is not None]
    if not numbers or not candidate_forms(session.mechanism).open_numbers:
        return {}
    data = [inputs.data[index] for index in numbers]
    chunks = list(session.sample(data, choice.values, _SURE, (*stream, _AGAIN), "first runs", plain=True))
    found = {}
    for side, index in enumerate(numbers):
        again = [raised(chunk.batches[side]) for chunk in chunks]
        if again[0] is not None and None not in again:
            found[index] = in_a_line(again[0])
    return found


def _without_noise_words(line: int) -> str:
    return (
        f"the noise of line {line} has a scale that is zero, negative or not finite; a claim that means them names "
        "them in `args`"
    )


def _first_runs(
    session: AuditSession, inputs: Inputs, choice: Choice, stream: tuple[int, ...], *, watched: bool
) -> tuple[list[Batch], list[tuple[SeenDraws, ...]]]:
    """The outputs of a few runs on each of the data, and their draws if they are watched."""
    if watched:
        looks = session.look(inputs.data, choice.values, _RUNS, stream)
        return [look.batch for look in looks], [look.draws for look in looks]
    chunks = list(session.sample(inputs.data, choice.values, _RUNS, stream, "first runs", plain=True))
    return [batch for chunk in chunks for batch in chunk.batches], [() for _ in inputs.data]


def _without_noise(inputs: Inputs, draws: Sequence[tuple[SeenDraws, ...]]) -> Mapping[int, SeenDraws]:
    """The sizes of data at which some line draws, and never with a scale that is one; with such a line for each.

    Where the scale is one on some of the data, it depends on the data, and a claim has to hold for all of them.
    """
    found: dict[int, SeenDraws] = {}
    for size, members in inputs.sizes.items():
        good = {(one.file, one.line) for index in members for one in draws[index] if not one.vanishing}
        bad = [one for index in members for one in draws[index] if one.vanishing]
        fault = next((one for one in bad if (one.file, one.line) not in good), None)
        if fault is not None:
            found[size] = fault
    return found


def _words(choice: Choice) -> str:
    return ", ".join(f"{argument.name} = {argument.value!r}" for argument in choice.arguments)


def _listed(words: Sequence[str]) -> str:
    """Some of the choices, in brackets."""
    shown = [one for one in words if one][:3]
    return f" ({'; '.join(shown)}{', ...' if len(words) > len(shown) else ''})" if shown else ""


def in_a_line(complaint: str) -> str:
    """The name of an exception and the first line of what it says, which may come after an empty one."""
    name, colon, said = complaint.partition(": ")
    return name + colon + next((line.strip() for line in said.splitlines() if line.strip()), "")


def raised(batch: Batch) -> str | None:
    """What every run of the batch raised, None if one of them returned."""
    for group in batch.groups:
        if not isinstance(_returned(group.skeleton), Raised):
            return None
    group = batch.groups[0]
    error = _returned(group.skeleton)
    assert isinstance(error, Raised)
    # What is returned comes first, and its message is the first leaf.
    message = batch.strings[int(group.values[0, 0])] if group.values.shape[1] else ""
    return f"{error.name}: {message}" if message else error.name


def _returned(skeleton: Skeleton) -> Skeleton:
    """What a run returned, or raised, also where the claim has more of it observed."""
    match skeleton:
        case Record(name=name, fields=("returned", *_), children=(returned, *_)) if name == RECORD:
            return returned
    return skeleton
