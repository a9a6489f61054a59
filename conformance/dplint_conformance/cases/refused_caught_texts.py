"""What handlers say of the exceptions that they have caught. No interpretation follows these."""


class _Spent(Exception):
    pass


class _Small(ValueError):
    def __init__(self, count, least=2):
        super().__init__(f"{count} of {least}")


def text_of_what_is_raised(rng, queries):
    try:
        if rng.random() < 0.5:
            raise ValueError("small")
        return sum(queries) + rng.laplace()
    except ValueError as error:
        return str(error)


def text_with_numbers(rng, queries):
    found = []
    for q in queries:
        try:
            noisy = q + rng.laplace()
            if noisy < 0:
                raise ValueError(f"{q} is now {noisy:.3f}")
            if noisy > 3:
                raise RuntimeError
            found.append("fine")
        except (ValueError, RuntimeError) as error:
            found.append(f"[{error}]")
    return found


def text_of_a_key_error(rng, queries):
    try:
        if rng.random() < 0.4:
            raise KeyError("a")
        if rng.random() < 0.5:
            raise KeyError(1.5)
        if rng.random() < 0.5:
            raise KeyError
        raise LookupError(queries)
    except LookupError as error:
        return str(error), rng.random()


def text_of_own_exceptions(rng, queries):
    try:
        for q in queries:
            if q + rng.laplace() > 2:
                raise _Spent(f"at {q}")
            if rng.random() < 0.2:
                raise _Small(q, least=3)
        return 0
    except _Small as small:
        return f"small: {small}"
    except _Spent as spent:
        return "spent: " + str(spent)


def text_that_nothing_else_says(rng, queries):
    last = "none"
    try:
        if rng.random() < 0.5:
            raise ValueError(rng.integers(3))
    except ValueError as error:
        last = str(error)
    try:
        assert rng.random() < 0.5, "much"
        assert rng.random() < 0.5
    except AssertionError as error:
        return last, str(error)
    return last


def text_of_a_read_function(rng, queries):
    try:
        return _checked(rng.laplace(), lambda x: x + 1)
    except ValueError as error:
        return str(error)


def _checked(x, shift):
    if x < 0:
        raise ValueError(f"{x} < 0")
    return shift(x)


def text_passed_on(rng, queries):
    try:
        try:
            if rng.random() < 0.6:
                raise ValueError("inner")
        except ValueError as inner:
            raise RuntimeError(f"after {inner}")
        return rng.random()
    except RuntimeError:
        return "outer"
