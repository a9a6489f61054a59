"""Algorithm 4: the solver reaches what only certain arguments reach, and says truly why it chose them."""

import re
from pathlib import Path

import pytest

from dplint.check.reading import Target, read_file
from dplint.config import Settings
from dplint.inputs.arguments import choose_arguments, simple_arguments
from dplint.inputs.pairs import choose_pairs
from dplint.program import Program, Unsupported

ROOT = Path(__file__).resolve().parents[2]

GUILTY = {
    "histogram_verbose_leaks": lambda a: a["verbose"] is True,
    "report_mode_leaks": lambda a: a["mode"] == "raw",
    "choose_leaks": lambda a: a["tie_break"] == "first",
    "capped_sum_leaks": lambda a: a["cap"] > 1000,
    "far_threshold_leaks": lambda a: a["T"] < -50,
    "refined_sum_leaks": lambda a: a["rounds"] >= 6,
    "windowed_sum_leaks": lambda a: a["window"] == 3 * a["step"] and a["step"] > 1,
    "block_sum_leaks": lambda a: a["block"] % 11 == 7,
    "nested_leaks": lambda a: a["high"] - a["low"] > 20 and a["low"] > 4,
    "paged_leaks": lambda a: a["page"] == a["pages"] - 1 and a["page"] > 0,
}
"""What the bug needs, from the table in fixtures/arguments/README.md."""


def targets(folder):
    found = {}
    for path in sorted((ROOT / "fixtures" / folder).glob("*.py")):
        for item in read_file(path, Settings()):
            assert isinstance(item, Target), item
            found[item.mechanism.qualname] = item
    return found


ARGUMENTS = targets("arguments")
STATDP = targets("statdp")


def values(choice):
    return {a.name: a.value for a in choice.arguments}


def chosen(target, epsilon=0.7):
    fixed = {"epsilon": epsilon}
    return choose_arguments(target.program, target.mechanism, choose_pairs(target.mechanism), fixed)


def test_the_table_names_every_wrong_fixture():
    assert set(GUILTY) == {name for name in ARGUMENTS if name.endswith("_leaks")}


@pytest.mark.parametrize("name", GUILTY)
def test_the_solver_reaches_the_bug(name):
    """Among the six choices that an audit screens, one meets the condition that the table states."""
    assert any(GUILTY[name](values(choice)) for choice in chosen(ARGUMENTS[name]).choices[:6])


def test_simple_values_miss_most_of_them():
    """The comparison of the documentation: without the solver, most bugs stay hidden."""
    reached = [
        name
        for name, guilty in GUILTY.items()
        if any(guilty(values(c)) for c in simple_arguments(ARGUMENTS[name].mechanism, {"epsilon": 0.7}).choices)
    ]

    assert len(reached) < len(GUILTY) / 2


@pytest.mark.parametrize("name", ["svt", "isvt1", "isvt2", "isvt3", "isvt4"])
def test_threshold_and_count_of_sparse_vector(name):
    """N ends the loop at once and keeps the noise least; T lies where noise-free answers fall on both sides of it."""
    first = values(chosen(STATDP[name]).choices[0])

    assert first.get("N", 1) == 1
    assert 0 <= first["T"] <= 2


@pytest.mark.parametrize("name", ["isvt1", "isvt2"])
def test_the_reason_counts_comparisons_that_really_differ(name):
    """ "10 of 10 comparisons differ": recounted in plain Python, with no noise, over the pairs of the patterns."""
    target = STATDP[name]
    (choice, *_) = chosen(target).choices
    (why,) = {a.why for a in choice.arguments if a.name == "T"}
    differ, reached = map(int, re.fullmatch(r"(\d+) of (\d+) comparisons differ", why).groups())
    threshold = values(choice)["T"]

    counts = {
        (sum((a >= threshold) != (b >= threshold) for a, b in zip(p.d1, p.d2, strict=True)), len(p.d1))
        for p in choose_pairs(target.mechanism)
    }

    assert (differ, reached) in counts
    assert differ == max(count for count, _ in counts)


def test_every_mechanism_of_the_family_is_read_without_an_unsupported_construct():
    assert all(isinstance(target.program, Program) for target in [*STATDP.values(), *ARGUMENTS.values()])


def test_the_same_input_gives_the_same_choices():
    target = ARGUMENTS["windowed_sum_leaks"]

    assert chosen(target) == chosen(target)


def test_without_a_program_the_choice_says_so():
    source = STATDP["svt"]
    refused = Unsupported("a lambda", source.mechanism.span)
    found = choose_arguments(refused, source.mechanism, choose_pairs(source.mechanism), {"epsilon": 0.7})

    assert not found.solver_used
    assert 1 < len(found.choices) <= 8
    assert all("a lambda" in a.why for choice in found.choices for a in choice.arguments)
