"""Methods that call claimed methods of their object, and what else their object may hold.

A method of an object that is not understood has no parts: it is a leaf.
"""

from textwrap import dedent

import pytest

from tests.contracts.budgets import budgets_of, written

PARTS = "from dataclasses import dataclass\n\nimport numpy as np\n\nfrom dplint import dp\n\n\n"
CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100), data="{data}")'
GIVEN = """
class Reports:
    def __init__(self, share=0.5):
        self.share = share
        self.half = 0.5
        self.rng = np.random.default_rng()
        self.seen = []

    {claim}
    def count(self, rng, rows, epsilon):
        self.last = rows
        return len(rows) + rng.laplace(scale=1 / epsilon)

    def twice(self, rng, rows, epsilon):
        return self.count(rng, rows, epsilon), self.count(rng, rows, epsilon)

    {claim}
    def release(self, rng, rows, epsilon):
        {body}
"""
HELD = """
@dataclass
class Reports:
    rows: list
    half: float = 0.5

    {claim}
    def count(self, rng, epsilon):
        return len(self.rows) + rng.laplace(scale=1 / epsilon)

    {of}
    def of(self, rng, rows, epsilon):
        return len(rows) + rng.laplace(scale=1 / epsilon)

    {claim}
    def release(self, rng, epsilon):
        {body}
"""
GIVEN_BODIES = {
    "halves": ("return self.count(rng, rows, self.half * epsilon), self.count(rng, rows, epsilon / 2)", "within"),
    "twice": ("return self.count(rng, rows, epsilon), self.count(rng, rows, epsilon)", "overspent"),
    "a helper that spends twice": ("return self.twice(rng, rows, epsilon)", "overspent"),
    "a helper, of half": ("return self.twice(rng, rows, epsilon / 2)", "within"),
    "the object's generator": ("return self.count(self.rng, rows, epsilon)", "within"),
    "a share that is not known": ("return self.count(rng, rows, self.share * epsilon)", "undecided"),
    "disjoint parts": (
        "young = [row for row in rows if row < 18]\n"
        "        return self.count(rng, young, epsilon), self.count(rng, [r for r in rows if r >= 18], epsilon)",
        "within",
    ),
    "a number of the data kept": (
        "self.n = len(rows)\n        return self.count(rng, rows, epsilon), self.n",
        "undecided",
    ),
    "what a part has kept": ("return self.count(rng, rows, epsilon), self.last", "undecided"),
    "a list that it has filled": (
        "self.seen.append(rows)\n        return self.count(rng, rows, epsilon), self.seen",
        "undecided",
    ),
    "all that it holds": ("return self.count(rng, rows, epsilon), vars(self)", "leaf"),
    "itself": ("return self.count(rng, rows, epsilon), self", "leaf"),
    "a filter by what it holds": (
        "kept = [row for row in rows if row < self.last]\n        return self.count(rng, kept, epsilon)",
        "undecided",
    ),
    "another method": ("self.count = print\n        return self.count(rng, rows, epsilon / 2)", "leaf"),
}
HELD_BODIES = {
    "halves": ("return self.count(rng, self.half * epsilon)", "undecided"),
    "halves in numbers": ("return self.count(rng, epsilon / 2), self.of(rng, self.rows, 0.5 * epsilon)", "within"),
    "twice": ("return self.count(rng, epsilon), self.of(rng, self.rows, epsilon)", "overspent"),
    "disjoint parts": (
        "young = [row for row in self.rows if row < 18]\n"
        "        return self.of(rng, young, epsilon), self.of(rng, [r for r in self.rows if r >= 18], epsilon)",
        "within",
    ),
    "the data itself": ("return self.count(rng, epsilon), self.rows", "undecided"),
    "how many there are": ("return self.count(rng, epsilon), len(self.rows)", "undecided"),
    "a filter that knows all": (
        "kept = [row for row in self.rows if row < len(self.rows)]\n        return self.of(rng, kept, epsilon)",
        "undecided",
    ),
    "a branch on the data": ("return self.count(rng, epsilon) if self.rows else 0.0", "undecided"),
    "data that is changed": ("self.rows = self.rows * 2\n        return self.count(rng, epsilon)", "leaf"),
}


def standing(tmp_path, text, body, data):
    source = dedent(text).format(claim=CLAIM.format(data=data), of=CLAIM.format(data="rows"), body=body)
    return budgets_of(written(tmp_path, source, PARTS))["Reports.release"].standing.value


@pytest.mark.parametrize(("body", "expected"), GIVEN_BODIES.values(), ids=GIVEN_BODIES)
def test_data_that_is_given(tmp_path, body, expected):
    assert standing(tmp_path, GIVEN, body, "rows") == expected


@pytest.mark.parametrize(("body", "expected"), HELD_BODIES.values(), ids=HELD_BODIES)
def test_data_that_the_object_holds(tmp_path, body, expected):
    assert standing(tmp_path, HELD, body, "self.rows") == expected


def test_objects_of_other_classes(tmp_path):
    """What a base class does, or a method that a subclass may share with it, is not seen."""
    body, _ = GIVEN_BODIES["halves"]

    assert standing(tmp_path, GIVEN.replace("class Reports:", "class Reports(dict):"), body, "rows") == "leaf"
    assert standing(tmp_path, GIVEN.replace("self.half = 0.5", "super().__init__()"), body, "rows") == "leaf"
