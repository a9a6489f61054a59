"""What every interpretation of programs must pass, a new one too: it gives what CPython and NumPy give.

An interpretation is one way to execute a program (`dplint.program.interpretation`). The suite is some two thousand
small mechanisms, which are plain Python functions, and random ones from a grammar. CPython runs them with generators
that remember what they gave. An interpretation gets the same draws; it has to ask for them by the same distribution and
parameters, and has to give the same outputs, to the bit and to the type, or to refuse. An *adapter* calls it:

    from dplint_conformance import Outcome, Replay, raised, run_conformance_test

    def adapter(program, arguments, replays):
        try:
            return [... for replay in replays]      # ("output", value) or raised("ValueError"), one for each replay
        except UnsupportedConstruct as refused:
            return refused.unsupported

    def test_my_interpretation():
        run_conformance_test(adapter, refuses={"nan_in_lists"})

A replay is called for each draw, `replay(node, parameters, size, site)`, and returns what the function got. That an
interpretation passes is no proof that it is right.
"""

from dplint_conformance.cases import REFUSED_BY_ALL, all_cases
from dplint_conformance.harness import (
    Adapter,
    Case,
    Outcome,
    check,
    function_of,
    plain,
    plain_outcomes,
    program_of,
    quiet,
    raised,
)
from dplint_conformance.recording import Replay
from dplint_conformance.search import compare
from dplint_conformance.suite import Conformance, run_conformance_test

__all__ = [
    "REFUSED_BY_ALL",
    "Adapter",
    "Case",
    "Conformance",
    "Outcome",
    "Replay",
    "all_cases",
    "check",
    "compare",
    "function_of",
    "plain",
    "plain_outcomes",
    "program_of",
    "quiet",
    "raised",
    "run_conformance_test",
]
