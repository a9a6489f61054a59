"""Iterators under a name that the next statement uses up: `noisy = map(f, values)`, and then `return sorted(noisy)`.

Nothing is done where such an iterator is made but that its first iterable is looked up, so that it is read as if it
stood where it is used. For that to be the same, each time that the name is bound it is used once, by the next statement
of the block, in what that evaluates itself and not in turns; and what it goes through is a variable, whose object is
the same there, or a list that is made beforehand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from dplint.program.nodes import Assign, Call, Expression, ExpressionStatement, Name, Pass, Statement
from dplint.source.bindings import binding_counts, statements
from dplint.source.lowering.reader import Reader
from dplint.source.walking import children, nodes_below

_USING = (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Return, cst.Expr, cst.For)
_PLAIN = (cst.BaseNumber, cst.SimpleString, cst.Tuple, cst.List, cst.Element)
_APPLYING = frozenset({"map", "filter"})
_VIEWS = frozenset({"zip", "enumerate"})
_NEW = frozenset({"range", "sorted", "list"})


class LazyNames:
    """Lowers what gives names such iterators, and what uses them. body: of the function."""

    def __init__(self, reader: Reader, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._body = body
        reader.register({cst.Call: lambda node: self._called(node, looped=False)})
        reader.register_iterable(cst.Call, lambda node: self._called(node, looped=True))
        reader.register_iterable(cst.Name, self._looped)

    def kept(
        self, target: cst.BaseExpression, value: cst.BaseExpression, suite: cst.CSTNode | None
    ) -> tuple[Statement, ...] | None:
        """`noisy = (x + rng.laplace() for x in values)`; None for everything else."""
        if isinstance(target, cst.Name):
            self._scope.lazy.pop(target.value, None)
        iterables = self._iterables(value)
        if not iterables or not isinstance(target, cst.Name) or not self._is_used_next(target, value, suite):
            return None
        before: list[Statement] = []
        changed: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
        for one in iterables:
            if self._is_new(one):
                span = self._reader.span(one)
                items = Name(self._scope.rename({"items"})["items"], span)
                before.append(Assign((items,), Call("list", (self._reader.iterable(one),), (), span), span))
                stands = cst.Name("_items_of_an_iterator")
                self._scope.placed(stands, one, items)
                changed.append((one, stands))
            elif not self._is_same_later(one):
                return None
            elif self._scope.tries:
                before += self._looked_up(one)
        self._scope.lazy[target.value] = self._with(value, changed)
        return tuple(before) or (Pass(self._reader.span(target)),)

    def _looked_up(self, node: cst.BaseExpression) -> Iterator[Statement]:
        """Raises where Python does for what is no iterable, before anything else that somebody may catch."""
        if isinstance(node, cst.Call):
            for one in node.args:
                yield from self._looked_up(one.value)
        else:
            span = self._reader.span(node)
            yield ExpressionStatement(Call("len", (self._reader.expression(node),), (), span), span)

    def _iterables(self, value: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
        """What an iterator goes through, evaluated where it is made; nothing for what is none."""
        if isinstance(value, cst.GeneratorExp):
            return [value.for_in.iter]
        if not isinstance(value, cst.Call) or self._scope.canonical(value.func) not in _APPLYING:
            return ()
        plain = len(value.args) == 2 and not any(one.keyword or one.star for one in value.args)
        is_named = plain and isinstance(value.args[0].value, cst.Lambda | cst.Name)
        return [value.args[1].value] if is_named else ()

    def _with(
        self, value: cst.BaseExpression, changed: Sequence[tuple[cst.BaseExpression, cst.BaseExpression]]
    ) -> cst.BaseExpression:
        """The iterator, which goes through these instead."""
        if not changed:
            return value
        [(_, stands)] = changed
        if isinstance(value, cst.GeneratorExp):
            clause = value.for_in.with_changes(iter=stands)
            self._scope.placed(clause, value.for_in)
            whole: cst.BaseExpression = value.with_changes(for_in=clause)
        else:
            call = cst.ensure_type(value, cst.Call)
            whole = call.with_changes(args=(call.args[0], self._argument(call.args[1], stands)))
        self._scope.placed(whole, value)
        return whole

    def _argument(self, argument: cst.Arg, value: cst.BaseExpression) -> cst.Arg:
        changed = argument.with_changes(value=value)
        self._scope.placed(changed, argument)
        return changed

    def _is_used_next(self, target: cst.Name, value: cst.BaseExpression, suite: cst.CSTNode | None) -> bool:
        name = target.value
        if self._body is None or not isinstance(suite, cst.BaseSuite):
            return False
        bound = binding_counts(self._body)[name]
        if name in self._scope.parameters | self._scope.given or bound != self._times_kept(name):
            return False
        inside = [*statements(suite)]
        place = next((n for n, one in enumerate(inside) if any(part is target for part in nodes_below(one))), None)
        if place is None or place + 1 == len(inside) or not isinstance(inside[place], cst.Assign):
            return False
        taken = {one.value for one in nodes_below(value) if isinstance(one, cst.Name)}
        following = next((one for one in inside[place + 1 :] if not _gives_constants(one, taken)), inside[place])
        used = following.iter if isinstance(following, cst.For) else following
        mentions = sum(isinstance(one, cst.Name) and one.value == name for one in nodes_below(self._body))
        barred = any(isinstance(one, cst.NamedExpr) for one in nodes_below(used))
        return mentions == 2 * bound and isinstance(following, _USING) and not barred and _is_evaluated_once(used, name)

    def _times_kept(self, name: str) -> int:
        """How often an assignment gives it such an iterator."""
        assert self._body is not None
        assigned = (one for one in nodes_below(self._body) if isinstance(one, cst.Assign))
        given = ((one.targets, one.value) for one in assigned)
        return sum(_is_name_alone(targets, name) and bool(self._iterables(value)) for targets, value in given)

    def _is_new(self, node: cst.BaseExpression) -> bool:
        """Whether it makes a list, or a range, that nobody else holds."""
        made = isinstance(node, cst.Call) and self._scope.canonical(node.func) in _NEW
        return made or isinstance(node, cst.List | cst.ListComp)

    def _is_same_later(self, node: cst.BaseExpression) -> bool:
        """Whether it looks at variables only, and at nothing in them."""
        if isinstance(node, cst.Call) and self._scope.canonical(node.func) in _VIEWS:
            return all(one.keyword is None and not one.star and self._is_same_later(one.value) for one in node.args)
        return isinstance(node, cst.Name) and self._scope.local(node.value) is not None

    def _called(self, node: cst.Call, *, looped: bool) -> Expression | None:
        """A call that is given such an iterator; None for all others."""
        if not self._scope.lazy or not any(self._scope.iterator(one.value) for one in node.args):
            return None
        arguments = []
        for one in node.args:
            held = self._scope.iterator(one.value)
            arguments.append(one if held is None else self._argument(one, held))
        whole = node.with_changes(args=arguments)
        self._scope.placed(whole, node)
        return self._reader.looped(whole) if looped else self._reader.exactly(whole)

    def _looped(self, node: cst.Name) -> Expression | None:
        held = self._scope.iterator(node)
        return None if held is None else self._reader.looped(held)


def _gives_constants(node: cst.CSTNode, taken: Collection[str]) -> bool:
    """`total, n = 0.0, 0`, of names that are none of those that are taken."""
    if not isinstance(node, cst.Assign):
        return False
    parts = [part for one in node.targets for part in nodes_below(one.target)]
    named = all(isinstance(one, cst.Name | cst.Tuple | cst.Element) for one in parts)
    plain = all(isinstance(one, _PLAIN) for one in nodes_below(node.value))
    return named and plain and not any(isinstance(one, cst.Name) and one.value in taken for one in parts)


def _is_name_alone(targets: Sequence[cst.AssignTarget], name: str) -> bool:
    match targets:
        case [cst.AssignTarget(target=cst.Name(value=own))]:
            return own == name
    return False


def _is_evaluated_once(node: cst.CSTNode, name: str) -> bool:
    """Whether a name stands where a statement comes to it once at most."""
    match node:
        case cst.Name(value=own):
            return own == name
        case cst.Lambda():
            return False
        case cst.GeneratorExp() | cst.ListComp() | cst.SetComp() | cst.DictComp():
            return _is_evaluated_once(node.for_in.iter, name)
    return any(_is_evaluated_once(one, name) for one in children(node))
