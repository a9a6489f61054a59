"""Hooks: when they are called, what they see, and what they may do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from program_tools import lowered, module_text

from dplint.program.evaluator import evaluate
from dplint.program.interpretation import LiveVariables
from dplint.program.nodes import For, If, Program, Statement, While
from dplint.readings.concrete import ConcreteInterpretation

SOURCE = """
def _centre(rng, ys):
    total = 0.0
    for y in ys:
        total += y
    return total / len(ys)

def _noisy(rng, y):
    z = y + rng.laplace()
    return z

def made(rng, xs, t):
    c = _centre(rng, xs)
    out = []
    for x in xs:
        if x > t:
            out.append(_noisy(rng, x))
        else:
            continue
    while len(out) < 2:
        out.append(c)
    return out
"""
LINES = module_text(SOURCE).splitlines()


class Noting:
    """What the hooks are told: the line, and by number of calls around it what is live."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, dict[tuple[int, str], Any]]] = []

    def after_statement(self, statement: Statement, active: bool, live: LiveVariables[Any, bool]) -> None:
        assert active
        self._note("after", statement, live)

    def entering_loop(self, node: For | While, iterable: Any, active: bool, live: LiveVariables[Any, bool]) -> None:
        assert active
        self._note(f"entering with {iterable}", node, live)

    def _note(self, what: str, node: Statement, live: LiveVariables[Any, bool]) -> None:
        values = {key: binding.value for key, binding in live.bindings().items()}
        self.told.append((what, LINES[node.span.line - 1].strip(), values))


def program_of(source: str, folder: Path) -> Program:
    program = lowered(source, folder)
    assert isinstance(program, Program), program
    return program


def test_what_hooks_are_told_and_when(tmp_path: Path) -> None:
    noting, one = Noting(), ConcreteInterpretation(lambda *_: 0.5, 10)

    evaluate(program_of(SOURCE, tmp_path), one, {"xs": [1.0, 3.0], "t": 2}, hooks=noting)

    caller = {(0, "t"): 2, (0, "xs"): [1.0, 3.0]}
    mean = {(1, "ys"): [1.0, 3.0]}
    loop = {(0, "c"): 2.0, (0, "t"): 2}
    assert noting.told == [
        ("after", "total = 0.0", {**caller, **mean, (1, "total"): 0.0}),
        ("entering with [1.0, 3.0]", "for y in ys:", {**caller, **mean, (1, "total"): 0.0}),
        ("after", "total += y", {**caller, **mean, (1, "total"): 1.0}),
        ("after", "total += y", {**caller, **mean, (1, "total"): 4.0}),
        ("after", "for y in ys:", {**caller, **mean, (1, "total"): 4.0}),
        # Not after `return`, which leads nowhere.
        ("after", "c = _centre(rng, xs)", {**caller, (0, "c"): 2.0}),
        ("after", "out = []", {**caller, (0, "c"): 2.0, (0, "out"): []}),
        ("entering with [1.0, 3.0]", "for x in xs:", {**loop, (0, "out"): []}),
        # Nor after `continue`, nor after an `if` that every run has left so.
        # Nor inside of a helper function that is called in the middle of a statement.
        ("after", "out.append(_noisy(rng, x))", {**loop, (0, "out"): [3.5]}),
        ("after", "if x > t:", {**loop, (0, "out"): [3.5]}),
        ("after", "for x in xs:", {(0, "c"): 2.0, (0, "out"): [3.5]}),
        ("entering with None", "while len(out) < 2:", {(0, "c"): 2.0, (0, "out"): [3.5]}),
        ("after", "out.append(c)", {(0, "c"): 2.0, (0, "out"): [3.5, 2.0]}),
        ("after", "while len(out) < 2:", {(0, "out"): [3.5, 2.0]}),
    ]
    assert one.result.output == [3.5, 2.0]


def test_hooks_may_replace_what_a_live_variable_holds(tmp_path: Path) -> None:
    class Replacing(Noting):
        def after_statement(self, statement: Statement, active: bool, live: LiveVariables[Any, bool]) -> None:
            for binding in live.bindings().values():
                if isinstance(binding.value, float):
                    binding.value *= 10

    source = "def made(rng, xs):\n    x = xs[0]\n    y = x + rng.laplace()\n    return y"
    one = ConcreteInterpretation(lambda *_: 0.5, 10)

    evaluate(program_of(source, tmp_path), one, {"xs": [1.0]}, hooks=Replacing())

    assert one.result.output == 105.0


def test_a_loop_may_be_walked_once_from_any_state(tmp_path: Path) -> None:
    """As a proof by induction needs it: forget the state before the loop, take one turn, look at the state after it."""
    source = "def made(rng, xs):\n    n = 0\n    for x in xs:\n        n = 2 * n + 1\n    return n"

    class Turn(ConcreteInterpretation):
        before: dict[tuple[int, str], Any]
        after: dict[tuple[int, str], Any]

        def after_statement(self, statement: Statement, active: bool, live: LiveVariables[Any, bool]) -> None:
            pass

        def entering_loop(self, node: For | While, iterable: Any, active: bool, live: LiveVariables[Any, bool]) -> None:
            self.live = live
            live.bindings()[0, "n"].value = 20

        def iterate(self, value: Any, active: bool, span: Any) -> Any:
            yield value[0], True
            self.after = {key: binding.value for key, binding in self.live.bindings().items()}

    one = Turn(lambda *_: 0.0, 10)

    evaluate(program_of(source, tmp_path), one, {"xs": [1.0] * 1000}, hooks=one)

    assert one.after == {(0, "n"): 41}
    assert one.result.output == 41


def test_hooks_may_end_runs(tmp_path: Path) -> None:
    class Ending(ConcreteInterpretation):
        def after_statement(self, statement: Statement, active: bool, live: LiveVariables[Any, bool]) -> None:
            if isinstance(statement, If):
                self.raised("ValueError", ("impossible",), active, statement.span)

        def entering_loop(self, *_: Any) -> None:
            raise AssertionError("the run has ended before")

    source = """
    def made(rng, xs):
        x = 0
        if xs[0] > 0:
            x = 1
        for y in xs:
            x += y
        return x
    """
    one = Ending(lambda *_: 0.0, 10)

    evaluate(program_of(source, tmp_path), one, {"xs": [1.0]}, hooks=one)

    assert one.result.exception == ("ValueError", ("impossible",))


def test_what_hooks_raise_is_passed_on(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    class Raising(Noting):
        def after_statement(self, *_: Any) -> None:
            raise Enough

    with pytest.raises(Enough):
        evaluate(
            program_of("def made(rng, xs):\n    x = xs[0]\n    return x", tmp_path),
            ConcreteInterpretation(lambda *_: 0.0, 10),
            {"xs": [1.0]},
            hooks=Raising(),
        )
