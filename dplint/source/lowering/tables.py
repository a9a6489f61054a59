"""Elements of elements that are assigned: `table[i][j] += 1`, `table[i, j] = x`, `groups[key].append(x)`,
`groups.setdefault(key, []).append(x)`; of an array also rows and columns: `table[:, j] = x`.

Programs have values, not places, so the whole table is made anew, `table = with-item(table, x, i, j)`. That is the same
as long as nobody else holds a row: the table is made in one place, of rows that are new and hold numbers or texts, and
until the last such assignment nothing is done with it but to look at single elements, or at how long a row is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Binary,
    Call,
    Constant,
    Expression,
    ExpressionStatement,
    ListDisplay,
    Name,
    Slice,
    Statement,
    Subscript,
    TupleDisplay,
)
from dplint.source.bindings import SCOPES, binding_counts, statements
from dplint.source.lowering.containers import put_in
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.rewriting import Rewriting
from dplint.source.lowering.scope import Scope
from dplint.source.lowering.sets_in_dicts import SetsInDicts
from dplint.source.module_names import dotted_name
from dplint.source.operators import AUGMENTED
from dplint.source.walking import children, is_name, nodes_below

NESTED, ARRAY = "a list of lists", "an array of rows"
_ROW = "a row of either"
_MAKERS = frozenset({"numpy.zeros", "numpy.ones", "numpy.full"})
_NEW = frozenset(
    f"numpy.{name}" for name in ("corrcoef", "cov", "eye", "full_like", "ones_like", "outer", "zeros_like")
)
"""Functions that make an array which nobody else holds, of whatever shape."""
_LOOKING = frozenset({"len", "sum", "max", "min", "sorted", "list", "tuple"})
_NUMBERS = (cst.BaseNumber, cst.SimpleString)


class Tables:
    """Lowers such statements of a function whose body that is."""

    def __init__(self, reader: Reader, rewriting: Rewriting, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._rewriting = rewriting
        self._kinds: Mapping[str, str] = {} if body is None else dict(_tables(reader.scope, body))
        self._sets = SetsInDicts(reader, body)
        reader.scope.dicts = frozenset() if body is None else frozenset(_dicts(reader.scope, body))

    def assigned(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`table[i][j] = x`; None for everything else."""
        found = self._path(target)
        if found is None:
            return None
        name, path = found
        before, item = self._kept(self._reader.expression(value))
        more, places = self._places(name, path)
        return *before, *more, self._stored(name, item, places)

    def augmented(self, node: cst.AugAssign) -> tuple[Statement, ...] | None:
        """`table[i][j] += x`; None for everything else."""
        found = self._path(node.target)
        operator = AUGMENTED[type(node.operator)]
        if found is None or operator in ("@", "<<", ">>"):
            return None
        name, path = found
        if len(path) == 1 and _is_part(*path):
            return None  # it changes a view, whose numbers keep their type
        before, places = self._places(name, path)
        old = self._rewriting.fresh("old", name.span)
        looked_at = Assign((old,), _element(name, places), name.span)
        new = Binary(operator, old, self._reader.expression(node.value), self._span(node))
        return *before, looked_at, self._stored(name, new, places)

    def appended(self, node: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`groups[key].append(x)` and `groups.setdefault(key, []).append(x)`; None for everything else."""
        added = self._sets.added(node)
        if added is not None:
            return added
        match node:
            case cst.Call(func=cst.Attribute(value=row, attr=cst.Name(value="append")), args=[given]):
                made = _row_by_default(row)
            case _:
                return None
        whole = made[0] if made is not None else row.value if isinstance(row, cst.Subscript) else row
        name = self._table(whole, NESTED)
        if name is None or given.keyword is not None or given.star:
            return None
        if made is not None:
            more, place = self._kept(self._reader.expression(made[1]))
            before, places = [*more, put_in(name, place, ListDisplay((), name.span), name.span)], [place]
        elif isinstance(row, cst.Subscript) and _is_index(row):
            more, place = self._kept(self._reader.index(row.slice))
            before, places = [*more], [place]
        else:
            return None
        if name.id in self._scope.kinds:
            before.append(put_in(name, places[0], ListDisplay((), name.span), name.span))
        item = ListDisplay((self._reader.expression(given.value),), self._span(given))
        new = Binary("+", _element(name, places), item, self._span(node))
        return *before, self._stored(name, new, places)

    def _path(self, target: cst.BaseExpression) -> tuple[Name, list[cst.Subscript]] | None:
        """The table of which a target is an element, and the subscripts, the outer one first."""
        if not isinstance(target, cst.Subscript):
            return None
        if isinstance(target.value, cst.Subscript) and _is_index(target) and _is_index(target.value):
            name = self._table(target.value.value, NESTED)
            return None if name is None else (name, [target.value, target])
        name = self._table(target.value, ARRAY)
        return None if name is None else (name, [target])

    def _table(self, node: cst.BaseExpression, kind: str) -> Name | None:
        if not isinstance(node, cst.Name) or self._kinds.get(node.value) != kind:
            return None
        return Name(self._scope.local(node.value) or node.value, self._span(node))

    def _places(self, name: Name, path: Sequence[cst.Subscript]) -> tuple[list[Statement], list[Expression]]:
        """The indices, worked out and tried out one after the other as Python does it."""
        before: list[Statement] = []
        places: list[Expression] = []
        for number, one in enumerate(path):
            index = self._reader.index(one.slice)
            if number and not isinstance(index, Constant):
                before.append(ExpressionStatement(_element(name, places), name.span))
            if len(path) == 1 and _is_row(one):
                before, index = [], TupleDisplay((index,), index.span)
            elif isinstance(index, TupleDisplay):
                kept = [self._kept(part) for part in index.elements]
                index = TupleDisplay(tuple(part for _, part in kept), index.span)
                before += [statement for more, _ in kept for statement in more]
            else:
                more, index = self._kept(index)
                before += more
            places.append(index)
        return before, places

    def _kept(self, value: Expression) -> tuple[tuple[Statement, ...], Expression]:
        if isinstance(value, Constant | Slice):
            return (), value
        name = self._rewriting.fresh("value", value.span)
        return (Assign((name,), value, value.span),), name

    def _stored(self, name: Name, item: Expression, places: Sequence[Expression]) -> Statement:
        return Assign((name,), Call("with-item", (name, item, *places), (), name.span), name.span)


def _element(name: Name, places: Sequence[Expression]) -> Expression:
    found: Expression = name
    for place in places:
        found = Subscript(found, place, place.span)
    return found


def _is_index(node: cst.Subscript) -> bool:
    """`x[i]`."""
    return len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index) and not _is_pair(node)


def _is_pair(node: cst.Subscript) -> bool:
    """`x[i, j]`, with nothing that may stand for several elements."""
    parts = [one.slice.value for one in node.slice if isinstance(one.slice, cst.Index)]
    if len(node.slice) == 1 and parts and isinstance(parts[0], cst.Tuple):
        parts = [one.value for one in parts[0].elements if isinstance(one, cst.Element)]
    return len(parts) == 2 == max(len(node.slice), len(parts))


def _is_part(node: cst.Subscript) -> bool:
    """`x[:, j]`, `x[i, 1:]`, with bounds that are written there, or `x[0]`, a row."""
    if len(node.slice) == 1:
        return _is_row(node)
    slices = [one.slice for one in node.slice if isinstance(one.slice, cst.Slice)]
    bounds = [bound for one in slices for bound in (one.lower, one.upper, one.step) if bound is not None]
    starred = any(isinstance(one.slice, cst.Index) and one.slice.star for one in node.slice)
    return bool(slices) and len(node.slice) == 2 and not starred and all(isinstance(one, cst.Integer) for one in bounds)


def _is_row(node: cst.Subscript) -> bool:
    """`x[0]`. A name may stand for a tuple, which is one element, or for a table of bools."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Integer(), star=None))]:
            return True
    return False


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
        kinds.discard(_ROW)
        made = [n for n, one in enumerate(inside) if _kind_made(scope, one, name) in kinds]
        if len(kinds) != 1 or len(made) != 1 or counts[name] != 1 or name in scope.parameters | scope.given:
            continue
        (kind,) = kinds
        changes = [
            n
            for n, one in enumerate(inside)
            for part in nodes_below(one)
            for own, how in _stores(part)
            if own == name and kind in (how, ARRAY)
        ]
        last = max(changes)
        start = _given(inside[made[0]], name)
        grows, single = isinstance(start, cst.Call) and kind == NESTED, _single_keys(start)
        parts = [part for one in inside[made[0] + 1 : last + 1] for part in nodes_below(one)]
        if grows and sum(is_name(one, name) for one in parts) > sum(_appends(one, name) for one in parts):
            continue  # a look at a row may put it in
        looks = _Looks(name, kind, single)
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
            yield from ((name, NESTED) for name in [_name_of_row(row)] if name is not None)
    for target in targets:
        match target:
            case cst.Subscript(value=cst.Subscript(value=cst.Name(value=name))):
                yield name, NESTED
            case cst.Subscript(value=cst.Name(value=name)) if _is_row(target):
                yield name, _ROW
            case cst.Subscript(value=cst.Name(value=name)) if _is_pair(target) or _is_part(target):
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
            several = [one for one in rows if _key(one) not in _single_keys(value)]
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


def _row_by_default(node: cst.CSTNode) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The dict and the key of `groups.setdefault(key, [])`; None for everything else."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=cst.Name() as whole, attr=cst.Name(value="setdefault")),
            args=[
                cst.Arg(value=key, keyword=None, star=""),
                cst.Arg(value=cst.List(elements=[]), keyword=None, star=""),
            ],
        ):
            return whole, key
    return None


def _name_of_row(node: cst.CSTNode) -> str | None:
    """The table of which that is a row, `groups[key]` or `groups.setdefault(key, [])`."""
    made = _row_by_default(node)
    whole = made[0] if made is not None else node.value if isinstance(node, cst.Subscript) else None
    return whole.value if isinstance(whole, cst.Name) else None


def _place_of_row(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """What says which row it is."""
    made = _row_by_default(node)
    return [made[1]] if made is not None else node.slice if isinstance(node, cst.Subscript) else ()


def _is_new_row(node: cst.BaseExpression) -> bool:
    """Whether an expression makes a list or dict that nobody else has, of numbers and texts."""
    match node:
        case cst.List(elements=items):
            return all(isinstance(one, cst.Element) and _is_plain(one.value) for one in items)
        case cst.Dict(elements=items):
            return all(isinstance(one, cst.DictElement) and _is_plain(one.value) for one in items)
        case cst.ListComp(elt=item) | cst.DictComp(value=item):
            return _is_plain(item)
        case cst.BinaryOperation(left=cst.List(elements=items), operator=cst.Multiply()):
            return all(isinstance(one, cst.Element) and _is_plain(one.value) for one in items)
    return False


def _is_empty(node: cst.BaseExpression) -> bool:
    """`[]`."""
    return isinstance(node, cst.List) and not node.elements


def _is_plain(node: cst.BaseExpression) -> bool:
    inner = node.expression if isinstance(node, cst.UnaryOperation) else node
    return isinstance(inner, _NUMBERS) or dotted_name(inner) in ("None", "True", "False")


def _single_keys(made: cst.BaseExpression | None) -> frozenset[str]:
    """The texts under which a dict that is written out holds numbers or texts, and not rows: `{"n": 0, "rows": []}`."""
    elements = made.elements if isinstance(made, cst.Dict) else ()
    held = [(_key(one), one.value) for one in elements]
    known = None not in (key for key, _ in held)
    return frozenset(key for key, value in held if key is not None and _is_plain(value)) if known else frozenset()


def _key(node: cst.CSTNode) -> str | None:
    """The text that is the key of an entry, or in a subscript."""
    match node:
        case (
            cst.DictElement(key=cst.SimpleString() as text)
            | cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as text))])
        ):
            return text.raw_value
    return None


@dataclass(frozen=True, slots=True)
class _Looks:
    """What is done with a table until it is changed for the last time. single: keys under which there are no rows."""

    name: str
    kind: str
    single: frozenset[str]

    def only(self, node: cst.CSTNode) -> bool:
        """Whether a statement does nothing with it but look at single elements and change them."""
        name = self.name
        match node:
            case cst.Attribute(value=inner):
                return self.only(inner) if not is_name(inner, name) else node.attr.value == "shape"
            case cst.Arg(value=inner):
                return self.only(inner)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=inner) as part)], value=value) if (
                is_name(inner, name) and (_is_part(part) if self.kind == ARRAY else _is_empty(value))
            ):
                return self._is_row_or_array(part) and all(map(self.only, (value, *part.slice)))
            case cst.Subscript(value=cst.Subscript(value=inner) as row) if is_name(inner, name):
                return _is_index(node) and self._is_row_or_array(row) and all(map(self.only, (*node.slice, *row.slice)))
            case cst.Subscript(value=inner) if is_name(inner, name):
                return (_is_pair(node) or _key(node) in self.single) and all(map(self.only, node.slice))
            case cst.Call() if (found := self._called(node)) is not None:
                return found
            case cst.ComparisonTarget(operator=cst.In() | cst.NotIn(), comparator=inner) if is_name(inner, name):
                return self.kind == NESTED
            case cst.Name():
                return not is_name(node, name)
        return all(map(self.only, children(node)))

    def _called(self, node: cst.Call) -> bool | None:
        """Whether a call only looks at the table, or puts something in a row; None where that is not all it may do."""
        name = self.name
        match node:
            case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=inner)]) if is_name(inner, name):
                return True
            case cst.Call(func=cst.Name(value=called), args=[cst.Arg(value=cst.Subscript(value=inner) as row)]) if (
                called in _LOOKING and is_name(inner, name)
            ):
                return self._is_row_or_array(row) and all(map(self.only, row.slice))
            case cst.Call(func=cst.Attribute(value=row, attr=cst.Name(value="append"))) if _name_of_row(row) == name:
                return self._is_row_or_array(row) and all(map(self.only, (*_place_of_row(row), *node.args)))
        return None

    def _is_row_or_array(self, node: cst.BaseExpression) -> bool:
        """Whether there is a row of this table, and not perhaps something that was stored where none is."""
        if not isinstance(node, cst.Subscript):
            return not self.single
        return self.kind == ARRAY or (_is_index(node) and (not self.single or _key(node) not in {None, *self.single}))


def _appends(node: cst.CSTNode, name: str) -> bool:
    """`groups[key].append(x)`."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=cst.Subscript(value=cst.Name(value=own)), attr=cst.Name(value="append"))
        ):
            return own == name
    return False
