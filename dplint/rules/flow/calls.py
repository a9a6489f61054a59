"""Reads calls: draws, noise of libraries, functions of the same module, methods that change their receiver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import libcst as cst

from dplint.program.calls import word_of
from dplint.rules.flow.dicts import has_known_keys
from dplint.rules.flow.draws import Draws
from dplint.rules.flow.reading import TermReader
from dplint.rules.flow.state import Function, State, path_of
from dplint.rules.flow.stores import Stores
from dplint.rules.flow.terms import DrawTerm, Term, TermKind
from dplint.rules.flow.vocabulary import (
    DISTRIBUTIONS,
    FUNCTION_DRAWS,
    GENERATORS,
    KNOWS_NOTHING,
    SIZES,
    UPDATES,
    NoiseCall,
    named,
    noise_call,
    sounds_noisy,
)
from dplint.rules.roles import EPSILON_NAME
from dplint.source.module_names import dotted_name

_DEEPEST = 6
_LEAST_BUDGET = 1e-3
"""Smaller ones are there to keep something from zero."""
_LOG_METHODS = named("debug info warning warn error exception critical log")
_LOGGERS = ("log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER")
_WRITES = named(
    "pickle.dump json.dump numpy.save numpy.savetxt numpy.savez joblib.dump torch.save matplotlib.pyplot.plot"
)
_WRITING_METHODS = named("write writelines to_csv to_json to_pickle to_parquet to_excel to_sql tofile savez")
_KNOWN_MODULES = (
    "numpy.",
    "math.",
    "statistics.",
    "pandas.",
    "itertools.",
    "functools.",
    "collections.",
    "operator.",
    "copy.",
    "scipy.special.",
    "torch.",
    "fractions.",
    "decimal.",
    "builtins.",
    "bisect.",
    "heapq.",
)


@dataclass(slots=True)
class Arguments:
    """What a call gives: positional terms, and others by name. starred: some are not told apart."""

    positional: list[Term] = field(default_factory=list)
    named: dict[str, Term] = field(default_factory=dict)
    starred: bool = False

    def all(self) -> list[Term]:
        """All of them."""
        return [*self.positional, *self.named.values()]

    def keys(self) -> list[str]:
        """The names that go with `all`."""
        return [""] * len(self.positional) + list(self.named)


class Calls:
    """Makes terms of calls. enter: reads a function with these values of its parameters, and gives what it returns."""

    def __init__(
        self,
        reader: TermReader,
        draws: Draws,
        stores: Stores,
        enter: Callable[[Function, dict[str, Term], cst.Call, State], Term],
    ) -> None:
        self._reader = reader
        self._make = reader.make
        self._read = reader.read
        self._draws = draws
        self._stores = stores
        self._enter = enter
        reader.register({cst.Call: self._call})

    def _call(self, node: cst.Call, state: State) -> Term:
        """The term of a call."""
        arguments = self._arguments(node, state)
        function = node.func
        full = dotted_name(function)
        if full is not None and full.partition(".")[0] not in state.values:
            return self._named(full, node, arguments, state)
        if isinstance(function, cst.Attribute):
            return self._method(function, node, arguments, state)
        callee = self._read(function, state)
        if callee.kind is TermKind.FUNCTION:
            return self._follow(callee, node, arguments, state)
        return self._called_value(callee, node, arguments)

    def _arguments(self, node: cst.Call, state: State) -> Arguments:
        found = Arguments()
        for argument in node.args:
            term = self._read(argument.value, state)
            if argument.star:
                found.starred = True
                found.positional.append(term)
            elif argument.keyword is not None:
                found.named[argument.keyword.value] = term
            else:
                found.positional.append(term)
        return found

    # functions by name

    def _named(self, full: str, node: cst.Call, arguments: Arguments, state: State) -> Term:  # noqa: C901 - by its name
        module = self._reader.scope.module
        if self._reader.scope.adds_noise(full):
            return self._draws.noise("unknown", full, node, arguments.all(), arguments.keys())
        if "." not in full and full in module.functions:
            return self._follow(self._reader.function(full, node.func, module.functions[full]), node, arguments, state)
        first, _, rest = full.partition(".")
        if rest in self._reader.scope.classes.get(first, {}):
            method = self._reader.scope.classes[first][rest]
            return self._follow(self._reader.function(full, node.func, method), node, arguments, state)
        canonical = self._reader.scope.canonical(full)
        if canonical is None:
            if isinstance(node.func, cst.Attribute):
                return self._method(node.func, node, arguments, state)
            return self._unknown(full, node, arguments)
        if canonical in FUNCTION_DRAWS:
            return self._draws.draw(
                FUNCTION_DRAWS[canonical], DrawTerm("module", canonical, None, False), node, arguments
            )
        if canonical in GENERATORS:
            return self._draws.generator(canonical, node, arguments)
        if canonical in DISTRIBUTIONS:
            return self._plain(canonical, node, arguments)
        known = noise_call(canonical)
        if known is not None:
            return self._library(canonical, known, node, arguments)
        self._report(canonical, node, arguments, state)
        if canonical in ("print", "warnings.warn") or canonical in _WRITES or canonical.startswith("logging."):
            return self._make(TermKind.SYMBOL, "<nothing>", node)
        if "." not in canonical or canonical.startswith(_KNOWN_MODULES):
            return self._known(canonical, node, arguments, state)
        elsewhere = self._reader.scope.elsewhere(full)
        if elsewhere is not None and (elsewhere.draws or self._sounds_noisy(canonical, arguments)):
            callee = self._reader.function(canonical, node.func, elsewhere.node, scope=elsewhere.scope)
            return self._follow(callee, node, arguments, state)
        return self._unknown(canonical, node, arguments)

    def _known(self, canonical: str, node: cst.Call, arguments: Arguments, state: State) -> Term:
        name = word_of(canonical)
        if name in ("max", "min", "sorted") and "key" in arguments.named:
            return self._make(
                TermKind.CALL, f"{name}-by", node, arguments.all(), keys=arguments.keys(), value=canonical
            )
        if name == "where" and len(arguments.positional) == 3:
            condition, first, second = arguments.positional
            return self._make(TermKind.CHOICE, "where", node, [first, second], conditions=[condition])
        if name in SIZES and arguments.positional:
            return self._make(TermKind.LENGTH, name, node, arguments.positional[:1])
        if name in ("map", "filter") and len(arguments.positional) > 1:
            return self._mapped(name, node, arguments.positional[0], arguments.positional[1:], state)
        if name in KNOWS_NOTHING and name != "range":
            return self._make(TermKind.SYMBOL, f"<{name}>", node)
        if name in ("getattr", "eval", "exec"):
            return self._unknown(canonical, node, arguments)
        return self._plain(canonical, node, arguments)

    def _mapped(self, name: str, node: cst.Call, function: Term, iterables: list[Term], state: State) -> Term:
        """`map` and `filter`, as the comprehensions that they are."""
        if function.kind is not TermKind.FUNCTION:
            return self._plain(name, node, Arguments(iterables))
        sizes = [self._make(TermKind.LENGTH, "len", node, [one]) for one in iterables]
        loop = self._reader.open_loop(node, iterables[0])
        elements = [self._reader.element(one, node) for one in iterables]
        result = self._follow(function, node, Arguments(list(elements)), state)
        self._reader.loops.pop()
        values, conditions = ([result], []) if name == "map" else (elements[:1], [result])
        value = ([loop], 1)
        return self._make(TermKind.CONTAINER, "comp", node, [*values, *sizes], conditions=conditions, value=value)

    def _plain(self, canonical: str, node: cst.Call, arguments: Arguments) -> Term:
        return self._make(
            TermKind.CALL, word_of(canonical), node, arguments.all(), keys=arguments.keys(), value=canonical
        )

    def _library(self, canonical: str, known: NoiseCall, node: cst.Call, arguments: Arguments) -> Term:
        if known.methods and canonical.rpartition(".")[2][:1].isupper():  # a class: its methods make the noise
            return self._plain(canonical, node, arguments)
        return self._draws.noise("library", canonical, node, arguments.all(), arguments.keys())

    def _report(self, canonical: str, node: cst.Call, arguments: Arguments, state: State) -> None:
        kind = "log" if canonical.startswith("logging.") or canonical == "warnings.warn" else None
        kind = "print" if canonical == "print" else "write" if canonical in _WRITES else kind
        if kind is not None:
            self._reader.sink(kind, arguments.positional, node, state)

    # methods

    def _method(self, function: cst.Attribute, node: cst.Call, arguments: Arguments, state: State) -> Term:
        name = function.attr.value
        path = path_of(function.value)
        if path in ("self", "cls") and name in self._reader.methods:
            callee = self._reader.function(name, function, self._reader.methods[name])
            return self._follow(callee, node, arguments, state)
        receiver = self._read(function.value, state)
        drawn = self._draws.method_draw(receiver, path, name, node, arguments)
        if drawn is not None:
            return drawn
        known = noise_call(str(receiver.value)) if receiver.kind is TermKind.CALL else None
        if known is not None and (name in known.methods or not known.methods):
            keys = [*receiver.keys, *arguments.keys()]
            return self._draws.noise(
                "library", f"{receiver.value}.{name}", node, [*receiver.args, *arguments.all()], keys
            )
        if name in _LOG_METHODS and path is not None and path.rpartition(".")[2] in _LOGGERS:
            self._reader.sink("log", arguments.all(), node, state)
            return self._make(TermKind.SYMBOL, "<nothing>", node)
        if name in _WRITING_METHODS:
            self._reader.sink("write", [receiver, *arguments.all()], node, state)
        if name in UPDATES and path is not None:
            return self._update(name, path, receiver, node, arguments, state)
        known_keys = name == "keys" and has_known_keys(receiver)
        if name in KNOWS_NOTHING or known_keys:
            return self._make(TermKind.SYMBOL, f"<{name}>", node)
        if name in SIZES:
            return self._make(TermKind.LENGTH, name, node, [receiver])
        args, keys = [receiver, *arguments.all()], ["", *arguments.keys()]
        if receiver.kind is TermKind.SYMBOL or sounds_noisy(name):
            return self._unknown_method(name, node, receiver, arguments)
        return self._make(TermKind.CALL, word_of(name), node, args, keys=keys, value=f".{name}")

    def _update(self, name: str, path: str, receiver: Term, node: cst.Call, arguments: Arguments, state: State) -> Term:
        """A method that changes a list, dict or set in place."""
        kept = [] if name in ("sort", "reverse", "pop", "remove", "discard") else arguments.all()
        changed = self._make(TermKind.CONTAINER, name, node, [receiver, *kept])
        place = node.func.value if isinstance(node.func, cst.Attribute) else None
        if isinstance(place, cst.Subscript):  # one of several lists
            self._stores.assign(place, changed, state)
        else:
            state.values[path] = changed
        if name == "pop":  # the last element, if nothing is said
            which = arguments.all() or [self._reader.constant(-1, None)]
            return self._make(TermKind.OPERATION, "[]", node, [receiver, *which])
        return self._make(TermKind.SYMBOL, "<nothing>", node)

    def _unknown_method(self, name: str, node: cst.Call, receiver: Term, arguments: Arguments) -> Term:
        if sounds_noisy(name) or sounds_noisy(receiver.name) or self._may_add_noise(arguments):
            full = f"{receiver.name}.{name}"
            return self._draws.noise("unknown", full, node, [receiver, *arguments.all()], ["", *arguments.keys()])
        args, keys = [receiver, *arguments.all()], ["", *arguments.keys()]
        return self._make(TermKind.CALL, word_of(name), node, args, keys=keys, value=f".{name}")

    # functions that are followed, and those that are not

    def _follow(self, callee: Term, node: cst.Call, arguments: Arguments, state: State) -> Term:
        if not isinstance(callee.value, tuple):  # there are too many terms for one more
            return self._unknown(callee.name, node, arguments, followed=True)
        function, captured, scope = callee.value
        busy = any(one is function for one in (*self._reader.open, self._reader.frames[0].node))
        if len(self._reader.frames) > _DEEPEST or busy or self._reader.graph.full:
            return self._unknown(callee.name, node, arguments, followed=True)
        with self._reader.within(scope, function, node) as read:
            bound = self._bind(read, arguments, node)
            if bound is not None:
                values = {**captured, **bound} if isinstance(captured, dict) else bound
                return self._enter(read, values, node, state)
        return self._unknown(callee.name, node, arguments, followed=True)

    def _bind(
        self, function: cst.FunctionDef | cst.Lambda, arguments: Arguments, node: cst.CSTNode
    ) -> dict[str, Term] | None:
        """The values of the parameters; None where the call does not fit."""
        if arguments.starred:
            return None
        params = function.params
        ordered = [*params.posonly_params, *params.params]
        names = [param.name.value for param in ordered]
        if names[:1] in (["self"], ["cls"]):
            names, ordered = names[1:], ordered[1:]
        values = dict(zip(names, arguments.positional, strict=False))
        rest = arguments.positional[len(names) :]
        known = {*names, *(param.name.value for param in params.kwonly_params)}
        others = {name: term for name, term in arguments.named.items() if name not in known}
        if (rest and not isinstance(params.star_arg, cst.Param)) or (others and params.star_kwarg is None):
            return None
        if isinstance(params.star_arg, cst.Param):
            values[params.star_arg.name.value] = self._make(TermKind.CONTAINER, "tuple", node, rest)
        if params.star_kwarg is not None:
            values[params.star_kwarg.name.value] = self._make(TermKind.CONTAINER, "dict", node, list(others.values()))
        values |= {name: term for name, term in arguments.named.items() if name in known}
        for param in (*ordered, *params.kwonly_params):
            if param.name.value not in values:
                if param.default is None:
                    return None
                values[param.name.value] = self._read(param.default, State({}))
        return values

    def _called_value(self, callee: Term, node: cst.Call, arguments: Arguments) -> Term:
        """A call of a value: an OpenDP measurement is one, or what `functools.partial` makes of a draw."""
        if self._makes_noise(callee):
            return self._draws.noise("unknown", callee.name, node, arguments.all(), arguments.keys())
        return self._unknown(callee.name, node, arguments)

    def _makes_noise(self, callee: Term, depth: int = 4) -> bool:
        if callee.kind is TermKind.GENERATOR or self._is_budget(callee):
            return True
        if callee.kind is TermKind.DRAW:
            return isinstance(callee.value, DrawTerm) and callee.value.source in ("library", "unknown")
        return depth > 0 and any(self._makes_noise(one, depth - 1) for one in callee.args)

    def _unknown(self, name: str, node: cst.Call, arguments: Arguments, *, followed: bool = False) -> Term:
        """A function that cannot be read. It may add noise if its name or its arguments say so."""
        if followed or self._sounds_noisy(name, arguments):
            return self._draws.noise("unknown", name, node, arguments.all(), arguments.keys())
        return self._plain(name, node, arguments)

    def _sounds_noisy(self, name: str, arguments: Arguments) -> bool:
        return sounds_noisy(name) or self._may_add_noise(arguments)

    def _may_add_noise(self, arguments: Arguments) -> bool:
        if any(one.kind is TermKind.GENERATOR or self._is_budget(one) for one in arguments.all()):
            return True
        return any(EPSILON_NAME.match(name) and _is_some_budget(term) for name, term in arguments.named.items())

    def _is_budget(self, term: Term, depth: int = 4) -> bool:
        """Whether a value is made of an epsilon of the claim by arithmetic."""
        if term.kind in (TermKind.SYMBOL, TermKind.CONSTANT):
            return self._reader.is_epsilon(term)
        if depth and term.kind in (TermKind.OPERATION, TermKind.CHOICE):
            return any(self._is_budget(one, depth - 1) for one in term.args)
        return False


def _is_some_budget(term: Term) -> bool:
    return term.kind is TermKind.CONSTANT and isinstance(term.value, int | float) and term.value >= _LEAST_BUDGET
