"""Objects that are asked before something is spent."""

import ast
from textwrap import dedent

import pytest

from dplint.contracts.accountants import keeper
from dplint.contracts.tree import Standing
from tests.contracts.budgets import budget

ADAPTIVE = """
    budget = Budget({total})
    answers = []
    while not answers or answers[-1] > 10:
        share = epsilon / 10 if not answers else epsilon / (10 + abs(answers[-1]))
        {spend}
        answers.append(count(rng, rows, {share}))
    return answers
"""
REPLACE = '@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))'
MEANS = """
    accountant = BudgetAccountant({given})
    mean = tools.mean(rows, epsilon=epsilon, bounds=(0, 1), accountant={first})
    return mean, tools.var(rows, epsilon=epsilon, bounds=(0, 1), accountant={second})
"""


@pytest.mark.parametrize(
    ("total", "spend", "share", "standing"),
    [
        ("epsilon", "budget.spend(share)", "share", "within"),
        ("epsilon", "budget.spend(share)", "2 * share", "undecided"),
        ("epsilon", "pass", "share", "undecided"),
        ("2 * epsilon", "budget.spend(share)", "share", "undecided"),
        ("epsilon", "budget.left = 1; budget.spend(share)", "share", "undecided"),
        ("epsilon", "refill(budget); budget.spend(share)", "share", "undecided"),
        ("epsilon", "Budget(1).spend(share)", "share", "undecided"),
    ],
)
def test_shares_that_are_chosen_on_the_way(tmp_path, total, spend, share, standing):
    body = dedent(ADAPTIVE).format(total=total, spend=spend, share=share)

    assert budget(tmp_path, body).standing.value == standing


def test_what_is_asked_for_afterwards_was_not_allowed(tmp_path):
    body = """
    budget = Budget(epsilon)
    answers = []
    while not answers or answers[-1] > 10:
        answers.append(count(rng, rows, epsilon / 3))
        budget.spend(epsilon / 3)
    return answers
    """

    assert budget(tmp_path, body).standing is Standing.UNDECIDED


def test_an_exception_that_is_caught_and_forgotten(tmp_path):
    body = """
    budget = Budget(epsilon)
    answers = []
    while not answers or answers[-1] > 10:
        try:
            budget.spend(epsilon / 3)
        except ValueError:
            {handled}
        answers.append(count(rng, rows, epsilon / 3))
    return answers
    """

    assert budget(tmp_path, dedent(body).format(handled="break")).standing is Standing.WITHIN
    assert budget(tmp_path, dedent(body).format(handled="pass")).standing is Standing.UNDECIDED


@pytest.mark.parametrize(
    ("given", "first", "second", "standing"),
    [
        ("epsilon=epsilon, delta=0", "accountant", "accountant", "within"),
        ("epsilon, 0", "accountant", "accountant", "within"),
        ("epsilon=epsilon, delta=0", "accountant", "None", "undecided"),
        ("epsilon=2 * epsilon, delta=0", "accountant", "accountant", "overspent"),
        ("delta=0", "accountant", "accountant", "overspent"),
        ("epsilon=epsilon, delta=0.2, slack=0.1", "accountant", "accountant", "undecided"),
    ],
)
def test_diffprivlib(tmp_path, given, first, second, standing):
    """With slack, its total is that of another theorem, which needs a delta; without a limit it stops nothing."""
    body = dedent(MEANS).format(given=given, first=first, second=second)

    assert budget(tmp_path, body, REPLACE).standing.value == standing


def test_the_accountant_that_diffprivlib_falls_back_on(tmp_path):
    body = """
    with BudgetAccountant(epsilon=epsilon, delta=0) as accountant:
        mean = tools.mean(rows, epsilon=epsilon, bounds=(0, 1))
        return mean, tools.var(rows, epsilon=epsilon, bounds=(0, 1))
    """

    assert budget(tmp_path, body, REPLACE).standing is Standing.WITHIN


def test_without_bounds_diffprivlib_promises_nothing(tmp_path):
    assert budget(tmp_path, "return tools.mean(rows, epsilon=epsilon)", REPLACE).standing is Standing.UNDECIDED


START = "def __init__(self, total):\n        self.left = total\n        self.spent = 0.0\n        self.total = total"
STOP = "{}:\n            raise ValueError\n        "
FIRST = STOP.format("if amount > self.left")
GOOD = {
    "lowered": FIRST + "self.left -= amount",
    "the other way round": STOP.format("if self.left < amount") + "self.left = self.left - amount",
    "checked afterwards": "self.left -= amount\n        if self.left < 0:\n            raise ValueError",
    "counted up": STOP.format("if self.spent + amount > self.total") + "self.spent += amount",
    "with a result": FIRST + "self.left -= amount\n        return self.left",
}
BAD = {
    "no check": "self.left -= amount",
    "a check that prints": "if amount > self.left:\n            print('spent')\n        self.left -= amount",
    "an assertion, which -O takes away": "assert amount <= self.left\n        self.left -= amount",
    "another number": STOP.format("if amount > self.total") + "self.left -= amount",
    "half": FIRST + "self.left -= amount / 2",
    "raised": FIRST + "self.left += amount",
    "some tolerance": STOP.format("if amount > self.left + 0.1") + "self.left -= amount",
    "twice": FIRST + "self.left -= amount\n        self.left = 1",
}


def _keeper(method, further="", header="class Budget:"):
    text = f"{header}\n    {START}\n\n    def spend(self, amount):\n        {method}\n{further}"
    return keeper(ast.parse(text).body[0])


@pytest.mark.parametrize("method", GOOD.values(), ids=GOOD)
def test_classes_that_keep_a_budget(method):
    found = _keeper(method)

    assert found is not None
    assert (found.total, list(found.spends)) == ("total", ["spend"])


@pytest.mark.parametrize("method", BAD.values(), ids=BAD)
def test_classes_that_do_not(method):
    assert _keeper(method) is None


def test_what_else_a_class_may_do():
    plain = GOOD["lowered"]

    assert _keeper(plain, "\n    def remaining(self):\n        return self.left\n") is not None
    assert _keeper(plain, "\n    def refill(self):\n        self.left = 1\n") is None
    assert _keeper(plain, "\n    def give(self):\n        other(self)\n") is None
    assert _keeper(plain, header="class Budget(Base):") is None
