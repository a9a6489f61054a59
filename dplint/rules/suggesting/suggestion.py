"""A claim that could be made about a function, with what is uncertain of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from dplint.claims import Literal, Span


class Confidence(StrEnum):
    """How far the source tells the claim: all of it, all but one part, or less; UNKNOWN without an epsilon."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    UNKNOWN = "unknown"


_VALUES = ("nothing says what ", "nothing bounds ", "epsilon is `")
"""How doubts begin of values that a person fills in."""
_TO_FILL_IN = re.compile("|".join((*_VALUES, "it could not be tested")))


@dataclass(frozen=True, slots=True)
class Name:
    """A constant of the module that stands in a claim by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A claim for one function.

    function: its qualified name; of lines of a module that stand in no function, None. span: of the function's name,
    or of the lines. first: the line of its first decorator, above which the claim goes. head: the last
    line of its head. data: what the noise meets: a
    parameter, or `self.rows`. claim: the arguments of `dp`, by name, in the order in which they are written. doubts:
    what the source does not tell, in words, one for each such part. without_epsilon: nothing says what epsilon is.
    named: something is called an epsilon. sketch: nobody can sign it before something else is known.
    data_known: the data is what it is taken for. trial: what a trial of the claim says, empty where there was none.
    """

    function: str | None
    span: Span
    first: int
    head: int
    data: str
    claim: Mapping[str, Literal | Name]
    doubts: tuple[str, ...] = ()
    without_epsilon: bool = False
    named: bool = True
    sketch: bool = False
    data_known: bool = True
    trial: str = ""

    @property
    def confidence(self) -> Confidence:
        """By how much is in doubt. A claim whose epsilon nothing in the source tells is nobody's claim yet.

        Values that are to be filled in, a domain or a number for epsilon, are one doubt together.
        """
        if self.without_epsilon:
            return Confidence.UNKNOWN
        of_kind = sum(_TO_FILL_IN.match(one) is None for one in self.doubts)
        others = any(one.startswith(_VALUES) for one in self.doubts)
        if self.sketch or of_kind + others > 1:
            return Confidence.LOW
        return Confidence.MEDIUM if self.doubts else Confidence.HIGH

    @property
    def text(self) -> str:
        """The claim as it is written: `dp(...)`, without the `@`."""
        return f"dp({', '.join(f'{key}={value}' for key, value in self.arguments.items())})"

    @property
    def arguments(self) -> Mapping[str, str]:
        """The arguments of the claim, each as it is written."""
        return {key: _literal(value) for key, value in self.claim.items()}


def _literal(value: Literal | Name) -> str:
    """As black would write it."""
    match value:
        case Name(name=name):
            return name
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case dict():
            return "{" + ", ".join(f"{_literal(key)}: {_literal(one)}" for key, one in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_literal, value)) + "]"
        case tuple():
            return "(" + ", ".join(map(_literal, value)) + ("," if len(value) == 1 else "") + ")"
        case _:
            return repr(value)
