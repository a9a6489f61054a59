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
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MODULES = ("numpy.linalg.", "numpy.", "math.", "statistics.", "pandas.", "torch.", "builtins.", "scipy.special.")
"""Left out of the word of a name that is not in the table."""
TABLE = Path(__file__).with_name("calls.txt")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A row of the table. spellings: each with its facts. traits: see the module."""

    word: str
    spellings: Mapping[str, frozenset[str]]
    traits: frozenset[str]


def rows(part: str) -> list[str]:
    """The rows of a part of the table, without comments and blank lines."""
    text = TABLE.read_text(encoding="utf-8").partition(f"\n## {part}")[2].partition("\n## ")[0]
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
