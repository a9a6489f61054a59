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
