"""Programs and the rules' graph of values are read by two readers: on every draw they have to agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from dplint.program.nodes import Draw
from dplint.program.walk import refusals, walk
from dplint.rules import check_module
from dplint.rules.context import Context
from dplint.rules.flow.terms import TermKind
from dplint.rules.flow.vocabulary import scope_of
from dplint.source.lowering import lower
from dplint.source.read import read_source
from dplint_conformance import all_cases
from dplint_conformance.harness import claimed
from tests.rules.snippets import PREAMBLE, findings_of

TEXTS = list(dict.fromkeys(case.source for case in all_cases()))
PARTS = 6
TAKEN_FOR_NOISE = ("recursi", "calls_itself")
"""What calls itself counts as noise for the rules, so that they say nothing."""
OBJECTS = frozenset(
    [
        "object_of_a_class",
        "object_that_is_called",
        "object_of_a_derived_class",
        "object_by_a_class_method",
        "object_that_may_not_be_made",
        "object_that_is_used_up",
        "object_in_a_loop",
        "object_that_holds_others",
        "methods_that_return_early",
        "object_that_holds_arrays",
        "generator_among_attributes",
        "sums_in_a_tree",
        "calls_of_calls_as_statements",
        "object_of_two_base_classes",
        "noise_of_a_protocol",
        "chooser_of_a_type",
        "model_that_is_fitted",
        "model_that_is_fitted_in_each_turn",
        "model_that_is_fitted_on_a_line_of_its_own",
        "settings_of_an_object",
    ]
)
FUNCTIONS_AS_VALUES = frozenset(
    [
        "ring_in_a_helper",  # local functions that call one another, in a function that is called
        "functions_that_methods_are_given",
        "methods_of_a_generator_as_values",
        "function_as_default_of_a_constructor",
        "functions_as_defaults_of_methods",
    ]
)
"""Programs follow the methods of objects, and functions that lists hold; the rules take them for noise, or see none.

Of a function that is given a known member of an enumeration, programs have the branch alone that it leads to.
"""


def draws(text: str) -> Iterator[tuple[str, set[tuple[str, int, int]], set[tuple[str, int, int]]]]:
    """Of each function that is a program as a whole: its name, and its draws as programs and as rules have them."""
    source = read_source(Path("cases.py"), file="cases.py", text=claimed(text))
    assert source.module is not None
    scope = scope_of(source.module)
    for found in source.mechanisms:
        assert isinstance(found.node, cst.FunctionDef)
        program = lower(found.node, source.module, found.mechanism)
        if refusals(program):
            continue
        context = Context(scope, found.mechanism, found.node)
        terms = [one for one in context.graph.terms if one.kind is TermKind.DRAW and one.node is not None]
        spans = [(one.name, context.span(one.node)) for one in terms if one.node is not None]
        drawn = {(one.distribution, one.span.line, one.span.column) for one in walk(program) if isinstance(one, Draw)}
        of_rules = {(name, span.line, span.column) for name, span in spans}
        yield found.mechanism.qualname, drawn, of_rules


@pytest.mark.parametrize("part", range(PARTS))
def test_rules_see_the_draws_that_programs_have(part: int) -> None:
    count = 0
    for text in TEXTS[part::PARTS]:
        exempt = {name for name in OBJECTS | FUNCTIONS_AS_VALUES if f"def {name}(" in text}
        for name, of_program, of_rules in draws(text):
            count += bool(of_program)
            if name in exempt:
                exempt.remove(name)
                continue
            missed, more = of_program - of_rules, {one[0] for one in of_rules - of_program}
            assert not missed, (name, missed)
            assert not more or (more == {"unknown"} and any(word in name for word in TAKEN_FOR_NOISE)), (name, more)
        assert not exempt, "each is a program"
    assert count > 300 / PARTS


def test_what_is_exempt_is_among_the_cases() -> None:
    for name in OBJECTS | FUNCTIONS_AS_VALUES:
        assert any(f"def {name}(" in text for text in TEXTS), name


OPTIONAL = """
@dp(epsilon="epsilon", neighbors="l1")
def release(answers, epsilon, rng=None):
    {made}
    return answers[0] + rng.laplace(scale=0.5 * epsilon)
"""


@pytest.mark.parametrize(
    "made",
    [
        "if rng is None:\n        rng = np.random.default_rng()",
        "rng = np.random.default_rng() if rng is None else rng",
        "rng = rng or np.random.default_rng()",
    ],
)
def test_a_generator_that_is_made_where_none_is_given_is_one(made: str) -> None:
    found = findings_of(PREAMBLE + OPTIONAL.format(made=made))

    assert "DP101" in {one.code for one in found}


def test_a_generator_that_another_module_keeps_is_one(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(
        "import numpy as np\nRNG = np.random.default_rng()\nSEEDED = np.random.default_rng(3)\n"
    )
    (tmp_path / "between.py").write_text("from shared import RNG as KEPT\n")
    for held, place in (("RNG", "shared"), ("KEPT", "between")):
        for call, line in ((held, f"from {place} import {held}"), (f"{place}.{held}", f"import {place}")):
            text = f"{line}\n{PREAMBLE}{OPTIONAL.format(made='pass')}".replace("rng.laplace", f"{call}.laplace")
            path = tmp_path / "m.py"
            path.write_text(text)
            source = read_source(path, file="m.py")
            assert source.module is not None

            found = check_module(source.module, source.mechanisms, "m.py")

            assert "DP101" in {one.code for one in found}, call
