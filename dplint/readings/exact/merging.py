"""Paths that can no longer be told apart become one, after each statement, by what variables are still live.

Draws that no live variable mentions are integrated out. Two paths then go on alike if their live variables are equal
and their draws have the same law; where the laws of one draw differ, the law of the merged path is their mixture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import arb, fmpq

from dplint.program.interpretation import Binding, LiveVariables
from dplint.program.nodes import For, If, Program, Statement, While
from dplint.program.walk import walk
from dplint.readings.exact.affine import Affine, key_of, noisy_values
from dplint.readings.exact.functions import closed, product_of
from dplint.readings.exact.interpretation import ExactInterpretation
from dplint.readings.exact.lattices import part_of_one
from dplint.readings.exact.paths import Mask, Value
from dplint.readings.exact.piecewise import Piecewise, exact_key
from dplint.readings.exact.weights import Weight, rows_key

_JOINING = (If, For, While)


@dataclass(slots=True)
class State:
    """A path: what it holds, and the law of its draws.

    anchor: the first of its noisy values, if all noise is one draw that is compared with no other. values: of the live
    variables. pinned: what iterators still have.
    """

    leaf: int
    weight: Weight
    draws: frozenset[int]
    anchor: Affine | None
    values: Sequence[Any]
    pinned: Sequence[Any]


def last_of_branches(program: Program) -> frozenset[int]:
    """The ids of the statements that end a side of an `if`, of a program that has to be kept.

    What is live after them is live after the `if`, where the paths of both sides are merged.
    """
    sides = (side for node in walk(program) if isinstance(node, If) for side in (node.body, node.orelse) if side)
    return frozenset(id(side[-1]) for side in sides)


class Merging:
    """The hooks of an interpretation. last: see `last_of_branches`."""

    def __init__(self, interpretation: ExactInterpretation, last: frozenset[int]) -> None:
        self._interpretation = interpretation
        self._last = last
        self._splits = 0
        self._names: frozenset[tuple[int, str]] = frozenset()

    def entering_loop(
        self, node: For | While, iterable: Value | None, active: Mask, live: LiveVariables[Value, Mask]
    ) -> None:
        """Nothing to do."""

    def after_statement(self, statement: Statement, active: Mask, live: LiveVariables[Value, Mask]) -> None:
        """Settle and merge the paths that stand here."""
        if id(statement) in self._last:
            return
        interpretation = self._interpretation
        joined = isinstance(statement, _JOINING)
        bindings = live.bindings()
        names = frozenset(bindings)
        if interpretation.splits == self._splits and not joined and self._names <= names:
            return
        leaves = interpretation.leaves(active)
        self._splits, self._names = interpretation.splits, names
        if len(leaves) == 1:
            if len(interpretation.weights) > 1:
                self._settle(next(iter(leaves)), list(bindings.values()))
            return
        groups: dict[Hashable, list[State]] = defaultdict(list)
        values = list(bindings.values())
        for leaf in sorted(leaves):
            state = self._settle(leaf, values)
            if state is not None:
                groups[self._key(state, values)].append(state)
        for states in groups.values():
            if len(states) > 1:
                self._merge(states)

    def _settle(self, leaf: int, bindings: Sequence[Binding[Value, Mask]]) -> State | None:
        """What a path holds, with its weight settled; None where that ends it."""
        interpretation = self._interpretation
        values = [interpretation.get(binding.value, leaf) for binding in bindings]
        pinned = [interpretation.get(value, leaf) for value in interpretation.pinned]
        noise = noisy_values([*values, *pinned])
        draws = frozenset([draw for value in noise for draw in value.coefficients])
        weight = interpretation.weights[leaf]
        if not weight.functions.keys() <= draws:
            weight = interpretation.weights[leaf] = weight.copy()
            if not weight.settle(draws):
                interpretation.end([leaf])
                return None
        anchor = noise[0] if len(draws) == 1 and not weight.limits and not pinned else None
        return State(leaf, weight, draws, anchor, values, pinned)

    def _key(self, state: State, bindings: Sequence[Binding[Value, Mask]]) -> Hashable:
        """Equal for paths that differ in the laws of their draws at most."""
        interpretation, anchor, leaf = self._interpretation, state.anchor, state.leaf
        of_noise = Affine.key if anchor is None else _relative_to(anchor)
        assigned = [leaf in interpretation.leaves(binding.assigned) for binding in bindings]
        # What is the same object in all paths cannot tell them apart, unless noise in it is renamed.
        renamed = anchor is not None
        own = [x for x, one in zip(state.values, bindings, strict=True) if one.value.table is not None or renamed]
        return (
            tuple(assigned),
            tuple(map(id, state.pinned)),
            tuple([key_of(value, of_noise) for value in own]),
            rows_key(state.weight.limits),
            state.draws if anchor is None else _grid_of(anchor),
        )

    def _merge(self, states: Sequence[State]) -> None:
        """States that agree in all but the laws of their draws."""
        if states[0].anchor is not None:
            self._mix_one(states)
            return
        left = self._add_equal(states)
        for draw in sorted(states[0].draws):
            if len(left) > 1:
                left = self._mix(left, draw)

    def _add_equal(self, states: Sequence[State]) -> list[State]:
        groups: dict[Hashable, list[State]] = defaultdict(list)
        for state in states:
            groups[_functions_key(state.weight, None)].append(state)
        return [self._replaced(group, _with_number(group)) if len(group) > 1 else group[0] for group in groups.values()]

    def _mix(self, states: Sequence[State], draw: int) -> list[State]:
        """Mix those that differ in the law of one draw."""
        groups: dict[Hashable, list[State]] = defaultdict(list)
        for state in states:
            groups[_functions_key(state.weight, draw)].append(state)
        found: list[State] = []
        for group in groups.values():
            pieces = [_closed_product(state.weight, draw) for state in group]
            if len(group) == 1 or any(piece is None for piece in pieces):
                found.extend(group)
                continue
            weight = group[0].weight.copy()
            weight.functions[draw] = (_mixture(group, [piece for piece in pieces if piece is not None]),)
            weight.number = arb(1)
            found.append(self._replaced(group, weight))
        return found

    def _mix_one(self, states: Sequence[State]) -> None:
        """States with one draw each: that of the first stands for all, by the noisy value that they have in common."""
        groups: dict[Hashable, list[State]] = defaultdict(list)
        for state in states:
            (draw,) = state.draws
            anchor = state.anchor
            assert anchor is not None
            exact = (tuple(map(id, state.weight.functions[draw])), anchor.key())
            groups[exact].append(state)
        left = [self._replaced(group, _with_number(group)) if len(group) > 1 else group[0] for group in groups.values()]
        if len(left) == 1:
            return
        pieces: list[Piecewise] = []
        slope0, offset0 = _line(left[0])
        for state in left:
            (draw,) = state.draws
            piece = _closed_product(state.weight, draw)
            if piece is None:
                return
            slope, offset = _line(state)
            pieces.append(piece.as_density_of(slope / slope0, (offset - offset0) / slope0))
        weight = left[0].weight.copy()
        (draw,) = left[0].draws
        weight.functions[draw] = (_mixture(left, pieces),)
        weight.number = arb(1)
        self._replaced(left, weight)

    def _replaced(self, states: Sequence[State], weight: Weight) -> State:
        leaf = self._interpretation.merge([state.leaf for state in states], weight)
        return replace(states[0], leaf=leaf, weight=weight)


def _relative_to(anchor: Affine) -> Any:
    """Noisy values as functions of another one, where both are of the same draw."""
    ((draw, slope),) = anchor.coefficients.items()

    def key(value: Affine) -> Hashable:
        ratio = value.coefficients[draw] / slope
        return ("noisy", value.numpy, exact_key(ratio), exact_key(value.constant - ratio * anchor.constant))

    return key


def _grid_of(value: Affine) -> Hashable:
    """Equal for values of one draw that can be values of another one: whole numbers have to be on the same grid."""
    if not value.on_grid:
        return None
    (slope,) = value.coefficients.values()
    return exact_key(abs(slope)), exact_key(part_of_one(value.constant / abs(slope)))


def _line(state: State) -> tuple[fmpq, fmpq]:
    assert state.anchor is not None
    (slope,) = state.anchor.coefficients.values()
    return slope, state.anchor.constant


def _functions_key(weight: Weight, but: int | None) -> Hashable:
    return tuple(
        (draw, tuple(sorted(map(id, functions)))) for draw, functions in sorted(weight.functions.items()) if draw != but
    )


def _closed_product(weight: Weight, draw: int) -> Piecewise | None:
    functions = weight.functions[draw]
    if closed(functions) is None:
        return None
    found = product_of(functions)
    assert isinstance(found, Piecewise)
    return found


def _with_number(states: Sequence[State]) -> Weight:
    weight = states[0].weight.copy()
    for state in states[1:]:
        weight.number = weight.number + state.weight.number
    return weight


def _mixture(states: Sequence[State], pieces: Sequence[Piecewise]) -> Piecewise:
    total: Piecewise | None = None
    for state, piece in zip(states, pieces, strict=True):
        weighted = piece.times(state.weight.number)
        total = weighted if total is None else total + weighted
    assert total is not None
    return total
