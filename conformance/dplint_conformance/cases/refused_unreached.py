"""What no evaluator understands, where no run comes to it; and calls of `logging`, which are left out.

No interpretation follows these.
"""

import logging

LOG = logging.getLogger(__name__)


def try_that_returns_and_logs(rng, queries):
    try:
        if rng.random() < 0.5:
            return rng.laplace()
    finally:
        LOG.debug("done")
    return 1 / (rng.random() < 0.5)
