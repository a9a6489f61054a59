"""Counters that are used where they are made."""

from collections import Counter


def counter_made_for_its_items(rng, names):
    out = {}
    for name, count in Counter(names + ["b", "b"]).items():
        noisy = count + rng.laplace()
        if noisy > 1.5:
            out[name] = noisy
    return out


def counter_made_for_an_entry(rng, records):
    return Counter(records)[1] + rng.random(), Counter(records)[7], Counter(records).get(9), Counter()[1]


def counter_made_of_a_dict(rng, names):
    counts = {"a": 2.5, "b": -1}
    return [(k, v + rng.random()) for k, v in Counter(counts).items()], Counter(counts)["b"]


def counter_made_for_its_keys(rng, records):
    noisy = [k * rng.random() for k in Counter(records)]
    return (
        noisy,
        len(Counter(records)),
        sorted(Counter(records)),
        list(Counter(records)),
        max(Counter(records).values()),
    )


def counter_made_of_what_is_drawn(rng, records):
    first = rng.random()
    found = Counter(r if rng.random() < 0.5 else 9 for r in records).most_common(2)
    return first, found, rng.random() + Counter(int(rng.integers(2)) for r in records)[1]


def counter_made_in_each_turn(rng, records):
    out = []
    for start in range(3):
        out += [Counter(records[start:])[3] + rng.random(), 3 in Counter(records[:start])]
    return out, [Counter(records[i:])[k] for i in range(2) for k in (1, 3) if rng.random() < 0.5]


def counter_of_what_cannot_be_counted(rng, records):
    try:
        return Counter([[r] for r in records])[rng.integers(2)]
    except TypeError:
        return rng.random()
