"""Records in lists that get to where they are not as good as tuples."""

from dataclasses import asdict, astuple, dataclass
from typing import NamedTuple


@dataclass
class _Plain:
    x: float
    y: float = 0.0


class _Named(NamedTuple):
    x: float
    y: float = 0.0


class _Equal(NamedTuple):
    x: float

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


@dataclass
class _Counted:
    x: float

    def __len__(self):
        return 0


def record_of_a_list_is_printed(rng, queries):
    made = [_Named(q + rng.normal()) for q in queries]
    return str(made[0]), made[0].x


def record_of_a_list_is_compared(rng, queries):
    made = [_Plain(q) for q in queries]
    return made[0] == _Plain(queries[0]), rng.normal()


def records_without_a_key(rng, queries):
    made = [_Plain(q + rng.normal()) for q in queries]
    return rng.normal() if rng.random() < 0.5 else max(made).x


def dataclass_that_is_unpacked(rng, queries):
    made = [_Plain(q + rng.normal()) for q in queries]
    total = rng.normal()
    if total > 0:
        return total
    x, y = made[0]
    return x, y


def record_that_a_name_changes(rng, queries):
    made = [_Plain(q) for q in queries]
    first = made[0]
    first.y = rng.normal()
    return made[0].y


def records_that_are_numbers_too(rng, queries):
    made = [_Plain(q) for q in queries]
    if rng.random() < 0.5:
        made.append(1.0)
    return made[0].x, len(made)


def record_with_an_equality(rng, queries):
    made = [_Equal(q + rng.normal()) for q in queries]
    return made[0] in made, made[0].x


def record_with_a_length(rng, queries):
    made = [_Counted(q + rng.normal()) for q in queries]
    return [m.x for m in made if m], rng.normal()


def type_of_a_record(rng, queries):
    made = [_Plain(q + rng.normal()) for q in queries]
    return isinstance(made[0], tuple), made[0].x


def identity_of_records(rng, queries):
    made = [_Named(q) for q in queries]
    return made[0] is made[-1], made[0].x + rng.normal()


def field_that_is_missing(rng, queries):
    made = [_Named(q + rng.normal()) for q in queries]
    return made[0].x if rng.random() < 0.5 else made[0].z


def record_in_a_function_made_here(rng, queries):
    made = [_Named(q + rng.normal()) for q in queries]

    def first():
        return made[0].x

    return first()


def record_that_may_be_a_number(rng, queries):
    best = 0
    for q in queries:
        made = [_Named(q + rng.normal())]
        if made[0].x > 1:
            best = made[0]
    return best.x if best else 0


def records_in_a_tuple_that_is_returned(rng, queries):
    made = [_Named(q + rng.normal()) for q in queries]
    return made, len(made)


def nothing_that_is_compared(rng, queries):
    made = [_Plain(q + rng.normal()) for q in queries]
    first = next((m for m in made if m.x > 2), None)
    return first == None, made[0].x  # noqa: E711


@dataclass
class _Release:
    """What is released."""

    total: float
    count: float = 0.0

    def mean(self):
        return self.total / self.count


def _released(rng, queries):
    total = sum(queries) + rng.laplace()
    if total > 5:
        return _Release(total)
    return _Release(total, count=rng.random())


def record_of_a_function(rng, queries):
    return _released(rng, queries)


def record_that_is_asked_and_returned(rng, queries):
    release = _Release(rng.laplace(), 2.0)
    for q in queries:
        if release.mean() < q:
            release = _Release(release.total + q, release.count)
    return release


class _Interval(NamedTuple):
    low: float
    high: float = 1.0

    def width(self):
        return self.high - self.low


@dataclass
class _Summary:
    count: int
    total: float = 0.0

    def add(self, x):
        self.count += 1
        self.total += x


def records_as_dicts_and_tuples(rng, queries):
    summary = _Summary(0)
    for q in queries:
        summary.add(q + rng.random())
    interval = _Interval(0.5)
    first = asdict(summary), astuple(summary), interval._asdict(), interval.width()
    summary.add(1)
    return first, asdict(summary), asdict(_Summary(3, rng.random()))


def named_tuple_with_other_fields(rng, queries):
    interval = _Interval(queries[0] + rng.random(), 3.0)
    wider = interval._replace(high=interval.high + rng.random())
    for q in queries:
        if q > 1:
            interval = interval._replace(low=interval.low - q, high=q)
    return wider.width(), interval.width(), wider.low == interval.low


class _Pair(NamedTuple):
    first: float
    second: float = 1.0


def record_made_again_from_itself(rng, queries):
    pair = _Pair(0.0, rng.laplace())
    for q in queries:
        pair = _Pair(pair.second + q, pair.first)
    return pair


def record_assigned_in_some_runs(rng, queries):
    if rng.laplace() > 0:
        release = _Release(queries[0])
    return release
