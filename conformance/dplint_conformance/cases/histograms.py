"""Dicts whose keys the noise decides, as of a histogram of which the counts above a threshold are released."""


def counts_above_a_threshold(rng, names):
    released = {}
    for place, name in enumerate(names):
        noisy = place + rng.laplace()
        if noisy > 1:
            released[name] = noisy
    return released


def counts_above_a_threshold_by_comprehension(rng, queries):
    noisy = {i: q + rng.laplace() for i, q in enumerate(queries)}
    kept = {i: value for i, value in noisy.items() if value > 1}
    return kept, len(kept), sorted(kept), list(kept.values()), list(kept.items()), bool(kept), 2 in kept


def keys_that_are_tuples(rng, points):
    released = {}
    for i, x in points:
        noisy = x + rng.normal()
        if noisy > 0:
            released["cell", i] = noisy
    return released, len(released), ("cell", 1) in released, released.get(("cell", 2), -1.0)


def keys_that_are_truths_and_numbers(rng, n):
    found = {}
    if rng.random() < 0.5:
        found[True] = 1
    if rng.random() < 0.5:
        found[1] = 2
    if rng.random() < 0.5:
        found[1.0] = 3
    return found, list(found)


def keys_nobody_has(rng, queries):
    released = {}
    for i, q in enumerate(queries):
        if q + rng.random() > 100:
            released[i] = q
    return released, len(released), rng.random() < 0.5


def pairs_whose_number_is_drawn(rng, names):
    pairs = []
    for name in names:
        noisy = rng.normal()
        if noisy > 0:
            pairs.append((name, noisy))
    found = dict(pairs)
    return found, len(found), found.get("b", 0.0)


def pairs_with_a_key_twice(rng, records):
    pairs = [(r, rng.normal()) for r in records if rng.random() < 0.6]
    return dict(pairs), len(pairs)


def keys_that_are_drawn(rng, n):
    counts = {}
    for _ in range(4):
        key = int(rng.integers(0, 3))
        counts[key] = counts.get(key, 0) + 1
    return counts


def words_that_are_drawn(rng, names):
    seen = {}
    for turn in range(3):
        seen[names[rng.integers(0, 3)]] = turn
    return seen, list(seen), max(seen, key=seen.get)


def a_key_that_may_be_missing(rng, queries):
    noisy = {}
    for i, q in enumerate(queries):
        if q + rng.normal() > 0:
            noisy[i] = q + rng.normal()
    return noisy[int(rng.integers(1, 5))], noisy[3]


def entries_asked_for(rng, names):
    noisy = {name: rng.normal() for name in names}
    kept = {name: value for name, value in noisy.items() if value > -0.5}
    return [kept.get(name) for name in names], [kept.get(name, 0) for name in names], [name in kept for name in names]


def entries_in_order(rng, queries):
    noisy = {f"q{i}": q + rng.normal() for i, q in enumerate(queries)}
    kept = {name: value for name, value in noisy.items() if value > 1}
    ranked = sorted(kept.items(), key=lambda item: item[1], reverse=True)
    return ranked, [name for name, _ in ranked[:2]], sorted(kept, key=kept.get), dict(ranked)


def the_largest_entry(rng, queries):
    kept = {}
    for i, q in enumerate(queries):
        noisy = q + rng.normal()
        if noisy > 0.5:
            kept[i] = noisy
    if not kept:
        return None
    return max(kept, key=kept.get), min(kept.values()), max(kept.items(), key=lambda item: item[1]), sum(kept.values())


def the_largest_of_nothing(rng, queries):
    kept = {i: q for i, q in enumerate(queries) if q + 3 * rng.normal() > 3}
    return max(kept, key=kept.get)


def loops_over_entries(rng, queries):
    kept = {i: q + rng.normal() for i, q in enumerate(queries) if rng.random() < 0.6}
    total, last, doubled = 0.0, None, {}
    for key, value in kept.items():
        total += value
        last = key
        doubled[key] = 2 * value
    for key in kept:
        if key == 2:
            break
        last = key
    return total, last, doubled


def one_dict_into_another(rng, names):
    left = {}
    right = {}
    for name in names:
        if rng.random() < 0.5:
            left[name] = rng.normal()
        if rng.random() < 0.5:
            right[name] = rng.normal()
    for key, value in right.items():
        left[key] = value
    return left, right, {**left, "z": 0.0}


def branches_with_keys_of_their_own(rng, n):
    if rng.random() < 0.5:
        found = {"a": 1, "b": rng.normal()}
    elif rng.random() < 0.5:
        found = {"b": 2, "c": 3}
    else:
        found = {"c": 1, "a": 0.5}
    found["d"] = 4
    return found, len(found), list(found)


def entries_by_setdefault(rng, names):
    found = {}
    for name in names:
        if rng.random() < 0.5:
            found[name] = 1.5
        found.setdefault("b", 2)
    return found


def lists_in_dicts_of_some_keys(rng, names):
    rows = {}
    for name in names:
        if rng.random() < 0.5:
            rows[name] = [x for x in (1, 2, 3) if rng.random() < 0.5]
    return rows


def dicts_in_dicts_of_some_keys(rng, names):
    tables = {}
    for name in names:
        if rng.random() < 0.5:
            tables[name] = {key: 1 for key in names if rng.random() < 0.5}
    return tables, len(tables)


def emptied_in_some_runs(rng, names):
    found = {name: rng.random() for name in names}
    if found["a"] < 0.5:
        found.clear()
    found["z"] = 1
    return found


def texts_of_dicts(rng, names):
    found = {}
    for name in names:
        if rng.random() < 0.5:
            found[name] = 1
    return f"{found}", str(found), found == {"a": 1}


def sets_of_names_that_noise_picks(rng, names):
    picked = {name for name in names if rng.normal() > 0}
    return sorted(picked), len(picked), "a" in picked
