"""What functions of libraries release, of which only their claims are known (`dplint.program.library_claims`).

Theorem (sequential composition; Dwork and Roth, The Algorithmic Foundations of Differential Privacy, 2014, theorem
3.14; Barthe, Gaboardi, Gregoire, Hsu and Strub, LICS 2016): a call that keeps epsilon gives the same in both runs, and
costs epsilon for each step between what the two runs give it. For by its claim no set of values is more than e^epsilon
times likelier for one of two neighbours; so it takes the place of a draw that does not move, of which this bounds the
densities. For this

- all that it is given beside the data is public, and the same in both runs;
- a number moves by the sensitivity at most that the call names: one step; or numbers together by any distance, where
  the claim is one for every distance;
- an array of numbers has one record that was added or removed, or some that were replaced, and what it has of each
  other record is the same: as many steps as the relation of its claim needs, of which it may know none;
- noise has no part in what it is given, and every run comes to it, so that the steps are known;
- of what it gives nothing is known, and nothing is asked but whether both runs give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from dplint.program.library_claims import BY_DEFAULT, CALLED_WITH, COST, DISTANCE, LIBRARY, of_function, of_mechanism
from dplint.program.nodes import Constant, Draw, Expression, Opaque, Program
from dplint.program.walk import rebuilt, rebuilt_program, walk
from dplint.proofs.checker import laws
from dplint.proofs.checker.bags import Bag
from dplint.proofs.checker.costs import ratio_of
from dplint.proofs.checker.drawn import Drawn
from dplint.proofs.checker.gathering import GatheringWalk
from dplint.proofs.checker.values import (
    Items,
    Leaves,
    Mask,
    Value,
    Values,
    abs_of,
    boolean,
    equal,
    fail_if,
    is_number,
    real,
    refuse_if,
    term,
    unmixed,
)
from dplint.sites import DrawSite

_PAIRS = ("bounds", "range")
_STEPS = {
    ("replace-one", "replaced"): 1,
    ("add-remove", "replaced"): 2,
    ("add-remove", "added"): 1,
    ("add-remove", "left out, or let in"): 2,
}
"""How many steps of the relation of a claim an array makes, by what has become of one of its numbers."""


def with_releases(program: Program) -> Program:
    """The same program, with draws for calls of which a library promises something."""
    return rebuilt_program(program, _draw_of)


def released(program: Program) -> tuple[str, ...]:
    """The functions of libraries on whose claims a proof of the program rests."""
    drawn = (node for node in walk(program) if isinstance(node, Draw) and node.distribution == laws.RELEASE)
    return tuple(dict.fromkeys(node.generator for node in drawn))


def _draw_of(node: Any) -> Draw | None:
    if not isinstance(node, Opaque) or not node.promised:
        return None
    name, *parameters = node.promised
    operands = (rebuilt(one, _draw_of) for one in node.operands)
    given: dict[str, Expression] = dict(zip(parameters, operands, strict=True))
    if "scale" not in given:
        given.setdefault("epsilon", Constant(1.0, node.span))
    return Draw(laws.RELEASE, tuple(given.items()), None, name, LIBRARY, node.span)


@dataclass(frozen=True, eq=False, slots=True)
class Released:
    """What a function of a library gives: one of all values that there may be."""

    number: z3.ArithRef

    def same_as(self, other: Value) -> Mask:
        """Whether both runs are given the same."""
        return self.number == other.number if isinstance(other, Released) else False


class ReleasingWalk(GatheringWalk):
    """A run that functions of libraries have a part in."""

    shifted = laws.SHIFTED | {laws.RELEASE}

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """As ever; and what a function of a library gives."""
        if node.distribution != laws.RELEASE:
            return super().draw(node, parameters, size, active, site)
        refuse_if(active is not True or not self.outside, "a release that data or noise may leave out", node.span)
        key = repr((site.span, site.calls, site.turns))
        refuse_if(any(one.key == key for one in self.draws), "one release made twice in the same place", node.span)
        refuse_if(any(map(self.leaves.noisy, parameters.values())), "a release of what is noisy", node.span)
        number = z3.Real(f"{'n' if self.run == 1 else 'm'}:{key}")
        scale = parameters.get("scale")
        if scale is None:
            refuse_if(not is_number(parameters["epsilon"]), "a release whose epsilon is no number", node.span)
            width = ratio_of(parameters["epsilon"]).inverse()
            scale = width.numerator() / width.denominator()
        self.draws.append(Drawn(key, node.span, laws.RELEASE, scale, number, given={**parameters, "": node.generator}))
        return Released(number)


def steps(one: Values, other: Values, leaves: Leaves, certain: Callable[[z3.BoolRef], bool]) -> Value:
    """How many steps of the relation of its claim lie between what a function is given in both runs, as a number."""
    name = str(one[""])
    claim = of_function(name) or of_mechanism(name)
    fail_if(claim is None or one.keys() != other.keys() or name != other[""], "a release of an unknown kind")
    assert claim is not None
    data = claim.parameters[0]
    for key in one.keys() - {"", data, CALLED_WITH, COST}:
        same = z3.simplify(boolean(equal(one[key], other[key])))
        fail_if(not z3.is_true(same), f"a {key} that may differ between the runs")
        fail_if(not leaves.public(one[key]) or not _is_fit(key, one[key]), f"a {key} of another form, or of the data")
    if claim.relation == DISTANCE:
        return _distance(unmixed(one[data]), unmixed(other[data]))
    if not claim.relation:
        return _of_number(unmixed(one[data]), unmixed(other[data]), one["sensitivity"], certain)
    kind, times = _changed(one[data], other[data], leaves)
    fail_if(times and (claim.relation, kind) not in _STEPS, f"{name} promises nothing of data where a record is {kind}")
    return times * _STEPS[claim.relation, kind] if times else 0


def _is_fit(key: str, value: Value) -> bool:
    """Whether an argument is of a kind for which the claim is known: bounds are two numbers, bins are a number."""
    if key in _PAIRS:
        return isinstance(value, Items) and value.plain and len(value.items) == 2 and all(map(is_number, value.items))
    return key == BY_DEFAULT or (is_number(value) and (key != "bins" or type(value) is int))


def _distance(one: Value, other: Value) -> Value:
    """By how much two numbers, or all numbers of two lists, differ."""
    if isinstance(one, Items) and isinstance(other, Items):
        fail_if(not one.plain or not other.plain or len(one.items) != len(other.items), "lists of different lengths")
        moves = [_distance(unmixed(a), unmixed(b)) for a, b in zip(one.items, other.items, strict=True)]
        return z3.Sum(moves) if moves else 0
    fail_if(not is_number(one) or not is_number(other), "a release of what is no number")
    return abs_of(real(term(other)) - real(term(one)))


def _of_number(one: Value, other: Value, sensitivity: Value, certain: Callable[[z3.BoolRef], bool]) -> int:
    fail_if(not is_number(one) or not is_number(other), "a release of what is no number")
    moved = z3.simplify(real(term(other)) - real(term(one)))
    if certain(moved == 0):
        return 0
    fail_if(not certain(abs_of(moved) <= term(sensitivity)), "a released number may move by more than its sensitivity")
    return 1


def _changed(one: Value, other: Value, leaves: Leaves) -> tuple[str, int]:
    """What has become of how many numbers of an array: "replaced", or one that was "added" in one of the runs."""
    if isinstance(one, Bag) and isinstance(other, Bag):
        return _changed_of_any(one, other, leaves)
    fail_if(not isinstance(one, Items) or not isinstance(other, Items), "a release of what is no array")
    fail_if(one.kind != other.kind, "a release of two kinds of data")
    fail_if(not all(is_number(number) for side in (one, other) for number in side.items), "a release of no numbers")
    rows = (tuple(zip(side.items, side.guards, strict=True)) for side in (one, other))
    shorter, longer = sorted(rows, key=len)
    if len(shorter) == len(longer):
        times = sum(not _all_same(a, b) for a, b in zip(shorter, longer, strict=True))
        return "replaced" if one.plain and other.plain else "left out, or let in", times
    without = ((*longer[:k], *longer[k + 1 :]) for k in range(len(longer)))
    known = len(longer) == len(shorter) + 1 and any(_all_alike(shorter, left) for left in without)
    fail_if(not known, "released data in which more than one record differs")
    return "added", 1


def _changed_of_any(one: Bag, other: Bag, leaves: Leaves) -> tuple[str, int]:
    """Of data of any length: the same is made of each record, and of nothing else."""
    made = [side for bag in (one, other) for side in (bag.item, bag.guard)]
    same = _same(one.item, other.item) and _same(one.guard, other.guard) and one.kind == other.kind
    fail_if(not same or not all(leaves.of(part) <= {"g", "a"} for part in made), "a release of more than each record")
    fail_if(not is_number(one.item), "a release of no numbers")
    sources = (one.source, other.source)
    fail_if(
        any(source.moving is not None for source in sources), "a release of a vector, of which all numbers may move"
    )
    owners = sum(source.own is not None for source in sources)
    fail_if(not owners, "a release of data of which no record differs")
    if owners == 2:
        return "replaced" if one.whole else "left out, or let in", 1
    return "added", 1


def _all_alike(one: Sequence[Sequence[Value]], other: Sequence[Sequence[Value]]) -> bool:
    return all(_all_same(a, b) for a, b in zip(one, other, strict=True))


def _all_same(one: Sequence[Value], other: Sequence[Value]) -> bool:
    return all(_same(a, b) for a, b in zip(one, other, strict=True))


def _same(one: Value, other: Value) -> bool:
    """Whether two numbers, or two masks, are written alike."""
    if isinstance(one, z3.ExprRef) and isinstance(other, z3.ExprRef):
        return bool(z3.eq(z3.simplify(one), z3.simplify(other)))
    return type(one) is type(other) and not isinstance(one, z3.ExprRef) and bool(one == other)
