"""What calls may not do, what aliases they make, and that every refusal says how to write it instead.

That what is lowered means what Python means is seen to by the cases of the conformance suite.
"""

from pathlib import Path

import pytest
from program_tools import lowered

from dplint.distributions import GENERATOR, LEGACY, PYTHON, draw_signatures, program_draws
from dplint.program.calls import FUNCTIONS, METHODS, SPECIAL, UPDATES
from dplint.program.meaning import function_of, method_of
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.concrete import run
from dplint.source.lowering.hints import DRAW_HINTS, FUNCTION_HINTS, METHOD_HINTS


def source(body: str) -> str:
    return f"def made(rng, queries, epsilon):\n    {body}"


CHANGING = {
    "out": "return np.clip(queries, 0, 1, out=queries)",
    "out of a method": "return np.array(queries).clip(0, 1, out=None)",
    "a second argument of exp": "return np.exp(queries, queries)",
    "a fourth argument of clip": "return np.clip(queries, 0, 1, queries)",
    "where": "return np.log(queries, where=queries)",
    "copy": "return np.array(queries, copy=False)",
    "copy of nan_to_num": "return np.nan_to_num(queries, copy=False)",
    "overwrite_input": "return np.median(queries, overwrite_input=True)",
}
ALIASES = {
    "a float64 of an array": "a = np.zeros(2)\n    b = np.float64(a)\n    b[0] = 5\n    return a",
    "a flipped view": "a = np.zeros(2)\n    b = np.flip(a)\n    b[0] = 5\n    return a",
    "a reshaped view": "a = np.zeros(2)\n    b = a.reshape(2)\n    b[0] = 5\n    return a",
    "no differences": "a = np.zeros(2)\n    b = np.diff(a, 0)\n    b[0] = 5\n    return a",
    "the default of get": "a = [1]\n    b = {}.get('k', a)\n    b.append(2)\n    return a",
    "the default of max": "a = [1]\n    b = max([], default=a)\n    b.append(2)\n    return a",
    "the start of a sum": "a = [1]\n    b = sum([], a)\n    b.append(2)\n    return a",
    "a row of a sum": "a = [1]\n    b = sum([[a]], [])\n    c = b[0]\n    c.append(2)\n    return a",
    "a row that was popped": "a = [1]\n    b = [a]\n    c = b.pop()\n    c.append(2)\n    return a",
    "a row that was sorted": "a = [1]\n    b = sorted([a], key=len)\n    c = b[0]\n    c.append(2)\n    return a",
    "the greatest row": "a = [1]\n    c = max([a], key=len)\n    c.append(2)\n    return a",
    "a row of a starred list": "a = [1]\n    b = [*[a], 2]\n    c = b[0]\n    c.append(2)\n    return a",
    "a default that was set": "a = [1]\n    d = {}\n    d.setdefault('k', a)\n    a.append(2)\n    return d",
    "a dict that was taken up": "a = [1]\n    d = {}\n    d.update({'k': a})\n    a.append(2)\n    return d",
    "the argument as an array": "queries = np.asarray(queries)\n    queries[0] = 5\n    return queries",
    "the argument in some runs": "if epsilon > 0:\n        queries = [*queries]\n    queries[0] = 5\n    return 1",
    "the argument in a loop": "for q in [1, 2]:\n        queries = [*queries]\n        queries[0] = 5\n    return 1",
}


@pytest.mark.parametrize("kind", CHANGING)
def test_arguments_that_make_a_call_change_something_are_refused(kind: str, tmp_path: Path) -> None:
    assert isinstance(lowered(source(CHANGING[kind]), tmp_path), Unsupported)


@pytest.mark.parametrize("kind", ALIASES)
def test_a_change_that_an_alias_would_show_is_refused(kind: str, tmp_path: Path) -> None:
    """In each, Python changes what two names hold."""
    program = lowered(source(ALIASES[kind]), tmp_path)

    assert isinstance(program, Program), program
    with pytest.raises(UnsupportedConstruct, match="a change in place of"):
        run(program, {"queries": [1, 2, 3], "epsilon": 1}, lambda *draw: pytest.fail("nothing is drawn"))


REFUSED = {
    "two arguments with a key": "return max(1, 2, key=abs)",
    "a key that is no function": "return sorted(queries, key=epsilon)",
    "a lambda with a default": "return sorted(queries, key=lambda q, r=1: q)",
    "draws in what is sorted": "return max([q + rng.laplace() for q in queries], key=abs)",
    "a key of sort": "out = list(queries)\n    out.sort(key=epsilon)\n    return out",
    "a reverse that is computed": "out = list(queries)\n    out.sort(reverse=epsilon > 1)\n    return out",
    "del of a part": "out = list(queries)\n    del out[1:]\n    return out",
    "a computed format": "return f'{epsilon:{queries}}'",
    "equals in an f-string": "return f'{epsilon=}'",
    "an attribute": "return queries.dtype",
    "an imported helper": "from other import helper\n    return helper(queries)",
    "a logger": "logger = 1\n    logger.info('x')\n    return 1",
    "a type": "return isinstance(epsilon, complex)",
    "shuffle": "rng.shuffle(queries)\n    return queries",
    "a sample with counts": "import random\n    return random.sample(queries, 2, counts=[1, 2])",
    "a raise with a cause": "raise ValueError('x') from epsilon",
    "an assignment to a table": "a = np.zeros((2, 2))\n    b = a[0]\n    a[0, 1] = 2\n    return b",
    "an unknown module": "import itertools\n    return list(itertools.groupby(queries))",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused_comes_with_a_way_to_write_it(kind: str, tmp_path: Path) -> None:
    found = lowered(source(REFUSED[kind]), tmp_path)

    assert isinstance(found, Unsupported), found
    assert found.hint


def test_the_vocabulary_names_what_there_is() -> None:
    for name in FUNCTIONS | SPECIAL:
        assert callable(function_of(name)), name
    receivers = ([], (), {}, "", 1, 1.0, __import__("numpy").zeros(1))
    for name in METHODS | UPDATES:
        assert any(hasattr(receiver, name) for receiver in receivers), name
        assert callable(method_of(name))


def test_hints_are_for_what_is_not_known() -> None:
    assert not FUNCTION_HINTS.keys() & FUNCTIONS
    assert not METHOD_HINTS.keys() & METHODS
    for family in (GENERATOR, LEGACY, PYTHON):
        unknown = draw_signatures(family).keys() - program_draws(family).keys()
        unknown |= {"shuffle", "triangular"}  # which is no value, and of NumPy it is known
        assert DRAW_HINTS.keys() & draw_signatures(family).keys() <= unknown


@pytest.mark.parametrize("call", ["plus(1, x=2)", "plus(y=1, x=2)", "plus(1, 2, y=3)", "plus(1, 2, 3)", "plus(1)"])
def test_arguments_that_python_refuses_are_in_no_program(call: str, tmp_path: Path) -> None:
    helper = "def plus(x, /, y):\n    return x + y\n\n"

    assert isinstance(lowered(helper + source(f"return {call}"), tmp_path), Unsupported)
    assert isinstance(lowered(helper + source("return plus(1, y=2)"), tmp_path), Program)
