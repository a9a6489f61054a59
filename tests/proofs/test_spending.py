"""The smallest multiple of a claim that is proved: planted factors are found, and never less than is lost."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from dplint.amounts import multiple, readable, simplest
from dplint.check.buffers import BufferReader
from dplint.check.loading import Target
from dplint.config import Settings
from dplint.proofs.searching import Search, search
from dplint.proofs.spending import least_delta, least_spend

HEAD = "from dplint import dp\n\n"
SUM = """@dp(epsilon={claim}, neighbors="l1")
def f(rng, value: float{more}):
    return value + rng.laplace(scale={scale})
"""
MAX = """@dp(epsilon="epsilon", neighbors="linf")
def f(rng, queries, epsilon):
    noisy = [query + rng.laplace(scale={scale}) for query in queries]
    return noisy.index(max(noisy))
"""
SVT = """@dp(epsilon="epsilon", neighbors="linf")
def f(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale={first} / epsilon)
    output, count = [], 0
    for query in queries:
        if query + rng.laplace(scale={second} * N / epsilon) >= threshold:
            output.append(True)
            count += 1
            if count >= N:
                break
        else:
            output.append(False)
    return output
"""
EXACT = [
    *(
        (SUM.format(claim='"epsilon"', more=", epsilon", scale=f"{k} / epsilon"), 1 / k)
        for k in (1.1, 1.25, 1.5, 4, 16)
    ),
    *((SUM.format(claim=1.0, more="", scale=f"{k}"), 1 / k) for k in (1.1, 2.0, 3.0, 8.0)),
    (SUM.format(claim='"2 * epsilon"', more=", epsilon", scale="1 / epsilon"), 1 / 2),
    (SUM.format(claim='"epsilon * (1 + 1 / k)"', more=", epsilon, k", scale="k / ((k + 1) * epsilon) * 5"), 1 / 5),
]
"""Laplace noise of scale b on one number spends 1 / b; what is claimed is known, and so is the share."""
SELECTIONS = [
    *((MAX.format(scale=f"{2 * k} / epsilon"), 1 / k) for k in (1.2, 2, 5)),
    *((SVT.format(first=2 * k, second=4 * k), 1 / k) for k in (1.5, 2)),
]
"""Report noisy max spends 2 / b, and the sparse vector technique 1 / b1 + 2 / b2 (Lyu et al., VLDB 2017)."""


def proved(text: str, tmp_path: Path) -> tuple[Target, Search]:
    path = tmp_path / "spent.py"
    path.write_text(HEAD + text)
    target = BufferReader().target(path, HEAD + text, Settings(), "f")
    assert target is not None
    found = search(target.lowered, target.mechanism, 30.0)
    assert found.settled
    return target, found


def least(text: str, lower: float, tmp_path: Path, seconds: float = 30.0) -> float:
    target, found = proved(text, tmp_path)
    return least_spend(target.lowered, target.mechanism, found, lower, seconds).share


@pytest.mark.parametrize(("text", "share"), EXACT)
def test_a_planted_factor_is_found_where_the_loss_is_known(text: str, share: float, tmp_path: Path) -> None:
    assert least(text, share, tmp_path) == pytest.approx(share, rel=1e-3)


@pytest.mark.parametrize(("text", "share"), SELECTIONS)
def test_a_planted_factor_is_found_where_losses_come_near_it(text: str, share: float, tmp_path: Path) -> None:
    assert least(text, 0.97 * share, tmp_path) == pytest.approx(share, rel=1e-2)


def test_a_wrong_bound_from_below_makes_no_proof_of_less(tmp_path: Path) -> None:
    text, share = EXACT[1]

    assert least(text, share / 3, tmp_path) >= share
    assert least(text, 0.0, tmp_path) >= share


def test_nothing_is_left_of_a_right_mechanism(tmp_path: Path) -> None:
    assert least(SUM.format(claim='"epsilon"', more=", epsilon", scale="1 / epsilon"), 0.0, tmp_path) == 1.0


GAUSS = """@dp(epsilon={epsilon}, delta={delta}, neighbors="l1")
def f(rng, value: float):
    return value + rng.normal(scale={sigma})
"""


def normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


@pytest.mark.parametrize(("epsilon", "sigma"), [(1.0, 5.0), (1.0, 3.9), (0.5, 8.0), (3.0, 1.6), (0.1, 38.0)])
def test_the_least_delta_of_gaussian_noise_is_that_of_its_law(epsilon: float, sigma: float, tmp_path: Path) -> None:
    """Balle and Wang (ICML 2018): Phi(1 / 2s - es) - exp(e) Phi(-1 / 2s - es); rounded up to two digits."""
    least = normal(0.5 / sigma - epsilon * sigma) - math.exp(epsilon) * normal(-0.5 / sigma - epsilon * sigma)
    target, found = proved(GAUSS.format(epsilon=epsilon, delta=1e-5, sigma=sigma), tmp_path)
    delta = least_delta(target.lowered, target.mechanism, found, 30.0)
    assert delta is not None
    assert least <= delta <= 1.1 * least
    assert delta == float(f"{delta:.1e}")


def test_no_less_delta_where_all_of_it_is_spent(tmp_path: Path) -> None:
    """A scale of 3.74 takes 9.6e-6 at epsilon = 1; and pure privacy has no delta."""
    for text in (GAUSS.format(epsilon=1.0, delta=1e-5, sigma=3.74), EXACT[1][0]):
        target, found = proved(text, tmp_path)
        assert least_delta(target.lowered, target.mechanism, found, 30.0) is None


def test_the_simplest_fraction_between_two() -> None:
    for top in range(1, 30):
        for bottom in range(top, 40):
            low, high = Fraction(top, bottom), Fraction(top, bottom) + Fraction(1, 37)
            found = simplest(low, high)
            assert low < found < high
            least_one = next(d for d in range(1, 2_000) if Fraction(int(low * d) + 1, d) < high)
            assert found.denominator == least_one


def test_multiples_as_people_write_them() -> None:
    assert multiple("epsilon", Fraction(1, 4)) == "epsilon / 4"
    assert multiple("eps1 + eps2", Fraction(2, 3)) == "2 * (eps1 + eps2) / 3"
    assert multiple(0.7, Fraction(1, 2)) == 0.35
    assert readable(0.333333333333) == Fraction(1, 3)
    assert readable(0.43441) >= Fraction("0.43441")
