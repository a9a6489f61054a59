"""Lowering of calls of functions and methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from dplint.program import nodes as ir
from dplint.program.calls import FUNCTIONS, METHODS, TYPES, UPDATES, functions
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import draws, walk
from dplint.source.identifiers import written
from dplint.source.lowering.comprehensions import Comprehensions
from dplint.source.lowering.containers import from_keys
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.helpers import HelperCalls
from dplint.source.lowering.hints import KEYWORD_HINTS, METHOD_HINTS, function_hint
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.staging import Staged
from dplint.source.operators import BY_NAME

_ITERATORS = functions("iterator")
_EAGER = functions("eager")
_PASSING = frozenset({"enumerate", "itertools.accumulate", "itertools.chain", "itertools.pairwise"})
"""Iterators that give what they have been given, and ask for nothing beside."""
_TO_THE_END = _EAGER - {"all", "any", "heapq.nlargest", "heapq.nsmallest"}
"""Those that have all items, one after another, before they do anything else."""
_APPLYING = frozenset({"map", "filter"})
_KEYED = {"sorted": "sorted-by", "max": "max-by", "min": "min-by"}
_TYPES = {"int": "int", "float": "float", "bool": "bool", "numpy.int64": "int", "numpy.float64": "float"}
_TYPES |= {"int64": "int", "float64": "float", "numpy.double": "float", "numpy.bool_": "bool"}
_SHORT = frozenset({"float16", "float32", "half", "single", "f", "f2", "f4", "<f2", "<f4"})
_ORDER: Mapping[str, tuple[str, ...]] = {
    "enumerate": ("iterable", "start"),
    "sum": ("", "start"),
    "round": ("number", "ndigits"),
    "pow": ("base", "exp", "mod"),
    "numpy.clip": ("a", "a_min", "a_max"),
    "numpy.round": ("a", "decimals"),
    "numpy.around": ("a", "decimals"),
}
"""Parameters of functions that an interpretation wants by position; "" is one that has no name."""
_DTYPE_AT: Mapping[str, int] = {
    **dict.fromkeys(["numpy.zeros", "numpy.ones", "numpy.array", "numpy.asarray"], 1),
    **dict.fromkeys(["numpy.zeros_like", "numpy.ones_like"], 1),
    **dict.fromkeys(["numpy.full", "numpy.full_like"], 2),
}
"""Functions that take a type by position, and where."""
_UNARY = functions("unary")
"""NumPy's functions of one argument; a second one is what they write to."""
_MOST_POSITIONAL = 3
"""Of any other function of NumPy: where a fourth means something, it is often what the function writes to."""


class Calls:
    """Lowers calls. helpers: lowers those of functions of the project, and of local ones."""

    def __init__(
        self,
        reader: Reader,
        draws: Draws,
        comprehensions: Comprehensions,
        helpers: HelperCalls,
    ) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._expression = reader.expression
        self._scope = reader.scope
        self._draws = self.draws = draws
        self.comprehensions = comprehensions
        self._helpers = helpers
        self._passes = False
        """Whether the call that is lowered next is used up before anything else happens."""
        reader.register({cst.Call: self._value})
        reader.register_iterable(cst.Call, self._call)

    def _value(self, node: cst.Call) -> ir.Expression:
        """A lowered call, used as a value."""
        canonical = self._scope.canonical(node.func)
        if canonical in _APPLYING:
            raise self._refuse(f"{canonical}(...) kept as a value", node, "make a list of it, or loop over it")
        lowered = self._call(node)
        if isinstance(lowered, ir.Call) and lowered.function in _ITERATORS | {"range"}:
            raise self._refuse(f"{lowered.function}(...) kept as a value", node, "make a list of it, or loop over it")
        return lowered

    def _call(self, node: cst.Call) -> ir.Expression:
        if any(argument.star for argument in (*node.args, *_made_with(node))):
            is_zip = self._scope.canonical(node.func) == "zip"
            hint = "write the columns out: [row[0] for row in rows]" if is_zip else "write the arguments out"
            raise self._refuse("a starred argument", node, hint)
        made_here = self._helpers.call_local(node)
        if made_here is not None:
            return made_here
        of_scipy = self._draws.of_scipy(node)
        if of_scipy is not None:
            return of_scipy
        helper = self._scope.helper(node.func)
        if helper is not None:
            return self._helpers.call(*helper, node)
        canonical = self._scope.canonical(node.func)
        if isinstance(node.func, cst.Attribute) and self._is_object_of_module(node.func.value):
            return self._method(node.func, node)
        if canonical is not None:
            return self._function(canonical, node)
        if _root(node.func) in self._scope.suspect:
            with self._scope.refusals.inside():
                return self._reader.opaque(node, self._unknown(node).unsupported, follows=True)
        if isinstance(node.func, cst.Attribute):
            return self._method(node.func, node)
        raise self._unknown(node)

    def _is_object_of_module(self, node: cst.BaseExpression) -> bool:
        """Whether another module has a constant or a generator there: methods have names as functions there have."""
        if not isinstance(node, cst.Name | cst.Attribute):
            return False
        return self._scope.constant(node) is not None or self._draws.stream_of(node) is not None

    def _unknown(self, node: cst.Call) -> UnsupportedConstruct:
        text = written(self._scope.facts.tree, node.func)
        return self._refuse(f"a call of {text}", node, "call a function of this module, NumPy or math by its name")

    def _function(self, canonical: str, node: cst.Call) -> ir.Expression:
        drawn = self._draws.of_function(canonical)
        if drawn is not None:
            return self._draws.lower(self._draws.unseeded(drawn[0], node), drawn[1], node)
        special = self._special(canonical, node)
        if special is not None:
            return special
        if canonical not in FUNCTIONS:
            raise self._refuse(f"a call of {canonical}", node, function_hint(canonical))
        if canonical in {"any", "all"} and len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp):
            return self.comprehensions.lower(node.args[0].value, canonical)
        if canonical in _KEYED and any(a.keyword and a.keyword.value == "key" for a in node.args):
            return self._keyed(canonical, node)
        whole = self._whole(canonical, node)
        if whole is not None:
            return whole
        arguments, keywords = self._arguments(canonical, node)
        self._look_at_order(node, (*arguments, *(value for _, value in keywords)))
        if canonical.startswith("numpy.") and len(arguments) > (1 if canonical in _UNARY else _MOST_POSITIONAL):
            raise self._refuse(f"so many arguments of {canonical}", node, "pass the further ones by their names")
        return ir.Call(canonical, tuple(arguments), tuple(keywords), self._span(node))

    def _look_at_order(self, node: cst.Call, lowered: Sequence[ir.Expression]) -> None:
        """Refuse what Python works out before the items of a generator, which stand before it."""
        lazy = [n for n, one in enumerate(node.args) if self._is_lazy(one.value)]
        later = lowered[lazy[0] + 1 :] if lazy else ()
        if not all(
            isinstance(one.operand if isinstance(one, ir.Unary) else one, ir.Constant | ir.Name) for one in later
        ):
            raise self._refuse("an argument behind a generator", node, "give it a name first")

    def _is_lazy(self, node: cst.BaseExpression) -> bool:
        is_call = isinstance(node, cst.Call) and self._scope.canonical(node.func) in _APPLYING
        return is_call or isinstance(node, cst.GeneratorExp)

    def _special(self, canonical: str, node: cst.Call) -> ir.Expression | None:
        """Functions that are given functions or types, and operators by their names; None for all others."""
        if canonical in _APPLYING:
            return self.comprehensions.applied(node)
        if canonical == "isinstance" and len(node.args) == 2:
            return self._isinstance(node)
        if canonical == "itertools.repeat" and len(node.args) == 1:
            raise self._refuse("an endless iterator", node, "say how many times: itertools.repeat(x, n)")
        if canonical == "numpy.fromiter" and node.args and node.args[0].keyword is None:
            items = ir.Call("list", (self._argument("list", node.args[0].value),), (), self._span(node.args[0]))
            if len(node.args) != 2 or (node.args[1].keyword or cst.Name("dtype")).value != "dtype":
                raise self._refuse("these arguments of fromiter", node, "give it the items, and a dtype")
            dtype = ("dtype", self._type(node.args[1].value))
            return ir.Call("numpy.array", (items,), (dtype,), self._span(node))
        if canonical.startswith("operator.") and canonical in BY_NAME and _is_plain(node.args, 2):
            left, right = (self._expression(argument.value) for argument in node.args)
            return ir.Binary(BY_NAME[canonical], left, right, self._span(node))
        return None

    def _whole(self, canonical: str, node: cst.Call) -> ir.Expression | None:
        """`len(seen)`, `sorted(set(values))`; None for everything else."""
        if not node.args or node.args[0].keyword or any(one.keyword is None for one in node.args[1:]):
            return None
        found = self._reader.whole(canonical, node.args[0].value)
        if found is None:
            return None
        return ir.Call(canonical, (found,), tuple(map(self._keyword, node.args[1:])), self._span(node))

    def _arguments(self, canonical: str, node: cst.Call) -> tuple[list[ir.Expression], list[tuple[str, ir.Expression]]]:
        """Those by position and those by name, after what the tables above say of either."""
        arguments: list[ir.Expression] = []
        keywords: list[tuple[str, ir.Expression]] = []
        order = _ORDER.get(canonical, ())
        passes, self._passes = self._passes and canonical in _PASSING, False
        for position, argument in enumerate(node.args):
            name = None if argument.keyword is None else argument.keyword.value
            if name is None and _DTYPE_AT.get(canonical) == position:
                keywords.append(("dtype", self._type(argument.value)))
            elif name is None or (not keywords and order[position : position + 1] == (name,)):
                arguments.append(self._argument(canonical, argument.value, passes=passes))
            else:
                keywords.append(self._keyword(argument))
        return arguments, keywords

    def _argument(self, canonical: str, node: cst.BaseExpression, *, passes: bool = False) -> ir.Expression:
        """An argument; where it is used up before anything else happens, a generator is as good as a list."""
        if (passes or canonical in _EAGER) and isinstance(node, cst.GeneratorExp):
            return self.comprehensions.lower(node, "list")
        called = self._scope.canonical(node.func) if isinstance(node, cst.Call) else None
        if canonical in _TO_THE_END or passes:
            if isinstance(node, cst.Call) and called in _APPLYING:
                return self.comprehensions.applied(node, eager=True)
            self._passes = called in _PASSING
        return self._reader.iterable(node) if canonical in _EAGER | _ITERATORS else self._expression(node)

    def _keyed(self, canonical: str, node: cst.Call) -> ir.Expression:
        """`sorted(xs, key=...)` and its like: the keys are made by a comprehension, one after another, as in Python."""
        first, *others = node.args
        named = {argument.keyword.value: argument for argument in others if argument.keyword is not None}
        known = {"key", "reverse"} if canonical == "sorted" else {"key"}
        if first.keyword is not None or len(named) != len(others) or not named.keys() <= known:
            raise self._refuse(f"these arguments of {canonical}", node, "pass one list, and key=")
        made = self._argument(canonical, first.value) if canonical == "sorted" else None
        items = made or self._reader.iterable(first.value)
        if isinstance(items, ir.Call) and items.function in _ITERATORS:
            items = ir.Call("list", (items,), (), items.span)
        if not isinstance(items, ir.Opaque) and any(
            draws(one) or isinstance(one, ir.CallFunction | Staged) for one in walk(items)
        ):
            # The keys are made of the items, which are made once.
            raise self._refuse("a list that is sorted as it is made", first, "give the list a name first")
        keys = self.comprehensions.keys_of(named["key"].value, items)
        keywords = tuple(self._keyword(argument) for argument in others if argument is not named["key"])
        return ir.Call(_KEYED[canonical], (items, keys), keywords, self._span(node))

    def _isinstance(self, node: cst.Call) -> ir.Expression:
        """The names of the types are arguments, so that interpretations need not hold types."""
        value, types = (argument.value for argument in node.args)
        parts = [element.value for element in types.elements] if isinstance(types, cst.Tuple) else [types]
        names = [self._scope.canonical(part) or "" for part in parts]
        for part, name in zip(parts, names, strict=True):
            if name not in TYPES:
                hint = f"known are {', '.join(sorted(TYPES))}; leave other checks to the caller"
                raise self._refuse("a check for this type", part, hint)
        span = self._span(node)
        return ir.Call("isinstance", (self._expression(value), *(ir.Constant(name, span) for name in names)), (), span)

    def _keyword(self, argument: cst.Arg) -> tuple[str, ir.Expression]:
        assert argument.keyword is not None
        name = argument.keyword.value
        if name in KEYWORD_HINTS:
            raise self._refuse(f"the argument {name}", argument, KEYWORD_HINTS[name])
        return name, self._type(argument.value) if name == "dtype" else self._expression(argument.value)

    def _type(self, node: cst.BaseExpression) -> ir.Expression:
        text = node.raw_value if isinstance(node, cst.SimpleString) else None
        name = text or self._scope.canonical(node) or ""
        kind = _TYPES.get(name)
        if kind is None and name.rpartition(".")[2] in _SHORT:
            # Each operation would have to be rounded anew.
            raise self._refuse("numbers of fewer than 64 bits", node, "use float: dtype=float, or x.astype(float)")
        if kind is None:
            raise self._refuse("this dtype", node, "use int, float or bool")
        return ir.Constant(kind, self._span(node))

    def _method(self, function: cst.Attribute, node: cst.Call) -> ir.Expression:
        method = function.attr.value
        if method == "fromkeys" and self._scope.canonical(function.value) == "dict":
            return from_keys(self._reader, node)
        stream = self._draws.stream_of(function.value)
        if stream is not None:
            return self._draws.lower(stream, method, node)
        if method in UPDATES:
            hint = METHOD_HINTS.get(method, "change the list on a line of its own")
            raise self._refuse(f"the method {method} used as a value", node, hint)
        if method not in METHODS:
            hint = METHOD_HINTS.get(method, "no rewrite: programs have no such method")
            raise self._refuse(f"the method {method}", node, hint)
        receiver = self._expression(function.value)
        lower = self._type if method == "astype" else self._expression
        arguments = tuple(
            self.comprehensions.lower(argument.value, "list")
            if method == "join" and isinstance(argument.value, cst.GeneratorExp)
            else lower(argument.value)
            for argument in node.args
            if argument.keyword is None
        )
        keywords = tuple(self._keyword(argument) for argument in node.args if argument.keyword is not None)
        return ir.MethodCall(receiver, method, arguments, keywords, self._span(node))


def _is_plain(arguments: Sequence[cst.Arg], count: int) -> bool:
    """Whether there are so many arguments, all by position."""
    return len(arguments) == count and not any(argument.keyword or argument.star for argument in arguments)


def _made_with(node: cst.Call) -> Sequence[cst.Arg]:
    """The arguments of `a(...)` in `a(...).b(...)`."""
    receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
    return receiver.args if isinstance(receiver, cst.Call) else ()


def _root(node: cst.BaseExpression) -> str | None:
    """`a` of `a`, of `a.b` and of `a.b(c)[d].e`."""
    while isinstance(node, cst.Attribute | cst.Subscript | cst.Call):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else None
