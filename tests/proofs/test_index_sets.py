"""Sets of the indices of a loop, read as lists: the same answers, right ones proved, and other sets left alone."""

import random
from dataclasses import replace

import pytest

from dplint.program.nodes import Function
from dplint.proofs.checker.index_sets import with_lists
from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text, searched

VECTOR = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, queries, epsilon, T, N: int):
    bar = T + rng.laplace(scale=2 / epsilon)
    hits = set()
    for i, q in enumerate(queries):
        if q + rng.laplace(scale=4 * N / epsilon) >= bar:
            hits.add(i)
            if len(hits) >= N:
                break
    return sorted(hits)
"""
RIGHT = {
    "of indices": VECTOR,
    "a dict": VECTOR.replace("set()", "{}").replace("hits.add(i)", "hits[i] = None"),
    "asked after the loop": VECTOR.replace("    return", "    if len(hits) == 0:\n        return []\n    return"),
}
WRONG = {
    "half the noise": VECTOR.replace("4 * N", "2 * N"),
    "no noise on the bar": VECTOR.replace(" + rng.laplace(scale=2 / epsilon)", ""),
    "no end": VECTOR.replace("            if len(hits) >= N:\n                break\n", ""),
    "of answers": VECTOR.replace("hits.add(i)", "hits.add(q)"),
}
OTHERS = {
    "of answers": VECTOR.replace("hits.add(i)", "hits.add(q)"),
    "one twice": VECTOR.replace("            hits.add(i)", "            hits.add(i)\n            hits.add(i)"),
    "one element": VECTOR.replace("hits.add(i)", "hits.add(1)"),
    "not the index": VECTOR.replace("hits.add(i)", "hits.add(i % 2)"),
    "an index that is changed": VECTOR.replace("            hits.add(i)", "            i = 0\n            hits.add(i)"),
    "counted from where it was": VECTOR.replace("enumerate(queries)", "zip([0] * len(queries), queries)"),
    "another one first": VECTOR.replace("    for", "    hits.add(0)\n    for"),
    "twice in a turn": VECTOR.replace(
        "            hits.add(i)", "            for _ in range(2):\n                hits.add(i)"
    ),
    "from the last": VECTOR.replace("sorted(hits)", "sorted(hits, reverse=True)"),
    "asked for what is in it": VECTOR.replace(
        "    return", "    if 0 in hits and len(queries) > 1:\n        return []\n    return"
    ),
    "begun after the loop": VECTOR.replace("    hits = set()\n", "").replace(
        "    return", "    hits = set()\n    return"
    ),
    "of many iterables": VECTOR.replace("enumerate(queries)", "enumerate(queries, 5)"),
    "never full": VECTOR.replace("            if len", "            hits = set()\n            if len"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, name):
    found = searched(tmp_path, RIGHT[name])

    assert found.full, found.reason


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones_are_not(tmp_path, name):
    found = search(*of_text(tmp_path, "from dplint import dp\n\n\n" + WRONG[name], "release"), 2.0)

    assert not found.full  # of few values it may be right


@pytest.mark.parametrize("name", OTHERS)
def test_other_sets_are_left_alone(tmp_path, name):
    program, _ = of_text(tmp_path, "from dplint import dp\n\n\n" + OTHERS[name], "release")

    assert with_lists(program) is program


def test_a_set_that_a_caller_or_a_function_may_have_is_left_alone(tmp_path):
    """Lowering gives each variable a name of its own; the checker does not rest on that."""
    program, _ = of_text(tmp_path, "from dplint import dp\n\n\n" + VECTOR, "release")
    given = replace(program, parameters=(*program.parameters, "hits"))
    looked_at = replace(
        program, functions=(Function("told", (), program.body[-1:], frozenset(), program.body[-1].span),)
    )

    assert with_lists(program) is not program
    assert with_lists(given) is given
    assert with_lists(looked_at) is looked_at


def test_both_have_the_same_elements_in_the_same_order():
    """As Python has it, for random choices of turns."""
    source = random.Random(5)
    for _ in range(200):
        chosen = [source.random() < 0.5 for _ in range(12)]
        hits, found = set(), []
        for i, one in enumerate(chosen):
            if one:
                hits.add(i)
                found.append(i)
            assert len(hits) == len(found)
        assert sorted(hits) == found
