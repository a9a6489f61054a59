"""What was published about DP-Sniper's twenty mechanisms at epsilon 0.1, as data. Nothing here was measured by us.

Sources as in `benchmarks.published`: lower bounds of DD-Search (two classifiers) and of StatDP-Fixed (two runs, its
events verified on 2e8 runs) from the logs of Bichsel et al., S&P 2021, with their seconds on 128 cores; dpest's
estimates, which are no bounds, with 1e6 samples. True values by exact integration; some are only bounded from above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

INFINITE = math.inf


@dataclass(frozen=True)
class Published:
    """One mechanism: the fixture that has it, its true epsilon (an upper bound if `at_most`), and what tools reported.

    size, arguments: the input that the published numbers are for; None and nothing where the fixture says it.
    """

    fixture: str
    true: float
    at_most: bool
    logistic: tuple[float, float]
    mlp: tuple[float, float]
    fixed: tuple[float, float] | None
    fixed_seconds: float
    dpest: float
    size: int | None
    arguments: dict[str, float]

    @property
    def best(self) -> float:
        """The largest published lower bound."""
        return max(self.logistic[0], self.mlp[0], *(self.fixed or ()))


def _row(
    fixture: str,
    true: float,
    logistic: tuple[float, float],
    mlp: tuple[float, float],
    fixed: tuple[float, float, float] | None,
    dpest: float,
    *,
    at_most: bool = False,
    size: int | None = None,
    **arguments: float,
) -> Published:
    runs, seconds = ((fixed[0], fixed[1]), fixed[2]) if fixed else (None, math.nan)
    return Published(fixture, true, at_most, logistic, mlp, runs, seconds, dpest, size, arguments)


RAPPOR_WORST = 8 * math.log(0.5125 / 0.4875)
ONE_TIME_WORST = 8 * math.log(0.525 / 0.475)

TWENTY = {
    "LaplaceMechanism": _row(
        "dpsniper/laplace_mechanism", 0.1, (0.0968, 21), (0.0976, 217), (0.0998, 0.0996, 46), 0.1002
    ),
    "TruncatedGeometric": _row(
        "dpsniper/truncated_geometric", math.log(1.125), (0.1156, 19), (0.1155, 162), (0.1159, 0.1169, 352), 0.1312
    ),
    "NoisyHist1": _row("statdp/histogram", 0.1, (0.0978, 38), (0.0977, 211), (0.0828, 0.0994, 505), 0.1002, size=5),
    "NoisyHist2": _row("statdp/histogram_eps", 10.0, (4.602, 41), (4.601, 254), (9.717, 10.002, 817), 10.0001, size=5),
    "ReportNoisyMax1": _row(
        "statdp/noisy_max_v1a", 0.1, (0.0923, 62), (0.0925, 492), (0.0920, 0.0921, 60), 0.1069, size=5
    ),
    "ReportNoisyMax2": _row(
        "statdp/noisy_max_v2a", 0.1, (0.0975, 58), (0.0979, 423), (0.0996, 0.0997, 59), 0.0964, size=5
    ),
    "ReportNoisyMax3": _row(
        "statdp/noisy_max_v1b", 0.25, (0.2478, 62), (0.2488, 437), (0.1991, 0.1961, 132), 0.8477, size=5
    ),
    "ReportNoisyMax4": _row(
        "statdp/noisy_max_v2b", INFINITE, (0.3463, 63), (0.3534, 451), (0.1960, 0.1988, 132), 8.6719, size=5
    ),
    "SVT1": _row("statdp/svt", 0.1, (0.0858, 126), (0.0858, 966), (0.0298, 0.0298, 344), 0.0920, size=10, T=0.5, N=1),
    "SVT2": _row("dpsniper/svt2", 0.1, (0.0859, 160), (0.0853, 825), (0.0316, 0.0407, 403), 0.0843),
    "SVT3": _row(
        "statdp/isvt4", 0.5, (0.1716, 160), (0.1822, 880), (0.0231, 0.1793, 5821), INFINITE, size=10, T=1.0, N=1
    ),
    "SVT4": _row(
        "statdp/isvt3", 0.175, (0.1687, 131), (0.1696, 815), (0.1709, 0.1719, 556), 0.1761, size=10, T=1.0, N=1
    ),
    "SVT5": _row("statdp/isvt1", INFINITE, (1.761, 59), (1.761, 527), (14.31, 14.31, 351), INFINITE, size=10, T=1.0),
    "SVT6": _row("statdp/isvt2", 0.5, (0.2720, 96), (0.2698, 584), (0.3220, 0.3200, 755), 0.4976, size=10, T=1.0),
    "RAPPOR": _row("dpsniper/rappor", RAPPOR_WORST, (0.2930, 145), (0.3008, 529), (0.2416, 0.0243, 1178), 0.3001),
    "OneTimeRAPPOR": _row(
        "dpsniper/one_time_rappor", ONE_TIME_WORST, (0.5978, 89), (0.5999, 408), (0.4706, 0.0602, 991), 0.6005
    ),
    "LaplaceParallel": _row(
        "dpsniper/laplace_parallel", 0.1, (0.0350, 105), (0.0299, 341), (0.0126, 0.0135, 4717), 0.1010
    ),
    "SVT34Parallel": _row(
        "dpsniper/svt34_parallel",
        0.575,
        (0.2610, 364),
        (0.2616, 1118),
        (0.1371, 0.1963, 27301),
        INFINITE,
        at_most=True,
    ),
    "PrefixSum": _row("dpsniper/prefix_sum", 1.0, (0.5040, 97), (0.5774, 984), (0.3516, 0.3446, 3367), INFINITE),
    "NumericalSVT": _row("dpsniper/numerical_svt", 0.1, (0.0343, 152), (0.0345, 686), None, INFINITE, at_most=True),
}
"""By the name in the paper."""
