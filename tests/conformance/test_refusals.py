"""What an interpretation cannot do is never taken for what the mechanism does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from dplint.claims import Span
from dplint.program.nodes import Draw, Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct, unsupported
from dplint.readings.symbolic import UNKNOWN
from dplint.readings.symbolic.arithmetic import Noise
from dplint.readings.symbolic.interpretation import SymbolicInterpretation
from dplint.sites import DrawSite
from dplint_conformance.harness import Adapter, Case, plain_outcomes, program_of
from dplint_conformance.recording import Replay
from tests.conformance.adapters import INTERPRETATIONS

SOURCE = """
def made(rng, x):
    noise = rng.laplace(scale=x)
    if noise > 1:
        raise ValueError
    return x + rng.random()
"""
CASE = Case("made", SOURCE, {"x": 2.0})
RUNS = 12


class Refusing(Replay):
    """Does not know one distribution."""

    distribution = "laplace"

    def __call__(self, node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        if node.distribution == self.distribution:
            raise unsupported(f"the density of {node.distribution}", node.span)
        return super().__call__(node, parameters, size, site)


class RefusingLater(Refusing):
    """In those runs only that come to the second draw."""

    distribution = "random"


@pytest.mark.parametrize("refusing", [Refusing, RefusingLater])
@pytest.mark.parametrize("share", [1, 2], ids=["all runs", "every second run"])
@pytest.mark.parametrize("read", INTERPRETATIONS)
def test_a_refusal_inside_of_a_draw_is_no_output(read: Adapter, share: int, refusing: type[Refusing]) -> None:
    program = program_of(CASE)
    assert isinstance(program, Program)
    _, replays = plain_outcomes(CASE, range(RUNS))
    some = [refusing(one.sources) if number % share == 0 else one for number, one in enumerate(replays)]

    found = read(program, CASE.arguments, some)

    assert isinstance(found, Unsupported), found
    assert found.construct == f"the density of {refusing.distribution}"
    assert found.span.line == (4 if refusing is Refusing else 7)


def test_a_refusal_inside_of_an_operation_on_terms_is_no_output() -> None:
    span = Span(3, 1, 3, 9)

    def refuse() -> None:
        raise unsupported("a term", span)

    def fail() -> None:
        raise ValueError

    symbolic = SymbolicInterpretation(Noise(free=False), 8)
    with pytest.raises(UnsupportedConstruct, match="a term at line 3"):
        symbolic.guard(refuse, (), True, span)
    assert symbolic.alive(True) is True

    assert symbolic.guard(fail, (), True, span) is UNKNOWN, "the mechanism's own exception ends its runs"
    assert symbolic.alive(True) is False
