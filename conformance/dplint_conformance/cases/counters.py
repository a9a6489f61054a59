"""Counters that are used where they are made."""

from collections import Counter, defaultdict


def counter_made_for_its_items(rng, names):
    out = {}
    for name, count in Counter(names + ["b", "b"]).items():
        noisy = count + rng.laplace()
        if noisy > 1.5:
            out[name] = noisy
    return out


def counter_made_for_its_keys(rng, records):
    noisy = [k * rng.random() for k in Counter(records)]
    return (
        noisy,
        len(Counter(records)),
        sorted(Counter(records)),
        list(Counter(records)),
        max(Counter(records).values()),
    )


def entries_of_a_defaultdict_are_asked(rng, records):
    tally: dict[int, int] = defaultdict(int)
    for r in records:
        tally[r] += 1
    noisy = {k: tally[k] + rng.laplace() for k in range(3)}
    return noisy, tally[9] * rng.random(), len(tally), sorted(tally)


def entries_that_nobody_sees_put_in(rng, records):
    counts, sums = defaultdict(int), defaultdict(float)
    for r in records:
        counts[r] += 1
        sums[r % 2] += r + rng.random()
    noisy = [counts[k] + rng.laplace() for k in range(4)]
    return noisy, {k: sums[k] for k in (0, 1, 7)}, counts[9] + counts[9.0], sums[rng.integers(3)]


def an_entry_that_is_stored_and_asked_for(rng, records):
    counts = defaultdict(int)
    counts[1] = rng.random()
    counts[2] -= counts[1] + counts[3]
    return [counts[k] for k in (1, 2, 3)]


def missing_entries_are_put_in(rng, records):
    sums = defaultdict(float)
    first = sums[1] + sums[2] * rng.random()
    sums[1] += rng.random()
    return first, list(sums.items()), 3 in sums, max(sums.values())


def lambda_that_makes_a_zero(rng, queries):
    sums, counts = defaultdict(lambda: 0.0), defaultdict(lambda: 0)
    for q in queries:
        sums[int(q)] += q + rng.random()
        counts[int(q)] += 1
    return [sums[k] / max(counts[k], 1) for k in range(3)], len(sums)


def kept_and_seen(rng, queries):
    kept, seen = [], defaultdict(int)
    for q in queries:
        rounded = round(q + rng.laplace())
        if not seen[rounded]:
            kept.append(rounded)
        seen[rounded] += 1
    return kept, max(seen.values())


def several_containers_in_a_line(rng, records):
    counts, seen, n = Counter(records), set(), 0
    for r in records:
        if r in seen and rng.random() < 0.5:
            n += counts[r]
        seen.add(r)
    return n, len(seen)


def several_in_a_line_see_what_was_before(rng, queries):
    a, b = queries[0], rng.random()
    a, b = b, a
    i, xs = 0, [1, 2, 3]
    i, xs[i] = 1, rng.integers(5)
    xs[0], i = xs[i], xs[0]
    return a, b, i, xs


def several_in_a_line_with_a_function_that_looks(rng, queries):
    a = 1

    def seen():
        return a + rng.random()

    a, b = 5, seen()
    return a, b


class _Total:
    def __init__(self, start):
        self.value, self.least = start, start
        self.value, self.least = self.value + 1, self.value

    def add(self, x):
        self.value, self.least = self.value + x, min(self.least, x)


def several_attributes_in_a_line(rng, queries):
    total, n = _Total(rng.random()), 0
    for q in queries:
        total.add(q * rng.random())
    return total.value, total.least, n


def asked_for_other_keys_too(rng, records):
    sums = defaultdict(float)
    for r in records:
        sums[r] += rng.random()
    found = [sums[k + 1] for k in sorted(sums)]
    return found, len(sums), dict(sums)


def asked_for_a_key_that_a_loop_gives_another_value(rng, records):
    counts = defaultdict(int)
    for r in records:
        counts[r] += 1
    for k in list(counts):
        k = k + int(rng.integers(3))
        counts[9] = counts[k]
    for k in list(counts):
        for k in (7, 8):
            counts[0] = counts[k]
    return dict(counts)
