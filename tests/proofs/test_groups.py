"""Sets and dicts whose keys the data makes: how many there are, and how often values occur.

What is right and what is wrong is found out by running the functions (`small_data`).
"""

import pytest

from dplint.proofs.proving import NoProof
from tests.proofs.proof_tools import for_every_length, of_text, searched
from tests.proofs.small_data import ADD, HEAD, REPLACE, loss, release

IMPORTED = "from collections import Counter\n\n\n"
COUNTED = "    counts = {}\n    for one in data:\n        counts[one] = counts.get(one, 0) + 1\n"
SOME = "    counts = {}\n    for one in data:\n        if one > 1:\n            counts[one] = counts.get(one, 0) + 1\n"
HELD = "    seen = dict.fromkeys(data)\n"
SEEN = "    seen = set()\n    for one in data:\n        if one > 1:\n            seen.add(one)\n"
RIGHT = {
    "how many differ": release(ADD, "", "len(set(data))"),
    "how many differ, replaced": release(REPLACE, "", "len(set(data))"),
    "how many parts differ": release(ADD, "", "len({one // 2 for one in data})"),
    "how many of some differ": release(ADD, "", "len({one for one in data if one > 1})"),
    "how many pairs differ": release(ADD, "", "len({(one > 1, one % 2) for one in data})"),
    "a set that a loop fills": release(ADD, SEEN, "len(seen)"),
    "some of a set": release(ADD, HELD, "sum(1 for one in seen if one > 1)"),
    "a sum of a set": release(ADD, HELD, "sum(seen)", 3),
    "which occur twice": release(ADD, "", "sum(1 for count in Counter(data).values() if count == 2)"),
    "which occur twice, replaced": release(REPLACE, "", "sum(1 for c in Counter(data).values() if c == 2)", 2),
    "which occur often": release(ADD, COUNTED, "sum(1 for count in counts.values() if count >= 2)"),
    "two of each at most": release(ADD, COUNTED, "sum(min(count, 2) for count in counts.values())"),
    "large ones that occur twice": release(ADD, COUNTED, "sum(1 for k, c in counts.items() if k > 1 and c > 1)"),
    "how many in all": release(ADD, COUNTED, "sum(counts.values())"),
    "how often one occurs": release(ADD, COUNTED, "counts.get(1, 0)"),
    "how often one occurs, replaced": release(REPLACE, COUNTED, "counts.get(1, 0)"),
    "how often two occur": release(ADD, COUNTED, "counts.get(1, 0) - counts.get(3, 0)"),
    "how often parts occur": release(
        ADD, COUNTED.replace("one]", "one // 2]").replace("(one,", "(one // 2,"), "counts.get(1, 0)"
    ),
    "how often some occur": release(ADD, SOME, "sum(counts.get(k, 0) for k in (1, 2, 3))"),
    "how often one occurs, by a Counter": release(ADD, "    counts = Counter(data)\n", "counts[1] + counts[2]"),
    "a dict with one key": release(ADD, "    key = tuple(data)\n", "{key: len(data)}[key]"),
}
RIGHT = {name: IMPORTED + text for name, text in RIGHT.items()}
COMMONEST = IMPORTED + release(ADD, COUNTED, "max(counts.values(), default=0)")
WRONG = {f"nine tenths, {name}": text.replace("scale=1 /", "scale=0.9 /") for name, text in RIGHT.items()}
WRONG = {name: text for name, text in WRONG.items() if "scale=0.9" in text} | {
    "a sum of a set, for less": RIGHT["a sum of a set"].replace("scale=3", "scale=2.7"),
    "twice, replaced, for one": RIGHT["which occur twice, replaced"].replace("scale=2", "scale=0.9"),
    "doubled": RIGHT["how many differ"].replace("[len(", "[2 * len("),
    "squares": RIGHT["two of each at most"].replace("min(count, 2)", "count * count"),
    "three of each, at twice": RIGHT["two of each at most"].replace("min(count, 2)", "2 * min(count, 3)"),
    "the rarest": COMMONEST.replace("max(", "min(").replace("=1 /", "=0.9 /"),
    "the largest key": COMMONEST.replace("counts.values()", "counts.keys()"),
    "added twice": RIGHT["two of each at most"].replace("+ 1", "+ 2").replace("min(count, 2)", "count"),
    "counted by value": RIGHT["how many in all"].replace("+ 1\n", "+ one\n"),
    "another key": RIGHT["how many in all"].replace("get(one, 0)", "get(0, 0)"),
    "begun at one": COMMONEST.replace("get(one, 0)", "get(one, 1)"),
    "the last of each": release(ADD, "", "sum({one % 2: one for one in data}.values())", 3).replace("3 /", "2.5 /"),
    "noise for each": IMPORTED
    + release(ADD, COUNTED + "    return [c + rng.laplace(scale=1) for c in counts.values()]\n"),
    "one that is told if it is not there": release(ADD, COUNTED, "counts.get(1, 4)"),
    # Data of one record is looked at as it is, so these keep their claim there.
    "what a condition leaves out": IMPORTED
    + release(ADD, SOME + "    return [max(0, data.count(1) - counts.get(1, 0) - 2)]\n"),
    "whether a key is there": IMPORTED
    + release(ADD, HELD + "    return [1 if seen.get(1, 0) is None and len(data) > 2 else 0]\n"),
    "what stands for no count": release(ADD, COUNTED, "min(counts.get(1, 8), 2 * len(data))", 2),
    "counts that are added twice": release(ADD, COUNTED, "counts.get(1, 0) + counts.get(1.0, 0)"),
    "a count of two": release(ADD, COUNTED.replace("+ 1", "+ 2"), "counts.get(1, 0)"),
    "a count of two in turn": release(ADD, COUNTED + COUNTED[16:], "counts.get(1, 0)"),
    "set later": release(ADD, COUNTED + "    if len(counts) > 1:\n        counts[1] = 5\n", "counts.get(1, 0)"),
    "what one counts": IMPORTED + release(ADD, COUNTED + "    return [counts.get(1, 0)]\n"),
    "which there are": IMPORTED + release(ADD, "    return [sorted(set(data))]\n"),
    "a dict of counts": IMPORTED
    + release(ADD, COUNTED + "    return [{k: c + rng.laplace(scale=1) for k, c in counts.items()}]\n"),
    "whether it is there": release(ADD, SEEN, "len(seen) + (5 if 3 in seen else 0)"),
    "how many, as it is": IMPORTED + release(ADD, "    return [len(set(data))]\n"),
    "two that differ": IMPORTED + release(ADD, "    if len(set(data)) == 2:\n        return [None]\n", "len(data)"),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    assert loss(text) <= 1 + 1e-9

    found = searched(tmp_path, text)

    assert found.settled, found.reason


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_no_wrong_one_is_proved_for_every_length(tmp_path, text):
    """Some keep their claim for very short data."""
    assert loss(text) > 1.05

    found = for_every_length(*of_text(tmp_path, HEAD + text, "release"))[0]

    assert isinstance(found, NoProof)
