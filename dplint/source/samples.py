"""Domains of records from a sample: a CSV file of the project, or a table that a module writes out.

Numbers lie between the least and the largest of the sample, texts are those of the sample, and what is missing there
may be missing. Only the standard library is used, and no code of the project is run.

Domains of records by the class that annotates them: a pandera schema, a pydantic model, a dataclass with literals.

The class is read from the source of the same module, and neither library need be installed. A column is understood if
its type and its `Field` say all that it may hold; where one is not, or something else constrains the rows, there is no
domain, and the claim has to write one.
"""

from __future__ import annotations

import ast
import csv
import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import libcst as cst

from dplint.claims import Categories, Column, Columns, Domain, Interval, Literal, NumbersOrMissing
from dplint.source.bindings import dotted_name, static_value
from dplint.source.domains import DomainError, read_domain
from dplint.source.module import ParsedModule
from dplint.source.own_classes import class_of
from dplint.source.static_values import NotStaticError
from dplint.syntax import parse_expression

_MOST_TEXTS = 60
_MOST_BYTES = 20_000_000
_MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "null", "None"})
_TRUTH = {"True": True, "False": False, "true": True, "false": False}


def sample_domain(name: str, content: bytes | None) -> Domain:
    """The domain of the rows of a CSV file with a head. content: None where there is no such file.

    Raises:
        DomainError: there is no file, or no row, or a column does not say what it may hold.
    """
    if not name.endswith(".csv"):
        raise DomainError(
            f"a text is the name of a CSV file with a sample, which {name!r} is not (other tables have to be saved as "
            'one); bounds are written (0, 10), categories ["red", "green"], columns {"age": (0, 120)}'
        )
    if content is None:
        raise DomainError(f"the project has no file {name!r}; its path begins at the folder of pyproject.toml")
    if len(content) > _MOST_BYTES:
        raise DomainError(f"{name!r} is longer than {_MOST_BYTES // 1_000_000} MB: take some of its rows")
    try:
        head, *rows = csv.reader(content.decode("utf-8-sig").splitlines(keepends=True), strict=True)
    except (UnicodeDecodeError, csv.Error, ValueError) as error:
        raise DomainError(f"{name!r} cannot be read: {error}") from None
    rows = [row for row in rows if row]
    if not rows or len(set(head)) != len(head) or any(len(row) != len(head) for row in rows):
        raise DomainError(f"{name!r} must have a head of different names, and rows with as many entries, at least one")
    return read_domain({column: _column(column, cells) for column, *cells in zip(head, *rows, strict=True)})


def frame_domain(name: str, table: Literal) -> Domain:
    """The domain of the rows of a table. table: its columns by name, or its records.

    Raises:
        DomainError: it is neither, has no row, or a column does not say what it may hold.
    """
    columns = _columns(table)
    if not columns:
        raise DomainError(
            f"{name} must be a table whose columns or records are written out, or a CSV file that is read"
        )
    if len({len(cells) for cells in columns.values()}) > 1:
        raise DomainError(f"the columns of {name} must have as many entries each")
    return read_domain({column: _of_values(column, cells) for column, cells in columns.items()})


def _columns(table: Literal) -> Mapping[str, Sequence[Literal]]:
    """The columns of a table, which may be written as records; none if it is neither."""
    if isinstance(table, dict):
        found = {name: cells for name, cells in table.items() if isinstance(cells, list)}
        return found if len(found) == len(table) else {}
    records = [row for row in table if isinstance(row, dict)] if isinstance(table, list) else []
    if not isinstance(table, list) or len(records) < len(table) or len({tuple(row) for row in records}) != 1:
        return {}
    return {name: [row[name] for row in records] for name in records[0]}


def _of_values(name: str, cells: Sequence[Literal]) -> Literal:
    """What a column may hold, as a claim would write it."""
    there = [cell for cell in cells if cell is not None and not (isinstance(cell, float) and math.isnan(cell))]
    missing = len(there) < len(cells)
    truths = [cell for cell in there if isinstance(cell, bool)]
    numbers = [cell for cell in there if isinstance(cell, int | float) and not isinstance(cell, bool)]
    texts = [cell for cell in there if isinstance(cell, str)]
    if not there:
        raise DomainError(f"column {name!r}: the sample has no value")
    if len(truths) == len(there):
        return [*sorted(set(truths)), *([None] if missing else [])]
    if len(texts) == len(there):
        return _texts(name, texts, missing=missing)
    if len(numbers) < len(there) or not all(map(math.isfinite, numbers)):
        raise DomainError(f"column {name!r}: a sample has numbers, texts or bools in a column")
    whole = all(isinstance(number, int) for number in numbers) and not missing
    bounds = (min(numbers), max(numbers)) if whole else (float(min(numbers)), float(max(numbers)))
    return [bounds, math.nan] if missing else bounds


def _texts(name: str, there: Sequence[str], *, missing: bool) -> Literal:
    texts = sorted(set(there))
    if len(texts) > _MOST_TEXTS:
        raise DomainError(
            f"column {name!r}: {len(texts)} different texts are too many for categories; write the domain out"
        )
    return [*texts, *([None] if missing else [])]


def _column(name: str, cells: Sequence[str]) -> Literal:
    """What a column may hold, as a claim would write it."""
    there = [cell for cell in cells if cell not in _MISSING]
    if not there:
        raise DomainError(f"column {name!r}: the sample has no value")
    missing = len(there) < len(cells)
    if all(cell in _TRUTH for cell in there):
        return [*sorted({_TRUTH[cell] for cell in there}), *([None] if missing else [])]
    for kind in (int, float):
        numbers = _all(kind, there)
        if numbers is not None:
            # A whole column with gaps is one of floats in a frame.
            bounds = (min(numbers), max(numbers)) if not missing else (float(min(numbers)), float(max(numbers)))
            return [bounds, math.nan] if missing else bounds
    return _texts(name, there, missing=missing)


def _all(kind: Callable[[str], float], cells: Sequence[str]) -> list[float] | None:
    """All cells as numbers, None if one is no finite number."""
    try:
        numbers = [kind(cell) for cell in cells]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


_PLAIN_BASES = frozenset({"DataFrameModel", "SchemaModel", "BaseModel", "NamedTuple", "TypedDict", "object"})
_BOUNDS = frozenset({"ge", "le", "gt", "lt", "in_range", "isin"})
_REMARKS = frozenset({"alias", "coerce", "description", "title", "nullable", "examples"})
"""What a field may say beside what it holds."""
_SETTINGS = frozenset({"strict", "coerce", "name", "ordered", "title", "description"})
_MOST_DEPTH = 8


class _NotUnderstood(Exception):
    """A class or a column of it that does not say all that a row may be."""


def schema_domain(annotation: str | None, module: ParsedModule) -> Domain | None:
    """The columns that a class of this module gives to the records of the data, which is annotated so."""
    try:
        node = parse_expression((annotation or "").strip("\"'"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(node, ast.Subscript):
        node = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.Name(node.value)
    if not isinstance(node, ast.Name):
        return None
    found = class_of(node.id, module)
    if found is None:
        return None
    try:
        columns = dict(_schema_columns(found, module, 0))
    except (_NotUnderstood, NotStaticError):
        return None
    return Columns(tuple(columns.items())) if columns else None


def _schema_columns(node: cst.ClassDef, module: ParsedModule, depth: int) -> Iterator[tuple[str, Column]]:
    """Those of the classes above, then its own."""
    for base in node.bases:
        name = dotted_name(base.value) or ""
        if name.rpartition(".")[2] in _PLAIN_BASES:
            continue
        above = class_of(name, module)
        if above is None or depth > _MOST_DEPTH:
            raise _NotUnderstood
        yield from _schema_columns(above, module, depth + 1)
    for line in node.body.body:
        checks = isinstance(line, cst.FunctionDef) and line.decorators
        if checks or (isinstance(line, cst.ClassDef) and not _says_little(line)):
            raise _NotUnderstood  # of a column or of whole rows
        for one in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(one, cst.AnnAssign) and isinstance(one.target, cst.Name):
                yield _schema_column(one.target.value, one, module)


def _says_little(config: cst.ClassDef) -> bool:
    """Whether a `Config` says nothing of what the rows hold, such as that they all differ."""
    lines = [line for line in config.body.body if isinstance(line, cst.SimpleStatementLine)]
    targets = [
        item.target for line in lines for one in line.body if isinstance(one, cst.Assign) for item in one.targets
    ]
    return len(lines) == len(targets) == len(config.body.body) and all(dotted_name(t) in _SETTINGS for t in targets)


def _schema_column(name: str, node: cst.AnnAssign, module: ParsedModule) -> tuple[str, Column]:
    given = _field(node.value, module)
    kind = parse_expression(module.tree.code_for_node(node.annotation.annotation).strip("\"'"))
    if isinstance(kind, ast.Subscript) and _last(kind.value) == "Series":
        kind = kind.slice
    column = _values(kind, given)
    alias = given.get("alias")
    return (alias if isinstance(alias, str) else name), _with_missing(column, given.get("nullable") is True)


def _field(node: cst.BaseExpression | None, module: ParsedModule) -> Mapping[str, Literal]:
    """What `Field(...)` says. Raises _NotUnderstood for other values, and for a limit that is not known here."""
    if node is None:
        return {}
    if not isinstance(node, cst.Call) or (dotted_name(node.func) or "").rpartition(".")[2] not in ("Field", "field"):
        raise _NotUnderstood
    given: dict[str, Literal] = {}
    for argument in node.args:
        name = argument.keyword.value if argument.keyword is not None else ""
        if name in _BOUNDS or name in _REMARKS:
            given[name] = static_value(module.tree, argument.value, module.names)
        elif name or not isinstance(argument.value, cst.Ellipsis):
            raise _NotUnderstood
    return given


def _values(kind: ast.expr, given: Mapping[str, Literal]) -> Column:
    """What the values of a column may be, without missing ones."""
    chosen = given.get("isin")
    if isinstance(chosen, list | tuple) and chosen:
        return _categories(list(chosen))
    match kind:
        case ast.Name(id="bool"):
            return Categories((False, True))
        case ast.Subscript(value=value, slice=inside) if _last(value) == "Literal":
            elements = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            return _categories([one.value if isinstance(one, ast.Constant) else ... for one in elements])
        case ast.Name(id="int" | "float" as name):
            return _interval(given, whole=name == "int")
        case _:
            raise _NotUnderstood


def _categories(values: list[object]) -> Categories:
    plain = tuple(one for one in values if one is None or isinstance(one, str | bool | int | float))
    if len(plain) != len(values):
        raise _NotUnderstood
    return Categories(plain)


def _interval(given: Mapping[str, Literal], *, whole: bool) -> Interval:
    """Both ends, included. An end of real numbers that is left out has no number next to it."""
    within = given.get("in_range")
    limits = dict(given) | (
        {"ge": within.get("min_value"), "le": within.get("max_value")} if isinstance(within, dict) else {}
    )
    ends: list[float] = []
    for closed, opened, step in (("ge", "gt", 1), ("le", "lt", -1)):
        value = limits.get(closed)
        if value is None and whole and isinstance(limits.get(opened), int):
            value = limits[opened] + step  # type: ignore[operator]
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            raise _NotUnderstood
        ends.append(value)
    if ends[0] > ends[1] or (isinstance(within, dict) and not set(within) <= {"min_value", "max_value"}):
        raise _NotUnderstood
    return (
        Interval(ends[0], ends[1], integer=True) if whole else Interval(float(ends[0]), float(ends[1]), integer=False)
    )


def _with_missing(column: Column, nullable: bool) -> Column:
    if not nullable:
        return column
    if isinstance(column, Categories):
        return Categories((*column.values, None))
    assert isinstance(column, Interval)
    return NumbersOrMissing(column, none=False, nan=True)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
