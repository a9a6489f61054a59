"""Distances of two outputs of a function without noise.

Vectors are lists, arrays, dicts and Series with labels; of the latter two an absent key counts as zero, as in a sparse
vector. Rows are the entries of a list, the rows of a table, the items of a dict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dplint.claims import Metric
from dplint.runner import batch as outputs
from dplint.runner.batch import Batch, Leaf, Record, Skeleton, Viewed, leaf_value

_ROUNDING = 1e-12
"""Share of the numbers that make a distance which is left to the rounding of floats."""
_SAME = 1e-9
"""Relative difference of two numbers in rows that are taken for the same."""
_SHOWN, _WIDEST = 4, 72
"""Differences that are shown, and characters of each."""


class NotMeasured(Exception):
    """The metric says nothing of such outputs, for the reason in words."""


@dataclass(frozen=True, slots=True)
class RaisedOutput:
    """An exception, which is an output too. What it says is not compared."""

    name: str

    def __str__(self) -> str:
        return f"raises {self.name}"


@dataclass(frozen=True, slots=True)
class Rows:
    """A table: a tuple for each row, with its label where it has one that is no number, and the names of columns."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    labels: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class Distance:
    """value: may be infinite. scale: of the numbers that it is made of. differences: in words, the largest first."""

    value: float
    scale: float = 0.0
    differences: tuple[str, ...] = ()

    def exceeds(self, allowed: float) -> bool:
        """Whether it is more than is allowed by more than floats are rounded."""
        return self.value > allowed + _SAME * allowed + _ROUNDING * self.scale


def output_of(batch: Batch) -> Any:
    """The only output of a batch, as plain values. Raises NotMeasured where parts of it are not known."""
    return next(outputs_of(batch))


def outputs_of(batch: Batch) -> Iterator[Any]:
    """All of them, those of one form together. Raises NotMeasured as `output_of`."""
    for group in batch.groups:
        for kinds, values in zip(group.kinds.tolist(), group.values.tolist(), strict=True):
            leaves = [leaf_value(kind, value, batch.strings) for kind, value in zip(kinds, values, strict=True)]
            yield _made(group.skeleton, iter(leaves))


def _made(skeleton: Skeleton, leaves: Iterator[Any]) -> Any:
    match skeleton:
        case Leaf():
            return next(leaves)
        case outputs.Raised(name, message):
            _made(message, leaves)
            return RaisedOutput(name)
        case outputs.Sequence():
            return _items(skeleton, leaves)
        case outputs.Mapping(keys, children, length):
            _require_all(len(keys), length)
            return {key: _made(child, leaves) for key, child in zip(keys, children, strict=True)}
        case Record(_, fields, children):
            return {name: _made(child, leaves) for name, child in zip(fields, children, strict=True)}
        case Viewed(is_text=True):
            text = next(leaves)
            for child in skeleton.children:
                _made(child, leaves)
            return text
        case Viewed(views=views, children=children):
            return _seen({view: _made(child, leaves) for view, child in zip(views, children, strict=True)})
    raise TypeError(f"not a skeleton: {skeleton!r}")


def _items(sequence: outputs.Sequence, leaves: Iterator[Any]) -> list[Any]:
    shape, items = sequence.shape, sequence.items
    if isinstance(items, int):
        _require_all(items, math.prod(shape))
        return _shaped([next(leaves) for _ in range(items)], shape)
    _require_all(len(items), sequence.length)
    return [_made(item, leaves) for item in items]


def _require_all(kept: int, length: int) -> None:
    if kept != length:
        raise NotMeasured("an output is longer than what is kept of it")


def _shaped(items: list[Any], shape: tuple[int, ...]) -> list[Any]:
    """The entries of an array as lists of lists."""
    if len(shape) == 1:
        return items
    width = math.prod(shape[1:])
    return [_shaped(items[i * width : (i + 1) * width], shape[1:]) for i in range(shape[0])]


def _seen(views: dict[str, Any]) -> Any:
    """What is known through views."""
    columns = views.get("columns", views.get("series"))
    index = views.get("index")
    if isinstance(columns, dict):
        rows = tuple(zip(*columns.values(), strict=True))
        labels = None if index is None or all(map(_is_number, index)) else tuple(map(_hashable, index))
        return Rows(tuple(map(str, columns)), rows, labels)
    if "values" in views and "list" in views:
        return dict(zip(map(_hashable, views["list"]), views["values"], strict=True))
    if "list" in views and index is not None and len(set(map(_hashable, index))) == len(index):
        return dict(zip(map(_hashable, index), views["list"], strict=True))
    if not views:
        raise NotMeasured("nothing of an output is known")
    return next(iter(views.values()))


def distance(metric: Metric, one: Any, two: Any) -> Distance:
    """How far two outputs are apart. Raises NotMeasured where the metric does not speak of such."""
    if isinstance(one, RaisedOutput) or isinstance(two, RaisedOutput):
        alike = type(one) is type(two)
        return Distance(0.0 if alike else math.inf, 0.0, () if alike else ("an exception on one side alone",))
    if metric is Metric.SYMMETRIC:
        return _symmetric(_rows(one), _rows(two))
    if metric is Metric.CHANGES:
        return _changes(_rows(one), _rows(two))
    if metric is Metric.INSERT_DELETE:
        return _insert_delete(_rows(one), _rows(two))
    first, second = _vector(one), _vector(two)
    if metric is Metric.ABSOLUTE and (len(first) != 1 or len(second) != 1 or () not in first):
        raise NotMeasured(f'the metric "absolute" is about a number, and the output is {shown(one)}')
    if first.keys() != second.keys() and not (_is_sparse(one) and _is_sparse(two)):
        return Distance(math.inf, 0.0, ("outputs of another shape",))
    return _of_moves(metric, first, second)


def fitting_metric(pairs: Sequence[tuple[Any, Any]]) -> Metric:
    """The metric that fits such pairs of outputs: of numbers, of vectors of numbers of one shape, else of rows."""
    both = [pair for pair in pairs if not any(isinstance(one, RaisedOutput | NotMeasured) for one in pair)]
    vectors = [(_vector(one), _vector(two)) for one, two in both]
    if all(one.keys() == {()} == two.keys() for one, two in vectors):
        return Metric.ABSOLUTE
    numbers = all(_is_number(entry) for pair in vectors for side in pair for entry in side.values())
    shapes = zip(both, vectors, strict=True)
    alike = all(all(map(_is_sparse, pair)) or one.keys() == two.keys() for pair, (one, two) in shapes)
    return Metric.L1 if numbers and alike else Metric.SYMMETRIC


def _is_sparse(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, Rows) and value.labels is not None)


def _of_moves(metric: Metric, first: Mapping[Any, Any], second: Mapping[Any, Any]) -> Distance:
    moves, scale = dict[Any, float](), 0.0
    for place in first.keys() | second.keys():
        a, b = first.get(place, 0.0), second.get(place, 0.0)
        moves[place] = _move(a, b)
        scale += sum(abs(x) for x in (a, b) if _is_number(x) and math.isfinite(x))
    sizes = list(moves.values())
    value = max(sizes, default=0.0)
    if metric is Metric.L2:
        value = math.hypot(*sizes) if math.isfinite(value) else value
    elif metric is Metric.L1:
        value = math.fsum(sizes) if math.isfinite(value) else value
    moved = sorted((place for place in moves if moves[place] > 0), key=lambda place: (-moves[place], repr(place)))
    words = [f"{_place(place)}{first.get(place, 0)!r} and {second.get(place, 0)!r}" for place in moved]
    return Distance(value, scale, _few(words) if () not in moves else ())


def _place(place: tuple[Any, ...]) -> str:
    return f"at {', '.join(map(repr, place))}: " if place else ""


def _move(a: Any, b: Any) -> float:
    """Between two entries; infinite where one of them is no number and they are not the same."""
    if _is_number(a) and _is_number(b) and not (math.isnan(a) or math.isnan(b)):
        return 0.0 if a == b else abs(float(a) - float(b))
    return 0.0 if _alike(a, b) else math.inf


def _vector(value: Any, place: tuple[Any, ...] = ()) -> dict[Any, Any]:
    """The entries of an output by their places."""
    if isinstance(value, Rows):
        labels = value.labels or range(len(value.rows))
        columns = {name: dict(zip(labels, column, strict=False)) for name, column in zip(value.names, zip(*value.rows))}  # noqa: B905
        return _vector(columns, place)
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        return {place: value}
    return {key: entry for name, part in items for key, entry in _vector(part, (*place, name)).items()}


def _rows(value: Any) -> list[Any]:
    if isinstance(value, Rows):
        return [row if value.labels is None else (value.labels[i], *row) for i, row in enumerate(value.rows)]
    if isinstance(value, dict):
        return [(key, _hashable(entry)) for key, entry in value.items()]
    if isinstance(value, list):
        return [_hashable(entry) for entry in value]
    raise NotMeasured(f"the metric is about rows, and the output is {shown(value)}")


def _symmetric(first: Sequence[Any], second: Sequence[Any]) -> Distance:
    """Rows that one side has more often than the other. Rows that rounding alone tells apart are the same."""
    rest = list(second)
    only1 = []
    for row in first:
        if row in rest:
            rest.remove(row)
        else:
            only1.append(row)
    only2, far = list(rest), []
    for row in only1:
        near = next((other for other in only2 if _alike(row, other)), None)
        if near is None:
            far.append(row)
        else:
            only2.remove(near)
    words = [f"only on {side}: {_cut(repr(row))}" for side, rows in (("D1", far), ("D2", only2)) for row in rows]
    return Distance(float(len(far) + len(only2)), 0.0, _few(words))


def _changes(first: Sequence[Any], second: Sequence[Any]) -> Distance:
    if len(first) != len(second):
        return Distance(math.inf, 0.0, (f"{len(first)} rows and {len(second)} rows",))
    words = [
        f"row {i}: {_cut(repr(one))} and {_cut(repr(two))}"
        for i, (one, two) in enumerate(zip(first, second, strict=True))
        if not _alike(one, two)
    ]
    return Distance(float(len(words)), 0.0, _few(words))


def _insert_delete(first: Sequence[Any], second: Sequence[Any]) -> Distance:
    """Rows outside of a longest common subsequence (Wagner and Fischer, Journal of the ACM 21, 1974)."""
    longest = [0] * (len(second) + 1)
    for one in first:
        before = longest
        longest = [0]
        for i, two in enumerate(second):
            longest.append(before[i] + 1 if _alike(one, two) else max(longest[i], before[i + 1]))
    moved = len(first) + len(second) - 2 * longest[-1]
    common = f"{longest[-1]} of {len(first)} and {len(second)} rows come in the same order"
    return Distance(float(moved), 0.0, (common,) if moved else ())


def _alike(one: Any, two: Any) -> bool:
    """Whether two values are the same but for rounding; a missing one is the same as a missing one of its kind."""
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_alike, one, two))
    if isinstance(one, int) and isinstance(two, int):
        return one == two
    if _is_number(one) and _is_number(two):
        both_nan = math.isnan(one) and math.isnan(two)
        return both_nan or math.isclose(one, two, rel_tol=_SAME, abs_tol=_ROUNDING)
    return type(one) is type(two) and one == two


def _hashable(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return tuple((key, _hashable(entry)) for key, entry in value.items())
    if isinstance(value, Rows):
        return value.rows
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def shown(value: Any) -> str:
    """An output as text, on one line, cut if it is long."""
    if isinstance(value, Rows):
        rows = ", ".join(map(repr, value.rows))
        return _cut(f"rows ({', '.join(value.names)}): {rows or 'none'}", 4 * _WIDEST)
    return _cut(str(value) if isinstance(value, RaisedOutput) else repr(value), 4 * _WIDEST)


def _cut(text: str, widest: int = _WIDEST) -> str:
    return text if len(text) <= widest else f"{text[: widest - 3]}..."


def _few(words: Sequence[str]) -> tuple[str, ...]:
    more = [f"and {len(words) - _SHOWN:,} more"] if len(words) > _SHOWN else []
    return (*words[:_SHOWN], *more)
