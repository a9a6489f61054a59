"""Scopes to try for a claim, the widest first: which arguments a proof may be about."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from dplint.claims import Categories, Fixed, Interval, Mechanism, Parameter
from dplint.expressions import expression_parameters
from dplint.inputs.forms import DefaultNotRead, default_of
from dplint.outcomes import WORD_SIZED, ArgumentScope, ArgumentValues, OtherText, Range, Scope, Sizes
from dplint.program import nodes as ir
from dplint.program.library_claims import BY_DEFAULT
from dplint.program.walk import walk
from dplint.proofs.alignment import OwnPairs
from dplint.proofs.checker.inputs import whole_data
from dplint.relations import DataKind, relation_of

_OTHER = OtherText("another text")
_FEW = 6
"""Whole numbers of so small a range are cases of their own, if nothing else helps."""
POSITIVE = Range(low=0.0, above=True)
UP_TO_ONE = Range(low=0.0, high=1.0, above=True)
UP_TO_A_TENTH = Range(low=0.0, high=0.1, above=True)
WHOLE = Range(low=1.0, integer=True)


def scopes(
    program: ir.Program, mechanism: Mechanism, sizes: Sizes | None, pairs: OwnPairs | None = None
) -> list[Scope]:
    """What to try in turn, the widest first.

    With a delta, what the theorem of the Gaussian mechanism speaks of: epsilon up to 1. pairs: of the claim's own
    neighbour function.
    """
    claim = mechanism.claim
    names = {parameter.name for parameter in mechanism.parameters}
    if isinstance(claim.delta, str) and claim.delta not in names:
        return []
    number = claim.epsilon if not isinstance(claim.epsilon, str) else None
    epsilon = POSITIVE if number is None else Range(low=float(number), high=float(number))
    if claim.delta != 0.0 and number is None:
        epsilon = UP_TO_ONE
    found: list[Scope] = []
    for arguments in _arguments(program, mechanism):
        scope = Scope(
            relation=claim.relation,
            neighbors=claim.neighbors,
            sensitivity=claim.sensitivity,
            sizes=sizes,
            arguments=arguments if claim.delta == 0.0 else _of_theorem(arguments, mechanism),
            epsilon=epsilon,
            delta=claim.delta,
            pairs=pairs,
        )
        if scope not in found:
            found.append(scope)
    found += [_up_to_one(scope, str(claim.epsilon)) for scope in found if _may_overflow(program, epsilon)]
    vector = relation_of(claim).data is DataKind.VECTOR
    if vector and whole_data(mechanism) and not isinstance(claim.domain, Interval):
        found += [replace(scope, assumptions=(WORD_SIZED,)) for scope in found]
    return found


def _may_overflow(program: ir.Program, epsilon: Range) -> bool:
    """Whether it has exponentials, which are too large for a float where epsilon is, and epsilon is any number."""
    names = {one.function.rpartition(".")[2] for one in walk(program) if isinstance(one, ir.Call)}
    return math.isinf(epsilon.high) and bool(names & {"exp", "expm1"})


def _up_to_one(scope: Scope, name: str) -> Scope:
    """The same for epsilon up to 1."""
    small = [replace(one, values=UP_TO_ONE) if one.name == name else one for one in scope.arguments]
    return replace(scope, arguments=tuple(small), epsilon=UP_TO_ONE) if scope.arguments != tuple(small) else scope


def _arguments_of(mechanism: Mechanism) -> list[Parameter]:
    """All parameters but the data and the generator."""
    return [one for one in mechanism.parameters if one.name not in (mechanism.data, mechanism.rng)]


def _of_theorem(arguments: tuple[ArgumentScope, ...], mechanism: Mechanism) -> tuple[ArgumentScope, ...]:
    """Epsilon up to 1 and delta up to a tenth, where a claim does not say what they are."""
    small = {str(mechanism.claim.epsilon): UP_TO_ONE, str(mechanism.claim.delta): UP_TO_A_TENTH}
    stated = {name for name, _ in mechanism.claim.args}
    return tuple(
        replace(one, values=small[one.name]) if one.name in small and one.name not in stated else one
        for one in arguments
    )


def _arguments(program: ir.Program, mechanism: Mechanism) -> Iterator[tuple[ArgumentScope, ...]]:
    """Any numbers; whole ones from 1 on where a scale is made of them; few of them, one by one.

    What a default decides is tried with other values first.
    """
    names = _arguments_of(mechanism)
    scaled = _names_in_draws(program)
    widest = {p.name: _widest(program, mechanism, p) for p in names}
    stated = {name for name, _ in mechanism.claim.args} | _claimed(mechanism)
    stated |= {p.name for p in names if p.annotation == "float" or p.default is not None}
    narrower = {
        name: _whole(program, name) if isinstance(values, Range) and name in scaled - stated else values
        for name, values in widest.items()
    }
    defaults = {p.name: p.default == "True" for p in names if p.default in ("True", "False")}
    claimed = {name for name, _ in mechanism.claim.args}
    narrower |= {name: Fixed(value) for name, value in defaults.items() if name not in claimed}
    fewest = {name: _one_by_one(values) for name, values in narrower.items()}
    for chosen in (widest, {**narrower, **{name: widest[name] for name in defaults}}, narrower, fewest):
        yield tuple(ArgumentScope(name, values) for name, values in chosen.items())


def _whole(program: ir.Program, name: str) -> Range:
    """Whole numbers: all of them where the program itself refuses some, else those from 1 on."""
    refused = [
        one for one in walk(program) if isinstance(one, ir.If) and all(isinstance(i, ir.Raise) for i in one.body)
    ]
    guarded = any(isinstance(node, ir.Name) and node.id == name for one in refused for node in walk(one.test))
    return Range(integer=True) if guarded else WHOLE


def _widest(program: ir.Program, mechanism: Mechanism, parameter: Parameter) -> ArgumentValues:
    spec = dict(mechanism.claim.args).get(parameter.name)
    if isinstance(spec, Interval):
        return Range(low=spec.low, high=spec.high, integer=spec.integer)
    if isinstance(spec, Fixed | Categories):
        return spec
    if parameter.name in _claimed(mechanism):
        return POSITIVE
    if parameter.default is not None and parameter.name in called_by_default(program):
        return Fixed(parameter.default)
    if parameter.default is not None:
        return _default(parameter)
    if parameter.annotation == "bool":
        return Categories((False, True))
    if parameter.annotation == "str" or _texts(program, parameter.name):
        return Categories((*_texts(program), _OTHER))
    return Range(integer=parameter.annotation == "int")


def _default(parameter: Parameter) -> ArgumentValues:
    """The default alone; of a truth value both; any number where only running the module would tell what it is."""
    try:
        value = default_of(parameter)
    except DefaultNotRead:
        return Range()
    return Categories((False, True)) if isinstance(value, bool) else Fixed(value)


def called_by_default(program: ir.Program) -> set[str]:
    """Parameters that are called and are what they are by default, whose text stands for that."""
    drawn = (dict(node.parameters).get(BY_DEFAULT) for node in walk(program) if isinstance(node, ir.Draw))
    return {one.id for one in drawn if isinstance(one, ir.Name)}


def _claimed(mechanism: Mechanism) -> frozenset[str]:
    epsilon = mechanism.claim.epsilon
    return expression_parameters(epsilon) if isinstance(epsilon, str) else frozenset()


def _one_by_one(values: ArgumentValues) -> ArgumentValues:
    if isinstance(values, Range) and values.integer and values.high - values.low < _FEW:
        return Categories(tuple(range(int(values.low), int(values.high) + 1)))
    return values


def _names_in_draws(program: ir.Program) -> set[str]:
    """Also those that variables in draws are made of."""
    draws = [node for node in walk(program) if isinstance(node, ir.Draw)]
    found = {one.id for node in draws for one in walk(node) if isinstance(one, ir.Name)}
    made_of: dict[str, set[str]] = {}
    for node in walk(program):
        if isinstance(node, ir.Assign):
            names = {one.id for one in walk(node.value) if isinstance(one, ir.Name)}
            for target in node.targets:
                if isinstance(target, ir.Name):
                    made_of.setdefault(target.id, set()).update(names)
    waiting = list(found)
    while waiting:
        new = made_of.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _texts(program: ir.Program, name: str = "") -> tuple[str, ...]:
    """The texts that an argument is compared with; without a name, all that anything is compared with."""
    found: list[str] = []
    for node in walk(program):
        if isinstance(node, ir.Compare):
            sides = [node.left, *node.comparators]
            if not name or any(isinstance(side, ir.Name) and side.id == name for side in sides):
                values = [one.value for one in walk(node) if isinstance(one, ir.Constant)]
                listed = [part for one in values for part in (one if isinstance(one, tuple) else (one,))]
                found += [one for one in listed if isinstance(one, str)]
    return tuple(dict.fromkeys(found))
