"""Dicts and sets whose keys differ between runs. No interpretation follows these."""


def keys_that_go_again(rng, values):
    found = {i: v for i, v in enumerate(values) if rng.random() < 0.7}
    if 1 in found:
        del found[1]
    taken = found.pop(0, None)
    return found, taken
