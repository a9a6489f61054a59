"""The pairs to try for one mechanism, whatever its neighbour relation."""

from __future__ import annotations

from dplint.claims import Categories, Interval, Mechanism, Pair, Relation
from dplint.inputs.forms import data_annotation, data_form
from dplint.inputs.records import local_pairs, record_pairs
from dplint.inputs.vectors import DEFAULT_SIZES, scalar_pairs, vector_pairs


def choose_pairs(mechanism: Mechanism) -> list[Pair]:
    """All pairs of the claim's relation, both orders, for each size; without those of a custom relation.

    Raises ValueError if the relation needs a domain and the claim has none; `source` reports that as a finding before.
    """
    claim = mechanism.claim
    annotation = data_annotation(mechanism)
    domain = claim.domain
    if domain is None and annotation == "bool":
        domain = Categories((False, True))
    sizes = claim.size or DEFAULT_SIZES
    if claim.relation.is_vector:
        bounds = domain if isinstance(domain, Interval) else None
        integers = (bounds is not None and bounds.integer) or annotation in _INTEGER_VECTORS
        if data_form(mechanism) == "scalar":
            return scalar_pairs(claim.sensitivity, bounds, integers=integers or annotation == "int")
        return vector_pairs(claim.relation, claim.sensitivity, bounds, sizes, integers=integers)
    if domain is None:
        raise ValueError(f'the relation "{claim.relation.value}" needs a domain, e.g. domain=(0, 1)')
    if claim.relation is Relation.ANY:
        return local_pairs(domain)
    return record_pairs(claim.relation, domain, sizes)


_INTEGER_VECTORS = ("list[int]", "Sequence[int]", "List[int]", "tuple[int, ...]", "Iterable[int]")
