"""A misspelt word of a claim has a fix that touches that word and nothing else, and the finding goes with it."""

from pathlib import Path

import pytest
from source_edits import apply

from dplint.source.read import read_source

TEXT = """\
from dplint import dp

EPS = "epsilom"


@dp({})
def mechanism(rng, queries, epsilon, mode=1, sum=2, été=3):
    return 0
"""
SPELLINGS = [
    # the claim, what becomes of it, the code
    ("epsilom=1.0", "epsilon=1.0", "DP001"),
    ("epsilon=1.0, neighbours='l1'", "epsilon=1.0, neighbors='l1'", "DP001"),
    ("epsilon=1.0, neigbors  =  'l1'", "epsilon=1.0, neighbors  =  'l1'", "DP001"),
    ("epsilon='epsilom'", "epsilon='epsilon'", "DP007"),
    ('epsilon="epsilom"', 'epsilon="epsilon"', "DP007"),
    ('epsilon=r"epsilom"', 'epsilon=r"epsilon"', "DP007"),
    ("epsilon='''epsilom'''", "epsilon='''epsilon'''", "DP007"),
    ("epsilon='2*epsilom + epsilom'", "epsilon='2*epsilon + epsilon'", "DP007"),
    ("epsilon=' sum(sumn) + epsilon'", "epsilon=' sum(sum) + epsilon'", "DP007"),
    ("epsilon='étè + été*étè'", "epsilon='été + été*été'", "DP007"),
    ("epsilon='''min(1,\n  epsilom)'''", "epsilon='''min(1,\n  epsilon)'''", "DP007"),
    ("epsilon=1, delta='mod / 10'", "epsilon=1, delta='mode / 10'", "DP007"),
    ("epsilon=1, data='query'", "epsilon=1, data='queries'", "DP007"),
    ("epsilon=1, data='queries', rng='rgn'", "epsilon=1, data='queries', rng='rng'", "DP007"),
    ("epsilon=1, args={'mod': 2, 'epsilon': 1}", "epsilon=1, args={'mode': 2, 'epsilon': 1}", "DP007"),
    ("epsilon=1, args={\n    'epsilon': 1,\n    'mod': 2}", "epsilon=1, args={\n    'epsilon': 1,\n    'mode': 2}",
     "DP007"),
    ("epsilon=1, neighbors='linff'", "epsilon=1, neighbors='linf'", "DP005"),
    ("epsilon=epsilon", 'epsilon="epsilon"', "DP009"),
]  # fmt: skip
NO_GUESS = [
    ("epsilon=1, colour=2", "DP001"),  # nothing is near
    ("epsilon=1, epsilom=2", "DP001"),  # the right word is there
    ("epsilon=1, **{'delta': 0}", "DP009"),
    ("epsilon=EPS", "DP007"),  # the word stands elsewhere
    ("epsilon='epsi' 'lom'", "DP007"),
    ("epsilon='\\x65psilom'", "DP007"),
    ("epsilon='zzz'", "DP007"),
    ("epsilon='queri'", "DP007"),  # the data must not stand in a promise
    ("epsilon=1, args={'mod': 2, 'mode': 1}", "DP007"),
    ("epsilon=1, args={'querie': 2}", "DP007"),
    ("epsilon=1, data='rn', rng='rng'", "DP007"),
    ("epsilon=1, size=mode", "DP009"),
    ("epsilon=1, neighbors=3", "DP005"),
]


def read(text):
    return read_source(Path("claims_under_test.py"), file="claims_under_test.py", text=text)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("claim", "mended", "code"), SPELLINGS)
def test_the_fix_changes_the_wrong_word_alone(claim, mended, code, end):
    text = TEXT.format(claim).replace("\n", end)
    (finding,) = read(text).findings
    assert finding.code == code
    assert finding.fix is not None
    assert not finding.fix.safe

    after = apply(text, *finding.fix.edits)

    assert after == TEXT.format(mended).replace("\n", end)
    assert not read(after).findings
    assert read(after).mechanisms


@pytest.mark.parametrize(("claim", "code"), NO_GUESS)
def test_there_is_no_fix_where_it_would_not_help(claim, code):
    findings = [finding for finding in read(TEXT.format(claim)).findings if finding.code == code]

    assert findings
    assert [finding.fix for finding in findings] == [None] * len(findings)


def test_the_title_names_both_words():
    (finding,) = read(TEXT.format("epsilon='epsilom'")).findings

    assert finding.fix.title == 'Replace "epsilom" by "epsilon"'


def test_claims_in_comments_are_mended_too():
    text = '# dplint: dp(epsilon="epsilom")\ndef f(rng, queries, epsilon): ...\n'
    (finding,) = read(text).findings

    assert apply(text, *finding.fix.edits) == text.replace("epsilom", "epsilon")


def test_one_wrong_name_is_mended_at_a_time():
    text = TEXT.format("epsilon='epsilom + mod'")
    (first,) = read(text).findings
    half = apply(text, *first.fix.edits)
    (second,) = read(half).findings

    assert apply(half, *second.fix.edits) == TEXT.format("epsilon='epsilon + mode'")
