"""What calls mean: one vocabulary for programs, for those who execute them, and for the static rules.

A row of `calls.txt` is `word: spellings | traits`. The *word* is what the rules compare with: `numpy.amax`, `max` and
`values.max()` are all "max". A spelling is a canonical name ("numpy.amax"), a method (".max"), or a method that changes
its receiver ("!append"); programs may hold these. One with a tilde ("~nanargmax") only the rules know. Behind a
spelling stand the facts that hold of it alone, as in "sorted/copy/eager". Draws are in `dplint.distributions` instead.

Facts of a spelling:
    view: it may return an argument itself or a view of it. pick: it returns one of its arguments, or of the items of
    the first. copy: what it returns may contain what its arguments contain.
    eager: it uses up an iterable at once. iterator: what it gives can be gone through once.
    unary: of NumPy's, it takes one argument.

Traits of a word, on what the value shows of the values that are given:
    passing: it still shows them. aggregate: a sum, a count or the like. extreme: a part of them, their ends, their
    middle, their categories. part: some of them, and how many is up to them. selection: the place of one. size: how
    many there are. public: nothing. fresh: at most how many there are. same-length: there are as many as were given.
    applies: it calls the function that it is given on each item, and gives what that gives. wraps: it gives a function
    that does. moves: it moves no further than what it is given, so that sensitivities go through it.

What a program may name: the functions and methods of `calls`, types, constants and exceptions.

An interpretation may know fewer, never more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pkgutil import get_data

MODULES = ("numpy.linalg.", "numpy.", "math.", "statistics.", "pandas.", "torch.", "builtins.", "scipy.special.")
"""Left out of the word of a name that is not in the table."""
_TABLE = "calls.txt"


@dataclass(frozen=True, slots=True)
class Meaning:
    """A row of the table. spellings: each with its facts. traits: see the module."""

    word: str
    spellings: Mapping[str, frozenset[str]]
    traits: frozenset[str]


def rows(part: str) -> list[str]:
    """The rows of a part of the table, without comments and blank lines."""
    table = get_data(__package__, _TABLE) or b""
    text = table.decode().replace("\r\n", "\n").partition(f"\n## {part}")[2].partition("\n## ")[0]
    return [line for line in text.splitlines()[1:] if line]


def _read(row: str) -> Meaning:
    head, _, traits = row.partition("|")
    word, _, spelled = head.partition(":")
    parts = (one.split("/") for one in spelled.split())
    return Meaning(word, {name: frozenset(facts) for name, *facts in parts}, frozenset(traits.split()))


MEANINGS: Mapping[str, Meaning] = {one.word: one for one in map(_read, rows("calls"))}
"""By word."""
_WORDS: Mapping[str, str] = {
    name.lstrip("~!.").removesuffix("()").rpartition(".")[2]: word
    for word, one in MEANINGS.items()
    for name in one.spellings
    if name.lstrip("~!.").removesuffix("()").rpartition(".")[2] not in MEANINGS
}


_WHOLE: Mapping[str, str] = {
    name: word for word, one in MEANINGS.items() for name in one.spellings if name[0] not in "~!." and "." in name
}
"""By the full names of functions: of other modules than those above, only what stands in the table."""


def word_of(name: str) -> str:
    """`numpy.amax` -> `max`: the word for a function or method; a name that is not in the table loses its module."""
    if name in _WHOLE:
        return _WHOLE[name]
    for module in MODULES:
        if name.startswith(module):
            name = name[len(module) :]
            break
    return _WORDS.get(name, name)


@cache
def words(trait: str) -> frozenset[str]:
    """The words of which a trait holds."""
    return frozenset(word for word, one in MEANINGS.items() if trait in one.traits)


@cache
def spellings(fact: str | None = None) -> frozenset[str]:
    """What programs may hold, or that of which a fact holds, spelled as in the table."""
    return frozenset(
        name
        for one in MEANINGS.values()
        for name, facts in one.spellings.items()
        if not name.startswith("~") and (fact is None or fact in facts)
    )


@cache
def functions(fact: str | None = None) -> frozenset[str]:
    """The canonical names of functions among `spellings`."""
    return frozenset(name for name in spellings(fact) if name[0] not in ".!")


@cache
def methods(fact: str | None = None) -> frozenset[str]:
    """The names of methods among `spellings` that leave their receiver as it is."""
    return frozenset(name[1:] for name in spellings(fact) if name[0] == ".")


@cache
def updates(*, in_programs: bool = True) -> frozenset[str]:
    """The names of methods that change their receiver: those that programs may hold, or all that are known."""
    rest = (name[1:-2] for one in MEANINGS.values() for name in one.spellings if name.endswith("()"))
    return frozenset(name[1:] for name in spellings() if name[0] == "!") | (frozenset() if in_programs else {*rest})


@cache
def sinks(kind: str) -> frozenset[str]:
    """The functions by which values leave in this way ("log", "print", "write"), and the methods with a dot before."""
    parted = (row.partition(":") for row in rows("sinks"))
    return frozenset(name for word, _, names in parted if word == kind for name in names.split())


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
