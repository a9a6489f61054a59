"""Less common functions and methods of Python's library. No interpretation follows these."""

import heapq
import math
import statistics
from heapq import nlargest

import numpy as np
from scipy import special


def largest_two_by_a_heap(rng, n):
    heap = []
    for place in range(5):
        entry = (round(rng.normal(), 1), place)
        if len(heap) < 2:
            heapq.heappush(heap, entry)
        elif entry > heap[0]:
            heapq.heapreplace(heap, entry)
    return sorted(place for _, place in heap)
