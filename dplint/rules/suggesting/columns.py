"""What each column of a table holds, as far as the source tells: what it is compared with, clipped to, listed for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dplint.claims import Literal
from dplint.rules.flow.terms import Term, TermKind
from dplint.rules.suggesting.budget import Surroundings
from dplint.rules.suggesting.domains import GUESSED_HIGH, around_numbers, clip_bounds, number_of
from dplint.rules.suggesting.noise_uses import ancestors
from dplint.rules.suggesting.seen import Seen

_KEPT = frozenset(
    {"str", "int", "float", "strip", "lower", "astype", "fillna", "to_numpy", "tolist", "array", "asarray"}
)
_LISTED = frozenset({"isin", "is_in", "reindex"})
_GROUPED = frozenset({"groupby", "group_by"})
_MAKING = frozenset({"agg", "describe", "join", "merge", "pivot_table"})


def columns_domain(seen: Seen, around: Surroundings) -> tuple[dict[str, Literal], tuple[str, ...]] | None:
    """The columns that are asked for by name, and those of which nothing tells what they hold; None if there are none.

    A text that is compared with listed ones may be another one as well.
    """
    stored = [one.args[1].value for one in seen.graph.terms if one.name == "store" and len(one.args) == 3]
    asked = [key for one in seen.way for key in _asked(one, seen)]
    found: dict[str, Literal] = {}
    guessed: list[str] = []
    for key in dict.fromkeys(key for key in asked if key not in stored):
        domain = _clipped(seen, key) or _listed(seen, around, key)
        if domain is None:
            guessed.append(key)
        found[key] = domain or (0, GUESSED_HIGH)
    return (found, tuple(guessed)) if found else None


def _key(term: Term) -> str | None:
    """The name of the column that a term is: `row["age"]`, `table["age"]`."""
    if term.kind is not TermKind.OPERATION or term.name != "[]" or len(term.args) != 2:
        return None
    key = term.args[1].value if term.args[1].kind is TermKind.CONSTANT else None
    return key if isinstance(key, str) else None


def _asked(term: Term, seen: Seen) -> Iterator[str]:
    """The columns of the data that a term asks for by name."""
    key = _key(term)
    if key is not None and term.args[0] in seen.way and not _is_made(term):
        yield key
    elif term.kind is TermKind.CALL and term.name in _GROUPED:
        given = [one for by in term.args[1:2] for one in (by.args if by.kind is TermKind.CONTAINER else [by])]
        yield from (one.value for one in given if one.kind is TermKind.CONSTANT and isinstance(one.value, str))


def _column(term: Term) -> str | None:
    """The name of the column whose values a term has, an element of it among them."""
    for _ in range(20):
        key = _key(term)
        kept = term.kind in (TermKind.ELEMENT, TermKind.EXIT) or term.name == "comp"
        kept = kept or (term.kind is TermKind.CALL and term.name in _KEPT)
        if key is not None or not kept or not term.args:
            return key
        term = term.args[0]
    return None


def _clipped(seen: Seen, key: str) -> Literal:
    """The numbers that a column is clipped to."""
    for one in seen.way:
        inner = [two for other in one.args if other.name in ("min", "max", "minimum", "maximum") for two in other.args]
        if one.kind is TermKind.CALL and any(_column(two) == key for two in (*one.args, *inner)):
            known = [bound for bound in map(number_of, clip_bounds(one, seen)) if bound is not None]
            if len(known) == 2 and known[0] != known[1]:
                return (min(known), max(known))
    return None


def _listed(seen: Seen, around: Surroundings, key: str) -> Literal:
    """The texts or numbers that a column is compared with, or looked up among."""
    met = [(one, other) for one in ancestors(seen.way) for other in _met(one, key)]
    known = list(dict.fromkeys(value for _, other in met for value in _values(other, around)))
    if not known:
        return None
    if all(isinstance(one, str) for one in known):
        return [*known, "other" if "other" not in known else "another"]
    numbers = [one for one in known if isinstance(one, int | float)]
    if len(numbers) < len(known):
        return None
    equal = all(one.name in ("==", "!=") for one, _ in met)
    return list(numbers) if equal and len(numbers) > 1 else around_numbers(numbers)


def _met(term: Term, key: str) -> Iterator[Term]:
    """What a column is compared with in this term, or looked up among."""
    if term.kind is TermKind.COMPARISON:
        if any(_column(one) == key for one in term.args):
            yield from (one for one in term.args if _column(one) != key)
    elif term.kind is TermKind.CALL and term.name in _LISTED and len(term.args) >= 2:
        grouped = [one for one in ancestors(term.args[:1]) if one.kind is TermKind.CALL and one.name in _GROUPED]
        by = [two for one in grouped for two in one.args[1:2]]
        if any(_column(one) == key or one.value == key for one in by or _ways_down(term.args[0])):
            yield term.args[1]


def _is_made(column: Term) -> bool:
    """Whether a column is one that the table did not have: of a joined table, of a summary, or a new one."""
    return any(
        one.kind is TermKind.CALL and (one.name in _MAKING or (one.name == "assign" and _key(column) in one.keys))
        for one in _ways_down(column.args[0])
    )


def _ways_down(term: Term) -> Sequence[Term]:
    """A term, and what it was made of by calls of methods, and by choosing rows."""
    found = [term]
    while found[-1].args and (found[-1].kind is TermKind.CALL or found[-1].name == "[]"):
        found.append(found[-1].args[0])
    return found


def _values(term: Term, around: Surroundings) -> Iterator[str | int | float]:
    """The texts and numbers that a term may be, or that it lists."""
    if term.kind is TermKind.ELEMENT or (term.kind is TermKind.CONTAINER and term.name in ("list", "tuple", "set")):
        for one in term.args:
            yield from _values(one, around)
        return
    value: object = around.value(term.name) if term.kind is TermKind.SYMBOL else None
    value = term.value if term.kind is TermKind.CONSTANT else value
    for item in value if isinstance(value, list | tuple) else [value]:
        if isinstance(item, str | int | float) and not isinstance(item, bool):
            yield item
