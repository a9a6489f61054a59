"""How far a claim is known: what makes it a sketch that a person has to finish, and what studies a mechanism.

Noise that lines outside of any function add to data: the main part of a script, a cell of a notebook.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from dplint.claims import EPSILON_NAME, Literal, Span
from dplint.rules.flow.build import build_graph
from dplint.rules.flow.terms import DICT_VALUE, Graph, Loop, Term, TermKind, innermost
from dplint.rules.flow.vocabulary import ModuleScope
from dplint.rules.outside import lines_outside, stand_in
from dplint.rules.suggesting.budget import PROTECTS, Budget, Surroundings, read_budget
from dplint.rules.suggesting.data_choice import (
    HELD_DATA,
    STRONG,
    TABLE_NAME,
    is_in_the_values,
    is_setting,
    parameter_of,
    roots,
)
from dplint.rules.suggesting.noise_uses import UNCHANGED, NoiseUse, Way, ancestors, noise_uses
from dplint.rules.suggesting.suggestion import Name, Suggestion
from dplint.rules.suggesting.usage import Usage

TRIALS = re.compile(
    r"(?:^|_)(?:trials?|repeats?|repetitions?|reps|runs|simulations?|experiments?|replications?)$|^num(?:Trials|Runs)$",
    re.IGNORECASE,
)
"""Parameters that say how often something is tried."""
_GRAPH_CALLS = frozenset(
    {"number_of_nodes", "number_of_edges", "nodes", "edges", "degree", "neighbors", "adjacency_matrix", "has_edge"}
)
_GRAPH_NAME = re.compile(r"^(?:G|graph|\w+_graph|g)$|Graph$")
_ASKED = (
    "abs agg all any apply argmax argmin argsort assign astype clip corr cov cumsum describe detach diff div dot drop "
    "dropna fillna filter first flatten float group_by groupby head hist histogram idxmax iloc isin item iterrows "
    "itertuples last len loc map max mean median merge min mul norm notna nunique numpy permute pivot_table prod "
    "quantile query ravel reindex repeat reshape rolling round sample select size sort_index sort_values squeeze std "
    "sub sum tail take to to_dict to_list to_numpy toarray tolist transform transpose unique value_counts values var "
    "view where"
)
_METHODS = frozenset({*_ASKED.split(), *(name for kind in (list, dict, str, set) for name in dir(kind))})
"""What lists, dicts, texts, arrays and tables are asked."""
_TRAINING = re.compile(r"^_?[xXyY](?:_?(?:train|test|data))?$|^(?:train|test)_?\w*$")


def data_together(data: str, uses: Sequence[NoiseUse], names: Sequence[str]) -> tuple[str, ...]:
    """The data, in the order of the parameters, with what else is trained on and gets the noise: `X` and `y`."""
    operands = [one for use in uses for one in use.operands]
    others = [one for one in names if _TRAINING.search(one) and is_in_the_values(one, operands, {*names, "self"})]
    return tuple(others) if data in others else (data,)


def is_study(uses: Sequence[NoiseUse], graph: Graph) -> bool:
    """Whether a function tries a mechanism, for many epsilons, or against the truth."""
    epsilons = [one for one in graph.terms if one.kind is TermKind.ELEMENT and one.args[0].kind is TermKind.SYMBOL]
    if any(EPSILON_NAME.match(one.args[0].name) for one in epsilons):
        return True
    returned = [sink.term for sink in graph.sinks if sink.kind in ("return", "yield")]
    return bool(returned) and all(_holds_an_error(one, uses) for one in returned)


def _holds_an_error(term: Term, uses: Sequence[NoiseUse]) -> bool:
    """Whether a value is made of the difference between noisy values and the very values that got the noise.

    One that gets noise itself is a step of a descent, which goes on from noisy values.
    """
    noised = set(ancestors(operand for use in uses for operand in use.operands))
    for one in ancestors([term]):
        if not one.is_operation("-") or len(one.args) != 2 or one in noised:
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
    other = _data_around(data, operands, given)
    if other is not None:
        return f"`{other}`, which is no parameter, gets the noise too: give the data to the function"
    named = [one.name for one in around.parameters if one.default is None and _sounds_like_data(one.name)]
    if named and not HELD_DATA.search(data):
        return f"`{named[0]}` sounds like the data, and what becomes of it is not seen here"
    return None


_SPEAKS = re.compile(
    PROTECTS.pattern + r"|nois|priva|protect|exponential|saniti|obfuscat|svt|threshold|rappor|respon|unary|piecewise|"
    r"duchi|geometric"
)
"""Words for what protects, in the names of functions and classes, and in docstrings."""
_RELEASES = re.compile(
    r"release|answer|quer(?:y|ies)|count|(?:^|_)sums?(?:_|$)|total|mean|average|(?:^|_)avg|median|quantile|percentile|"
    r"hist|statistic|marginal|(?:^|_)(?:max|min|argmax|top)(?:_|$)|select"
)
"""Words for what is asked of data, in names."""


def is_no_release(name: str, docstring: str) -> bool:
    """Whether neither a name, with that of its class, nor what a function says of itself is about protecting data.

    The authors of such functions often mean something else, or a step on the way: on code that nobody here had seen, 15
    of 75 claims for them would have been signed, and 93 of 164 others (rounds 2 to 10 of the sets that were held out).
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return not (_SPEAKS.search(words) or _RELEASES.search(words) or _SPEAKS.search(docstring.lower()))


def sketches(
    data: str, uses: Sequence[NoiseUse], graph: Graph, around: Surroundings, budget: Budget, usage: Usage
) -> Iterator[str]:
    """Why nobody can sign the claim yet, each in words."""
    given = {one.name for one in around.parameters} | {"self"}
    operands = [one for use in uses for one in use.operands]
    yield from _of_choices(data, uses, given)
    if not usage.of_records and any(_is_for_each_item(use, data, given, graph) for use in uses):
        yield f"a choice is made for each item of `{data}`, and each spends epsilon: say what a record is"
    yield from _of_noise(data, uses, budget, usage)
    if usage.of_records and any(_is_for_each_column(use, data, given, graph) for use in uses):
        yield f"each column of `{data}` gets noise with all of epsilon, so that a record spends it as often"
    yield from _of_coins(data, uses, given, budget)
    if _has_parts(data, operands, given, usage):
        yield f"each of `{data}` has parts: say what a record is"
    others = _other_epsilons(around, budget.epsilon)
    if others:
        yield f"`{others[0]}` is an epsilon too, and has no part in this one"
    if not budget.named:
        yield "nothing is called an epsilon where the noise is made"
    annotated = any(one.name == data and one.annotation for one in around.parameters)
    if not (annotated or TABLE_NAME.search(data)) and _is_an_object(data, operands, given):
        yield f"`{data}` is an object of a class: say what its records are"
    if _is_a_graph(data, operands, given, around):
        yield f"`{data}` is a graph, whose neighbours differ by an edge or by a node: give a relation of your own"
    if any(_is_repeated(use, graph) for use in uses):
        yield "the same values get noise again in every round, and each round spends epsilon"
    if any(use.way is Way.LIBRARY and "Exponential" in _spelling(use) for use in uses):
        yield "what the library chooses among, and by which scores, is not seen here"


def _of_coins(data: str, uses: Sequence[NoiseUse], given: set[str], budget: Budget) -> Iterator[str]:
    """Whether coins are as many as the data says, or are loaded by what need not be epsilon."""
    coins = [use for use in uses if use.way is Way.COIN]
    if any(_holds(use.draw.argument("n"), data, given) for use in coins):
        yield f"`{data}` says how many coins there are, as a count does: say what a record is"
    if not all(map(_is_of_an_exponential, coins)):
        yield f"the coin is loaded by {budget.epsilon} itself, and not by its exponential: it may be e to the epsilon"


def _of_choices(data: str, uses: Sequence[NoiseUse], given: set[str]) -> Iterator[str]:
    """Whether something else than the data says by which weights a choice is made, or the data is what it is among."""
    choices = [use for use in uses if use.way is Way.WEIGHTS]
    scores = [two for use in choices for two in (*use.operands, *use.measure)]
    places = [two for one in ancestors(scores) for two in _place(one)]
    others = (name for name, weight in roots(places, given) if weight >= STRONG and name != data)
    if any(not is_setting(name) for name in others):
        yield f"something else than `{data}` says by which of its values a choice is made"


def _is_for_each_item(use: NoiseUse, data: str, given: set[str], graph: Graph) -> bool:
    """Whether a choice by weights is made in a loop over the items of what is made of the data."""
    loops = (loop for loop in graph.loops if use.draw.loops & loop.bit and loop.iterable is not None)
    over = [loop.iterable for loop in loops if loop.iterable is not None and not loop.iterable.is_call("range")]
    return use.way is Way.WEIGHTS and any(is_in_the_values(data, [one], given) for one in over)


def _is_for_each_column(use: NoiseUse, data: str, given: set[str], graph: Graph) -> bool:
    """Whether noise is drawn in a loop over keys by which the data is asked, and their number has no part in it."""
    if any(one.kind is TermKind.LENGTH for one in ancestors(use.measure)):
        return False
    for loop in graph.loops:
        if not use.draw.loops & loop.bit or loop.iterable is None or is_in_the_values(data, [loop.iterable], given):
            continue
        asked = (one for one in ancestors(use.operands) if one.is_operation("[]") and _is_key_of(one.args[-1], loop))
        if any(is_in_the_values(data, [one.args[0]], given) for one in asked):
            return True
    return False


def _is_key_of(term: Term, loop: Loop) -> bool:
    """Whether a value is what a loop goes through."""
    return term.kind is TermKind.ELEMENT and term.value is loop


def _place(term: Term) -> Sequence[Term]:
    """The places at which something is looked up."""
    return term.args[1:] if term.name == "[]" else ()


def _of_noise(data: str, uses: Sequence[NoiseUse], budget: Budget, usage: Usage) -> Iterator[str]:
    """What the noise and its scale say against a claim."""
    without = budget.delta == 0 and any(use.normal and use.way is Way.ADDED for use in uses)
    if without or any(one.startswith("this noise needs a delta") for one in budget.doubts):
        yield "Gaussian noise without a delta promises nothing: say which one it is enough for"
    if budget.inverted:
        yield "the noise grows with what is called an epsilon"
    others = (
        *budget.factors,
        *(budget.divided if not usage.of_records and usage.sensitivity is None else ()),
    )
    if others:
        yield f"`{others[0]}` says how much noise there is, too: how far neighbours of `{data}` move is not seen here"
    elif usage.of_answers and usage.sensitivity is None and any(map(_has_sum, uses)):
        yield f"a sum or difference says how much noise there is: how far neighbours of `{data}` move is not seen here"


def _has_sum(use: NoiseUse) -> bool:
    """Whether the scale of what is added holds a sum of two values: no formula of one sensitivity and epsilon does."""
    sums = (one for one in ancestors(use.measure) if one.is_operation(("+", "-")) and len(one.args) == 2)
    return use.way is Way.ADDED and any(all(two.kind is not TermKind.CONSTANT for two in one.args) for one in sums)


def _has_parts(data: str, operands: Sequence[Term], given: set[str], usage: Usage) -> bool:
    """Whether each element of the data is asked for its parts; of a vector of answers, also gone through."""
    if isinstance(usage.domain, dict):
        return False
    mine = {one for one in ancestors(operands) if one.kind is TermKind.ELEMENT and _is_of(one, data, given)}
    inside = [one for one in ancestors(operands) if one.args and one.args[0] in mine]
    asked = any(one.name == "[]" and isinstance(one.args[-1].value, int) for one in inside)
    asked = asked or any(_is_cell(one) and is_in_the_values(data, [one], given) for one in ancestors(operands))
    return asked or (usage.of_answers and any(one.kind is TermKind.ELEMENT for one in inside))


def _is_cell(term: Term) -> bool:
    """Whether it is an item of a table by two whole numbers."""
    return term.is_operation("[]") and len(term.args) == 3 and all(type(one.value) is int for one in term.args[1:])


def _is_of(element: Term, data: str, given: set[str]) -> bool:
    """Whether an element is one of the data itself."""
    whole = innermost(element.args[0], lambda one: one.name in UNCHANGED)
    return element.name != DICT_VALUE and parameter_of(whole, given) == data


def _data_around(data: str, operands: Iterable[Term], given: set[str]) -> str | None:
    """A name outside of the function, or of what its object holds, that sounds like data and gets noise beside it."""
    held = not data.startswith("self.")
    for one in ancestors(operands):
        parts = one.name.split(".") if one.kind is TermKind.SYMBOL else []
        outside = bool(parts) and (parts[0] not in given or (held and parts[0] == "self"))
        if outside and any(map(_sounds_like_data, parts)):
            return one.name
        if held and one.is_operation("[]") and one.args[0].name.startswith("self."):
            key = one.args[-1].value
            if isinstance(key, str) and _sounds_like_data(key):
                return f"{one.args[0].name}[{key!r}]"
    return None


def _sounds_like_data(name: str) -> bool:
    return bool(_TRAINING.search(name) or HELD_DATA.fullmatch(name))


def _other_epsilons(around: Surroundings, epsilon: Literal | Name) -> list[str]:
    """The parameters that are called an epsilon, have to be given, and are not in the claim's."""
    words = set(re.findall(r"\w+", epsilon)) if isinstance(epsilon, str) else set[str]()
    names = [one.name for one in around.parameters if one.default is None and EPSILON_NAME.match(one.name)]
    return [name for name in names if name not in words] if words else []


def _holds(term: Term | None, data: str, given: set[str]) -> bool:
    """Whether a value is made of the data."""
    return term is not None and any(name == data for name, _ in roots([term], given))


def _is_an_object(data: str, operands: Iterable[Term], given: set[str]) -> bool:
    """Whether methods are asked of the data that no list, dict, array or table has."""
    calls = (one for one in ancestors(operands) if one.kind is TermKind.CALL and str(one.value)[:1] == "." and one.args)
    asked = {
        one.name for one in calls if one.args[0].kind is TermKind.SYMBOL and parameter_of(one.args[0], given) == data
    }
    return not asked <= _METHODS


def _is_a_graph(data: str, operands: Iterable[Term], given: set[str], around: Surroundings) -> bool:
    annotation = next((one.annotation or "" for one in around.parameters if one.name == data), "")
    if _GRAPH_NAME.search(data) or "Graph" in annotation:
        return True
    calls = (one for one in ancestors(operands) if one.is_call(_GRAPH_CALLS) and one.args)
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
    exponents = (one for one in whole if one.is_call(("exp", "expm1", "expit")))
    inside = set(ancestors([arg for one in exponents for arg in one.args]))
    named = (one for one in whole if one.kind in (TermKind.SYMBOL, TermKind.CONSTANT))
    return all(one in inside for one in named if EPSILON_NAME.match(one.name.rpartition(".")[2]))


def _spelling(use: NoiseUse) -> str:
    return str(getattr(use.draw.value, "spelling", ""))


_READS = ("read", "load", "open", "fetch", "input", "query", "get_data", "DataFrame", "select")


def suggest_for_sections(scope: ModuleScope) -> list[Suggestion]:
    """For each place at the top level where noise is added to what was read from somewhere; never sure.

    A claim is about a function, so the lines have to become one first.
    """
    whole = lines_outside(scope)
    if whole is None:
        return []
    graph = build_graph(scope, stand_in(scope), whole, lambda _: False, scalar=False)
    found: dict[Span, Suggestion] = {}
    spoken: set[Term] = set()
    for use in noise_uses(graph):
        if use.draw in spoken:
            continue  # what the noisy values are used for later
        named = _data_of(use, graph)
        if named is not None and use.meets.node is not None and not use.meets.function.count("."):
            one = _suggestion(use, named, graph, scope)
            if one is not None:
                spoken.add(use.draw)
                found.setdefault(one.span, one)
    return [found[span] for span in sorted(found)]


def _suggestion(use: NoiseUse, data: str, graph: Graph, scope: ModuleScope) -> Suggestion | None:
    budget = read_budget([use], graph, Surroundings((), scope.module.constants, {}))
    if budget.epsilon is None or use.meets.node is None:
        return None
    try:
        span = scope.module.span(use.meets.node)
    except KeyError:  # it stands in a function of another module
        return None
    claim: dict[str, Literal | Name] = {"epsilon": budget.epsilon}
    if budget.delta != 0.0:
        claim["delta"] = budget.delta
    records = any(
        one.kind is TermKind.LENGTH or one.name in ("sum", "mean", "count") for one in ancestors(use.operands)
    )
    claim["neighbors"] = "add-remove" if records else "l2" if use.draw.name == "normal" else "l1"
    if records:
        claim["domain"] = (0.0, float(budget.sensitivity or 1.0))
    doubts = (
        f"these lines stand in no function: move what is done with `{data}` into one that returns the noisy result",
        *dict.fromkeys(budget.doubts),
        *(("what a record may be is a guess",) if records else ()),
    )
    return Suggestion(None, span, span.line, span.line, data, claim, doubts, sketch=True)


def _data_of(use: NoiseUse, graph: Graph) -> str | None:
    """The name under which what was read from somewhere meets the noise."""
    if use.way is not Way.ADDED or use.meets.kind is TermKind.COMPARISON:
        return None
    within = set(ancestors(use.operands))
    if not any(_is_read(one) for one in within):
        return None
    named = [one.name for one in graph.assigned if one.term in within]
    return named[-1] if named else None


def _is_read(term: Term) -> bool:
    return term.kind is TermKind.CALL and any(term.name.startswith(word) for word in _READS)
