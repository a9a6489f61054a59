"""Where a reading has too little memory nothing comes of it: that is no exception of the mechanism, and no output."""

import pytest

from dplint.program.refusals import UnsupportedConstruct
from dplint.readings import concrete
from tests.exact.exact_tools import losses, written

BODIES = {
    "an array": "kept = np.ones(10**15)",
    "a text": "kept = 'x' * 10**16",
    "after a draw": "kept = np.ones(10**15 if queries[0] + rng.laplace() < 1.5 else 2)",
    "a list of arrays": "kept = [np.ones(10**15) for _ in range(3)]",
}
"""What no machine has the addresses for."""


def concretely(program):
    concrete.run(program, {"queries": [1.0]}, lambda *_: 0.25)


def exactly(program):
    losses(program, [1.0], [2.0])


@pytest.mark.parametrize("read", [concretely, exactly])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_is_not_an_output(read, body, tmp_path):
    source = f"import numpy as np\n\n\ndef m(rng, queries):\n    {body}\n"
    source += "    return queries[0] + len(kept) + rng.laplace(scale=1.0)\n"
    program = written(source, tmp_path)
    with pytest.raises((MemoryError, UnsupportedConstruct)):
        read(program)
