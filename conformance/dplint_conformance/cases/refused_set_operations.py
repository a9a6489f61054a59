"""Sets that are compared, and of which others are made. No interpretation follows these."""


def subset_of_what_is_allowed(rng, records):
    seen = {int(r + rng.integers(2)) for r in records}
    allowed = {0, 1, 2, 3}
    return seen <= allowed, seen < allowed, allowed >= seen, allowed > seen, seen == allowed, seen != allowed


def set_that_is_compared_with_itself(rng, records):
    seen = {int(r + rng.integers(2)) for r in records}
    return seen <= seen, seen < seen, seen > seen, seen == seen, seen != seen, len(seen)


def asked_by_methods(rng, records):
    seen = set(records)
    more = [int(rng.integers(5)), int(rng.integers(5))]
    return seen.issubset(more), seen.issuperset(more), seen.isdisjoint(more), seen.isdisjoint(set(more))


def items_that_decide_before_another_fails(rng, records):
    seen = {int(rng.integers(3)), 1}
    try:
        return seen.issuperset([0, []]), seen.isdisjoint([2, []])
    except TypeError:
        return "unhashable"


def subset_of_what_cannot_be_in_a_set(rng, records):
    seen = {int(rng.integers(3))}
    try:
        return seen.issubset([0, []])
    except TypeError:
        return "unhashable", rng.random()


def made_of_two_sets(rng, records):
    seen = set(records)
    drawn = {int(rng.integers(5)) for _ in range(3)}
    both, either, one = seen & drawn, seen | drawn, seen ^ drawn
    rest = either - both
    return sorted(both), sorted(either), sorted(one), sorted(rest), rest == one, 3 in either, len(seen | {9})


def set_of_which_one_is_a_copy(rng, records):
    seen = set(records)
    other = set(seen)
    other.add(int(rng.integers(4)))
    return len(seen), len(other), seen < other


def new_items_in_every_turn(rng, records):
    found, last = [], set()
    for r in records:
        now = {r, int(rng.integers(5))}
        found.append((len(now - last), sorted(now & last), now.isdisjoint(last)))
        last = now | set()
    return found


def sets_in_the_test_of_a_comprehension(rng, records):
    allowed = {1, 3}
    return [r + rng.random() for r in records if {r, int(rng.integers(4))} <= allowed]
