"""The exact interpretation: all paths of a program side by side, each with the weight of the draws that take it.

A comparison of noise that can come out both ways splits its path. Paths with equal futures are merged after each
statement (`merging`), so that loops over data do not multiply them. The method is elimination of continuous variables
with path merging, as in symbolic inference for probabilistic programs (Gehr, Misailovic and Vechev, "PSI: Exact
Symbolic Inference for Probabilistic Programs", CAV 2016), on the linear programs that mechanisms are.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dplint.claims import Literal, Span
from dplint.program.meaning import AUGMENTED, BINARY, COMPARE, UNARY, function_of, keywords_of, method_of
from dplint.program.nodes import Draw, Expression, For
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.readings.exact import operations
from dplint.readings.exact.affine import NotFollowed, Undecided, is_noisy, key_of
from dplint.readings.exact.draws import draw_ways
from dplint.readings.exact.operations import EXTREMES, FUNCTIONS, METHODS
from dplint.readings.exact.paths import Mask, Paths, TooMuchWork, Value
from dplint.readings.exact.weights import Weight, all_ways, extremes
from dplint.sites import DrawSite


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception as an output; messages are not told apart."""

    exception: str


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a run ends: its output, and the weight of the draws that lead to it."""

    output: Any
    weight: Weight


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is computed before it is given up, counted in steps, so that it is the same on every machine.

    paths: at a time. steps: operations on single paths.
    """

    paths: int = 40_000
    steps: int = 1_000_000


class ExactInterpretation(Paths):
    """See the module. endings: what the walk has found; several may have equal outputs.

    messages: those of the exceptions that the program raises itself, by kind.
    """

    def __init__(self, limits: Limits, check: Callable[[], None] = lambda: None) -> None:
        super().__init__(limits.paths)
        self.endings: list[Ending] = []
        self.messages: dict[str, set[Hashable]] = defaultdict(set)
        self.pinned: list[Value] = []
        self.steps = 0
        self._limits = limits
        self._check = check
        self._draws: dict[tuple[DrawSite, int, bool], int] = {}

    @property
    def fuel(self) -> int:
        """How many turns of one `while` loop are followed."""
        return 1_000

    # what is done path by path

    def each(self, active: Mask, values: Sequence[Value], function: Callable[..., Any], span: Span) -> Value:
        """The function of the values in all active paths; it may compare noise. It raises NotFollowed, or gives up."""
        with _Refusals(span):
            if all(value.table is None for value in values):
                try:
                    return Value(function(*[value.object for value in values]))
                except Undecided:
                    pass
                except (UnsupportedConstruct, MemoryError):
                    raise
                except Exception as raised:
                    return self._raise(raised, active, values, span)
            return self._by_path(active, values, function, span)

    def _by_path(self, active: Mask, values: Sequence[Value], function: Callable[..., Any], span: Span) -> Value:
        table: dict[int, Any] = {}
        known: dict[tuple[int, ...], Any] = {}
        failed: list[tuple[int, Exception]] = []
        for leaf in self.leaves(active):
            objects = [self.get(value, leaf) for value in values]
            # Paths that share their objects share the result, if no comparison had to be decided.
            ids = tuple(map(id, objects))
            if ids in known:
                table[leaf] = known[ids]
                continue
            self._step()
            try:
                ways, decided = all_ways(self.weights[leaf], lambda: function(*objects))  # noqa: B023
                self._follow(leaf, ways, table)
                if not decided:
                    known[ids] = table[leaf]
            except (UnsupportedConstruct, MemoryError):
                raise
            except Exception as error:
                failed.append((leaf, error))
        for leaf, exception in failed:
            self._raise(exception, frozenset([leaf]), values, span)
        return Value(table=table)

    def _follow(self, leaf: int, ways: Sequence[tuple[Weight, Any]], table: dict[int, Any]) -> None:
        """Split a path into the ways in which something comes out."""
        if len(ways) == 1:
            ((self.weights[leaf], table[leaf]),) = ways
            return
        children = self.split(leaf, [weight for weight, _ in ways])
        for child, (_, result) in zip(children, ways, strict=True):
            table[child] = result

    def _raise(self, error: Exception, active: Mask, values: Sequence[Value], span: Span) -> Value:
        """An exception of the mechanism's own; of one with noise nobody knows whether numbers would raise it, too."""
        if isinstance(error, NotFollowed | UnsupportedConstruct | TooMuchWork):
            raise error
        if any(is_noisy(self.get(value, leaf)) for leaf in self.leaves(active) for value in values):
            raise NotFollowed(f"an operation on noise that ends in {type(error).__name__}")
        self.raised(type(error).__name__, (), active, span)
        return Value(None)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._limits.steps:
            raise TooMuchWork(f"more than {self._limits.steps:,} steps")
        if self.steps % 256 == 0:
            self._check()

    # values

    def constant(self, value: Literal) -> Value:
        """The value itself."""
        return Value(copy.copy(value))

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """The paths in which it is true."""
        found = self.each(active, [value], lambda x: operations.truth(x) if is_noisy(x) else bool(x), span)
        if found.table is None:
            return self.everywhere() if found.object else self.nowhere()
        return frozenset(leaf for leaf, holds in found.table.items() if holds)

    def from_mask(self, mask: Mask) -> Value:
        """True in these paths."""
        inside = self.leaves(mask)
        return Value(table={leaf: leaf in inside for leaf in self.weights})

    def select(self, mask: Mask, new: Value, old: Value, span: Span | None = None) -> Value:  # noqa: ARG002
        """New in the paths of the mask, old in the others."""
        return super().select(mask, new, old)

    def mutable(self, value: Value) -> bool:
        """Whether it is a list, dict or array in any path."""
        objects = [value.object] if value.table is None else value.table.values()
        return any(operations.is_mutable(one) for one in objects)

    def unary(self, operator: str, operand: Value, active: Mask, span: Span) -> Value:
        """Python's operator."""
        plain = UNARY[operator]
        return self.each(active, [operand], lambda x: operations.unary(operator, x) if is_noisy(x) else plain(x), span)

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Python's operator."""
        return self.each(active, [left, right], _operator(operator, BINARY[operator], operations.binary), span)

    def augmented(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Python's operator, on a copy."""

        def plain(x: Any, y: Any) -> Any:
            operations.refuse_rows(x)
            return AUGMENTED[operator](copy.copy(x), y)

        def noisy(symbol: str, x: Any, y: Any) -> Any:
            if operations.is_mutable(x) and not (isinstance(x, list) and isinstance(y, list)):
                raise NotFollowed(f"`{symbol}=` on an array with noise", "make a new array")
            return operations.binary(symbol, x, y)

        found = self.each(active, [left, right], _operator(operator, plain, noisy), span)
        return self._kept(active, found, left)

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Python's operator."""
        return self.each(active, [left, right], _operator(operator, COMPARE[operator], operations.compare), span)

    # containers

    def list_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:
        """A new list."""
        return self.each(active, elements, lambda *items: list(items), span)

    def tuple_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:
        """A tuple."""
        return self.each(active, elements, lambda *items: tuple(items), span)

    def dict_display(self, keys: Sequence[Literal], values: Sequence[Value], active: Mask, span: Span) -> Value:
        """A dict."""
        return self.each(active, values, lambda *items: dict(zip(keys, items, strict=True)), span)

    def slice(self, start: Value | None, stop: Value | None, step: Value | None, span: Span) -> Value:
        """Python's slice."""
        none = Value(None)
        return self.each(self.everywhere(), [start or none, stop or none, step or none], slice, span)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """An item."""

        def item(container: Any, key: Any) -> Any:
            noisy = is_noisy(container) or is_noisy(key)
            return operations.subscript(container, key) if noisy else operator.getitem(container, key)

        return self.each(active, [value, index], item, span)

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """A copy with one item replaced, in the active paths."""

        def changed(container: Any, key: Any, new: Any) -> Any:
            operations.refuse_rows(container)
            if is_noisy(container) or is_noisy(key) or is_noisy(new):
                return operations.changed_item(container, key, new)
            copied = copy.copy(container)
            copied[key] = new
            return copied

        return self._kept(active, self.each(active, [value, index, item], changed, span), value)

    def update(self, value: Value, method: str, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
        """A copy, changed by the method, in the active paths."""

        def changed(container: Any, *given: Any) -> Any:
            if is_noisy(container) or is_noisy(given):
                return operations.updated(container, method, given)
            copied = copy.copy(container)
            getattr(copied, method)(*given)
            return copied

        return self._kept(active, self.each(active, [value, *arguments], changed, span), value)

    def unpack(self, value: Value, count: int, active: Mask, span: Span) -> Sequence[Value]:
        """The items."""

        def items(container: Any) -> list[Any]:
            found = list(container)
            if len(found) != count:
                raise ValueError
            return found

        whole = self.each(active, [value], items, span)
        active = self.alive(active)
        return [self.each(active, [whole], operator.itemgetter(index), span) for index in range(count)]

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """The items in order; paths with different items left are not merged meanwhile."""
        whole = self.each(active, [value], list, span)
        if whole.table is None and not is_noisy(whole.object):
            for item in whole.object or ():
                yield Value(item), self.everywhere()
            return
        if whole.table is None:
            whole = Value(table=dict.fromkeys(self.leaves(active), whole.object))
        assert whole.table is not None
        self.pinned.append(whole)
        try:
            for index in range(max((len(items) for items in whole.table.values() if items is not None), default=0)):
                having = {node: items[index] for node, items in whole.table.items() if items and len(items) > index}
                yield Value(table=having), frozenset(having)
        finally:
            self.pinned.remove(whole)

    # calls and draws

    def call(
        self, function: str, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask, span: Span
    ) -> Value:
        """The function itself, or what it means on noise."""
        if function == "record":
            raise unsupported("a dataclass or named tuple as the output", span, "return a dict or a tuple")
        called = function_of(function)
        return self._function(function, called, FUNCTIONS, arguments, keywords, active, span)

    def method(
        self,
        receiver: Value,
        method: str,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
        span: Span,
    ) -> Value:
        """The method itself, or what it means on noise."""
        return self._function(method, method_of(method), METHODS, [receiver, *arguments], keywords, active, span)

    def _function(
        self,
        name: str,
        plain: Callable[..., Any],
        noisy: Mapping[str, Callable[..., Any]],
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
        span: Span,
    ) -> Value:
        values, names, count = [*arguments, *keywords.values()], list(keywords), len(arguments)

        def run(*objects: Any) -> Any:
            given = keywords_of(dict(zip(names, objects[count:], strict=True)))
            if not is_noisy(objects):
                return plain(*objects[:count], **given)
            if name in EXTREMES and not names:
                return _Extreme(*EXTREMES[name], operations.extreme_items(objects))
            if name not in noisy:
                raise NotFollowed(f"`{name}` of a noisy value", "noise may be added, scaled and compared")
            return noisy[name](*objects[:count], **given)

        found = self.each(active, values, run, span)
        with _Refusals(span):
            return self._without_extremes(found, active)

    def _without_extremes(self, value: Value, active: Mask) -> Value:
        """Split the paths in which a largest or smallest value is asked for."""
        if not any(isinstance(x, _Extreme) for x in ([value.object] if value.table is None else value.table.values())):
            return value
        table: dict[int, Any] = {}
        for leaf in self.leaves(active):
            asked = self.get(value, leaf)
            if isinstance(asked, _Extreme):
                self._step()
                ways = extremes(self.weights[leaf], asked.items, asked.sign, index=asked.index)
                self._follow(leaf, ways, table)
            else:
                table[leaf] = asked
        return Value(table=table)

    def draw(
        self, node: Draw, parameters: Mapping[str, Value], size: Value | None, active: Mask, site: DrawSite
    ) -> Value:
        """New draws: noise as a name, a few possible values as paths of their own."""
        names = list(parameters)
        values = [*parameters.values(), size or Value(None)]
        table: dict[int, Any] = {}
        with _Refusals(node.span):
            for leaf in self.leaves(active):
                self._step()
                objects = [self.get(value, leaf) for value in values]
                given = dict(zip(names, objects[:-1], strict=True))
                ways = draw_ways(node, given, objects[-1], self.weights[leaf], functools.partial(self._name, site))
                self._follow(leaf, ways, table)
        return Value(table=table)

    def _name(self, site: DrawSite, index: int, whole: bool) -> int:
        number = len(self._draws) + 1
        return self._draws.setdefault((site, index, whole), -number if whole else number)

    # what happens

    def branch(self, condition: Mask, active: Mask, node: Expression | For) -> None:
        """Nothing to note."""

    def returned(self, value: Value, active: Mask, span: Span) -> None:  # noqa: ARG002
        """Outputs."""
        leaves = self.leaves(active)
        self.endings.extend(Ending(self.get(value, leaf), self.weights[leaf]) for leaf in sorted(leaves))
        self.end(leaves)

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None:
        """An exception is an output, too."""
        leaves = self.leaves(active)
        for leaf in leaves:
            message = [self.get(argument, leaf) for argument in arguments]
            if is_noisy(message):
                raise unsupported("an exception whose message has noise in it", span)
            self.messages[exception].add(key_of(message))
        self.endings.extend(Ending(Raised(exception), self.weights[leaf]) for leaf in sorted(leaves))
        self.end(leaves)

    def exhausted(self, active: Mask, span: Span) -> None:  # noqa: ARG002
        """A loop without an end in sight is refused."""
        raise unsupported("a loop that need not end", span, "bound the number of its turns")

    def _kept(self, active: Mask, new: Value, old: Value) -> Value:
        return new if self.always(active) else self.select(active, new, old)


@dataclass(frozen=True, slots=True)
class _Extreme:
    """A largest or smallest value that has been asked for, before the ways are followed."""

    sign: int
    index: bool
    items: list[Any]


class _Refusals:
    """Gives what is not followed its place."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NotFollowed):
            raise unsupported(error.construct, self._span, error.hint) from error
        if isinstance(error, TooMuchWork):
            raise unsupported(f"a computation that is too long ({error})", self._span) from error


def _operator(
    symbol: str, plain: Callable[[Any, Any], Any], noisy: Callable[[str, Any, Any], Any]
) -> Callable[[Any, Any], Any]:
    return lambda x, y: noisy(symbol, x, y) if is_noisy(x) or is_noisy(y) else plain(x, y)
