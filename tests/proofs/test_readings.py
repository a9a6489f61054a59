"""The checker reads programs as CPython runs them: the mechanisms of the conformance suite, with draws that are known.

Its numbers are never rounded, so they may differ from floats by rounding; and nothing is compared where an unknown
function has a part in the output, or in what was decided.
"""

import copy
import math
from fractions import Fraction

import numpy as np
import pytest
import z3

from dplint.program.evaluator import evaluate
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.proofs.checker.paths import Paths
from dplint.proofs.checker.values import Entries, Items, Leaves, Mixed, exact, is_term, refuse
from dplint.proofs.checker.walking import Walk
from dplint_conformance import REFUSED_BY_ALL, all_cases, plain_outcomes, program_of, quiet, raised
from tests.examples import one_in

ABOUT_ROUNDING = {
    "sum_goes_from_left_to_right",
    "integers_of_floats",
    "int_arrays_wrap",
    "numpy_scalars_wrap",
    "float_overflows_to_infinity",
}
"""Cases in which floats lose digits or integers wrap: a proof is about real numbers."""
CASES = [case for case in all_cases() if case.name not in REFUSED_BY_ALL | ABOUT_ROUNDING]


class KnownDraws(Walk):
    """A run whose draws are those of a run of Python."""

    def __init__(self, replay):
        super().__init__(1, Paths([]), Leaves())
        self.replay = replay

    def draw(self, node, parameters, size, active, site):
        if not known(active):
            return 0  # no run is here
        given = {name: python(value) for name, value in parameters.items()}
        try:
            drawn = self.replay(node, given, None if size is None else python(size), site)
        except Exception as error:
            raise refuse("a draw that raises") from error
        self.numpy |= isinstance(drawn, np.generic)
        return number(drawn)


def number(value):
    """A value of Python as the checker has it."""
    if isinstance(value, np.ndarray):
        if value.ndim != 1 or value.dtype.kind not in "bif":
            raise refuse("an array of what are no numbers")
        return Items.of("array", map(number, value.tolist()))
    if isinstance(value, list | tuple):
        return Items.of(type(value).__name__, map(number, value))
    return exact(value.item() if isinstance(value, np.generic) else value)


def python(value):
    """A value of the checker as Python has it, arrays as ("array", items); refused where it is not known."""
    if isinstance(value, Mixed) or getattr(value, "kind", None) in ("range", "view"):
        raise refuse("a number of unknown type, or what can only be iterated over")
    if isinstance(value, Items):
        items = [python(one) for one, guard in zip(value.items, value.guards, strict=True) if known(guard)]
        return {"list": list, "tuple": tuple, "array": np.array}[value.kind](items)
    if isinstance(value, Entries):
        return {python(key): python(one) for key, one in zip(value.keys, value.values, strict=True)}
    if is_term(value):
        return known(value)
    return float(value) if isinstance(value, Fraction) else value


def known(value):
    """A constant term as a number."""
    if not is_term(value):
        return value
    value = z3.simplify(value)
    if z3.is_true(value) or z3.is_false(value):
        return z3.is_true(value)
    if z3.is_int_value(value):
        return value.as_long()
    if z3.is_rational_value(value):
        return float(value.as_fraction())
    raise refuse("an unknown function")


def outcome(program, arguments, replay):
    walk = KnownDraws(replay)
    evaluate(program, walk, {name: number(arguments[name]) for name in program.parameters})
    if not all(known(condition) for condition in [*walk.conditions, *walk.decider.regime]):
        raise refuse("an unknown function")
    (output,) = [one for one in walk.outputs if known(one.mask)]
    return ("output", python(output.value)) if output.kind == "value" else raised(output.kind)


def same(one, other):
    """Equal in type and value, numbers up to rounding; arrays in their values alone. A record is a dict here."""
    fields = getattr(one, "_fields", None) or getattr(one, "__dataclass_fields__", None)
    if fields is not None:
        one = {"": type(one).__name__, **{field: getattr(one, field) for field in fields}}
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True)
    if isinstance(one, np.generic):
        one = one.item()
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one), list(other)) and same(list(one.values()), list(other.values()))
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) if isinstance(one, float) else one == other


@pytest.mark.parametrize("case", one_in(3, CASES), ids=lambda case: case.name)
def test_the_checker_reads_programs_as_python_runs_them(case):
    program = program_of(case)
    if isinstance(program, Unsupported):
        return
    expected, replays = plain_outcomes(case, (1, 2))
    for right, replay in zip(expected, replays, strict=True):
        try:
            with quiet():
                found = outcome(program, copy.deepcopy(dict(case.arguments)), replay)
        except (UnsupportedConstruct, ValueError, TypeError):
            continue  # which the search takes for no proof
        assert same(right, found), f"Python: {right!r}, the checker: {found!r}"


def test_many_cases_are_followed():
    """Else the test above would compare nothing."""
    followed = 0
    for case in CASES[::10]:
        program = program_of(case)
        if isinstance(program, Unsupported):
            continue
        _, (replay,) = plain_outcomes(case, (1,))
        try:
            with quiet():
                outcome(program, copy.deepcopy(dict(case.arguments)), replay)
            followed += 1
        except UnsupportedConstruct:
            continue
    assert followed >= len(CASES) // 10 // 4
