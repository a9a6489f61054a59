"""Sets that a dict holds: `seen[key].add(x)` of a defaultdict, `seen.setdefault(key, set()).add(x)`.

As elsewhere a set is a dict that has its items for keys. Such a dict is made in one place, and its sets are only asked
how many items they have, which, and for these in order: nothing that hangs on the order in which a set gives them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from dplint.program.nodes import Assign, Call, Constant, DictDisplay, Expression, MethodCall, Name, Statement, Subscript
from dplint.source.bindings import SCOPES, all_parameters, binding_counts, clauses_of
from dplint.source.lowering.containers import kept_key, put_in
from dplint.source.lowering.reader import Reader
from dplint.source.walking import nodes_below

_ASKING = frozenset({"len", "sorted", "min", "max"})
_WHOLE = frozenset({"len", "sorted", "min", "max", "list", "tuple"})


class SetsInDicts:
    """Lowers them, of a function whose body that is."""

    def __init__(self, reader: Reader, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._defaults: dict[str, bool] = {}
        """The dicts, and whether they put in a set where there is none."""
        self._sets: set[int] = set()
        """What gives one of their sets, by its identity."""
        self._makers: set[int] = set()
        inside = [] if body is None else [*nodes_below(body)]
        added = {name for one in inside if (name := _adds_to(one)) is not None}
        found = {} if not added or body is None else dict(self._found(inside, added, binding_counts(body)))
        if not found:
            return
        self._defaults = {name: isinstance(value, cst.Call) and bool(value.args) for name, value in found.items()}
        self._elsewhere = frozenset(id(name) for one in inside for name in _own_names(one, self._defaults))
        if not self._are_only_asked([one for one in inside if id(one) not in self._elsewhere]):
            self._defaults.clear()
            return
        self._makers = {id(one) for one in found.values()}
        self._others, reader.whole = reader.whole, self._whole
        reader.register({cst.Call: self._made})

    def _found(
        self, inside: Sequence[cst.CSTNode], added: set[str], counts: Counter[str]
    ) -> Iterator[tuple[str, cst.BaseExpression]]:
        """Dicts that are made empty, in one place, and that a set is put into."""
        for one in inside:
            match one:
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value) if name in added:
                    taken = name in self._scope.parameters | self._scope.given
                    if counts[name] == 1 and not taken and self._is_empty(value):
                        yield name, value

    def _is_empty(self, node: cst.BaseExpression) -> bool:
        match node:
            case cst.Dict(elements=[]):
                return True
            case cst.Call(func=func, args=[]):
                return self._scope.canonical(func) == "dict"
            case cst.Call(func=func, args=[cst.Arg(value=made, keyword=None, star="")]):
                of_sets = self._scope.canonical(made) == "set"
                return of_sets and self._scope.canonical(func) == "collections.defaultdict"
        return False

    # what is done with them

    def _are_only_asked(self, inside: Sequence[cst.CSTNode]) -> bool:
        """Whether all is known that is done with the dicts and their sets."""
        loops = self._loops(inside)
        if loops is None or self._scope.canonical(cst.Name("set")) != "set":
            return False
        known = Counter([*self._defaults, *(name for one in inside for name in self._known_in(one, loops))])
        for one in inside:
            if isinstance(one, cst.For | cst.CompFor) and _looped(one)[0] in self._defaults:
                known.update(name for name in _looped(one) if name)
        names = {*self._defaults, *loops}
        stands = Counter(one.value for one in inside if isinstance(one, cst.Name) and one.value in names)
        stands.subtract(one.attr.value for one in inside if isinstance(one, cst.Attribute))
        stands.subtract(one.keyword.value for one in inside if isinstance(one, cst.Arg) and one.keyword is not None)
        hidden = (part for one in inside if isinstance(one, SCOPES) for part in nodes_below(one))
        if any(isinstance(one, cst.Name) and one.value in names and id(one) not in self._elsewhere for one in hidden):
            return False
        return all(stands[name] == known[name] for name in names)

    def _loops(self, inside: Sequence[cst.CSTNode]) -> dict[str, list[cst.CSTNode]] | None:
        """The loops that give names to sets, by these; None where one may see what is added to a dict or set later."""
        loops: dict[str, list[cst.CSTNode]] = {}
        for one in inside:
            name, variable = _looped(one) if isinstance(one, cst.For | cst.CompFor) else ("", "")
            if name not in self._defaults:
                continue
            if isinstance(one, cst.For) and any(_adds_to(part) == name for part in nodes_below(one.body)):
                return None
            if variable:
                loops.setdefault(variable, []).append(one)
        for variable, around in loops.items():
            near = {id(part) for loop in around for one in _reach(loop, inside) for part in nodes_below(one)}
            if any(isinstance(one, cst.Name) and one.value == variable and id(one) not in near for one in inside):
                return None
        taken = self._defaults.keys() | self._scope.parameters | self._scope.given
        return None if loops.keys() & taken else loops

    def _known_in(self, node: cst.CSTNode, loops: dict[str, list[cst.CSTNode]]) -> Iterator[str]:
        """The dicts and variables of loops that are asked for something known there."""
        match node:
            case cst.Expr() if (name := _adds_to(node)) is not None and name in self._defaults:
                if not self._defaults[name] and _is_item(node.value):
                    return
                yield name
            case cst.Call(func=cst.Name() as func, args=[cst.Arg(value=asked, keyword=None, star="")]):
                function = self._scope.canonical(func)
                if isinstance(asked, cst.Name) and asked.value in self._defaults and function in _WHOLE:
                    yield asked.value
                elif function in _ASKING:
                    yield from self._set(asked, loops)
            case cst.ComparisonTarget(operator=cst.In() | cst.NotIn(), comparator=asked):
                if isinstance(asked, cst.Name) and asked.value in self._defaults:
                    yield asked.value
                else:
                    yield from self._set(asked, loops)

    def _set(self, node: cst.BaseExpression, loops: dict[str, list[cst.CSTNode]]) -> Iterator[str]:
        """The name from which an expression has its set."""
        match node:
            case cst.Name(value=name) if name in loops:
                pass
            case cst.Subscript(value=cst.Name(value=name)) if name in self._defaults and _is_index(node):
                pass
            case cst.Call(
                func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="get")),
                args=[cst.Arg(keyword=None, star=""), cst.Arg(value=default, keyword=None, star="")],
            ) if name in self._defaults and self._is_none(default):
                pass
            case _:
                return
        self._sets.add(id(node))
        yield name

    def _is_none(self, node: cst.BaseExpression) -> bool:
        """Whether it is a list, tuple or set without items."""
        match node:
            case cst.Tuple(elements=[]) | cst.List(elements=[]):
                return True
            case cst.Call(func=func, args=[]):
                return self._scope.canonical(func) in ("set", "frozenset", "list", "tuple")
        return False

    # lowering

    def _name(self, name: str, node: cst.CSTNode) -> Name:
        return Name(self._scope.local(name) or name, self._span(node))

    def _made(self, node: cst.Call) -> Expression | None:
        """`defaultdict(set)`; None for everything else."""
        return DictDisplay((), (), self._span(node)) if id(node) in self._makers else None

    def added(self, node: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`seen[key].add(x)` and `seen.setdefault(key, set()).add(x)`; None for everything else."""
        match node:
            case cst.Call(func=cst.Attribute(value=row), args=[given]) if _adds(node) in self._defaults:
                pass
            case _:
                return None
        name, span = self._name(_adds(node) or "", node), self._span(node)
        asked = self._reader.index(row.slice) if isinstance(row, cst.Subscript) else self._reader.expression(_key(row))
        before, key = kept_key(self._scope, asked)
        missing = put_in(name, key, DictDisplay((), (), span), span)
        item, nothing = self._reader.expression(given.value), Constant(None, span)
        kept = Name(self._scope.rename({"item"})["item"], span)
        stored = Assign((name,), Call("with-item", (name, nothing, key, kept), (), span), span)
        return *before, missing, Assign((kept,), item, span), stored

    def _whole(self, function: str, node: cst.BaseExpression) -> Expression | None:
        """A set that is asked for something."""
        if id(node) not in self._sets:
            return self._others(function, node)
        span = self._span(node)
        match node:
            case cst.Subscript(value=cst.Name(value=name)):
                before, key = kept_key(self._scope, self._reader.index(node.slice))
                of = self._name(name, node)
                if self._defaults[name]:
                    before = (*before, put_in(of, key, DictDisplay((), (), span), span))
                return self._reader.staged(before, Subscript(of, key, span), span)
            case cst.Call(func=cst.Attribute(value=cst.Name(value=name)), args=[key_, _]):
                key = self._reader.expression(key_.value)
                return MethodCall(self._name(name, node), "get", (key, DictDisplay((), (), span)), (), span)
        return self._reader.expression(node)


def _own_names(node: cst.CSTNode, dicts: Collection[str]) -> Iterator[cst.Name]:
    """Where a name stands for a parameter of a lambda or for what a comprehension, which goes through no set, binds."""
    match node:
        case cst.Lambda():
            own = {one.name.value for one in all_parameters(node)}
            outside = [one.default for one in all_parameters(node) if one.default is not None]
        case cst.ListComp() | cst.SetComp() | cst.GeneratorExp() | cst.DictComp():
            inside = [*nodes_below(node)]
            if any(isinstance(one, cst.CompFor) and _looped(one)[0] in dicts for one in inside):
                return
            targets = (part for one in clauses_of(node) for part in nodes_below(one.target))
            own = {one.value for one in targets if isinstance(one, cst.Name)}
            outside = [node.for_in.iter]
        case _:
            return
    others = {id(part) for one in outside for part in nodes_below(one)}
    for part in nodes_below(node):
        if isinstance(part, cst.Name) and part.value in own and id(part) not in others:
            yield part


def _adds_to(node: cst.CSTNode) -> str | None:
    """The dict to whose set a statement adds something; None for all others."""
    return _adds(node.value) if isinstance(node, cst.Expr) else None


def _adds(node: cst.BaseExpression) -> str | None:
    match node:
        case cst.Call(func=cst.Attribute(value=row, attr=cst.Name(value="add")), args=[cst.Arg(keyword=None, star="")]):
            pass
        case _:
            return None
    match row:
        case cst.Subscript(value=cst.Name(value=name)) if _is_index(row):
            return name
        case cst.Call(
            func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="setdefault")),
            args=[
                cst.Arg(keyword=None, star=""),
                cst.Arg(value=cst.Call(func=cst.Name(value="set"), args=[]), keyword=None),
            ],
        ):
            return name
    return None


def _key(node: cst.BaseExpression) -> cst.BaseExpression:
    """`key` of `seen.setdefault(key, set())`."""
    return cst.ensure_type(node, cst.Call).args[0].value


def _is_item(node: cst.BaseExpression) -> bool:
    """Whether it adds to `seen[key]`."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and isinstance(node.func.value, cst.Subscript)
    )


def _is_index(node: cst.Subscript) -> bool:
    return all(isinstance(one.slice, cst.Index) and not one.slice.star for one in node.slice)


def _looped(node: cst.For | cst.CompFor) -> tuple[str, str]:
    """The dict that a loop goes through, and the name that it gives its sets; empty where there is none."""
    match node.iter, node.target:
        case cst.Name(value=name), _:
            return name, ""
        case (
            cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="items")), args=[]),
            cst.Tuple(elements=[_, cst.Element(value=cst.Name(value=variable))]),
        ):
            return name, variable
        case (
            cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="values")), args=[]),
            cst.Name(value=variable),
        ):
            return name, variable
    return "", ""


def _reach(loop: cst.CSTNode, inside: Sequence[cst.CSTNode]) -> Sequence[cst.CSTNode]:
    """Where the variable of a loop stands for what it is at: of a comprehension, all that it holds."""
    if isinstance(loop, cst.For):
        return [loop.target, loop.body]
    around = [one for one in inside if isinstance(one, cst.BaseComp) and any(part is loop for part in nodes_below(one))]
    return around[-1:]
