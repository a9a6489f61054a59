"""Which kind of generator a mechanism wants: one rule, for the runner that makes it and for the lowering that reads it.

Runs in the user's interpreter, and needs the standard library alone.
"""

from __future__ import annotations

import functools
from typing import FrozenSet, Optional, Tuple

from ..distributions import GENERATOR as GENERATOR_FAMILY
from ..distributions import LEGACY, PYTHON, draw_signatures

GENERATOR, RANDOM_STATE, PYTHON_RANDOM = "generator", "randomstate", "random.Random"


def kind_of(name: Optional[str], annotation: Optional[str], body: str) -> str:
    """Which generator a parameter wants, from its annotation, else from the methods that the body calls on it."""
    text = annotation or ""
    if "RandomState" in text:
        return RANDOM_STATE
    if "Generator" in text:
        return GENERATOR
    if "Random" in text:
        return PYTHON_RANDOM
    for kind, methods in _telling():
        if any(f"{name}.{method}(" in body for method in methods):
            return kind
    return GENERATOR


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
