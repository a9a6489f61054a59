"""Where noise meets what a function is given, in a graph that was read without knowing which parameter is the data.

Noise that is added, coins that decide which of several values is released, and choices by exponential weights.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from dplint.claims import EPSILON_NAME
from dplint.distributions import distributions
from dplint.rules.flow.draws import is_around_one
from dplint.rules.flow.terms import DrawTerm, Graph, Term, TermKind, reached

_COINS = frozenset({"random", "uniform", "binomial"})
_PRODUCTS = frozenset({"*", "/", "neg", "@"})
UNCHANGED = frozenset(
    {"zip", "enumerate", "float", "round", "int", "array", "list", "reshape", "squeeze", "astype", "asarray", "item"}
    | {"to", "type", "cpu", "cuda", "numpy", "from_numpy", "tensor", "as_tensor", "cast", "type_as", "double", "view"}
)
"""Calls whose result holds the same values."""
_KEPT = (TermKind.CHOICE, TermKind.ELEMENT, TermKind.EXIT, TermKind.LOOP, TermKind.CONTAINER)
_ARITHMETIC = _PRODUCTS | {"+", "-", "//"}
_LOGARITHMS = frozenset({"log", "log1p", "log2", "ppf", "ndtri"})
_RUNNING_SUMS = frozenset({"cumsum", "accumulate"})
_RANDOMISES = re.compile(
    r"^_?(?:randomi[sz]e|privati[sz]e|add_(?:\w+_)?noise|(?:Exponential|Laplace|Gaussian|Geometric)Mechanism)$"
)
"""Functions that cannot be read, of whose names there is no doubt."""
_SAMPLER = re.compile(
    r"^_?(?:(?:get|sample|draw|make|generate|discrete|random)_)*"
    r"(?:noise|(?P<law>d?laplac\w*?|gauss\w*?|gumbel\w*?)(?:_?(?:noise|sampler?|mechanism|dist|distribution))?)$",
    re.IGNORECASE,
)
_SAMPLES = re.compile(r"\.(?:r?sample|rvs|draw)$")
"""Functions that cannot be read and are named after noise; those after a law of it may add it themselves."""
_FLIPS = frozenset({"^", "!=", "==", "+", "%", "&", "|", "where"})
"""By what a value and a coin become one."""
_NO_SCALES = frozenset({"loc", "size", "key", "seed", "like", "dtype", "device", "random_state"})
"""Arguments of draws that say nothing of how much noise there is."""
_TRAINERS = ("opacus.", "tensorflow_privacy.")
"""Libraries whose calls prepare a training, and release nothing themselves."""
_OPTIONS = frozenset(
    {"epsilon", "eps", "delta", "sensitivity", "lower", "upper", "bounds", "range", "scale", "size", "candidates"}
)
"""Arguments of a library's noise that are no data."""


class Way(Enum):
    """How noise meets data."""

    ADDED = "added"
    COIN = "coin"
    WEIGHTS = "weights"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class NoiseUse:
    """One place where noise meets values.

    draw: the noise. meets: the term in which it meets them. operands: these values. measure: what says how much noise
    there is: scales, factors, probabilities, weights.
    """

    way: Way
    draw: Term
    meets: Term
    operands: tuple[Term, ...]
    measure: tuple[Term, ...]

    @property
    def normal(self) -> bool:
        """Whether it is Gaussian, which has no pure epsilon."""
        return self.draw.name in ("normal", "gauss") or "gauss" in getattr(self.draw.value, "spelling", "").lower()


def noise_uses(graph: Graph, loaded: Collection[str] = ()) -> list[NoiseUse]:
    """All of them, in the order of the draws; whether the operands have to do with any data is for others to see.

    loaded: attributes that hold probabilities which another method of the class has made of an epsilon.
    """
    users = graph.users()
    found: list[NoiseUse] = []
    for draw in (term for term in graph.terms if term.kind is TermKind.DRAW):
        spelling = draw.value.spelling if isinstance(draw.value, DrawTerm) else ""
        if draw.name == "unknown":
            found += _of_unknown(draw, _SAMPLES.sub("", spelling).rpartition(".")[2], users)
        elif draw.name == "library" and spelling.endswith(".sample") and spelling.startswith("pydp."):
            found += _added(draw, users)
        elif draw.name == "library":
            if spelling.startswith(_TRAINERS):
                continue
            found.append(NoiseUse(Way.LIBRARY, draw, draw, _given(draw), tuple(draw.args)))
        elif draw.name in _COINS:
            found += _coins(draw, graph, users, loaded)
            found += _inverted(draw, users)
        elif draw.name == "choice":
            found += _weighted(draw, users, loaded)
        elif draw.name in distributions() and distributions()[draw.name].noise:
            found += _added(draw, users)
    return found


def _weighted(draw: Term, users: Mapping[Term, list[Term]], loaded: Collection[str]) -> Iterator[NoiseUse]:
    weights = draw.argument("p") or draw.argument("replace")  # the wrong place for weights, but meant
    if weights is None:
        return
    held = any(one.name in loaded for one in ancestors([weights]))
    if not held and not _is_exponential(weights):
        return
    values = draw.argument("a")
    exponents = _exponents(weights)
    if held and exponents == (weights,):  # one of a value's neighbours, or a sign for it
        if values is not None and values.kind is not TermKind.CONSTANT:
            yield NoiseUse(Way.COIN, draw, draw, (values, weights), (weights,))
        yield from _signed(draw, [draw], users, (weights,))
    elif exponents != (weights,) and all(map(_is_epsilon_alone, exponents)):  # randomised response
        yield NoiseUse(Way.COIN, draw, draw, (weights,), (weights,))
    else:
        yield NoiseUse(Way.WEIGHTS, draw, draw, exponents, (weights,))


def _given(draw: Term) -> tuple[Term, ...]:
    """What a function is given that makes the noise itself, and that does not say how much."""
    return tuple(one for key, one in zip(draw.keys, draw.args, strict=True) if key not in _OPTIONS)


def _of_unknown(draw: Term, name: str, users: Mapping[Term, list[Term]]) -> list[NoiseUse]:
    """The uses of what a function gives that cannot be read: to judge by its name, noise, or values with noise."""
    if _RANDOMISES.search(name):
        return [NoiseUse(Way.LIBRARY, draw, draw, _given(draw), tuple(draw.args))]
    sampler = _SAMPLER.search(name)
    added = list(_added(draw, users)) if sampler is not None else []
    if not added and sampler is not None and sampler["law"]:
        return [NoiseUse(Way.LIBRARY, draw, draw, _given(draw), tuple(draw.args))]
    return added


def _exponents(weights: Term) -> tuple[Term, ...]:
    """What weights are the exponentials of: the scores, and not what the weights are divided by; else the weights."""
    found = [one.args[0] for one in ancestors([weights]) if one.is_call(("exp", "softmax")) and one.args]
    return tuple(dict.fromkeys(found)) or (weights,)


def _added(draw: Term, users: Mapping[Term, list[Term]]) -> Iterator[NoiseUse]:
    centre = draw.argument("loc")
    scales = [one for key, one in zip(draw.keys, draw.args, strict=True) if key not in _NO_SCALES]
    if centre is not None and centre.kind is not TermKind.CONSTANT:
        yield NoiseUse(Way.ADDED, draw, draw, (centre,), tuple(scales))
    pending, seen = [draw], {draw}
    while pending:
        term = pending.pop()
        for user in users.get(term, ()):
            if user in seen or (user.kind is TermKind.DRAW and user.argument("loc") is not term):
                continue
            seen.add(user)
            others = tuple(one for one in user.args if one is not term and one.kind is not TermKind.CONSTANT)
            if user.is_operation(_PRODUCTS):
                if others and is_around_one(term):  # x * (1 + noise) is x + x * noise
                    yield NoiseUse(Way.ADDED, draw, user, others, (*scales, *others))
                scales += others
                pending.append(user)
                continue
            is_sum = user.is_operation(("+", "-"))
            if others and (is_sum or user.kind is TermKind.COMPARISON):  # with a noisy threshold
                yield NoiseUse(Way.ADDED, draw, user, others, tuple(scales))
            if is_sum or _holds_unchanged(user, term):
                pending.append(user)


def _holds_unchanged(user: Term, term: Term) -> bool:
    """Whether a value has another in it as it is."""
    kept = (user.kind in _KEPT and term in user.args) or user.name == "[]"
    return kept or user.is_call(UNCHANGED)


def _inverted(draw: Term, users: Mapping[Term, list[Term]]) -> Iterator[NoiseUse]:
    """Noise that is made of uniform numbers, by a logarithm among other things, and then added to values."""
    pending: list[tuple[Term, bool]] = [(draw, False)]
    seen, measure = {draw}, list[Term]()
    while pending:
        term, curved = pending.pop()
        for user in users.get(term, ()):
            if user in seen or user.kind is TermKind.DRAW or term not in user.args:
                continue
            others = tuple(one for one in user.args if one is not term and one.kind is not TermKind.CONSTANT)
            arithmetic = user.is_operation(_ARITHMETIC)
            if arithmetic and user.name in ("+", "-") and curved and others:
                yield NoiseUse(Way.ADDED, draw, user, others, tuple(measure))
            if arithmetic and user.name in _PRODUCTS:
                measure += others
            if arithmetic or user.kind in _KEPT or user.name == "[]" or user.kind is TermKind.CALL:
                seen.add(user)
                pending.append((user, curved or user.name in _LOGARITHMS))


def _coins(draw: Term, graph: Graph, users: Mapping[Term, list[Term]], loaded: Collection[str]) -> Iterator[NoiseUse]:
    """Values that are released as a coin has it, whose probability is that of a randomised response."""
    for coin, measure in _tosses(draw, users):
        whole = list(ancestors(measure))
        if not any(_tells_epsilon(one) or one.name in loaded for one in whole):
            continue
        if any(one.kind is TermKind.LOOP or one.name in _RUNNING_SUMS for one in whole):
            # a uniform number among running sums of weights: a choice, made by the inverse of its distribution function
            yield NoiseUse(Way.WEIGHTS, draw, coin, tuple(two for one in measure for two in _exponents(one)), measure)
            continue
        conditions = _conditions(coin, users)
        for user in dict.fromkeys(user for one in conditions for user in users.get(one, ())):
            others = tuple(one for one in user.args if one not in conditions)
            masked = user.is_container("store") and user.args[1] in conditions
            if masked or any(one in conditions for one in user.conditions) or user.name in _FLIPS:
                yield NoiseUse(Way.COIN, draw, user, others, measure)
        yield from _signed(draw, _signs(conditions, users), users, measure)
        for sink in graph.sinks:
            if any(one in conditions for one in sink.guards):
                yield NoiseUse(Way.COIN, draw, sink.term, (sink.term,), measure)


def _signs(coins: Iterable[Term], users: Mapping[Term, list[Term]]) -> list[Term]:
    """What is computed from coins and constants alone, such as `2 * coin - 1`, which is 1 or -1."""

    def sums(one: Term) -> Iterator[Term]:
        made = (user for user in users.get(one, ()) if user.is_operation(("+", "-", "*")))
        return (user for user in made if all(arg is one or arg.kind is TermKind.CONSTANT for arg in user.args))

    return list(reached(coins, sums))


def _signed(
    draw: Term, signs: Sequence[Term], users: Mapping[Term, list[Term]], measure: tuple[Term, ...]
) -> Iterator[NoiseUse]:
    """Values whose sign a coin decides."""
    for user in dict.fromkeys(user for one in signs for user in users.get(one, ())):
        others = tuple(one for one in user.args if one not in signs and one.kind is not TermKind.CONSTANT)
        if user.is_operation("*") and others:
            yield NoiseUse(Way.COIN, draw, user, others, measure)


def _conditions(coin: Term, users: Mapping[Term, list[Term]]) -> list[Term]:
    """The coin, and what is true or false by it."""
    logic = ("not", "and", "or", "~")
    return list(reached([coin], lambda one: (user for user in users.get(one, ()) if user.is_operation(logic))))


def _tosses(draw: Term, users: Mapping[Term, list[Term]]) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """The coins that a draw decides, each with what says how it is loaded."""
    if draw.name == "binomial":
        loaded = draw.argument("p")
        if loaded is not None:
            yield draw, (loaded,)
        return
    pending, seen, measure = [draw], {draw}, list[Term]()
    while pending:
        term = pending.pop()
        for user in users.get(term, ()):
            if user in seen:
                continue
            seen.add(user)
            others = tuple(one for one in user.args if one is not term)
            if user.kind is TermKind.COMPARISON:
                yield user, (*measure, *others)
            elif user.kind in _KEPT or user.name == "[]":
                pending.append(user)
            elif user.is_operation(_PRODUCTS):
                measure += others
                pending.append(user)


def _is_exponential(term: Term) -> bool:
    """Whether a probability is made of an exponential, or of an epsilon."""
    return any(map(_tells_epsilon, ancestors([term])))


def _is_epsilon_alone(term: Term) -> bool:
    """Whether nothing but an epsilon and numbers are in it."""
    names = [one.name.rpartition(".")[2] for one in ancestors([term]) if one.kind is TermKind.SYMBOL]
    return bool(names) and all(map(EPSILON_NAME.match, names))


def _tells_epsilon(term: Term) -> bool:
    if term.kind is TermKind.CALL:
        return term.name in ("exp", "softmax")
    return term.kind is TermKind.SYMBOL and EPSILON_NAME.match(term.name.rpartition(".")[2]) is not None


def ancestors(terms: Iterable[Term]) -> Iterator[Term]:
    """The terms and all that they are made of, draws and what those are made of left out."""
    pending = deque(terms)
    seen = set(pending)
    while pending:
        term = pending.popleft()
        yield term
        if term.kind is TermKind.DRAW:
            continue
        for one in term.inputs():
            if one not in seen:
                seen.add(one)
                pending.append(one)
