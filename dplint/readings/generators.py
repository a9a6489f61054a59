"""The generators that users call, for draws of a program that are made one by one."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from dplint.distributions import GENERATOR, LEGACY, PYTHON, SCIPY, of
from dplint.program.nodes import Draw
from dplint.program.refusals import unsupported


class SciPyDraws:
    """The draws of `scipy.stats` from a generator, each as a method."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Callable[..., Any]:
        from scipy import stats  # noqa: PLC0415 - it takes a second, and few programs need it

        return functools.partial(getattr(stats, name).rvs, random_state=self._generator)


class RealGenerators:
    """The generators that users call, for draws that have to be made one by one."""

    def __init__(self, numpy_seed: np.random.SeedSequence, python_seed: np.random.SeedSequence) -> None:
        self._generators: dict[str, Any] = {
            GENERATOR: np.random.Generator(np.random.SFC64(numpy_seed)),
            LEGACY: np.random.RandomState(np.random.MT19937(numpy_seed)),
            PYTHON: random.Random(int(python_seed.generate_state(1, np.uint64)[0])),
        }
        self._generators[SCIPY] = SciPyDraws(self._generators[GENERATOR])

    def draw(self, node: Draw, parameters: dict[str, Any], size: Any) -> Any:
        """The draw as the user's generator makes it, with canonical parameters."""
        signature = of(node.distribution).signature(node.family, parameters)
        if signature is None:
            raise unsupported(f"the draw {node.distribution} of {node.family}", node.span, "draw it in another way")
        return signature.call(self._generators[node.family], parameters, size)
