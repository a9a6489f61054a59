"""What is done with a table until it is changed for the last time, and which part of one an expression is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from dplint.source.bindings import dotted_name
from dplint.source.lowering.scope import Scope
from dplint.source.walking import children, is_name

_NUMBERS = (cst.BaseNumber, cst.SimpleString)
NESTED, ARRAY = "a list of lists", "an array of rows"
_REDUCING = frozenset({"all", "any", "argmax", "argmin", "max", "mean", "min", "prod", "std", "sum", "tolist", "var"})
"""Functions and methods that make numbers or lists of an array, and keep nothing of it."""
_LOOKING = frozenset({"len", "sum", "max", "min", "sorted", "list", "tuple"})


def is_index(node: cst.Subscript) -> bool:
    """`x[i]`."""
    return len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index) and not is_pair(node)


def is_pair(node: cst.Subscript) -> bool:
    """`x[i, j]`, with nothing that may stand for several elements."""
    parts = [one.slice.value for one in node.slice if isinstance(one.slice, cst.Index)]
    if len(node.slice) == 1 and parts and isinstance(parts[0], cst.Tuple):
        parts = [one.value for one in parts[0].elements if isinstance(one, cst.Element)]
    return len(parts) == 2 == max(len(node.slice), len(parts))


def row_by_default(node: cst.CSTNode) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
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


def name_of_row(node: cst.CSTNode) -> str | None:
    """The table of which that is a row, `groups[key]` or `groups.setdefault(key, [])`."""
    made = row_by_default(node)
    whole = made[0] if made is not None else node.value if isinstance(node, cst.Subscript) else None
    return whole.value if isinstance(whole, cst.Name) else None


def place_of_row(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """What says which row it is."""
    made = row_by_default(node)
    return [made[1]] if made is not None else node.slice if isinstance(node, cst.Subscript) else ()


def is_empty(node: cst.BaseExpression) -> bool:
    """`[]`."""
    return isinstance(node, cst.List) and not node.elements


def is_plain(node: cst.BaseExpression) -> bool:
    """Whether it is a number, a text, None or a bool that is written out."""
    inner = node.expression if isinstance(node, cst.UnaryOperation) else node
    return isinstance(inner, _NUMBERS) or dotted_name(inner) in ("None", "True", "False")


def single_keys(made: cst.BaseExpression | None) -> frozenset[str]:
    """The texts under which a dict that is written out holds numbers or texts, and not rows: `{"n": 0, "rows": []}`."""
    elements = made.elements if isinstance(made, cst.Dict) else ()
    held = [(key(one), one.value) for one in elements]
    known = None not in (key for key, _ in held)
    return frozenset(key for key, value in held if key is not None and is_plain(value)) if known else frozenset()


def key(node: cst.CSTNode) -> str | None:
    """The text that is the key of an entry, or in a subscript."""
    match node:
        case (
            cst.DictElement(key=cst.SimpleString() as text)
            | cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as text))])
        ):
            return text.raw_value
    return None


@dataclass(frozen=True, slots=True)
class Looks:
    """What is done with a table until it is changed for the last time. single: keys under which there are no rows."""

    scope: Scope
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
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=inner) as row)], value=value) if (
                is_name(inner, name) and self.kind == NESTED and is_empty(value)
            ):
                return self._is_row_or_array(row) and all(map(self.only, row.slice))
            case cst.BinaryOperation(left=left, right=right) if self.kind == ARRAY:
                return all(self._read(one) or self.only(one) for one in (left, right))
            case cst.Subscript(value=cst.Subscript(value=inner) as row) if is_name(inner, name):
                return is_index(node) and self._is_row_or_array(row) and all(map(self.only, (*node.slice, *row.slice)))
            case cst.Subscript(value=inner) if is_name(inner, name):
                return (is_pair(node) or key(node) in self.single) and all(map(self.only, node.slice))
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
            case cst.Call(func=cst.Attribute(value=whole, attr=cst.Name(value=word)), args=args) if word in _REDUCING:
                if self._read(whole):
                    return all(map(self.only, args))
                if args and self._read(args[0].value) and (self.scope.canonical(node.func) or "").startswith("numpy."):
                    return all(map(self.only, args[1:]))
            case cst.Call(func=cst.Name(value=called), args=[cst.Arg(value=cst.Subscript(value=inner) as row)]) if (
                called in _LOOKING and is_name(inner, name)
            ):
                return self._is_row_or_array(row) and all(map(self.only, row.slice))
            case cst.Call(func=cst.Attribute(value=row, attr=cst.Name(value="append"))) if name_of_row(row) == name:
                return self._is_row_or_array(row) and all(map(self.only, (*place_of_row(row), *node.args)))
        return None

    def _read(self, node: cst.CSTNode) -> bool:
        """Whether it is the array or a part of it, of which something new is made."""
        if isinstance(node, cst.Subscript):
            return self._read(node.value) and all(map(self.only, node.slice))
        return self.kind == ARRAY and is_name(node, self.name)

    def _is_row_or_array(self, node: cst.BaseExpression) -> bool:
        """Whether there is a row of this table, and not perhaps something that was stored where none is."""
        if not isinstance(node, cst.Subscript):
            return not self.single
        return self.kind == ARRAY or (is_index(node) and (not self.single or key(node) not in {None, *self.single}))
