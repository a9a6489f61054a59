"""Tables of pandas whose rows are grouped: counts and sums under labels that the program knows.

What is right and what is wrong is found out by running the functions (`small_data`).
"""

import pytest

from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text, searched
from tests.proofs.small_data import FRAME, HEAD, loss, release


def table(body, value=None, scale=1):
    """A function of a table."""
    return release(FRAME, body, value, scale, ": pd.DataFrame")


LABELS = '["a", "b"]'
COUNTS = f'    counts = data["kind"].value_counts().reindex({LABELS}, fill_value=0)\n'
SIZES = f'    counts = data.groupby("kind").size().reindex({LABELS}, fill_value=0)\n'
SUMS = f'    counts = data.groupby("kind")["age"].sum().reindex({LABELS}, fill_value=0)\n'
SOME = COUNTS.replace("data[", 'data[data["age"] > 1][')
AGES = '    counts = data["age"].value_counts().reindex([0, 1, 2, 3], fill_value=0)\n'
NOISY = "    return (counts + rng.laplace(scale=1 / epsilon, size=len(counts))).tolist()\n"
SHAPED = "    return (counts + rng.laplace(scale=1 / epsilon, size=np.shape(counts))).tolist()\n"
CELLS = (
    '    cells = pd.crosstab(data["kind"], data["age"] > 1)\n'
    f"    cells = cells.reindex(index={LABELS}, columns=[False, True], fill_value=0)\n"
    "    counts = cells.to_numpy()\n"
)
BOTH = (
    f'    table = data.groupby("kind")["age"].agg(["sum", "size"]).reindex({LABELS}, fill_value=0)\n'
    '    sums = table["sum"] + rng.laplace(scale=6 / epsilon, size=2)\n'
    '    sizes = table["size"] + rng.laplace(scale=2 / epsilon, size=2)\n'
    "    return [*sums, *sizes]\n"
)
RIGHT = {
    "counts of values": table(COUNTS + NOISY),
    "counts of values, of a shape": table(COUNTS + SHAPED),
    "sizes of groups": table(SIZES + NOISY),
    "sums of groups": table(SUMS + NOISY.replace("=1 /", "=3 /")),
    "of some rows": table(SOME + NOISY),
    "by whole numbers": table(AGES + NOISY),
    "by parts of numbers": table(AGES.replace('data["age"]', '(data["age"] // 2)').replace(", 2, 3]", "]") + NOISY),
    "a part of them": table(COUNTS, 'counts["a"]'),
    "one of them, if it is there": table('    counts = data["kind"].value_counts()\n', 'counts.get("b", 0)'),
    "one after the other": table(
        COUNTS + "    return [counts[k] + rng.laplace(scale=1 / epsilon) for k in " + LABELS + "]\n"
    ),
    "all of them": table(COUNTS, "counts.sum()"),
    "sums and sizes": table(BOTH),
    "between": table("", 'data["age"].between(2, 5).sum()'),
    "one of some": table("", 'data["kind"].isin(["b"]).sum()'),
    "how many rows of some": table("", 'len(data[data["age"] == 3])'),
    "a sum of some rows": table("", 'data[data["kind"] == "b"]["age"].sum()', 3),
    "a column that is clipped": table(
        '    data = data.assign(age=data["age"].clip(0, 2))\n' + SUMS + NOISY.replace("=1 /", "=2 /")
    ),
}
WRONG = {f"nine tenths, {name}": text.replace("scale=1 /", "scale=0.9 /") for name, text in RIGHT.items()}
WRONG = {name: text for name, text in WRONG.items() if "scale=0.9" in text} | {
    "sums of groups, for less": RIGHT["sums of groups"].replace("=3 /", "=2.7 /"),
    "sums of some, for less": RIGHT["a sum of some rows"].replace("=3 /", "=2.7 /"),
    "clipped, for less": RIGHT["a column that is clipped"].replace("=2 /", "=1.8 /"),
    "clipped under another name": RIGHT["a column that is clipped"].replace("assign(age=", "assign(pay="),
    "sums with the noise of sizes": RIGHT["sums and sizes"].replace("=6 /", "=2 /"),
    "halves that are no halves": RIGHT["sums and sizes"].replace("=2 /", "=1 /"),
    "which there are": table('    counts = data["kind"].value_counts()\n' + NOISY),
    "which groups there are": table('    counts = data.groupby("kind").size()\n' + NOISY),
    "labels of the data": table(COUNTS.replace(LABELS, 'sorted(data["kind"].unique())') + NOISY),
    "nothing for what is missing": table(COUNTS.replace(", fill_value=0", "") + NOISY.replace("=1 /", "=0.9 /")),
    "five for what is missing": table(COUNTS.replace("fill_value=0", "fill_value=5") + NOISY),
    "counted twice": table(COUNTS.replace(LABELS, '["a", "a"]') + NOISY),
    "shares": table(COUNTS.replace("value_counts()", "value_counts(normalize=True)") + NOISY.replace("=1 /", "=0.4 /")),
    "running counts": table(COUNTS + NOISY.replace("counts +", "counts.cumsum() +")),
    "one noise for all": table(COUNTS + NOISY.replace(", size=len(counts)", "")),
    "noise for one alone": table(COUNTS + '    return [counts["a"] + rng.laplace(scale=1 / epsilon), counts["b"]]\n'),
    "without noise": table(COUNTS + "    return counts.tolist()\n"),
    "counts and their sum": table(COUNTS + NOISY.replace(".tolist()", ".tolist() + [len(data)]")),
    "both parts of all": table(
        COUNTS + '    return [counts[k] + rng.laplace(scale=1 / epsilon) for k in ("a", "b", "a")]\n'
    ),
    "large cells alone": table(COUNTS + "    counts = counts[counts > 1]\n" + NOISY),
    "means of groups": table(SUMS.replace(".sum()", ".mean()") + NOISY),
    "the largest of groups": table(SUMS.replace(".sum()", ".max()") + NOISY),
    "squares": table(COUNTS + NOISY.replace("(counts +", "(counts * counts +")),
    "nine tenths, cells": table(CELLS + SHAPED.replace("=1 /", "=0.9 /").replace(".tolist()", ".ravel().tolist()")),
    "cells with one noise for a row": table(
        CELLS + "    return (counts + rng.laplace(scale=1 / epsilon, size=2)).ravel().tolist()\n"
    ),
    "cells and margins": table(
        CELLS + SHAPED.replace(".tolist()", ".ravel().tolist() + [counts.sum() + rng.laplace(scale=1 / epsilon)]")
    ),
    "by the size of groups": table(COUNTS, 'data["kind"].value_counts().max() if len(data) else 7'),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    assert loss(text) <= 1 + 1e-9

    found = searched(tmp_path, "import pandas as pd\n\n\n" + text)

    assert found.settled, found.reason


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_no_wrong_one_is_proved_for_every_length(tmp_path, text):
    assert loss(text) > 1.05

    found = search(*of_text(tmp_path, HEAD + text, "release"), 30.0)

    assert not found.settled


@pytest.mark.parametrize(
    "text",
    [
        table(COUNTS.replace(LABELS, '["a", 1]') + NOISY),
        table(AGES.replace("[0, 1, 2, 3]", "[0, 1.0, 2, 3]") + NOISY),
        table(AGES.replace("[0, 1, 2, 3]", "[False, True]") + NOISY),
        table(AGES.replace("[0, 1, 2, 3]", '["0", "1"]') + NOISY),
        table(AGES, "np.sqrt(counts)[1]"),
        table(AGES, "np.where(counts > 0, counts, 0)[1]"),
        table("", '(1 if 2 in data["age"] else 0)'),
        table("", 'sum(1 for k in range(9) if k in data["age"] + 9)'),
        table("", '(data["age"][::-1][0] if len(data) > 0 else 0)', 3),
        table("    i = min(len(data), 1) - 1\n", '(data["age"][i] if len(data) > 0 else 0)', 3),
        table(COUNTS, "counts[0]"),
        table(COUNTS, "(1 if 'a' in counts else 0)"),
        table(
            COUNTS + '    ages = data.groupby("kind").size().reindex(["b", "a"], fill_value=0)\n',
            '(counts - ages)["a"]',
        ),
        table('    counts = data["kind"].value_counts()\n    data = counts\n', "data.sum()"),
    ],
)
def test_what_only_seems_to_be_known_is_no_proof(tmp_path, text):
    """Labels of another type, places among labels, and series that are put side by side by their labels."""
    assert searched(tmp_path, "import pandas as pd\n\n\n" + text).proof is None
