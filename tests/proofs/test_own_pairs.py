"""Claims whose neighbours come from a function of the user's: proved for exactly the pairs that it yields."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import integrate, stats

from dplint.outcomes import Sizes
from dplint.proofs.checker.bounded import BoundedCheck
from dplint.proofs.checker.values import NotProved
from dplint.proofs.proving import prove_bounded
from dplint.proofs.scopes import scopes
from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text

HEAD = "import math\n\nimport numpy as np\n\nfrom dplint import dp\n\n\ndef surveys():\n    yield {}, {}\n\n\n"
TABLE = """@dp(epsilon="epsilon", neighbors=surveys)
def release(rng, table, epsilon):
    return {key: count + rng.laplace(scale=1 / epsilon) for key, count in table.items()}
"""
SVT = """@dp(epsilon="epsilon", neighbors=surveys)
def release(rng, queries, epsilon):
    threshold = rng.laplace(scale=2 / epsilon)
    for place, query in enumerate(queries):
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            return place
    return None
"""
CHOICE = """@dp(epsilon="epsilon", neighbors=surveys)
def release(rng, scores, epsilon):
    weights = [math.exp(epsilon * score / 2) for score in scores]
    return rng.choice(len(scores), p=[weight / sum(weights) for weight in weights])
"""
COIN = """@dp(epsilon="epsilon", neighbors=surveys)
def release(rng, answer, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    if rng.random() < keep:
        return answer == "yes"
    return answer != "yes"
"""
GAUSSIAN = """@dp(epsilon="epsilon", delta=1e-5, neighbors=surveys)
def release(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return [value + rng.normal(0, sigma) for value in values]
"""
FARTHEST = ([0] * 5, [1, 1, 1, 1, -1])
"""Answers that lose most of a sparse vector, where the last of them is the first one above."""
PAIRS = {
    "a table": (TABLE, [({"a": 3, "b": 1}, {"a": 4, "b": 1}), ({"c": 0.5}, {"c": -0.5})]),
    "a sparse vector": (SVT, [([0, 0, 3], [1, 1, 2]), ([5], [4]), FARTHEST]),
    "a choice": (CHOICE, [([0, 1, 2], [1, 0, 2]), ((3, 3), (4, 3))]),
    "a coin": (COIN, [("yes", "no"), ("yes", "perhaps")]),
    "Gaussian noise": (GAUSSIAN, [([0.0, 0.0], [0.6, 0.8])]),
}
"""A text, and pairs of neighbours for which it keeps its claim."""


def proved(tmp_path, text, pairs):
    program, mechanism = of_text(tmp_path, HEAD + text, "release")
    return search(program, mechanism, 20.0, pairs=tuple(pairs))


@pytest.mark.parametrize(("text", "pairs"), PAIRS.values(), ids=PAIRS)
def test_right_ones_are_proved_for_their_pairs(tmp_path, text, pairs):
    found = proved(tmp_path, text, pairs)

    assert found.proof is not None, found.reason
    assert found.proof.scope.pairs == tuple(pairs)
    assert not found.proof.scope.full


MUTANTS = {
    "nine tenths of the noise": (TABLE.replace("1 / epsilon", "0.9 / epsilon"), PAIRS["a table"][1]),
    "a pair that is farther apart": (TABLE, [*PAIRS["a table"][1], ({"a": 0, "b": 0}, {"a": 1, "b": 1})]),
    "the same, the other way round": (TABLE, [({"a": 1, "b": 1}, {"a": 0, "b": 0})]),
    "a key that one side alone has": (TABLE, [({"a": 0}, {"a": 0, "b": 0})]),
    "a sparse vector without a noisy threshold": (
        SVT.replace("threshold = rng.laplace(scale=2 / epsilon)", "threshold = 0.0"),
        [FARTHEST],
    ),
    "a sparse vector with half of the noise": (SVT.replace("4 / epsilon", "2 / epsilon"), [FARTHEST]),
    "weights that are not halved": (CHOICE.replace(" / 2)", ")"), [([0, 3], [1, 2])]),
    "a fair coin in the end": (
        COIN.replace('return answer != "yes"', "return rng.random() < 0.5"),
        [("yes", "no")],
    ),
    "Gaussian noise, too far apart": (GAUSSIAN, [([0.0, 0.0], [0.6, 0.81])]),
}


@pytest.mark.parametrize(("text", "pairs"), MUTANTS.values(), ids=MUTANTS)
def test_no_mutant_is_proved(tmp_path, text, pairs):
    assert proved(tmp_path, text, pairs).proof is None


def largest_loss_of_table(scale, pairs):
    """The largest log ratio of densities, which Laplace noise has far outside: the sum of all moves over the scale."""
    losses = []
    for one, two in pairs:
        if list(one) != list(two):
            return math.inf
        far = 50.0
        outputs = product((-far, far), repeat=len(one))
        densities = [
            sum(
                stats.laplace.logpdf(x, a, scale) - stats.laplace.logpdf(x, b, scale)
                for x, a, b in zip(*row, strict=True)
            )
            for row in ((out, one.values(), two.values()) for out in outputs)
        ]
        losses.append(max(map(abs, densities)))
    return max(losses)


def test_what_is_proved_of_tables_is_so():
    """By densities at epsilon = 1: the right one keeps its claim, and each mutant of it does not."""
    assert largest_loss_of_table(1.0, PAIRS["a table"][1]) == pytest.approx(1.0)
    assert largest_loss_of_table(0.9, MUTANTS["nine tenths of the noise"][1]) > 1.1
    for name in ("a pair that is farther apart", "the same, the other way round", "a key that one side alone has"):
        assert largest_loss_of_table(1.0, MUTANTS[name][1]) > 1.9


def loss_of_sparse_vector(scale, threshold):
    """At epsilon = 1, of the outcome that the last answer of all is the first one above; by quadrature."""

    def chance(answers):
        def at(z):
            below = np.prod([stats.laplace.cdf(z - one, 0, scale) for one in answers[:-1]])
            return below * stats.laplace.sf(z - answers[-1], 0, scale)

        if not threshold:
            return at(0.0)
        return integrate.quad(
            lambda z: stats.laplace.pdf(z, 0, threshold) * at(z), -60, 60, points=[-1, 0, 1], limit=400
        )[0]

    return math.log(chance(FARTHEST[0]) / chance(FARTHEST[1]))


def test_what_is_proved_of_sparse_vectors_is_so():
    assert loss_of_sparse_vector(4.0, 2.0) <= 1.0
    assert loss_of_sparse_vector(4.0, 0.0) == pytest.approx(1.25)
    assert loss_of_sparse_vector(2.0, 2.0) > 1.4


def test_what_is_proved_of_choices_is_so():
    def loss(share, pairs):
        rows = [[np.exp(share * np.array(side)) / np.exp(share * np.array(side)).sum() for side in p] for p in pairs]
        return max(np.abs(np.log(one / two)).max() for one, two in rows)

    assert loss(0.5, PAIRS["a choice"][1]) <= 1.0
    assert loss(1.0, MUTANTS["weights that are not halved"][1]) > 1.7


def test_the_checker_wants_every_pair_in_both_orders(tmp_path):
    program, mechanism = of_text(tmp_path, HEAD + TABLE, "release")
    pairs = tuple(PAIRS["a table"][1])
    (scope, *_) = scopes(program, mechanism, None, pairs)
    found = prove_bounded(program, mechanism, scope)

    def shown(scope, shapes):
        check = BoundedCheck(program, mechanism, scope)
        for shape, case, groups in found.groups:
            if shape.edit in shapes:
                check.show(shape, case, groups)
        check.finish()

    every = {shape.edit for shape, _, _ in found.groups}
    assert every == {"pair 0", "turned 0", "pair 1", "turned 1"}
    shown(scope, every)
    for one in every:
        with pytest.raises(NotProved):
            shown(scope, every - {one})
    for other in (None, ()):
        with pytest.raises(NotProved):
            shown(replace(scope, pairs=other), every)
    wrong = replace(scope, pairs=(pairs[0], ({"c": 0}, {"c": 2})))
    with pytest.raises(NotProved):
        shown(wrong, every)


def test_pairs_of_a_relation_that_has_its_own(tmp_path):
    """A scope cannot make fewer neighbours of those that the relation has."""
    text = HEAD + TABLE.replace("neighbors=surveys", 'neighbors="l1"').replace("table.items()", "enumerate(table)")
    program, mechanism = of_text(tmp_path, text, "release")
    for scope in scopes(program, mechanism, Sizes(1, 1), (([1], [1]),)):
        with pytest.raises(NotProved):
            BoundedCheck(program, mechanism, scope)


def test_without_pairs_there_is_no_proof(tmp_path):
    found = proved(tmp_path, TABLE, ())

    assert found.proof is None
    assert "only the text is known" in found.reason


@pytest.mark.process
def test_as_a_user_sees_it(tmp_path):
    """Numbers of NumPy's divide and overflow otherwise, so pairs with them are no data of the checker's."""
    other = TABLE.replace("surveys", "others").replace("release", "other_release")
    head = HEAD.replace("yield {}, {}", "yield {'a': 3}, {'a': 4}\n    yield {'a': 1}, {'a': 0}")
    (tmp_path / "tables.py").write_text(
        f"{head}{TABLE}\n\ndef others():\n    yield {{'a': np.float64(3)}}, {{'a': 4}}\n\n\n{other}"
    )
    command = [sys.executable, "-m", "dplint", "check", "--format", "json", "--budget", "3s", "--no-cache", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = {one["function"]: one for one in json.loads(done.stdout)["results"]}

    assert found["release"]["verdict"] == "proved-in-part"
    scope = found["release"]["proof"]["scope"]
    assert scope["words"].startswith("for the 2 pairs of the claim, any epsilon > 0")
    assert scope["pairs"] == 2
    assert found["other_release"]["verdict"] != "proved-in-part"
