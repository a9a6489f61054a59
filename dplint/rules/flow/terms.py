"""The graph of values that a function computes: one term for each value, with the place where it is made.

A loop makes circles: the term of a variable at the head of a loop has what the body leaves in it among its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

import libcst as cst

from dplint.claims import is_number
from dplint.source.module import ParsedModule

DICT_VALUE = "value"
"""The name of an ELEMENT that is a value of a dict, not a key."""
_DEEPEST = 50
"""First arguments of first arguments that are looked through; around a loop there is no end to them."""


class TermKind(Enum):
    """What a term is."""

    CONSTANT = "constant"
    SYMBOL = "symbol"
    """A value that is not known but has nothing to do with the data: a parameter, a global, the index of a loop."""
    DATA = "data"
    ELEMENT = "element"
    LENGTH = "length"
    OPERATION = "operation"
    COMPARISON = "comparison"
    CALL = "call"
    """A function or method that is not followed; `name` is its short name, `value` the full one."""
    DRAW = "draw"
    CHOICE = "choice"
    """One of the arguments, as the conditions have it."""
    LOOP = "loop"
    """A variable at the head of a loop."""
    EXIT = "exit"
    """A variable after a loop."""
    CONTAINER = "container"
    FUNCTION = "function"
    GENERATOR = "generator"


@dataclass(eq=False, slots=True)
class Term:
    """A value. Terms are compared by identity.

    args: what it is made of; keys: the names of those, "" for a positional one. conditions: what decides whether or
    which. value: of a constant its value, of a draw a `DrawTerm`, of a loop variable its `Loop`. loops: the loops
    around it, as bits.
    """

    kind: TermKind
    name: str
    node: cst.CSTNode | None
    args: list[Term] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    conditions: list[Term] = field(default_factory=list)
    value: object = None
    loops: int = 0
    number: int = 0
    function: str = ""

    def argument(self, *names: str) -> Term | None:
        """The argument of one of these names, None if there is none."""
        for key, term in zip(self.keys, self.args, strict=False):
            if key and key in names:
                return term
        return None

    def is_call(self, names: str | Collection[str]) -> bool:
        """Whether it is a call that is not followed, of a function or method of this short name, or of one of these."""
        return self.kind is TermKind.CALL and self._is_named(names)

    def is_operation(self, names: str | Collection[str]) -> bool:
        """Whether it is an operation with this symbol, or with one of these; "[]" for an item."""
        return self.kind is TermKind.OPERATION and self._is_named(names)

    def is_container(self, names: str | Collection[str]) -> bool:
        """Whether it is a container that was made, or changed, in this way, or in one of these."""
        return self.kind is TermKind.CONTAINER and self._is_named(names)

    def is_number(self, number: float) -> bool:
        """Whether it is this number, written out."""
        return self.kind is TermKind.CONSTANT and self.value == number

    @property
    def number_written(self) -> float | None:
        """The number that it is, written out or a constant of a module; None if it is none. True is no number."""
        return self.value if self.kind is TermKind.CONSTANT and is_number(self.value) else None

    @property
    def alternatives(self) -> list[Term]:
        """What it may be: of a choice its ways, of all else itself."""
        return self.args if self.kind is TermKind.CHOICE else [self]

    def _is_named(self, names: str | Collection[str]) -> bool:
        return self.name == names if isinstance(names, str) else self.name in names

    def inputs(self) -> Iterator[Term]:
        """Arguments and conditions."""
        yield from self.args
        yield from self.conditions


def reached(starts: Iterable[Term], follow: Callable[[Term], Iterable[Term]]) -> Iterator[Term]:
    """These terms, what `follow` gives of each, and so on: each once, depth first."""
    pending = list(starts)
    seen = set(pending)
    while pending:
        term = pending.pop()
        yield term
        new = [one for one in follow(term) if one not in seen]
        seen.update(new)
        pending += new


def inside(term: Term, follow: Callable[[Term], bool] | None = None) -> Iterator[Term]:
    """The term and what it is made of, each once. follow: whether to look into a term; by default into all of them."""
    return reached([term], lambda one: one.args if follow is None or follow(one) else ())


def innermost(term: Term, passes: Callable[[Term], bool]) -> Term:
    """The first one that does not pass, of a term, its first argument, the first argument of that, and so on."""
    for _ in range(_DEEPEST):
        if not passes(term) or not term.args:
            break
        term = term.args[0]
    return term


@dataclass(eq=False, slots=True)
class Loop:
    """A loop or the loop of a comprehension.

    bit: its own in `Term.loops`. iterable: None for `while`. exits: conditions of the `break`s and returns inside,
    one list for each. reported: whether an element is appended, stored or yielded in it.
    """

    bit: int
    node: cst.CSTNode
    iterable: Term | None
    outer: Loop | None
    exits: list[list[Term]] = field(default_factory=list)

    def mask(self) -> int:
        """The bits of this loop and those around it."""
        return self.bit | (self.outer.mask() if self.outer is not None else 0)


@dataclass(frozen=True, slots=True)
class DrawTerm:
    """Where the randomness of a draw comes from.

    source: "parameter", "module", "local", "attribute" or "library". spelling: as the source has it, in full.
    generator: the term of the generator, None for module functions. sized: an array of independent draws. nodes: the
    arguments in the source, by the names of the parameters.
    """

    source: str
    spelling: str
    generator: Term | None
    sized: bool
    nodes: Mapping[str, cst.BaseExpression] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoreGuards:
    """The value of a store into a list or dict: the conditions under which it is made."""

    guards: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Sink:
    """A place where a value leaves the function.

    kind: "return", "yield", "print", "log", "raise", "attribute", "write". guards: the conditions under which it is
    reached. depth: how many calls of helpers it is inside of.
    """

    kind: str
    term: Term
    node: cst.CSTNode
    guards: tuple[Term, ...]
    loops: int
    depth: int
    function: str


@dataclass(frozen=True, slots=True)
class Assigned:
    """An assignment to one name. target, value: as they stand in the source. function: in which it stands."""

    name: str
    term: Term
    target: cst.Name
    value: cst.BaseExpression
    function: str


@dataclass(frozen=True, slots=True)
class CallElsewhere:
    """A call of a function of another module, which was read in place.

    copy: of the function, for this call alone, so that its nodes tell by which call they were reached. origin: what it
    is a copy of, maybe of a node of another copy.
    """

    copy: cst.FunctionDef | cst.Lambda
    origin: cst.FunctionDef | cst.Lambda
    call: cst.CSTNode
    module: ParsedModule


@dataclass(slots=True)
class Graph:
    """All terms of one mechanism, in the order in which they are made.

    branches: the conditions of `if` and `while` with their places. functions: those that were read, the mechanism
    first. elsewhere: those of other modules among them, with their calls. full: there were too many terms, and some
    are missing.
    """

    terms: list[Term] = field(default_factory=list)
    sinks: list[Sink] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    branches: list[tuple[Term, cst.CSTNode]] = field(default_factory=list)
    functions: list[cst.FunctionDef | cst.Lambda] = field(default_factory=list)
    assigned: list[Assigned] = field(default_factory=list)
    elsewhere: list[CallElsewhere] = field(default_factory=list)
    full: bool = False

    def add(self, term: Term) -> Term:
        """Register a term."""
        term.number = len(self.terms)
        self.terms.append(term)
        return term

    def users(self) -> Mapping[Term, list[Term]]:
        """For each term those that have it among their arguments or conditions."""
        return users_among(self.terms)


def users_among(terms: Iterable[Term]) -> Mapping[Term, list[Term]]:
    """For each term those of these that have it among their arguments or conditions."""
    users: dict[Term, list[Term]] = {}
    for term in terms:
        for one in term.inputs():
            users.setdefault(one, []).append(term)
    return users
