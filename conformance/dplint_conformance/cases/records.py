"""Dataclasses and named tuples that are returned."""

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple


@dataclass
class _Release:
    """What is released."""

    total: float
    count: float = 0.0

    def mean(self):
        return self.total / self.count


@dataclass(frozen=True)
class _Answer:
    place: int
    noisy: list[float]
    name: str = "best"


class _Pair(NamedTuple):
    first: float
    second: float = 1.0


_Scored = namedtuple("_Scored", ["place", "score"])
_Spread = namedtuple("_Spread", "low, high")


def record_by_position(rng, queries):
    return _Release(sum(queries) + rng.laplace(), len(queries) + rng.laplace())


def record_by_name_in_another_order(rng, queries):
    return _Release(count=rng.laplace(), total=rng.laplace() + queries[0])


def record_with_defaults(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return _Answer(noisy.index(max(noisy)), noisy=noisy)


def named_tuple(rng, queries):
    return _Pair(queries[0] + rng.laplace())


def record_whose_fields_change(rng, queries):
    release = _Release(total=0.0)
    for q in queries:
        release.total += q + rng.laplace()
        if release.total > 3:
            release.count = release.count + 1
    return release


def records_of_two_classes(rng, queries):
    if rng.laplace() + queries[0] > 1:
        return _Pair(1.0, 2.0)
    elif rng.laplace() > 0:
        return _Release(1.0, 2.0)
    return {"total": 1.0, "count": 2.0}


def record_without_noise(rng, queries):
    release = _Release(rng.laplace())
    if release.total > 0:
        return _Release(1.0)
    return _Release(float(len(queries)), 2.0)


def named_tuple_of_a_factory(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return _Scored(noisy.index(max(noisy)), score=max(noisy))


def named_tuple_of_a_text(rng, queries):
    spread = _Spread(min(queries) + rng.laplace(), max(queries))
    if spread.low > spread.high:
        return _Spread(spread.high, spread.low)
    return spread


def record_under_two_names(rng, queries):
    kept = _Release(rng.laplace())
    other = kept
    other.count = 1
    return kept


class _Interval(NamedTuple):
    low: float
    high: float = 1.0

    def width(self):
        return self.high - self.low


def named_tuple_is_unpacked(rng, queries):
    interval = _Interval(rng.random(), 3.0)
    low, high = interval
    low += queries[0]
    return low, high, interval.width()
