"""Claims shown by the exact probabilities of all outcomes: randomised response, and what only looks like it."""

import math

import pytest

from dplint.outcomes import Sizes
from dplint.proofs.checker.outcomes import Likelier, check_outcomes
from dplint.proofs.checker.values import NotProved
from dplint.proofs.proving import NoProof, prove_outcomes, tosses_coins
from dplint.proofs.scopes import scopes
from dplint.proofs.searching import search
from tests.proofs.proof_tools import FIXTURES, of_text, sampled, targets

SURVEY = FIXTURES / "realistic" / "src" / "census" / "survey.py"
RAPPOR = FIXTURES / "dpsniper" / "rappor.py"


def one_scope(program, mechanism):
    return scopes(program, mechanism, None)[0]


def response(tmp_path, body, epsilon='"epsilon"', domain="[False, True]", annotation="bool"):
    text = (
        "import math\n\nfrom dplint import dp\n\n\n"
        f'@dp(epsilon={epsilon}, neighbors="any", domain={domain})\n'
        f"def respond(rng, answer: {annotation}, epsilon):{body}"
    )
    return of_text(tmp_path, text, "respond")


def outcome(program, mechanism):
    return prove_outcomes(program, mechanism, one_scope(program, mechanism))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (SURVEY, "ever_fined"),
        (SURVEY, "party"),
        (RAPPOR, "one_time_rappor"),
        pytest.param(RAPPOR, "rappor", marks=pytest.mark.nightly),
    ],
)
def test_randomised_response_of_the_fixtures_is_proved(file, name):
    program, mechanism = targets(file)[name]

    found = search(program, mechanism, 120.0)

    assert found.proof is not None, found.reason
    assert found.proof.scope.full
    assert found.proof.certificate.method == "exact probabilities"


def test_a_coin_in_place_of_the_opposite_answer_costs_more():
    """Log(1 + 2 * e^epsilon), by the table of truth; the pair is handed on."""
    program, mechanism = targets(SURVEY)["ever_fined_by_coin"]

    found = search(program, mechanism, 20.0)

    assert found.proof is None
    assert found.hint is not None
    assert {found.hint.first, found.hint.second} == {False, True}
    assert "likelier" in found.reason


KEEP = """
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
"""
ANSWER = """
    if rng.random() < keep:
        return answer
    return not answer
"""
RIGHT = {
    "half of the budget for each of two answers": (
        """
    keep = math.exp(epsilon / 2) / (1 + math.exp(epsilon / 2))
    first = answer if rng.random() < keep else not answer
    second = answer if rng.random() < keep else not answer
    return first, second
""",
        '"epsilon"',
    ),
    "two answers": (
        f"""{KEEP}
    told = []
    for _ in range(2):
        told.append(answer if rng.random() < keep else not answer)
    return told
""",
        '"2 * epsilon"',
    ),
    "twelve answers of one coin": (
        f"""{KEEP}
    coin = rng.random()
    told = []
    for _ in range(12):
        told.append(answer if coin < keep else not answer)
    return told
""",
        '"epsilon"',
    ),
    "the coin asked the other way round": (
        f"""{KEEP}
    return answer if not rng.random() >= keep else not answer
""",
        '"epsilon"',
    ),
    "nothing of the answer": ("\n    return rng.integers(0, 6)\n", '"epsilon"'),
}
WRONG = {
    "two answers at the price of one": RIGHT["two answers"],
    "a smaller chance of a lie": (
        """
    keep = math.exp(epsilon) / (0.9 + math.exp(epsilon))
    if rng.random() < keep:
        return answer
    return not answer
""",
        '"epsilon"',
    ),
    "no lie for small epsilon": (
        """
    keep = math.exp(epsilon) / (2 + math.exp(epsilon))
    return answer if rng.random() < keep else not answer
""",
        '"epsilon"',
    ),
    "the coin itself": (f"{KEEP}\n    coin = rng.random()\n    return coin if answer else 1 - coin\n", '"epsilon"'),
    "the coin as a key": (f"{KEEP}\n    told = {{}}\n    told[rng.random()] = 1\n    return told\n", '"epsilon"'),
    "the answer, when the coin says so": (f"{KEEP}\n    return answer if rng.random() < keep else 3\n", '"epsilon"'),
    "an exception that tells it": (
        f"{KEEP}\n    if rng.random() < keep and answer:\n        raise ValueError\n    return 1\n",
        '"epsilon"',
    ),
    "the type tells it": ("\n    rng.random()\n    return 1 if answer else 1.0\n", '"epsilon"'),
    "what earlier turns have given": (
        f"""{KEEP}
    told = []
    for _ in range(2):
        if len(told) > 0 and told[0] == answer:
            told.append(answer)
        else:
            told.append(answer if rng.random() < keep else not answer)
    return told
""",
        '"epsilon"',
    ),
    "a count of what was given": (
        f"""{KEEP}
    told = []
    count = 0
    for _ in range(2):
        if rng.random() < keep:
            told.append(True)
            count += 1
        else:
            told.append(False)
    return count if answer else 5
""",
        '"epsilon"',
    ),
    "two lists that are compared": (
        f"""{KEEP}
    told = []
    other = []
    for _ in range(2):
        told.append(rng.random() < keep)
        other.append(True)
        if told == other:
            other.append(answer)
    return told, other
""",
        '"epsilon"',
    ),
    "as many turns as the answer says": (
        f"""{KEEP}
    told = []
    for _ in range(3 if answer else 2):
        told.append(rng.random() < keep)
    return told
""",
        '"epsilon"',
    ),
}
WRONG["two answers at the price of one"] = (RIGHT["two answers"][0], '"1.9 * epsilon"')


@pytest.mark.parametrize(("body", "epsilon"), RIGHT.values(), ids=RIGHT)
def test_what_is_right_is_proved(tmp_path, body, epsilon):
    assert outcome(*response(tmp_path, body, epsilon)) is None


@pytest.mark.parametrize(("body", "epsilon"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_not_proved(tmp_path, body, epsilon):
    assert isinstance(outcome(*response(tmp_path, body, epsilon)), NoProof)


BINOMIAL = "\n    return int(answer) ^ rng.binomial({n}, 1 / (1 + math.exp(epsilon)))\n"


def test_a_binomial_draw_of_one_is_a_coin(tmp_path):
    """The loss is epsilon; a 2 of two coins, or of a sum, has no counterpart for the other answer."""
    assert outcome(*response(tmp_path, BINOMIAL.format(n=1))) is None
    assert isinstance(outcome(*response(tmp_path, BINOMIAL.format(n=1), '"0.99 * epsilon"')), NoProof)
    assert isinstance(outcome(*response(tmp_path, BINOMIAL.format(n=2))), NoProof)
    assert isinstance(outcome(*response(tmp_path, BINOMIAL.format(n=1).replace("^", "+"))), NoProof)


KINDS = '["a", "b", "c"]'
LIES = {
    "Python's choice": "random.choice([kind for kind in KINDS if kind != answer])",
    "NumPy's choice": "str(rng.choice([kind for kind in KINDS if kind != answer]))",
    "a place": "[kind for kind in KINDS if kind != answer][rng.choice(2)]",
    "a tuple": "random.choice(tuple(kind for kind in KINDS if kind != answer))",
}
TELLING = {
    "a lie that may be the truth": "random.choice(KINDS)",
    "one lie twice": "random.choice([kind for kind in KINDS + KINDS[:1] if kind != answer])",
    "always the same lie": "random.choice([kind for kind in KINDS if kind != answer][:1])",
    "by weights": "random.choices(KINDS, weights=[kind != answer for kind in KINDS])[0]",
    "of several types": "rng.choice([1, 'a', 2.5])",
}


def among_three(tmp_path, lie, lies=2, epsilon='"epsilon"'):
    """Keeps the answer with probability e^epsilon / (e^epsilon + lies)."""
    keep = f"math.exp(epsilon) / (math.exp(epsilon) + {lies})"
    body = f"\n    KINDS = {KINDS}\n    if rng.random() < {keep}:\n        return answer\n    return {lie}\n"
    program, mechanism = response(tmp_path, f"\n    import random{body}", epsilon, KINDS, "str")
    return outcome(program, mechanism)


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_choice_among_the_other_answers(tmp_path, lie):
    """K-ary randomised response keeps with e^epsilon / (e^epsilon + k - 1) (Kairouz et al. 2014); no less will do."""
    assert among_three(tmp_path, lie) is None
    assert isinstance(among_three(tmp_path, lie, epsilon='"0.99 * epsilon"'), NoProof)
    assert isinstance(among_three(tmp_path, lie, lies=1), NoProof)


@pytest.mark.parametrize("lie", TELLING.values(), ids=TELLING)
def test_a_choice_that_tells_more(tmp_path, lie):
    assert isinstance(among_three(tmp_path, lie), NoProof)


@pytest.mark.parametrize(("keep", "answers"), [(0.75, 1), (0.6, 3), (0.9, 2), (0.55, 12)])
def test_fixed_chances_at_the_exact_loss_and_below_it(tmp_path, keep, answers):
    """The loss of so many answers is answers * log(keep / (1 - keep))."""
    body = f"""
    told = []
    for _ in range({answers}):
        told.append(answer if rng.random() < {keep} else not answer)
    return told
"""
    loss = answers * math.log(keep / (1 - keep))

    assert outcome(*response(tmp_path, body, str(round(loss * 1.0001, 9)))) is None
    assert isinstance(outcome(*response(tmp_path, body, str(round(loss * 0.9999, 9)))), NoProof)


def test_the_exact_loss_as_a_logarithm(tmp_path):
    body = "\n    return answer if rng.random() < 0.75 else not answer\n"

    assert outcome(*response(tmp_path, body, '"log(3)"')) is None
    assert isinstance(outcome(*response(tmp_path, body, '"log(2.999)"')), NoProof)


@pytest.mark.parametrize("keep", ["epsilon", "1.5", "-0.5", "math.log(epsilon)", "math.exp(-epsilon)"])
def test_a_chance_that_is_none_or_not_known(tmp_path, keep):
    """With e^-epsilon the answer is hardly ever given for a large epsilon, its opposite is; and 1.5 is always."""
    body = f"\n    return answer if rng.random() < {keep} else not answer\n"

    assert isinstance(outcome(*response(tmp_path, body)), NoProof)


COIN_MUTANTS = [
    pytest.param(name, file, old, new.format(share=share), id=f"{name}: {new.format(share=share)}")
    for share in (0.9, 0.5, 0.99, 0.75, 0.1)
    for name, file, old, new in [
        # The odds of the truth are e^epsilon / share, for one over e^epsilon.
        ("ever_fined", SURVEY, "(1 + math.exp(epsilon))\n    if", "({share} + math.exp(epsilon))\n    if"),
        (
            "party",
            SURVEY,
            "(math.exp(epsilon) + len(PARTIES) - 1)",
            "(math.exp(epsilon) + {share} * (len(PARTIES) - 1))",
        ),
        # A lie that is told less often than its price: 1 - keep falls by the share at least.
        (
            "ever_fined",
            SURVEY,
            "rng.random() < keep:\n        return answer",
            "rng.random() < 1 - {share} * (1 - keep):\n        return answer",
        ),
        (
            "party",
            SURVEY,
            "rng.random() < keep:\n        return choice",
            "rng.random() < 1 - {share} * (1 - keep):\n        return choice",
        ),
    ]
] + [
    pytest.param("ever_fined", SURVEY, "return not answer", "return answer", id="ever_fined: never a lie"),
    pytest.param("party", SURVEY, "rng.random() < keep", "rng.random() > keep", id="party: the comparison turned"),
    pytest.param("party", SURVEY, "if p != choice", "if p == choice", id="party: never another"),
    pytest.param("one_time_rappor", RAPPOR, 'epsilon="8 * log', 'epsilon="4 * log', id="one_time_rappor: half"),
    pytest.param("one_time_rappor", RAPPOR, "coin < f / 2", "coin < 0", id="one_time_rappor: no ones invented"),
]


@pytest.mark.parametrize(("name", "file", "old", "new"), sampled(COIN_MUTANTS, 5))
def test_no_mutant_of_a_right_one_is_proved(tmp_path, name, file, old, new):
    text = file.read_text()
    assert old in text

    assert isinstance(outcome(*of_text(tmp_path, text.replace(old, new), name)), NoProof)


def test_a_scope_that_is_not_that_of_the_claim():
    program, mechanism = targets(SURVEY)["ever_fined"]
    (scope, *_) = scopes(program, mechanism, Sizes(1, 1))

    with pytest.raises(NotProved, match="lengths"):
        check_outcomes(program, mechanism, scope)


def test_the_pair_on_which_an_outcome_is_likelier(tmp_path):
    body = '\n    return answer if rng.random() < 0.8 else "c"\n'
    program, mechanism = response(tmp_path, body, domain='["a", "b"]', annotation="str")

    with pytest.raises(Likelier) as error:
        check_outcomes(program, mechanism, one_scope(program, mechanism))

    assert {error.value.first, error.value.second} == {"a", "b"}


def test_only_programs_of_coins_are_read_so():
    assert tosses_coins(targets(SURVEY)["party"][0])
    assert not tosses_coins(targets(FIXTURES / "statdp" / "histogram.py")["histogram"][0])


UNARY = """
    q = 1 / (1 + math.exp(epsilon / 2))
"""
FOURTEEN = "list(range(14))"
"""Bits: 16,384 outcomes, which only a comprehension that is cut into turns has not to go through."""


@pytest.mark.parametrize(
    "made",
    [
        "return [rng.random() < (1 - q if i == answer else q) for i in range(14)]",
        "bits = [int(rng.random() < (1 - q if i == answer else q)) for i in range(14)]\n    return bits",
        "return [rng.random() < (1 - q if i == answer else q) for i in range(28) if i % 2 == 0]",
    ],
)
def test_each_bit_of_a_comprehension_is_a_turn(tmp_path, made):
    """Two bits of two values differ, and each loses epsilon / 2: Wang et al., USENIX Security 2017, section 4.2."""
    program, mechanism = response(tmp_path, f"{UNARY}    {made}\n", domain=FOURTEEN, annotation="int")

    assert outcome(program, mechanism) is None


@pytest.mark.parametrize(
    "made",
    [
        # Three bits differ.
        "bits = [rng.random() < (1 - q if i == answer else q) for i in range(4)]\n"
        "    return bits, rng.random() < (1 - q if answer else q)",
        # The bits of a value and of what follows it: four differ.
        "return [rng.random() < (1 - q if i in (answer, answer + 1) else q) for i in range(4)]",
        # How many bits there are tells the value.
        "return [rng.random() < (1 - q if i == answer else q) for i in range(4) if i != answer or i % 2]",
        "bits = [rng.random() < (1 - q if i == answer else q) for i in range(4)]\n    return bits, answer > 2",
        "b = [i == answer for i in range(4)]\n    b = [rng.random() < q and not bit for bit in b]\n    return b",
    ],
)
def test_a_comprehension_that_tells_more_is_not_proved(tmp_path, made):
    program, mechanism = response(tmp_path, f"{UNARY}    {made}\n", domain="list(range(4))", annotation="int")

    assert isinstance(outcome(program, mechanism), NoProof)


def test_a_long_proof_can_be_ended(tmp_path):
    """Ten coins that are tossed one after another outside of a loop: 1,024 paths for each value."""
    coins = ", ".join("rng.random() < q" for _ in range(10))
    program, mechanism = response(tmp_path, f"{UNARY}    return {coins}\n", domain="list(range(10))", annotation="int")

    class Ended(Exception):
        pass

    asked = 0

    def pause():
        nonlocal asked
        asked += 1
        if asked == 100:
            raise Ended

    with pytest.raises(Ended):
        check_outcomes(program, mechanism, one_scope(program, mechanism), pause=pause)
