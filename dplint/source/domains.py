"""Domains and argument specifications: from the plain values of a claim to `dplint.claims`."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

from dplint.claims import (
    ArgumentSpec,
    Categories,
    Column,
    Columns,
    Domain,
    Fixed,
    Interval,
    Literal,
    NumbersOrMissing,
    is_number,
)
from dplint.relations import DataKind, Relation
from dplint.syntax import parse_expression


def is_finite(value: float) -> bool:
    """Whether the number is finite and fits a float."""
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the floats
        return False


class DomainError(ValueError):
    """A value that is no domain or specification; says why, and what to write."""


def read_domain(value: Literal) -> Domain:
    """The domain that the value describes.

    Raises:
        DomainError: it describes none.
    """
    if isinstance(value, dict):
        if not value:
            raise DomainError("the dict of columns is empty")
        return Columns(tuple((name, _column(name, entry)) for name, entry in value.items()))
    return _simple(value)


def read_spec(value: Literal) -> ArgumentSpec:
    """What `args` says of one parameter: a list is candidates, a tuple an interval, all else is fixed.

    A list of one entry that is itself a list, tuple or dict fixes the parameter to that entry.

    Raises:
        DomainError: it is an empty list, a list of several such entries, or no interval.
    """
    match value:
        case tuple():
            return _interval(value, "for a fixed tuple write [(...)], for candidates write a list")
        case [list() | tuple() | dict() as only]:
            return Fixed(only)
        case list():
            return _categories(value)
        case _:
            return Fixed(value)


def check_pairs_exist(domain: Domain, relation: Relation) -> None:
    """Raise DomainError if the relation has no two different neighbours over this domain, or does not suit it."""
    if relation.data is DataKind.VECTOR:
        if isinstance(domain, Columns):
            raise DomainError(
                f"{relation.name!r} moves numbers, not records with columns: give an interval (low, high)"
            )
        if isinstance(domain, NumbersOrMissing):
            raise DomainError(f"{relation.name!r} moves numbers, and a missing one cannot be moved: give (low, high)")
        if isinstance(domain, Categories) and not all(is_number(value) for value in domain.values):
            raise DomainError(
                f"{relation.name!r} moves numbers: give an interval (low, high), or a relation that has categories, "
                'neighbors="any" for one value, "replace-one" or "add-remove" for records'
            )
    if relation.needs_two_values and _single(domain):
        raise DomainError("the domain has only one value, so that no two values differ")


def domain_from_annotation(annotation: str | None, relation: Relation) -> Domain | None:
    """The domain that a `bool` or `Literal[...]` annotation of the data says, of its elements for records."""
    node = _parse_annotation(annotation)
    if node is None or relation.data not in (DataKind.VALUE, DataKind.RECORDS):
        return None
    if relation.data is DataKind.RECORDS:
        if not isinstance(node, ast.Subscript):
            return None
        inner = node.slice
        node = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
    match node:
        case ast.Name(id="bool"):
            return Categories((False, True))
        case ast.Subscript(value=ast.Name(id="Literal") | ast.Attribute(attr="Literal"), slice=inner):
            elements = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            values = [element.value for element in elements if isinstance(element, ast.Constant)]
            scalars = tuple(value for value in values if isinstance(value, str | bool | int) or value is None)
            return Categories(scalars) if scalars and len(scalars) == len(elements) else None
        case _:
            return None


def _parse_annotation(annotation: str | None) -> ast.expr | None:
    try:
        node = parse_expression(annotation or "")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = parse_expression(node.value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return node


_OF_ROWS = (
    'records of several values have columns: write {"first": [0, 1], "second": (0, 9)}; a function whose data is '
    "annotated as list[tuple[...]] gets them as tuples"
)


def _column(name: str, value: Literal) -> Column:
    try:
        return _simple(value)
    except DomainError as error:
        raise DomainError(f"column {name!r}: {error}") from None


def _simple(value: Literal) -> Column:
    match value:
        case tuple():
            return _interval(value, "a list [...] holds categories")
        case [tuple() | dict() as numbers, *missing] | [*missing, tuple() | dict() as numbers] if missing:
            return _or_missing(numbers, missing)
        case list():
            return _categories(value)
        case _:
            raise DomainError(f"{value!r} is neither an interval (low, high) nor a list of categories")


def _or_missing(numbers: Literal, missing: Sequence[Literal]) -> NumbersOrMissing:
    """An interval in a list with None, NaN or both."""
    rows = f"; {_OF_ROWS}" if any(isinstance(value, list | tuple | dict) for value in missing) else ""
    if not isinstance(numbers, tuple):
        raise DomainError(f"{numbers!r} is no interval (low, high){rows}")
    nans = [isinstance(value, float) and math.isnan(value) for value in missing]
    nones = [value is None for value in missing]
    if sum(nans) + sum(nones) != len(missing) or max(sum(nans), sum(nones)) > 1:
        raise DomainError(f"beside an interval a list holds None, math.nan, or both, for values that are missing{rows}")
    return NumbersOrMissing(_interval(numbers, "a list [...] holds categories"), none=any(nones), nan=any(nans))


def _interval(value: Sequence[Literal], otherwise: str) -> Interval:
    match value:
        case (int() | float() as low, int() | float() as high) if is_number(low) and is_number(high):
            if not (is_finite(low) and is_finite(high)):
                raise DomainError(f"the bounds of ({low}, {high}) must be finite numbers")
            if low > high:
                raise DomainError(f"({low}, {high}) is reversed: write ({high}, {low})")
            integer = isinstance(low, int) and isinstance(high, int)
            return Interval(low, high, integer) if integer else Interval(float(low), float(high), integer)
        case _:
            raise DomainError(f"{value!r} is no interval (low, high) of two numbers; {otherwise}")


def _categories(values: Sequence[Literal]) -> Categories:
    if not values:
        raise DomainError("the list is empty")
    scalars: list[bool | int | float | str | None] = []
    for value in values:
        if isinstance(value, list | tuple | dict):
            raise DomainError(f"{value!r} in a list of candidates is not a plain value; {_OF_ROWS}")
        if isinstance(value, float) and not math.isfinite(value):
            hint = ", write [(low, high), math.nan] for numbers of which some are missing" if math.isnan(value) else ""
            raise DomainError(f"{value} in a list of candidates is not finite{hint}")
        scalars.append(value)
    if any(isinstance(value, str) for value in scalars) and any(is_number(value) for value in scalars):
        raise DomainError(f"{list(values)!r} mixes strings and numbers")
    return Categories(tuple(scalars))


def _single(domain: Domain) -> bool:
    match domain:
        case Interval(low=low, high=high):
            return low == high
        case NumbersOrMissing():
            return False
        case Categories(values=values):
            return len({(type(value), value) for value in values}) == 1
        case Columns(columns=columns):
            return all(_single(column) for _, column in columns)
