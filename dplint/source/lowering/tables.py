"""Elements of elements that are assigned: `table[i][j] += 1`, `table[i, j] = x`, `groups[key].append(x)`,
`groups.setdefault(key, []).append(x)`.

Programs have values, not places, so the whole table is made anew, `table = with-item(table, x, i, j)`. That is the same
as long as nobody else holds a row: the table is made in one place, of rows that are new and hold numbers or texts, and
until the last such assignment nothing is done with it but to look at single elements, or at how long a row is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from dplint.program import nodes as ir
from dplint.source.bindings import SCOPES, binding_counts, statements
from dplint.source.lowering.containers import put_in
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.rewriting import Rewriting
from dplint.source.lowering.scope import Scope
from dplint.source.lowering.table_looks import (
    ARRAY,
    NESTED,
    Looks,
    is_index,
    is_pair,
    is_plain,
    key,
    name_of_row,
    row_by_default,
    single_keys,
)
from dplint.source.operators import AUGMENTED
from dplint.source.walking import is_name, nodes_below

_MAKERS = frozenset({"numpy.zeros", "numpy.ones", "numpy.full"})
_NEW = frozenset(
    f"numpy.{name}" for name in ("corrcoef", "cov", "eye", "full_like", "ones_like", "outer", "zeros_like")
)
"""Functions that make an array which nobody else holds, of whatever shape."""


class Tables:
    """Lowers such statements of a function whose body that is."""

    def __init__(self, reader: Reader, rewriting: Rewriting, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._rewriting = rewriting
        self._kinds: Mapping[str, str] = {} if body is None else dict(_tables(reader.scope, body))
        reader.scope.dicts = frozenset() if body is None else frozenset(_dicts(reader.scope, body))

    def assigned(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[ir.Statement, ...] | None:
        """`table[i][j] = x`; None for everything else."""
        found = self._path(target)
        if found is None:
            return None
        name, path = found
        before, item = self._kept(self._reader.expression(value))
        more, places = self._places(name, path)
        return *before, *more, self._stored(name, item, places)

    def augmented(self, node: cst.AugAssign) -> tuple[ir.Statement, ...] | None:
        """`table[i][j] += x`; None for everything else."""
        found, operator = self._path(node.target), AUGMENTED[type(node.operator)]
        if found is None or operator in ("@", "<<", ">>"):
            return None
        name, path = found
        before, places = self._places(name, path)
        old = self._rewriting.fresh("old", name.span)
        looked_at = ir.Assign((old,), _element(name, places), name.span)
        new = ir.Binary(operator, old, self._reader.expression(node.value), self._span(node))
        return *before, looked_at, self._stored(name, new, places)

    def appended(self, node: cst.BaseExpression) -> tuple[ir.Statement, ...] | None:
        """`groups[key].append(x)` and `groups.setdefault(key, []).append(x)`; None for everything else."""
        match node:
            case cst.Call(func=cst.Attribute(value=row, attr=cst.Name(value="append")), args=[given]):
                made = row_by_default(row)
            case _:
                return None
        whole = made[0] if made is not None else row.value if isinstance(row, cst.Subscript) else row
        name = self._table(whole, NESTED)
        if name is None or given.keyword is not None or given.star:
            return None
        if made is not None:
            more, place = self._kept(self._reader.expression(made[1]))
            before, places = [*more, put_in(name, place, ir.ListDisplay((), name.span), name.span)], [place]
        elif isinstance(row, cst.Subscript) and is_index(row):
            more, place = self._kept(self._reader.index(row.slice))
            before, places = [*more], [place]
        else:
            return None
        if name.id in self._scope.kinds:
            before.append(put_in(name, places[0], ir.ListDisplay((), name.span), name.span))
        item = ir.ListDisplay((self._reader.expression(given.value),), self._span(given))
        new = ir.Binary("+", _element(name, places), item, self._span(node))
        return *before, self._stored(name, new, places)

    def _path(self, target: cst.BaseExpression) -> tuple[ir.Name, list[cst.Subscript]] | None:
        """The table of which a target is an element, and the subscripts, the outer one first."""
        if not isinstance(target, cst.Subscript):
            return None
        if isinstance(target.value, cst.Subscript) and is_index(target) and is_index(target.value):
            name = self._table(target.value.value, NESTED)
            return None if name is None else (name, [target.value, target])
        name = self._table(target.value, ARRAY) if is_pair(target) else None
        return None if name is None else (name, [target])

    def _table(self, node: cst.BaseExpression, kind: str) -> ir.Name | None:
        if not isinstance(node, cst.Name) or self._kinds.get(node.value) != kind:
            return None
        return ir.Name(self._scope.local(node.value) or node.value, self._span(node))

    def _places(self, name: ir.Name, path: Sequence[cst.Subscript]) -> tuple[list[ir.Statement], list[ir.Expression]]:
        """The indices, worked out and tried out one after the other as Python does it."""
        before: list[ir.Statement] = []
        places: list[ir.Expression] = []
        for number, one in enumerate(path):
            index = self._reader.index(one.slice)
            if number and not isinstance(index, ir.Constant):
                before.append(ir.ExpressionStatement(_element(name, places), name.span))
            if isinstance(index, ir.TupleDisplay):
                kept = [self._kept(part) for part in index.elements]
                index = ir.TupleDisplay(tuple(part for _, part in kept), index.span)
                before += [statement for more, _ in kept for statement in more]
            else:
                more, index = self._kept(index)
                before += more
            places.append(index)
        return before, places

    def _kept(self, value: ir.Expression) -> tuple[tuple[ir.Statement, ...], ir.Expression]:
        if isinstance(value, ir.Constant | ir.Slice):
            return (), value
        name = self._rewriting.fresh("value", value.span)
        return (ir.Assign((name,), value, value.span),), name

    def _stored(self, name: ir.Name, item: ir.Expression, places: Sequence[ir.Expression]) -> ir.Statement:
        return ir.Assign((name,), ir.Call("with-item", (name, item, *places), (), name.span), name.span)


def _element(name: ir.Name, places: Sequence[ir.Expression]) -> ir.Expression:
    found: ir.Expression = name
    for place in places:
        found = ir.Subscript(found, place, place.span)
    return found


def _tables(scope: Scope, body: cst.CSTNode) -> Iterator[tuple[str, str]]:
    """The names of a function that are such tables, with their kinds."""
    stored: dict[str, set[str]] = {}
    for one in nodes_below(body, SCOPES):
        for name, kind in _stores(one):
            stored.setdefault(name, set()).add(kind)
    if not stored or not isinstance(body, cst.BaseSuite):
        return
    counts, inside = binding_counts(body), [*statements(body)]
    for name, kinds in stored.items():
        made = [n for n, one in enumerate(inside) if _kind_made(scope, one, name) in kinds]
        if len(kinds) != 1 or len(made) != 1 or name in scope.parameters | scope.given:
            continue
        (kind,) = kinds
        if counts[name] != 1:
            continue
        changes = [
            n
            for n, one in enumerate(inside)
            for part in nodes_below(one)
            for own, how in _stores(part)
            if own == name and kind == how
        ]
        last = max(changes)
        start = _given(inside[made[0]], name)
        grows, single = isinstance(start, cst.Call) and kind == NESTED, single_keys(start)
        parts = [part for one in inside[made[0] + 1 : last + 1] for part in nodes_below(one)]
        if grows and sum(is_name(one, name) for one in parts) > sum(_appends(one, name) for one in parts):
            continue  # a look at a row may put it in
        looks = Looks(scope, name, kind, single)
        if all(map(looks.only, inside[made[0] + 1 : last + 1])):
            yield name, kind


def _dicts(scope: Scope, body: cst.CSTNode) -> Iterator[str]:
    """The names of a function to which it assigns a dict that it makes."""
    for one in nodes_below(body, SCOPES):
        match one:
            case (
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value)
                | cst.AnnAssign(target=cst.Name(value=name), value=value)
            ):
                made = isinstance(value, cst.Call) and scope.canonical(value.func) == "dict"
                if made or isinstance(value, cst.Dict | cst.DictComp):
                    yield name


def _stores(node: cst.CSTNode) -> Iterator[tuple[str, str]]:
    """The tables of which a statement changes an element."""
    targets: list[cst.BaseExpression] = []
    match node:
        case cst.Assign(targets=[only]):
            targets = [only.target]
        case cst.AugAssign(target=changed):
            targets = [changed]
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=row, attr=cst.Name(value="append")))):
            yield from ((name, NESTED) for name in [name_of_row(row)] if name is not None)
    for target in targets:
        match target:
            case cst.Subscript(value=cst.Subscript(value=cst.Name(value=name))):
                yield name, NESTED
            case cst.Subscript(value=cst.Name(value=name)) if is_pair(target):
                yield name, ARRAY


def _given(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What a statement gives the name."""
    match node:
        case (
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))], value=value)
            | cst.AnnAssign(target=cst.Name(value=own), value=value)
        ) if own == name:
            return value
    return None


def _kind_made(scope: Scope, node: cst.CSTNode, name: str) -> str | None:
    """What a statement gives the name, where that is a new table."""
    value = _given(node, name)
    match value:
        case cst.Call(func=func, args=[cst.Arg(value=made)]) if scope.canonical(func) == "collections.defaultdict":
            return NESTED if scope.canonical(made) == "list" else None
        case cst.ListComp(elt=row) | cst.DictComp(value=row) if _is_new_row(row):
            return NESTED
        case cst.Dict(elements=[]):
            return NESTED
        case cst.List(elements=[_, *_] as rows) | cst.Dict(elements=[_, *_] as rows):
            plain = all(isinstance(one, cst.Element | cst.DictElement) for one in rows)
            several = [one for one in rows if key(one) not in single_keys(value)]
            return NESTED if plain and several and all(_is_new_row(one.value) for one in several) else None
        case cst.Call(func=func, args=[cst.Arg(value=cst.Tuple() | cst.List() as shape, keyword=None), *_]):
            if scope.canonical(func) in _MAKERS:
                two = len(shape.elements) == 2 and all(isinstance(one, cst.Element) for one in shape.elements)
                return ARRAY if two else None
    return ARRAY if value is not None and _is_new_array(scope, value) else None


def _is_new_array(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an expression makes an array that nobody else holds: `a @ b`, `np.array(rows)`, a draw of some size."""
    match node:
        case cst.BinaryOperation(operator=cst.MatrixMultiply()):
            return True
        case cst.Call(func=func, args=args):
            words = {one.keyword.value: one.value for one in args if one.keyword is not None}
            draws = (
                isinstance(func, cst.Attribute) and isinstance(func.value, cst.Name) and scope.stream(func.value.value)
            )
            drawn = bool(draws) and isinstance(words.get("size"), cst.Tuple)
            copied = scope.canonical(func) == "numpy.array" and "copy" not in words
            return drawn or copied or scope.canonical(func) in _NEW
    return False


def _is_new_row(node: cst.BaseExpression) -> bool:
    """Whether an expression makes a list or dict that nobody else has, of numbers and texts."""
    match node:
        case cst.List(elements=items):
            return all(isinstance(one, cst.Element) and is_plain(one.value) for one in items)
        case cst.Dict(elements=items):
            return all(isinstance(one, cst.DictElement) and is_plain(one.value) for one in items)
        case cst.ListComp(elt=item) | cst.DictComp(value=item):
            return is_plain(item)
        case cst.BinaryOperation(left=cst.List(elements=items), operator=cst.Multiply()):
            return all(isinstance(one, cst.Element) and is_plain(one.value) for one in items)
    return False


def _appends(node: cst.CSTNode, name: str) -> bool:
    """`groups[key].append(x)`."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=cst.Subscript(value=cst.Name(value=own)), attr=cst.Name(value="append"))
        ):
            return own == name
    return False
