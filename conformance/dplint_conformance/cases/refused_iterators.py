"""Iterators of lists that change, or that somebody else has. No interpretation follows these."""


def iterator_of_a_list_that_grows(rng, queries):
    xs = [1, 2]
    it = iter(xs)
    out = []
    for x in it:
        out.append(x + rng.random())
        if len(xs) < 4:
            xs.append(x)
    return out


def iterator_of_a_list_that_another_name_changes(rng, queries):
    xs = [1, 2]
    ys = xs
    it = iter(xs)
    ys.append(rng.random())
    return list(it)


def iterator_of_noise(rng, queries):
    it = iter(q + rng.random() for q in queries)
    first = next(it)
    return first, rng.random(), next(it)


def iterator_in_a_branch(rng, queries):
    it = iter([])
    if rng.random() < 0.5:
        it = iter(queries)
    return next(it, 0)


def iterator_that_is_zipped_with_itself(rng, queries):
    it = iter(queries)
    return [x + y + rng.random() for x, y in zip(it, it)]


def iterator_that_a_function_has(rng, queries):
    it = iter(queries)

    def first():
        return next(it, 0)

    return first(), first(), rng.random()


def _second(xs):
    it = iter(xs)
    next(it)
    return next(it)


def stop_that_leaves_a_helper(rng, queries):
    try:
        return [_second(queries[: int(rng.integers(3))])]
    except StopIteration:
        return 0


def iterator_of_what_an_object_holds(rng, queries):
    d = {1: 2}
    it = iter(d)
    if rng.random() < 0.5:
        d[2] = 3
    return next(it)


def iterator_of_a_list_that_has_another_value_by_then(rng, queries):
    noisy = (q + rng.random() for q in queries)
    queries = [5]
    return sum(noisy), queries


def iterator_of_a_list_that_a_closure_changes(rng, queries):
    xs = [1, 2]

    def put(x):
        xs.append(x)

    it = iter(xs)
    put(rng.random())
    return list(it)


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
