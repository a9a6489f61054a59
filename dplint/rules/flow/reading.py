"""What all parts of the reading share: the graph, the functions and loops that are open, and how a term is made.

A part is an object for one kind of thing: expressions, stores, draws, calls, statements. It registers what it reads, by
the class of LibCST's node, and reads what is inside of that through the reader.

What is known at one point of a function: the values of its variables, and the conditions for being there.

Room on Python's stack for following helpers into helpers.
"""

from __future__ import annotations

import contextlib
import math
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

import libcst as cst

from dplint.rules.flow.dicts import has_all_categories, has_fixed_keys, has_known_keys, is_dict
from dplint.rules.flow.terms import DICT_VALUE, CallElsewhere, Graph, Loop, Sink, Term, TermKind, innermost
from dplint.rules.flow.vocabulary import SAME_LENGTH, UPDATES, ModuleScope
from dplint.source.bindings import SCOPES, target_of
from dplint.source.operators import AUGMENTED, BINARY, BOOLEAN, literal
from dplint.source.walking import nodes_below

Function: TypeAlias = cst.FunctionDef | cst.Lambda


@dataclass(slots=True)
class State:
    """values: by variable; attributes count as variables (`self.total`). alive: the point can be reached."""

    values: dict[str, Term]
    guards: tuple[Term, ...] = ()
    alive: bool = True

    def copy(self) -> State:
        """A state that can go its own way."""
        return State(dict(self.values), self.guards, self.alive)

    def change(self, path: str, before: Term, after: Term) -> None:
        """A container is changed in place: by this variable, and by all others that stand for it."""
        for name in [name for name, value in self.values.items() if value is before]:
            self.values[name] = after
        self.values[path] = after

    def under(self, condition: Term) -> State:
        """A copy for the branch that the condition opens."""
        return State(dict(self.values), (*self.guards, condition), self.alive)


@dataclass(slots=True)
class Frame:
    """A function that is being read. base: how many guards there were at its beginning."""

    function: str
    node: Function
    depth: int
    base: int
    returns: list[tuple[Term, tuple[Term, ...], cst.CSTNode]] = field(default_factory=list)
    yields: list[Term] = field(default_factory=list)
    loops: list[OpenLoop] = field(default_factory=list)


@dataclass(slots=True)
class OpenLoop:
    """A loop that is being read: the states at its `break`s and `continue`s."""

    loop: Loop
    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


def merge(graph: Graph, states: Sequence[State], base: int, node: cst.CSTNode, loops: int) -> State:
    """The state where several ways meet. base: the guards that all of them share."""
    living = [state for state in states if state.alive]
    if not living:
        return State({}, (), alive=False)
    if len(living) == 1:
        return living[0]
    conditions = list(dict.fromkeys(guard for state in living for guard in state.guards[base:]))
    names = dict.fromkeys(name for state in living for name in state.values)
    values: dict[str, Term] = {}
    for name in names:
        found = list(dict.fromkeys(state.values[name] for state in living if name in state.values))
        known = found[0] if len(found) == 1 else one_generator(found)
        if known is not None:
            values[name] = known
        else:
            term = Term(TermKind.CHOICE, name, node, found, conditions=conditions, loops=loops)
            values[name] = graph.add(term)
    return State(values, living[0].guards[:base])


def one_generator(terms: Sequence[Term]) -> Term | None:
    """The generator that a value is, if all that it may be are generators, or None where there is none: `rng or ...`.

    It is the parameter if that is among them, which a test always passes, and else one without a seed.
    """
    some = [one for one in terms if not (one.kind is TermKind.CONSTANT and one.value is None)]
    if not some or any(one.kind is not TermKind.GENERATOR for one in some):
        return None
    given = (one for one in some if one.value == "parameter")
    return next(given, None) or next((one for one in some if not one.args), some[0])


def path_of(node: cst.CSTNode) -> str | None:
    """The variable that an expression stores into: `x`, `self.x`; of `x[i]` it is `x`. None if there is none."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        before = path_of(node.value)
        return None if before is None else f"{before}.{node.attr.value}"
    if isinstance(node, cst.Subscript):
        return path_of(node.value)
    return None


def changed_names(loop: cst.For | cst.While) -> Iterator[str]:
    """The variables that the turns of a loop assign or change in place."""
    test = () if isinstance(loop, cst.For) else nodes_below(loop.test, SCOPES)
    yield from _targets(target_of(loop))
    yield from owners_changed(loop)
    for one in chain(test, nodes_below(loop.body, SCOPES)):
        match one:
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(name)))) if name in UPDATES:
                yield from _targets(changed)
            case cst.Del(target=cst.Subscript(value=changed)):
                yield from _targets(changed)
            case _:
                yield from _targets(target_of(one))


def owners_changed(loop: cst.For | cst.While) -> Iterator[str]:
    """What is changed by its items: `for row in rows: row[0] = 1`, `for p in model.parameters(): p -= step`."""
    below = list(nodes_below(loop.body, SCOPES))
    owners: dict[str, set[str]] = {}
    for one in (loop, *below):
        for target, iterable in _pairs(one.target, one.iter) if isinstance(one, cst.For) else ():
            for name in _targets(target):
                owners.setdefault(name, set()).update(_iterated(iterable))
    pending = [name for one in below if (name := _changed_in_place(one)) in owners]
    seen = set(pending)
    while pending:
        new = owners.get(pending.pop(), set()) - seen
        yield from new
        pending += new
        seen |= new


def _pairs(target: cst.BaseExpression, iterable: cst.BaseExpression) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """The targets of a loop, each with what it goes over: of `for a, b in zip(x, y)` two pairs."""
    match target, iterable:
        case cst.Tuple(elements=parts), cst.Call(func=cst.Name("zip"), args=args) if len(parts) == len(args):
            for part, argument in zip(parts, args, strict=True):
                yield from _pairs(part.value, argument.value)
        case cst.Tuple(elements=[_, part]), cst.Call(func=cst.Name("enumerate"), args=[argument, *_]):
            yield from _pairs(part.value, argument.value)
        case _:
            yield target, iterable


def _iterated(iterable: cst.CSTNode) -> Iterator[str]:
    """The variables whose items, or those of a part of them, an expression gives."""
    match iterable:
        case cst.Call(func=cst.Attribute(value=holder)):
            yield from _iterated(holder)
        case cst.Call(args=args):
            for argument in args:
                yield from _iterated(argument.value)
        case cst.Name() | cst.Attribute() | cst.Subscript():
            path = path_of(iterable) or ""
            yield from {path, path.partition(".")[0]}


def _changed_in_place(node: cst.CSTNode) -> str:
    """The variable that a statement changes without giving it another value, empty if there is none."""
    changed: cst.CSTNode | None = None
    match node:
        case cst.AugAssign(target=target) | cst.AssignTarget(target=cst.Subscript() | cst.Attribute() as target):
            changed = target
        case cst.Call(func=cst.Attribute(value=held, attr=cst.Name(name))) if name.endswith("_"):
            changed = held
    return "" if changed is None else (path_of(changed) or "").partition(".")[0]


def _targets(target: cst.CSTNode | None) -> Iterator[str]:
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _targets(element.value)
    elif target is not None:
        path = path_of(target.name if isinstance(target, cst.AsName) else target)
        if path is not None:
            yield path


def without_repeats(terms: Iterable[Term]) -> list[Term]:
    """The terms, each once, in order."""
    return list(dict.fromkeys(terms))


MOST_TERMS = 8000
"""Of one mechanism; what comes after is taken for public, so that nothing is said about it."""
_OPERATORS = {**BINARY, **AUGMENTED}
OWNERS = ("self", "cls")
_NEAR_E = 0.002
"""How far a number may be from e and still be meant as it: 2.718 is."""
_SAME_ITEMS = frozenset({"sorted", "list", "tuple", "reversed"})


@dataclass(slots=True)
class Arguments:
    """What a call gives: positional terms, and others by name. starred: some are not told apart."""

    positional: list[Term] = field(default_factory=list)
    named: dict[str, Term] = field(default_factory=dict)
    starred: bool = False

    def all(self) -> list[Term]:
        """All of them."""
        return [*self.positional, *self.named.values()]

    def keys(self) -> list[str]:
        """The names that go with `all`."""
        return [""] * len(self.positional) + list(self.named)


class TermReader:
    """Reads the expressions of one mechanism and of the functions that it calls, as the parts say."""

    def __init__(self, scope: ModuleScope, is_epsilon: Callable[[Term], bool]) -> None:
        self.scope = scope
        self.graph = Graph()
        self.is_epsilon = is_epsilon
        self.frames: list[Frame] = []
        self.loops: list[Loop] = []
        self.open: list[Function] = []
        self.methods: Mapping[str, cst.FunctionDef] = {}
        self.given: dict[cst.Name, Term] = {}
        self._readers: dict[type[cst.CSTNode], Callable[..., Term]] = {}

    def register(self, readers: Mapping[type[cst.CSTNode], Callable[..., Term]]) -> None:
        """Expressions of these classes are read so: by a function of the node and the state."""
        self._readers.update(readers)

    @property
    def frame(self) -> Frame:
        """The function that is being read."""
        return self.frames[-1]

    @property
    def mask(self) -> int:
        """The bits of the loops around the present place."""
        return self.loops[-1].mask() if self.loops else 0

    def make(
        self,
        kind: TermKind,
        name: str,
        node: cst.CSTNode | None,
        args: list[Term] | None = None,
        *,
        keys: list[str] | None = None,
        conditions: list[Term] | None = None,
        value: object = None,
    ) -> Term:
        """A new term at the present place."""
        function = self.frames[-1].function if self.frames else ""
        term = Term(kind, name, node, args or [], keys or [], conditions or [], value, self.mask, function=function)
        if len(self.graph.terms) >= MOST_TERMS:
            self.graph.full = True
            return Term(TermKind.SYMBOL, "<too much>", node)
        return self.graph.add(term)

    def constant(self, value: object, node: cst.CSTNode | None, name: str = "") -> Term:
        """A term whose value is known."""
        return self.make(TermKind.CONSTANT, name, node, value=value)

    def function(
        self,
        name: str,
        node: cst.CSTNode,
        function: Function,
        captured: dict[str, Term] | None = None,
        scope: ModuleScope | None = None,
    ) -> Term:
        """A function as a value. captured: what its names stand for around it. scope: that of its module, if other."""
        return self.make(TermKind.FUNCTION, name, node, value=(function, captured, scope or self.scope))

    def own_method(self, node: cst.Attribute) -> Term | None:
        """The method of the same object that an attribute is, None if it is something else."""
        owned = isinstance(node.value, cst.Name) and node.value.value in OWNERS
        method = self.methods.get(node.attr.value) if owned else None
        return None if method is None else self.function(node.attr.value, node, method)

    def read(self, node: cst.BaseExpression, state: State) -> Term:
        """The term of an expression."""
        reader = self._readers.get(type(node))
        if reader is not None:
            return reader(node, state)
        found = literal(node)
        if found is not None:
            return self.constant(found[0], node)
        return self.make(TermKind.SYMBOL, f"<{type(node).__name__}>", node)

    def condition(self, node: cst.BaseExpression, state: State) -> Term:
        """The term of an expression that is asked for its truth: a sequence is true if it is not empty."""
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            return self.make(TermKind.OPERATION, "not", node, [self.condition(node.expression, state)])
        if isinstance(node, cst.BooleanOperation):
            parts = [self.condition(node.left, state), self.condition(node.right, state)]
            return self.make(TermKind.OPERATION, BOOLEAN[type(node.operator)], node, parts)
        term = self.read(node, state)
        return self.make(TermKind.LENGTH, "len", node, [term]) if is_sequence(term) else term

    def index(self, node: cst.BaseSlice, state: State) -> Term:
        """The term of what stands between brackets."""
        if isinstance(node, cst.Index):
            return self.read(node.value, state)
        parts = []
        if isinstance(node, cst.Slice):
            parts = [self.read(part, state) for part in (node.lower, node.upper, node.step) if part is not None]
        return self.make(TermKind.OPERATION, "slice", node, parts)

    def operation(self, operator: cst.CSTNode, node: cst.CSTNode, left: Term, right: Term) -> Term:
        """The term of a binary operation; a power of e is a call of `exp`."""
        if isinstance(operator, cst.Power) and is_base(left):
            return self.make(TermKind.CALL, "exp", node, [right], keys=[""], value="math.exp")
        return self.make(TermKind.OPERATION, _OPERATORS[type(operator)], node, [left, right])

    @contextmanager
    def within(self, scope: ModuleScope, function: Function, call: cst.CSTNode) -> Iterator[Function]:
        """While a function is read, names mean what they mean in its module. Gives the function as it is to be read."""
        outer, self.scope = self.scope, scope
        self.open.append(function)
        copy = function
        if not scope.home:
            copy = pickle.loads(_pickled(function))  # three times as fast as a deep clone
            self.graph.elsewhere.append(CallElsewhere(copy, function, call, scope.module))
        try:
            yield copy
        finally:
            self.scope = outer
            self.open.pop()

    def open_loop(self, node: cst.CSTNode, iterable: Term | None) -> Loop:
        """Enter a loop."""
        loop = Loop(1 << len(self.graph.loops), node, iterable, self.loops[-1] if self.loops else None)
        self.graph.loops.append(loop)
        self.loops.append(loop)
        return loop

    def element(self, iterable: Term, node: cst.CSTNode) -> Term:
        """What a loop over the iterable gives, in the loop that was just opened."""
        if iterable.kind is TermKind.CALL:
            if iterable.name == "range":
                return self.make(TermKind.SYMBOL, "<index>", node, value=self.loops[-1])
            if iterable.name == "enumerate" and iterable.args:
                index = self.make(TermKind.SYMBOL, "<index>", node, value=self.loops[-1])
                return self.make(TermKind.CONTAINER, "tuple", node, [index, self.element(iterable.args[0], node)])
            if iterable.name == "items" and iterable.args:
                key = self._key_of(iterable.args[0], node)
                value = self.make(TermKind.ELEMENT, DICT_VALUE, node, [iterable.args[0]], value=self.loops[-1])
                return self.make(TermKind.CONTAINER, "tuple", node, [key, value])
            if iterable.name in ("keys", "sorted", "list") and iterable.args and has_fixed_keys(iterable.args[0]):
                return self._key_of(iterable.args[0], node)
            if iterable.name == "values" and len(iterable.args) == 1 and is_dict(iterable.args[0]):
                return self.make(TermKind.ELEMENT, DICT_VALUE, node, [iterable.args[0]], value=self.loops[-1])
            if iterable.name in _SAME_ITEMS and len(iterable.args) == 1 and _is_items(iterable.args[0]):
                return self.element(iterable.args[0], node)
            if iterable.name == "zip":
                return self.make(TermKind.CONTAINER, "tuple", node, [self.element(one, node) for one in iterable.args])
        if has_fixed_keys(iterable):
            return self._key_of(iterable, node)
        return self.make(TermKind.ELEMENT, "element", node, [iterable], value=self.loops[-1])

    def _key_of(self, mapping: Term, node: cst.CSTNode) -> Term:
        """A key of a dict, in the loop that was just opened."""
        if has_fixed_keys(mapping) or has_known_keys(mapping) or has_all_categories(mapping):
            return self.make(TermKind.SYMBOL, "<key>", node, value=self.loops[-1])
        return self.make(TermKind.ELEMENT, "element", node, [mapping], value=self.loops[-1])

    def sink(self, kind: str, shown: list[Term], node: cst.CSTNode, state: State) -> None:
        """Note values that leave the function."""
        term = shown[0] if len(shown) == 1 else self.make(TermKind.CONTAINER, "tuple", node, list(shown))
        self.graph.sinks.append(Sink(kind, term, node, state.guards, self.mask, self.frame.depth, self.frame.function))


def _is_items(term: Term) -> bool:
    """Whether it is pairs of keys and values, which sorted are so by their keys."""
    return term.is_call("items") and bool(term.args)


def is_base(term: Term) -> bool:
    """Whether a value is the number e, the base of exponentials."""
    if term.kind is TermKind.SYMBOL:
        return term.name in ("numpy.e", "math.e", "scipy.constants.e")
    return term.kind is TermKind.CONSTANT and isinstance(term.value, float) and abs(term.value - math.e) < _NEAR_E


def is_sequence(term: Term) -> bool:
    """Whether a value is certainly a sequence, whose truth is that it is not empty."""
    first = innermost(
        term, lambda one: one.is_call(SAME_LENGTH) or (one.is_operation("[]") and one.args[1].name == "slice")
    )
    return first.kind is TermKind.CONTAINER or (first.kind is TermKind.DATA and first.value == "sequence")


@lru_cache(maxsize=64)
def _pickled(function: Function) -> bytes:
    """A function of another module, for a copy at each call."""
    return pickle.dumps(function, pickle.HIGHEST_PROTOCOL)


_STACK = 4000


@contextlib.contextmanager
def deep_stack() -> Iterator[None]:
    """Helpers are followed into helpers, each of which may be nested as deeply as a file can be that is read."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, _STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)
