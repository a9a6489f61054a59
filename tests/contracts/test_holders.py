"""Accountants that an object or a module holds."""

from textwrap import dedent

import pytest

from tests.contracts.budgets import PARTS, budgets_of, written

ADAPTIVE = """
answers = []
while not answers or answers[-1] > 10:
    share = 0.1 if not answers else 1 / (10 + abs(answers[-1]))
    {spend}
    answers.append(count(rng, rows, {share}))
return answers
"""
CLASS = """
class Reports:
    def __init__(self{parameters}):
        self.budget = {made}
        {start}

    def other(self, rows):
        {other}

    @dp(epsilon=1.0, neighbors="{neighbors}", domain=(0, 100))
    def release(self, rng, rows):
{body}
"""
MODULE = """
BUDGET = {made}

def other(rows):
    {other}

@dp(epsilon=1.0, neighbors="{neighbors}", domain=(0, 100))
def release(rng, rows):
{body}
"""
MEANS = """
{holder}.check(0.5, 0)
mean = tools.mean(rows, epsilon=0.5, bounds=(0, 1), accountant={holder})
while mean > 0.5:
    mean = tools.mean(rows, epsilon=mean / 9, bounds=(0, 1), accountant={holder})
return mean
"""


def adaptive(holder, spend="{holder}.spend(share)", share="share"):
    return dedent(ADAPTIVE).format(spend=spend.format(holder=holder), share=share)


def standing(tmp_path, template, body, neighbors="add-remove", **given):
    inner = "\n".join(" " * (8 if template is CLASS else 4) + line for line in dedent(body).strip().split("\n"))
    known = {"parameters": "", "made": "Budget(1.0)", "start": "pass", "other": "pass"} | given
    source = dedent(template).format(body=inner, neighbors=neighbors, **known)
    found = budgets_of(
        written(tmp_path, source, PARTS.replace("epsilon <= 0 or", known.pop("guard", "epsilon < 0 or")))
    )
    return found["Reports.release" if template is CLASS else "release"].standing.value


@pytest.mark.parametrize(("template", "holder"), [(CLASS, "self.budget"), (MODULE, "BUDGET")], ids=["object", "module"])
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, "within"),
        ({"other": "return {holder}.left"}, "within"),
        ({"other": "{holder}.spend(0.5)"}, "within"),
        ({"made": "Budget(1.5)"}, "undecided"),
        ({"made": "Budget(total=2 * 0.5)"}, "within"),
        ({"made": "Unknown(1.0)"}, "undecided"),
        ({"guard": ""}, "undecided"),
        ({"other": "{holder}.left = 5"}, "undecided"),
        ({"other": "{holder}.__init__(5)"}, "undecided"),
        ({"other": "mine = {holder}\n        mine.left = 5"}, "undecided"),
        ({"other": "refill({holder})"}, "undecided"),
        ({"other": "refill(accountant={holder})"}, "undecided"),
    ],
    ids=str,
)
def test_shares_that_are_chosen_on_the_way(tmp_path, template, holder, change, expected):
    """An adaptive loop has no other bound than what the accountant lets through."""
    given = {name: text.format(holder=holder) for name, text in change.items()}
    given = {name: text if template is CLASS else text.replace("\n    ", "\n") for name, text in given.items()}

    assert standing(tmp_path, template, adaptive(holder), **given) == expected


@pytest.mark.parametrize(("template", "holder"), [(CLASS, "self.budget"), (MODULE, "BUDGET")], ids=["object", "module"])
@pytest.mark.parametrize(
    ("spend", "share"),
    [
        ("pass", "share"),
        ("{holder}.spend(share)", "2 * share"),
        ("{holder}.spend(len(rows))", "share"),
        ("{holder}.left = 1; {holder}.spend(share)", "share"),
        ("if rows: {holder}.spend(share)", "share"),
    ],
)
def test_shares_that_nobody_has_allowed(tmp_path, template, holder, spend, share):
    assert standing(tmp_path, template, adaptive(holder, spend, share)) == "undecided"


@pytest.mark.parametrize(
    "given",
    [
        {"other": "self.budget = Budget(9.0)"},
        {"parameters": ", total", "made": "Budget(total)"},
        {"parameters": ", kept: Budget", "made": "kept"},
        {"start": "self.budget.left = 9"},
        {"start": "self.budget.spend(-1)"},
        {"start": "setattr(self, 'budget', Budget(9.0))"},
    ],
    ids=str,
)
def test_objects_whose_total_is_not_known(tmp_path, given):
    assert standing(tmp_path, CLASS, adaptive("self.budget"), **given) in ("undecided", "leaf")


@pytest.mark.parametrize(
    "given", [{"parameters": ", total", "made": "Budget(total)"}, {"parameters": ", kept: Budget", "made": "kept"}]
)
def test_what_an_unknown_total_lets_through_is_added_up(tmp_path, given):
    """The accountant is no news there: who asks it does not show the data by that."""
    body = "self.budget.spend({0})\nreturn count(rng, rows, {0}), count(rng, rows, {0})"

    assert standing(tmp_path, CLASS, body.format(0.5), **given) == "within"
    assert standing(tmp_path, CLASS, body.format(0.7), **given) == "overspent"


def test_a_module_that_binds_the_name_twice(tmp_path):
    text = MODULE.replace("def other(rows):", "if 1:\n    BUDGET = Budget(9.0)\n\ndef other(rows):")
    again = MODULE.replace("    {other}", "    global BUDGET\n    BUDGET = Budget(9.0)")

    assert standing(tmp_path, text, adaptive("BUDGET")) == "undecided"
    assert standing(tmp_path, again, adaptive("BUDGET")) == "undecided"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("BudgetAccountant(epsilon=1.0, delta=0)", "within"),
        ("BudgetAccountant(1.0, 0)", "within"),
        ("BudgetAccountant(epsilon=1.5, delta=0)", "undecided"),
        ("BudgetAccountant(delta=0)", "undecided"),
        ("BudgetAccountant(epsilon=1.0, delta=0.2, slack=0.1)", "undecided"),
    ],
)
@pytest.mark.parametrize(("template", "holder"), [(CLASS, "self.budget"), (MODULE, "BUDGET")], ids=["object", "module"])
def test_diffprivlib(tmp_path, template, holder, made, expected):
    body = dedent(MEANS).format(holder=holder)

    assert standing(tmp_path, template, body, "replace-one", made=made) == expected


def test_only_checked_is_not_spent(tmp_path):
    """`check` raises where too much is asked for, and lowers nothing."""
    body = "self.budget.check(0.5, 0)\nmean = 1.0\nwhile mean > 0.5:\n"
    body += "    self.budget.check(0.1, 0)\n    mean = tools.mean(rows, epsilon=0.1, bounds=(0, 1))\nreturn mean"

    assert standing(tmp_path, CLASS, body, "replace-one", made="BudgetAccountant(1.0, 0)") == "undecided"


def test_a_number_of_the_data_that_an_accountant_keeps(tmp_path):
    body = "budget = Budget(1.0)\nbudget.spend(len(rows) / 1000)\nreturn count(rng, rows, 0.5), budget.left"

    assert standing(tmp_path, MODULE, body) == "undecided"


GENERATOR = """
import numpy as np

class Reports:
    def __init__(self{parameter}):
        self.rng = {made}

    @dp(epsilon=1.0, neighbors="add-remove", domain=(0, 100))
    def release(self, rows):
        {before}
        return count(self.rng, rows, 1.0)
"""


@pytest.mark.parametrize(
    ("made", "parameter", "before", "expected"),
    [
        ("np.random.default_rng()", "", "pass", "within"),
        ("rng", ", rng: np.random.Generator", "pass", "within"),
        ("rng", ", rng", "pass", "undecided"),
        ("np.random.default_rng()", "", "self.rng.shuffle(rows)", "undecided"),
        ("np.random.default_rng()", "", "self.rng.bit_generator.state = rows[0]", "undecided"),
        ("np.random.default_rng()", "", "self.rng = rows", "undecided"),
    ],
)
def test_a_generator_that_an_object_hands_to_its_parts(tmp_path, made, parameter, before, expected):
    source = dedent(GENERATOR).format(made=made, parameter=parameter, before=before)

    assert budgets_of(written(tmp_path, source))["Reports.release"].standing.value == expected


ASKED = """
class Reports:
    def __init__(self):
        self.accountant = BudgetAccountant(epsilon={total}, delta=0)

    @dp(epsilon=1.0, neighbors="replace-one", domain=(0, 1))
    def release(self, rows):
        self.accountant.spend({first}, 0)
        mean = tools.mean(rows, epsilon=0.6, bounds=(0, 1))
        self.accountant.spend(0.6, 0)
        return mean, tools.mean(rows, epsilon=0.6, bounds=(0, 1))
"""


@pytest.mark.parametrize(
    ("total", "first", "expected"), [("1.0", "0.6", "within"), ("1.2", "0.6", "overspent"), ("1.0", "0.1", "undecided")]
)
def test_an_accountant_of_diffprivlib_that_is_asked_by_hand(tmp_path, total, first, expected):
    """The second is refused where the total is 1; with 1.2 both come through. What was not asked for is no share."""
    source = dedent(ASKED).format(total=total, first=first)

    assert budgets_of(written(tmp_path, source))["Reports.release"].standing.value == expected
