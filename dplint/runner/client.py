"""The worker's side of a runner: load a mechanism, make runs, get columns of outputs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Items
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Any, Self

from dplint.claims import Literal, Mechanism, Pair, Receiver
from dplint.outcomes import FailureKind
from dplint.runner.batch import Batch, DataValue, SampleRequest
from dplint.runner.decode import decode_batches
from dplint.runner.drawn import (
    MOST_DRAWS,
    DrawEvent,
    GivenNoise,
    Look,
    PerRun,
    Replayed,
    ReplayRequest,
    SeenDraws,
    Trace,
    TracedDraws,
    described_events,
    seen_draws,
    traced_draws,
)
from dplint.runner.frames import BrokenFrame
from dplint.runner.hosts import RunnerError, Waiting, described_module, host_request, named_places
from dplint.runner.literals import decode, encode
from dplint.runner.process import Capture, Process

__all__ = [
    "MOST_DRAWS",
    "Batch",
    "DataValue",
    "DrawEvent",
    "GivenNoise",
    "Look",
    "NotTracedError",
    "PerRun",
    "ReplayRequest",
    "Replayed",
    "Runner",
    "RunnerError",
    "SampleRequest",
    "SeenDraws",
    "Trace",
    "TracedDraws",
]

_LONGEST_INPUT = 200


class NotTracedError(Exception):
    """The function has to be called run by run, for the reason in words."""


class Runner:
    """One process of the user's interpreter that runs one mechanism after another; a context manager.

    deadline: seconds that any single run, or an import, may take. memory_mib: address space user code may take. allow:
    effects not blocked, of "network", "write", "process", "read" and "read:PATH". mechanism, source_text: that will be
    loaded first; then the process may be forked from one that has imported the module, and reads what lies in the
    project; without it may read all but keys. waiting: called several times a second while an
    answer is awaited, with the seconds since the last sign of life; if it raises, the process is ended. The constructor
    and all methods raise RunnerError; after a DEADLINE or the death of the process every further call does, and a new
    Runner is needed. Not promised: to hold an attacker, or to see edits of modules that were imported before.
    """

    def __init__(
        self,
        interpreter: str,
        *,
        deadline: float,
        memory_mib: int,
        allow: frozenset[str] = frozenset(),
        mechanism: Mechanism | None = None,
        source_text: str | None = None,
        waiting: Waiting = lambda _: None,
    ) -> None:
        self._deadline = deadline
        self.left_out: tuple[str, ...] = ()
        host, reads = None, None
        if mechanism is not None:
            reads = named_places(described_module(mechanism), allow)
            host = host_request(
                mechanism, source_text, interpreter=interpreter, deadline=deadline, memory_mib=memory_mib, allow=allow
            )
        self._process = Process(
            interpreter, memory_mib=memory_mib, allow=allow, host=host, waiting=waiting, reads=reads
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def captured(self) -> Capture:
        """What user code has printed so far."""
        return self._process.capture

    def load(self, mechanism: Mechanism, source_text: str | None = None) -> None:
        """Import the mechanism's module, from `source_text` if given, and find its function.

        `left_out` says then which statements of the project were left out, as they could not be executed, in one note.
        """
        made, rng = mechanism.receiver, mechanism.parameter(mechanism.rng) if mechanism.rng is not None else None
        rng = made.rng if made is not None and rng is None else rng
        described = {
            **described_module(mechanism),
            "qualname": mechanism.qualname,
            "data": mechanism.data,
            "receiver": None if mechanism.receiver is None else _receiver(mechanism.receiver),
            "rng": mechanism.rng,
            "observe": list(mechanism.claim.observe),
            "apart": mechanism.claim.apart,
            "named": mechanism.named,
            "plain": mechanism.claim.has_plain_data,
            "rng_annotation": rng.annotation if rng is not None else None,
            "body": "\n".join(mechanism.source_lines),
            "parameters": [{"name": item.name, "kind": item.kind.value} for item in mechanism.parameters],
        }
        try:
            answer, _ = self._ask({"do": "load", "mechanism": described, "text": source_text})
            self.left_out = _left_out(answer.get("left_out", ()))
        except RunnerError as error:
            if error.kind in (FailureKind.INPUT, FailureKind.INTERNAL):
                raise
            raise error.in_import_of(mechanism.path) from None

    def pairs(self, reference: str, limit: int, seed: tuple[int, tuple[int, ...]] = (0, ())) -> list[Pair]:
        """The first pairs that the claim's own neighbour function yields; the objects stay in the runner.

        reference: as `Claim.pairs`. d1 and d2 of a pair are the data themselves if these are plain, else their repr.
        """
        answer, _ = self._ask({"do": "pairs", "reference": reference, "limit": limit, "seed": seed})
        with _holding("pairs"):
            return [
                Pair(_shown(d1), _shown(d2), "custom", int(size), (int(one), int(two)), "plain" in d1 and "plain" in d2)
                for d1, d2, size, (one, two) in answer["pairs"]
            ]

    def curve(self, reference: str, epsilons: Items[float], seed: tuple[int, tuple[int, ...]] = (0, ())) -> list[float]:
        """What the claim's own curve says for each epsilon: any floats. reference: as `Promise.function`."""
        answer, _ = self._ask({"do": "curve", "reference": reference, "epsilons": [*epsilons], "seed": seed})
        return [float(one) for one in answer["deltas"]]

    def sample(self, request: SampleRequest) -> list[Batch]:
        """The outputs of `request.runs` runs for each data value, in the order of the data values."""
        with _named_input(request.datas, request.arguments):
            answer, body = self._ask({"do": "sample", **_described(request)})
        with _holding("outputs"):
            return decode_batches(answer, body)

    def look(self, request: SampleRequest, *, lines: bool = False, passed_over: bool = False) -> list[Look]:
        """A few watched runs for each data value: their outputs, what they draw, and if asked for the lines they take,
        or those of the file that none of them takes.

        Runs of one data value follow each other, `request.block` says nothing.
        """
        asked = {"lines": lines, "passed_over": passed_over}
        with _named_input(request.datas, request.arguments):
            answer, body = self._ask({"do": "look", **_described(request), **asked})
        with _holding("look"):
            batches = decode_batches(answer, body)
            over = tuple((int(line), str(text)) for line, text in answer["passed_over"])
            return [
                Look(batch, tuple(map(seen_draws, draws)), frozenset(map(int, taken)), over)
                for batch, draws, taken in zip(batches, answer["draws"], answer["lines"], strict=True)
            ]

    def trace(self, request: SampleRequest, given: GivenNoise | None = None, *, most: int = MOST_DRAWS) -> list[Trace]:
        """Runs for each data value with what they draw; `request.noise_free` says nothing.

        given: noise to draw, of one data value. Of a run that draws of other laws the draws are None, and of one that
        draws more than `most` numbers. Of an output so many leaves are kept, or MOST_LEAVES if that is more.
        """
        asked = {"do": "trace", **_described(request), "given": None, "most": most}
        if given is not None:
            asked["given"] = [list(given.laws), given.values.tolist()]
        with _named_input(request.datas, request.arguments):
            answer, body = self._ask(asked)
        with _holding("trace"):
            batches = decode_batches(answer, body)
            return [
                Trace(batch, tuple(map(traced_draws, runs)))
                for batch, runs in zip(batches, answer["draws"], strict=True)
            ]

    def record(
        self,
        datas: Items[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: tuple[int, tuple[int, ...]],
        made: Items[Any] = (),
        *,
        of_runs: Items[int] | None = None,
        by_lane: Items[str] = (),
    ) -> Any:
        """The paths of so many runs at once as operations: see `runner.recorded_paths`.

        made: draws that all of them have made, as `tracing.recording` describes values. of_runs: the number of the data
        value of each run, where the operations are to be about all data of one shape; else they are about the only
        value. by_lane: arguments, floats, that they are to be about any value of. Raises NotTracedError.
        """
        asked = {"runs": runs, "seed": _seed(seed), "made": list(made), "of_runs": of_runs and list(of_runs)}
        asked["by_lane"] = list(by_lane)
        header = {"do": "record", **_inputs(tuple(datas), arguments), **asked}
        with _named_input(tuple(datas), arguments):
            answer, _ = self._ask(header)
        if "not_traced" in answer:
            raise NotTracedError(str(answer["not_traced"]))
        return answer

    def train(
        self,
        step: str,
        arguments: Mapping[str, Literal],
        seed: tuple[int, tuple[int, ...]],
        datas: Items[DataValue] = (),
        **asked: Any,
    ) -> dict[str, Any]:
        """A step of a training with canaries: "choose", "learn", "begin" or "go on", see `runner.canaries`.

        datas: of the first step, the records and the canaries of the claim's domain. asked: what else it takes.
        """
        header = {"do": "train", "step": step, **_inputs(tuple(datas), arguments), "seed": _seed(seed), **asked}
        return self._ask(header)[0]

    def constants(self) -> list[int | float | str]:
        """The numbers and short texts that the mechanism and its helpers hold, its own first, each once."""
        answer, _ = self._ask({"do": "constants"})
        with _holding("constants"):
            found = [decode(item) for item in answer["constants"]]
        return [value for value in found if isinstance(value, int | float | str)]

    def replay(self, request: ReplayRequest) -> Replayed:
        """See `replays`."""
        return self.replays([request])[0]

    def replays(self, requests: Items[ReplayRequest]) -> list[Replayed]:
        """For each request the outputs of the user's function when it is handed recorded draws, and where it asks for
        others.

        Many at once take little more time than one. Where one of them fails, there is no answer to the others.
        """
        described, buffers = [], []
        for request in requests:
            try:
                events, parts = described_events(request.events, request.runs)
            except (TypeError, ValueError) as error:
                raise RunnerError(FailureKind.INTERNAL, f"these draws cannot be replayed: {error}") from error
            buffers += parts
            asked = {"tolerance": request.tolerance, "others": request.others, "lines": request.lines}
            inputs = _inputs((request.data,), request.arguments)
            described.append({"runs": request.runs, **inputs, "events": events, **asked})
        with _named_inputs([(request.data, request.arguments) for request in requests]):
            answer, body = self._process.exchange({"do": "replay", "replays": described}, self._deadline, buffers)
        with _holding("replay"):
            return [
                Replayed(
                    batch,
                    tuple(map(str, seen["complaints"])),
                    int(seen["wrong_runs"]),
                    frozenset((str(file), int(line)) for file, line in seen["lines"]),
                    int(seen["unlike_runs"]),
                )
                for batch, seen in zip(decode_batches(answer, body), answer["seen"], strict=True)
            ]

    def close(self) -> None:
        """End the process; harmless if it has ended."""
        self._process.close()

    def _ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        return self._process.exchange(request, self._deadline)


@contextmanager
def _holding(what: str) -> Iterator[None]:
    """Inside, an answer is read that user code may have written: RunnerError where it does not hold that."""
    try:
        yield
    except (BrokenFrame, KeyError, TypeError, ValueError) as error:
        raise RunnerError(FailureKind.INTERNAL, f"the runner's answer holds no {what}: {error!r}") from error


def _receiver(receiver: Receiver) -> dict[str, Any]:
    return {
        "factory": receiver.factory,
        "method": receiver.method,
        "takes": None if receiver.takes is None else receiver.takes.name,
        "attribute": receiver.attribute,
        "given": encode(dict(receiver.given)),
        "rng": None if receiver.rng is None else receiver.rng.name,
        "preparations": [[one.method, encode(dict(one.given)), one.data] for one in receiver.preparations],
    }


def _named_input(datas: Items[DataValue], arguments: Mapping[str, Literal]) -> AbstractContextManager[None]:
    return _named_inputs([(value, arguments) for value in datas])


@contextmanager
def _named_inputs(inputs: Items[tuple[DataValue, Mapping[str, Literal]]]) -> Iterator[None]:
    """Inside, a process that does not answer or dies says with which input."""
    try:
        yield
    except RunnerError as error:
        if error.data is None or not 0 <= error.data < len(inputs):
            raise
        value, arguments = inputs[error.data]
        data = f"pair {value.handle // 2 + 1} of the claim" if value.handle is not None else _short(value.value)
        given = [f"data = {data}", *(f"{name} = {_short(argument)}" for name, argument in arguments.items())]
        raise RunnerError(error.kind, f"{error.reason}: {', '.join(given)}", error.detail) from None


def _short(value: Literal) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_INPUT else f"{text[: _LONGEST_INPUT - 3]}..."


def _described(request: SampleRequest) -> dict[str, Any]:
    if request.runs < 0 or request.block < 1:
        raise RunnerError(
            FailureKind.INPUT, f"runs = {request.runs}, block = {request.block}: at least 0 and 1 are needed"
        )
    return {
        **_inputs(request.datas, request.arguments),
        "runs": request.runs,
        "block": request.block,
        "seed": _seed(request.seed),
        "noise_free": request.noise_free,
    }


def _inputs(datas: Items[DataValue], arguments: Mapping[str, Literal]) -> dict[str, Any]:
    return {
        "datas": [
            {"value": _encoded("the data", data.value), "form": data.form, "handle": data.handle} for data in datas
        ],
        "arguments": {name: _encoded(name, value) for name, value in arguments.items()},
    }


def _encoded(name: str, value: Literal) -> Any:
    try:
        return encode(value)
    except TypeError as error:
        raise RunnerError(FailureKind.INPUT, f"{name} = {value!r}: {error}") from None


def _seed(seed: tuple[int, Items[int]]) -> list[Any]:
    entropy, spawn_key = seed
    return [int(entropy), [int(key) for key in spawn_key]]


def _shown(item: dict[str, Any]) -> Literal:
    value: Literal = decode(item["literal"]) if "literal" in item else str(item["repr"])
    return value


def _left_out(told: Items[Items[Any]]) -> tuple[str, ...]:
    """A note on the statements that were left out of an import: file, line and reason of each."""
    if not told:
        return ()
    (path, line, reason), more = told[0], len(told) - 1
    others = f"; and {more} more statement{'s' * (more > 1)}" if more else ""
    file = "" if path.endswith(".ipynb") else f" of {os.path.basename(path)}"
    return (f"imported without line {line}{file} ({reason}){others}",)
