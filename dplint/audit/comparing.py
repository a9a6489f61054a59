"""A reading of a function is compared with the function before anything is said from it.

A proof, a loss that was computed and runs on lanes are about a reading of the source, and a mistake in it makes a wrong
word of a right proof. So the very reading that a verdict rests on is evaluated with known data, arguments and noise,
and the runner calls the function with that noise: it has to make the same draws, and give the same. Inputs are chosen
so that a misreading shows (`inputs/compared.py`). What is compared is exact arithmetic with floats, so numbers may
differ by a small tolerance.

What functions of libraries might give, for runs of a reading that rests on their claims.

A proof knows nothing of what they give. So any value will do that they can give: within the bounds that they are given,
and near the number that noise is added to.

The arguments of a program as objects, as the runner makes those of the function.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Any, Protocol, TypeAlias

import numpy as np

from dplint.audit.run_blocks import WrongTranslation
from dplint.audit.session import AuditSession
from dplint.claims import Literal, Mechanism, Pair
from dplint.inputs.compared import pairs_to_compare
from dplint.inputs.forms import PROGRAM_FORMS, DefaultNotRead, default_of
from dplint.program.interpretation import DrawCallback, Run
from dplint.program.library_claims import BY_DEFAULT, CALLED_WITH, LIBRARY, OPENDP_LAPLACE, seen_as
from dplint.program.nodes import Draw, Program
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.readings import concrete
from dplint.readings.concrete import RealGenerators
from dplint.runner import batch as seen
from dplint.runner.alike import near
from dplint.runner.batch import Batch, Raised, Viewed
from dplint.runner.client import DataValue, DrawEvent, Replayed, ReplayRequest
from dplint.runner.data_forms import DataForms, text_of
from dplint.runner.flatten import cut, digits, in_order
from dplint.runner.literals import encode
from dplint.sites import DrawSite

_WIDTHS = {"var": 2, "nanvar": 2, "std": 1, "nanstd": 1}
_BINS = 10
"""Of a histogram, where nothing else is said."""


def seen_parameters(function: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What can be seen of a call: not what a measurement makes of its data before it adds noise."""
    hidden = {BY_DEFAULT, *(("value", "scale") if function == OPENDP_LAPLACE else ())}
    return {name: value for name, value in parameters.items() if name not in hidden}


def value_of(function: str, parameters: Mapping[str, Any], chance: np.random.Generator) -> Any:
    """A value that a call may give, of its type."""
    name = seen_as(function).rpartition(".")[2]
    if "value" in parameters:
        return _near(parameters, chance)
    if name == "histogram":
        bins, (low, high) = parameters.get("bins", _BINS), parameters["range"]
        return chance.integers(0, 9, bins), np.linspace(low, high, bins + 1)
    data = parameters["array"]
    if name == "count_nonzero":
        return int(chance.integers(0, len(data) + 1))
    low, high = map(float, parameters["bounds"])
    if name in _WIDTHS:
        return float(chance.uniform(0, ((high - low) / 2) ** _WIDTHS[name]))
    times = len(data) if name in ("sum", "nansum") else 1
    return float(chance.uniform(low * times, high * times))


def _near(parameters: Mapping[str, Any], chance: np.random.Generator) -> Any:
    """A number, or each of some, with noise; whole where a measurement is given whole numbers."""
    value = parameters["value"]
    if isinstance(value, list | tuple | np.ndarray):
        return [_near({**parameters, "value": one}, chance) for one in value]
    measured = CALLED_WITH in parameters
    scale = parameters["scale"] if "scale" in parameters else parameters["sensitivity"] / parameters["epsilon"]
    noise = float(chance.laplace(0, scale))
    drawn = value + round(noise) if measured and isinstance(value, int | np.integer) else float(value) + noise
    low, high = parameters.get("lower", drawn), parameters.get("upper", drawn)
    return min(max(drawn, low), high)


class NotPlain(Exception):
    """An argument is an object that only the user's interpreter has; says which."""


def program_arguments(
    program: Program, mechanism: Mechanism, data: DataValue, arguments: Mapping[str, Literal]
) -> dict[str, Any]:
    """A value for each parameter of the program, defaults filled in. Raises NotPlain."""
    given: dict[str, Any] = dict(arguments)
    for name in arguments:
        if mechanism.parameter(name) is not None and name not in program.parameters and name not in mechanism.roles:
            raise NotPlain(f"its parameter {name} is read as its default, and given something else")
    if mechanism.data is not None:
        if data.handle is not None or data.form not in PROGRAM_FORMS:
            raise NotPlain("its data are objects that only the user's interpreter has")
        spec = {"value": encode(data.value), "form": data.form, "handle": None}
        (value,) = DataForms().build([spec], ())
        given[mechanism.data] = value
    for name in program.parameters:
        if name not in given:
            given[name] = _default(mechanism, name)
    return given


def _default(mechanism: Mechanism, name: str) -> Any:
    parameter = mechanism.parameter(name)
    try:
        return None if parameter is None else default_of(parameter)
    except DefaultNotRead:
        raise NotPlain(f"the default of its parameter {name} is not a plain value") from None


TOLERANCE = 1e-7
"""Relative to the largest number that takes part, or to 1."""
UNCOMPARED = "the function does what is read of it, with which no run could be compared"
"""What a proof takes for granted that rests on noise which only a library can draw."""
_MOST_TIMES, _MOST_SHOWN, _PAIRS = 6, 80, 60
_TOGETHER = (1, 2, 4, 8)
"""Inputs whose calls are asked for at once: first few, for what is wrong shows soon."""
_TAIL = 16
"""Draws of which the lowest or highest is taken in every other run: what seldom comes is beyond a branch."""
_WAITING = 4
"""How much longer it may take with the runner, where the time is spent if the function is slow."""
Arguments: TypeAlias = Mapping[str, Literal]
Sides: TypeAlias = tuple[Literal, Literal]


class Reading(Protocol):
    """A way to read a function, as runs on one of two neighbours."""

    def run(self, sides: Sides, side: int, arguments: Arguments, draws: Callable[[], Recorder]) -> tuple[Run, bool]:
        """A run, and whether its output is that of the function; else only its draws are compared.

        draws: called when a run begins, which may be more than once; what it gives is asked for each draw of the run,
        in their order. Raises UnsupportedConstruct where it does not reach, Contradiction where it is wrong by itself.
        """


class Contradiction(Exception):
    """A reading does not agree with itself, or with what was drawn: how, in words."""


@dataclass(slots=True)
class Compared:
    """What a comparison came to. runs: that were compared. reason: why one was not, "" if all were. lines: that ran."""

    runs: int = 0
    reason: str = ""
    lines: set[tuple[str, int]] = field(default_factory=set)


def compare(
    session: AuditSession,
    reading: Reading,
    inputs: Iterator[tuple[Pair, Arguments]],
    what: str,
    seconds: float,
    least: int,
    before: Compared | None = None,
    by_default: Collection[str] = (),
) -> Compared:
    """Compare a reading with the function on inputs, on both sides of each.

    what: reads the function so, in words, as "the proof". seconds: of CPU time of this process, and four times as many
    with the runner, as far as they were to be had: a busy machine compares as much. After these no more is compared
    than `least` inputs, or one where that takes far too long. before: what was compared before, which is added to.
    by_default: arguments that the function is to have of its own, for what stands for them is no value. Raises
    WrongTranslation where the function does something else,
    RunnerError where it does not come to an end.
    """
    session.load()
    comparing = _Comparing(session, reading, what, before or Compared(), by_default)
    begun, had = time.process_time(), session.seconds
    sizes = chain(_TOGETHER, repeat(_TOGETHER[-1]))
    left = next(sizes)
    for number, (pair, arguments) in enumerate(inputs):
        spent = max(time.process_time() - begun, (session.seconds - had) / _WAITING)
        is_over = spent > _MOST_TIMES * seconds and (comparing.compared.runs or comparing.is_waiting)
        if spent > seconds and (number >= least or is_over):
            break
        comparing.read(pair, arguments)
        left -= 1
        if not left:
            comparing.call()
            left = next(sizes)
    comparing.call()
    return comparing.compared


def compared_pairs(session: AuditSession, program: Program) -> list[Pair]:
    """Neighbours on which readings of a program are compared, looked for once; see `inputs.compared`."""
    if session.compared is None or session.compared[0] is not program:
        session.compared = program, pairs_to_compare(session.mechanism, program, _PAIRS, session.seed)
    return session.compared[1]


def pair_of(session: AuditSession, sides: Sides) -> Pair:
    """The pair with these sides; one of the claim's own is handed over as it stands."""
    return Pair(*sides, "", 0, None if session.mechanism.claim.pairs is None else (0, 1))


class LoweredReading:
    """The program of a function, evaluated as it stands."""

    def __init__(self, session: AuditSession, program: Program) -> None:
        self._session, self._program = session, program

    def run(self, sides: Sides, side: int, arguments: Arguments, draws: Callable[[], DrawCallback]) -> tuple[Run, bool]:
        """See `Reading`."""
        data = self._session.data_value(pair_of(self._session, sides), side)
        try:
            given = program_arguments(self._program, self._session.mechanism, data, arguments)
        except NotPlain as refused:
            raise unsupported(str(refused), self._program.span) from None
        return self._run(given, draws()), True

    def _run(self, given: Mapping[str, Any], draws: DrawCallback) -> Run:
        return concrete.run(self._program, given, draws)


@dataclass(frozen=True, slots=True)
class _ReadRun:
    """A run of the reading. whole: see `Reading`. draws: that it made."""

    pair: Pair
    side: int
    arguments: Arguments
    run: Run
    whole: bool
    draws: Sequence[DrawEvent]


@dataclass(slots=True)
class _Comparing:
    session: AuditSession
    reading: Reading
    what: str
    compared: Compared
    by_default: Collection[str]
    _generators: RealGenerators = field(init=False)
    _chance: np.random.Generator = field(init=False)
    _waiting: list[_ReadRun] = field(default_factory=list)
    _is_tail: bool = True

    def __post_init__(self) -> None:
        *seeds, other = np.random.SeedSequence(self.session.seed, spawn_key=(1 << 22,)).spawn(3)
        self._generators, self._chance = RealGenerators(*seeds), np.random.default_rng(other)

    @property
    def is_waiting(self) -> bool:
        """Whether there are runs of the reading that the function is still to make."""
        return bool(self._waiting)

    def read(self, pair: Pair, arguments: Arguments) -> None:
        """Make the runs of the reading on both sides of a pair; those of every other pair draw from the tails."""
        self._is_tail = not self._is_tail
        for side in (1, 2):
            recorder: list[Recorder] = []

            def begin(recorder: list[Recorder] = recorder) -> Recorder:
                recorder.append(Recorder(self._generators, self._chance, tails=self._is_tail))
                return recorder[-1]

            try:
                run, whole = self.reading.run((pair.d1, pair.d2), side, arguments, begin)
            except UnsupportedConstruct as refused:
                self.compared.reason = self.compared.reason or str(refused.unsupported)
            except Contradiction as error:
                raise self._wrong(pair, side, arguments, str(error)) from error
            except Exception as error:
                if not recorder or recorder[-1].refused is not error:
                    raise
                self.compared.reason = self.compared.reason or f"a draw that its generator refuses ({error})"
            else:
                self._waiting.append(_ReadRun(pair, side, arguments, run, whole, recorder[-1].events))

    def call(self) -> None:
        """Have the function make the runs that wait, and see that it does the same."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        for one, replayed in zip(waiting, self.session.runner.replays(list(map(self._request, waiting))), strict=True):
            if not one.whole and replayed.wrong_runs and not replayed.unlike_runs:
                # What follows the beginning that was read may let a run go past some draws; then others are compared.
                self.compared.reason = replayed.complaints[0]
                continue
            observed = bool(self.session.mechanism.claim.observe)
            difference = _difference(one.run, replayed, whole=one.whole, observed=observed)
            if difference is not None:
                raise self._wrong(one.pair, one.side, one.arguments, difference)
            self.compared.runs += 1
            self.compared.lines |= replayed.lines

    def _request(self, one: _ReadRun) -> ReplayRequest:
        return ReplayRequest(
            self.session.data_value(one.pair, one.side),
            {name: value for name, value in one.arguments.items() if name not in self.by_default},
            1,
            one.draws,
            tolerance=TOLERANCE,
            lines=True,
            others=not one.whole,
        )

    def _wrong(self, pair: Pair, side: int, arguments: Arguments, difference: str) -> WrongTranslation:
        given = ", ".join([f"D{side} = {_shown(pair.d1 if side == 1 else pair.d2)}", *_words(arguments)])
        return WrongTranslation(f"{self.what} reads the function otherwise than it runs: {difference}, for {given}")


class Recorder:
    """Makes the draws of one run, as the user's generators would, and records them for a replay.

    tails: whether each is the lowest or highest of some, which the generator might give as well.
    """

    def __init__(self, generators: RealGenerators, chance: np.random.Generator, *, tails: bool = False) -> None:
        self._generators, self._chance, self._tails = generators, chance, tails
        self.events: list[DrawEvent] = []
        self.refused: Exception | None = None

    def __call__(self, node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        """The draw; see `DrawCallback`."""
        if node.family == LIBRARY:
            return self._released(node, parameters, site)
        try:
            drawn = self._drawn(node, parameters, size)
        except Exception as error:
            self.refused = error
            raise
        shape = None if size is None else tuple(size) if isinstance(size, tuple | list) else (int(size),)
        plain = _plain(drawn)
        self.events.append(DrawEvent(node.distribution, tuple(parameters.items()), shape, None, [plain], site))
        return drawn

    def _drawn(self, node: Draw, parameters: Mapping[str, Any], size: Any) -> Any:
        # What draws from a list may shuffle it, and its items may have no order.
        if not self._tails or any(isinstance(one, list | np.ndarray) for one in parameters.values()):
            return self._generators.draw(node, dict(parameters), size)
        many = [self._generators.draw(node, dict(parameters), size) for _ in range(_TAIL)]
        chosen = max if self._chance.random() < 0.5 else min
        return chosen(many, key=np.sum if isinstance(many[0], np.ndarray) else None)

    def instead(self, drawn: Any) -> Any:
        """Something else in place of the last draw."""
        self.events[-1] = replace(self.events[-1], values=[_plain(drawn)])
        return np.array(drawn) if isinstance(drawn, list) else drawn

    def _released(self, node: Draw, parameters: Mapping[str, Any], site: DrawSite) -> Any:
        """What a function of a library might give, where nothing but its claim is known."""
        given = {name: _plain(value) for name, value in seen_parameters(node.generator, parameters).items()}
        try:
            encode(list(given.values()))
            drawn = value_of(node.generator, parameters, self._chance)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
            raise unsupported(f"what {node.generator} gives for such arguments ({error})", node.span) from None
        plain = [_plain(part) for part in drawn] if isinstance(drawn, tuple) else _plain(drawn)
        self.events.append(DrawEvent(seen_as(node.generator), tuple(given.items()), None, None, [plain], site))
        return drawn


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _difference(run: Run, replayed: Replayed, *, whole: bool, observed: bool) -> str | None:
    """In what the function differs from the reading, in words; None if it does not.

    whole: whether outputs are compared, too; those that are seen in parts, through views, are not. observed: whether
    the output is what is returned beside other things that are seen.
    """
    if replayed.wrong_runs:
        return replayed.complaints[0]
    (group,) = replayed.batch.groups
    if not whole or _is_viewed(group.skeleton):
        return None
    raised = group.skeleton.name if isinstance(group.skeleton, Raised) else None
    expected = run.exception[0] if run.exception is not None else None
    if raised is not None or expected is not None:
        return None if raised == expected else _otherwise(run, replayed.batch)
    mine, theirs = run.output, replayed.batch.outputs()[0]
    if observed and isinstance(mine, tuple) and isinstance(theirs, tuple):
        mine, theirs = mine[0], theirs[1]  # how the rest is written differs
    elif not _frozen_alike(mine, group.skeleton):
        return "it gives a set where the reading gives a frozenset, or the other way round"
    return None if same_outputs(mine, theirs) else _otherwise(run, replayed.batch)


def _frozen_alike(reading: Any, skeleton: seen.Skeleton) -> bool:
    """Whether the sets of an output are frozen in both: as values they are equal either way."""
    if isinstance(reading, set | frozenset) and isinstance(skeleton, seen.Sequence):
        return skeleton.type == type(reading).__name__
    if isinstance(reading, list | tuple) and isinstance(skeleton, seen.Sequence) and isinstance(skeleton.items, tuple):
        return all(map(_frozen_alike, reading, skeleton.items))
    if isinstance(reading, dict) and isinstance(skeleton, seen.Mapping):
        return all(map(_frozen_alike, reading.values(), skeleton.children))
    return True


def _otherwise(run: Run, batch: Batch) -> str:
    mine = f"raises {run.exception[0]}" if run.exception is not None else f"gives {_shown(run.output)}"
    (group,) = batch.groups
    theirs = f"raises {group.skeleton.name}" if isinstance(group.skeleton, Raised) else None
    return f"it {theirs or f'gives {_shown(batch.outputs()[0])}'} where the reading {mine}"


def _is_viewed(skeleton: object) -> bool:
    parts = getattr(skeleton, "items", None) or getattr(skeleton, "children", None)
    return isinstance(skeleton, Viewed) or (isinstance(parts, tuple) and any(map(_is_viewed, parts)))


def same_outputs(reading: Any, function: Any) -> bool:
    """Whether two outputs are the same but for the rounding of floats; arrays and sequences by their items."""
    if isinstance(reading, set | frozenset):
        reading = in_order(reading)
    if isinstance(reading, np.ndarray) and reading.ndim:
        reading = reading.ravel()  # outputs have the items of an array in one row
    reading = _plain(reading)
    if isinstance(reading, dict) and "" in reading:
        reading = tuple(reading.values())
    if isinstance(reading, dict) and isinstance(function, dict):
        keys = {repr(key): value for key, value in function.items()}
        return len(keys) == len(reading) and all(
            repr(key) in keys and same_outputs(value, keys[repr(key)]) for key, value in reading.items()
        )
    if isinstance(reading, list | tuple) and isinstance(function, list | tuple):
        return len(reading) == len(function) and all(map(same_outputs, reading, function))
    if isinstance(reading, bool) or isinstance(function, bool):
        return reading is function
    if isinstance(reading, int) and isinstance(function, str):
        return function == cut(digits(reading))  # a very long one comes in part
    if isinstance(reading, int | float) and isinstance(function, int | float):
        return reading == function or near(reading, function, TOLERANCE)
    return type(reading) is type(function) and bool(reading == function)


def _words(arguments: Arguments) -> Sequence[str]:
    return [f"{name} = {_shown(value)}" for name, value in arguments.items()]


def _shown(value: object) -> str:
    text = text_of(value)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"
