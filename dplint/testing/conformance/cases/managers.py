"""`with` of functions that `contextlib.contextmanager` decorates: what they do, and when."""

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
