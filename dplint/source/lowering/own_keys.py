"""Dicts that are asked for nothing but keys which they have: `for key in counts: counts[key]`.

Such a defaultdict puts nothing in where it is asked.
"""

from __future__ import annotations

import libcst as cst

from dplint.source.bindings import binding_counts, bound_names, clauses_of
from dplint.source.walking import children, is_name, nodes_below

_LISTING = frozenset({"list", "max", "min", "reversed", "set", "sorted", "tuple"})
_LOSING = frozenset({"clear", "pop", "popitem"})


def asked_for_own_keys(body: cst.BaseSuite, name: str) -> bool:
    """Whether wherever a function asks the dict of that name for an entry, that is there; it never loses one."""
    for one in nodes_below(body):
        match one:
            case cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=method)):
                if own == name and method in _LOSING:
                    return False
            case cst.Del() if any(is_name(part, name) for part in nodes_below(one)):
                return False
    return binding_counts(body)[name] == 1 and _Keys(name).all_in(body)


class _Keys:
    """name: of the dict."""

    def __init__(self, name: str) -> None:
        self._name = name

    def all_in(self, node: cst.CSTNode, keys: frozenset[str] = frozenset()) -> bool:
        """Whether what is asked for there is a key. keys: the names of some."""
        match node:
            case cst.For(target=target, iter=iterable, body=body, orelse=orelse):
                own = self._of(target, iterable)
                inner = ((keys - _names(target)) | own) - bound_names(body)
                others = [iterable] if orelse is None else [iterable, orelse]
                return self.all_in(body, inner) and all(self.all_in(one, keys) for one in others)
            case cst.BaseComp():
                return self._in_comprehension(node, keys)
            case cst.Call(func=cst.Name(value="max" | "min" | "sorted"), args=[cst.Arg(value=given), *others]) if (
                self._goes_through(given)
            ):
                return all(self._keyed(one, keys) for one in others)
            case cst.Lambda() | cst.FunctionDef():
                return not any(is_name(one, self._name) for one in nodes_below(node))
            case cst.AugAssign(target=cst.Subscript() as target) if is_name(target.value, self._name):
                return all(self.all_in(one, keys) for one in (*target.slice, node.value))
            case cst.AssignTarget(target=cst.Subscript() as target) if is_name(target.value, self._name):
                return all(self.all_in(one, keys) for one in target.slice)
            case cst.Subscript(value=own) if is_name(own, self._name):
                return _key(node) in keys
        return all(self.all_in(one, keys) for one in children(node))

    def _in_comprehension(self, node: cst.BaseComp, keys: frozenset[str]) -> bool:
        for clause in clauses_of(node):
            own = self._of(clause.target, clause.iter)
            if not self.all_in(clause.iter, keys):
                return False
            keys = (keys - _names(clause.target)) | own
            if not all(self.all_in(one, keys) for one in clause.ifs):
                return False
        return all(self.all_in(one, keys) for one in children(node) if not isinstance(one, cst.CompFor))

    def _keyed(self, argument: cst.Arg, keys: frozenset[str]) -> bool:
        """An argument beside the dict: `key=lambda k: counts[k]`."""
        match argument:
            case cst.Arg(
                keyword=cst.Name(value="key"),
                value=cst.Lambda(
                    params=cst.Parameters(params=[cst.Param(name=cst.Name(value=key), default=None)]), body=body
                ),
            ):
                return self.all_in(body, keys | {key})
        return self.all_in(argument, keys)

    def _goes_through(self, node: cst.BaseExpression) -> bool:
        """Whether what goes through an expression has keys of the dict."""
        match node:
            case cst.Name():
                return is_name(node, self._name)
            case cst.Call(func=cst.Attribute(value=own, attr=cst.Name(value="keys")), args=[]):
                return is_name(own, self._name)
            case cst.Call(func=cst.Name(value=called), args=[cst.Arg(value=given, keyword=None, star=""), *_]):
                return called in _LISTING and self._goes_through(given)
        return False

    def _of(self, target: cst.BaseExpression, iterable: cst.BaseExpression) -> frozenset[str]:
        """The names of a target that stand for keys."""
        match target, iterable:
            case cst.Name(value=key), _ if self._goes_through(iterable):
                return frozenset({key})
            case (
                cst.Tuple(elements=[cst.Element(value=cst.Name(value=key)), _]),
                cst.Call(func=cst.Attribute(value=own, attr=cst.Name(value="items")), args=[]),
            ) if is_name(own, self._name):
                return frozenset({key})
        return frozenset()


def _names(target: cst.BaseExpression) -> frozenset[str]:
    return frozenset(one.value for one in nodes_below(target) if isinstance(one, cst.Name))


def _key(node: cst.Subscript) -> str:
    """The name of the key, "" for everything else."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Name(value=key)))]:
            return key
    return ""
