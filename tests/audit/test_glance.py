"""Audits that find nothing to look at say so, whatever the reason, and never "no violation found"."""

import math
import textwrap

import numpy as np
import pytest

from dplint.audit.too_little import CODE, Glance
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.outcomes import NoViolation, Untestable
from tests.audit.conftest import outcome_of
from tests.events.event_tools import batch_of

MODULE = """
    import threading

    from dplint import dp


    @dp(epsilon=1.0, neighbors="linf")
    def nothing(rng, answers):
        print(sum(answers) + rng.laplace())


    @dp(epsilon=1.0, neighbors="linf")
    def constant(rng, answers):
        return [1, 0 * len(answers)]


    @dp(epsilon=1.0, neighbors="linf")
    def opaque(rng, answers):
        noisy = sum(answers) + rng.laplace()
        return lambda: noisy


    @dp(epsilon=1.0, neighbors="linf")
    def coin(rng, answers):
        return bool(rng.random() < 0.5)


    @dp(epsilon=1.0, neighbors="linf")
    def in_part(rng, answers):
        return bool(rng.random() < 0.5), lambda: answers
"""


class Engine:
    """Nothing to see here."""

    __slots__ = ()


def looked(*batches):
    glance = Glance()
    glance.look([batch_of(outputs) for outputs in batches])
    return glance


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ([None] * 7, "returned None in all 7 runs, and what it prints"),
        ([[1, "a"]] * 7, "all 7 runs returned [1, 'a']"),
        ([Engine() for _ in range(7)], "(Engine)"),
    ],
)
def test_the_reason_names_what_was_returned(outputs, words):
    found = looked(outputs[:3], outputs[3:]).untestable()

    assert (found.code, words in found.reason, bool(found.cure)) == (CODE, True, True)


@pytest.mark.parametrize(
    "batches",
    [([1.0, 2.0],), ([1.0], [2.0]), (["a"], ["b"]), ([1], [[1]]), ([None, 0],), ([1], [True]), ([1.0], [math.nan])],
)
def test_outputs_that_differ_are_no_constant(batches):
    assert looked(*batches).varied


def test_the_same_text_is_the_same_in_every_batch_whatever_its_number_there():
    """Each batch numbers its texts anew."""
    assert not looked(["b", "b"], ["b"]).varied
    assert looked([["a", "b"]], [["b", "a"]]).varied


def test_after_outputs_have_differed_nothing_more_is_looked_at():
    glance = looked(np.arange(3.0).tolist())
    glance.look([batch_of([Engine()])])

    assert (glance.runs, glance._opaque) == (4, set())


@pytest.mark.process
def test_no_event_is_not_no_violation(tmp_path):
    path = tmp_path / "silent.py"
    path.write_text(textwrap.dedent(MODULE))
    found = {
        item.mechanism.qualname: outcome_of(item, max_runs=20_000)
        for item in load_file(path, Settings())
        if isinstance(item, Target)
    }

    in_part, coin = found.pop("in_part"), found.pop("coin")
    assert (type(in_part), type(coin)) == (NoViolation, NoViolation)
    assert [note for note in in_part.effort.notes if "only the type" in note] == [
        "of function in the output only the type is looked at"
    ]
    assert not any("only the type" in note for note in coin.effort.notes)
    assert {name: type(one) for name, one in found.items()} == dict.fromkeys(found, Untestable)
    assert "returned None in all" in found["nothing"].reason
    assert "runs returned [1, 0]" in found["constant"].reason
    assert "(function)" in found["opaque"].reason
    assert {one.code for one in found.values()} == {CODE}
