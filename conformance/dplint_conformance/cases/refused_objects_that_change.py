"""Objects of lists that change: which one an expression is, only running it tells."""

from dataclasses import dataclass, field


@dataclass
class _Bucket:
    low: float
    high: float
    count: int = 0

    def holds(self, x):
        return self.low <= x < self.high

    def put(self, x, rng):
        if not self.holds(x):
            return False
        self.count += 1
        self.widen(rng.random())
        return True

    def widen(self, by):
        self.high = self.high + by

    @property
    def width(self):
        return self.high - self.low


class _Spender:
    limit = 2.0

    def __init__(self, limit=None):
        self.left = 3.0 if limit is None else limit
        self.calls = 0

    def spend(self, amount):
        self.calls += 1
        if amount > self.left:
            return 0.0
        self.left -= amount
        return amount

    def both(self, amount):
        return self.spend(amount) + self.spend(amount / 2)

    @property
    def noted(self):
        return self.spend(0.25)


def counts_of_buckets(rng, queries):
    buckets = [_Bucket(float(i), i + 1.0) for i in range(4)]
    for q in queries:
        for bucket in buckets:
            if bucket.holds(q + rng.normal() / 4):
                bucket.count += 1
                break
    return [bucket.count + rng.laplace() for bucket in buckets]


def methods_that_change_objects_of_a_list(rng, queries):
    buckets = [_Bucket(-1.0, 0.5), _Bucket(0.5, high=1.5), _Bucket(1.5, 9.0, 2)]
    put = []
    for q in queries:
        put.append([bucket.put(q, rng) for bucket in buckets])
    return put, [b.count for b in buckets], [(b.width, b.low) for b in buckets if b.count]


def objects_beside_data(rng, queries):
    spenders = [_Spender() for _ in queries]
    found = []
    for spender, q in zip(spenders, queries):
        found.append(spender.both(q) + spender.left)
    for i, spender in enumerate(spenders):
        spender.left += i * rng.random()
        spender.calls = spender.calls * 10
    return found, [(s.left, s.calls) for s in spenders]


def objects_by_index(rng, queries):
    spenders = [_Spender(limit=q) for q in queries]
    for _ in range(4):
        i = int(rng.integers(-6, 6))
        spenders[i].spend(rng.random())
        spenders[i - 1 if i > 0 else 0].left += 0.5
    spenders[-1].calls = len(spenders)
    return spenders[0].left, spenders[-1].calls, [s.calls for s in spenders]


def properties_that_change_objects(rng, queries):
    spenders = [_Spender(rng.random()), _Spender()]
    return [s.noted + q for s in spenders for q in queries], [s.left for s in spenders]


def results_that_are_worked_out_in_order(rng, queries):
    spenders = [_Spender(), _Spender(1.0)]
    total = 0.0
    for s in spenders:
        total += s.left + s.spend(1.0) + s.left * s.spend(rng.random()) + s.left
    return total, spenders[0].left - spenders[0].spend(1) - spenders[1].left


def objects_of_two_lists(rng, queries):
    few = [_Spender(q) for q in queries[:2]]
    many = [_Bucket(0.0, q) for q in queries]
    for s in few:
        for b in many:
            b.high -= s.spend(rng.random()) * s.left
    for s, b in zip(few, many):
        s.left = b.high + 1
        b.high = s.left
    return [s.left for s in few], [b.high for b in many]


def objects_that_are_made_anew(rng, queries):
    found = []
    for q in queries:
        spenders = [_Spender(q), _Spender()]
        for s in spenders:
            s.spend(rng.random())
        while spenders[1].left > 1 and spenders[1].spend(rng.random() + 0.5):
            found.append(spenders[1].calls)
        found.append(spenders[0].left)
    return found


def record_of_a_list_that_changes(rng, queries):
    made = [_Bucket(q, 1.0) for q in queries]
    made[0].low += rng.normal()
    return made[0].low


def summand_that_changes_the_object(rng, queries):
    spenders = [_Spender(q) for q in queries]
    for i, s in enumerate(spenders):
        s.left += s.spend(rng.random()) + s.left
        spenders[i].left -= spenders[i - 1].spend(rng.random())
    return [s.left for s in spenders]


def first_object_of_a_list(rng, queries):
    spenders = [_Spender(q) for q in queries]
    spenders[0].spend(rng.normal())
    return spenders[0].left


def objects_of_a_list_in_a_function(rng, queries):
    return _spent(rng, queries), _spent(rng, queries[:2])


def _spent(rng, amounts):
    spenders = [_Spender() for _ in range(2)]
    for amount in amounts:
        for spender in spenders:
            if spender.spend(amount + rng.random()) > 1.5:
                return spender.left
    return sum(spender.calls for spender in spenders)


class _Bin:
    def __init__(self, low):
        self.low = low
        self.items = []
        self.sizes: list = [0]

    def add(self, x):
        if x >= self.low:
            self.items.append(x)
            self.sizes[-1] += 1
        return len(self.items)

    def close(self):
        self.items.sort()
        last = self.items.pop() if self.items else None
        self.sizes.append(len(self.items))
        return last

    def clear(self):
        self.items = []

    @property
    def total(self):
        return sum(self.items) + len(self.sizes)

    def above(self, x):
        return [y for y in self.items if y > x]


def lists_that_objects_in_a_list_hold(rng, queries):
    bins = [_Bin(low) for low in (0, 1, 2)]
    for i, q in enumerate(queries):
        bins[i % 3].items.append(q + rng.random())
        bins[int(rng.integers(3))].add(q)
    out = []
    for one in bins:
        out.append((one.total, one.close(), one.items[0] if one.items else None, 1.0 in one.items, sorted(one.items)))
    bins[0].clear()
    return out, [len(one.items) for one in bins], [x for one in bins for x in one.items], bins[1].above(1)


def lists_that_objects_of_a_loop_hold(rng, queries):
    bins = [_Bin(0), _Bin(rng.random())]
    for one in bins:
        for q in queries:
            one.add(q * rng.random())
        one.items.reverse()
        one.items.extend([q for q in queries if q > 1])
    for place, one in enumerate(bins):
        if one.items and rng.random() < 0.5:
            one.items.pop(0)
        one.low = place
    return [[one.low, *one.items] for one in bins], [max(one.sizes) for one in bins]


@dataclass
class _Ledger:
    limit: float
    log: list = field(default_factory=list)

    def charge(self, x):
        if x > self.limit:
            return False
        self.log.append(x)
        return True


def ledgers_with_lists_of_their_own(rng, queries):
    ledgers = [_Ledger(1.5) for _ in queries]
    for ledger, q in zip(ledgers, queries):
        ledger.charge(q * rng.random())
        ledger.charge(q)
    ledgers[0].log.append(7)
    return [ledger.log[0] if ledger.log else None for ledger in ledgers], [len(ledger.log) for ledger in ledgers]
