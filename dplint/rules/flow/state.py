"""What is known at one point of a function: the values of its variables, and the conditions for being there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

import libcst as cst

from dplint.rules.flow.terms import Graph, Loop, Term, TermKind
from dplint.rules.flow.vocabulary import UPDATES
from dplint.source.bindings import SCOPES, target_of
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
    if isinstance(loop, cst.For):
        yield from _rows_changed(loop)
    for one in chain(test, nodes_below(loop.body, SCOPES)):
        match one:
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(name)))) if name in UPDATES:
                yield from _targets(changed)
            case cst.Del(target=cst.Subscript(value=changed)):
                yield from _targets(changed)
            case _:
                yield from _targets(target_of(one))


def _rows_changed(loop: cst.For) -> Iterator[str]:
    """The list whose rows are changed in place: `for row in rows: row[0] = value`."""
    row, rows = path_of(loop.target), path_of(loop.iter)
    stored = (target_of(one) for one in nodes_below(loop.body, SCOPES))
    if row and rows and any(isinstance(one, cst.Subscript) and path_of(one) == row for one in stored):
        yield rows


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
