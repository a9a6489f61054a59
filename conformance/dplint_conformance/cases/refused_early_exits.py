"""Lists, arrays and dicts that are changed after some runs have ended, left a loop, or returned from a helper.

No interpretation follows these.
"""


def changed_after_exceptions_that_are_not(rng, n):
    out = [4, 3, 2]
    for _ in range(3):
        out.append(12 // rng.integers(0, 4))
        if out[-1] > 5:
            return out
        del out[0]
    return out
