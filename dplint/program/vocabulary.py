"""What a program may name: the functions and methods of `calls`, types, constants and exceptions.

An interpretation may know fewer, never more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping

from dplint.program.calls import functions, methods, updates


def _words(text: str) -> list[str]:
    return text.split()


FUNCTIONS = functions() - {"max-by", "min-by", "sorted-by"}
"""What a source may call by these names."""
BUILTINS = frozenset(name for name in FUNCTIONS if "." not in name)

ATTRIBUTES = frozenset(["ndim", "shape", "size"])
"""Attributes of arrays that a program may read."""
TYPES = frozenset(
    _words("bool dict float int list numbers.Integral numbers.Number numbers.Real numpy.bool_ numpy.floating")
    + _words("numpy.integer numpy.ndarray str tuple")
)
"""Types that a program may ask for."""
SPECIAL = frozenset(
    [
        *("f-string", "isinstance", "json.loads", "map", "max-by", "min-by", "numbers-in", "sorted-by", "type-name"),
        *("added-at", "frozenset-of", "record", "set-of", "with-item", "words-in"),
        *(f"attribute.{name}" for name in ATTRIBUTES),
    ]
)
"""What has a node `Call` without being a call of that name.

"f-string" joins the texts of its arguments. "isinstance" takes a value and names of `TYPES`. "sorted-by", "max-by"
and "min-by" take a list and the keys of its items, instead of a function that gives the key. "attribute.shape" and
its like read an attribute. "record" is a dataclass or named tuple, from the name of its class, its fields in order,
and a dict of them, and "set-of" and "frozenset-of" are a set of the keys of a dict; a program only returns these.
"added-at" is what `numpy.add.at` makes of a copy. "with-item" is a list, dict or array of which the element at the
end of a path of indices is another one, from it, that element and the path. "map" takes the name of a function and
what to apply it to, and gives a list. "type-name" is `type(x).__name__`. "numbers-in" gives the numbers inside of a
text as floats, "words-in" the text with "#" for each of them, and "json.loads" what a text says in JSON. Programs of
mechanisms have none of the last five, and events may read any attribute.
"""

CONSTANTS: Mapping[str, float | int | None] = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.inf": math.inf,
    "math.nan": math.nan,
    "numpy.pi": math.pi,
    "numpy.e": math.e,
    "numpy.inf": math.inf,
    "numpy.nan": math.nan,
    "numpy.newaxis": None,
    "math.tau": math.tau,
    "numpy.euler_gamma": 0.5772156649015329,
    "sys.float_info.epsilon": sys.float_info.epsilon,
    "sys.float_info.max": sys.float_info.max,
    "sys.float_info.min": sys.float_info.min,
    "sys.maxsize": sys.maxsize,
}

METHODS = methods()
"""Methods that leave their receiver as it is, of lists, tuples, dicts, strings and arrays."""

UPDATES = updates()
"""Methods that change a list or dict, with positional arguments, allowed as statements of their own.

The lowering writes `sort(reverse=True)` as Python does it: reverse, sort, reverse.
"""

NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
"""A number inside of a text, as a regular expression."""

EXCEPTIONS = frozenset(
    [
        "ArithmeticError",
        "AssertionError",
        "Exception",
        "IndexError",
        "KeyError",
        "LookupError",
        "NotImplementedError",
        "OverflowError",
        "RuntimeError",
        "TypeError",
        "ValueError",
        "ZeroDivisionError",
    ]
)
