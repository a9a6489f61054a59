"""The pairs to try for one mechanism, whatever its neighbour relation."""

from __future__ import annotations

from dplint.claims import Categories, Domain, Interval, Mechanism, Pair
from dplint.inputs.forms import data_annotation, data_form
from dplint.relations import DEFAULT_SIZES, DataKind, DataSpace, relation_of

_INTEGER_VECTORS = ("list[int]", "Sequence[int]", "List[int]", "tuple[int, ...]", "Iterable[int]")


class NoPairs(ValueError):
    """The relation makes no pairs for this claim, for the reason given."""


def choose_pairs(mechanism: Mechanism) -> list[Pair]:
    """All pairs of the claim's relation, both orders, for each size.

    Raises:
        NoPairs: the relation needs a domain and the claim has none, which `source` reports as a finding before; the
            pairs come from a function of the user's; or the relation has made a pair that is none.
    """
    claim = mechanism.claim
    relation = relation_of(claim)
    domain = data_domain(mechanism)
    if domain is None and relation.domain_example is not None:
        raise NoPairs(f'the relation "{relation.name}" needs a domain, e.g. {relation.domain_example}')
    if relation.pairs is None or relation.are_neighbours is None:
        raise NoPairs(f'the pairs of the relation "{relation.name}" come from the function that the claim names')
    space = DataSpace(
        sensitivity=claim.sensitivity,
        domain=domain,
        sizes=claim.size or DEFAULT_SIZES,
        scalar=relation.data is DataKind.VECTOR and data_form(mechanism) == "scalar",
        integers=has_whole_numbers(mechanism),
    )
    pairs = relation.pairs(space)
    for pair in pairs:
        if not relation.are_neighbours(pair.d1, pair.d2, claim.sensitivity):
            raise NoPairs(f'the relation "{relation.name}" has made a pair that is none: {pair.d1!r} and {pair.d2!r}')
    return pairs


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
    return annotation == "int" if data_form(mechanism) == "scalar" else annotation in _INTEGER_VECTORS
