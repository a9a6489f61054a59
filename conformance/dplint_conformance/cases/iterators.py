"""`it = iter(xs)`, of which `next` and loops take items."""


def items_until_there_are_none(rng, queries):
    it = iter(queries)
    out = []
    while True:
        try:
            q = next(it)
        except StopIteration:
            break
        out.append(q + rng.random())
        if rng.random() < 0.2:
            next(it, None)
    return out


def first_item_and_the_others(rng, queries):
    it = iter([q for q in queries if q > rng.random() * 3])
    try:
        best = next(it)
    except StopIteration:
        return "none"
    for q in it:
        best = max(best, q + rng.random())
    else:
        best += 1
    return best


def loop_that_takes_further_items(rng, queries):
    it = iter(sorted(queries))
    out = []
    for q in it:
        if rng.random() < 0.5:
            out.append((q, next(it, None)))
            continue
        if rng.random() < 0.2:
            break
        out.append(q)
    else:
        out.append("end")
    return out, list(it), list(it), next(it, "none")


def rest_of_what_is_left(rng, queries):
    it = iter(queries)
    first = next(it) + next(it)
    for q in it:
        if q > rng.random() * 4:
            break
    return first, sum(it) if q < 2 else sorted(it), tuple(it)


def default_that_is_worked_out(rng, queries):
    it = iter(range(int(rng.integers(3))))
    return next(it, rng.random()), next(it, rng.random()), next(it, -1)


def none_left_in_the_mechanism(rng, queries):
    it = iter([1, 2])
    out = [next(it) for _ in range(int(rng.integers(3)))]
    return out, next(it)


def pairs_of_two_iterators(rng, queries):
    left, right = sorted(queries), list(queries)
    one = iter(left)
    other = iter(zip(right, right[1:]))
    out = []
    for q in one:
        out.append((q + rng.random(), next(other, None), len(left)))
    return out


def _merged(left, right):
    one = iter(left)
    other = iter(right)
    out = []
    last = next(other, None)
    for x in one:
        while last is not None and last < x:
            out.append(last)
            last = next(other, None)
        out.append(x)
    if last is not None:
        out.append(last)
    out.extend(list(other))
    return out


def merged_in_a_helper(rng, queries):
    return _merged(sorted(queries), sorted(q + rng.random() for q in queries))


def _first(xs):
    it = iter(xs)
    try:
        return next(it)
    except StopIteration:
        return None


def first_of_a_helper(rng, queries):
    return [_first([q for q in queries if q > rng.random() * 4]) for _ in range(2)]


def text_and_keys(rng, queries):
    letters = iter("abc")
    keys = iter({"x": 1, "y": 2})
    return next(letters), next(keys), rng.random(), list(letters), next(keys, 0), next(keys, 0)


def iterator_of_no_list(rng, queries):
    given = queries if rng.random() < 0.5 else 5
    it = iter(given)
    return next(it)
