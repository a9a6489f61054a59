"""What all parts of the interpretation stand on: which lanes have ended and how, and Python's own way, lane by lane."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.distinct import combinations, spread_out
from dplint.readings.lanes.lane_values import Lists, Mixed, Patched, Ragged, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger, gathered
from dplint.readings.lanes.spaces import Bits, Mask, Rows, Space
from dplint.runner.flatten import NO_VALUE
from dplint.runner.texts import TextNumbers


@dataclass(frozen=True, slots=True)
class Ending:
    """How some lanes ended: with an output, or with an exception, whose message is then the value."""

    lanes: Mask
    value: Value
    exception: str | None = None


class Lanes(LaneMerger):
    """The lanes of one block, those that go on, and how the others ended."""

    def __init__(self, lanes: int, texts: TextNumbers) -> None:
        super().__init__(lanes, texts)
        self.endings: list[Ending] = []
        self._going = self.everywhere()
        self._going_count = lanes
        self._dead: Mask | None = None
        self._known_alive: set[Mask] = set()
        self._known_whole: set[Mask] = set()
        self._tries: list[list[Ending]] = []

    def open_try(self) -> None:
        """What is raised from here on waits for its handler."""
        self._tries.append([])

    def close_try(self) -> list[Ending]:
        """What was raised since `open_try`."""
        return self._tries.pop()

    def revive(self, caught: Ending) -> Mask:
        """The lanes that an exception has ended go on."""
        assert self._dead is not None
        self._dead = self.minus(self._dead, caught.lanes)
        self._known_alive.clear()
        return caught.lanes

    def raise_again(self, caught: Ending, active: Mask) -> None:
        """The exception ends these lanes once more."""
        lanes = self.both(caught.lanes, active)
        assert self._dead is not None
        self._dead = self.minus(self._dead, lanes)
        self._known_alive.clear()
        self.finish(caught.value, lanes, caught.exception)

    def always(self, mask: Mask) -> bool:
        """Whether every lane that has not ended is in the mask."""
        if mask is self._everywhere:
            return True
        if mask in self._known_whole:
            return True
        if self.count(mask) < self._going_count or self.count(self.minus(self._going, mask)):
            return False
        # From now on lanes only end.
        self._known_whole.add(mask)
        return True

    def never(self, mask: Mask) -> bool:
        """Whether no lane is in the mask."""
        return mask is self._nowhere or (mask.count_inside() == 0 and self.count(mask) == 0)

    def alive(self, active: Mask) -> Mask:
        """The lanes of the mask that no exception has ended."""
        if self._dead is None or active in self._known_alive:
            return active
        # Without the dead of a narrow space all lanes outside of it are left, and values are made inside of a space.
        left = self.inside(self.minus(active, self._dead))
        if self.count(left) == self.count(active):
            left = active
        self._known_alive.add(left)
        return left

    def finish(self, value: Value, lanes: Mask, exception: str | None = None) -> None:
        """These lanes end here."""
        lanes = self.alive(lanes)
        if self.never(lanes):
            return
        if exception is not None and self._tries:
            self._tries[-1].append(Ending(lanes, value, exception))
        else:
            self.endings.append(Ending(lanes, value, exception))
            self._going = self.minus(self._going, lanes)
            self._going_count = self.count(self._going)
        if exception is not None:
            self._dead = lanes if self._dead is None else self.either(self._dead, lanes)
            self._known_alive.clear()

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, _span: object) -> None:
        """An exception ended these lanes; one that is not built in has the text of `Exception`, see `Raise`."""
        if exception == "UnboundLocalError":
            arguments = (Uniform(NO_VALUE),)
        kind = getattr(builtins, exception, Exception)
        self.finish(self.each(lambda *given: str(kind(*given)), arguments, active), active, exception)

    def settled(self, result: Result, function: Callable[..., Any], operands: Sequence[Value], active: Mask) -> Value:
        """The value of an array operation, with what Python gives or raises in the lanes that failed."""
        if result.failed is None:
            return result.value
        asked = self.mask(active.space, result.failed)
        if result.alike and self._raised_alike(function, operands, self.alive(asked)):
            return result.value
        given = self.each(function, operands, asked)
        left = self.alive(asked)
        if self.never(left):
            return result.value
        return self.merge(active.space, left.within(active.space), given, result.value)

    def _raised_alike(self, function: Callable[..., Any], operands: Sequence[Value], asked: Mask) -> bool:
        """Whether Python raises something in the first of these lanes, which then ends all of them."""
        if self.never(asked):
            return True
        rows = np.arange(1) if asked.bits is None else np.flatnonzero(asked.bits)[:1]
        (given,) = zip(*(self.explode(one, asked.space, rows) for one in self.here(operands, asked)), strict=True)
        try:
            function(*given)
        except (UnsupportedConstruct, MemoryError):
            raise
        except Exception as error:  # the mechanism's own exceptions are its outputs
            self.finish(Uniform(_message(error)), asked, type(error).__name__)
            return True
        return False

    def sparing(self, change: Callable[[Mask], Result | None], active: Mask) -> Result | None:
        """A change in the active lanes. Where all others have ended, it is made in the whole of their space: what lists
        and arrays hold in lanes that have ended is of no account, and so nothing is merged.
        """
        if active.bits is None or active.outside or not self.always(active):
            return change(active)
        found = change(self.mask(active.space, None))
        if found is None:
            return change(active)
        failed = None if found.failed is None else found.failed & active.bits
        return found._replace(failed=failed if failed is not None and failed.any() else None)

    def here(self, operands: Sequence[Value], active: Mask) -> list[Value]:
        """Operands for the active lanes' space: what differs only elsewhere is uniform here."""
        return [operand if isinstance(operand, Uniform) else self.at(operand, active.space) for operand in operands]

    def each(
        self, function: Callable[..., Any], operands: Sequence[Value], active: Mask, *, pure: bool = True
    ) -> Value:
        """Python's own way: the function on every active lane's objects; what it raises ends that lane.

        The function must not change its operands. Where all operands are uniform it is called once. A function that is
        not pure is called exactly once for each lane.
        """
        active = self.alive(active)
        operands = [gathered(operand) for operand in self.here(operands, active)]
        if all(isinstance(operand, Uniform) for operand in operands):
            given = [operand.value for operand in operands if isinstance(operand, Uniform)]
            try:
                return Uniform(function(*given))
            except (UnsupportedConstruct, MemoryError):
                raise
            except Exception as error:  # the mechanism's own exceptions are its outputs
                self.finish(Uniform(_message(error)), active, type(error).__name__)
                return Uniform(None)
        space, rows = active.space, active.rows()
        if not pure:
            return self._each_guarded(function, operands, active)
        few = combinations(operands, space, rows, self)
        asked = rows if few is None else few.representatives if rows is None else rows[few.representatives]
        try:
            results = list(map(function, *(self.explode(one, space, asked) for one in operands)))
        except (UnsupportedConstruct, MemoryError):
            raise
        except Exception:  # some lane raises: which one, and which others
            return self._each_guarded(function, operands, active)
        if few is None:
            return self.implode(results, space, rows)
        if any(isinstance(one, Iterator) for one in results):
            # Each lane uses up its own.
            return self._each_guarded(function, operands, active)
        return spread_out(self.implode(results, Space(len(results)), None), few.numbers, space, rows)

    def by_groups(
        self, operation: Callable[[Sequence[Value], Mask], Value], operands: Sequence[Value], active: Mask
    ) -> Value | None:
        """An operation on the lanes whose lists and arrays are equally long, and whose scalars have one type, by
        themselves; None if all active lanes are so.
        """
        active = self.alive(active)
        rows = active.rows()
        marks = [one for operand in self.here(operands, active) if (one := _told_apart_by(operand, rows)) is not None]
        if not marks:
            return None
        found: Value | None = None
        for alike in _alike(np.stack(marks)):
            space = active.space.narrowed(alike if rows is None else rows[alike])
            value = operation(operands, self.mask(space, None))
            found = value if found is None else Patched(space, value, found)
        return Uniform(None) if found is None else self.at(found, active.space)

    def _each_guarded(self, function: Callable[..., Any], operands: Sequence[Value], active: Mask) -> Value:
        columns = [self.explode(operand, active.space, active.rows()) for operand in operands]
        results: list[Any] = []
        good: list[int] = []
        raised: dict[tuple[str, str], list[int]] = {}
        for lane, given in enumerate(zip(*columns, strict=True)):
            try:
                results.append(function(*given))
                good.append(lane)
            except (UnsupportedConstruct, MemoryError):
                raise
            except Exception as error:  # the mechanism's own exceptions are its outputs
                raised.setdefault((type(error).__name__, _message(error)), []).append(lane)
        rows = np.arange(active.space.size) if active.bits is None else np.flatnonzero(active.bits)
        for (name, message), lanes in raised.items():
            bits: Bits = np.zeros(active.space.size, np.bool_)
            bits[rows[lanes]] = True
            self.finish(Uniform(message), self.mask(active.space, bits), name)
        return self.implode(results, active.space, rows[good])


def _told_apart_by(value: Value, rows: Rows | None) -> NDArray[np.int32] | None:
    """Numbers, shape (rows,), that are equal where lists or arrays are equally long or scalars have one type; None
    for a value that is never taken apart.
    """
    match value:
        case Ragged(counts=marks):
            pass
        case Lists(lengths=marks) if marks is not None:
            pass
        case Mixed(tags=marks) if (marks[0] != (marks if rows is None else marks[rows])).any():
            pass
        case _:
            return None
    return (marks if rows is None else marks[rows]).astype(np.int32, copy=False)


def _alike(table: NDArray[np.int32]) -> list[Rows]:
    """The columns of a table, those that are equal together."""
    numbers = table[0].astype(np.intp)
    for row in table[1:]:
        numbers = np.unique(numbers * (int(row.max(initial=0)) + 1) + row, return_inverse=True)[1]
    return [np.flatnonzero(numbers == number) for number in np.flatnonzero(np.bincount(numbers)).tolist()]


def _message(error: Exception) -> str:
    try:
        return str(error)
    except MemoryError:
        raise
    except Exception:  # an exception whose text cannot be made still is an exception
        return ""
