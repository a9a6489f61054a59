"""What an audit is about: pairs, choices of arguments, and which of these the function takes.

The pairs of an audit, and the data values that they are made of.

Choices of arguments: values for the parameters that nothing else settles.

A first look at choices of arguments: which of them the function takes, and under which its noise is none.

A parameter that the claim says nothing of has a natural domain that nobody has written down: a count is at least 1, the
scale of noise is positive. So a choice that dplint has made itself is no evidence where the function rejects it, or
where noise has a scale that is zero, negative or not finite, whatever the data. A claim that names the parameter in
`args` speaks of such values.

Pairs beyond the patterns of a relation: many are looked at without noise, and those that promise most are tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Categories, Fixed, Literal, Mechanism, Pair, ParameterKind, is_number
from dplint.inputs.candidates import candidate_forms
from dplint.inputs.novelty import Seen, key, most_promising
from dplint.inputs.pairs import NoPairs, allows_argument, are_neighbours, further_pairs
from dplint.jobs import Job, SourceJob
from dplint.outcomes import Argument
from dplint.program.refusals import Unsupported
from dplint.runner.batch import Batch, LeafKind, Raised, Record, Skeleton
from dplint.runner.client import DataValue, Look, SeenDraws
from dplint.runner.observing import RECORD


@dataclass(frozen=True)
class Inputs:
    """The pairs of an audit, and their distinct data values, each of which is run only once for all its pairs."""

    pairs: tuple[Pair, ...]
    sides: tuple[tuple[int, int], ...]
    """For each pair, the numbers of its two data values."""
    data: tuple[DataValue, ...]

    @property
    def sizes(self) -> dict[int, list[int]]:
        """The numbers of the data values of the pairs of each size, small sizes first."""
        found: dict[int, dict[int, None]] = {}
        for pair, sides in sorted(zip(self.pairs, self.sides, strict=True), key=lambda row: row[0].size):
            found.setdefault(pair.size, {}).update(dict.fromkeys(sides))
        return {size: list(numbers) for size, numbers in found.items()}


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


_CHOICES, _MOST_CHOICES = 8, 16
"""Choices of arguments that are screened; more are not worth their runs, but for values that the claim lists."""
_NAMED = 6
"""Values that were not tried are named up to this number."""


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

    quick: only the first, from a look at a few pairs. Both are looked for once in an audit.
    """
    key = repr((setting, len(pairs), quick))
    if key not in session.choices:
        session.choices[key] = _found(job, session, pairs, setting, quick=quick)
    return session.choices[key]


def _found(job: Job, session: AuditSession, pairs: Sequence[Pair], setting: Setting, *, quick: bool) -> list[Choice]:
    session.announce("choosing arguments")
    fixed = [*setting.parameters]
    named = {a.name for a in fixed}
    for name, spec in job.mechanism.claim.args:
        if isinstance(spec, Fixed) and name not in named:
            fixed.append(Argument(name, spec.value, "fixed by the claim"))
    values = {a.name: a.value for a in fixed}
    shown = tuple(fixed)
    needed = _open_parameters(job.mechanism, values)
    if not needed:
        return [Choice((), shown)]
    if quick and isinstance(job, SourceJob) and job.worst is not None:
        known = {one.name: one for one in job.worst.arguments}
        if all(name in known for name in needed):
            return [Choice(tuple(known[name] for name in needed), shown)]
    # z3 takes a fifth of a second to import, which mechanisms without open parameters need not wait for.
    from dplint.inputs.arguments import choose_arguments, simple_arguments  # noqa: PLC0415

    if job.settings.use_solver:
        found = choose_arguments(job.program, job.mechanism, pairs, values, quick=quick)
    else:
        found = simple_arguments(job.mechanism, values)
    choices = [Choice(choice.arguments, shown) for choice in found.choices[:_CHOICES]] or [Choice((), shown)]
    return choices if quick else _with_all_values(job.mechanism, choices)


def _with_all_values(mechanism: Mechanism, choices: list[Choice]) -> list[Choice]:
    """The choices, and as many more as there may be in which the values stand that the claim lists and none has yet.

    One choice has a value of each argument; other arguments are as in the first of all.
    """
    found, first = [*choices], choices[0]
    settled = {argument.name for argument in first.fixed}
    while len(found) < _MOST_CHOICES:
        untried = {name: values[0] for name, values in _untried(mechanism, found).items() if name not in settled}
        if not untried:
            break
        of_first = {argument.name: argument for argument in first.arguments}
        listed = {name: Argument(name, value, "a value that the claim lists") for name, value in untried.items()}
        found.append(Choice(tuple((of_first | listed).values()), first.fixed))
    return found


def untried_note(mechanism: Mechanism, tried: Sequence[Choice]) -> str | None:
    """The values that the claim lists for its arguments and that none of these choices has; None if there are none."""
    words = [f"{name} = {value!r}" for name, values in _untried(mechanism, tried).items() for value in values]
    if not words:
        return None
    more = f" and {len(words) - _NAMED:,} more" if len(words) > _NAMED else ""
    return f"of the values that the claim lists, runs have not tried {', '.join(words[:_NAMED])}{more}"


def _untried(mechanism: Mechanism, choices: Sequence[Choice]) -> dict[str, list[Literal]]:
    """For each argument the values that the claim lists and none of these choices has, if there are such."""
    tried = {(name, _spelled(value)) for choice in choices for name, value in choice.values.items()}
    listed = {name: spec.values for name, spec in mechanism.claim.args if isinstance(spec, Categories)}
    untried = {name: [one for one in values if (name, _spelled(one)) not in tried] for name, values in listed.items()}
    return {name: list(values) for name, values in untried.items() if values}


def _spelled(value: Literal) -> str:
    """A value as text: 1 as 1.0, which a parameter annotated `float` gets, and not as True."""
    return repr(float(value) if is_number(value) else value)


def translated(choices: Sequence[Choice], setting: Setting) -> list[Choice]:
    """The same arguments for another value of the claim; what the solver finds rarely depends on it."""
    fixed = {a.name: a for a in setting.parameters}
    return [Choice(choice.arguments, tuple(fixed.get(a.name, a) for a in choice.fixed)) for choice in choices]


def _open_parameters(mechanism: Mechanism, values: Mapping[str, Literal]) -> list[str]:
    """The parameters that somebody has to choose a value for."""
    named = {name for name, _ in mechanism.claim.args}
    return [
        parameter.name
        for parameter in mechanism.parameters
        if parameter.name not in values
        and parameter.name not in mechanism.roles
        and parameter.kind not in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
        and (parameter.default is None or parameter.name in named)
    ]


def program_note(job: Job, choices: Sequence[Choice]) -> str | None:
    """What the reader must know if arguments had to be chosen for a mechanism that could not be lowered."""
    if not isinstance(job.program, Unsupported) or not any(choice.arguments for choice in choices):
        return None
    place = job.program
    return (
        f"arguments were chosen without reading the function: {place.construct} at {place.span.words} is not understood"
    )


def is_claimed(session: AuditSession, pair: Pair, choice: Choice, setting: Setting) -> bool:
    """Whether the claim speaks of an input at this value."""
    return (
        are_neighbours(session.mechanism, pair.d1, pair.d2)
        and setting.fitting([pair]) == [pair]
        and all(allows_argument(session.mechanism, one.name, one.value) for one in choice.arguments)
    )


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


_MOST_LOOKS = 500
_LEAST_LOOKS = 30
_KNOWN_LOOKS = 40
"""Looks at data that is tried anyway."""
_SHARE = 0.05
"""Share of the budget, in seconds or in runs, that the looks may take; a look takes as long as some runs."""
_LOOK_SECONDS = 0.0002
"""What a look takes where runs are on lanes: functions that can be read whole are short."""
_RUNS_OF_A_LOOK = 5
_NUMBERS = (LeafKind.BOOL, LeafKind.INT, LeafKind.FLOAT)


def find_further(
    session: AuditSession, choice: Choice, known: Sequence[Pair], stream: tuple[int, ...], budget: float
) -> list[Pair]:
    """Further pairs that are worth runs, in one order; found once, with one choice of arguments.

    budget: seconds of the pass. Constants of the function and of its helpers, and the numbers among the arguments, are
    tried as data. Raises RunnerError.
    """
    if session.mechanism.claim.pairs is not None or session.machine:
        return []
    session.announce("looking for inputs")
    pairs = beyond_patterns(session, choice.values)
    if not pairs:
        return []
    values: dict[str, DataValue] = {}
    for few, looks in ((known, _KNOWN_LOOKS), (pairs, _affordable(session, budget))):
        most = len(values) + looks
        for pair in few:
            both = {key(pair.d1): session.data_value(pair, 1), key(pair.d2): session.data_value(pair, 2)}
            if len(values.keys() | both.keys()) <= most:
                values |= both
    seen = _looked_at(session, choice, values, stream)
    return most_promising(pairs, known, seen)


def beyond_patterns(session: AuditSession, arguments: Mapping[str, Literal]) -> list[Pair]:
    """Pairs beyond the patterns, with what the function and its arguments hold as data."""
    if session.mechanism.claim.pairs is not None:
        return []
    given = [one for one in arguments.values() if isinstance(one, int | float) and not isinstance(one, bool)]
    try:
        return further_pairs(session.mechanism, [*session.constants(), *given])
    except NoPairs:
        return []


def _affordable(session: AuditSession, budget: float) -> int:
    """How many data values may be looked at."""
    settings = session.settings
    if settings.max_runs is not None:
        allowed = _SHARE * settings.max_runs
    elif session.lanes is not None:
        allowed = _SHARE * budget / _LOOK_SECONDS
    elif session.seconds_per_run > 0:
        allowed = _SHARE * budget / (session.seconds_per_run * _RUNS_OF_A_LOOK)
    else:
        allowed = _MOST_LOOKS
    return int(min(_MOST_LOOKS, max(_LEAST_LOOKS, allowed)))


def _looked_at(
    session: AuditSession, choice: Choice, values: dict[str, DataValue], stream: tuple[int, ...]
) -> dict[str, Seen]:
    """What each of the data makes the function do. The numbers of lines are those of one request, so there is one."""
    looks = session.look(list(values.values()), choice.values, 1, stream, noise_free=True, lines=True)
    return {name: _seen(look) for name, look in zip(values, looks, strict=True)}


def _seen(look: Look) -> Seen:
    (group,) = look.batch.groups
    numeric = [LeafKind(kind) in _NUMBERS for kind in group.kinds[0].tolist()]
    leaves = group.values[0].tolist()
    texts = [
        look.batch.strings[int(value)] if LeafKind(kind) in (LeafKind.STRING, LeafKind.OTHER) else LeafKind(kind).name
        for kind, value, is_number in zip(group.kinds[0].tolist(), leaves, numeric, strict=True)
        if not is_number
    ]
    return Seen(
        lines=look.lines,
        draws={f"{one.file}:{one.line}:{one.distribution}": (one.count, one.low, one.high) for one in look.draws},
        shape=f"{group.skeleton!r} {texts}",
        numbers=tuple(float(value) for value, is_number in zip(leaves, numeric, strict=True) if is_number),
    )
