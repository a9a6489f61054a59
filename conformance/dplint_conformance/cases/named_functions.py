"""Lambdas and `functools.partial` under names, with defaults, and functions that are defaults of others."""


def lambda_with_a_negative_default(rng, queries):
    down = lambda x, by=-1: x * by + rng.random()  # noqa: E731
    return [down(q) for q in queries], down(by=2, x=1)


def filtered_by_noise_under_a_name(rng, queries):
    def kept(q):
        return q + rng.laplace() > 1

    return list(filter(kept, queries))


scale = 100.0


def default_that_is_what_a_variable_was(rng, queries):
    scale = rng.random()
    scaled = lambda x, by=scale: x * by  # noqa: E731
    scale = 2.0
    return scaled(3.0), scale


def default_of_a_function_that_is_what_a_variable_was(rng, queries):
    if queries:
        scale = rng.random()

        def scaled(x, by=scale):
            return x * by

        scale = 2.0
        return scaled(3.0), scale
    return None


def defaults_that_the_loop_gives(rng, queries):
    found = []
    for i, q in enumerate(queries):
        noisy = lambda x, i=i, q=q + rng.random(): x * i + q  # noqa: E731
        i = q = -1
        found.append((noisy(1.0), noisy(2.0, q=0.0), noisy(1, 2)))
    return found


def generator_as_a_default(rng, queries):
    first = queries[0]

    def noisy(x, source=rng, by=first):
        return x + by * source.laplace()

    first = 100.0
    return [noisy(q) for q in queries], noisy(1, by=2), first


def list_as_a_default(rng, queries):
    least = min(queries)
    count = lambda x, among=[least, rng.random()]: sum(x > one for one in among)  # noqa: E731
    return [count(q) for q in queries], count(0.5, [1]), count(rng.random())


def local_function_with_the_default_of_a_variable(rng, queries):
    scale = rng.random()

    def scaled(k, by=scale):
        return k * by

    scale = 2.0
    return scaled(queries[0])
