"""The pairs to try for one mechanism, whatever its neighbour relation.

Whether a claim speaks of an input: of two values of the data, and of a value of another parameter.

Inputs that somebody else has thought of are looked at here before they are tried: what is seen on data that are no
neighbours, or on arguments that the claim rules out, says nothing against it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import TypeGuard

from dplint.claims import Categories, Columns, Domain, Fixed, Interval, Literal, Mechanism, NumbersOrMissing, Pair
from dplint.inputs.forms import data_annotation, data_form, entries_are_integers, form_words
from dplint.relations import DEFAULT_SIZES, DataKind, DataSpace, relation_of

_DIFFERENT = 2
"""Pairs with data whose records all differ, a pair and its mirror image, that are tried with the patterns."""


class NoPairs(ValueError):
    """The relation makes no pairs for this claim, for the reason given."""


def choose_pairs(mechanism: Mechanism) -> list[Pair]:
    """All pairs of the claim's relation, both orders, for each size.

    Raises:
        NoPairs: the relation needs a domain and the claim has none, which `source` reports as a finding before; the
            pairs come from a function of the user's; or the relation has made a pair that is none.
    """
    relation = relation_of(mechanism.claim)
    domain = data_domain(mechanism)
    if domain is None and relation.domain_example is not None:
        raise NoPairs(f'the relation "{relation.name}" needs a domain, e.g. {relation.domain_example}')
    if relation.pairs is None or relation.are_neighbours is None:
        raise NoPairs(f'the pairs of the relation "{relation.name}" come from the function that the claim names')
    space = _space(mechanism, ())
    pairs = relation.pairs(space)
    alike = relation.data is DataKind.RECORDS and not any(map(_all_differ, pairs))
    if relation.further_pairs is not None and (_form_is_set(mechanism) or alike):
        # Few patterns have records that all differ; those beyond them do.
        further = relation.further_pairs(space)
        if not _form_is_set(mechanism):
            sizes = {pair.size for pair in pairs}
            further = [pair for pair in further if pair.size in sizes and _all_differ(pair)][:_DIFFERENT]
        pairs = [*pairs, *further]
    return _checked(mechanism, pairs)


def further_pairs(mechanism: Mechanism, constants: Sequence[int | float | str]) -> list[Pair]:
    """More pairs, to be looked at before they are tried, without those of `choose_pairs`; none for a custom relation.

    constants: numbers and texts that the program knows. Raises NoPairs as `choose_pairs` does.
    """
    relation = relation_of(mechanism.claim)
    if relation.further_pairs is None:
        return []
    known = {repr((pair.d1, pair.d2)) for pair in choose_pairs(mechanism)}
    found = _checked(mechanism, relation.further_pairs(_space(mechanism, tuple(constants))))
    return [pair for pair in found if repr((pair.d1, pair.d2)) not in known]


def both_orders(pairs: Collection[Pair]) -> list[Pair]:
    """Each pair, followed by itself turned round if that is not among them: a claim binds in both directions."""
    seen = {_told_by(pair) for pair in pairs}
    found: list[Pair] = []
    for pair in pairs:
        found.append(pair)
        if _told_by(pair.turned) not in seen:
            seen.add(_told_by(pair.turned))
            found.append(pair.turned)
    return found


def in_one_order(pairs: Iterable[Pair]) -> list[Pair]:
    """Each pair in the order in which it comes first."""
    first: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        first.setdefault(frozenset((repr(pair.d1), repr(pair.d2))), pair)
    return list(first.values())


def _told_by(pair: Pair) -> str:
    """What tells pairs apart: the objects in the runner, else the data."""
    return repr((pair.d1, pair.d2) if pair.handle is None else pair.handle)


def _space(mechanism: Mechanism, constants: tuple[int | float | str, ...]) -> DataSpace:
    claim = mechanism.claim
    return DataSpace(
        sensitivity=claim.sensitivity,
        domain=data_domain(mechanism),
        sizes=claim.size or DEFAULT_SIZES,
        exact=claim.size is not None,
        scalar=relation_of(claim).data is DataKind.VECTOR and data_form(mechanism) == "scalar",
        integers=has_whole_numbers(mechanism),
        constants=constants,
    )


def _checked(mechanism: Mechanism, pairs: list[Pair]) -> list[Pair]:
    """The pairs that are some in the form that the function gets them in; one that is none would be a false alarm."""
    relation = relation_of(mechanism.claim)
    assert relation.are_neighbours is not None
    made = len(pairs)
    pairs = [pair for pair in pairs if stay_neighbours(mechanism, pair.d1, pair.d2)]
    if made and not pairs:
        words = form_words(data_form(mechanism))
        raise NoPairs(f'the relation "{relation.name}" makes no neighbours that are {words}')
    for pair in pairs:
        if not relation.are_neighbours(pair.d1, pair.d2, mechanism.claim.sensitivity):
            raise NoPairs(f'the relation "{relation.name}" has made a pair that is none: {pair.d1!r} and {pair.d2!r}')
    return pairs


def _all_differ(pair: Pair) -> bool:
    """Whether a side has several records, no two of which are alike."""
    sides = [side for side in (pair.d1, pair.d2) if isinstance(side, list)]
    return any(1 < len(side) == len(set(map(repr, side))) for side in sides)


def _form_is_set(mechanism: Mechanism) -> bool:
    return data_form(mechanism) in ("set", "frozenset")


def stay_neighbours(mechanism: Mechanism, d1: Literal, d2: Literal) -> bool:
    """Whether the two sides are neighbours as sets or dicts, too, if they are made into such.

    A set has each record once. In a dict a record has a key by its place, so the one that is added has to be the last.
    """
    if not (isinstance(d1, list) and isinstance(d2, list)):
        return True
    if _form_is_set(mechanism):
        return all(len({repr(record) for record in side}) == len(side) for side in (d1, d2))
    if data_form(mechanism) in ("dict", "numbered dict") and len(d1) != len(d2):
        shorter, longer = sorted((d1, d2), key=len)
        return longer[: len(shorter)] == shorter
    return True


def data_domain(mechanism: Mechanism) -> Domain | None:
    """What a value or a record may be, None if nothing says it."""
    if mechanism.claim.domain is None and data_annotation(mechanism) == "bool":
        return Categories((False, True))
    return mechanism.claim.domain


def has_whole_numbers(mechanism: Mechanism) -> bool:
    """Whether the data of a vector relation are Python ints: by the domain, or by the annotation."""
    domain, annotation = data_domain(mechanism), data_annotation(mechanism)
    if isinstance(domain, Interval) and domain.integer:
        return True
    return annotation == "int" if data_form(mechanism) == "scalar" else entries_are_integers(annotation)


def are_neighbours(mechanism: Mechanism, d1: Literal, d2: Literal) -> bool:
    """Whether two different values of the data are neighbours by the claim's relation, and both in its domain.

    Never for a custom relation, whose neighbours only its own function knows; nor for data of another size than the
    claim names, which is that of the smaller side.
    """
    relation = relation_of(mechanism.claim)
    if relation.are_neighbours is None or repr(d1) == repr(d2):
        return False
    if not (_is_data(mechanism, relation.data, d1) and _is_data(mechanism, relation.data, d2)):
        return False
    sizes = mechanism.claim.size
    if sizes is not None and isinstance(d1, list) and isinstance(d2, list) and min(len(d1), len(d2)) not in sizes:
        return False
    if d1 == d2 or not relation.are_neighbours(d1, d2, mechanism.claim.sensitivity):
        return False
    return stay_neighbours(mechanism, d1, d2)


def allows_argument(mechanism: Mechanism, name: str, value: Literal) -> bool:
    """Whether the claim speaks of this value of a parameter that is neither the data nor the generator.

    A parameter that the claim does not name may have any value if it has no default, and keeps its default otherwise.
    """
    spec = dict(mechanism.claim.args).get(name)
    if isinstance(spec, Fixed):
        return type(value) is type(spec.value) and value == spec.value
    if spec is not None:
        return _is_in(spec, value)
    parameter = mechanism.parameter(name)
    return parameter is not None and parameter.default is None and name not in mechanism.roles


def _is_data(mechanism: Mechanism, kind: DataKind, value: Literal) -> bool:
    """Whether the data may be this: numbers for answers, values or records of the domain for all else."""
    domain = data_domain(mechanism)
    if kind is DataKind.VECTOR:
        answers = [value] if data_form(mechanism) == "scalar" else value
        bounds = domain if isinstance(domain, Interval) else Interval(-math.inf, math.inf, False)
        whole = has_whole_numbers(mechanism)
        return isinstance(answers, list) and all(
            _is_number(one, whole) and bounds.low <= one <= bounds.high for one in answers
        )
    if domain is None:
        return False
    if kind is DataKind.VALUE:
        return _is_in(domain, value)
    return isinstance(value, list) and all(_is_in(domain, record) for record in value)


def _is_in(domain: Domain, value: Literal) -> bool:
    match domain:
        case Interval(low, high, integer):
            return _is_number(value, integer) and low <= value <= high
        case NumbersOrMissing(numbers=numbers, none=none, nan=nan):
            missing = (none and value is None) or (nan and isinstance(value, float) and math.isnan(value))
            return missing or _is_in(numbers, value)
        case Categories(values):
            return any(type(value) is type(one) and value == one for one in values)
        case Columns(columns):
            return (
                isinstance(value, dict)
                and list(value) == [name for name, _ in columns]
                and all(_is_in(column, value[name]) for name, column in columns)
            )


def _is_number(value: Literal, whole: bool) -> TypeGuard[int | float]:
    kinds = (int,) if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)
