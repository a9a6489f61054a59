"""Columns of pandas of which some values are missing: filled, summed and counted.

What is right and what is wrong is found out by running the functions (`small_data`).
"""

import pytest

from tests.proofs.proof_tools import searched
from tests.proofs.small_data import GAPS, loss, release


def table(value, scale=1, body=""):
    """A function of a table."""
    return release(GAPS, body, value, scale, ": pd.DataFrame")


RIGHT = {
    "filled": table('data["age"].fillna(2.0).sum()', 3),
    "cut off and filled": table('data["age"].clip(0, 2).fillna(1).sum()', 2),
    "filled with more": table('data["age"].fillna(5.0).sum()', 5),
    "left out": table('data["age"].sum()', 3),
    "cut off and left out": table('data["age"].clip(0.0, 2.0).sum()', 2),
    "how many there are": table('data["age"].count()'),
    "how many are missing": table('data["age"].isna().sum()'),
    "how many are not": table('data["age"].notna().sum()'),
    "another column": table('(data["kind"] == "a").sum()'),
    "of a table with gaps": table("len(data)"),
}
WRONG = {name: text.replace("scale=1 /", "scale=0.9 /") for name, text in RIGHT.items() if "scale=1 /" in text} | {
    "filled, for less": table('data["age"].fillna(2.0).sum()', 2.7),
    "filled with more, for less": table('data["age"].fillna(5.0).sum()', 4.5),
    "cut off and filled with more": table('data["age"].clip(0, 2).fillna(3).sum()', 2),
    "cut off after": table('data["age"].fillna(9).clip(0, 3).sum()', 2.7),
    "left out, for less": table('data["age"].sum()', 2.7),
    "filled with what is there": table('data["age"].fillna(data["age"].max() if len(data) > 1 else 9).sum()', 3),
    "filled with how many": table('data["age"].fillna(len(data)).sum()', 3),
    "counted twice": table('(data["age"].isna().sum() * 2)'),
    "the rest and the gaps": table('(data["age"].sum() + data["age"].isna().sum() * 5)', 3),
    "without noise": release(GAPS, '    return [float(data["age"].isna().sum())]\n', annotation=": pd.DataFrame"),
    "sums by a column beside it": table(
        'sums["b"]', 2.7, '    sums = data.groupby("kind")["age"].sum().reindex(["a", "b"], fill_value=0)\n'
    ),
    "whether there are gaps": table('(1.0 if data["age"].isna().any() else 0.0)', 0.9),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    assert loss(text) <= 1 + 1e-9

    found = searched(tmp_path, "import pandas as pd\n\n\n" + text)

    assert found.settled, found.reason


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_no_wrong_one_is_proved(tmp_path, text):
    assert loss(text) > 1.05

    assert not searched(tmp_path, "import pandas as pd\n\n\n" + text).settled
