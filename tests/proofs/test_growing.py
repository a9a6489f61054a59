"""A counter in place of the length of a list that only grows: the same outputs, sparse vectors proved, and refusals."""

import numpy as np
import pytest

from dplint.program.nodes import AugAssign, Call
from dplint.program.walk import walk
from dplint.proofs.checker.growing import with_counters
from dplint.readings.concrete import RealGenerators, run
from tests.proofs.proof_tools import of_text, searched


def drawing(seed):
    """Draws by generators with this seed."""
    generators = RealGenerators(*np.random.SeedSequence(seed).spawn(2))
    return lambda node, parameters, size, _site: generators.draw(node, dict(parameters), size)


HEAD = """
from dplint import dp


@dp(epsilon="epsilon", neighbors="linf")
def release(rng, values, epsilon, c=2):
    cut = 1.0 + rng.laplace(scale=2 / epsilon)
    found = []
"""
RIGHT = {
    "a break at the length": """
    for i, value in enumerate(values):
        if value + rng.laplace(scale=4 * c / epsilon) >= cut:
            found.append(i)
            if len(found) >= c:
                break
    return found""",
    "looked at before a turn": """
    for i, value in enumerate(values):
        if len(found) == c:
            break
        if value + rng.laplace(scale=4 * c / epsilon) >= cut:
            found.append(i)
    return found, len(found)""",
    "in a condition": """
    for i, value in enumerate(values):
        if len(found) < c and value + rng.laplace(scale=4 * c / epsilon) >= cut:
            found.append(i)
    return {"places": found, "many": len(found)}""",
}
TWO = """
    below = []
    for i, value in enumerate(values):
        if value + rng.laplace(scale=4 * c / epsilon) >= cut:
            found.append(i)
            if len(found) >= c:
                break
        else:
            below.append(False)
            if len(below) >= 1000:
                break
    return found, below"""
WRONG = {
    "one too many": RIGHT["a break at the length"].replace(">= c:", "> c:"),
    "never": RIGHT["a break at the length"].replace(">= c:", "< 0:"),
    "noise for one": RIGHT["a break at the length"].replace("4 * c", "4"),
    "the data decides on the length": RIGHT["a break at the length"].replace(
        "            if len", "            if value > 1:\n                found.append(i)\n            if len"
    ),
}
LEFT = {
    "another name": "    other = found\n" + RIGHT["a break at the length"],
    "another name for it later": """
    for i, value in enumerate(values):
        other = found
        if value + rng.laplace(scale=4 * c / epsilon) >= cut:
            other.append(i)
            if len(found) >= c:
                break
    return found""",
    "taken out again": """
    for i, value in enumerate(values):
        if value + rng.laplace(scale=4 * c / epsilon) >= cut:
            found.append(i)
            if len(found) >= c:
                found.pop()
    return found""",
    "extended": """
    for i, value in enumerate(values):
        found.extend([i, i])
        if len(found) >= c:
            break
    return found""",
    "begun again": """
    for i, value in enumerate(values):
        found.append(i)
        if len(found) >= c:
            found = []
    return found""",
    "added to": """
    for i, value in enumerate(values):
        found += [i]
        if len(found) >= c:
            break
    return found""",
    "a part of another list": """
    all = [found]
    for i, value in enumerate(values):
        all[0].append(i)
        if len(found) >= c:
            break
    return found""",
    "an element that is it": """
    for i, value in enumerate(values):
        found.append(found)
        if len(found) >= c:
            break
    return len(found)""",
    "given to a helper": """
    for i, value in enumerate(values):
        add(found, i)
        if len(found) >= c:
            break
    return found


def add(items, item):
    items.append(item)""",
    "nothing asks in a loop": """
    for i, value in enumerate(values):
        found.append(i)
    return len(found)""",
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_sparse_vectors_are_proved_for_every_length(tmp_path, body):
    found = searched(tmp_path, HEAD.replace("\nfrom dplint import dp\n", "") + body)

    assert found.settled, found.reason
    assert found.proof.scope.sizes.largest is None


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_wrong_ones_are_not(tmp_path, body):
    """With a hit more 1/2 + 3/2 * 1/2 of epsilon is spent, with noise for one 1/2 + 2 * 1/2, on data long enough.

    Right ones are proved in half of a second; what comes later is about data of few lengths.
    """
    found = searched(tmp_path, HEAD.replace("\nfrom dplint import dp\n", "") + body, seconds=2.0)

    assert found.proof is None or found.proof.scope.sizes.largest is not None


@pytest.mark.parametrize("body", [*RIGHT.values(), *WRONG.values()], ids=[*RIGHT, *WRONG])
def test_the_outputs_are_the_same(tmp_path, body):
    """Draw for draw, on lanes, which know nothing of counters."""
    program, _ = of_text(tmp_path, HEAD + body, "release")
    counted = with_counters(program)
    data = {"values": [0.0, 2.5, 1.0, 3.0, -1.0, 1.5], "epsilon": 1.0, "c": 2}

    given = {name: data[name] for name in program.parameters}
    one, two = ([run(p, given, drawing(seed)).output for seed in range(200)] for p in (program, counted))

    assert counted is not program
    assert one == two
    assert len(set(map(repr, one))) > 1


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_other_lists_are_left_as_they_are(tmp_path, body):
    program, _ = of_text(tmp_path, HEAD + body, "release")

    assert with_counters(program) is program


def test_of_two_lists_both_have_a_counter(tmp_path):
    program, _ = of_text(tmp_path, HEAD + TWO, "release")

    counted = with_counters(program)

    assert not [node for node in walk(counted) if isinstance(node, Call) and node.function == "len"]
    counters = {node.target.id for node in walk(counted) if isinstance(node, AugAssign)}
    assert counters == {"len(found)", "len(below)"}
