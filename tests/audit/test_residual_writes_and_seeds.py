"""Many runs at once: arrays that are written in place, at places by lane and in branches; seeds that a run is handed.

Some lanes are made again by the function itself on the same draws, and compared.
"""

from __future__ import annotations

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes
from dplint.runner.client import DataValue, SampleRequest
from tests.runner.conftest import write

__all__ = ["write"]

pytestmark = pytest.mark.process
SEED = np.random.SeedSequence(0)
RUNS = 400
"""With so many fair coins both sides come up but for a probability of 2 to the -399."""


def outputs(runner, mechanism, data=(0, 0, 0), form="array"):
    runner.load(mechanism)
    runs, value = ResidualRuns(runner, mechanism), DataValue(list(data), form=form)
    runs.check([value], {}, 30, SEED)
    return [tuple(np.ravel(one).tolist()) for one in runs.sample(value, {}, RUNS, SEED).outputs()]


BODIES = {
    "data": "x[0] += coin()",
    "data_at_once": "x += np.array([coin(), 0, 0])",
    "in_a_branch": """
        x = np.zeros(3)
        if coin() == 1:
            x[0] = 1
    """,
    "at_a_place": "x[coin()] = 7",
    "at_a_place_of_a_table": """
        x = np.zeros((2, 2))
        x[1, coin()] += 1
    """,
    "a_row": """
        x = np.zeros((2, 3))
        x[coin()] = np.array([1, 2, coin()])
    """,
    "at_places": "x[[coin(), 2]] = 5",
    "at_no_places": "x[[]] = coin()",
    "an_item_of_a_table": "x = np.array([[1, 2], [3, 4]])[coin(), coin()]",
    "a_row_of_a_table": "x = (np.zeros((2, 3)) + coin())[coin()]",
    "what_is_the_same_in_all_lanes": """
        x[0] = coin()
        table = np.zeros(3)
        other = table[1:]
        table[1] = 5
        other[1] = 4
        x = np.argwhere(table > 4)[0] + table + x
        table[2] = x[0]
        x = x + table + other[1]
    """,
    "places_of_a_row": """
        table = np.zeros((2, 4))
        place = np.array([coin(), 3])
        table[1, place] = [5, 6]
        table[coin(), place] += 1
        x = np.append(table[1, place], table[1])
    """,
    "a_named_tuple": """
        import collections
        pair = collections.namedtuple("Pair", ["a", "b"])(coin(), coin())
        x = np.array([pair.a, pair.b, pair[0] + pair[1]])
    """,
    "what_is_read_of_the_data": """
        x[0] = coin()
        x = np.array([x[0], len(str(x[1])), x[1:].sum()])
    """,
    "numbers_of_arrays": """
        one = np.array([coin()])
        try:
            x = np.array([float(one)])
        except TypeError:
            x = np.array([float(one[0]), 9])
    """,
    "tables": """
        x = np.array([[coin(), 2, 3], [4, coin(), 6], [7, 8, 9]])
        x = np.triu(x) + np.tril(x.transpose(), -1) + np.outer(x[0], [1, 2, 3])
    """,
    "a_diagonal": """
        x = np.array([coin(), 1, 2])
        y = np.outer(x, x)
        x = y.transpose()[1] + y[1]
    """,
    "of_mixed_types": """
        least, x = 10, x + np.random.laplace(size=3)
        for i in range(3):
            if x[i] > 0 and x[i] < least:
                least = x[i]
        x[0] = least
        x[1:] = 0
        x = x < 10
    """,
}


@pytest.mark.parametrize("name", BODIES)
def test_an_array_is_written_as_by_the_function_alone(shared_runner, write, name):
    body = "\n".join(
        f"    {(line.strip() and line[8:]) or line}" for line in ("        " + BODIES[name].strip()).split("\n")
    )
    source = (
        f"import random\nimport numpy as np\ndef coin(): return random.randrange(2)\ndef m(x):\n{body}\n    return x\n"
    )
    found = outputs(shared_runner, write(source), data=(0.0, 0.0, 0.0))

    shared_runner.load(write(source))
    (alone,) = shared_runner.sample(SampleRequest((DataValue([0.0, 0.0, 0.0], form="array"),), runs=RUNS, block=50))
    assert set(found) == {tuple(np.ravel(one).tolist()) for one in alone.outputs()}


def test_a_place_outside_of_a_table_is_an_error_of_these_lanes_alone(shared_runner, write):
    source = """
        import random
        import numpy as np
        def m(x):
            table = np.zeros((2, 2))
            try:
                table[1, random.randrange(4)] = 1
            except IndexError:
                return -1.0
            return table[1, 1]
    """
    assert set(outputs(shared_runner, write(source))) == {(-1.0,), (0.0,), (1.0,)}


@pytest.mark.parametrize(
    "made",
    [
        "np.random.default_rng(seed).integers(2)",
        "np.random.RandomState(seed).randint(2)",
        "random.Random(seed).randrange(2)",
        "np.random.default_rng(int(seed)).integers(2)",
    ],
)
def test_a_generator_with_the_seed_of_the_run_draws_in_all_lanes(shared_runner, write, made):
    source = (
        f"import random\nimport numpy as np\ndef m(x, random_state: int):\n    seed = random_state\n    return {made}\n"
    )
    assert set(outputs(shared_runner, write(source))) == {(0,), (1,)}


def test_libraries_that_get_the_seed_of_the_run_draw_in_all_lanes(shared_runner, write):
    source = """
        import random
        import numpy as np
        def m(x, random_state: int):
            np.random.seed(random_state)
            random.seed(random_state)
            return np.random.randint(2), random.randrange(2)
    """
    assert set(outputs(shared_runner, write(source))) == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_a_seed_is_what_the_function_itself_gets(shared_runner, write):
    """Seeds are other numbers in each run, and the replay, which compares outputs, hands out the same."""
    found = outputs(shared_runner, write("def m(x, random_state: int): return random_state"))
    assert len(set(found)) > RUNS // 2


@pytest.mark.parametrize(
    "body",
    [
        "return np.random.default_rng(seed).laplace() - np.random.default_rng(seed).laplace()",
        "return np.random.default_rng(seed + 1).laplace()",
    ],
)
def test_a_second_generator_with_one_seed_and_one_with_another_are_refused(shared_runner, write, body):
    """Two generators with one seed give the same numbers: lanes would draw others."""
    source = f"import numpy as np\ndef m(x, random_state: int):\n    seed = random_state\n    {body}\n"
    with pytest.raises(NotOnLanes, match="seed"):
        outputs(shared_runner, write(source))


def test_a_whole_number_in_steps(shared_runner, write):
    found = outputs(shared_runner, write("import random\ndef m(x): return random.randrange(1, 7, 2)"))
    assert set(found) == {(1,), (3,), (5,)}
