"""What a function of a script or a notebook needs: a module with it, and nothing else of the script."""

from __future__ import annotations

import pytest

from dplint.testing.functions import NoSourceError, needed, qualname_of

SCRIPT = """
import numpy as np
from math import exp as e, log
SCALE = 2
SCALE += 1
print("never again")
def helper(x): return x * SCALE
def f(x): return 0
x = input()
def f(x):
    return helper(x) + np.random.laplace()
helper = staticmethod(helper)
"""


def test_only_what_the_function_mentions_is_run() -> None:
    text = needed(SCRIPT, "f")

    assert "print" not in text
    assert "log" not in text
    assert "return 0" not in text
    names: dict[str, object] = {}
    exec(text.replace("x = input()", "x = 1").replace("np.random.laplace()", "0.5"), names)
    assert names["f"](2) == 6.5  # type: ignore[operator]


def test_names_that_stand_for_nothing() -> None:
    with pytest.raises(NoSourceError, match="at the top"):
        needed(SCRIPT, "g")
    with pytest.raises(NoSourceError, match="parse"):
        needed("def f(:", "f")
    with pytest.raises(NoSourceError, match="no name"):
        qualname_of(lambda x: x)
