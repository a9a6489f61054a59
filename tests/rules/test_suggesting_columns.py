"""What a suggested claim says of each column of a table."""

from __future__ import annotations

import pytest

from tests.rules.test_suggesting import only


@pytest.mark.parametrize(
    ("released", "domain"),
    [
        ('(table["dept"] == "it").sum()', {"dept": ["it", "other"]}),
        ('(table["dept"] == "other").sum()', {"dept": ["other", "another"]}),
        ('(table["pay"] > 50).sum()', {"pay": (0, 100)}),
        ('table["dept"].isin(["it", "hr"]).sum()', {"dept": ["it", "hr", "other"]}),
        ('table["pay"].clip(10, 90).sum()', {"pay": (10, 90)}),
        ('table[table["dept"] == "it"]["pay"].clip(10, 90).sum()', {"pay": (10, 90), "dept": ["it", "other"]}),
        ('sum(r["pay"] for r in table if r["site"] in (1, 2))', {"pay": (0, 100), "site": (0, 4)}),
        ('sum(1 for r in table for label in (0, 1) if r["y"] == label)', {"y": [0, 1]}),
        ('sum(max(-2, min(2, r["x"])) for r in table)', {"x": (-2, 2)}),
        ('(table["pay"] / 50).clip(0, 2).sum()', {"pay": (0, 100)}),
        ('table.assign(twice=2)["twice"].sum() + table["pay"].clip(1, 2).sum()', {"pay": (1, 2)}),
    ],
)
def test_each_column_holds_what_the_source_tells_of_it(released: str, domain: dict[str, object]) -> None:
    one = only(
        f"""
        def report(rng, table, epsilon):
            return {released} + rng.laplace(scale=1 / epsilon)
        """
    )

    assert one.claim["domain"] == domain


@pytest.mark.parametrize(
    ("listed", "domain"),
    [
        ('table.groupby("dept")["pay"].sum().reindex(["it", "hr"])', {"dept": ["it", "hr", "other"], "pay": (0, 100)}),
        ('table["dept"].value_counts().reindex(["it", "hr"], fill_value=0)', {"dept": ["it", "hr", "other"]}),
    ],
)
def test_listed_groups_are_what_the_column_of_the_groups_holds(listed: str, domain: dict[str, object]) -> None:
    one = only(
        f"""
        def report(rng, table, epsilon):
            return {listed} + rng.laplace(scale=1 / epsilon, size=2)
        """
    )

    assert one.claim["domain"] == domain


def test_only_columns_that_nothing_is_known_of_are_told_to_be_guesses():
    one = only(
        """
        def report(rng, table, epsilon):
            return (table["dept"] == "it").sum() + table["pay"].sum() + rng.laplace(scale=1 / epsilon)
        """
    )

    assert [text for text in one.doubts if "column" in text] == [
        "nothing says what the column `pay` may hold: (0, 100) is a guess"
    ]


@pytest.mark.parametrize("name", ["df", "dataFrame", "data_frame", "student_df"])
def test_what_is_called_a_table_is_one_also_as_an_attribute(name: str) -> None:
    """The mean of a library is given a list of one column, which says nothing by itself of what it is of."""
    one = only(
        f"""
        from pydp.algorithms.laplacian import BoundedMean

        class Reporter:
            def __init__(self, epsilon: float = 1.0):
                self.{name} = read()
                self.epsilon = epsilon

            def mean(self) -> float:
                x = BoundedMean(self.epsilon, dtype="float", lower_bound=0, upper_bound=100)
                return x.quick_result(list(self.{name}["grade"]))
        """
    )

    assert one.claim["neighbors"] == "add-remove"
    assert one.claim["domain"] == {"grade": (0, 100)}
