"""Mechanisms that keep their claim with nothing to spare: on some pair and event the claim holds with equality.

So they are the worst case for false alarms. Each comes with the proof in one line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from benchmarks.in_process import Law, Numbers, law_of, mechanism_of
from dplint.check.loading import Target, load_file
from dplint.claims import Categories, Claim, Interval, Mechanism
from dplint.config import Settings
from dplint.runner import batch
from dplint.runner.batch import Batch, Group, Leaf, LeafKind

_STATDP = Path(__file__).resolve().parent.parent / "fixtures" / "statdp"
EPSILON = 0.7
DELTA = 0.02


@dataclass(frozen=True)
class Right:
    """A mechanism whose true epsilon is the claimed one, at its delta. on_lanes: many runs are made at once."""

    mechanism: Mechanism
    law: Law
    epsilons: tuple[float, ...] = (EPSILON,)
    on_lanes: bool = False


def gaussian_delta(epsilon: float, sigma: float) -> float:
    """The smallest delta of Gaussian noise at sensitivity 1 (Balle and Wang, ICML 2018, theorem 8)."""
    return float(
        norm.cdf(1 / (2 * sigma) - epsilon * sigma) - math.exp(epsilon) * norm.cdf(-1 / (2 * sigma) - epsilon * sigma)
    )


def gaussian_sigma(epsilon: float, delta: float) -> float:
    """The smallest sigma at sensitivity 1: the root of the equation above, which falls in sigma."""
    return float(brentq(lambda sigma: gaussian_delta(epsilon, sigma) - delta, 0.05, 100.0, xtol=1e-13))


def _histogram(rng: np.random.Generator, data: Any, _: Mapping[str, Any], runs: int) -> Any:
    return np.asarray(data) + rng.laplace(scale=1 / EPSILON, size=(runs, len(data)))


def _noisy_max(rng: np.random.Generator, data: Any, given: Mapping[str, Any], runs: int) -> Any:
    noise = rng.exponential(scale=2 / given.get("epsilon", EPSILON), size=(runs, len(data)))
    return (np.asarray(data) + noise).argmax(axis=1)


def _response(rng: np.random.Generator, data: Any, given: Mapping[str, Any], runs: int) -> Any:
    keep = 1 / (1 + math.exp(-given.get("epsilon", EPSILON)))
    return np.where(rng.random(runs) < keep, data, 1 - data)


def _two_valued(share: float) -> Numbers:
    def law(rng: np.random.Generator, data: Any, _: Mapping[str, Any], runs: int) -> Any:
        return (rng.random(runs) < share * math.exp(EPSILON * data)).astype(np.int64)

    return law


def _bits(rng: np.random.Generator, data: Any, _: Mapping[str, Any], runs: int) -> Any:
    keep = 1 / (1 + math.exp(-EPSILON / 8))
    return np.where(rng.random((runs, 8)) < keep, data, 1 - data)


def _gaussian(rng: np.random.Generator, data: Any, _: Mapping[str, Any], runs: int) -> Any:
    return data + rng.normal(scale=gaussian_sigma(EPSILON, DELTA), size=runs)


def _gaussian_vector(rng: np.random.Generator, data: Any, _: Mapping[str, Any], runs: int) -> Any:
    return np.asarray(data) + rng.normal(scale=gaussian_sigma(EPSILON, DELTA), size=(runs, len(data)))


def _leak(rng: np.random.Generator, data: Any, _: Mapping[str, Any], runs: int) -> Any:
    return np.where(rng.random(runs) < DELTA, 2 + data, _response(rng, data, {}, runs))


def _shaped(skeleton: batch.Skeleton, kind: LeafKind, leaves: Any, texts: tuple[str, ...] = ()) -> Batch:
    """Outputs of one shape, one for each row of leaves, all of one kind."""
    runs = len(leaves)
    kinds = np.full(leaves.shape, kind, np.uint8)
    return Batch(runs, (Group(skeleton, np.arange(runs, dtype=np.int32), kinds, leaves),), texts)


def _spread_thin(seed: np.random.SeedSequence, data: Any, runs: int) -> Any:
    """All answers at once may move by 1, so each of n has noise n / epsilon."""
    size = (runs, len(data))
    return np.asarray(data) + np.random.default_rng(seed).laplace(scale=len(data) / EPSILON, size=size)


def _dict(seed: np.random.SeedSequence, data: Any, _: Mapping[str, Any], runs: int) -> Batch:
    keys = tuple("abcdef"[: len(data)])
    skeleton = batch.Mapping(keys, (Leaf(),) * len(keys), len(keys))
    return _shaped(skeleton, LeafKind.FLOAT, _spread_thin(seed, data, runs))


def _observed(seed: np.random.SeedSequence, data: Any, _: Mapping[str, Any], runs: int) -> Batch:
    """As a claim with `observe=["arguments"]` has it: None is returned, and the answers are changed in place."""
    width = len(data)
    arguments = batch.Mapping(("answers",), (batch.Sequence("list", (width,), width),), 1)
    skeleton = batch.Record("Observed", ("arguments",), (arguments,))
    return _shaped(skeleton, LeafKind.FLOAT, _spread_thin(seed, data, runs))


def _sentence(seed: np.random.SeedSequence, data: Any, _: Mapping[str, Any], runs: int) -> Batch:
    """A geometric answer in words: rounding comes first, so that a run has one of few hundred texts."""
    # -0.0 is 0.0, for which `unique` would choose a text by what a batch holds, and runs would depend on each other.
    noisy = np.rint(_spread_thin(seed, data[:1], runs)[:, 0] * 4) / 4 + 0.0
    values, numbers = np.unique(noisy, return_inverse=True)
    texts = tuple(f"about {value} people" for value in values.tolist())
    return _shaped(Leaf(), LeafKind.STRING, numbers.astype(np.float64)[:, None], texts)


def _claim(relation: str, **given: Any) -> Claim:
    return Claim(**{"epsilon": EPSILON, "relation": relation, **given})


def _fixture(file: str, function: str, size: int, law: Law) -> Right:
    """A mechanism of the StatDP paper on data of one size, many runs at once by its law."""
    for target in load_file(_STATDP / file, Settings()):
        if isinstance(target, Target) and target.mechanism.qualname == function:
            mechanism = replace(target.mechanism, claim=replace(target.mechanism.claim, size=(size,)))
            return Right(mechanism, law, on_lanes=True)
    raise LookupError(f"{function} is not among the fixtures")


def right_mechanisms() -> dict[str, Right]:
    """By name."""
    bit = Categories((0, 1))
    both = {"domain": bit}
    found = {
        # Output above the larger count: the densities there differ by e^epsilon.
        "Laplace histogram": (_claim("l1", size=(3,)), law_of(_histogram)),
        # keep / (1 - keep) = e^epsilon.
        "randomized response": (_claim("any", **both), law_of(_response)),
        # P1 = e^epsilon P2 by construction; the other value has a smaller loss in either direction.
        "two values, P2 = 0.2": (_claim("any", **both), law_of(_two_valued(0.2))),
        "two values, P2 = 0.003": (_claim("any", **both), law_of(_two_valued(0.003))),
        # Eight responses with epsilon / 8 each: all bits set is e^epsilon likelier.
        "eight bits": (_claim("any", **both), law_of(_bits)),
        # Balle and Wang: equality for the half-line of the optimal threshold.
        "Gaussian": (_claim("any", delta=DELTA, domain=Interval(0, 1, False)), law_of(_gaussian)),
        # The same along the direction in which the data differ.
        "Gaussian vector": (_claim("l2", delta=DELTA, size=(4,)), law_of(_gaussian_vector)),
        # E = {3, 1}: delta + (1 - delta) keep against (1 - delta) (1 - keep).
        "leak with probability delta": (_claim("any", delta=DELTA, **both), law_of(_leak)),
    }
    # The same noise in other shapes: on each answer e^(epsilon / n) beyond both centres, e^epsilon where all are.
    found["dict of two"] = (_claim("linf", size=(2,)), _dict)
    found["dict of six"] = (_claim("linf", size=(6,)), _dict)
    found["list changed in place"] = (_claim("linf", size=(3,)), _observed)
    # The first answer alone, with all of epsilon, rounded to quarters.
    found["number in a text"] = (_claim("linf", size=(1,)), _sentence)
    rights = {name: Right(mechanism_of(name, claim), law) for name, (claim, law) in found.items()}
    # The same histogram on lanes; and report noisy max, whose loss is attained where one answer lies far below.
    rights["histogram on lanes"] = _fixture("histogram.py", "histogram", 3, law_of(_histogram))
    rights["noisy max on lanes"] = _fixture("noisy_max.py", "noisy_max_v2a", 5, law_of(_noisy_max))
    # As randomized response; the three values share alpha.
    three = mechanism_of("three values", Claim(epsilon="epsilon", relation="any", domain=bit), ("epsilon",))
    rights["three epsilons"] = Right(three, law_of(_response), (0.2, 0.7, 1.5))
    return rights
