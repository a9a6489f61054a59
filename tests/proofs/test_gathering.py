"""Data of any length that is only gathered: what is proved of it, and ways in which one record is not like all.

What is right and what is wrong is found out by running the functions (`small_data`).
"""

import pytest
from scipy import stats

from dplint.outcomes import Sizes
from dplint.proofs.proving import prove_bounded
from dplint.proofs.scopes import scopes
from tests.proofs.proof_tools import of_text, searched
from tests.proofs.small_data import ADD, FRAME, HEAD, KINDS, L1, LINF, REPLACE, loss, release

FILTERED = "    kept = [one for one in data if one > 0]\n"
LOOP = "    total = 0\n    for one in data:\n{}"
HISTOGRAM = LOOP.format("        counts[one] += 1\n").replace("total = 0", "counts = [0] * 4") + (
    "    return [count + rng.laplace(scale={} / epsilon) for count in counts]\n"
)
RIGHT = {
    "how many": release(ADD, "", "len(data)"),
    "how many of some": release(ADD, FILTERED, "len(kept)"),
    "a generator": release(ADD, "", "sum(1 for one in data if one > 1 and one != 2)"),
    "a sum": release(ADD, "", "sum(data)", 3),
    "a sum of two": release(REPLACE, "", "sum(data)", 3),
    "a sum of some": release(ADD, FILTERED, "sum([min(one, 2) for one in kept])", 2),
    "counted": release(KINDS, "", 'data.count("b")'),
    "added in a loop": release(ADD, LOOP.format("        total += one\n"), "total", 3),
    "added where it is": release(
        ADD, LOOP.format("        if one == 3:\n            continue\n        total += one\n"), "total", 2
    ),
    "of a list that a loop fills": release(
        ADD, "    kept = []\n    for one in data:\n        if one > 1:\n            kept.append(one)\n", "sum(kept)", 3
    ),
    "of a loop over some": release(
        ADD, FILTERED + LOOP.format("        total += 1\n").replace("in data", "in kept"), "total"
    ),
    "a histogram": release(ADD, HISTOGRAM.format(1)),
    "a histogram of which one is replaced": release(REPLACE, HISTOGRAM.format(2)),
    "a list in a turn": release(ADD, "", "sum([len([x for x in (one,) if x > 1]) for one in data])"),
    "a mean": release(REPLACE, "", "sum(data) / len(data)", "3 / len(data)"),
    "an array": release(ADD, "", "np.clip(data, 0, 2).sum()", 2, ": np.ndarray"),
    "an array of some": release(ADD, "", "data[data > 1].sum()", 3, ": np.ndarray"),
    "a mean of an array": release(REPLACE, "", "data.mean()", "3 / len(data)", ": np.ndarray"),
    "a table": release(FRAME, "", '(data["age"] > 1).sum()', 1, ": pd.DataFrame"),
    "a sum of moves": release(L1, "", "sum(data)"),
    "a sum of some moves": release(L1, "", "sum([max(one, 0) / 2 for one in data])", 0.5),
}
EACH = (
    L1
    + """def release(rng, data, epsilon):
    return [one + rng.laplace(scale=1 / epsilon) for one in data]
"""
)
AT_ONCE = (
    L1
    + """def release(rng, data: np.ndarray, epsilon):
    return data + rng.laplace(scale=1 / epsilon, size=len(data))
"""
)
AROUND = (
    L1
    + """def release(rng, data, epsilon):
    noisy = np.maximum(rng.laplace(data, 1 / epsilon), -10)
    return noisy.tolist()
"""
)
DIVIDED = (
    LINF
    + """def release(rng, data, epsilon):
    noisy = [one / 2 + rng.laplace(scale=len(data) / (2 * epsilon)) for one in data]
    return [min(one, 10) for one in noisy]
"""
)
RIGHT |= {"noise for each": EACH, "noise at once": AT_ONCE, "noise around": AROUND, "noise by the length": DIVIDED}
HELPER = "def added(data):\n" + LOOP.format("        if one == 0:\n            break\n        total += one\n")
RIGHT |= {
    "clipped by a method": release(ADD, "    x = np.array(data).clip(0, 2)\n", "x.sum()", 2),
    "a clipped column": release(FRAME, "", 'data["age"].clip(1, 2).sum()', 2, ": pd.DataFrame"),
}
BINS = "    counts = np.bincount(np.digitize(data, [1, 2, 3]), minlength=4)\n"
RIGHT |= {
    "a list as an array": release(ADD, "", "np.clip(data, 0, 2).sum()", 2),
    "an int of an int or a float": release(ADD, "", "sum(int(max(one, 0.5)) for one in data)", 3),
    "in bins": release(ADD, BINS + "    return counts + rng.laplace(scale=1 / epsilon, size=4)\n"),
}

WRONG = {
    "nine tenths, of a list as an array": RIGHT["a list as an array"].replace("scale=2", "scale=1.8"),
    "nine tenths, of ints": RIGHT["an int of an int or a float"].replace("scale=3", "scale=2.7"),
    "nine tenths, in bins": RIGHT["in bins"].replace("scale=1", "scale=0.9"),
    "a list twice": release(ADD, "", "np.sum(data * 2)", 3),
    "clipped further up": release(ADD, "    x = np.array(data).clip(0, 3)\n", "x.sum()", 2),
    "bounds that are turned": release(ADD, "    x = np.array(data).clip(3, 2)\n", "x.sum()", 1.5),
    "clipped to the largest": release(ADD, "    x = np.array(data).clip(0, max(data + [0]))\n", "x.sum()", 1),
    "nine tenths of the noise": RIGHT["a sum"].replace("scale=3", "scale=2.7"),
    "nine tenths, replaced": RIGHT["a sum of two"].replace("scale=3", "scale=2.7"),
    "nine tenths, of some": RIGHT["a sum of some"].replace("scale=2", "scale=1.8"),
    "nine tenths, of a loop": RIGHT["added in a loop"].replace("scale=3", "scale=2.7"),
    "nine tenths, of a histogram": RIGHT["a histogram"].replace("scale=1", "scale=0.9"),
    "nine tenths, of an array": RIGHT["an array"].replace("scale=2", "scale=1.8"),
    "nine tenths, of a mean": RIGHT["a mean"].replace("scale=3", "scale=2.7"),
    "nine tenths, of a table": RIGHT["a table"].replace("scale=1", "scale=0.9"),
    "nine tenths, of moves": RIGHT["a sum of moves"].replace("scale=1", "scale=0.9"),
    "nine tenths, of a list in a turn": RIGHT["a list in a turn"].replace("scale=1", "scale=0.9"),
    "half of the sensitivity": RIGHT["a sum of moves"].replace('"l1"', '"l1", sensitivity=2'),
    "moves of all": RIGHT["a sum of moves"].replace('"l1"', '"linf"'),
    "moves that are doubled": release(L1, "", "sum([2 * one for one in data])"),
    "a histogram whose record moves": RIGHT["a histogram of which one is replaced"].replace("scale=2", "scale=1"),
    "nine tenths, for each": EACH.replace("=1 /", "=0.9 /"),
    "nine tenths, at once": AT_ONCE.replace("=1 /", "=0.9 /"),
    "nine tenths, around": AROUND.replace(" 1 /", " 0.9 /"),
    "nine tenths, by the length": DIVIDED.replace("len(data) /", "0.9 * len(data) /"),
    "half of the sensitivity, at once": AT_ONCE.replace('"l1"', '"l1", sensitivity=2'),
    "noise for each of which all move": EACH.replace("l1", "linf"),
    "noise for each, of a square": EACH.replace("[one +", "[one * one +"),
    "one number for all": AT_ONCE.replace(", size=len(data)", ""),
    "noise for some": EACH.replace("for one", "if one > 0 else one for one"),
    "which ones there are": EACH.replace("in data", "in data if one > 1"),
    "noise and the numbers": EACH.replace("    return [", "    return data + [").replace("+ [one", "+ [one"),
    "a loop that ends": release(
        ADD, LOOP.format("        if total > 2:\n            break\n        total += one\n"), "total", 2
    ),
    "a loop that a record ends": release(
        ADD, LOOP.format("        if one == 0:\n            break\n        total += one\n"), "total", 3
    ),
    "a loop that a record ends by a return": release(
        ADD, LOOP.format("        if one == 3:\n            return [0.0]\n        total += one\n"), "total", 3
    ),
    "the first": release(ADD, "", "(data[0] if len(data) > 0 else 0)", 2),
    "places": release(ADD, "", "sum(i * one for i, one in enumerate(data))", 3),
    "doubled in each turn": release(ADD, LOOP.format("        total = 2 * total + one\n"), "total", 3),
    "the last": release(ADD, "    last = 0\n    for one in data:\n        last = one\n", "last", 1),
    "changes": release(
        ADD,
        "    before = 0\n" + LOOP.format("        if one != before:\n            total += 1\n        before = one\n"),
        "total",
    ),
    "seen before": release(
        ADD,
        "    seen = []\n" + LOOP.format("        if one in seen:\n            total += 3\n        seen.append(one)\n"),
        "total",
    ),
    "counted before": release(
        ADD, "    kept = []\n" + LOOP.format("        total += len(kept)\n        kept.append(one)\n"), "total"
    ),
    "what is over some total": release(
        ADD,
        "    over = 0\n" + LOOP.format("        total += one\n        if total > 3:\n            over += 1\n"),
        "over",
    ),
    "a loop in a helper": HELPER + "    return total\n\n\n" + release(ADD, "", "(0 + added(data))", 3),
    "two at the price of one": release(
        ADD,
        "    noisy = len(data) + rng.laplace(scale=1 / epsilon)\n"
        "    return [noisy, sum(data) + rng.laplace(scale=3 / epsilon)]\n",
    ),
    "whether there is any": release(
        ADD, "    if any(one > 1 for one in data):\n        return [1.0]\n    return [0.0]\n"
    ),
    "whether there is none": release(ADD, "    if not data:\n        return [None]\n", "len(data)"),
    "whether there are two": release(ADD, "    if len(data) > 1:\n        return [None]\n", "len(data)"),
    "a mean of what may be none": release(ADD, "", "sum(data) / len(data)", 3),
    "a scale that tells": release(ADD, "", "0.0", "(1 + len(data))"),
    "the largest": release(ADD, "", "(max(data) if len(data) > 0 else 0)", 2),
    "a product": release(L1, "", "sum([one * one for one in data])"),
    "a list given out": release(ADD, "    return [sorted(data)]\n"),
    "a sum without noise": release(ADD, "    return [sum(data)]\n"),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    assert loss(text) <= 1 + 1e-9

    found = searched(tmp_path, "import pandas as pd\n\n\n" + text)

    assert found.proof is not None, found.reason
    assert found.proof.scope.full


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_no_wrong_one_is_proved_for_every_length(tmp_path, text):
    """Some keep their claim for very short data."""
    assert loss(text) > 1.05

    program, mechanism = of_text(tmp_path, HEAD + text, "release")
    for scope in scopes(program, mechanism, Sizes(0, None)):
        found = prove_bounded(program, mechanism, scope)
        assert not hasattr(found, "groups")


def test_what_scipy_gives_for_a_list_of_one_is_no_array(tmp_path):
    """`laplace.rvs(loc=[1.0])` is a number, where NumPy gives an array: then `len` raises."""
    text = (
        "from scipy import stats\n\n\n"
        '@dp(epsilon="epsilon", neighbors="l1", size=1)\n'
        "def release(rng, data, epsilon):\n"
        "    return len(stats.laplace.rvs(loc=[data[0]], scale=1 / epsilon, random_state=rng))\n"
    )

    assert isinstance(stats.laplace.rvs(loc=[1.0], random_state=1), float)
    assert searched(tmp_path, text).proof is None
    numpy = text.replace(
        "stats.laplace.rvs(loc=[data[0]], scale=1 / epsilon, random_state=rng)", "rng.laplace([data[0]])"
    )
    assert searched(tmp_path, numpy).proof is not None
