"""Epsilon, delta and sensitivity of a claim, from what the noise is scaled by."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dplint.claims import DELTA_NAME, EPSILON_NAME, SENSITIVITY_NAME, Literal, Parameter
from dplint.rules.flow.scales import Algebra, Monomial
from dplint.rules.flow.terms import Graph, Term, TermKind
from dplint.rules.suggesting.data_choice import BOUND_NAME
from dplint.rules.suggesting.noise_uses import NoiseUse, Way, ancestors
from dplint.rules.suggesting.suggestion import Name

DEFAULT_EPSILON = 1.0
DEFAULT_DELTA = 1e-5
_PROMISED = re.compile(
    r"\(\s*\W*(?:eps\w*|varepsilon|ε)\W*,\s*\W*(?:(?P<zero>0(?:\.0+)?)|del\w*|δ)\W*\)", re.IGNORECASE
)
"""What docstrings promise: "(eps, 0)-DP", "(epsilon, delta)"."""
_SEVERAL = re.compile(r"(?:epsilons|_list|_values|_grid|_range|_to_test|_ratio|_cap|_schedule)$")
_PART = re.compile(r"^\w+_eps(?:ilon)?$", re.IGNORECASE)
"""Names of an epsilon for one step of several."""

_SIZED = re.compile(r"scale|sigma|std|noise|multiplier|width|radius", re.IGNORECASE)
"""Names of how much noise there is, and of how far values reach."""
PROTECTS = re.compile(
    r"privat|priv_|noise|noisy|(?<![a-z])l?dp(?![a-z])|laplac|gauss|mechanism|randomi|perturb", re.IGNORECASE
)
"""Names of functions whose noise protects, also where the epsilon that they are given has no part in it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a claim may say of its noise.

    epsilon: a number, an expression over parameters, or a constant by its name; None where nothing tells it.
    sensitivity: what the scale is multiplied by, None where that is not a number. bounds: parameters that the scale is
    proportional to. args: values for parameters that have none. doubts: what is uncertain, in words.
    """

    epsilon: float | str | Name | None
    delta: float | str | Name = 0.0
    sensitivity: float | None = None
    bounds: tuple[str, ...] = ()
    args: Mapping[str, Literal] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    divided: tuple[str, ...] = ()
    """Parameters that the scale is divided by besides epsilon."""
    factors: tuple[str, ...] = ()
    """Names that a scale is multiplied by, and that are no sensitivity, bound, budget or size."""
    inverted: bool = False
    """Whether a scale grows with what is called an epsilon, and no docstring promises one."""
    named: bool = True
    """Whether something is called an epsilon; otherwise it is what the scale is divided by, or follows from it."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the names in a function stand for.

    attributes: of `self`, as the constructor sets them, where it tells. function: its name. held: the attribute in
    which the object has an epsilon of its own, empty if there is none. docstring: what the function promises in words.
    passed: what calls in the project give parameters most often, as far as that is plain.
    """

    parameters: Sequence[Parameter]
    constants: Mapping[str, Literal]
    attributes: Mapping[str, Literal]
    function: str = ""
    held: str = ""
    docstring: str = ""
    passed: Mapping[str, Literal] = field(default_factory=dict)

    def value(self, name: str) -> Literal:
        """The value of a parameter or attribute that has one, else None."""
        if name.startswith("self."):
            return self.attributes.get(name.removeprefix("self."))
        found = next((one for one in self.parameters if one.name == name), None)
        if found is None or found.default is None:
            return None
        try:
            value: Literal = ast.literal_eval(found.default)
        except (ValueError, SyntaxError):
            return found.default_value.value if found.default_value is not None else None
        return value

    @property
    def optional(self) -> frozenset[str]:
        """The parameters that are None by default."""
        return frozenset(one.name for one in self.parameters if one.default == "None")

    def is_parameter(self, name: str) -> bool:
        """Whether a caller gives it."""
        return any(one.name == name for one in self.parameters)


def read_budget(uses: Sequence[NoiseUse], graph: Graph, around: Surroundings, *, private: bool = True) -> Budget:
    """What the scales of these uses say. private: the module speaks of privacy, so that any noise may be for that."""
    measured = list(ancestors(one for use in uses for one in use.measure))
    doubts: list[str] = []
    args: dict[str, Literal] = {}
    ways = _ways(uses, graph)
    normal = any(use.normal for use in uses if use.way in (Way.ADDED, Way.LIBRARY))
    epsilon = None
    if private or not normal or _is_divided(ways, around):
        epsilon = _epsilon(measured, graph, around, doubts)
    unused = _unused(around, doubts) if epsilon is None and private else None
    epsilon = unused if epsilon is None else epsilon
    coins = all(use.way is Way.COIN for use in uses)
    if isinstance(epsilon, str) and any(map(_is_of_several, uses)):
        doubts.append(f"a coin is loaded by several epsilons: that all of it is {epsilon} is a guess")
    if epsilon is None and around.held and (coins or (private and all(map(_is_held, uses)))):
        epsilon = _held(around, doubts)
    meant = unused is None or PROTECTS.search(around.function) is not None or _is_in_centre(unused, uses)
    named = epsilon is not None and meant
    if epsilon is None and private:
        epsilon = _denominator(ways, around, doubts, normal=normal)
    delta: float | str | Name = 0.0
    promised = _PROMISED.search(around.docstring)
    if (normal or _has_delta(graph, around)) if promised is None else not promised["zero"]:
        delta = _delta(measured, graph, around, args, doubts)
    number, bounds = _sensitivity(ways, around, args, delta)
    for name in _given_sensitivities(measured, around):
        args.setdefault(name, 1.0)
    below = (name for way in ways for name, power in way.powers.items() if power == -1 and around.is_parameter(name))
    divided = tuple(dict.fromkeys(name for name in below if name != epsilon and not EPSILON_NAME.match(name)))
    above = dict.fromkeys(name for way in ways for name, power in way.powers.items() if power > 0)
    inverted = promised is None and any(map(_is_an_epsilon, above))
    given = (name for name in above if around.is_parameter(name) or name.startswith("self."))
    rounds = set(_rounds(uses, graph))
    factors = tuple(name for name in given if name not in (*bounds, *rounds) and not _says_how_much(name))
    return Budget(epsilon, delta, number, bounds, args, tuple(doubts), divided, factors, inverted, named)


def _is_in_centre(name: str, uses: Sequence[NoiseUse]) -> bool:
    """Whether the centre of noise is made with a parameter, which somebody took for its scale."""
    centres = [one for one in (use.draw.argument("loc") for use in uses) if one is not None]
    return any(one.kind is TermKind.SYMBOL and one.name == name for one in ancestors(centres))


def _rounds(uses: Sequence[NoiseUse], graph: Graph) -> Iterator[str]:
    """Names of how often a loop around the noise turns: with as many times the noise, one epsilon is for all turns."""
    around = (loop.iterable for use in uses for loop in graph.loops if use.draw.loops & loop.bit)
    for iterable in around:
        if iterable is not None and iterable.is_call("range"):
            yield from (one.name for one in iterable.args if one.kind is TermKind.SYMBOL)


def _is_an_epsilon(name: str) -> bool:
    return EPSILON_NAME.match(name.rpartition(".")[2]) is not None


def _says_how_much(name: str) -> bool:
    """Whether a name in a scale is part of its formula."""
    last = name.rpartition(".")[2]
    budget = _is_an_epsilon(name) or DELTA_NAME.match(last)
    return bool(budget or SENSITIVITY_NAME.search(last) or BOUND_NAME.search(last) or _SIZED.search(last))


def _is_of_several(use: NoiseUse) -> bool:
    """Whether one coin is loaded by several epsilons: those of one report and of all of them, which do not add up."""
    names = {one.name for one in ancestors(use.measure) if one.kind is TermKind.SYMBOL}
    return use.way is Way.COIN and sum(EPSILON_NAME.match(one) is not None for one in names) > 1


def _is_held(use: NoiseUse) -> bool:
    """Whether how much noise there is may follow from what the object holds."""
    if use.way is Way.COIN or use.draw.name == "unknown":
        return True
    return any(one.kind is TermKind.SYMBOL and one.name.startswith("self.") for one in ancestors(use.measure))


def _is_divided(ways: Sequence[Monomial], around: Surroundings) -> bool:
    """Whether a parameter that is called an epsilon divides a scale; a tolerance is added to something."""
    below = (name for way in ways for name, power in way.powers.items() if power < 0)
    return any(around.is_parameter(name) and EPSILON_NAME.match(name) for name in below)


def _unused(around: Surroundings, doubts: list[str]) -> str | None:
    """A parameter that is called an epsilon, though the scale of the noise has nothing to do with it."""
    names = [one.name for one in around.parameters if EPSILON_NAME.match(one.name) and not _SEVERAL.search(one.name)]
    if len(names) != 1:
        return None
    doubts.append(f"`{names[0]}` has no part in the scale of the noise")
    return names[0]


def _ways(uses: Sequence[NoiseUse], graph: Graph) -> list[Monomial]:
    """The scales of what is added, as products of powers of names."""
    named = _named_constants(graph)

    def key(term: Term) -> str | None:
        if term.kind is TermKind.SYMBOL and not term.name.startswith("<"):
            return term.name
        name = named.get(term, "")
        return name if name and EPSILON_NAME.match(name.rpartition(".")[2]) else None

    algebra = Algebra(key, lambda _: False)
    found: list[Monomial] = []
    for use in uses:
        if use.way is Way.ADDED:
            measure = dict.fromkeys(two for one in use.measure for two in _factors(one, use.draw))
            ways = [algebra.ways(one) or () for one in measure]
            if all(ways) and ways:
                product: Monomial | None = Monomial(1.0)
                for way in ways:
                    product = None if product is None else product.times(way[0])
                found += [product] if product is not None else []
    return found


def _factors(term: Term, draw: Term) -> Iterator[Term]:
    """What a product is made of, but for what a draw is in: noise that is made of uniform numbers."""
    if draw not in ancestors([term]):
        yield term
    elif term.is_operation("*"):
        for one in term.args:
            yield from _factors(one, draw)


def _named_constants(graph: Graph) -> Mapping[Term, str]:
    """The constants that stand under a name: of the module, or of the function."""
    found = {term: term.name for term in graph.terms if term.kind is TermKind.CONSTANT and term.name}
    found |= {one.term: one.name for one in graph.assigned if one.term.kind is TermKind.CONSTANT and not one.term.name}
    return found


# epsilon


def _epsilon(
    measured: Sequence[Term], graph: Graph, around: Surroundings, doubts: list[str]
) -> float | str | Name | None:
    named = _named_constants(graph)
    names: list[str] = []
    numbers: list[float] = []
    for term in measured:
        name = term.name if term.kind is TermKind.SYMBOL else named.get(term, "")
        if term.name == "[]" and len(term.args) == 2:
            name = str(term.args[1].value) if term.args[1].kind is TermKind.CONSTANT else ""
        if not name or not EPSILON_NAME.match(name.rpartition(".")[2]) or _SEVERAL.search(name):
            continue
        if around.is_parameter(name):
            names.append(name)
            continue
        if term.kind is TermKind.CONSTANT and term.name in around.constants and _number(term.value) is not None:
            return Name(term.name)
        value = _number(term.value) if term.kind is TermKind.CONSTANT else _looked_up(term, name, around)
        if value is None or value <= 0:
            value = None  # it stands for one that is to be given
            doubts.append(
                f"epsilon is `{_words(term, name)}`, whose value is not seen here: {DEFAULT_EPSILON:g} is a guess"
            )
        numbers.append(DEFAULT_EPSILON if value is None else value)
    if names:
        return _of_parameters(list(dict.fromkeys(names)), around, doubts)
    return numbers[0] if numbers else None


def _of_parameters(names: Sequence[str], around: Surroundings, doubts: list[str]) -> float | str:
    """The epsilon of a function in which these parameters, that are called so, say how much noise there is."""
    whole = [one.name for one in around.parameters if one.default is None and EPSILON_NAME.match(one.name)]
    if len(whole) == 1 and all(name in around.optional for name in names):
        return whole[0]  # its parts are worked out where they are not given
    if around.held and all(map(_PART.match, names)):
        return _held(around, doubts)
    return " + ".join(names)


def _held(around: Surroundings, doubts: list[str]) -> float:
    """The epsilon of the object, where what is given is for one step of several."""
    known = _number(around.value(around.held))
    known = None if known is not None and known <= 0 else known  # it stands for one that is to be given
    if known is None:
        doubts.append(f"epsilon is `{around.held}`, whose value is not seen here: {DEFAULT_EPSILON:g} is a guess")
    return DEFAULT_EPSILON if known is None else known


def _words(term: Term, name: str) -> str:
    if term.name != "[]":
        return name
    holder = term.args[0]
    of_another = holder.name == "[]" and len(holder.args) == 2
    return f"{_words(holder, str(holder.args[1].value)) if of_another else holder.name}[{name!r}]"


def _looked_up(term: Term, name: str, around: Surroundings) -> float | None:
    """The value of `self.epsilon`, or of a key of a dict of the module."""
    if term.name == "[]":
        holder = term.args[0].value
        return _number(holder.get(name)) if isinstance(holder, dict) else None
    return _number(around.value(name))


def _denominator(
    ways: Sequence[Monomial], around: Surroundings, doubts: list[str], *, normal: bool
) -> float | str | None:
    """What a scale is divided by, whatever it is called; or one over a scale that is given as it is."""
    for way in ways:
        below = [name for name, power in way.powers.items() if power == -1 and around.is_parameter(name)]
        if len(below) == 1:
            doubts.append(f"epsilon is taken to be `{below[0]}`, which the scale of the noise is divided by")
            return below[0]
        above = [name for name, power in way.powers.items() if power == 1 and around.is_parameter(name)]
        if not below and len(above) == 1 and not SENSITIVITY_NAME.search(above[0]) and len(way.powers) == 1:
            doubts.append(f"nothing is called an epsilon: {above[0]} is the scale of the noise")
            # Dwork and Roth, The Algorithmic Foundations of Differential Privacy, theorem A.1
            return f"sqrt(2 * log(1.25 / {DEFAULT_DELTA:g})) / {above[0]}" if normal else f"1 / {above[0]}"
        if not way.powers and way.exact and way.coefficient > 0:
            doubts.append(f"nothing is called an epsilon: it follows from the scale of the noise, {way.coefficient:g}")
            number = math.sqrt(2 * math.log(1.25 / DEFAULT_DELTA)) if normal else 1.0
            return float(f"{number / way.coefficient:.4g}")
    return None


# delta


def _has_delta(graph: Graph, around: Surroundings) -> bool:
    """Whether something is computed from a delta that is a parameter, or an attribute of the object."""
    given = {one.name for one in around.parameters if DELTA_NAME.match(one.name)} | {"self.delta", "self._delta"}
    computed = [one for one in graph.terms if one.kind in (TermKind.OPERATION, TermKind.CALL)]
    parts = [one for term in computed for one in term.args]
    parts += [two for one in parts if one.kind is TermKind.CHOICE for two in one.args]  # where none is given
    return any(one.kind is TermKind.SYMBOL and one.name in given for one in parts)


def _delta(
    measured: Sequence[Term], graph: Graph, around: Surroundings, args: dict[str, Literal], doubts: list[str]
) -> float | str | Name:
    """From `log(1.25 / delta)`, else by its name."""
    named = _named_constants(graph)
    below = [
        one.args[0].args[1]
        for one in measured
        if one.kind is TermKind.CALL and one.name.startswith("log") and one.args
        if one.args[0].is_operation("/") and not _is_an_epsilon(one.args[0].args[1].name)
    ]
    by_name = [
        term
        for term in measured
        if DELTA_NAME.match((term.name if term.kind is TermKind.SYMBOL else named.get(term, "")).rpartition(".")[2])
    ]
    for term in (*by_name, *below):
        if term.kind is TermKind.SYMBOL and around.is_parameter(term.name):
            if around.value(term.name) is None:
                args[term.name] = DEFAULT_DELTA
            return term.name
        if term.kind is TermKind.CONSTANT and _number(term.value) is not None:
            return Name(term.name) if term.name in around.constants else float(str(term.value))
        known = _number(around.value(term.name)) if term.kind is TermKind.SYMBOL else None
        if known is not None:
            return known
    names = [one.name for one in around.parameters if DELTA_NAME.match(one.name)]
    given = "delta" if "delta" in names else next(iter(names), None)
    if given is not None:
        if around.value(given) is None:
            args[given] = DEFAULT_DELTA
        return given
    doubts.append(f"this noise needs a delta, and none is seen: {DEFAULT_DELTA:g} is a guess")
    return DEFAULT_DELTA


# sensitivity


def _sensitivity(
    ways: Sequence[Monomial], around: Surroundings, args: dict[str, Literal], delta: float | str | Name
) -> tuple[float | None, tuple[str, ...]]:
    """The number that the scale is proportional to, and the parameters that it is proportional to."""
    bounds: dict[str, float] = {}
    numbers: list[float] = []
    for way in ways:
        above = [name for name, power in way.powers.items() if power > 0 and not name.startswith("#")]
        others = [name for name in way.powers if not name.startswith("#") and not _is_an_epsilon(name)]
        for name in above:
            last = name.rpartition(".")[2]
            if SENSITIVITY_NAME.search(last) or BOUND_NAME.search(last):
                alone = way.exact and others == [name] and way.powers[name] == 1
                bounds[name] = _without_delta(way, delta) if alone else 1.0
        if not above and not others and way.exact and sum(power == -1 for power in way.powers.values()) == 1:
            numbers.append(_without_delta(way, delta))
    for name, factor in bounds.items():
        value = _number(around.value(name))
        if value is None and around.is_parameter(name):
            args[name] = value = 1.0
        if value is not None:
            numbers.append(value * (factor if factor > 1 and _is_plain(factor) else 1.0))  # less may be the mistake
    known = [one for one in numbers if 0 < one < math.inf and _is_plain(one)]
    return (min(known) if known else None), tuple(bounds)


def _given_sensitivities(measured: Sequence[Term], around: Surroundings) -> list[str]:
    """Parameters without a value that are called a sensitivity, and say how much noise there is."""
    names = dict.fromkeys(one.name for one in measured if one.kind is TermKind.SYMBOL)
    return [
        name
        for name in names
        if around.is_parameter(name) and SENSITIVITY_NAME.search(name) and around.value(name) is None
    ]


def _is_plain(number: float) -> bool:
    """Whether a person would write it. What a wrong formula leaves is no sensitivity that anybody has meant."""
    return abs(float(Fraction(number).limit_denominator(1000)) - number) < 1e-9 * number


def _without_delta(way: Monomial, delta: float | str | Name) -> float:
    """The coefficient without the factor of Gaussian noise, the root of 2 log(1.25 / delta)."""
    if any(power == Fraction(1, 2) for power in way.powers.values()):
        return round(way.coefficient / math.sqrt(2), 12)
    if isinstance(delta, float) and 0 < delta < 1:
        return round(way.coefficient / math.sqrt(2 * math.log(1.25 / delta)), 12)
    return way.coefficient


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
