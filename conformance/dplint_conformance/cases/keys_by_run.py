"""Dicts and sets whose keys differ between runs."""


def releases_that_are_large(rng, values):
    noisy = {f"q{i}": v + rng.normal() for i, v in enumerate(values)}
    kept = {name: value for name, value in noisy.items() if value > 0}
    return kept, len(kept), list(kept), list(kept.values()), list(kept.items()), bool(kept)


def members_of_a_set_of_places(rng, values):
    noisy = [v + rng.normal() for v in values]
    order = sorted(range(len(noisy)), key=lambda i: noisy[i], reverse=True)
    chosen = {i for i in order[:2]}
    return [i in chosen for i in range(len(noisy))], [i not in chosen for i in (-1, 0, 1.0, True)], len(chosen)


def some_of_which_are_drawn_twice(rng, values):
    numbers = [int(rng.integers(3)) for _ in values]
    drawn = {number for number in numbers}
    found = {}
    for v in values:
        found[int(rng.integers(2))] = v
    return len(drawn), sorted(drawn), 0 in drawn, 2 in drawn, found, found.get(0), found.get(1, "none")


def counts_of_noisy_keys(rng, values):
    counts = {}
    for v in values:
        key = "high" if v + rng.normal() > 1 else "low" if rng.random() < 0.5 else None
        counts[key] = counts.get(key, 0) + 1
    total = 0
    for key in counts:
        total += counts[key]
    return counts, total, "high" in counts, None in counts


def keys_that_are_equal_and_not_the_same(rng, values):
    found = {0.0: "zero", 1: "one"}
    for v in values:
        found[[True, -0.0, 1.0, 2][int(rng.integers(4))]] = v
    return [(key, item) for key, item in found.items()], found


def keys_of_noise(rng, values):
    found = {}
    for v in values:
        found[rng.normal()] = v
    kept = {v + rng.normal(): v for v in values if rng.random() < 0.5}
    return found, kept, max(kept) if kept else None


def keys_that_are_no_keys(rng, values):
    found = {}
    for v in values:
        key = [v] if rng.random() < 0.1 else int(rng.integers(2))
        found[key] = v
    return found


def keys_that_are_tuples_by_run(rng, values):
    found = {}
    for v in values:
        found[int(rng.integers(2)), "a"] = v
    kept = {(i, i): v for i, v in enumerate(values) if rng.random() < 0.5}
    return found, kept, (0, "a") in found, list(kept.items())


def dicts_of_two_branches(rng, values):
    if rng.random() < 0.5:
        found = {"a": 1, "b": rng.random()}
    elif rng.random() < 0.5:
        found = {}
    else:
        found = {"b": 2, "c": [rng.random()], "a": 0}
    found["d"] = len(found)
    return found, "b" in found, found.get("a"), sorted(found)


def dicts_that_take_in_others(rng, values):
    found, more = {}, {"a": rng.random(), "x": 1}
    for i, v in enumerate(values):
        if rng.random() < 0.5:
            found["abc"[i % 3]] = v
    found.update(more)
    found.setdefault("b", rng.random())
    copied = found.copy()
    copied["new"] = 1
    return found, copied, {**found, "x": 2}, found == copied, dict(found)


def lists_in_dicts(rng, values):
    groups = {}
    for v in values:
        groups.setdefault(int(rng.integers(3)), []).append(v)
    return {key: sum(items) for key, items in groups.items()}, groups.get(1, []), groups


def keys_in_a_loop_that_ends_early(rng, values):
    seen = {}
    for turn in range(6):
        key = int(rng.integers(4))
        if key in seen:
            break
        seen[key] = turn
    return seen, turn


def keys_that_are_not_numbers(rng, values):
    odd = {float("nan") if rng.random() < 0.5 else 1.0: v for v in values}
    return len(odd), 1.0 in odd
