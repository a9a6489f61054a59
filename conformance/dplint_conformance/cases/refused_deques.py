"""`collections.deque` under a name. No interpretation follows these."""

from collections import deque


def sums_of_a_window(rng, queries, k=2):
    window = deque(maxlen=k)
    out = []
    for q in queries:
        window.append(q + rng.random())
        out.append(sum(window))
    return out, len(window), window[0], window[-1]


def window_of_a_constant_length(rng, queries):
    out = []
    last = deque([5.0, rng.random(), 2.0], 2)
    for q in queries:
        last.appendleft(q)
        out.append([w * 2 for w in last])
    last.extend(q + rng.random() for q in queries)
    return out, list(last), max(last), sorted(last), last[rng.integers(3) - 1]


def window_of_no_length(rng, queries):
    window = deque(maxlen=0)
    for q in queries:
        window.append(q + rng.random())
    return len(window), list(window), rng.random()


def queue_without_a_bound(rng, queries):
    queue = deque(queries)
    out = []
    while len(queue) > 1:
        first = queue.popleft()
        if rng.random() < 0.3:
            queue.append(first * rng.random())
        elif rng.random() < 0.5:
            queue.popleft()
        out.append(first + queue[0] if len(queue) else first)
    queue.clear()
    return out, len(queue), [(i, q) for i, q in enumerate(queue)]


def queue_that_is_popped_beside_draws(rng, queries):
    queue = deque(queries)
    value = rng.random() + queue.popleft() * rng.random() + queue.popleft()
    queue[0] = value
    queue.extend([1, 2])
    return value, list(queue), 3.0 in queue, sum(queue, 1.0), [*reversed(queue)]


def queue_that_is_empty(rng, queries):
    queue = deque()
    if rng.random() < 0.5:
        queue.append(1)
    try:
        return queue.popleft()
    except IndexError:
        return "empty"


def bound_that_is_none_or_no_number(rng, queries):
    bound = [None, 2, -1, 1.5, 0, True][int(rng.integers(6))]
    try:
        window = deque(maxlen=bound)
    except ValueError:
        return "negative"
    except TypeError:
        return "no number"
    for q in queries:
        window.append(q)
    window.append(7)
    return list(window)


def bound_that_changes_afterwards(rng, queries, k=2):
    window = deque(maxlen=k)
    k = 4
    for q in queries:
        window.append(q + rng.random())
    return list(window), k


def row_put_into_a_window(rng, queries):
    rows = deque(maxlen=2)
    for q in queries:
        rows.append([q, rng.random()])
    return [r[0] + r[1] for r in rows]


def _smooth(rng, values, width):
    window = deque(maxlen=width)
    out = []
    for v in values:
        window.append(v)
        out.append(sum(window) / len(window) + rng.random())
    return out


def window_in_a_helper(rng, queries):
    return _smooth(rng, queries, 2), _smooth(rng, queries, 3)


def queue_whose_last_item_is_popped(rng, queries):
    queue, out = deque(sorted(queries)), []
    while queue:
        x = queue.pop()
        out.append(x + queue.pop() * rng.random() if queue else x)
        if queue and rng.random() < 0.3:
            queue.popleft()
    return out, not queue, queue.maxlen


def window_that_is_full(rng, queries, k=2):
    window = deque(maxlen=k)
    out = []
    for q in queries:
        window.append(q + rng.random())
        if len(window) == window.maxlen:
            out.append(sum(window))
    return out, window.maxlen
