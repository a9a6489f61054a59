"""From a claim and a scope to two neighbours and arguments, as terms, and what is known of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from operator import add, mul, sub

import z3

from dplint.claims import Categories, Columns, Domain, Fixed, Interval, Literal, Mechanism
from dplint.inputs.forms import data_annotation, data_form
from dplint.outcomes import ArgumentScope, Direction, OtherText, Range, Scope
from dplint.proofs.alignment import ANY, Case, OwnPairs, Shape
from dplint.proofs.checker.bags import LENGTH, Bag, Moving, Source
from dplint.proofs.checker.values import (
    AnyText,
    Choice,
    Entries,
    Items,
    NotProved,
    Table,
    Value,
    Values,
    abs_of,
    exact,
    fail_if,
    is_number,
    real,
    sort,
    term,
)
from dplint.relations import Neighbourhood, relation_of
from dplint.syntax import parse_expression

_FORMS = frozenset(["list", "array", "tuple", "scalar", "frame"])
ORDERS = ("pair", "turned")
"""Of the two values of a pair of the scope, in the names of shapes: as it stands there, and the other way round."""
VECTORS = (
    Neighbourhood.LARGEST_MOVE,
    Neighbourhood.SUM_OF_MOVES,
    Neighbourhood.LENGTH_OF_MOVE,
    Neighbourhood.ONE_DIRECTION,
)

RANGE = "range"
"""The kind of a promise that all losses of a pair lie within epsilon of one another, which no claim is written in."""
_OPERATORS: Mapping[type[ast.operator], Callable[[z3.ArithRef, z3.ArithRef], z3.ArithRef]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: lambda a, b: real(a) / real(b),
}


@dataclass(slots=True)
class Inputs:
    """Two neighbours of one shape. world: what holds of data and arguments. epsilon: the claimed one.

    euclidean: the world bounds the sum of the squares of the moves, or says what each one is.
    small: it is taken for granted that whole numbers of the data and of arrays are.
    """

    shape: Shape
    first: dict[str, Value]
    second: dict[str, Value]
    world: list[z3.BoolRef]
    epsilon: Value
    euclidean: bool = False
    small: bool = False


@dataclass(slots=True)
class Given:
    """The arguments of one case, and what is known of them. pairs: those of the scope, where the claim has its own.

    small: it is taken for granted that whole numbers of the data and of arrays are.
    """

    case: Case = ()
    values: dict[str, Value] = field(default_factory=dict)
    world: list[z3.BoolRef] = field(default_factory=list)
    pairs: OwnPairs = ()
    small: bool = False


def shapes(mechanism: Mechanism, scope: Scope) -> list[Shape]:
    """All shapes of neighbours within the scope."""
    definition = relation_of(mechanism.claim).definition
    if definition is None:
        return [Shape(size_of(one), f"{order} {k}") for k, (one, _) in enumerate(scope.pairs or ()) for order in ORDERS]
    if definition is Neighbourhood.ANY_TWO or data_form(mechanism) == "scalar":
        return [Shape(1, edit) for edit in directions(mechanism)]
    if scope.sizes is None:
        raise NotProved("the scope names no sizes")
    if scope.sizes.largest is None:
        return _of_every_length(mechanism)
    sizes = range(scope.sizes.smallest, scope.sizes.largest + 1)
    if definition in VECTORS:
        return [Shape(size, edit) for size in sizes for edit in directions(mechanism)]
    if definition is Neighbourhood.ONE_REPLACED:
        return [Shape(size, f"replace {place}") for size in sizes for place in range(size)]
    added = [Shape(size, f"add {place}") for size in sizes for place in range(size + 1)]
    # A claim that names sizes says nothing of data that is shorter than all of them.
    shortest = min(mechanism.claim.size or (0,))
    larger = [size for size in sizes if size != shortest]
    return added + [Shape(size, f"remove {place}") for size in larger for place in range(size)]


def _of_every_length(mechanism: Mechanism) -> list[Shape]:
    """Data with a record that both neighbours have, or with a number, is of any length; the rest is looked at."""
    definition = relation_of(mechanism.claim).definition
    if definition in VECTORS:
        return [Shape(ANY, edit) for edit in directions(mechanism)]
    if definition is Neighbourhood.ONE_REPLACED:
        return [Shape(1, "replace 0"), Shape(ANY, "replace any")]
    return [Shape(0, "add 0"), Shape(1, "remove 0"), Shape(ANY, "add any"), Shape(ANY, "remove any")]


def directions(mechanism: Mechanism) -> tuple[str, ...]:
    """In which directions vectors move; each is a proof of its own. "" for a relation that does not say."""
    return ("up", "down") if relation_of(mechanism.claim).definition is Neighbourhood.ONE_DIRECTION else ("",)


def cases(
    mechanism: Mechanism, scope: Scope, *, with_delta: bool = False, promises: tuple[str, ...] = ()
) -> Iterator[Given]:
    """The arguments within the scope; every value of a list is a case of its own. with_delta: a claim may have one.

    promises: the kinds of promise that who asks knows a rule for.
    """
    _check_scope(mechanism, scope)
    fail_if(mechanism.claim.delta != 0.0 and not with_delta, "the claim has a delta")
    promise = mechanism.claim.promise
    fail_if(promise is not None and promise.kind not in promises, "the claim is by another definition")
    listed = [(one.name, one.values.values) for one in scope.arguments if isinstance(one.values, Categories)]
    for chosen in product(*(values for _, values in listed)):
        given = Given(tuple((name, value) for (name, _), value in zip(listed, chosen, strict=True)))
        given.pairs, given.small = scope.pairs or (), scope.word_sized
        for one in scope.arguments:
            _argument(one, given)
        for (name, values), value in zip(listed, chosen, strict=True):
            texts = frozenset(text for text in values if isinstance(text, str) and text is not value)
            given.values[name] = AnyText(name, texts) if isinstance(value, OtherText) else exact(value)
        yield given


def neighbours(mechanism: Mechanism, shape: Shape, given: Given) -> Inputs:
    """The neighbours of a shape with these arguments."""
    data, world = str(mechanism.data), list(given.world)
    if relation_of(mechanism.claim).definition is None:
        one, two = map(exact, pair_of(shape, given.pairs))
    elif shape.size == ANY:
        one, two = _of_any_length(mechanism, shape, world)
    elif relation_of(mechanism.claim).definition in VECTORS:
        one, two = vectors(mechanism, shape, world)
    else:
        one, two = _records(mechanism, shape, world)
    inputs = Inputs(shape, {**given.values, data: one}, {**given.values, data: two}, world, 0)
    inputs.small = given.small
    of_vectors = relation_of(mechanism.claim).definition in VECTORS
    inputs.euclidean = not of_vectors or relation_of(mechanism.claim).definition is Neighbourhood.LENGTH_OF_MOVE
    length = len(one.items) if isinstance(one, Items) else None
    inputs.epsilon = claimed(mechanism.claim.epsilon, given.values, data, length)
    return inputs


def every_input(
    mechanism: Mechanism, scope: Scope, *, with_delta: bool = False, promises: tuple[str, ...] = ()
) -> Iterator[Inputs]:
    """The neighbours of every shape with the arguments of every case. Raises NotProved if there are none."""
    every = cases(mechanism, scope, with_delta=with_delta, promises=promises)
    found = [(given, shape) for given in every for shape in shapes(mechanism, scope)]
    fail_if(not found, "the scope has no shapes")
    for given, shape in found:
        yield neighbours(mechanism, shape, given)


def pair_of(shape: Shape, pairs: OwnPairs) -> tuple[Literal, Literal]:
    """The neighbours of a shape that names a pair of the scope, D1 first."""
    order, _, number = shape.edit.partition(" ")
    one, two = pairs[int(number)]
    return (one, two) if order == ORDERS[0] else (two, one)


def size_of(data: Literal) -> int:
    """How long data is; 1 for what has no length."""
    return len(data) if isinstance(data, list | tuple | dict) else 1


def claimed(epsilon: float | str, arguments: Values, data: str, length: Value) -> Value:
    """The claimed epsilon: + - * / of numbers, arguments, and the length of the data."""
    if not isinstance(epsilon, str):
        return exact(epsilon)
    return _expression(parse_expression(epsilon), arguments, data, length)


def _expression(node: ast.expr, arguments: Values, data: str, length: Value) -> Value:
    match node:
        case ast.Constant(value=int() | float()):
            return exact(node.value)
        case ast.Name(id=name) if name in arguments:
            return arguments[name]
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if name == data and length is not None:
            return length
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -term(_expression(operand, arguments, data, length))
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            return _OPERATORS[type(operator)](
                *(term(_expression(side, arguments, data, length)) for side in (left, right))
            )
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=2)):
            value = term(_expression(base, arguments, data, length))
            return value * value
    raise NotProved(f"the claimed epsilon is an expression that the checker does not read: {ast.unparse(node)}")


def _check_scope(mechanism: Mechanism, scope: Scope) -> None:
    """Raises NotProved if the scope does not speak of this claim, or of more than is looked at."""
    claim = mechanism.claim
    wanted = {p.name for p in mechanism.parameters} - {mechanism.data, mechanism.rng}
    if {one.name for one in scope.arguments} != wanted or len(scope.arguments) != len(wanted):
        raise NotProved("the scope does not name every argument once")
    same = (scope.relation, scope.neighbors, scope.sensitivity) == (claim.relation, claim.neighbors, claim.sensitivity)
    if not same or scope.direction is not Direction.BOTH or scope.delta != claim.delta:
        raise NotProved("the scope is not that of the claim")
    if (relation_of(claim).definition is None) is not bool(scope.pairs):
        raise NotProved(f"the pairs of {claim.neighbors} are not known, or the relation has others than the scope")
    if not scope.pairs and data_form(mechanism) not in _FORMS:
        raise NotProved(f"data in a form that the checker does not know: {data_form(mechanism)}")
    fixed = {name: spec for name, spec in claim.args if isinstance(spec, Fixed)}
    for one in scope.arguments:
        if one.name in fixed and one.values != fixed[one.name]:
            raise NotProved(f"the claim fixes {one.name} to another value than the scope")
    epsilons, positive = scope.epsilon, isinstance(claim.epsilon, str)
    ends = (epsilons.low, epsilons.above if positive else epsilons.high)
    right = (0.0, True) if positive else (claim.epsilon, claim.epsilon)
    fail_if(ends != right, "the scope names other values of epsilon than the claim")


def _argument(one: ArgumentScope, given: Given) -> None:
    if isinstance(one.values, Fixed):
        given.values[one.name] = exact(one.values.value)
    elif isinstance(one.values, Range):
        name = f"a:{one.name}"
        variable = z3.Int(name) if one.values.integer else z3.Real(name)
        given.values[one.name] = variable
        within(variable, one.values, given.world)


def within(variable: z3.ArithRef, values: Range, world: list[z3.BoolRef]) -> None:
    """Adds what a range says of a variable."""
    low, high = exact(values.low), exact(values.high)
    if not isinstance(low, float):
        world.append(variable > term(low) if values.above else variable >= term(low))
    if not isinstance(high, float):
        world.append(variable <= term(high))


def in_domain(mechanism: Mechanism, numbers: Sequence[z3.ArithRef], world: list[z3.BoolRef]) -> None:
    """Adds what the domain of a vector says of its numbers."""
    domain = mechanism.claim.domain
    if isinstance(domain, Interval):
        for number in numbers:
            within(number, Range(low=domain.low, high=domain.high), world)
    elif domain is not None:
        raise NotProved("a vector over a domain that is no interval")


def whole_data(mechanism: Mechanism) -> bool:
    """Whether numbers of the data are Python's ints."""
    domain, annotation = mechanism.claim.domain, data_annotation(mechanism)
    if isinstance(domain, Interval):
        return domain.integer
    return re.search(r"\bint", annotation) is not None and "float" not in annotation


def vectors(mechanism: Mechanism, shape: Shape, world: list[z3.BoolRef]) -> tuple[Value, Value]:
    """The vectors of a shape on D1 and on D2; with what is known of their numbers."""
    one, _, two = moving_numbers(mechanism, [str(k) for k in range(shape.size)], shape.edit, world)
    form = data_form(mechanism)
    if form == "scalar":
        return one[0], two[0]
    fail_if(form == "frame", "a data frame of answers")
    return Items.of(form, one), Items.of(form, two)


def moving_numbers(
    mechanism: Mechanism, names: Sequence[str], direction: str, world: list[z3.BoolRef]
) -> tuple[list[z3.ArithRef], list[z3.ArithRef], list[z3.ArithRef]]:
    """Numbers of a vector on D1, by how much they move, and those on D2; with what is known of them."""
    make = z3.Int if whole_data(mechanism) else z3.Real
    one, moves = ([make(f"d:{letter}{name}") for name in names] for letter in "qe")
    two = [a + b for a, b in zip(one, moves, strict=True)]
    in_domain(mechanism, (*one, *two), world)
    world += moved_at_most(mechanism, moves, direction)
    return one, moves, two


def moved_at_most(mechanism: Mechanism, moves: Sequence[z3.ArithRef], direction: str) -> list[z3.BoolRef]:
    """What the relation says of the moves of a vector in a direction."""
    if direction not in directions(mechanism):
        raise NotProved(f"moves {direction or 'in any direction'}, which the relation does not speak of")
    definition = relation_of(mechanism.claim).definition
    bound = term(Fraction(repr(float(mechanism.claim.sensitivity))))
    single = [limit for move in moves for limit in (move >= -bound, move <= bound)]
    if definition is Neighbourhood.SUM_OF_MOVES and len(moves) > 1:
        return [*single, z3.Sum([abs_of(move) for move in moves]) <= bound]
    if definition is Neighbourhood.LENGTH_OF_MOVE and len(moves) > 1:
        return [*single, z3.Sum([move * move for move in moves]) <= bound * bound]
    if direction:
        single += [move >= 0 if direction == "up" else move <= 0 for move in moves]
    return single


def _records(mechanism: Mechanism, shape: Shape, world: list[z3.BoolRef]) -> tuple[Value, Value]:
    domain = mechanism.claim.domain
    if domain is None:
        raise NotProved("records without a domain")
    if relation_of(mechanism.claim).definition is Neighbourhood.ANY_TWO:
        return record(domain, "d:q", world), record(domain, "d:r", world)
    one = [record(domain, f"d:q{k}", world) for k in range(shape.size)]
    action, _, place = shape.edit.partition(" ")
    at = int(place)
    two = one[:at] + ([] if action == "remove" else [record(domain, "d:r", world)])
    two += one[at:] if action == "add" else one[at + 1 :]
    form = data_form(mechanism)
    return gathered(domain, form, one), gathered(domain, form, two)


def record(domain: Domain, name: str, world: list[z3.BoolRef]) -> Value:
    """One record of the domain; its variables begin with the name."""
    if isinstance(domain, Interval):
        variable = z3.Int(name) if domain.integer else z3.Real(name)
        within(variable, Range(low=domain.low, high=domain.high), world)
        return variable
    if isinstance(domain, Columns):
        values = [record(column, f"{name}.{key}", world) for key, column in domain.columns]
        return Entries.of((key for key, _ in domain.columns), values)
    if not isinstance(domain, Categories):
        raise NotProved("values that may be missing")
    listed = [exact(value) for value in domain.values]
    if len(listed) == 2 and all(isinstance(value, bool) for value in listed):
        return z3.Bool(name)
    kinds = {sort(value) for value in listed if isinstance(value, int | Fraction)}
    if all(isinstance(value, int | Fraction) for value in listed) and kinds in ({"int"}, {"float"}):
        variable = z3.Int(name) if kinds == {"int"} else z3.Real(name)
        world.append(z3.Or(*(variable == term(value) for value in listed)))
        return variable
    index = z3.Int(name)
    world += [index >= 0, index < len(domain.values)]
    return Choice(domain.values, index)


def _of_any_length(mechanism: Mechanism, shape: Shape, world: list[z3.BoolRef]) -> tuple[Value, Value]:
    """Data with one record more than those in which the neighbours differ, or a vector with one number at least."""
    form, domain = data_form(mechanism), mechanism.claim.domain
    if relation_of(mechanism.claim).definition in VECTORS:
        fail_if(form == "frame", "a data frame of answers")
        one, two = (Bag(source, item, True, form) for source, item in _numbers(mechanism, shape, world))
        return one, two
    if domain is None:
        raise NotProved("records without a domain")
    action, _, _ = shape.edit.partition(" ")
    generic = record(domain, "g:r", world)
    owned = {"add": (None, "d:r"), "remove": ("d:r", None), "replace": ("d:q", "d:r")}[action]
    if action == "replace":
        world.append(LENGTH >= 2)
    sides: list[Value] = []
    for name in owned:
        own = None if name is None else list(_variables(generic, record(domain, name, world)))
        source = Source(world, own, same_size=action == "replace")
        if form == "frame" and isinstance(generic, Entries):
            columns = zip(generic.keys, generic.values, strict=True)
            sides.append(Table(tuple((key, Bag(source, one, True, "array")) for key, one in columns)))
        elif form == "frame" or (form == "array" and not _in_arrays(generic)):
            raise NotProved("an array of what are no numbers, or a data frame without columns")
        else:
            sides.append(Bag(source, generic, True, form))
    return sides[0], sides[1]


def _numbers(mechanism: Mechanism, shape: Shape, world: list[z3.BoolRef]) -> Iterator[tuple[Source, z3.ArithRef]]:
    """A number of a vector on D1 and on D2, and what is known of it and of another one."""
    make = z3.Int if whole_data(mechanism) else z3.Real
    (one, two), (other, another) = ((make(f"g:q{mark}"), make(f"g:p{mark}")) for mark in ("", "'"))
    in_domain(mechanism, (one, two, other, another), world)
    world += [LENGTH >= 1, *moved_at_most(mechanism, [two - one, another - other], shape.edit)]
    most, norm = term(Fraction(repr(float(mechanism.claim.sensitivity)))), relation_of(mechanism.claim).definition
    for item in (one, two):
        moving = Moving(one, two, item is two, [(one, other), (two, another)], most, norm)
        yield Source(world, None, same_size=True, moving=moving), item


def _variables(generic: Value, own: Value) -> Iterator[tuple[z3.ExprRef, z3.ExprRef]]:
    """The variables of two records of one domain, side by side."""
    if isinstance(generic, Entries):
        for one, other in zip(generic.values, own.values, strict=True):
            yield from _variables(one, other)
    else:
        yield (generic.index, own.index) if isinstance(generic, Choice) else (generic, own)


def _in_arrays(record: Value) -> bool:
    """Whether records of this kind are the numbers of an array."""
    return is_number(record) and sort(record) != "bool"


def gathered(domain: Domain, form: str, records: Sequence[Value]) -> Value:
    """Records as data in a form."""
    if form == "frame":
        if not isinstance(domain, Columns):
            raise NotProved("a data frame over a domain without columns")
        columns = zip(*(record.values for record in records), strict=True) if records else [()] * len(domain.columns)
        return Table(
            tuple((name, Items.of("array", column)) for (name, _), column in zip(domain.columns, columns, strict=True))
        )
    fail_if(form == "array" and not all(map(_in_arrays, records)), "an array of what are no numbers")
    return Items.of(form, records)
