"""Draws on one path: noise with a density becomes latent, any other draw has one value."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from dplint.distributions import Outcomes, of
from dplint.program.nodes import Draw
from dplint.program.refusals import unsupported
from dplint.readings.ghk.functions import array_of, has_noisy
from dplint.readings.ghk.noisy import Noisy
from dplint.readings.ghk.one_path import OnePath
from dplint.readings.ghk.reals import Real
from dplint.readings.ghk.standard_laws import StandardLaw


def drawn(path: OnePath, node: Draw, parameters: Mapping[str, Any], size: Any, key: Hashable) -> Any:
    """What a draw gives. Raises UnsupportedConstruct for a law without a standard form, or one that hangs on noise."""
    distribution = of(node.distribution)
    if distribution.outcomes is not Outcomes.REAL:
        if has_noisy(list(parameters.values())):
            raise unsupported("a draw of whole numbers or items by data", node.span)
        shape = () if size is None else size if isinstance(size, tuple) else (size,)
        return path.uniforms.chosen((key, repr(parameters)), lambda g: _any(distribution, g, parameters, shape))
    shape = np.shape(_plain(parameters)) if size is None else size if isinstance(size, tuple) else (size,)
    values = [_number(path, node, _element(parameters, index), (key, index)) for index in range(math.prod(shape))]
    return array_of(values).reshape(shape) if shape or size is not None else values[0]


def _any(distribution: Any, generator: np.random.Generator, parameters: Mapping[str, Any], shape: Any) -> Any:
    if distribution.items is None:
        found = distribution.sample(generator, parameters, shape)
        return found if found.ndim else found.item()
    given = parameters[distribution.items]
    items = range(given) if isinstance(given, int) else given
    indices = distribution.sample(generator, {**parameters, distribution.items: len(items)}, shape)
    return [items[index] for index in indices.ravel()] if indices.ndim else items[int(indices)]


def _plain(parameters: Mapping[str, Any]) -> Any:
    """A parameter that is an array, if there is one."""
    return next((one for one in parameters.values() if isinstance(one, np.ndarray | list)), 0)


def _element(parameters: Mapping[str, Any], index: int) -> dict[str, Any]:
    return {name: value[index] if isinstance(value, np.ndarray | list) else value for name, value in parameters.items()}


def _number(path: OnePath, node: Draw, parameters: Mapping[str, Any], key: Hashable) -> Any:
    distribution = of(node.distribution)
    law = distribution.law
    if law is None or law.quantile is None:
        raise unsupported(f"the {distribution.name} distribution", node.span)
    location, scale = distribution.location(parameters), distribution.scale(parameters)
    if not isinstance(scale, Noisy) and not scale > 0:
        raise ValueError("scale <= 0")
    latent = path.latent(StandardLaw(law), key)
    return Noisy(path, Real(0.0), {latent: Real(1.0)}) * scale + location
