"""Objects of classes that all runs share, or that no constructor makes so. No interpretation follows these."""

from dataclasses import dataclass, field


class _Counting:
    def __init__(self, start=0):
        self.count = start

    def add(self):
        self.count += 1
        return self.count


@dataclass
class _Listing:
    seen: list = field(default_factory=list)


@dataclass(kw_only=True)
class _Spec:
    lower: float
    upper: float = 2.0


def default_that_counts(rng, queries, counting=_Counting(2)):
    return counting.add() + rng.random()


def default_that_is_assigned(rng, queries, counting=_Counting(2)):
    counting.count = counting.count + rng.random()
    return counting.count


def default_that_holds_a_list(rng, queries, listing=_Listing()):
    listing.seen.append(rng.random())
    return listing.seen[-1]


def fields_by_place_that_have_keywords_alone(rng, queries):
    try:
        return _Spec(rng.random()).lower
    except TypeError:
        return rng.random()
