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


def made_by_methods(rng, records):
    drawn = [int(rng.integers(5)) for _ in range(3)]
    seen = set(records)
    kept = seen.copy()
    kept.add(7)
    return (
        sorted(seen.union(drawn)),
        len(seen.intersection(set(drawn))),
        sorted(seen.difference(drawn)),
        sorted(seen.symmetric_difference(x + 1 for x in drawn)),
        sorted(kept),
        len(seen),
    )


def which_of_two_equal_items_is_kept(rng, records):
    seen, drawn = {1, 2, int(rng.integers(3, 6))}, {1.0, 2.0}
    if rng.random() < 0.5:
        drawn = {1.0, 2.0, True, 0.0, 8.0, 9.5}
    return (
        sorted(seen & drawn),
        sorted(drawn & seen),
        sorted(seen | drawn),
        sorted(seen - {5.0}),
        sorted(seen ^ {2.0}),
        sorted(seen.intersection([2.0, True])),
        sorted({3, 4}.intersection({3.0})),
        min({1} & {1.0}),
    )


def changed_in_place(rng, records):
    seen, left = set(), set(records)
    for r in records:
        seen |= {r, int(rng.integers(4))}
        left -= {int(rng.integers(4))}
    seen ^= left
    both = {0, 1, 2}
    both &= seen
    return sorted(seen), sorted(left), sorted(both)


def set_that_is_added_to_one(rng, records):
    seen, more = set(records), {8, int(rng.integers(9))}
    seen.update(more)
    seen.update(seen & more)
    return sorted(seen), sorted(set(more)), len(set(seen | more))


def _overlap(left, right):
    one, other = set(left), set(right)
    return len(one & other) / len(one | other)


def overlap_in_a_helper(rng, records):
    return _overlap(records, [int(rng.integers(4)) for _ in records])


def sets_that_may_be_empty(rng, records):
    left, out = {0, 1, 2}, []
    while left:
        found = {int(rng.integers(4))}
        if left & found and not found - {0, 1}:
            out.append(sorted(left & found))
        left -= found | {int(rng.integers(3))}
    return out, "none" if not left else "some"
