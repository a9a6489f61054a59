"""Tables of polars: numbers that expressions give, and groups that are joined to labels that the program writes out.

What is right and what is wrong is found out by running the functions (`small_data`).
"""

import pytest

from tests.proofs.proof_tools import searched
from tests.proofs.small_data import FRAME, loss, release

IMPORTED = "import pandas as pd\nimport polars as pl\n\n"
KINDS = 'KINDS = pl.DataFrame({"kind": ["a", "b"]})\n\n\n'


def table(body, value=None, scale=1):
    """A function of a table."""
    return KINDS + release(FRAME, body, value, scale, ": pl.DataFrame")


COUNTS = (
    '    table = KINDS.join(data.group_by("kind").len(), on="kind", how="left", maintain_order="left").fill_null(0)\n'
)
MADE = (
    '    made = data.group_by("kind").agg({})\n'
    '    table = KINDS.join(made, on="kind", how="left", maintain_order="left").fill_null(0)\n'
)
NOISY = '    return table.with_columns(pl.col("{}") + rng.laplace(scale={} / epsilon, size=2))\n'
HELPER = 'def totals(frame):\n    return frame.select(pl.col("age").sum())\n\n\n'
RIGHT = {
    "counts": table(COUNTS + NOISY.format("len", 1)),
    "counts under another name": table(MADE.format('pl.len().alias("many")') + NOISY.format("many", 1)),
    "sums": table(MADE.format('pl.col("age").sum()') + NOISY.format("age", 3)),
    "sums of clipped ones": table(MADE.format('pl.col("age").clip(0, 2).sum()') + NOISY.format("age", 2)),
    "as a series": table(
        COUNTS + NOISY.format("len", 1).replace("rng.laplace(", "pl.Series(rng.laplace(").replace("))", ")))")
    ),
    "both": table(
        MADE.format('pl.col("age").sum(), pl.len()')
        + NOISY.format("age", 6).replace("))", '), pl.col("len") + rng.laplace(scale=2 / epsilon, size=2))')
    ),
    "a sum": table("", 'data.select(pl.col("age").sum()).item()', 3),
    "a sum of floats": table("", 'data.select(pl.col("age").cast(pl.Float64).clip(0, 2).sum()).item()', 2),
    "how many": table("", "data.select(pl.len()).item()"),
    "side by side": table("", 'data.select(pl.col("age").sum(), pl.len()).sum_horizontal()[0]', 4),
    "in a helper": KINDS + HELPER + table("", "totals(data).item()", 3).removeprefix(KINDS),
}
WRONG = {f"nine tenths, {name}": text.replace("scale=1 /", "scale=0.9 /") for name, text in RIGHT.items()}
WRONG = {name: text for name, text in WRONG.items() if "scale=0.9" in text} | {
    "sums, for less": RIGHT["sums"].replace("=3 /", "=2.7 /"),
    "sums of clipped ones, for less": RIGHT["sums of clipped ones"].replace("=2 /", "=1.8 /"),
    "both, for less": RIGHT["both"].replace("=6 /", "=5 /"),
    "a sum, for less": RIGHT["a sum"].replace("=3 /", "=2.7 /"),
    "side by side, for less": RIGHT["side by side"].replace("=4 /", "=3.6 /"),
    "in a helper, for less": RIGHT["in a helper"].replace("=3 /", "=2.7 /"),
    "a helper that doubles": RIGHT["in a helper"].replace('"age").sum()', '"age").sum() * 2'),
    "those that there are": table(
        COUNTS.replace('"left"', '"inner"', 1) + NOISY.format("len", 1).replace("size=2", "size=len(table)")
    ),
    "groups as they are": table(
        '    table = data.group_by("kind").len()\n' + NOISY.format("len", 1).replace("size=2", "size=len(table)")
    ),
    "five for nobody": table(COUNTS.replace("null(0)", "null(5)") + NOISY.format("len", 1)),
    "one noise for all": table(COUNTS + NOISY.format("len", 1).replace(", size=2", "")),
    "without noise": table(COUNTS + "    return table\n"),
    "noise for one column": table(MADE.format('pl.col("age").sum(), pl.len()') + NOISY.format("age", 3)),
    "counts below nothing": table(COUNTS + NOISY.format("len", 1).replace("+ rng", "- 1 + rng")),
    "counts below nothing, before": table(
        COUNTS + '    table = table.with_columns(pl.col("len") - 1)\n' + NOISY.format("len", 1)
    ),
    "another column beside it": table(
        COUNTS + NOISY.format("len", 1).replace("))", '), pl.col("len").alias("exact"))')
    ),
    "squares": table("", 'data.select(pl.col("age") * pl.col("age")).sum_horizontal().sum()', 3),
    "the largest": table("", "(data.select(pl.col('age').max()).item() or 0)", 2),
}
REFUSED = {
    "a table that is changed": KINDS.replace("\n\n\n", '\nKINDS.insert_column(0, pl.Series("age", [1, 2]))\n\n\n')
    + RIGHT["counts"].removeprefix(KINDS),
    "a table that is given to others": KINDS.replace("\n\n\n", "\nLISTED = [KINDS]\nLISTED[0].clear()\n\n\n")
    + RIGHT["counts"].removeprefix(KINDS),
    "columns that are renamed": KINDS.replace("\n\n\n", '\nKINDS.columns = ["age"]\n\n\n')
    + RIGHT["counts"].removeprefix(KINDS),
    "labels by a name that is another one here": KINDS.replace('["a", "b"]', "NAMES").replace(
        "KINDS =", 'NAMES = ("a",)\nKINDS ='
    )
    + RIGHT["counts"].removeprefix(KINDS).replace("    table =", '    NAMES = ["a", "b"]\n    table ='),
    "labels twice": KINDS.replace('"b"', '"a"') + RIGHT["counts"].removeprefix(KINDS),
    "labels of another type": KINDS.replace('["a", "b"]', "[1, 2]") + RIGHT["counts"].removeprefix(KINDS),
    "bounds that are cut to whole numbers": RIGHT["sums of clipped ones"].replace("clip(0, 2)", "clip(0, 2.5)"),
    "in any order": RIGHT["counts"].replace(', maintain_order="left"', ""),
    "a helper that hands it on": RIGHT["in a helper"].replace(
        "    return frame.select", "    return more(frame).select"
    )
    + "\n\ndef more(frame):\n    return frame.vstack(frame)\n",
    "a helper of other tables": RIGHT["in a helper"].replace("totals(data)", "totals(data.head(1))"),
    "a helper that changes its name": RIGHT["in a helper"].replace(
        "    return frame.select", "    frame = KINDS\n    return frame.select"
    ),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    assert loss(text) <= 1 + 1e-9

    found = searched(tmp_path, IMPORTED + text)

    assert found.settled, found.reason


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_no_wrong_one_is_proved(tmp_path, text):
    assert loss(text) > 1.05

    assert not searched(tmp_path, IMPORTED + text).settled


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_only_seems_to_be_known_is_no_proof(tmp_path, text):
    assert searched(tmp_path, IMPORTED + text).proof is None
