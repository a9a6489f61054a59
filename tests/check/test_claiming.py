"""A claim for a function that draws noise and has none: the edits make a claim that is read."""

from pathlib import Path

import pytest

from dplint.check.buffers import BufferReader
from dplint.check.suggesting import new_claim as claim_at
from dplint.config import Settings
from dplint.source.text import split_lines

DRAWS = "def release(rng, counts, epsilon):\n    return [one + rng.laplace(scale=1 / epsilon) for one in counts]\n"


def new_claim(text, line):
    return claim_at(Path("module.py").absolute(), text, line, Settings())


def applied(text, found):
    """The text after the edits, from the last one on."""
    ends = [0]
    for line in text.splitlines(keepends=True):
        ends.append(ends[-1] + len(line))
    for edit in sorted(found.edits, key=lambda one: one.span, reverse=True):
        start = ends[edit.span.line - 1] + edit.span.column - 1
        stop = ends[edit.span.end_line - 1] + edit.span.end_column - 1
        text = text[:start] + edit.text + text[stop:]
    return text


def mechanisms(text):
    loaded = BufferReader().read(Path("module.py").absolute(), text, Settings())
    assert not loaded.errors
    assert not [finding for finding in loaded.findings if finding.code.startswith("DP0")]
    return [(view.mechanism.qualname, view.mechanism.claim.epsilon) for view in loaded.views]


@pytest.mark.parametrize(
    ("head", "spelling"),
    [
        ("", "@dp("),
        ('"""A module."""\n', "@dp("),
        ("from __future__ import annotations\n\nimport numpy as np\n\n\n", "@dp("),
        ("from dplint import dp\n\n\n", "@dp("),
        ("import dplint\n\n\n", "@dplint.dp("),
        ("import dplint as promise\n\n\n", "@promise.dp("),
        ("X = 1\n\n\n", "@dp("),
        ("# a comment\nimport math  # another\n\n\n@staticmethod\n", "@dp("),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_claim_that_is_added_is_read(head, spelling, end):
    text = (head + DRAWS).replace("\n", end)
    line = split_lines(text).index("def release(rng, counts, epsilon):") + 1
    found = new_claim(text, line)

    assert found is not None
    assert (found.function, found.claim) == ("release", 'dp(epsilon="epsilon", neighbors="l1")')
    changed = applied(text, found)
    assert f"{spelling}epsilon=" in changed
    assert mechanisms(changed) == [("release", "epsilon")]
    assert changed.count("\n") == changed.count(end)
    assert new_claim(changed, split_lines(changed).index("def release(rng, counts, epsilon):") + 1) is None


def test_without_such_a_parameter_epsilon_is_a_number():
    found = new_claim(
        "EPSILON = 0.5\n\ndef release(rng, counts):\n    return counts[0] + rng.laplace(0, 1 / EPSILON)\n", 3
    )

    assert found is not None
    assert found.claim == 'dp(epsilon=EPSILON, neighbors="l1")'


def test_inner_functions_and_methods_keep_their_indentation():
    body = "        return [one + rng.laplace(scale=1 / eps) for one in counts]\n"
    text = f"class Counter:\n    @staticmethod\n    def release(rng, counts, eps):\n{body}"
    found = new_claim(text, 3)

    assert found is not None
    assert '    @dp(epsilon="eps", neighbors="l1")\n    @staticmethod\n' in applied(text, found)
    assert mechanisms(applied(text, found)) == [("Counter.release", "eps")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def release(counts):\n    return counts\n", 1),
        ("def setUp(rng, counts, epsilon):\n    return counts + rng.laplace(scale=1 / epsilon)\n", 1),
        ("def release(rng, counts, epsilon):\n    return rng.laplace(scale=1 / epsilon)\n", 1),
        ("def release(rng, counts, epsilon):\n    lost = counts + rng.laplace(scale=1 / epsilon)\n", 1),
        (DRAWS, 2),
        ("# dplint: dp(epsilon=1.0)\n" + DRAWS, 2),
        ("@dp(epsilon=1.0)\n" + DRAWS, 2),
        ("def release(:\n", 1),
        ("", 1),
    ],
)
def test_nothing_is_offered_where_nothing_is_missing(text, line):
    assert new_claim(text, line) is None
