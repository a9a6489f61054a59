"""Every fixture of the field written by hand on arrays of runs: what dplint's lanes are measured against.

A skilled engineer would write these: a row for each run, no Python loop over runs, columns where answers depend on
those before them. A twin has the law of the plain function; it need not make the same draws. Most draw a whole matrix
and throw away what comes after an early end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.by_hand import checkdp, checkdp_values, dpfinder, dpsniper, statdp


@dataclass(frozen=True)
class Twin:
    """A mechanism on arrays, and the plain function that it stands beside.

    function: takes (rng, data, **arguments, runs=...) and returns an array with a row for each run, or a tuple of
    such arrays. source: the plain function, as "path::name" from the root of the checkout. data, arguments: an input
    to measure both at.
    """

    function: Callable[..., Any]
    source: str
    data: list[float] | float
    arguments: Mapping[str, Any]

    def __call__(self, rng: np.random.Generator, runs: int) -> Any:
        """The outputs of so many runs on the input."""
        return self.function(rng, self.data, **self.arguments, runs=runs)

    def draws(self, runs: int) -> Callable[[np.random.Generator], None]:
        """What only draws the random numbers that so many runs of the twin take: the same calls, and nothing else.

        The calls are learnt from one execution, now. No twin lets a draw depend on an earlier one.
        """
        recorder = _Recorder(np.random.default_rng(0))
        self(recorder, runs)  # type: ignore[arg-type]
        calls = tuple(recorder.calls)

        def draw(rng: np.random.Generator) -> None:
            for name, args, kwargs in calls:
                getattr(rng, name)(*args, **kwargs)

        return draw


class _Recorder:
    """A generator that remembers how it was called."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def draw(*args: Any, **kwargs: Any) -> Any:
            self.calls.append((name, args, kwargs))
            return getattr(self._rng, name)(*args, **kwargs)

        return draw


def _twins(module: ModuleType, path: str, names: str, data: list[float] | float, **arguments: Any) -> dict[str, Twin]:
    """Twins of functions of one file, by the names of the functions, at the same input."""
    folder = PurePosixPath(path).parent.name
    return {
        f"{folder}/{name}": Twin(getattr(module, name), f"fixtures/{path}::{name}", data, arguments)
        for name in names.split()
    }


E = {"epsilon": 0.7}
TEN, FIVE, FOUR = [1.0] * 10, [1.0] * 5, [1.0] * 4
LARGEST = "noisy_max_v1a noisy_max_v1b noisy_max_v2a noisy_max_v2b"

TWINS: dict[str, Twin] = {
    **_twins(statdp, "statdp/noisy_max.py", LARGEST, TEN, **E),
    **_twins(statdp, "statdp/histogram.py", "histogram histogram_eps", TEN, **E),
    **_twins(statdp, "statdp/sparse_vector.py", "svt isvt3 isvt4", TEN, **E, T=1.0, N=1),
    **_twins(statdp, "statdp/sparse_vector.py", "isvt1 isvt2", TEN, **E, T=1.0),
    **_twins(dpsniper, "dpsniper/laplace.py", "laplace_mechanism", 1.0, **E),
    **_twins(dpsniper, "dpsniper/laplace.py", "laplace_parallel", 1.0, **E, copies=20),
    **_twins(dpsniper, "dpsniper/laplace.py", "prefix_sum", TEN, **E),
    **_twins(dpsniper, "dpsniper/geometric.py", "truncated_geometric", 2, epsilon=0.1, n=5),
    **_twins(dpsniper, "dpsniper/rappor.py", "one_time_rappor", 1, f=0.95),
    **_twins(dpsniper, "dpsniper/rappor.py", "rappor", 1, f=0.75, p=0.45, q=0.55),
    **_twins(dpsniper, "dpsniper/sparse_vector.py", "svt2", TEN, **E, t=1.0, c=1),
    **_twins(dpsniper, "dpsniper/sparse_vector.py", "numerical_svt svt34_parallel", TEN, **E, t=1.0, c=2),
    **_twins(dpfinder, "dpfinder/sparse_vector.py", "alg1 alg2 alg3 alg4", FOUR, **E, T=0.0, c=1),
    **_twins(dpfinder, "dpfinder/sparse_vector.py", "above_threshold alg5", FOUR, **E, T=0.0),
    **_twins(dpfinder, "dpfinder/selection.py", "exp_mech report_noisy_max", FOUR, **E),
    **_twins(dpfinder, "dpfinder/sums.py", "private_sum", FOUR, **E),
    **_twins(checkdp, "checkdp/sums.py", "partial_sum bad_partial_sum", FIVE, **E),
    **_twins(checkdp, "checkdp/sums.py", "smart_sum bad_smart_sum", FIVE, **E, T=4, M=2),
    **_twins(checkdp, "checkdp/noisy_max.py", "noisy_max bad_noisy_max", FIVE, **E),
    **_twins(checkdp, "checkdp/sparse_vector.py", "svt svt_increasing svt_decreasing", FIVE, **E, T=1.0, N=1),
    **_twins(checkdp, "checkdp/sparse_vector.py", "bad_svt1 bad_svt2", FIVE, **E, T=1.0),
    **_twins(checkdp, "checkdp/sparse_vector.py", "bad_svt3", FIVE, **E, T=1.0, N=1),
    **_twins(
        checkdp_values,
        "checkdp/sparse_values.py",
        "num_svt gap_svt bad_gap_svt adaptive_svt bad_adaptive_svt",
        FIVE,
        **E,
        T=1.0,
        N=1,
    ),
}
"""By folder and function, for instance "statdp/svt"."""
