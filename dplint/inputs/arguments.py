"""The choice of arguments: values for parameters that neither the claim nor a default settles.

After Algorithm 4 of Ding et al., "Detecting Violations of Differential Privacy" (CCS 2018): parameters that govern
noise take the value of least noise, and those that end a loop after so many hits let it end at once; for the others,
MaxSMT over the symbolic interpretation makes as many comparisons as possible come out differently on the two sides of a
pair. Then come arguments that take a branch which no input has taken yet, because a bug may hide behind a flag, or
behind two arguments that must stand in a certain relation.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dplint.claims import Literal, Mechanism, Pair
from dplint.inputs.arguments_free import Parameters, least_counts, sort_parameters
from dplint.inputs.arguments_runs import governing, least_noise
from dplint.inputs.arguments_search import Search, Solution
from dplint.inputs.forms import PLAIN_FORMS, data_form
from dplint.inputs.pairs import in_one_order
from dplint.outcomes import Argument
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.symbolic import Variable, VariableKind
from dplint.relations.records import holds_nan

_MOST_SOLUTIONS = 6
_FIRST = 2
"""How many solutions come before those that take another branch."""
_MOST_SIMPLE = 8
_QUICK_PAIRS = 3
_NUMBERS = (1, 0, 2, -1, 0.5, 10)


@dataclass(frozen=True, slots=True)
class ArgumentChoice:
    """Values for the parameters that the caller did not fix and Python does not fill in.

    pattern: the pattern of the pair that it was found for, None if it was not found for one.
    """

    arguments: tuple[Argument, ...]
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class ArgumentChoices:
    """The choices, best first; never empty. `note` says in words what a reader must know, and may be empty."""

    choices: tuple[ArgumentChoice, ...]
    solver_used: bool
    note: str = ""


def choose_arguments(
    program: Program | Unsupported,
    mechanism: Mechanism,
    pairs: Sequence[Pair],
    fixed: Mapping[str, Literal],
    *,
    quick: bool = False,
) -> ArgumentChoices:
    """The arguments that are worth trying.

    fixed: the claim's own parameters, e.g. {"epsilon": 0.7}; they are in no choice, nor are parameters with a default
    that the claim's `args` do not name. The same input gives the same choices. Never raises for a program that cannot
    be read: the choices are then simple values, and say so. quick: one choice, from a few small pairs. Not promised:
    that a violation, if there is one, shows.
    """
    form = data_form(mechanism)
    plain = pairs if form in PLAIN_FORMS else []
    # NaN is no real number, which is what the solver knows.
    usable = [pair for pair in plain if pair.handle is None and not holds_nan([pair.d1, pair.d2])]
    if isinstance(program, Unsupported):
        return _simple(sort_parameters(None, mechanism, fixed), program)
    parameters = sort_parameters(program, mechanism, fixed)
    if not parameters.free:
        return ArgumentChoices((ArgumentChoice(parameters.settled),), False)
    if not usable or program.data is None:
        return _unread(parameters, "simple value, the data is no plain list or number")
    try:
        return _search(program, parameters, _few(usable) if quick else usable, fixed, form, quick=quick)
    except UnsupportedConstruct as refused:
        return _simple(parameters, refused.unsupported)


def simple_arguments(mechanism: Mechanism, fixed: Mapping[str, Literal]) -> ArgumentChoices:
    """A handful of simple values by annotation, without a look at the program: what the solver is compared with."""
    return _unread(sort_parameters(None, mechanism, fixed), "simple value")


def _search(
    program: Program,
    parameters: Parameters,
    pairs: Sequence[Pair],
    fixed: Mapping[str, Literal],
    form: str,
    *,
    quick: bool,
) -> ArgumentChoices:
    settled = {argument.name: argument.value for argument in parameters.settled}
    known = {**parameters.defaults, **settled, **fixed}
    search = Search(program, parameters.free, known, parameters.opaque, form)
    pinned = _least_noise(program, parameters, known, [search.data(pairs[0].d1), search.data(pairs[0].d2)])
    pinned |= {name: value for name, value in least_counts(program, parameters.free).items() if name not in pinned}
    solutions = search.differing(pairs, pinned)[:_MOST_SOLUTIONS] or _plain(parameters, pinned)
    if quick:
        return ArgumentChoices((_choice(parameters, solutions[0], pinned, governing(program)),), True)
    branching, note = _branching(search, solutions, pairs, pinned)
    ordered = [*solutions[:_FIRST], *branching, *solutions[_FIRST:]]
    noisy = governing(program)
    chosen = tuple(_choice(parameters, solution, pinned, noisy) for solution in ordered)
    return ArgumentChoices(chosen, True, note)


def _few(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of the smallest size on which most changes: the last patterns, each in one order."""
    smallest = min(pair.size for pair in pairs)
    return in_one_order(pair for pair in pairs if pair.size == smallest)[-_QUICK_PAIRS:]


def _branching(
    search: Search, solutions: Sequence[Solution], pairs: Sequence[Pair], pinned: Mapping[str, Literal]
) -> tuple[list[Solution], str]:
    """Solutions that take other branches; with free noise the program may be too much to read, which is no failure."""
    try:
        return search.untaken(solutions, pairs, pinned), ""
    except UnsupportedConstruct as refused:
        return [], f"branches were not searched: {refused}"


def _least_noise(
    program: Program, parameters: Parameters, known: Mapping[str, Literal], data: Sequence[Any]
) -> dict[str, Literal]:
    names = governing(program)
    variables = [variable for variable in parameters.free if variable.name in names]
    if not variables or parameters.opaque:
        return {}
    others = {v.name: _simple_values(v)[0] for v in parameters.free if v.name not in names}
    return least_noise(program, variables, {**known, **others}, data)


def _plain(parameters: Parameters, pinned: Mapping[str, Literal]) -> list[Solution]:
    """Where no comparison can be made to differ: a few simple values."""
    free = [variable for variable in parameters.free if variable.name not in pinned]
    why = "simple value, it makes no comparison differ"
    return [Solution({**pinned, **values}, why) for values in _combinations(free, 4)]


def _choice(
    parameters: Parameters, solution: Solution, pinned: Mapping[str, Literal], noisy: frozenset[str]
) -> ArgumentChoice:
    chosen: list[Argument] = []
    for variable in parameters.free:
        value = solution.values[variable.name]
        least = variable.name in pinned and value == pinned[variable.name]
        pinned_why = "least noise" if variable.name in noisy else "least count"
        if variable.name in parameters.floats and isinstance(value, int):
            value = float(value)
        chosen.append(Argument(variable.name, value, pinned_why if least else solution.why))
    return ArgumentChoice((*parameters.settled, *chosen), solution.pattern)


def _simple(parameters: Parameters, reason: Unsupported) -> ArgumentChoices:
    why = f"simple value, the program could not be read: {reason.construct} at {reason.span.words}"
    return _unread(parameters, why)


def _unread(parameters: Parameters, why: str) -> ArgumentChoices:
    if not parameters.free:
        return ArgumentChoices((ArgumentChoice(parameters.settled),), False)
    choices = []
    for values in _combinations(parameters.free, _MOST_SIMPLE):
        chosen = tuple(Argument(name, value, why) for name, value in values.items())
        choices.append(ArgumentChoice((*parameters.settled, *chosen)))
    return ArgumentChoices(tuple(choices), False, why)


def _combinations(variables: Sequence[Variable], most: int) -> list[dict[str, Literal]]:
    """The first value of each, then combinations in the order of how far they depart from it."""
    options = [_simple_values(variable) for variable in variables]
    found: list[dict[str, Literal]] = []
    for distance in range(sum(len(values) - 1 for values in options) + 1):
        for steps in itertools.combinations_with_replacement(range(len(variables)), distance):
            ranks = [steps.count(position) for position in range(len(variables))]
            if all(rank < len(values) for rank, values in zip(ranks, options, strict=True)):
                rows = zip(variables, options, ranks, strict=True)
                found.append({variable.name: values[rank] for variable, values, rank in rows})
            if len(found) == most:
                return found
    return found


def _simple_values(variable: Variable) -> tuple[Literal, ...]:
    if variable.values:
        return variable.values
    if variable.kind is VariableKind.BOOL:
        return (False, True)
    low, high = variable.low, variable.high
    inside = [
        v
        for v in dict.fromkeys((*variable.first, *_NUMBERS))
        if (low is None or v >= low) and (high is None or v <= high)
    ]
    if variable.kind is VariableKind.INT:
        inside = [v for v in inside if float(v).is_integer()]
    ends = [
        int(e) if variable.kind is VariableKind.INT else e for e in (low, high) if e is not None and e not in inside
    ]
    return (*inside, *ends)
