"""Numbers that others published about the mechanisms of `fixtures/statdp`, as data. Nothing here was measured by us.

Sources:
STATDP    Ding, Wang, Wang, Zhang, Kifer: Detecting Violations of Differential Privacy, CCS 2018: Table 3 (seconds for
          one tested epsilon on 32 logical cores, 2 x Xeon E5-2620 v4; 100,000 runs a side to select and 500,000 to
          test), Table 2 (counterexamples) and Figures 2 to 4.
DPSNIPER  Bichsel, Steffen, Bogunovic, Vechev: DP-Sniper, S&P 2021: the published logs of its evaluation at epsilon 0.1
          on 128 cores and 500 GB. "StatDP-Fixed" is that paper's repaired StatDP, with its claims verified on 2e8 runs.
DPEST     tak-ka3/dpest, its privacy loss report with 1e6 samples. Some of its values are above the true epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

STATDP = "Ding et al., CCS 2018"
DPSNIPER = "Bichsel et al., S&P 2021"
DPEST = "dpest, report of 1e6 samples"

STATDP_CORES = 32
STATDP_SELECT_RUNS = 100_000
STATDP_TEST_RUNS = 500_000

STATDP_SECONDS = {
    "noisy_max_v1a": 4.32,
    "noisy_max_v1b": 9.49,
    "noisy_max_v2a": 4.25,
    "noisy_max_v2b": 8.70,
    "histogram": 10.39,
    "histogram_eps": 11.28,
    "svt": 1.99,
    "isvt1": 1.62,
    "isvt2": 4.56,
    "isvt3": 2.56,
    "isvt4": 22.97,
}
"""Seconds for one tested epsilon with STATDP_CORES cores [STATDP, Table 3]."""

STATDP_RISES = {
    "isvt3": {0.2: 0.3, 0.7: 1.1, 1.5: 2.3},
    "isvt2": {0.2: 0.5, 0.7: 2.1, 1.5: 3.0},
    "histogram_eps": {1.5: 0.6},
}
"""Claimed epsilon to the tested epsilon up to which StatDP rejects [STATDP, Figures 2 to 4]."""


@dataclass(frozen=True)
class PublishedCounterexample:
    """A row of StatDP's Table 2, at epsilon 1.5: the pair, and the event in the paper's words."""

    d1: tuple[int, ...]
    d2: tuple[int, ...]
    event: str


STATDP_COUNTEREXAMPLES = {
    "noisy_max_v1b": PublishedCounterexample((1,) * 5, (0,) * 5, "value in (-inf, 0)"),
    "noisy_max_v2b": PublishedCounterexample((1,) * 5, (0,) * 5, "value in (-inf, 1)"),
    "histogram_eps": PublishedCounterexample((1,) * 5, (2, 1, 1, 1, 1), "first count < 1"),
    "isvt1": PublishedCounterexample((1,) * 10, (0,) * 5 + (2,) * 5, "Hamming distance 0"),
    "isvt2": PublishedCounterexample((1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5, "Hamming distance 9"),
    "isvt3": PublishedCounterexample((1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5, "Hamming distance 0"),
    "isvt4": PublishedCounterexample((1,) * 10, (0,) * 10, "9 times False and the last number in (-2.4, 2.4)"),
}
"""[STATDP, Table 2]; the distance is to "True for the first half, False for the second"."""


@dataclass(frozen=True)
class PublishedBound:
    """What one tool reported for one mechanism at epsilon 0.1: a bound or estimate, and the seconds it took."""

    tool: str
    epsilon: float
    seconds: float
    source: str


def _rows(*rows: tuple[str, float, float, str]) -> tuple[PublishedBound, ...]:
    return tuple(PublishedBound(*row) for row in rows)


def _four(
    logistic: tuple[float, float], mlp: tuple[float, float], fixed: tuple[float, float], dpest: tuple[float, float]
) -> tuple[PublishedBound, ...]:
    """The four tools, each as (epsilon, seconds); of StatDP-Fixed's two runs the first."""
    return _rows(
        ("DD-Search, logistic", *logistic, DPSNIPER),
        ("DD-Search, MLP", *mlp, DPSNIPER),
        ("StatDP-Fixed", *fixed, DPSNIPER),
        ("dpest", *dpest, DPEST),
    )


BOUNDS_AT_TENTH = {
    "noisy_max_v1a": _four((0.0923, 62), (0.0925, 492), (0.0920, 60), (0.1069, 2.75)),
    "noisy_max_v1b": _four((0.2478, 62), (0.2488, 437), (0.1991, 132), (0.8477, 2.73)),
    "noisy_max_v2a": _four((0.0975, 58), (0.0979, 423), (0.0996, 59), (0.0964, 2.75)),
    "noisy_max_v2b": _four((0.3463, 63), (0.3534, 451), (0.1960, 132), (8.6719, 2.74)),
    "histogram": _four((0.0978, 38), (0.0977, 211), (0.0828, 505), (0.1002, 0.01)),
    "histogram_eps": _four((4.602, 41), (4.601, 254), (9.717, 817), (10.0001, 0.01)),
    "svt": _four((0.0858, 126), (0.0858, 966), (0.0298, 344), (0.0920, 276)),
    "isvt1": _four((1.761, 59), (1.761, 527), (14.31, 351), (math.inf, 25)),
    "isvt2": _four((0.2720, 96), (0.2698, 584), (0.3220, 755), (0.4976, 279)),
    "isvt3": _four((0.1687, 131), (0.1696, 815), (0.1709, 556), (0.1761, 310)),
    "isvt4": _four((0.1716, 160), (0.1822, 880), (0.0231, 5821), (math.inf, 47)),
}
"""Reported lower bounds and estimates at epsilon 0.1. n is 10 for the sparse vector family and 5 for noisy max."""
