"""Records that are worked on one by one: what is proved of one is so of data of any length; and what only looks so."""

from dataclasses import replace

import pytest

from dplint.proofs.checker.by_record import for_one_record
from dplint.proofs.checker.outcomes import spelled_out
from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text

TEXT = """
import math
import random

import numpy as np

from dplint import dp

{before}

@dp(epsilon="epsilon", neighbors={relation!r}, domain={domain})
def release({arguments}):
    keep = math.exp(epsilon) / (math.exp(epsilon) + 1)
{body}
"""
FLIP = "r if random.random() < keep else 1 - r"


def read(tmp_path, body, relation="replace-one", domain="[0, 1]", arguments="records, epsilon", before=""):
    lines = "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
    text = TEXT.format(before=before, relation=relation, domain=domain, arguments=arguments, body=lines)
    return of_text(tmp_path, text, "release")


def found(tmp_path, body, **given):
    return search(*read(tmp_path, body, **given), 60.0)


def is_by_record(program, mechanism):
    return for_one_record(spelled_out(program), mechanism) is not None


RIGHT = {
    "a list": f"return [{FLIP} for r in records]",
    "a loop": f"""
out = []
for r in records:
    noisy = {FLIP}
    out.append(noisy)
return out
""",
    "an estimate of the list and of how many records there are": f"""
noisy = [{FLIP} for r in records]
return (sum(noisy) - len(records) * (1 - keep)) / (2 * keep - 1)
""",
    "a turn that goes on early": """
out = []
for r in records:
    if random.random() < keep:
        out.append(r)
        continue
    out.append(1 - r)
return tuple(out)
""",
    "nothing for some by a coin": f"""
out = []
for r in records:
    if random.random() < 0.5:
        out.append({FLIP})
return out
""",
    "a new list for each record": f"""
out = []
for r in records:
    pair = [0, 0]
    pair[0] = {FLIP}
    out.append(pair[0])
return out
""",
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_what_is_made_of_each_record_is_proved_for_every_length(tmp_path, body):
    """A coin that keeps a bit with e^epsilon / (1 + e^epsilon) spends epsilon (Warner 1965)."""
    proof = found(tmp_path, body).proof
    assert proof is not None
    assert proof.scope.full
    assert proof.certificate.words.startswith("each record is worked on by itself")


def test_one_of_four_values(tmp_path):
    body = """
keep = math.exp(epsilon) / (math.exp(epsilon) + 3)
out = []
for r in records:
    if random.random() < keep:
        out.append(r)
    else:
        out.append(random.choice([v for v in range(4) if v != r]))
return out
"""
    assert found(tmp_path, body, domain="[0, 1, 2, 3]").proof is not None
    assert found(tmp_path, body.replace("+ 3", "+ 2"), domain="[0, 1, 2, 3]").proof is None


LINKED = {
    "one coin for all": """
coin = random.random() < keep
return [r if coin else 1 - r for r in records]
""",
    "what is kept of the record before": """
before = 0
out = []
for r in records:
    shown = r if before == 1 or random.random() < keep else 1 - r
    before = r
    out.append(shown)
return out
""",
    "a sum that goes on": """
seen = 0
out = []
for r in records:
    seen += r
    out.append(seen if random.random() < keep else 0)
return out
""",
    "a list that is changed": """
state = [0]
out = []
for r in records:
    out.append(state[0])
    state[0] = r
return out
""",
    "a list by another name": """
state = [0]
out = []
for r in records:
    other = state
    other.append(r)
    out.append(len(state) if random.random() < keep else 0)
return out
""",
    "the list by another name": f"""
out = []
other = out
for r in records:
    out.append({FLIP})
    other.append(r)
return out
""",
    "the last record": f"""
out = []
for r in records:
    out.append({FLIP})
return out, r
""",
    "the first record": f"""
out = []
for r in records:
    out.append({FLIP})
return out, records[0]
""",
    "the first record in every turn": """
out = []
for r in records:
    out.append(records[0] if random.random() < keep else 1 - r)
return out
""",
    "their sum": f"return [{FLIP} for r in records], sum(records)",
    "an end that shows": f"""
out = []
for r in records:
    if r == 1:
        break
    out.append({FLIP})
return out
""",
    "a return": f"""
out = []
for r in records:
    out.append({FLIP})
    if r == 1:
        return out
return out
""",
    "the first as it is": f"""
out = []
for r in records:
    if len(out) == 0:
        out.append(r)
    else:
        out.append({FLIP})
return out
""",
    "a coin that is kept in a list": """
coins = []
out = []
for r in records:
    if len(coins) == 0:
        coins.append(random.random() < keep)
    out.append(r if coins[0] else 1 - r)
return out
""",
    "a coin that is kept in a variable": """
coin = None
out = []
for r in records:
    if coin is None:
        coin = random.random() < keep
    out.append(r if coin else 1 - r)
return out
""",
    "two loops": f"""
out = []
for r in records:
    out.append({FLIP})
for r in records:
    out.append({FLIP})
return out
""",
    "a draw that all records share, in a list": """
coins = [random.random()]
out = []
for r in records:
    out.append(r if coins[0] < keep else 1 - r)
return out
""",
    "a record that is named twice": """
out = []
copies = records
for r in records:
    out.append(copies[0] if random.random() < keep else 1 - r)
return out
""",
    "a list by another name that grows": """
state = [0]
out = []
for r in records:
    other = state
    other += [r]
    out.append(len(state) if random.random() < keep else 0)
return out
""",
    "the list as another name has it": f"""
out = []
other = out
for r in records:
    out.append(r if len(other) == 1 else ({FLIP}))
return out
""",
    "the second as it is": f"""
out = []
for r in records:
    if len(out) == 1:
        out.append(r)
    else:
        out.append({FLIP})
return out
""",
    "an exception": f"""
out = []
for r in records:
    out.append({FLIP})
    if r == 1:
        raise ValueError("one")
return out
""",
    "what follows the last": f"""
out = []
for r in records:
    out.append({FLIP})
else:
    out.append(r)
return out
""",
}


@pytest.mark.parametrize("body", LINKED.values(), ids=LINKED)
def test_what_more_than_one_record_has_a_part_in_is_not_of_each_by_itself(tmp_path, body):
    """Each tells something of a record before it, of all, or of a record by where the turns end."""
    assert not is_by_record(*read(tmp_path, body))
    assert found(tmp_path, body).proof is None


ALONE = {
    "an answer for some alone": f"""
out = []
for r in records:
    if r == 1:
        out.append({FLIP})
return out
""",
    "two answers each": f"""
out = []
for r in records:
    out.append({FLIP})
    out.append({FLIP})
return out
""",
}


@pytest.mark.parametrize("body", ALONE.values(), ids=ALONE)
def test_what_tells_too_much_of_one_record_is_not_proved(tmp_path, body):
    assert is_by_record(*read(tmp_path, body))
    assert found(tmp_path, body).proof is None


def test_where_a_record_is_added_its_answer_shows(tmp_path):
    assert not is_by_record(*read(tmp_path, RIGHT["a list"], relation="add-remove"))
    assert found(tmp_path, RIGHT["a list"], relation="add-remove").proof is None


def test_a_claim_of_less_for_more_records_is_not_proved_by_one(tmp_path):
    program, mechanism = read(tmp_path, RIGHT["a list"])
    shared_out = replace(mechanism, claim=replace(mechanism.claim, epsilon="epsilon / len(records)"))
    assert search(program, mechanism, 60.0).proof is not None
    assert search(program, shared_out, 60.0).proof is None


def test_a_coin_that_is_a_little_too_good_is_not_proved(tmp_path):
    assert found(tmp_path, "keep = keep + 0.001\n" + RIGHT["a list"]).proof is None


@pytest.mark.parametrize("made", ["np.random.default_rng(seed)", "np.random.default_rng(1)", "random.Random(seed)"])
def test_a_generator_with_one_seed_has_the_same_coin_for_every_record(tmp_path, made):
    body = f"""
out = []
for r in records:
    rng = {made}
    out.append(r if rng.random() < keep else 1 - r)
return out
"""
    assert found(tmp_path, body, arguments="records, epsilon, seed").proof is None


def test_a_helper_that_holds_records_is_none_of_one(tmp_path):
    helper = "def put(xs, r):\n    xs.append(r)\n    return len(xs)\n"
    body = """
seen = []
out = []
for r in records:
    out.append(put(seen, r) if random.random() < keep else 0)
return out
"""
    assert not is_by_record(*read(tmp_path, body, before=helper))
    assert found(tmp_path, body, before=helper).proof is None


def test_a_helper_that_draws_is_none_of_one(tmp_path):
    """It may have drawn before the first record."""
    helper = "def coin():\n    return random.random()\n"
    body = "one = coin()\nreturn [r if one < keep else 1 - r for r in records]"
    assert not is_by_record(*read(tmp_path, body, before=helper))


def test_a_list_of_all_turns_is_known_without_what_is_shared(tmp_path):
    body = LINKED["a list by another name"].replace("other.append(r)", "other[0] = r")
    program, mechanism = read(tmp_path, body)
    assert not is_by_record(replace(program, shared=frozenset()), mechanism)
    program, mechanism = read(tmp_path, LINKED["a list that is changed"])
    assert not is_by_record(replace(program, shared=frozenset()), mechanism)


def test_what_is_seen_besides_and_runs_with_one_seed_are_none(tmp_path):
    program, mechanism = read(tmp_path, RIGHT["a list"])
    assert is_by_record(program, mechanism)
    assert not is_by_record(replace(program, seeded=True), mechanism)
    assert not is_by_record(replace(program, observed=True), mechanism)


@pytest.mark.parametrize(("epsilon", "holds"), [(2.5, True), (2.48, False)])
def test_whole_numbers_in_bounds(tmp_path, epsilon, holds):
    """A coin of 1/2 shows a number, else one of eleven: (1/2 + 1/22) / (1/22) = 12, and log(12) = 2.4849."""
    text = f"""
import random

from dplint import dp


@dp(epsilon={epsilon}, neighbors="replace-one", domain=(0, 10))
def release(records: list[int]):
    out = []
    for r in records:
        out.append(r if random.random() < 0.5 else random.randint(0, 10))
    return out
"""
    assert (search(*of_text(tmp_path, text, "release"), 60.0).proof is not None) is holds
