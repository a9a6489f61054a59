"""Heaps: which items they give, and how their lists are ordered. No interpretation follows these."""

import heapq


def largest_in_a_heap(rng, queries, k=2):
    heap = []
    for i, q in enumerate(queries):
        entry = (q + rng.laplace(), i)
        if len(heap) < k:
            heapq.heappush(heap, entry)
        elif entry > heap[0]:
            heapq.heapreplace(heap, entry)
    return sorted(i for _, i in heap), heap


def heap_that_is_emptied(rng, queries):
    heap = [q + rng.integers(0, 5) for q in [*queries, *queries]]
    heapq.heapify(heap)
    first = list(heap)
    out = []
    while heap:
        out.append(heapq.heappop(heap) + 0 * len(heap))
    return first, out


def pop_of_an_empty_heap(rng, queries):
    heap = [q for q in queries if q + rng.random() > 2.5]
    return heapq.heappop(heap) - heapq.heappop(heap), heap


def pushed_and_popped_at_once(rng, queries):
    heap = [1.5, 2.5, 2.0]
    smallest = [heapq.heappushpop(heap, q + rng.random()) for q in queries]
    return smallest, heap


def replaced_in_an_empty_heap(rng, queries):
    heap = [] if rng.random() < 0.5 else [1]
    return heapq.heapreplace(heap, 5), heap


class _Queue:
    def __init__(self):
        self.items = []

    def put(self, x):
        heapq.heappush(self.items, x)

    def get(self):
        return heapq.heappop(self.items)


def heap_of_an_object(rng, queries):
    queue = _Queue()
    for q in queries:
        queue.put((int(q + 3 * rng.random()), q))
    return [queue.get() for _ in range(3)], len(queue.items)


def equal_items_in_a_heap(rng, records):
    heap = []
    for r in records:
        heapq.heappush(heap, r if rng.random() < 0.5 else float(r))
    return [heapq.heappop(heap) for _ in records], heap


def largest_by_a_key(rng, queries):
    noisy = {i: round(q + rng.laplace()) for i, q in enumerate(queries)}
    n = int(rng.integers(-1, 7))
    largest = heapq.nlargest(2, noisy, key=noisy.get)
    return largest, heapq.nsmallest(n, noisy, key=lambda i: noisy[i]), heapq.nlargest(n, queries, key=abs)
