"""`for key, group in itertools.groupby(xs, key=f)`, as a loop over pairs of a key and the list of its items.

Python finds the groups as the loop asks for them, and a group can be gone through once. So each is used up by one
place of the loop, once in a turn, and nothing changes the items meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Binary,
    BoolOp,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    Expression,
    ListDisplay,
    Name,
    Slice,
    Statement,
    Subscript,
    TupleDisplay,
    TupleTarget,
)
from dplint.source.bindings import all_parameters, clauses_of, statements
from dplint.source.lowering.comprehensions import Comprehensions
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.snapshots import does_more, is_left_alone, snapshot
from dplint.source.module_names import bound_names
from dplint.source.walking import children, is_name, nodes_below

_GROUPBY = "itertools.groupby"
_USING_UP = frozenset({"all", "any", "enumerate", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"})
_HINT = "loop over it, give each group to list(...) once, and let the key be a lambda that does not draw"
_LISTING = frozenset({"list", "sorted", "tuple"})


class Grouping:
    """Lowers these in a function whose body that is."""

    def __init__(self, reader: Reader, comprehensions: Comprehensions, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._comprehensions = comprehensions
        self._body = body
        if any(one == _GROUPBY or _GROUPBY.startswith(f"{one}.") for one in reader.scope.facts.aliases.values()):
            reader.register_iterable(cst.Call, self._groups)

    def _groups(self, node: cst.Call) -> Expression | None:
        """The pairs; None for every other call."""
        if self._scope.canonical(node.func) != _GROUPBY or not node.args:
            return None
        refused = self._reader.refuse("this use of groupby", node, _HINT)
        loops = [] if self._body is None else [*_loops(self._body)]
        inside = next((one.inside for one in loops if one.iterable is node and self._is_fit(one)), None)
        given, *keyed = node.args
        words = [one.keyword.value if one.keyword is not None else "" for one in node.args]
        if words not in ([""], ["", ""], ["", "key"]) or any(one.star for one in node.args):
            raise refused
        listed = None if inside is None or self._scope.tries else snapshot(self._reader, given.value, inside)
        if listed is None:
            raise refused
        span = listed.span
        names = self._scope.rename({"items", "keys", "starts"})
        items, keys, starts = (Name(names[word], span) for word in ("items", "keys", "starts"))
        before: list[Statement] = [Assign((items,), listed, span)]
        if not keyed or is_name(keyed[0].value, "None"):
            keys = items
        else:
            assert inside is not None
            if not self._is_same_later(keyed[0].value, inside):
                raise refused
            made = self._comprehensions.keys_of(keyed[0].value, items)
            if does_more(made):
                raise refused
            before.append(Assign((keys,), made, span))
        before.append(Assign((starts,), self._starts(keys), span))
        return self._reader.staged((*before,), self._pairs(items, keys, starts), span)

    def _is_same_later(self, key: cst.BaseExpression, inside: Sequence[cst.CSTNode]) -> bool:
        """Whether a key gives the same for an item whenever it is asked: Python asks it as the loop goes on."""
        own = [one.name.value for one in all_parameters(key)] if isinstance(key, cst.Lambda) else []
        local = (one for one in nodes_below(key) if isinstance(one, cst.Name) and one.value not in own)
        held = [one for one in local if self._scope.local(one.value) or self._scope.instance(one)]
        free = [one for one in held if self._scope.instance(one) is None]
        if any(
            is_name(part, one.value) for one in held if one not in free for each in inside for part in nodes_below(each)
        ):
            return False
        bound = {one.value for part in inside for target in _targets(part) for one in _names(target)}
        return all(one.value not in bound and is_left_alone(self._scope, one, inside) for one in free)

    def _starts(self, keys: Name) -> Expression:
        """The places where another key begins; `in` asks as groupby does, for which a NaN is itself."""
        span = keys.span
        place = Name(self._scope.rename({"place"})["place"], span)
        first = Compare(place, ("==",), (Constant(0, span),), span)
        last = TupleDisplay((Subscript(keys, Binary("-", place, Constant(1, span), span), span),), span)
        other = Compare(Subscript(keys, place, span), ("not in",), (last,), span)
        places = Call("range", (Call("len", (keys,), (), span),), (), span)
        return Comprehension("list", place, (Clause(place, places, (BoolOp("or", (first, other), span),)),), span)

    def _pairs(self, items: Name, keys: Name, starts: Name) -> Expression:
        span = items.span
        words = self._scope.rename({"first", "end"})
        first, end = Name(words["first"], span), Name(words["end"], span)
        others = Subscript(starts, Slice(Constant(1, span), None, None, span), span)
        ends = Binary("+", others, ListDisplay((Call("len", (keys,), (), span),), span), span)
        group = Subscript(items, Slice(first, end, None, span), span)
        clause = Clause(TupleTarget((first, end), span), Call("zip", (starts, ends), (), span), ())
        return Comprehension("list", TupleDisplay((Subscript(keys, first, span), group), span), (clause,), span)

    def _is_fit(self, loop: _Loop) -> bool:
        """Whether wherever the name of a group stands it is used up, once in a turn."""
        name = _name_of_group(loop.target)
        if name is None or self._body is None:
            return False
        if loop.block is None:
            return self._once(name, [*loop.inside])
        first = next(statements(loop.block), None)
        match first:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))], value=cst.Call() as made):
                if own == name and self._once(name, [made]) and self._scope.canonical(made.func) in _LISTING:
                    return True
        loops = [one for one in _loops(self._body) if one.block is not None and _name_of_group(one.target) == name]
        inside = [part for one in loops for part in one.inside]
        return len(_loads(name, inside)) == len(_loads(name, [self._body])) and self._once(name, loop.inside)

    def _once(self, name: str, inside: Sequence[cst.CSTNode]) -> bool:
        used = _loads(name, inside)
        return not used or (len(used) == 1 and any(self._uses_up(part, used[0]) for part in inside))

    def _uses_up(self, node: cst.CSTNode, name: cst.CSTNode) -> bool:
        """Whether what stands there goes through the group, and a turn comes to that once at most."""
        match node:
            case cst.Call(args=[cst.Arg(value=given, keyword=None, star=""), *_]) if given is name:
                return self._scope.canonical(node.func) in _USING_UP
            case cst.For(iter=iterable):
                return iterable is name or self._uses_up(iterable, name)
            case cst.GeneratorExp() | cst.ListComp() | cst.SetComp() | cst.DictComp():
                return node.for_in.iter is name or self._uses_up(node.for_in.iter, name)
            case cst.While() | cst.Lambda() | cst.FunctionDef() | cst.ClassDef():
                return False
        return any(self._uses_up(one, name) for one in children(node))


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop or a clause: the target, what it goes through, and what is done in a turn; block: of a loop."""

    target: cst.BaseExpression
    iterable: cst.BaseExpression
    inside: Sequence[cst.CSTNode]
    block: cst.BaseSuite | None


def _loops(body: cst.CSTNode) -> Iterator[_Loop]:
    """The loops and clauses of a function."""
    for one in nodes_below(body):
        if isinstance(one, cst.For):
            yield _Loop(one.target, one.iter, [one.body], one.body)
        elif isinstance(one, cst.BaseComp):
            clauses = [*clauses_of(one)]
            element = [part for part in children(one) if part is not one.for_in]
            for number, part in enumerate(clauses):
                later = [inner for other in clauses[number + 1 :] for inner in (other.iter, *other.ifs)]
                yield _Loop(part.target, part.iter, [*part.ifs, *later, *element], None)


def _targets(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What statements below a node give values to."""
    for one in nodes_below(node):
        if isinstance(one, cst.AssignTarget | cst.AnnAssign | cst.AugAssign | cst.For | cst.NamedExpr | cst.CompFor):
            yield one.target
        elif isinstance(one, cst.AsName):
            yield one.name


def _names(target: cst.BaseExpression) -> Iterator[cst.Name]:
    return (one for one in nodes_below(target) if isinstance(one, cst.Name))


def _loads(name: str, nodes: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    """Where a name is looked at, without comprehensions that have a variable of that name."""
    found: list[cst.CSTNode] = []
    for node in nodes:
        match node:
            case cst.Name(value=own) if own == name:
                found.append(node)
            case cst.For(target=target) | cst.CompFor(target=target):
                found += _loads(name, [one for one in children(node) if one is not target])
            case cst.AssignTarget(target=cst.Name()):
                pass
            case cst.BaseComp() if any(name in bound_names(one.target) for one in clauses_of(node)):
                found += _loads(name, [node.for_in.iter])
            case _:
                found += _loads(name, children(node))
    return found


def _name_of_group(target: cst.BaseExpression) -> str | None:
    """The second name of `key, group`."""
    match target:
        case cst.Tuple(elements=[cst.Element(), cst.Element(value=cst.Name(value=name))]):
            return name
    return None
