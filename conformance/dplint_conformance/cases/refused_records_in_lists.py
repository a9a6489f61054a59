"""Dataclasses and named tuples in lists: which one an expression is, only running it tells."""

import heapq
from collections import namedtuple
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple


class _Scored(NamedTuple):
    place: int
    score: float
    label: str = "none"


@dataclass(frozen=True)
class _Span:
    low: float
    high: float = 4.0

    @property
    def width(self):
        return self.high - self.low

    def holds(self, x, slack=0.0):
        return self.low - slack <= x < self.high + slack


@dataclass
class _Checked:
    name: str
    value: float
    seen: list = field(default_factory=list)

    def __post_init__(self):
        if self.value > 6:
            raise ValueError(self.name)


_Edge = namedtuple("_Edge", ["start", "end", "weight"])


def _measured(rng, place, x):
    return _Scored(place, x + rng.laplace())


def largest_record_of_a_list(rng, queries):
    scored = [_Scored(i, q + rng.laplace()) for i, q in enumerate(queries)]
    return max(scored, key=lambda s: s.score).place


def records_that_are_appended(rng, queries):
    scored = []
    for i, q in enumerate(queries):
        scored.append(_Scored(score=q + rng.laplace(), place=i))
    return [s.label for s in scored], sum(s.score for s in scored)


def best_records_in_order(rng, queries):
    scored = [_Scored(i, q + rng.gumbel()) for i, q in enumerate(queries)]
    chosen = {s.place for s in sorted(scored, key=lambda s: s.score, reverse=True)[:2]}
    return [s.score for s in scored if s.place in chosen]


def records_written_out(rng, queries):
    spans = [_Span(-10.0, 0.5), _Span(low=0.5, high=1.5), _Span(1.5)]
    counts = [sum(1 for q in queries if span.holds(q)) for span in spans]
    return [(span.low, count + rng.laplace()) for span, count in zip(spans, counts)]


def properties_and_methods_of_records(rng, queries):
    spans = [_Span(q, q + rng.exponential()) for q in queries]
    return [s.width for s in spans if s.width > 0.5], [s.holds(1.0, slack=rng.random()) for s in spans]


def fields_in_the_order_of_the_call(rng, queries):
    spans = [_Span(high=rng.normal(), low=rng.normal() - q) for q in queries]
    return [s.low for s in spans] + [s.high for s in spans]


def record_under_a_name_and_in_a_list(rng, queries):
    kept = []
    best = _Scored(-1, -100.0)
    for i, q in enumerate(queries):
        one = _Scored(i, q + rng.laplace())
        if one.score > best.score:
            best = one
        kept.append(best)
    return best.place, [k.place for k in kept]


def records_by_index(rng, queries):
    spans = [_Span(rng.normal()) for _ in queries]
    return spans[0].low, spans[-1].high, [s.low for s in spans[1:]], len(spans)


def no_record_at_that_index(rng, queries):
    spans = [_Span(q) for q in queries if q + rng.normal() > 1]
    return spans[0].low, spans[1].width


def record_that_is_replaced(rng, queries):
    spans = [_Span(q) for q in queries]
    spans[0] = _Span(spans[0].low + rng.normal(), 2.0)
    last = spans.pop()
    return [(s.low, s.high) for s in spans], last.low


def named_tuples_that_are_unpacked(rng, queries):
    edges = [_Edge(i, i + 1, q + rng.normal()) for i, q in enumerate(queries)]
    start, _, weight = edges[-1]
    return start, weight, [end * w for _, end, w in edges], edges[0][2]


def records_sorted_in_place(rng, queries):
    edges = [_Edge(i, i + 1, q + rng.normal()) for i, q in enumerate(queries)]
    edges.sort(key=attrgetter("weight"))
    ordered = sorted(edges, key=lambda e: (-e.start, e.end))
    return [e.start for e in edges], [e.weight for e in ordered], [e.end for e in reversed(edges)]


def records_by_two_attributes(rng, queries):
    edges = [_Edge(int(rng.random() * 2), i, q) for i, q in enumerate(queries)]
    first = min(edges, key=attrgetter("start", "weight"))
    return first.end, list(map(attrgetter("weight"), edges)), list(map(lambda e: e.end, edges))


def records_of_a_heap(rng, queries):
    edges = [_Edge(i, 0, q + rng.normal()) for i, q in enumerate(queries)]
    return [e.start for e in heapq.nlargest(2, edges, key=lambda e: e.weight)]


def records_with_a_check(rng, queries):
    checked = [_Checked(f"q{i}", q + 2 * rng.laplace()) for i, q in enumerate(queries)]
    return [(c.name, c.value) for c in checked]


def check_of_a_record_is_caught(rng, queries):
    checked = []
    for q in queries:
        try:
            checked.append(_Checked("q", q * 2 + rng.laplace()))
        except ValueError:
            checked.append(_Checked("many", 6.0))
    return [c.name for c in checked], sum(c.value for c in checked)


def records_of_a_function(rng, queries):
    scored = [_measured(rng, i, q) for i, q in enumerate(queries)]
    return [s.place for s in scored if s.score > 1]


def records_of_two_lists(rng, queries):
    few = [_Span(q + rng.normal()) for q in queries if q > 1]
    many = [_Span(q, rng.normal()) for q in queries]
    joined = few + many if rng.random() < 0.5 else list(many)
    joined.extend(few)
    return [s.low for s in joined], bool(few), [s.high for s in filter(lambda s: s.low > 1, joined)]


def records_while_there_are_any(rng, queries):
    first = []
    for q in queries:
        first.insert(0, _Span(q + rng.normal()))
    second = first.copy()
    total = 0.0
    while first and len(first) > 1:
        span = first.pop()
        total += span.width
    return total, [s.low for s in second]


def loop_over_records_that_ends(rng, queries):
    spans = [_Span(q, q + 1) for q in queries]
    for i, span in enumerate(spans):
        if span.low + rng.laplace() > 1:
            break
    else:
        return -1
    return i, span.high


def nested_loops_over_records(rng, queries):
    left = [_Span(q + rng.normal()) for q in queries]
    right = [_Scored(i, q) for i, q in enumerate(queries)]
    return [r.place for s in left for r in right if s.holds(r.score)]


def list_of_records_that_stays_empty(rng, queries):
    spans = []
    for q in queries:
        if q > 100:
            spans.append(_Span(q))
    return sum(s.width for s in spans) + rng.normal()


def record_that_may_be_none(rng, queries):
    best = None
    for i, q in enumerate(queries):
        one = _Scored(i, q + rng.laplace())
        if one.score > 2 and (best is None or one.score > best.score):
            best = one
    return best.place if best is not None else -1


def nothing_that_has_a_score(rng, queries):
    scored = [_Scored(i, q + rng.laplace()) for i, q in enumerate(queries)]
    first = next((s for s in scored if s.score > 3.5), None)
    if rng.random() < 0.5:
        return first.score, bool(first), not first
    return first is None


def nothing_that_has_a_method(rng, queries):
    spans = [_Span(q, q + rng.exponential()) for q in queries]
    last = None
    for span in spans:
        last = span if span.holds(2.5) else last
    if not last:
        try:
            return last.holds(1)
        except AttributeError:
            return "nothing"
    return last.width, last.holds(2.0)


def first_record_that_may_not_be(rng, queries):
    edges = [_Edge(i, i + 1, q + rng.normal()) for i, q in enumerate(queries)]
    return next(e for e in edges if e.weight > 2.5).start


def list_of_records_that_is_returned(rng, queries):
    scored = [_Scored(i, q + rng.laplace()) for i, q in enumerate(queries)]
    if rng.random() < 0.3:
        return scored
    if rng.random() < 0.5:
        return sorted(scored, key=lambda s: s.score)[:2]
    return max(scored, key=lambda s: s.score)


def records_that_are_returned(rng, queries):
    spans = [_Span(q, q + rng.normal()) for q in queries]
    if not spans[0].holds(0.0):
        return spans[-1]
    return [s for s in spans if s.holds(q := s.low + 0.1) and q > 0]
