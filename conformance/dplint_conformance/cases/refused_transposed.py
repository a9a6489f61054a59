"""Sums over arrays whose rows do not lie one after the other in memory: NumPy adds in the order of the memory.

No interpretation follows these.
"""

import numpy as np


def sums_of_a_filled_transposed_array(rng, n):
    x = rng.normal(size=(3, 4))
    y = np.zeros((4, 3))
    y[:, 0] = x[0]
    y += x.T
    return (
        y.sum(),
        np.stack([x[0], x[1]], axis=1).sum(),
        np.column_stack([x[0], x[1]]).sum(),
        np.vstack([x[0], x[1]]).T.sum(),
    )
