"""What overflows, wraps, vanishes or raises: nothing may be proved of it, and what cannot is proved as before.

Of each wrong mechanism it is shown by two runs without noise that it is wrong: the outputs are further apart than the
claim allows, or one of the runs alone raises.
"""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import z3

from dplint.outcomes import WORD_SIZED
from dplint.proofs.checker.intervals import Intervals
from dplint.proofs.checker.values import abs_of
from tests.proofs.proof_tools import of_text, searched

HEAD = "import pandas as pd\nimport polars as pl\n\n\n"
ADD = 'neighbors="add-remove"'
ANY = 'neighbors="any"'
TABLE = 'domain={"age": (0, 120), "sex": ["m", "f"]}'
LARGE = 'domain={"a": (0, 9000000000000000000), "b": (0, 9000000000000000000)}'


class NoNoise:
    """A generator whose noise is 0, and which chooses the likeliest."""

    def laplace(self, loc=0.0, scale=1.0):
        """Of two runs that differ without noise by more than the scale allows, one is no neighbour's output."""
        return float(loc)

    def random(self):
        """In the middle."""
        return 0.5

    def choice(self, items, p):
        """As NumPy does, it refuses what are no probabilities."""
        if not all(map(math.isfinite, p)):
            raise ValueError("probabilities contain NaN")
        return int(np.argmax(p))


def table(kind, **columns):
    """A table of pandas or polars."""
    return (pd if kind == "pd" else pl).DataFrame(columns)


# head of the claim, parameters, body, neighbours, and by how much the outputs may differ without noise
WRONG = {
    "a clip of pandas with its bounds exchanged": (
        f"{ADD}, {TABLE}",
        "people: pd.DataFrame",
        "people['age'].clip(120, 0).sum() + rng.laplace(scale=1 / epsilon)",
        [table("pd", age=[], sex=[]), table("pd", age=[90], sex=["m"])],
        1,
    ),
    "a clip of NumPy's of a column": (
        f"{ADD}, {TABLE}",
        "people: pd.DataFrame",
        "np.clip(people['age'], 120, 0).sum() + rng.laplace(scale=1 / epsilon)",
        [table("pd", age=[], sex=[]), table("pd", age=[90], sex=["m"])],
        1,
    ),
    "a clip of a series": (
        f"{ADD}, domain=(0, 120)",
        "people: pd.Series",
        "people.clip(50, 10).sum() + rng.laplace(scale=10 / epsilon)",
        [pd.Series([], dtype=int), pd.Series([90])],
        10,
    ),
    "a clip of polars with its bounds exchanged": (
        f"{ADD}, {TABLE}",
        "people: pl.DataFrame",
        "people['age'].clip(50, 10).sum() + rng.laplace(scale=10 / epsilon)",
        [table("pl", age=[1], sex=["m"]), table("pl", age=[1, 3], sex=["m", "m"])],
        10,
    ),
    "a clip of an expression of polars": (
        f"{ADD}, {TABLE}",
        "people: pl.DataFrame",
        "people.select(pl.col('age').clip(50, 10).sum()).item() + rng.laplace(scale=10 / epsilon)",
        [table("pl", age=[1], sex=["m"]), table("pl", age=[1, 3], sex=["m", "m"])],
        10,
    ),
    "a square that wraps": (
        f"{ADD}, domain=(0, 5000000000)",
        "pays: np.ndarray",
        "len(pays) + 100 * (pays * pays < 0).sum() + rng.laplace(scale=1 / epsilon)",
        [np.array([], dtype=int), np.array([4000000000])],
        1,
    ),
    "a power that wraps": (
        f"{ADD}, domain=(0, 3000000)",
        "pays: np.ndarray",
        "len(pays) + 100 * (pays**3 < 0).sum() + rng.laplace(scale=1 / epsilon)",
        [np.array([], dtype=int), np.array([2500000])],
        1,
    ),
    "the absolute value of the least number": (
        f"{ADD}, domain=(-9223372036854775808, 0)",
        "pays: np.ndarray",
        "len(pays) + 100 * (np.abs(pays) < 0).sum() + rng.laplace(scale=1 / epsilon)",
        [np.array([], dtype=int), np.array([-(2**63)])],
        1,
    ),
    "the sign of the least number": (
        f"{ADD}, domain=(-9223372036854775808, 0)",
        "pays: np.ndarray",
        "len(pays) + 100 * (-pays < 0).sum() + rng.laplace(scale=1 / epsilon)",
        [np.array([], dtype=int), np.array([-(2**63)])],
        1,
    ),
    "a sum that wraps": (
        f"{ADD}, domain=(0, 4611686018427387904)",
        "pays: np.ndarray",
        "(100 if pays.sum() < 0 else 0) + rng.laplace(scale=1 / epsilon)",
        [np.array([2**62]), np.array([2**62, 2**62])],
        1,
    ),
    "two columns whose sum wraps": (
        f"{ADD}, {LARGE}",
        "people: pd.DataFrame",
        "len(people) + 100 * (people['a'] + people['b'] < 0).sum() + rng.laplace(scale=1 / epsilon)",
        [table("pd", a=[], b=[]), table("pd", a=[2**62], b=[2**62])],
        1,
    ),
    "a list that becomes an array": (
        f"{ADD}, domain=(0, 5000000000)",
        "pays: list[int]",
        "sum(100 * ((np.array([pay]) * pay)[0] < 0) for pay in pays) + rng.laplace(scale=1 / epsilon)",
        [[], [4000000000]],
        1,
    ),
    "floats that are too large for whole numbers": (
        f"{ADD}, domain=(0.0, 1e20)",
        "pays: np.ndarray",
        "len(pays) + 100 * (pays.astype(int) < 0).sum() + rng.laplace(scale=1 / epsilon)",
        [np.array([]), np.array([1e20])],
        1,
    ),
    "absolute values of truths, whose sum is a truth": (
        f"{ADD}, domain=(0, 120)",
        "ages: np.ndarray",
        "len(ages) + 100 * (np.abs(ages > 60) + np.abs(ages > 60) == 1).sum() + rng.laplace(scale=1 / epsilon)",
        [np.array([], dtype=int), np.array([90])],
        1,
    ),
    "extremes of truths, whose sum is a truth": (
        f"{ADD}, domain=(0, 120)",
        "ages: np.ndarray",
        "len(ages) + 100 * (np.maximum(ages > 60, ages > 90) + np.maximum(ages > 60, ages > 90) == 1).sum()"
        " + rng.laplace(scale=1 / epsilon)",
        [np.array([], dtype=int), np.array([90])],
        1,
    ),
    "powers of truths, which have 8 bits": (
        f"{ADD}, {TABLE}",
        "people: pd.DataFrame",
        "len(people) + 100 * (((people['age'] >= 0) ** 2) * 100 * 2 < 0).sum() + rng.laplace(scale=1 / epsilon)",
        [table("pd", age=[], sex=[]), table("pd", age=[90], sex=["m"])],
        1,
    ),
    "an exponential that overflows": (
        'neighbors="linf", size=2',
        "scores",
        "rng.choice(2, p=[math.exp(epsilon * s / 2) / sum(math.exp(epsilon * t / 2) for t in scores) for s in scores])",
        [[1420.0, 1420.0], [1419.0, 1419.0]],
        0,
    ),
    "exponentials that all vanish": (
        'neighbors="linf", size=2, domain=(-2000, 0)',
        "scores",
        "rng.choice(2, p=[math.exp(epsilon * s / 2) / sum(math.exp(epsilon * t / 2) for t in scores) for s in scores])",
        [[-1491, -1491], [-1490, -1490]],
        0,
    ),
    "a product that vanishes": (
        f"{ANY}, domain=(-1.0, 1.0)",
        "x: float",
        "(0.0 if x == 0 else min(1.0, 1 / (x * x))) + rng.laplace(scale=1 / epsilon)",
        [1e-200, 1.0],
        1,
    ),
    "a quotient that vanishes": (
        f"{ANY}, domain=(0.0, 1.0)",
        "x: float",
        "(0.0 if x == 0 else min(1.0, 1e-300 / (x / 1e300))) + rng.laplace(scale=1 / epsilon)",
        [1e-100, 1.0],
        1,
    ),
    "a remainder of what vanishes": (
        f"{ANY}, domain=(0.0, 1.0)",
        "x: float",
        "(0.0 if x == 0 else 0 * (1.0 % (x * x))) + rng.laplace(scale=1 / epsilon)",
        [1e-200, 1.0],
        1,
    ),
    "a whole number that is too large for a float": (
        'neighbors="linf"',
        "answer: int",
        "answer + rng.laplace(scale=1 / epsilon)",
        [2**1024 - 2**970, 2**1024 - 2**970 - 1],
        1,
    ),
    "a quotient of whole numbers that is too large": (
        'neighbors="linf", size=3',
        "answers: list[int]",
        "sum(answers) / 3 + rng.laplace(scale=1 / epsilon)",
        [[2**1024 - 2**970] * 3, [2**1024 - 2**970 - 1] * 3],
        1,
    ),
    "a product of whole numbers that is too large": (
        f"{ANY}, domain=(0, 400)",
        "x: int",
        "min(1.0, float((x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4)"
        " * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4)"
        " * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4) * (x**4)))"
        " + rng.laplace(scale=1 / epsilon)",
        [400, 1],
        1,
    ),
    "a power of a float": (
        f"{ANY}, domain=(0.0, 1e200)",
        "x: float",
        "min(1.0, x**2) + rng.laplace(scale=1 / epsilon)",
        [1e200, 1.0],
        1,
    ),
    "a whole number of infinity": (
        f"{ANY}, domain=(-10.0, 10.0)",
        "x: float",
        "(1 if int(x * 1e308) > 0 else 0) + rng.laplace(scale=1 / epsilon)",
        [10.0, 1.0],
        1,
    ),
    "infinity less infinity": (
        f"{ANY}, domain=(-10.0, 10.0)",
        "x: float",
        "(0 if x * 1e308 - x * 1e308 == 0 else 100) + rng.laplace(scale=1 / epsilon)",
        [10.0, 1.0],
        1,
    ),
    "a rounding of infinity": (
        f"{ANY}, domain=(0.0, 1e308)",
        "x: float",
        "min(round(x + x), 1) + rng.laplace(scale=1 / epsilon)",
        [1e308, 1.0],
        1,
    ),
}


def function(head, parameters, body):
    """The text of the mechanism."""
    return f'{HEAD}@dp(epsilon="epsilon", {head})\ndef release(rng, {parameters}, epsilon):\n    return {body}\n'


def outcome(text, data):
    """What the mechanism gives without noise, or the exception that it raises."""
    names = {"np": np, "pd": pd, "pl": pl, "math": math, "dp": lambda **_: lambda function: function}
    exec(text.replace(HEAD, ""), names)
    try:
        with np.errstate(all="ignore"):
            return names["release"](NoNoise(), data, 1.0)
    except (ArithmeticError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("name", WRONG)
def test_it_is_wrong(name):
    """Without noise the outputs of neighbours are further apart than the scale at epsilon 1, or one alone raises."""
    head, parameters, body, (one, two), most = WRONG[name]
    first, second = (outcome(function(head, parameters, body), data) for data in (one, two))

    raised = [isinstance(side, type) for side in (first, second)]
    assert any(raised) if raised[0] != raised[1] else abs(first - second) > most


BEYOND_WORDS = {"a whole number that is too large for a float", "a quotient of whole numbers that is too large"}


@pytest.mark.parametrize("name", WRONG)
def test_nothing_is_proved_of_it(tmp_path, name):
    """Where it is wrong: of whole numbers that no domain bounds, those of more than 64 bits are left out."""
    proof = searched(tmp_path, function(*WRONG[name][:3])).proof

    if name in BEYOND_WORDS and proof is not None:
        assert proof.scope.word_sized
        assert not proof.scope.full
        assert all(one >= 2**63 for data in WRONG[name][3] for one in np.ravel(data))
    else:
        assert proof is None


RIGHT = {
    "the largest score is subtracted": (
        'neighbors="linf"',
        "scores",
        "    best = max(scores)\n"
        "    weights = [math.exp(epsilon * (s - best) / 2) for s in scores]\n"
        "    total = sum(weights)\n"
        "    return rng.choice(len(scores), p=[w / total for w in weights])\n",
    ),
    "the largest of an array is subtracted": (
        'neighbors="linf"',
        "scores: np.ndarray",
        "    weights = np.exp(epsilon * (scores - scores.max()) / 2)\n"
        "    return int(rng.choice(len(scores), p=weights / weights.sum()))\n",
    ),
    "a table of whole numbers": (
        'neighbors="add-remove", domain={"pay": (0, 1000000), "sex": ["m", "f"]}',
        "people: pd.DataFrame",
        "    return float((people['pay'] // 1000).clip(0, 100).sum() + rng.laplace(scale=100 / epsilon))\n",
    ),
    "an array cut off by NumPy": (
        'neighbors="add-remove", domain=(0, 120)',
        "ages: np.ndarray",
        "    return float(np.clip(ages, 10, 50).sum() + rng.laplace(scale=50 / epsilon))\n",
    ),
    "a power of what is small": (
        'neighbors="any", domain=(0.0, 100.0)',
        "x: float",
        "    return min(1.0, x**2) + rng.laplace(scale=1 / epsilon)\n",
    ),
    "a division by what is not tiny": (
        'neighbors="any", domain=(0.001, 1.0)',
        "x: float",
        "    return min(1.0, 1 / (x * x)) + rng.laplace(scale=1 / epsilon)\n",
    ),
    "a division where a branch has excluded what is tiny": (
        'neighbors="any", domain=(0.0, 1.0)',
        "x: float",
        "    y = 0.0 if x < 0.01 else min(1.0, 0.01 / (x * x))\n    return y + rng.laplace(scale=1 / epsilon)\n",
    ),
    "an answer that is cut off first": (
        'neighbors="linf"',
        "x: float",
        "    y = max(-10.0, min(10.0, x))\n    return y**2 / 20 + rng.laplace(scale=1 / epsilon)\n",
    ),
    "a whole number of a domain": (
        'neighbors="linf", domain=(0, 1000000)',
        "answer: int",
        "    return answer / 2 + rng.laplace(scale=1 / epsilon)\n",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_stays_within_the_limits_is_proved_in_full(tmp_path, name):
    head, parameters, body = RIGHT[name]
    text = f'{HEAD}@dp(epsilon="epsilon", {head})\ndef release(rng, {parameters}, epsilon):\n{body}'
    proof = searched(tmp_path, text).proof

    assert proof is not None
    assert proof.scope.full
    assert not proof.scope.assumptions


def test_exponentials_of_scores_of_a_domain_are_proved_for_small_epsilons(tmp_path):
    """For an epsilon of 20, a score of 71 makes one run raise, and one of 70 does not."""
    text = (
        '@dp(epsilon="epsilon", neighbors="linf", domain=(0, 100))\n'
        "def release(rng, scores, epsilon):\n"
        "    weights = [math.exp(epsilon * s / 2) for s in scores]\n"
        "    total = sum(weights)\n"
        "    return rng.choice(len(scores), p=[w / total for w in weights])\n"
    )
    proof = searched(tmp_path, text).proof

    assert proof is not None
    assert proof.scope.epsilon.high == 1.0
    assert {one.name: one.values for one in proof.scope.arguments}["epsilon"].high == 1.0


def test_what_an_array_holds_of_whole_numbers_of_any_size_is_taken_for_granted_in_words(tmp_path):
    text = (
        '@dp(epsilon="epsilon", neighbors="linf", size=3)\n'
        "def release(rng, answers: np.ndarray[int], epsilon):\n"
        "    return float(answers.sum() + rng.laplace(scale=3 / epsilon))\n"
    )
    proof = searched(tmp_path, text).proof

    assert proof is not None
    assert proof.scope.assumptions == (WORD_SIZED,)
    assert not proof.scope.full


COIN = """@dp(epsilon="epsilon", neighbors="any", domain=[0, 1])
def release(rng, x: int, epsilon):
    size = math.exp(epsilon)
    return x if rng.random() < size / (1 + size) else 1 - x
"""


def test_an_exponential_of_arguments_is_one_of_both_runs(tmp_path):
    """For an epsilon of 1000, a run raises if and only if it has the exponential: so its neighbour has to have it."""
    alone = COIN.replace("    return", "    return 0 if rng.random() < 0.5 else 1\n    return")
    alone = alone.replace("    size = math.exp(epsilon)\n", "    if x == 1:\n        size = math.exp(epsilon)\n")
    alone = alone.partition("    return x")[0]

    assert searched(tmp_path, COIN).settled
    assert searched(tmp_path, alone.replace("math.exp(epsilon)", "epsilon")).settled
    assert searched(tmp_path, alone).proof is None


X, Y, K = z3.Real("d:x"), z3.Real("d:y"), z3.Int("d:k")
WORLD = [X >= -2, X <= 3, Y >= 1, Y <= 4, z3.Or(K == 2, K == 5)]
LARGER, SMALLER = z3.If(X > Y, X, Y), z3.If(X < 1, X, z3.RealVal(1))


@pytest.mark.parametrize(
    ("term", "low", "high"),
    [
        (X + Y, -1, 7),
        (X - Y, -6, 2),
        (X * X, -6, 9),  # the two factors are not known to be the same
        (-X, -3, 2),
        (X / Y, -2, 3),
        (abs_of(X), 0, 3),
        (LARGER, 1, 4),
        (SMALLER, -2, 1),
        (z3.ToReal(K) * Y, 2, 20),
        (z3.If(K > 3, X, Y), -2, 4),
        (K + z3.Int("d:other"), -math.inf, math.inf),
    ],
)
def test_intervals(term, low, high):
    """Worked out by hand: the ends of the operands, combined."""
    ends = Intervals(WORLD).of(term)

    assert ends == pytest.approx((low, high))
    assert ends[0] <= low
    assert high <= ends[1]


def test_a_mechanism_of_the_tests_is_read(tmp_path):
    """So that nothing counts as refused which was never looked at."""
    for name, (head, parameters, body, _, _) in WRONG.items():
        text = "import math\n\nimport numpy as np\n\nfrom dplint import dp\n" + function(head, parameters, body)
        assert of_text(tmp_path, text, "release"), name
