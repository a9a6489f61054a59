"""Lowering of comprehensions, and of `key=`, which is one in disguise."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from dplint.claims import Literal
from dplint.program import nodes as ir
from dplint.program.calls import functions
from dplint.program.walk import draws, walk
from dplint.source.bindings import clauses_of, names_in_target
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.staging import Staged, is_staged

_EAGER = functions("eager")
_KEYS = frozenset({"abs", "bool", "float", "int", "len", "max", "min", "round", "str", "sum"})
"""Builtins that may be the key of a sort."""
_MOST_ENTRIES = 64
"""Of a dict comprehension that is written out."""


class Comprehensions:
    """Lowers comprehensions."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._expression = reader.expression
        self._scope = reader.scope
        reader.register({cst.ListComp: lambda node: self.lower(node, "list"), cst.DictComp: self._dict_comprehension})

    def lower(self, node: cst.ListComp | cst.GeneratorExp, kind: str) -> ir.Expression:
        """A comprehension as a loop; its variables get names of their own."""
        return self._looped(node, lambda: self._expression(node.elt), kind)

    def _looped(self, node: cst.BaseComp, element: Callable[[], ir.Expression], kind: str) -> ir.Expression:
        """element: lowers what each turn gives, once the variables of the clauses are known."""
        pushed = 0
        clauses: list[ir.Clause] = []
        try:
            for part in clauses_of(node):
                if part.asynchronous is not None:
                    raise self._refuse("an asynchronous comprehension", part, "use a plain one")
                self.look_at_items(part.iter, builtins=True)
                iterable = self._reader.iterable(part.iter)
                self._scope.renamed.append(self._scope.rename(set(names_in_target(part.target))))
                pushed += 1
                target = self._reader.target(part.target)
                conditions = tuple(self._reader.test(test.test) for test in part.ifs)
                clauses.append(ir.Clause(target, iterable, conditions))
            return ir.Comprehension(kind, element(), tuple(clauses), self._span(node))
        finally:
            del self._scope.renamed[len(self._scope.renamed) - pushed :]

    def look_at_items(self, node: cst.BaseExpression, *, builtins: bool) -> None:
        """Refuse `map` and `filter`, whose items are made between the turns of a loop.

        builtins: those of builtins are as good as lists, for nothing changes in these turns what they go through.
        """
        called = self._scope.canonical(node.func) if isinstance(node, cst.Call) else None
        if not isinstance(node, cst.Call) or called in _EAGER:
            return
        quick = builtins and node.args and self._scope.canonical(node.args[0].value) in _KEYS
        if called in ("map", "filter") and not quick:
            raise self._refuse(f"a loop over {called}", node, "loop over the list, and do it in the loop")
        for argument in node.args:
            self.look_at_items(argument.value, builtins=builtins)

    def _dict_comprehension(self, node: cst.DictComp) -> ir.Expression:
        """`{name: ... for name in NAMES}` over constants, written out entry by entry."""
        part = node.for_in
        simple = isinstance(part.target, cst.Name) and not part.ifs and part.inner_for_in is None
        if not simple or not isinstance(part.target, cst.Name) or not isinstance(node.key, cst.Name):
            return self._dict_of_pairs(node)
        keys = _constants(self._reader.iterable(part.iter))
        name = part.target.value
        if keys is None or node.key.value != name or len(set(map(repr, keys))) < len(keys) or len(keys) > _MOST_ENTRIES:
            return self._dict_of_pairs(node)
        scope = self._scope
        scope.renamed.append(scope.rename({name}))
        values: list[ir.Expression] = []
        for key in keys:
            scope.unrolled[scope.renamed[-1][name]] = key
            values.append(self._expression(node.value))
        scope.renamed.pop()
        if any(map(is_staged, values)):
            return self._dict_of_pairs(node)
        return ir.DictDisplay(tuple(keys), tuple(values), self._span(node), comprehension=True)

    def _dict_of_pairs(self, node: cst.DictComp) -> ir.Expression:
        """Any other dict comprehension: a dict of the list of its entries."""
        pairs = self._looped(node, lambda: self._pair(node), "list")
        return ir.Call("dict", (pairs,), (), self._span(node))

    def _pair(self, node: cst.DictComp) -> ir.Expression:
        return ir.TupleDisplay((self._expression(node.key), self._expression(node.value)), self._span(node))

    def keys_of(self, key: cst.BaseExpression, items: ir.Expression) -> ir.Expression:
        """The list of keys of items, for `key=`: a lambda, a builtin, `xs.__getitem__` or `itemgetter(1)`."""
        span = self._span(key)
        if isinstance(key, cst.Lambda):
            return self._keys_by_lambda(key, items)
        item = ir.Name(self._scope.rename({"item"})["item"], span)
        canonical = self._scope.canonical(key)
        if canonical in _KEYS:
            element: ir.Expression = ir.Call(canonical, (item,), (), span)
        elif isinstance(key, cst.Attribute) and key.attr.value == "__getitem__":
            element = ir.Subscript(self._expression(key.value), item, span)
        elif isinstance(key, cst.Attribute) and key.attr.value == "get":
            element = ir.MethodCall(self._reader.iterable(key.value), "get", (item,), (), span)
        elif isinstance(key, cst.Call) and (found := self.item_got(key, item)) is not None:
            element = found
        else:
            raise self._refuse("this key", key, "write key=lambda x: ...")
        if any(draws(one) or isinstance(one, ir.CallFunction | Staged) for one in walk(element)):
            raise self._refuse("a key that is made with draws or calls", key, "give what it looks into a name first")
        return ir.Comprehension("list", element, (ir.Clause(item, items, ()),), span)

    def item_got(self, getter: cst.BaseExpression, item: ir.Name) -> ir.Expression | None:
        """What `operator.itemgetter(1)` and `itemgetter(0, 1)` give of an item; None for everything else."""
        if not isinstance(getter, cst.Call) or self._scope.canonical(getter.func) != "operator.itemgetter":
            return None
        span = self._span(getter)
        if not getter.args or any(one.keyword or one.star for one in getter.args):
            return None
        # Python works the places out once, before there is an item.
        places = [self._expression(one.value) for one in getter.args]
        if not all(
            isinstance(one.operand if isinstance(one, ir.Unary) else one, ir.Constant | ir.Name) for one in places
        ):
            raise self._refuse("a place that itemgetter is given", getter, "give it a name first")
        elements = tuple(ir.Subscript(item, one, span) for one in places)
        return elements[0] if len(elements) == 1 else ir.TupleDisplay(elements, span)

    def applied(self, node: cst.Call, *, eager: bool = False) -> ir.Expression:
        """`map(f, xs)` or `filter(f, xs)` of a builtin or a lambda, used up at once: a list.

        eager: nothing else happens between its items, so that the lambda may draw.
        """
        function = self._scope.canonical(node.func) or ""
        if len(node.args) != 2 or any(argument.keyword or argument.star for argument in node.args):
            raise self._refuse(f"these arguments of {function}", node, "use a list comprehension")
        key, items = node.args[0].value, node.args[1].value
        if isinstance(key, cst.Name) and self._scope.canonical(key) not in _KEYS:
            made: ir.Expression = self.lower(self._called_for_each(key, items, node), "list")
        else:
            made = self.keys_of(key, self._reader.iterable(items))
        assert isinstance(made, ir.Comprehension)
        barred = ir.Opaque if eager else ir.CallFunction | ir.Opaque | Staged
        if any(isinstance(part, barred) or (draws(part) and not eager) for part in walk(made.element)):
            raise self._refuse(f"a call of {function}", node, "use a list comprehension")
        if function == "filter":
            target = made.clauses[0].target
            assert isinstance(target, ir.Name)
            kept = ir.Clause(target, made.clauses[0].iterable, (made.element,))
            return ir.Comprehension("list", target, (kept,), self._span(node))
        return ir.Comprehension("list", made.element, made.clauses, self._span(node))

    def _called_for_each(self, function: cst.Name, items: cst.BaseExpression, node: cst.Call) -> cst.ListComp:
        """`map(f, xs)` as `[f(x) for x in xs]`."""
        item = cst.Name("_item_of_a_map")
        called, clause = cst.Call(function, [cst.Arg(item)]), cst.CompFor(item, items)
        made = cst.ListComp(called, clause)
        for one in (item, called, called.args[0], clause, made):
            self._scope.placed(one, node)
        return made

    def _keys_by_lambda(self, key: cst.Lambda, items: ir.Expression) -> ir.Expression:
        params, span = key.params, self._span(key)
        plain = len(params.params) == 1 and params.params[0].default is None
        others = (*params.posonly_params, *params.kwonly_params, params.star_kwarg)
        if not plain or any(others) or isinstance(params.star_arg, cst.Param):
            raise self._refuse("this lambda", key, "give it one parameter")
        name = params.params[0].name.value
        self._scope.renamed.append(self._scope.rename({name}))
        try:
            target = ir.Name(self._scope.renamed[-1][name], span)
            return ir.Comprehension("list", self._reader.lambda_body(key), (ir.Clause(target, items, ()),), span)
        finally:
            self._scope.renamed.pop()


def _constants(node: ir.Expression) -> list[Literal] | None:
    """The items of a list or tuple of strings and numbers, None if it is something else."""
    if isinstance(node, ir.Constant) and isinstance(node.value, list | tuple):
        items = list(node.value)
    elif isinstance(node, ir.ListDisplay | ir.TupleDisplay):
        items = [part.value for part in node.elements if isinstance(part, ir.Constant)]
        if len(items) < len(node.elements):
            return None
    else:
        return None
    # True and 1 are one key, and so are 1 and 1.0.
    kinds = {type(item) for item in items}
    return items if kinds <= {str} or kinds <= {int} else None
