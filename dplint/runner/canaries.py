"""Trainings with canaries: each is in the data or not, and what is released is scored for it.

Runs in the user's interpreter, where models, canaries and scores stay: only numbers are sent, one for each canary.

A canary's score is what the project's own function says of it and of what is released, added up over all releases. Or
it is learnt here by how much each canary alone moves what is released without noise: the score is the inner product of
what is released with that, over its length, which tells normal laws apart best. Where canaries move the same numbers,
what each has in it is solved for. A score may be poor, and is never wrong: it looks at nothing but what is released.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import inspect
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from .calls import Loop, finish
from .failures import INPUT, MEMORY, Failure, summary, user_traceback
from .flatten import Raised
from .heartbeat import Heartbeat

Releases = Iterator[Tuple[Any, bool]]
_MOST_MOVES = 20_000_000
"""Numbers, over all canaries, that are known to be moved by one."""
_WEAK, _SHARED = 0.8, 0.25
"""A canary is left out that moves less than this share of what the strongest one does; and one of which so much, of its
squared length, lies where those that are kept move something: they would hide each other.
"""
_MOST_SOLVED = 1500
"""Canaries whose shares in what is released are solved for."""
_NO_SCORE = "name a function that scores a model for a canary with --score module:function"
_FORMS = "records are a list, an array, a tensor, a DataFrame, or a tuple of arrays or tensors, a record in each row"


def releases(loop: Loop, enter: Callable[[], None], leave: Callable[[], None]) -> Releases:
    """What a training yields, or the one thing that it returns, each with whether more may follow.

    enter, leave: its random state; others may draw between two releases. Raises Failure where it raises.
    """
    outputs: List[Any] = []
    enter()
    loop(1, outputs.append)
    output = outputs[0]
    if isinstance(output, Raised):
        raise Failure(INPUT, f"the training raised {output}")
    if not inspect.isgenerator(output):
        output = finish(output)
        leave()
        yield output, False
        return
    while True:
        try:
            release = next(output)
        except StopIteration:
            return
        except Exception as error:
            raise _failed("the training raised", error) from None
        leave()
        yield release, True
        enter()


class Trainings:
    """The canaries of one mechanism, how they are scored, and the training in hand.

    run_of: the releases of a training on some data. find: a function of the project, by its reference and who names it.
    """

    def __init__(self) -> None:
        self.run_of: Callable[[Any], Releases]
        self.find: Callable[[str, str], Any]
        self.heartbeat: Heartbeat
        self._records: Any = None
        self._canaries: Any = None
        self._score: Optional[Callable[[Any, Any], Any]] = None
        self._moves: List[Any] = []
        self._lengths: List[float] = []
        self._solved: Optional[Tuple[Any, Any]] = None
        self._centre: Any = None
        self._going: Releases = iter(())
        self._released: Any = None
        self._made = 0

    def answer(self, request: Dict[str, Any], data: Sequence[Any]) -> Dict[str, Any]:
        """The answer to a request of `Runner.train`; data: of the request. Raises Failure."""
        step = request["step"]
        if step == "choose":
            return {"count": self._choose(request, data)}
        if step == "learn":
            return {"lengths": self._learn(request["first"], request["last"])}
        if step == "keep":
            return {"count": self._keep(request["noise"])}
        if step == "begin":
            self._going, self._made = self.run_of(self._with(np.flatnonzero(request["inside"]))), 0
        return self._go_on(request["releases"], request["seconds"])

    def _choose(self, request: Dict[str, Any], data: Sequence[Any]) -> int:
        """data: the records and the canaries of the claim's domain; those that the project names take their place."""
        named = [(request[name], f"--{name}") for name in ("records", "canaries")]
        self._records, self._canaries = (
            self._made_by(reference, option) if reference else of_domain
            for (reference, option), of_domain in zip(named, data)
        )
        self._score = self.find(request["score"], "--score") if request["score"] else None
        return _length(self._canaries)

    def _made_by(self, reference: str, option: str) -> Any:
        function = self.find(reference, option)
        try:
            records = function()
            return list(records) if inspect.isgenerator(records) else records
        except Exception as error:
            raise _failed(f"the function that {option} names raised", error) from None

    def _learn(self, first: int, last: int) -> List[float]:
        """How far these canaries move what is released first without noise, each by itself."""
        if first == 0:
            self._moves, self._lengths = [], []
            self._centre = self._first_with([])
        for number in range(first, last):
            moved = self._first_with([number])
            if moved.shape != self._centre.shape:
                raise Failure(INPUT, f"a canary changes the form of what is released: {_NO_SCORE}")
            moved = moved - self._centre
            places, length = np.flatnonzero(moved), float(np.linalg.norm(moved))
            self._moves.append((places, moved[places] / (length or 1.0)))
            self._lengths.append(length)
        if sum(len(places) for places, _ in self._moves) > _MOST_MOVES:
            raise Failure(MEMORY, f"canaries move too many numbers to keep: take fewer with --count, or {_NO_SCORE}")
        return self._lengths[first:]

    def _first_with(self, places: Sequence[int]) -> Any:
        self.heartbeat.part(1)
        released, _ = next(self.run_of(self._with(np.array(places, int))), (None, False))
        self.heartbeat.ended(1)
        return numbers_in(released)

    def _keep(self, noise: float) -> int:
        """Keep canaries that move much, and not what others move; how many. noise: the variance of the noise in what is
        released, over that of what coins move of one canary.
        """
        moved, kept, least = np.zeros(len(self._centre)), [], _WEAK * max(self._lengths)
        for number in np.argsort(-np.array(self._lengths), kind="stable").tolist():
            places, shares = self._moves[number]
            if self._lengths[number] >= least and float((moved[places] * shares**2).sum()) <= _SHARED:
                moved[places] += shares**2
                kept.append(number)
        self._canaries = _picked(self._canaries, np.array(kept))
        self._moves = [self._moves[number] for number in kept]
        self._solved = None
        if len(kept) <= _MOST_SOLVED and sum(len(places) for places, _ in self._moves) > np.count_nonzero(moved):
            rows = np.zeros((len(kept), len(moved)))
            for row, (places, shares) in zip(rows, self._moves):
                row[places] = shares
            inverse = np.linalg.inv(rows @ rows.T + noise * np.eye(len(kept)))
            self._solved = inverse @ rows, np.array(self._lengths)[kept] @ rows / 2
        return len(kept)

    def _go_on(self, most: int, seconds: float) -> Dict[str, Any]:
        """Up to so many releases, or a little longer than so many seconds, and all scores then."""
        end, more = time.monotonic() + seconds, True
        while self._made < most and more and (time.monotonic() < end or self._made == 0):
            self.heartbeat.part(1)
            latest, more = next(self._going, (self, False))
            self.heartbeat.ended(1)
            if latest is not self:
                self._take(latest)
                self._made += 1
        if not self._made:
            raise Failure(INPUT, "the training yields nothing")
        return {"made": self._made, "ended": not more, "scores": self._scores()}

    def _take(self, latest: Any) -> None:
        """Add up releases, or the project's scores of them."""
        if self._score is not None:
            numbers = self._scored(self._score, latest)
        else:
            numbers = numbers_in(latest)
            if len(numbers) != len(self._centre):
                raise Failure(INPUT, f"what is released has not always as many numbers: {_NO_SCORE}")
            numbers = numbers - self._centre
        self._released = numbers + (self._released if self._made else 0.0)

    def _scored(self, score: Callable[[Any, Any], Any], latest: Any) -> Any:
        try:
            numbers = range(_length(self._canaries))
            return np.array([float(score(latest, _one(self._canaries, number))) for number in numbers])
        except Exception as error:
            raise _failed("the score raised", error) from None

    def _scores(self) -> List[float]:
        if self._score is not None:
            return list(map(float, self._released))
        if self._solved is not None:
            shares, middle = self._solved
            return list(map(float, shares @ (self._released - self._made * middle)))
        return [float(self._released[places] @ shares) for places, shares in self._moves]

    def _with(self, places: Any) -> Any:
        """The data with these canaries, which come first, as some functions take what comes first."""
        return _together(_picked(self._canaries, places), self._records)


def _failed(what: str, error: Exception) -> Exception:
    known = isinstance(error, (Failure, MemoryError))
    return error if known else Failure(INPUT, f"{what} {summary(error)}", user_traceback(error))


def _columns(records: Any) -> bool:
    """Whether these are several arrays, each with something of every record."""
    return isinstance(records, tuple) and bool(records) and all(hasattr(column, "shape") for column in records)


def _length(records: Any) -> int:
    if not hasattr(records, "__len__"):
        raise Failure(INPUT, f"these records cannot be counted ({type(records).__name__}): {_FORMS}")
    return len(records[0] if _columns(records) else records)


def _one(records: Any, number: int) -> Any:
    if _columns(records):
        return tuple(column[number] for column in records)
    return records.iloc[number] if hasattr(records, "iloc") else records[number]


def _picked(records: Any, places: Any) -> Any:
    if _columns(records):
        return tuple(_picked(column, places) for column in records)
    if isinstance(records, (list, tuple)):
        return type(records)(records[place] for place in places.tolist())
    if not hasattr(records, "shape"):
        raise Failure(INPUT, f"of these canaries some cannot be picked ({type(records).__name__}): {_FORMS}")
    return getattr(records, "iloc", records)[places]


def _together(first: Any, second: Any) -> Any:
    if second is None or _length(second) == 0:
        return first
    if _columns(first):
        return tuple(_together(one, two) for one, two in zip(first, second))
    if isinstance(first, (list, tuple)):
        return type(first)([*first, *second])
    if isinstance(first, np.ndarray):
        return np.concatenate([first, second])
    library = __import__(type(first).__module__.partition(".")[0])
    return (library.cat if hasattr(library, "cat") else library.concat)([first, second])


def numbers_in(released: Any) -> Any:
    """All numbers in what is released, as one array of floats: of arrays, tensors, lists, dicts. Raises Failure."""
    arrays: List[Any] = []
    _gather(released, arrays)
    if not arrays:
        raise Failure(INPUT, f"what is released holds no numbers ({type(released).__name__}): {_NO_SCORE}")
    return np.concatenate(arrays)


def _gather(released: Any, arrays: List[Any]) -> None:
    if isinstance(released, (dict, list, tuple)):
        for item in released.values() if isinstance(released, dict) else released:
            _gather(item, arrays)
        return
    array = np.asarray(released.detach().cpu() if hasattr(released, "detach") else released)
    if array.dtype.kind in "biuf":
        arrays.append(array.astype(float).ravel())
