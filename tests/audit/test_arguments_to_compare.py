"""At which arguments the reading of a proof is compared with the function."""

from __future__ import annotations

from types import SimpleNamespace

from dplint.audit.proving.compared import ValuesInScope
from dplint.claims import Span
from dplint.outcomes import ArgumentScope, Range
from dplint.program.nodes import Constant, Program, Return

SPAN = Span(1, 1, 1, 2)


def whole(name: str, low: float, high: float) -> ArgumentScope:
    return ArgumentScope(name, Range(low=low, high=high, above=False, integer=True))


def test_the_ends_of_two_ranges_come_in_every_combination_soon():
    scope = SimpleNamespace(arguments=(whole("T", 0, 4), whole("M", 2, 400), whole("free", 0, float("inf"))))
    session = SimpleNamespace(claimed=[SimpleNamespace(parameters=())], seed=5)
    program = Program("m", ("rng", "x"), (Return(Constant(1, SPAN), SPAN),), "x", "rng", (), frozenset(), SPAN)
    values = ValuesInScope(session, program, scope)
    chosen = [values.arguments(number) for number in range(8)]

    assert {(T, M) for T in (0, 4) for M in (2, 400)} <= {(one["T"], one["M"]) for one in chosen}
    assert all(one["free"] >= 0 and type(one["T"]) is int for one in chosen)
