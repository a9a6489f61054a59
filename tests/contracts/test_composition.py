"""Sums of claims against what the composition theorems say of them by hand."""

import pytest

from dplint.contracts.tree import Standing
from tests.contracts.budgets import PARTS, budget, budgets_of, line_of, written

WITHIN = {
    "halves": "return count(rng, rows, epsilon / 2), count(rng, rows, epsilon / 2)",
    "shares that add up": """
        share = 0.3
        first = count(rng, rows, share * epsilon)
        return first, count(rng, rows, epsilon - share * epsilon)
    """,
    "tenths, exactly": "return [count(rng, rows, 0.1 * epsilon) for _ in range(10)]",
    "k turns": """
        answers = []
        for _ in range(k):
            answers.append(count(rng, rows, epsilon / k))
        return answers
    """,
    "disjoint": """
        young = [row for row in rows if row < 18]
        return count(rng, young, epsilon), count(rng, [row for row in rows if row >= 18], epsilon)
    """,
    "a part for each key": "return {key: count(rng, [r for r in rows if r == key], epsilon) for key in range(50)}",
    "three keys": "return [count(rng, [r for r in rows if r == key], epsilon) for key in (1, 2, 3)]",
    "one of two": """
        if k > 3:
            return count(rng, rows, epsilon)
        noisy = count(rng, rows, epsilon / 2)
        if noisy > 10:
            noisy = count(rng, rows, epsilon / 2)
        return noisy
    """,
    "chosen in view of an answer": """
        noisy = count(rng, rows, epsilon / 2)
        wanted = [row for row in rows if row > noisy]
        return count(rng, wanted, epsilon / 2)
    """,
    "a helper": """
        def nothing():
            return 0
        return count(rng, list(rows), epsilon / 2) + count(rng, sorted(rows), epsilon / 2)
    """,
    "answers into a table": """
        table = {}
        table["all"] = count(rng, rows, epsilon)
        return table
    """,
}
OVERSPENT = {
    "twice the whole": "return count(rng, rows, epsilon), count(rng, rows, epsilon)",
    "a part of it again": """
        young = [row for row in rows if row < 18]
        return count(rng, rows, epsilon), count(rng, young, 0.01 * epsilon)
    """,
    "one branch": """
        if k > 3:
            return count(rng, rows, 1.5 * epsilon)
        return count(rng, rows, epsilon)
    """,
    "three turns": "return [count(rng, rows, epsilon / 2) for _ in range(3)]",
    "a delta that is not claimed": "return rough_count(rng, rows, epsilon, 1e-6)",
    "before an early end": """
        first = count(rng, rows, epsilon)
        second = count(rng, rows, epsilon)
        if second > first:
            return first
        return second
    """,
}
UNDECIDED = {
    # A negative epsilon gives nothing back: the other part spends what it spends.
    "as much again, less than nothing": "return count(rng, rows, 2 * epsilon / 2), count(rng, rows, -epsilon / 2)",
    "a rest that may be negative": "return count(rng, rows, 1), count(rng, rows, epsilon - 1)",
    "a share that may be above 1": "return count(rng, rows, k * epsilon), count(rng, rows, epsilon - k * epsilon)",
    # Records that are chosen by chance lose less: ln(1 + (e**2 - 1) / 10) = 0.49 where epsilon is 1.
    "a tenth by chance": "return count(rng, [r for r in rows if rng.random() < 0.1], 2 * epsilon)",
    "made by chance": "return count(rng, [r if rng.random() < 0.1 else 0 for r in rows], 2 * epsilon)",
    "k turns of the whole": """
        answers = []
        for _ in range(k):
            answers.append(count(rng, rows, epsilon))
        return answers
    """,
    "parts that may overlap": """
        first, second = [row for row in rows if row < k], [row for row in rows if row > 18]
        return count(rng, first, epsilon), count(rng, second, epsilon)
    """,
    "a coin on each side": """
        first = [row for row in rows if rng.random() < 0.5]
        second = [row for row in rows if rng.random() >= 0.5]
        return count(rng, first, epsilon), count(rng, second, epsilon)
    """,
    "keys that may be equal": "return [count(rng, [r for r in rows if r == key], epsilon) for key in k]",
    "no end": """
        noisy = 0
        while noisy < 10:
            noisy = count(rng, rows, epsilon)
        return noisy
    """,
    "one branch or the other, both twice": """
        total = 0
        if k > 3:
            total += count(rng, rows, 0.75 * epsilon)
        if k <= 3:
            total += count(rng, rows, 0.75 * epsilon)
        return total
    """,
    "another domain": "return count(rng, [1000 * row for row in rows], epsilon)",
}


@pytest.mark.parametrize("body", WITHIN.values(), ids=WITHIN)
def test_within(tmp_path, body):
    found = budget(tmp_path, body, parameters="rng, rows, epsilon, k")

    assert found.standing is Standing.WITHIN, found.unclear


@pytest.mark.parametrize("body", OVERSPENT.values(), ids=OVERSPENT)
def test_overspent(tmp_path, body):
    found = budget(tmp_path, body, parameters="rng, rows, epsilon, k")

    assert found.standing is Standing.OVERSPENT, found.unclear


@pytest.mark.parametrize("body", UNDECIDED.values(), ids=UNDECIDED)
def test_undecided(tmp_path, body):
    found = budget(tmp_path, body, parameters="rng, rows, epsilon, k")

    assert found.standing is Standing.UNDECIDED
    assert found.unclear


def test_the_call_that_is_too_much_is_named(tmp_path):
    found = budget(
        tmp_path,
        """
        first = count(rng, rows, epsilon / 2)
        second = count(rng, rows, epsilon / 2)
        third = count(rng, rows, epsilon / 4)
        return first, second, third, count(rng, rows, epsilon)
        """,
    )
    lines = (tmp_path / "reports.py").read_text().split("\n")

    assert lines[line_of(found) - 1].startswith("    third = ")
    assert str(found.spent) == "1.25 * epsilon"


def test_a_default_is_an_argument(tmp_path):
    body = "return [count(rng, rows, epsilon) for _ in range(k)]"

    assert budget(tmp_path, body, parameters="rng, rows, epsilon, k=3").at == (("k", "3"),)
    assert budget(tmp_path, body, parameters="rng, rows, epsilon, k=1").standing is Standing.UNDECIDED


def test_arguments_that_the_claim_names(tmp_path):
    claim = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100), args={{"k": {}}})'
    body = "return [count(rng, rows, epsilon / 3) for _ in range(k)]"

    for args, standing in (("(1, 3)", Standing.WITHIN), ("(1, 4)", Standing.OVERSPENT), ("3", Standing.WITHIN)):
        found = budget(tmp_path, body, claim.format(args), "rng, rows, epsilon, k")
        assert found.standing is standing, args


def test_a_replaced_record_costs_at_most_two_steps_of_adding_and_removing(tmp_path):
    claim = '@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))'

    assert budget(tmp_path, "return count(rng, rows, epsilon / 2)", claim).standing is Standing.WITHIN
    # A count moves by 1 as well where a record is replaced, so two steps are a bound, and no more.
    assert budget(tmp_path, "return count(rng, rows, 0.6 * epsilon)", claim).standing is Standing.UNDECIDED
    assert budget(tmp_path, "return count(rng, rows, 1.1 * epsilon)", claim).standing is Standing.OVERSPENT


def test_adding_a_record_is_no_step_of_replacing_one(tmp_path):
    found = budget(tmp_path, "return tools.mean(rows, epsilon=epsilon, bounds=(0, 1))")

    assert found.standing is Standing.UNDECIDED
    assert "replace-one" in found.unclear[0].reason


@pytest.mark.parametrize(
    ("relation", "sensitivity", "standing"),
    [("linf", 1, "within"), ("l1", 1, "within"), ("l2", 1, "within"), ("linf", 2, "undecided")],
)
def test_norms(tmp_path, relation, sensitivity, standing):
    """A vector whose moves add up to 1 moves by 1 nowhere; one that moves by 2 is two steps away."""
    claim = f'@dp(epsilon="epsilon", neighbors="{relation}", sensitivity={sensitivity}, data="rows")'

    assert budget(tmp_path, "return noisy_max(rng, rows, epsilon)", claim).standing.value == standing


def test_delta_adds_up_and_is_never_called_overspent_where_one_is_claimed(tmp_path):
    claim = '@dp(epsilon="epsilon", delta={}, neighbors="add-remove", domain=(0, 100))'
    body = "return [rough_count(rng, rows, epsilon / 2, 1e-6) for _ in range(2)]"

    assert budget(tmp_path, body, claim.format("2e-6")).standing is Standing.WITHIN
    assert budget(tmp_path, body, claim.format("1e-6")).standing is Standing.UNDECIDED


def test_functions_of_other_modules(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "noise.py").write_text(PARTS)
    source = """
    from dplint import dp
    from noise import count
    import noise

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
    def good(rng, rows, epsilon):
        return count(rng, rows, epsilon / 2) + noise.count(rng, rows, epsilon / 2)

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
    def bad(rng, rows, epsilon):
        return count(rng, rows, epsilon) + noise.count(rng, rows, epsilon / 2)
    """
    found = budgets_of(written(tmp_path, source, parts=""))

    assert found["good"].standing is Standing.WITHIN
    assert found["bad"].standing is Standing.OVERSPENT


def test_helpers_without_a_claim_are_followed(tmp_path):
    source = """
    def twice(rng, rows, share):
        first = count(rng, rows, share)
        return first + count(rng, rows, share)

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
    def good(rng, rows, epsilon):
        return twice(rng, rows, epsilon / 2)

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
    def bad(rng, rows, epsilon):
        return twice(rng, rows, share=epsilon)
    """
    found = budgets_of(written(tmp_path, source))

    assert (found["good"].standing, found["bad"].standing) == (Standing.WITHIN, Standing.OVERSPENT)


def test_mechanisms_without_parts(tmp_path):
    assert budgets_of(written(tmp_path, ""))["count"].standing is Standing.LEAF
