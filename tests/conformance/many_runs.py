"""An interpretation of several runs at once, made of concrete interpretations side by side.

It does nothing by itself but hand each run its own share of every operation, so it tests the evaluator: masks, merges,
loops that some runs have left. A mask is a tuple of bools, a value a tuple of Python values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dplint.claims import Span
from dplint.program.nodes import Draw
from dplint.readings.concrete import ConcreteInterpretation
from dplint.sites import DrawSite

Many = tuple[Any, ...]


class ManyRuns:
    def __init__(self, runs: Sequence[ConcreteInterpretation]) -> None:
        self.runs = runs

    fuel = 1000

    def everywhere(self) -> Many:
        return (True,) * len(self.runs)

    def nowhere(self) -> Many:
        return (False,) * len(self.runs)

    def both(self, left: Many, right: Many) -> Many:
        return tuple(a and b for a, b in zip(left, right, strict=True))

    def either(self, left: Many, right: Many) -> Many:
        return tuple(a or b for a, b in zip(left, right, strict=True))

    def join(self, left: Many, right: Many) -> Many:
        assert not any(a and b for a, b in zip(left, right, strict=True)), "masks to join must not overlap"
        return self.either(left, right)

    def negate(self, mask: Many) -> Many:
        return tuple(not a for a in mask)

    def always(self, mask: Many) -> bool:
        return all(m or not run.alive(True) for m, run in zip(mask, self.runs, strict=True))

    def never(self, mask: Many) -> bool:
        return not any(m and run.alive(True) for m, run in zip(mask, self.runs, strict=True))

    def impossible(self, mask: Many) -> bool:
        return self.never(mask)

    def alive(self, active: Many) -> Many:
        left = tuple(run.alive(m) for m, run in zip(active, self.runs, strict=True))
        return active if left == active else left

    def checkpoint(self, active: Many) -> Many:
        return active

    def constant(self, value: Any) -> Many:
        return tuple(run.constant(value) for run in self.runs)

    def from_mask(self, mask: Many) -> Many:
        return mask

    def select(self, mask: Many, new: Many, old: Many, span: Span) -> Many:
        return tuple(n if m else o for m, n, o in zip(mask, new, old, strict=True))

    def mutable(self, value: Many) -> bool:
        return any(run.mutable(v) for run, v in zip(self.runs, value, strict=True))

    def truth(self, value: Many, active: Many, span: Span) -> Many:
        return self._each("truth", active, (value,), span)

    def unary(self, operator: str, operand: Many, active: Many, span: Span) -> Many:
        return self._named("unary", operator, active, (operand,), span)

    def binary(self, operator: str, left: Many, right: Many, active: Many, span: Span) -> Many:
        return self._named("binary", operator, active, (left, right), span)

    def augmented(self, operator: str, left: Many, right: Many, active: Many, span: Span) -> Many:
        return self._named("augmented", operator, active, (left, right), span)

    def compare(self, operator: str, left: Many, right: Many, active: Many, span: Span) -> Many:
        return self._named("compare", operator, active, (left, right), span)

    def list_display(self, elements: Sequence[Many], active: Many, span: Span) -> Many:
        return tuple([e[i] for e in elements] for i in range(len(self.runs)))

    def tuple_display(self, elements: Sequence[Many], active: Many, span: Span) -> Many:
        return tuple(tuple(e[i] for e in elements) for i in range(len(self.runs)))

    def dict_display(self, keys: Sequence[Any], values: Sequence[Many], active: Many, span: Span) -> Many:
        return tuple(dict(zip(keys, (v[i] for v in values), strict=True)) for i in range(len(self.runs)))

    def slice(self, start: Any, stop: Any, step: Any, span: Span) -> Many:
        parts = [part or (None,) * len(self.runs) for part in (start, stop, step)]
        return tuple(slice(*(part[i] for part in parts)) for i in range(len(self.runs)))

    def subscript(self, value: Many, index: Many, active: Many, span: Span) -> Many:
        return self._each("subscript", active, (value, index), span)

    def set_item(self, value: Many, index: Many, item: Many, active: Many, span: Span) -> Many:
        return self._each("set_item", active, (value, index, item), span)

    def update(self, value: Many, method: str, arguments: Sequence[Many], active: Many, span: Span) -> Many:
        return tuple(
            run.update(value[i], method, [a[i] for a in arguments], active[i], span) for i, run in enumerate(self.runs)
        )

    def unpack(self, value: Many, count: int, active: Many, span: Span) -> Sequence[Many]:
        rows = [run.unpack(value[i], count, active[i], span) for i, run in enumerate(self.runs)]
        return [tuple(row[position] for row in rows) for position in range(count)]

    def iterate(self, value: Many, active: Many, span: Span) -> Iterator[tuple[Many, Many]]:
        iterators = [run.iterate(value[i], active[i], span) for i, run in enumerate(self.runs)]
        while True:
            turn = [next(iterator, (None, False)) for iterator in iterators]
            if not any(exists for _, exists in turn):
                return
            yield tuple(item for item, _ in turn), tuple(exists for _, exists in turn)

    def call(self, function: str, arguments: Any, keywords: Mapping[str, Many], active: Many, span: Span) -> Many:
        return tuple(
            run.call(function, [a[i] for a in arguments], {k: v[i] for k, v in keywords.items()}, active[i], span)
            for i, run in enumerate(self.runs)
        )

    def method(self, receiver: Many, method: str, arguments: Any, keywords: Any, active: Many, span: Span) -> Many:
        return tuple(
            run.method(
                receiver[i], method, [a[i] for a in arguments], {k: v[i] for k, v in keywords.items()}, active[i], span
            )
            for i, run in enumerate(self.runs)
        )

    def draw(self, node: Draw, parameters: Mapping[str, Many], size: Many | None, active: Many, site: DrawSite) -> Many:
        return tuple(
            run.draw(node, {k: v[i] for k, v in parameters.items()}, size[i] if size else None, active[i], site)
            for i, run in enumerate(self.runs)
        )

    def branch(self, condition: Many, active: Many, node: Any) -> None:
        for i, run in enumerate(self.runs):
            run.branch(condition[i], active[i], node)

    def returned(self, value: Many, active: Many, span: Span) -> None:
        for i, run in enumerate(self.runs):
            run.returned(value[i], active[i], span)

    def raised(self, exception: str, arguments: Sequence[Many], active: Many, span: Span) -> None:
        for i, run in enumerate(self.runs):
            run.raised(exception, [a[i] for a in arguments], active[i], span)

    def exhausted(self, active: Many, span: Span) -> None:
        for i, run in enumerate(self.runs):
            run.exhausted(active[i], span)

    def _each(self, name: str, active: Many, values: Sequence[Many], span: Span) -> Many:
        return tuple(getattr(run, name)(*(v[i] for v in values), active[i], span) for i, run in enumerate(self.runs))

    def _named(self, name: str, operator: str, active: Many, values: Sequence[Many], span: Span) -> Many:
        return tuple(
            getattr(run, name)(operator, *(v[i] for v in values), active[i], span) for i, run in enumerate(self.runs)
        )
