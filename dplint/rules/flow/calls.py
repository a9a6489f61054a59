"""Reads calls: draws, noise of libraries, functions of the same module, methods that change their receiver."""

from __future__ import annotations

import re
from collections.abc import Callable

import libcst as cst

from dplint.claims import EPSILON_NAME
from dplint.program.calls import functions, sinks, word_of
from dplint.rules.flow.applied import KEYED, Applied
from dplint.rules.flow.dicts import has_fixed_keys, has_known_keys, is_record, root_of
from dplint.rules.flow.draws import Draws
from dplint.rules.flow.reading import OWNERS, Arguments, Function, State, TermReader, is_base, path_of
from dplint.rules.flow.stores import Stores
from dplint.rules.flow.terms import DrawTerm, StoreGuards, Term, TermKind
from dplint.rules.flow.vocabulary import (
    DISTRIBUTIONS,
    FUNCTION_DRAWS,
    GENERATORS,
    KNOWS_NOTHING,
    METHOD_DRAWS,
    SIZES,
    UPDATES,
    NoiseCall,
    is_sampler,
    makes_logger,
    named,
    noise_call,
    samples,
    sounds_noisy,
)
from dplint.source.bindings import all_parameters, dotted_name, keyword_of, parameters_of
from dplint.source.operators import BY_NAME

_DEEPEST = 6
_LEAST_BUDGET = 1e-3
"""Smaller ones are there to keep something from zero."""
_LOGGER = re.compile(r"(?:^|_)(?:log|logger|logging)_?$", re.IGNORECASE)
"""Names of what logs; also of modules of other libraries that do, such as `absl.logging` and `loguru.logger`."""
_KNOWN_MODULES = tuple(
    named("numpy. math. statistics. pandas. itertools. functools. collections. operator. copy. scipy.special.")
    | named("jax.numpy. tensorflow. torch. fractions. decimal. builtins. bisect. heapq.")
)
_SHOWS_PROGRESS = named("tqdm.tqdm tqdm.auto.tqdm tqdm.notebook.tqdm rich.progress.track alive_progress.alive_it")
"""Calls that give the same values, and show how many are left."""
_SUM_METHODS = {"add": "+", "add_": "+", "sub": "-", "sub_": "-"}
"""Methods of tensors; `add` is also one of sets, which nobody adds noise to."""
_IN_PLACE = {"mul_": "*", "div_": "/"}

_WITHOUT_NOISE = functions()
"""What programs know draws nothing, whatever it is called: `scipy.stats.laplace.cdf`."""


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
        self._applied = Applied(reader, draws, self._follow)
        reader.register({cst.Call: self._call})

    def _call(self, node: cst.Call, state: State) -> Term:
        """The term of a call."""
        return self._applied.given(self._called(node, self._arguments(node, state), state), node, state)

    def _called(self, node: cst.Call, arguments: Arguments, state: State) -> Term:
        function = node.func
        full = dotted_name(function)
        if full is not None and full.partition(".")[0] not in state.values:
            return self._named(full, node, arguments, state)
        if isinstance(function, cst.Attribute):
            return self._method(function, node, arguments, state)
        callee = self._read(function, state)
        if callee.kind is TermKind.FUNCTION:
            return self._follow(callee, node, arguments, state)
        return self._applied.called(callee, node, arguments, state) or self._called_value(callee, node, arguments)

    def _arguments(self, node: cst.Call, state: State) -> Arguments:
        found = Arguments()
        for argument in node.args:
            term = self._read(argument.value, state)
            if argument.star:
                found.starred = True
                found.positional.append(term)
            elif keyword_of(argument):
                found.named[keyword_of(argument)] = term
            else:
                found.positional.append(term)
        return found

    # functions by name

    def _named(self, full: str, node: cst.Call, arguments: Arguments, state: State) -> Term:
        module = self._reader.scope.module
        if self._reader.scope.adds_noise(full):
            return self._draws.noise("unknown", full, node, arguments.all(), arguments.keys())
        if "." not in full and full in module.functions:
            return self._follow(self._reader.function(full, node.func, module.functions[full]), node, arguments, state)
        first, _, rest = full.partition(".")
        method = self._reader.scope.methods(first).get(rest)
        if method is not None:
            return self._follow(self._reader.function(full, node.func, method), node, arguments, state)
        record = self._reader.scope.record(full)
        if record is not None:
            names = [*record.fields, *[""] * len(node.args)]
            keys = [key or name for key, name in zip(arguments.keys(), names, strict=False)]
            return self._make(TermKind.CONTAINER, "object", node, arguments.all(), keys=keys)
        canonical = self._reader.scope.canonical(full)
        holder, _, name = full.rpartition(".")
        drawn = name in METHOD_DRAWS and self._reader.scope.generator_elsewhere(holder) is not None
        if isinstance(node.func, cst.Attribute) and (canonical is None or drawn):
            return self._method(node.func, node, arguments, state)
        if canonical is None:
            return self._unknown(full, node, arguments)
        if canonical in FUNCTION_DRAWS:
            return self._draws.by_function(canonical, node, arguments)
        if canonical in GENERATORS:
            return self._draws.generator(canonical, node, arguments)
        if canonical in DISTRIBUTIONS or f"{canonical}.rvs" in FUNCTION_DRAWS:
            return self._plain(canonical, node, arguments)
        return self._imported(full, canonical, node, arguments, state)

    def _imported(self, full: str, canonical: str, node: cst.Call, arguments: Arguments, state: State) -> Term:
        """A function of another module, or a builtin, that draws nothing by itself as far as is known."""
        known = noise_call(canonical)
        elsewhere = self._reader.scope.elsewhere(full)
        if known is not None and not (elsewhere is not None and elsewhere.draws):  # a library may call itself
            return self._library(canonical, known, node, arguments)
        if canonical in _SHOWS_PROGRESS and arguments.positional:
            return arguments.positional[0]
        if self._report(full, canonical, node, arguments, state):
            return self._make(TermKind.SYMBOL, "<nothing>", node)
        if canonical in BY_NAME and len(arguments.positional) == 2:
            return self._make(TermKind.OPERATION, BY_NAME[canonical], node, arguments.positional)
        if "." not in canonical or canonical.startswith(_KNOWN_MODULES):
            return self._known(canonical, node, arguments, state)
        if elsewhere is not None:
            callee = self._reader.function(canonical, node.func, elsewhere.node, scope=elsewhere.scope)
            before = len(self._reader.graph.sinks)
            result = self._follow(callee, node, arguments, state)
            if not elsewhere.draws and not self._sounds_noisy(canonical, arguments):
                del self._reader.graph.sinks[before:]  # of what draws nothing only the value matters
            return result
        drawn = self._draws.foreign(canonical, node, arguments)
        return self._unknown(canonical, node, arguments) if drawn is None else drawn

    def _known(self, canonical: str, node: cst.Call, arguments: Arguments, state: State) -> Term:
        name = word_of(canonical)
        last = name.rpartition(".")[2]
        if last in KEYED and "key" in arguments.named:
            return self._applied.keyed(last, canonical, node, arguments, state)
        if canonical == "functools.reduce" and len(arguments.positional) in (2, 3):
            return self._applied.reduced(node, arguments.positional, state)
        if name == "where" and len(arguments.positional) == 3:
            condition, first, second = arguments.positional
            return self._make(TermKind.CHOICE, "where", node, [first, second], conditions=[condition])
        if name in SIZES and arguments.positional:
            return self._make(TermKind.LENGTH, name, node, arguments.positional[:1])
        if last in KNOWS_NOTHING and name != "range":
            return self._make(TermKind.SYMBOL, f"<{name}>", node)
        if name in ("pow", "power") and len(arguments.positional) == 2 and is_base(arguments.positional[0]):
            return self._make(TermKind.CALL, "exp", node, arguments.positional[1:], keys=[""], value="math.exp")
        if name in ("getattr", "eval", "exec"):
            return self._unknown(canonical, node, arguments)
        if name in ("list", "tuple") and len(arguments.positional) == 1 and has_fixed_keys(arguments.positional[0]):
            return self._make(TermKind.SYMBOL, "<keys>", node, value=arguments.positional[0])
        return self._plain(canonical, node, arguments)

    def _plain(self, canonical: str, node: cst.Call, arguments: Arguments) -> Term:
        return self._make(
            TermKind.CALL, word_of(canonical), node, arguments.all(), keys=arguments.keys(), value=canonical
        )

    def _library(self, canonical: str, known: NoiseCall, node: cst.Call, arguments: Arguments) -> Term:
        if known.methods and canonical.rpartition(".")[2][:1].isupper():  # a class: its methods make the noise
            return self._plain(canonical, node, arguments)
        return self._draws.noise("library", canonical, node, arguments.all(), arguments.keys())

    def _report(self, full: str, canonical: str, node: cst.Call, arguments: Arguments, state: State) -> bool:
        """Whether a function prints, logs or writes; then its arguments leave here."""
        kind = next((one for one in ("print", "write", "log") if canonical in sinks(one)), None)
        if canonical.startswith("logging.") and not makes_logger(canonical):
            kind = "log"
        holder, _, name = canonical.rpartition(".")
        logs = any(_LOGGER.search(one.rpartition(".")[2]) for one in (holder, full.rpartition(".")[0]))
        if logs and f".{name}" in sinks("log"):
            kind = "log"
        if kind is not None:
            self._reader.sink(kind, arguments.all() if kind == "log" else arguments.positional, node, state)
        return kind is not None

    # methods

    def _method(self, function: cst.Attribute, node: cst.Call, arguments: Arguments, state: State) -> Term:
        name = function.attr.value
        path = path_of(function.value)
        own = self._reader.own_method(function)
        if own is not None:
            return self._follow(own, node, arguments, state)
        receiver = self._read(function.value, state)
        drawn = self._draws.method_draw(receiver, path, name, node, arguments)
        drawn = drawn or self._computed(name, receiver, node, arguments)
        if drawn is not None:
            changed = _changed_by(node)
            if changed is not None:
                self._stores.change_item(changed, drawn, node, state)
                state.values[changed] = drawn
            return drawn
        known = noise_call(str(receiver.value)) if receiver.kind is TermKind.CALL else None
        if known is not None and (name in known.methods or not known.methods):
            keys = [*receiver.keys, *arguments.keys()]
            return self._draws.noise(
                "library", f"{receiver.value}.{name}", node, [*receiver.args, *arguments.all()], keys
            )
        if self._tells(name, path, receiver, node, arguments, state):
            return self._make(TermKind.SYMBOL, "<nothing>", node)
        if name in UPDATES and path is not None:
            return self._update(name, path, receiver, node, arguments, state)
        known_keys = name == "keys" and (has_known_keys(receiver) or has_fixed_keys(receiver))
        converts = name == "type" and bool(arguments.all())  # of tensors
        if (name in KNOWS_NOTHING and not converts) or known_keys:
            return self._make(TermKind.SYMBOL, f"<{name}>", node, value=receiver if known_keys else None)
        if name in SIZES:
            return self._make(TermKind.LENGTH, name, node, [receiver])
        return self._other_method(name, node, receiver, arguments)

    def _computed(self, name: str, receiver: Term, node: cst.Call, arguments: Arguments) -> Term | None:
        """A method that adds noise to a tensor, or takes it off, or changes it in place; None if it is something else.

        `p.add_(step, alpha=-rate)` counts as a sum, whatever it is multiplied by.
        """
        given = arguments.positional
        if len(given) != 1:
            return None
        if name == "copy_":
            return given[0]
        if name == "load_state_dict":
            whole = self._make(TermKind.SYMBOL, "<index>", node)
            return self._make(TermKind.CONTAINER, "store", node, [receiver, whole, given[0]])
        operator = _SUM_METHODS.get(name) if name[-1:] == "_" or _draws_in(given[0]) else None
        operator = operator or _IN_PLACE.get(name)
        return None if operator is None else self._make(TermKind.OPERATION, operator, node, [receiver, given[0]])

    def _tells(
        self, name: str, path: str | None, receiver: Term, node: cst.Call, arguments: Arguments, state: State
    ) -> bool:
        """Whether a method logs; what it writes to a file leaves as well."""
        logs = f".{name}" in sinks("log") and self._is_logger(path, receiver)
        if logs:
            self._reader.sink("log", arguments.all(), node, state)
        elif f".{name}" in sinks("write"):
            self._reader.sink("write", [receiver, *arguments.all()], node, state)
        return logs

    def _is_logger(self, path: str | None, receiver: Term) -> bool:
        """By its name, or as what makes loggers has made it."""
        if receiver.kind is TermKind.CALL and makes_logger(str(receiver.value)):
            return True
        if path is None:
            return False
        return _LOGGER.search(path.rpartition(".")[2]) is not None or path in self._reader.scope.loggers

    def _update(self, name: str, path: str, receiver: Term, node: cst.Call, arguments: Arguments, state: State) -> Term:
        """A method that changes a list, dict or set in place."""
        kept = [] if name in ("sort", "reverse", "pop", "remove", "discard") else arguments.all()
        if name == "sort" and "key" in arguments.named:
            keys = self._applied.keys(arguments.named["key"], [receiver], node, state)
            kept = [self._make(TermKind.CALL, "argsort", node, [keys], keys=[""], value=".sort")]
        guards = StoreGuards(state.guards) if name in ("append", "add") else None
        changed = self._make(TermKind.CONTAINER, name, node, [receiver, *kept], value=guards)
        place = node.func.value if isinstance(node.func, cst.Attribute) else None
        if isinstance(place, cst.Subscript):  # one of several lists
            self._stores.assign(place, changed, state)
        else:
            state.change(path, receiver, changed)
        if name == "pop":  # the last element, if nothing is said
            which = arguments.all() or [self._reader.constant(-1, None)]
            return self._make(TermKind.OPERATION, "[]", node, [receiver, *which])
        return self._make(TermKind.SYMBOL, "<nothing>", node)

    def _other_method(self, name: str, node: cst.Call, receiver: Term, arguments: Arguments) -> Term:
        """It may add noise if its name says so; of an unknown object, also if that one's name or what it gets does."""
        args, keys = [receiver, *arguments.all()], ["", *arguments.keys()]
        told = receiver.kind is TermKind.SYMBOL and (sounds_noisy(receiver.name) or self._may_add_noise(arguments))
        if told or sounds_noisy(name):
            return self._draws.noise("unknown", f"{receiver.name}.{name}", node, args, keys)
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
                known = len(self._reader.graph.terms)
                values = {**captured, **bound} if isinstance(captured, dict) else bound
                result = self._enter(read, values, node, state)
                if not (is_sampler(callee.name) and _samples_unseen(self._reader.graph.terms[known:])):
                    return result
        return self._unknown(callee.name, node, arguments, followed=True)

    def _bind(self, function: Function, given: Arguments, node: cst.Call) -> dict[str, Term] | None:
        """The values of the parameters; None where the call does not fit."""
        params, own = function.params, all_parameters(function)
        several = [one for one in (params.star_arg, params.star_kwarg) if isinstance(one, cst.Param)]
        bound = bool(own) and own[0].name.value in OWNERS
        places = parameters_of(function, given.keys(), bound=bound)
        if given.starred or None in places:
            return None
        terms = list(zip(places, given.all(), strict=True))
        values = {one.name.value: term for one, term in terms if one is not None and one not in several}
        for one in several:
            name = "tuple" if one is params.star_arg else "dict"
            rest = [term for place, term in terms if place is one]
            values[one.name.value] = self._make(TermKind.CONTAINER, name, node, rest)
        for one in own[bound:]:
            if one.name.value not in values:
                if one.default is None:
                    return None
                values[one.name.value] = self._read(one.default, State({}))
        return values

    def _called_value(self, callee: Term, node: cst.Call, arguments: Arguments) -> Term:
        """A call of a value: an OpenDP measurement is one, or what `functools.partial` makes of a draw."""
        measurement = _measurement(callee)
        if measurement is not None:
            # its arguments say how much noise there is, and the data is what it is called with
            keys = [*(key or "scale" for key in measurement.keys), *arguments.keys()]
            name = str(getattr(measurement.value, "spelling", ""))
            return self._draws.noise("library", name, node, [*measurement.args, *arguments.all()], keys)
        if self._makes_noise(callee):
            return self._draws.noise("unknown", root_of(callee).name, node, arguments.all(), arguments.keys())
        if callee.kind is TermKind.CHOICE and all(one.kind is TermKind.SYMBOL for one in callee.args):
            known = [self._reader.scope.canonical(one.name) or "" for one in callee.args]
            calls = [noise_call(one) for one in known]
            if known and all(one is not None and one.methods for one in calls):  # one of several mechanisms
                return self._plain(known[0], node, arguments)
        return self._unknown(root_of(callee).name, node, arguments)

    def _makes_noise(self, callee: Term, depth: int = 4) -> bool:
        if callee.kind is TermKind.GENERATOR or self._is_budget(callee):
            return True
        if callee.kind is TermKind.DRAW:
            return isinstance(callee.value, DrawTerm) and callee.value.source in ("library", "unknown")
        return depth > 0 and any(self._makes_noise(one, depth - 1) for one in callee.args)

    def _unknown(self, name: str, node: cst.Call, arguments: Arguments, *, followed: bool = False) -> Term:
        """A function that cannot be read. It may add noise if its name or its arguments say so."""
        quiet = not followed and (name in _WITHOUT_NOISE or self._reader.scope.is_quiet_class(name))
        if followed or (not quiet and self._sounds_noisy(name, arguments)):
            return self._draws.noise("unknown", name, node, arguments.all(), arguments.keys())
        return self._plain(name, node, arguments)

    def _sounds_noisy(self, name: str, arguments: Arguments) -> bool:
        last = name.rpartition(".")[2]  # of a class, whose module may be named after privacy
        return sounds_noisy(last if last[:1].isupper() else name) or self._may_add_noise(arguments)

    def _may_add_noise(self, arguments: Arguments) -> bool:
        given = [part for one in arguments.all() for part in (one, *(one.args if is_record(one) else ()))]
        if any(one.kind is TermKind.GENERATOR or self._is_budget(one) for one in given):
            return True
        return any(EPSILON_NAME.match(name) and _is_some_budget(term) for name, term in arguments.named.items())

    def _is_budget(self, term: Term, depth: int = 4) -> bool:
        """Whether a value is made of an epsilon of the claim by arithmetic."""
        if term.kind in (TermKind.SYMBOL, TermKind.CONSTANT):
            return self._reader.is_epsilon(term)
        if depth and term.kind in (TermKind.OPERATION, TermKind.CHOICE):
            return any(self._is_budget(one, depth - 1) for one in term.args)
        return False


def _changed_by(call: cst.BaseExpression) -> str | None:
    """The variable that a method changes in place, also `x` in `x.mul_(2).add_(1)`; None where there is none."""
    match call:
        case cst.Call(func=cst.Attribute(value=held, attr=cst.Name(name))) if (
            name.endswith("_") or name == "load_state_dict"
        ):
            return path_of(held) or _changed_by(held)
    return None


def _samples_unseen(terms: list[Term]) -> bool:
    """Whether no draw is among the terms of a function, but a call of something that samples, to judge by its name."""
    calls = [one for one in terms if one.kind is TermKind.CALL]
    return all(one.kind is not TermKind.DRAW for one in terms) and any(samples(str(one.value)) for one in calls)


def _measurement(callee: Term, depth: int = 4) -> Term | None:
    """The measurement of OpenDP that a value is, alone or behind transformations; None if there is none in it."""
    if callee.kind is TermKind.DRAW:
        spelling = getattr(callee.value, "spelling", "")
        return callee if callee.name == "library" and spelling.startswith("opendp.") else None
    parts = callee.args if depth and callee.is_operation(">>") else []
    return next((found for one in parts if (found := _measurement(one, depth - 1)) is not None), None)


def _draws_in(term: Term, depth: int = 4) -> bool:
    """Whether a draw is among what a value is made of by arithmetic."""
    if term.kind is TermKind.DRAW:
        return True
    inner = depth and (term.kind is TermKind.OPERATION or term.is_call(("to", "type")))
    return bool(inner) and any(_draws_in(one, depth - 1) for one in term.args)


def _is_some_budget(term: Term) -> bool:
    return term.kind is TermKind.CONSTANT and isinstance(term.value, int | float) and term.value >= _LEAST_BUDGET
