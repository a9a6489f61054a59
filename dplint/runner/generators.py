"""Which kind of generator a mechanism wants: one rule, for the runner that makes it and for the lowering that reads it.

Runs in the user's interpreter, and needs the standard library alone.
"""

from __future__ import annotations

from typing import Optional, Tuple

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
    for kind, methods in _TELLING:
        if any(f"{name}.{method}(" in body for method in methods):
            return kind
    return GENERATOR


_TELLING: Tuple[Tuple[str, Tuple[str, ...]], ...] = (
    (RANDOM_STATE, ("rand", "randn", "random_sample", "random_integers", "tomaxint", "seed")),
    (
        PYTHON_RANDOM,
        (
            *(
                "gauss",
                "normalvariate",
                "expovariate",
                "betavariate",
                "gammavariate",
                "lognormvariate",
                "vonmisesvariate",
            ),
            *("paretovariate", "weibullvariate", "randrange", "getrandbits", "choices", "sample", "randbytes"),
        ),
    ),
    (RANDOM_STATE, ("randint",)),
)
