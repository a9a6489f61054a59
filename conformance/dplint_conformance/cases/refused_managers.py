"""`with` of functions that `contextlib.contextmanager` decorates: what they do, and when.

No interpretation follows these.
"""

from contextlib import contextmanager


@contextmanager
def _share(rng, epsilon, parts=2):
    noise = rng.random()
    yield epsilon / parts + noise


class _Ledger:
    def __init__(self, limit):
        self.limit, self.entries = limit, []

    @contextmanager
    def query(self, name, cost):
        if cost > self.limit:
            raise RuntimeError(name)
        self.limit -= cost
        self.entries.append(name)
        yield cost
        self.entries.append("done")


def manager_that_draws(rng, queries, epsilon):
    out = []
    for q in queries:
        with _share(rng, epsilon, parts=3) as share:
            out.append(q / share + rng.random())
    return out


def manager_of_an_object(rng, queries):
    ledger = _Ledger(rng.random() + 0.4)
    out = []
    with ledger.query("a", 0.5) as share:
        out.append(share * rng.random())
    with ledger.query("b", 0.2):
        out.append(rng.random())
    return out, ledger.limit, ledger.entries


def manager_left_by_an_exception(rng, queries):
    ledger = _Ledger(5.0)
    out = []
    for q in queries:
        try:
            with ledger.query("a", rng.random()) as share:
                if share < 0.5:
                    raise ValueError("small")
                out.append(q)
        except ValueError:
            out.append(-1)
    return out, ledger.limit, ledger.entries


@contextmanager
def _drawn(rng, most):
    """Does nothing after its end."""
    noise = rng.random()
    if noise > most:
        raise ValueError(most)
    yield noise


def manager_left_by_return(rng, queries):
    with _drawn(rng, 0.9) as noise:
        if noise < 0.5:
            return noise, rng.random()
        first = rng.normal()
    return [first, noise, rng.random()]


def manager_left_by_break_and_continue(rng, queries):
    out = []
    for q in queries:
        with _drawn(rng, 2) as noise:
            if noise < 0.2:
                break
            if noise < 0.6:
                out.append(q)
                continue
            noise += 1
        out.append(noise + rng.random())
    else:
        out.append("all")
    return out, noise


def _first_small(rng, queries):
    for q in queries:
        with _drawn(rng, 0.95) as noise:
            if noise < 0.4:
                return q + noise
    return -1.0


def manager_left_by_return_in_a_helper(rng, queries):
    try:
        first = _first_small(rng, queries)
    except ValueError:
        first = None
    return first, rng.random()


def managers_inside_of_each_other(rng, queries):
    with _drawn(rng, 0.9) as a:
        with _drawn(rng, 0.9) as b:
            if a < b:
                return a
        return b, rng.random()


class _Spender:
    def __init__(self, budget):
        self.budget, self.spent = budget, []

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def spend(self, x):
        self.spent.append(x)
        return self.budget - sum(self.spent)


def object_of_a_block_that_is_asked_afterwards(rng, queries):
    with _Spender(3) as spender:
        left = spender.spend(rng.random())
    return left, spender.spend(1), spender.spent


def object_with_two_names(rng, queries):
    spender = _Spender(2)
    with spender as same:
        same.spend(rng.random())
    spender.spend(1)
    return same.spent, spender.spent
