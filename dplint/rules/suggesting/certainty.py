"""How far a claim is known: what makes it a sketch that a person has to finish, and what studies a mechanism."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from dplint.claims import EPSILON_NAME, Literal
from dplint.rules.flow.terms import Graph, Loop, Term, TermKind
from dplint.rules.suggesting.budget import Budget, Surroundings
from dplint.rules.suggesting.data_choice import HELD_DATA, is_in_the_values, roots
from dplint.rules.suggesting.noise_uses import NoiseUse, Way, ancestors
from dplint.rules.suggesting.suggestion import Name

_TRIALS = re.compile(
    r"(?:^|_)(?:trials?|repeats?|repetitions?|reps|runs|simulations?|experiments?|replications?)$|^num(?:Trials|Runs)$",
    re.IGNORECASE,
)
"""Parameters that say how often something is tried."""
_GRAPH_CALLS = frozenset(
    {"number_of_nodes", "number_of_edges", "nodes", "edges", "degree", "neighbors", "adjacency_matrix", "has_edge"}
)
_GRAPH_NAME = re.compile(r"^(?:G|graph|\w+_graph|g)$|Graph$")
_TRAINING = re.compile(r"^_?[xXyY](?:_?(?:train|test|data))?$|^(?:train|test)_?\w*$")


def is_study(uses: Sequence[NoiseUse], graph: Graph, around: Surroundings) -> bool:
    """Whether a function tries a mechanism, for many epsilons, many times, or against the truth."""
    names = [one.name for one in around.parameters]
    if any(map(_TRIALS.search, names)):
        return True
    epsilons = [one for one in graph.terms if one.kind is TermKind.ELEMENT and one.args[0].kind is TermKind.SYMBOL]
    if any(EPSILON_NAME.match(one.args[0].name) for one in epsilons):
        return True
    returned = [sink.term for sink in graph.sinks if sink.kind in ("return", "yield")]
    return bool(returned) and all(_holds_an_error(one, uses) for one in returned)


def _holds_an_error(term: Term, uses: Sequence[NoiseUse]) -> bool:
    """Whether a value is made of the difference between noisy values and the very values that got the noise."""
    for one in ancestors([term]):
        if one.kind is not TermKind.OPERATION or one.name != "-" or len(one.args) != 2:
            continue
        for noisy, exact in (one.args, reversed(one.args)):
            made = set(ancestors([noisy]))
            if any(use.meets in made and any(_is_same(exact, two) for two in use.operands) for use in uses):
                return True
    return False


def _is_same(one: Term, other: Term, depth: int = 3) -> bool:
    """Whether two values are the same one, or made in the same way of the same ones."""
    if one is other or depth == 0:
        return one is other
    alike = (one.kind, one.name, one.value) == (other.kind, other.name, other.value) and bool(one.args)
    pairs = zip(one.args, other.args, strict=False)
    return alike and len(one.args) == len(other.args) and all(_is_same(*pair, depth - 1) for pair in pairs)


def unsure_data(data: str, uses: Sequence[NoiseUse], around: Surroundings, passed: Collection[str]) -> str | None:
    """Why it is not known that a name holds the data, in words; None where it does. passed: forms that calls pass."""
    if "str" in passed:
        return f"calls give `{data}` a text, which names something: give the data itself to the function"
    given = {one.name for one in around.parameters} | {"self"}
    operands = [one for use in uses for one in use.operands]
    if not is_in_the_values(data, operands, given):
        return f"nothing says that `{data}` is the data: it only decides on what gets the noise"
    weights = [use.draw.argument("p") for use in uses if use.way is Way.WEIGHTS]
    places = [place for one in weights if one is not None and one.name == "[]" for place in one.args[1:]]
    if any(name != data for name, _ in roots(places, given)):
        return f"something else than `{data}` says which of the weights a choice is made by"
    other = _data_around(operands, given)
    return other and f"`{other}`, which is no parameter, gets the noise too: give the data to the function"


def sketches(
    data: str, uses: Sequence[NoiseUse], graph: Graph, around: Surroundings, budget: Budget, epsilon: Literal | Name
) -> Iterator[str]:
    """Why nobody can sign the claim yet, each in words."""
    given = {one.name for one in around.parameters} | {"self"}
    operands = [one for use in uses for one in use.operands]
    others = _other_epsilons(around, epsilon)
    if others:
        yield f"`{others[0]}` is an epsilon too, and has no part in this one"
    if not budget.named:
        yield "nothing is called an epsilon where the noise is made"
    if any(one.startswith("this noise needs a delta") for one in budget.doubts):
        yield "Gaussian noise without a delta promises nothing: say which one it is enough for"
    if _is_a_graph(data, operands, given, around):
        yield f"`{data}` is a graph, whose neighbours differ by an edge or by a node: give a relation of your own"
    if any(_is_repeated(use, graph) for use in uses):
        yield "the same values get noise again in every round, and each round spends epsilon"
    if any(use.way is Way.COIN and not _is_of_an_exponential(use) for use in uses):
        yield f"the coin is loaded by {epsilon} itself, and not by its exponential: it may be e to the epsilon"
    if any(use.way is Way.LIBRARY and "Exponential" in _spelling(use) for use in uses):
        yield "what the library chooses among, and by which scores, is not seen here"


def _data_around(operands: Iterable[Term], given: set[str]) -> str | None:
    """A name outside of the function that sounds like data and gets noise."""
    for one in ancestors(operands):
        parts = one.name.split(".") if one.kind is TermKind.SYMBOL else []
        if parts and parts[0] not in given and any(map(_sounds_like_data, parts)):
            return one.name
    return None


def _sounds_like_data(name: str) -> bool:
    return bool(_TRAINING.search(name) or HELD_DATA.fullmatch(name))


def _other_epsilons(around: Surroundings, epsilon: Literal | Name) -> list[str]:
    """The parameters that are called an epsilon, have to be given, and are not in the claim's."""
    words = set(re.findall(r"\w+", epsilon)) if isinstance(epsilon, str) else set[str]()
    names = [one.name for one in around.parameters if one.default is None and EPSILON_NAME.match(one.name)]
    return [name for name in names if name not in words] if words else []


def _is_a_graph(data: str, operands: Iterable[Term], given: set[str], around: Surroundings) -> bool:
    annotation = next((one.annotation or "" for one in around.parameters if one.name == data), "")
    if _GRAPH_NAME.search(data) or "Graph" in annotation:
        return True
    calls = (one for one in ancestors(operands) if one.kind is TermKind.CALL and one.name in _GRAPH_CALLS and one.args)
    return any(name == data for call in calls for name, _ in roots(call.args[:1], given))


def _is_repeated(use: NoiseUse, graph: Graph) -> bool:
    """Whether the noise is drawn in a loop that only counts, and nothing of what gets it changes there."""
    inside = list(ancestors(use.operands))
    measure = set(ancestors(use.measure))
    for loop in graph.loops:
        counted = loop.iterable
        if not use.draw.loops & loop.bit or counted is None or counted.name != "range" or not counted.args:
            continue
        if any(one.kind is TermKind.LENGTH for one in ancestors(counted.args)) or measure & {*counted.args}:
            continue
        if not any(_belongs_to(one, loop) for one in inside):
            return not any(one.kind is TermKind.LOOP and one.loops & loop.bit for one in inside)
    return False


def _belongs_to(term: Term, loop: Loop) -> bool:
    return term.value is loop or bool(term.loops & loop.bit and term.kind in (TermKind.LOOP, TermKind.DRAW))


def _is_of_an_exponential(use: NoiseUse) -> bool:
    """Whether every epsilon that loads a coin is in an exponent."""
    whole = list(ancestors(use.measure))
    exponents = (one for one in whole if one.kind is TermKind.CALL and one.name in ("exp", "expm1", "expit"))
    inside = set(ancestors([arg for one in exponents for arg in one.args]))
    named = (one for one in whole if one.kind in (TermKind.SYMBOL, TermKind.CONSTANT))
    return all(one in inside for one in named if EPSILON_NAME.match(one.name.rpartition(".")[2]))


def _spelling(use: NoiseUse) -> str:
    return str(getattr(use.draw.value, "spelling", ""))
