"""What a record may be, as far as the source tells: clips, bounds, comparisons, columns, asserts, docstrings.

What each column of a table holds, as far as the source tells: what it is compared with, clipped to, listed for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dplint.claims import Literal, is_number
from dplint.rules.flow.terms import Term, TermKind
from dplint.rules.flow.vocabulary import CLIPS
from dplint.rules.suggesting.budget import Surroundings
from dplint.rules.suggesting.data_choice import Seen, holds_values, is_value
from dplint.rules.suggesting.noise_uses import ancestors

BOUNDS_NAME = re.compile(r"^(?:(?:data|value|input|clip(?:ping)?|[xX])_)?(?:bounds|range)(?:_[xX])?$")
"""Who says how large a record may be has records, however they are used."""
_SIZE = re.compile(r"\.(?:shape|ndim|size)$|^(?:shape|ndim|size)$")
GUESSED_HIGH = 100
_LEAST_WIDTH = 0.1
"""What is narrower is a tolerance, and no range of values."""


def clipped_domain(seen: Seen, around: Surroundings, args: list[tuple[str, Literal]]) -> Literal:
    """The bounds that values are clipped to; parameters among them get values."""
    for one in seen.way:
        bounds = clip_bounds(one, seen) if holds_values(one, seen) else []
        values = [_bound(two, around, args, index) for index, two in enumerate(bounds)]
        known = [value for value in values if value is not None]
        if len(known) == 2 and abs(known[0] - known[1]) >= _LEAST_WIDTH:
            return (min(known), max(known))
    return None


def clip_bounds(term: Term, seen: Seen) -> Sequence[Term]:
    """The two bounds of `clip(value, low, high)` or `max(low, min(high, value))`; none for everything else."""
    if term.kind is not TermKind.CALL:
        return []
    if CLIPS.search(term.name.rpartition(".")[2]) and len(term.args) >= 3:
        return term.args[1:3]
    if term.name not in ("min", "max", "minimum", "maximum") or len(term.args) != 2:
        return []
    inner = next((one for one in term.args if one.kind is TermKind.CALL and one.name[:3] in ("max", "min")), None)
    outer = next((one for one in term.args if one is not inner and one not in seen.way), None)
    other = next((one for one in inner.args if one not in seen.way), None) if inner is not None else None
    return [] if outer is None or other is None else [outer, other]


def given_domain(around: Surroundings, args: list[tuple[str, Literal]]) -> Literal:
    """Bounds that a caller hands over as one argument: those of calls, else 0 and 1; None without such a parameter."""
    for one in around.parameters:
        if BOUNDS_NAME.match(one.name):
            given = around.value(one.name)
            if isinstance(given, tuple):
                return given if len(given) == 2 and all(isinstance(bound, int | float) for bound in given) else None
            passed = around.passed.get(one.name)
            if isinstance(passed, tuple | list) and len(passed) == 2 and _number(passed[0]) is not None:
                bounds: tuple[Literal, Literal] = (passed[0], passed[1])
            else:
                bounds = (0.0, 1.0)
            args.append((one.name, [bounds]))
            return bounds
    return None


def _number(value: object) -> float | None:
    return value if is_number(value) else None


def number_of(term: Term) -> float | None:
    """The number that a term is, if it is one in the source."""
    if term.is_operation("neg"):
        value = number_of(term.args[0])
        return None if value is None else -value
    return term.number_written


def _bound(term: Term, around: Surroundings, args: list[tuple[str, Literal]], index: int) -> float | None:
    """The value of a bound; of a parameter without one that of calls, else 0 as the lower and 1 as the upper one."""
    if term.is_operation("neg"):
        value = _bound(term.args[0], around, args, 1)
        return None if value is None else -value
    if term.kind is TermKind.CONSTANT:
        return term.number_written
    if term.name == "[]" and len(term.args) == 2 and term.args[0].kind is TermKind.SYMBOL:
        pair, place = around.value(term.args[0].name), term.args[1].value
        if isinstance(pair, tuple) and isinstance(place, int) and 0 <= place < len(pair):
            return _number(pair[place])
        return None
    if term.kind is TermKind.SYMBOL:
        known = around.value(term.name)
        if is_number(known):
            return known
        if around.is_parameter(term.name):
            passed = _number(around.passed.get(term.name))
            given = float(index) if passed is None else passed
            if (term.name, given) not in args:
                args.append((term.name, given))
            return given
    return None


def compared_domain(seen: Seen) -> list[Literal] | None:
    """The values that an element is compared with, and one more."""
    texts: dict[str, None] = {}
    for one in ancestors(seen.way):
        if (
            one.kind is TermKind.COMPARISON
            and one.name in ("==", "!=", "in")
            and any(two in seen.way for two in one.args)
            and not any(_is_of_columns(two) or (seen.is_table and _is_name(two)) for two in one.args)
        ):
            for two in one.args:
                if two.kind is TermKind.CONSTANT and isinstance(two.value, str):
                    texts[two.value] = None
    if not texts:
        return None
    return [*texts, "other" if "other" not in texts else "another"]


def _is_of_columns(term: Term) -> bool:
    """Whether a value is what stands at a fixed place of a record, or the name of such a place."""
    if term.is_operation("[]") and len(term.args) == 2:
        return term.args[1].kind is TermKind.CONSTANT and isinstance(term.args[1].value, int)
    return any(one.is_call("keys") for one in ancestors([term]))


def _is_name(term: Term) -> bool:
    """Whether a value is the name of a column, or lists them: what a table is gone through for."""
    named = term.kind is TermKind.ELEMENT
    while term.args and (term.kind is TermKind.ELEMENT or term.is_call("list")):
        named, term = True, term.args[0]
    return named and term.kind in (TermKind.SYMBOL, TermKind.CONTAINER, TermKind.LOOP, TermKind.EXIT)


def asserted_domain(seen: Seen) -> Literal:
    """The bounds that an `assert`, or an `if` with a `raise`, keeps values to."""
    numbers: list[float] = []
    for sink in seen.graph.sinks:
        if sink.kind != "raise":
            continue
        for one in ancestors(sink.guards):
            orders = one.kind is TermKind.COMPARISON and any(set(name) & set("<>") for name in one.name.split())
            if orders and any(is_value(two, seen) and not _SIZE.search(two.name) for two in one.args):
                numbers += [number for two in one.args if (number := two.number_written) is not None]
    if not numbers or max(numbers) - min(numbers) < _LEAST_WIDTH:
        return None
    return (min(numbers), max(numbers))


def threshold_domain(seen: Seen) -> tuple[int, int] | None:
    """Whole numbers around those that elements are compared with."""
    tests = (one for one in ancestors(seen.way) if one.kind is TermKind.COMPARISON)
    compared = (two for one in tests if any(is_value(three, seen) for three in one.args) for two in one.args)
    return around_numbers([number for two in compared if (number := two.number_written) is not None])


def around_numbers(numbers: Sequence[float]) -> tuple[int, int] | None:
    """Whole numbers around these; None if there are none, or one of them is huge."""
    if not numbers or max(map(abs, numbers)) > 10**9:
        return None
    low, high = min(0, *map(int, numbers)), max(1, *map(int, numbers))
    return (2 * low, 2 * high)


def told_domain(data: str, docstring: str) -> Literal:
    """A range that the docstring gives: "ages: between 0 and 120", "values in [0, 1]"."""
    number = r"(-?\d+(?:\.\d+)?)"
    for line in docstring.splitlines():
        if re.search(rf"\b{re.escape(data)}\b", line):
            found = re.search(rf"(?:between|in|within|from)\s*[\[(]?\s*{number}\s*(?:,|and|to)\s*{number}", line)
            if found is not None:
                low, high = ((float(one) if "." in one else int(one)) for one in found.groups())
                return (low, high) if low < high else None
    return None


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
    if not term.is_operation("[]") or len(term.args) != 2:
        return None
    key = term.args[1].value if term.args[1].kind is TermKind.CONSTANT else None
    return key if isinstance(key, str) else None


def _asked(term: Term, seen: Seen) -> Iterator[str]:
    """The columns of the data that a term asks for by name."""
    key = _key(term)
    if key is not None and term.args[0] in seen.way and not _is_made(term):
        yield key
    elif term.is_call(_GROUPED):
        given = [one for by in term.args[1:2] for one in (by.args if by.kind is TermKind.CONTAINER else [by])]
        yield from (one.value for one in given if one.kind is TermKind.CONSTANT and isinstance(one.value, str))


def _column(term: Term) -> str | None:
    """The name of the column whose values a term has, an element of it among them."""
    for _ in range(20):
        key = _key(term)
        kept = term.kind in (TermKind.ELEMENT, TermKind.EXIT) or term.name == "comp"
        kept = kept or term.is_call(_KEPT)
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
    elif term.is_call(_LISTED) and len(term.args) >= 2:
        grouped = [one for one in ancestors(term.args[:1]) if one.is_call(_GROUPED)]
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
    if term.kind is TermKind.ELEMENT or term.is_container(("list", "tuple", "set")):
        for one in term.args:
            yield from _values(one, around)
        return
    value: object = around.value(term.name) if term.kind is TermKind.SYMBOL else None
    value = term.value if term.kind is TermKind.CONSTANT else value
    for item in value if isinstance(value, list | tuple) else [value]:
        if isinstance(item, str | int | float) and not isinstance(item, bool):
            yield item
