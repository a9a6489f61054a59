"""How the data is used before noise meets it: as one value, a vector of answers, or records; and what a record is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dplint.claims import Literal
from dplint.relations import DataKind, relation_named
from dplint.rules.flow.terms import Graph, Term, TermKind, innermost, reached
from dplint.rules.flow.vocabulary import SELECTIONS
from dplint.rules.suggesting.budget import Budget, Surroundings
from dplint.rules.suggesting.data_choice import Seen, counts_records, holds_values, parameter_of, touching
from dplint.rules.suggesting.domains import (
    BOUNDS_NAME,
    GUESSED_HIGH,
    asserted_domain,
    clipped_domain,
    columns_domain,
    compared_domain,
    given_domain,
    threshold_domain,
    told_domain,
)
from dplint.rules.suggesting.noise_uses import UNCHANGED, NoiseUse, Way, ancestors

_SCALARS = frozenset({"int", "float", "bool", "str"})
_SELECTING = SELECTIONS | {"max", "argmax", "argmin", "max-by", "min-by", "index"}
_VECTOR_NAME = re.compile(
    r"counts?$|hist|scores?$|s$|vec|arr|grad|model|network|weights|matrix|answers|x$|X$|data|table|update|param|tensor|theta"
)
_ANSWERS = re.compile(
    r"^(?:quer(?:y|ies)|answers|counts|(?:\w+_)?scores|utilit(?:y|ies)|qualit(?:y|ies)|hist(?:ogram)?|noisy_\w+|"
    r"(?:\w+_)?(?:model|network|weights|params|parameters|tensors?|state_dict))$"
)
"""Names of vectors of answers, also where these are added up."""
_SEQUENCE = re.compile(r"list|tuple|Sequence|Iterable|ndarray|NDArray|array|Series|DataFrame|Tensor|dict|set")
_NUMBERS_BY_KEY = re.compile(r"(?:\w+\.)?(?:[dD]ict|Mapping|MutableMapping|OrderedDict)\[[^\[\],]+, *(?:int|float)\]")
"""Annotations of a number for each key, as a histogram has it."""
_SELECTS = re.compile(
    r"exponential_mech|ExponentialMechanism|Exponential$|Exponential\.|permute_and_flip|PermuteAndFlip|noisy_max"
)
"""Libraries' choices of the best one."""
_COIN_DOMAIN: list[Literal] = [0, 1]
_MEANS = frozenset({"mean", "var", "std", "nanmean", "nanvar", "nanstd", "average"})
_GROUPED = frozenset({"Counter", "histogram", "bincount", "value_counts", "digitize"})
"""Calls that only records are given to, whatever these are called."""
_STATISTICS = re.compile(r"(?:^|_)(?:stats?|statistics|summar(?:y|ies)|partials?|aggregates?|histograms?)(?:_|$)")
"""Names of what has been made of records before."""
_NEIGHBOURS = re.compile(
    r"(?P<replaced>differ\w* (?:in|by|on) (?:at most |exactly )?(?:one|a single|1)\b|"
    r"(?<!un)bounded (?:dp|differential))|unbounded (?:dp|differential)|add\w*\s*(?:/|-|or|and)\s*remov",
    re.IGNORECASE,
)
"""What docstrings say of neighbours."""
_FITS = re.compile(r"^_?(?:partial_)?fit(?:_|$)|^_?train(?:_|$)")
"""Names of functions to which records are handed, whatever becomes of them there."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a claim may say of the data.

    relation: the name of a relation. domain: None where the relation needs none, or the annotation says it. doubts:
    what is uncertain, in words.
    """

    relation: str
    domain: Literal = None
    sensitivity: float | None = None
    doubts: tuple[str, ...] = ()
    args: tuple[tuple[str, Literal], ...] = ()

    @property
    def of_answers(self) -> bool:
        """Whether the data is a vector of answers."""
        return relation_named(self.relation).data is DataKind.VECTOR

    @property
    def of_records(self) -> bool:
        """Whether the data is records."""
        return relation_named(self.relation).data is DataKind.RECORDS


def read_usage(data: str, uses: Sequence[NoiseUse], graph: Graph, around: Surroundings, budget: Budget) -> Usage:
    """How these uses have the data."""
    given = {one.name for one in around.parameters} | {"self"}
    parameter = next((one for one in around.parameters if one.name == data), None)
    way = touching(data, (one for use in uses for one in use.operands), given)
    seen = Seen(data, parameter, uses, way, frozenset(_elements(way)), given, graph)
    if all(use.way is Way.COIN for use in uses):
        return _of_coins(seen, around)
    records = seen.aggregates or any(BOUNDS_NAME.match(one.name) for one in around.parameters)
    records = records or seen.is_queried or _FITS.search(around.function) is not None
    records = records or seen.is_table
    if not records and all(use.way is Way.LIBRARY for use in uses):
        return _of_answers(seen, around, budget, selected=_is_selected(uses, graph))
    answers = _ANSWERS.search(data) is not None or _NUMBERS_BY_KEY.fullmatch(seen.annotation) is not None
    answers = answers and not seen.calls(_GROUPED)
    if records and not _is_scalar_annotation(seen.annotation) and not answers:
        return _of_records(seen, around, budget)
    return _of_answers(seen, around, budget, selected=_is_selected(uses, graph))


def _elements(way: Sequence[Term]) -> Iterator[Term]:
    """What a loop over the data gives, and the data's elements by index."""
    known = set(way)
    for one in way:
        if one.kind is TermKind.ELEMENT or (one.name == "[]" and one.args[0] in known):
            yield one


def _is_scalar_annotation(annotation: str) -> bool:
    return {part.strip() for part in annotation.split("|")} <= _SCALARS and bool(annotation)


# one value, locally


def _of_coins(seen: Seen, around: Surroundings) -> Usage:
    domain = compared_domain(seen) or asserted_domain(seen)
    doubts: tuple[str, ...] = ()
    if domain is None and not re.search(r"\bbool\b|Literal", seen.annotation):
        value = around.value(seen.data)
        domain = [False, True] if isinstance(value, bool) or "not" in {one.name for one in seen.way} else _COIN_DOMAIN
        doubts = (f"nothing says what values `{seen.data}` may have: {domain} is a guess",)
    several = any(_is_data(one.args[0], seen) for one in seen.elements if one.args)
    several = several or any(one.kind is TermKind.LENGTH and _is_data(one.args[0], seen) for one in seen.graph.terms)
    if several or _SEQUENCE.search(seen.annotation) or any(_is_for_each(use, seen) for use in seen.uses):
        return Usage("replace-one", domain, doubts=doubts)
    return Usage("any", domain, doubts=doubts)


def _is_for_each(use: NoiseUse, seen: Seen) -> bool:
    """Whether there are as many coins as the data has values."""
    size = use.draw.argument("size")
    return size is not None and any(
        one.kind is TermKind.LENGTH and _is_data(one.args[0], seen) for one in (size, *size.args)
    )


def _is_data(term: Term, seen: Seen) -> bool:
    """Whether a term is the data itself, and nothing of another length that was made of it, as a unary code is."""

    def passes(one: Term) -> bool:
        kept = one.kind in (TermKind.ELEMENT, TermKind.EXIT, TermKind.CHOICE) or one.name == "[]"
        return kept or one.is_call(UNCHANGED)

    return parameter_of(innermost(term, passes), seen.given) == seen.data


# a vector of answers, or one


def _is_selected(uses: Sequence[NoiseUse], graph: Graph) -> bool:
    """Whether the noisy values are there to choose the largest or smallest of."""
    if any(use.way is Way.WEIGHTS or _SELECTS.search(str(getattr(use.draw.value, "spelling", ""))) for use in uses):
        return True
    users = graph.users()

    def users_of(term: Term) -> list[Term]:
        return [one for one in users.get(term, ()) if term in one.args]  # others it decides on, and is not chosen

    kept = (TermKind.CONTAINER, TermKind.EXIT, TermKind.LOOP, TermKind.CHOICE)
    noisy = reached((use.meets for use in uses), lambda term: (one for one in users_of(term) if one.kind in kept))
    selections = (one for term in noisy for one in users_of(term) if one.is_call(_SELECTING))
    return any(len(one.args) != 2 or all(two.kind is not TermKind.CONSTANT for two in one.args) for one in selections)


def _of_answers(seen: Seen, around: Surroundings, budget: Budget, *, selected: bool) -> Usage:
    sensitivity = budget.sensitivity if budget.sensitivity not in (None, 1.0) else None
    if selected and _is_among_candidates(seen):
        doubt = f"nothing says what values `{seen.data}` may have: (0.0, 1.0) is a guess"
        each = seen.elements or _SEQUENCE.search(seen.annotation)
        return Usage("replace-one" if each else "any", (0.0, 1.0), doubts=(doubt,))
    if selected and _is_scalar_annotation(seen.annotation):
        domain: Literal = asserted_domain(seen) or (["a", "b", "c"] if "str" in seen.annotation else (0.0, 1.0))
        return Usage("any", domain, doubts=(f"nothing says what values `{seen.data}` may have: {domain} is a guess",))
    tested = [use for use in seen.uses if use.meets.kind is TermKind.COMPARISON]
    if selected or any(_is_beside(use, seen) for use in tested):
        return Usage("linf")
    several = seen.elements or _SEQUENCE.search(seen.annotation) or _is_sized(seen)
    if several and any(_grows_with_size(one, seen) for use in seen.uses for one in use.measure):
        return Usage("linf")
    normal = any(use.normal for use in seen.uses)
    if _is_scalar_annotation(seen.annotation):
        args: list[tuple[str, Literal]] = []
        bounds = clipped_domain(seen, around, args) or asserted_domain(seen)
        if bounds is not None:
            return Usage("any", bounds, args=tuple(args))
        return Usage("l1", sensitivity=sensitivity, doubts=_of_number(sensitivity))
    if several:
        doubts = _of_number(sensitivity)
        if budget.divided and sensitivity is None:
            doubts = (
                f"the noise is divided by `{budget.divided[0]}`: if neighbours move by less than 1, say sensitivity=",
            )
        return Usage("l2" if normal else "l1", sensitivity=sensitivity, doubts=doubts)
    name = seen.data.rpartition(".")[2]
    if _VECTOR_NAME.search(name):
        doubt = f"`{name}` is taken for a vector of answers; if it is one number, annotate it `{name}: float`"
        return Usage("l2" if normal else "l1", sensitivity=sensitivity, doubts=(doubt,))
    width = budget.sensitivity or 1.0
    doubt = f"`{name}` is taken for one number, which neighbours move by {width:g} at most"
    return Usage("any", (0.0, float(width)), doubts=(doubt,))


def _grows_with_size(scale: Term, seen: Seen) -> bool:
    """Whether a scale is proportional to the number of answers, as where each of them may move."""
    pending = [scale]
    for one in pending:  # which grows
        if one.is_operation(("*", "/")):
            pending += one.args if one.name == "*" else one.args[:1]
    return any(counts_records(one, seen) for one in pending)


def _is_beside(use: NoiseUse, seen: Seen) -> bool:
    """Whether values of the data are compared with noise, which is not what they were given themselves before."""
    return any(holds_values(one, seen) and use.draw not in ancestors([one]) for one in use.operands)


def _is_among_candidates(seen: Seen) -> bool:
    """Whether a choice is made by the distance of each candidate, which is public, to the one value that is private."""
    for one in ancestors(operand for use in seen.uses for operand in use.operands):
        if one.is_operation("-") and len(one.args) == 2:
            first, second = one.args
            for value, other in ((first, second), (second, first)):
                grid = other.name in ("linspace", "arange") or other.kind is TermKind.ELEMENT
                if value in seen.way and grid and other not in seen.way:
                    return True
    return False


def _of_number(sensitivity: float | None) -> tuple[str, ...]:
    """A factor of the noise need not be what the data moves by: it may be the very mistake."""
    return () if sensitivity is None else (f"sensitivity={sensitivity:g} is what the noise is enough for",)


def _is_sized(seen: Seen) -> bool:
    """Whether there is more noise than one number."""
    return any(getattr(use.draw.value, "sized", False) and use.way is Way.ADDED for use in seen.uses) and not any(
        use.draw.argument("loc") is not None and use.draw is use.meets for use in seen.uses
    )


# records


def _of_records(seen: Seen, around: Surroundings, budget: Budget) -> Usage:
    # where each value is perturbed by itself, there is a noisy one for each record
    each = seen.elements and any(use.draw.loops for use in seen.uses)
    perturbed = not seen.aggregates and not seen.is_queried and bool(_is_sized(seen) or each)
    replaced = perturbed or _is_size_public(seen) or _moves_two(seen, budget)
    told = _NEIGHBOURS.search(around.docstring)
    replaced = replaced if told is None else bool(told["replaced"])
    args: list[tuple[str, Literal]] = []
    doubts: list[str] = []
    columns = columns_domain(seen, around)
    if columns is None:
        domain = given_domain(around, args) or clipped_domain(seen, around, args)
        domain = domain or compared_domain(seen) or asserted_domain(seen)
    else:
        domain = columns[0]
        doubts += _of_guessed(columns[1])
    replaced |= told is None and _is_width(domain, budget.sensitivity)
    if _STATISTICS.search(seen.data):
        doubts.append(f"`{seen.data}` is taken for records; if it holds statistics of them, they are no neighbours")
    if domain is None:
        domain = told_domain(seen.data, around.docstring)
    if domain is None and not re.search(r"\bbool\b|Literal", seen.annotation):
        domain, unsaid = threshold_domain(seen), f"nothing says what a record of `{seen.data}` may be"
        is_text = re.search(r"\bstr\b", seen.annotation) is not None
        if domain is not None:
            doubts.append(f"{unsaid}: {domain} is around what it is compared with")
        elif seen.sums and not is_text:
            domain = (0.0, float(budget.sensitivity or 1.0))
            doubts.append(f"nothing bounds a record of `{seen.data}`: {domain} is what the noise is enough for")
        else:
            domain = ["a", "b", "c"] if is_text else (0, GUESSED_HIGH)
            doubts.append(f"{unsaid}: {domain} is a guess")
    return Usage("replace-one" if replaced else "add-remove", domain, doubts=tuple(doubts), args=tuple(args))


def _is_width(domain: Literal, sensitivity: float | None) -> bool:
    """Whether the noise is enough for a record that is replaced, and not for one that comes or goes."""
    bounds = [one for one in domain if isinstance(one, int | float)] if isinstance(domain, tuple) else []
    return len(bounds) == 2 and sensitivity == max(bounds) - min(bounds) < max(map(abs, bounds))


def _moves_two(seen: Seen, budget: Budget) -> bool:
    """Whether records are counted, and the noise is enough for two counts that a replaced record moves."""
    return seen.counts and not seen.sums and budget.sensitivity == 2


def _of_guessed(columns: Sequence[str]) -> list[str]:
    if not columns:
        return []
    which = f"column{'s' if len(columns) > 1 else ''} " + ", ".join(f"`{one}`" for one in columns)
    return [f"nothing says what the {which} may hold: (0, {GUESSED_HIGH}) is a guess"]


def _is_size_public(seen: Seen) -> bool:
    """Whether the number of records is used where no noise is: a mean divides by it, a scale is proportional to it."""
    measured = set(ancestors(one for use in seen.uses for one in use.measure if one not in use.operands))
    if any(counts_records(one, seen) for one in measured) or seen.calls(_MEANS):
        return True
    spellings = [str(getattr(use.draw.value, "spelling", "")) for use in seen.uses if use.way is Way.LIBRARY]
    if any(one.rpartition(".")[2] in _MEANS for one in spellings):
        return True
    return any(
        one.name == "/" and len(one.args) == 2 and any(counts_records(two, seen) for two in ancestors(one.args[1:]))
        for one in seen.way
    )
