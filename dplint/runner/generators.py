"""Which kind of generator a mechanism wants: one rule, for the runner that makes it and for the lowering that reads it.

Runs in the user's interpreter, and needs the standard library alone.

The law of a standardized draw as text: the name of the distribution, and the parameters that are left.

Runs in the user's interpreter, and in the worker that reads it.
"""

from __future__ import annotations

import functools
import json
import re
from typing import Any, Dict, FrozenSet, Mapping, Optional, Tuple

from ..distributions import GENERATOR as GENERATOR_FAMILY
from ..distributions import LEGACY, PYTHON, Distribution, draw_signatures, of

GENERATOR, RANDOM_STATE, PYTHON_RANDOM = "generator", "randomstate", "random.Random"
SEED, KEY = "seed", "key"
"""No generators: every run gets another whole number, for the function to make its generator of, or key of JAX."""
SEED_NAMES = ("seed", "random_seed")
"""Parameters that take a seed, if they have no default."""
KEY_NAMES = ("key", "rng_key", "prng_key")
"""Parameters that take a key, in modules that import JAX."""
_KEYED = r"\brandom\.(?:split|fold_in|clone|normal|laplace|uniform|bernoulli|gumbel|permutation)\(\s*(?:key\s*=\s*)?"
_SEEDED = (
    r"\b(?:RandomState|Random|SeedSequence|MT19937|PCG64|PCG64DXSM|Philox|SFC64|seed|manual_seed)\(\s*(?:\w+\s*=\s*)?"
)


def kind_of(name: Optional[str], annotation: Optional[str], body: str) -> str:
    """Which generator a parameter wants, from its annotation, else from what the body does with it."""
    text = annotation or ""
    if name in SEED_NAMES or re.search(r"\bint\b", text):
        return SEED
    if re.search(r"\bjax\b|PRNGKey|KeyArray|\bKey\b", text) or re.search(rf"{_KEYED}{name}\b", body):
        return KEY
    if "RandomState" in text:
        return RANDOM_STATE
    if "Generator" in text:
        return GENERATOR
    if "Random" in text:
        return PYTHON_RANDOM
    if re.search(rf"\bcheck_random_state\(\s*{name}\b", body):
        return RANDOM_STATE  # scikit-learn's takes no other generator
    if re.search(rf"{_SEEDED}{name}\b", body):
        return SEED
    for kind, methods in _telling():
        if any(f"{name}.{method}(" in body for method in methods):
            return kind
    return KEY if name in KEY_NAMES else GENERATOR


@functools.lru_cache(maxsize=None)
def _telling() -> Tuple[Tuple[str, FrozenSet[str]], ...]:
    """Methods that a kind has and others have not, in the order in which to look for them.

    `randint` is a method of `random.Random` as well; alone it tells of `RandomState`.
    """
    generator, legacy, python = (frozenset(draw_signatures(family)) for family in (GENERATOR_FAMILY, LEGACY, PYTHON))
    return (
        (RANDOM_STATE, legacy - generator - python | {"seed"}),
        (PYTHON_RANDOM, python - generator - legacy),
        (RANDOM_STATE, legacy - generator),
    )


def law_key(name: str, shape: Mapping[str, Any]) -> str:
    """The text. shape: the parameters that no location and scale takes away."""
    return name if not shape else f"{name} {json.dumps(shape, sort_keys=True)}"


def read_law(key: str) -> Tuple[Distribution, Dict[str, Any]]:
    """The distribution, and all of its parameters."""
    name, _, shape = key.partition(" ")
    distribution = of(name)
    return distribution, standard_parameters(distribution, json.loads(shape) if shape else {})


def standard_parameters(distribution: Distribution, shape: Mapping[str, Any]) -> Dict[str, Any]:
    """These, and location 0 and scale 1."""
    return {one.name: shape.get(one.name, one.default) for one in distribution.parameters}
