"""The sites of draws as CPython has them: places from its frames, turns from counters that are put around its loops.

No code of an interpretation takes part: the function is compiled with every loop going through a counter, and a draw
looks up the stack who called it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import count, islice
from types import FrameType
from typing import Any

from dplint.claims import Span
from dplint.sites import DrawSite
from dplint_conformance.harness import Case, Outcome, claimed, outcome_of, quiet, sources_for
from dplint_conformance.recording import Given, redirected

FILE = "cases.py"
_NESTED = frozenset(["<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>"])
"""Frames of CPython that are a part of a function."""
_HELPERS = ("turns_of", "while_loop", "calls_of")


def python_sites(case: Case, seeds: Iterable[int]) -> list[tuple[Outcome, list[DrawSite]]]:
    """What the instrumented function does, and where it draws, for each seed."""
    found = []
    with redirected(), quiet():
        for seed in seeds:
            counters = Counters()
            namespace = {"__name__": "cases", **counters.names()}
            exec(_compiled(case.source), namespace)
            function = namespace[case.name]
            sources = sources_for(function, seed)
            sources.given = given = SitedDraws(counters)
            found.append((outcome_of(function, case.arguments, sources), given.sites))
    return found


@lru_cache(maxsize=50)
def _compiled(source: str) -> Any:
    tree = ast.fix_missing_locations(_Counting().visit(ast.parse(claimed(source))))
    return compile(tree, FILE, "exec", dont_inherit=True)


class Counters:
    """The turns of the loops that are open, in one run at a time."""

    def __init__(self) -> None:
        self.turns: list[int] = []

    def names(self) -> dict[str, Any]:
        """What an instrumented module calls."""
        return {name: getattr(self, name) for name in _HELPERS}

    def turns_of(self, iterable: Iterable[Any]) -> Iterator[Any]:
        """The items, each in a turn of its own. CPython closes it as soon as the loop is left."""
        turns = self.turns
        turns.append(-1)
        try:
            for turn, item in enumerate(iterable):
                turns[-1] = turn
                yield item
        finally:
            turns.pop()

    def while_loop(self) -> _While:
        """A context manager around a `while` loop."""
        return _While(self.turns)

    def calls_of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A lambda, each call of which is a turn."""
        numbers = count()

        def call(*given: Any) -> Any:
            self.turns.append(next(numbers))
            try:
                return function(*given)
            finally:
                self.turns.pop()

        return call


class _While:
    def __init__(self, turns: list[int]) -> None:
        self._turns = turns
        self._open = False

    def __enter__(self) -> _While:
        self._turns.append(-1)
        self._open = True
        return self

    def begin(self) -> bool:
        """Called before each test."""
        self._turns[-1] += 1
        return True

    def done(self) -> None:
        """The test came out false; an `else` is no turn."""
        self._turns.pop()
        self._open = False

    def __exit__(self, *_: object) -> None:
        if self._open:
            self.done()


class _Counting(ast.NodeTransformer):
    """Puts counters around all loops; what was there keeps its place in the source."""

    def __init__(self) -> None:
        self._whiles = 0

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _call("turns_of", node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _call("turns_of", node.iter)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """A lambda with a name is a function, and has a frame of its own."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=args, body=body)):
                returned = ast.copy_location(ast.Return(self.visit(body)), body)
                made = ast.FunctionDef(name, args, [returned], [], None, None)
                return ast.fix_missing_locations(ast.copy_location(made, node))
        self.generic_visit(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        return _call("calls_of", node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """What calls a function by its name on each item."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="map" | "filter" | "takewhile"), args=[ast.Name() as function, _]):
                node.args[0] = _call("calls_of", function)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        self._whiles += 1
        name = f"while_{self._whiles}"
        begin, done = (ast.parse(f"{name}.{method}()").body[0] for method in ("begin", "done"))
        assert isinstance(begin, ast.Expr)
        node.test = ast.copy_location(ast.BoolOp(ast.And(), [begin.value, node.test]), node.test)
        node.orelse = [done, *node.orelse]
        (whole,) = ast.parse(f"with while_loop() as {name}:\n    pass").body
        assert isinstance(whole, ast.With)
        whole.body = [node]
        return whole


def _call(name: str, argument: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [argument], []), argument)


class SitedDraws(list[Given]):
    """In place of `Sources.given`: notes for each draw where it was made."""

    def __init__(self, counters: Counters) -> None:
        super().__init__()
        self.sites: list[DrawSite] = []
        self._counters = counters

    def append(self, given: Given) -> None:
        *calls, span = _places(sys._getframe(1))
        self.sites.append(DrawSite(span, tuple(calls), tuple(self._counters.turns)))
        super().append(given)


def _places(frame: FrameType | None) -> list[Span]:
    """Where each of the open calls stands, the first one first."""
    inner: list[FrameType] = []
    while frame is not None:
        if frame.f_code.co_filename == FILE and frame.f_code.co_name != "<module>":
            inner.append(frame)
        frame = frame.f_back
    places: list[Span] = []
    for one in reversed(inner):
        if one.f_code.co_name in _NESTED:
            places.pop()
        places.append(_place(one))
    return places


def _place(frame: FrameType) -> Span:
    (found,) = islice(frame.f_code.co_positions(), frame.f_lasti // 2, frame.f_lasti // 2 + 1)
    line, end_line, column, end_column = found
    assert None not in found, found
    return Span(line, column + 1, end_line, end_column + 1)
