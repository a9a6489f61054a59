"""Sets that are compared, and of which others are made."""


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
