"""The source of a generated test, for mechanisms of all shapes; `test_report_pytest_test_runs` runs real ones."""

import re
import subprocess
import sys
import types
from dataclasses import replace

import pytest

from dplint.claims import Parameter, ParameterKind
from dplint.outcomes import Argument, Bounds, Result
from dplint.report.pytest_test import pytest_test
from tests.report.report_samples import (
    FAILED,
    LISTS,
    MIXED,
    NO_VIOLATION,
    PROVED,
    RECORDS,
    RESULTS,
    ROWS,
    SCALAR,
    UNTESTABLE,
    anytime_violation,
    mechanism,
    violation,
    with_counts,
)  # fmt: skip

SIMPLE = RESULTS[0]
UNSEEDED = "# The function's randomness has no seed that could be set here: so different"
RAISING = Result(
    replace(mechanism("careful"), source_lines=("def careful(rng, queries, epsilon):", "    raise ValueError('no')")),
    violation(event="type(output).__name__ == 'ValueError' and str(output) == 'it\"s no'"),
)


def changed(result, data=None, **fields):
    """The result with other fields of the mechanism, and another annotation of its data."""
    parameters = tuple(
        replace(one, annotation=data) if one.name == "queries" else one for one in result.mechanism.parameters
    )
    return replace(result, mechanism=replace(result.mechanism, **{"parameters": parameters, **fields}))


def text_of(result):
    file = pytest_test(result)
    assert file is not None
    return file.text


def test_the_file_is_named_after_the_mechanism():
    file = pytest_test(changed(SIMPLE, qualname="Counter.byDecade"))
    assert (file.name, file.file_name) == ("test_counter_bydecade_privacy", "test_counter_bydecade_privacy.py")
    assert "\nfrom release import Counter\n" in file.text
    assert " output = Counter.byDecade(rng=rng, queries=list(data), epsilon=0.7, T=1, N=1)\n" in file.text
    assert "\ndef test_counter_bydecade_privacy():\n" in file.text


def test_the_whole_of_one():
    text = text_of(Result(mechanism(), violation(count1=340_000)))
    assert (
        text
        == '''\
"""noisy_max must keep its promise of privacy.

The promise: whoever sees an output learns little about which of two neighbouring inputs
it came from. Any set of outputs is at most exp(0.7) = 2.01 times as likely on one as on
the other. Two inputs are neighbours if no number of one differs by more than 1 from its
counterpart in the other. dplint has found two, D1 and D2, and a set of outputs that is
likelier than that on D1. This test counts how often the outputs lie in it.
"""

import math

import numpy as np

from release import noisy_max

RUNS = 1_000
D1 = [1.0, 1.0, 2.0, 1.0, 1.0]
D2 = [1.0, 1.0, 1.0, 1.0, 1.0]


def is_in_event(data, rng):
    """Whether the output of one run lies in the set of outputs."""
    output = noisy_max(rng=rng, queries=list(data), epsilon=0.7, T=1, N=1)
    return bool(output < 0.5)


def test_noisy_max_privacy():
    rng = np.random.default_rng(0)
    count1 = count2 = 0
    for _ in range(RUNS):
        count1 += is_in_event(D1, rng)
        count2 += is_in_event(D2, rng)
    allowed = math.exp(0.7) * count2
    # What chance may add: a function that keeps its promise exceeds it less often than in
    # one of a million such tests (Chernoff's bound for the two counts).
    slack = 175
    assert count1 <= allowed + slack
'''
    )


@pytest.mark.parametrize(
    ("annotation", "name", "body", "seeded"),
    [
        (None, "rng", "rng.laplace()", "rng = np.random.default_rng(0)"),
        ("np.random.RandomState", "rng", "", "rng = np.random.RandomState(0)"),
        (None, "prng", "prng.randn(3)", "rng = np.random.RandomState(0)"),
        ("random.Random", "random", "", "rng = random.Random(0)"),
        (None, None, "return np.random.laplace(scale=1)", "np.random.seed(0)"),
        (None, None, "return random.gauss(0, 1)", "random.seed(0)"),
        (None, None, "rng = np.random.default_rng()", UNSEEDED),
        (None, None, "return helper()", UNSEEDED),
    ],
)  # fmt: skip
def test_where_the_randomness_comes_from(annotation, name, body, seeded):
    first = Parameter(name or "other", annotation=annotation)
    parameters = (first, Parameter("queries"), Parameter("epsilon"))
    text = text_of(changed(SIMPLE, rng=name, parameters=parameters, source_lines=(f"def noisy_max(): {body}",)))
    assert f"():\n    {seeded}\n" in text
    assert ("import numpy as np" in text) == ("np." in seeded)
    assert ("import random" in text) == ("random." in seeded and "np." not in seeded)
    assert ("rng" in text) == (name is not None)


@pytest.mark.parametrize(
    ("annotation", "d1", "given"),
    [
        (None, [1.0], "list(data)"),
        ("np.ndarray", [1.0], "np.array(data, dtype=float)"),
        ("tuple[float, ...]", [1.0], "tuple(data)"),
        ("float", 1.0, "data"),
        (None, [{"a": 1}], "[dict(record) for record in data]"),
        (None, [[1, 2]], "[list(record) for record in data]"),
        (None, [[1, [2]]], "copy.deepcopy(data)"),
    ],
)
def test_the_data_comes_in_the_form_that_the_audit_gave_it(annotation, d1, given):
    text = text_of(Result(changed(SIMPLE, data=annotation).mechanism, violation(d1, d1)))
    assert f"queries={given}," in text
    assert ("import copy" in text) == ("copy." in given)


def test_a_list_that_the_function_could_not_take_is_an_array():
    note = "the data is passed as a NumPy array: with a list every run raised TypeError"
    noted = replace(SIMPLE.outcome, effort=replace(SIMPLE.outcome.effort, notes=(note,)))
    assert "queries=np.array(data, dtype=float)," in text_of(replace(SIMPLE, outcome=noted))


def test_a_local_value_that_is_a_record():
    result = Result(mechanism(relation="any"), violation({"age": 3}, {"age": 4}))
    assert "queries=dict(data)," in text_of(result)


def test_an_exception_is_an_output():
    text = text_of(RAISING)
    assert "    except ValueError as error:\n        output = error" in text
    assert """type(output).__name__ == "ValueError" and str(output) == 'it"s no'""" in text


@pytest.mark.parametrize(
    ("event", "line", "caught"),
    [
        ("output < 1", "return 1", None),
        ("output < 1", "raise Full", "Exception"),
        ("output < 1", "raise KeyError(3)", "KeyError"),
        ("isinstance(output, Exception) and str(output) == 'x'", "return 1", "Exception"),
        ("isinstance(output, (int, float)) and output < 1", "return 1", "Exception"),
        ("type(output).__name__ == 'ZeroDivisionError'", "return 1", "ZeroDivisionError"),
        ("type(output).__name__ in ['KeyError', 'ValueError']", "return 1", "(KeyError, ValueError)"),
        ("type(output).__name__ == 'list'", "return 1", None),
    ],
)
def test_only_exceptions_that_have_to_do_with_the_event_are_caught(event, line, caught):
    text = text_of(Result(replace(mechanism(), source_lines=(line,)), violation(event=event)))
    assert re.findall(r"except (.+) as error", text) == ([caught] if caught else [])


def test_a_generator_function_gives_a_list():
    text = text_of(changed(SIMPLE, source_lines=("    def f():", "        yield 1")))
    assert "    output = list(output)\n    return" in text
    assert "list(output)" in text_of(changed(SIMPLE, source_lines=("def f(x):", "    return (y for y in x)")))
    assert "list(output)" not in text_of(changed(SIMPLE, source_lines=("def f():", "    return 'yield'")))


def test_what_an_event_calls_is_imported():
    event = "json.loads(output)['n'] >= 1 and re.sub(r'-?\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?', '#', output) == 'a'"
    looking = Result(mechanism("release"), violation(event=event))

    assert "\nimport json\nimport math\n" in text_of(looking)
    assert "\nimport re\n" in text_of(looking)
    assert "import re\n" not in text_of(SIMPLE)


def test_names_that_would_hide_others_get_another_one():
    for name in ("sum", "RUNS", "test_noise", "math"):
        text = text_of(changed(SIMPLE, qualname=name))
        assert f"\nfrom release import {name} as mechanism\n" in text
        assert "    output = mechanism(rng=rng, " in text


def test_positional_parameters_are_passed_by_position():
    kinds = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_ONLY, ParameterKind.KEYWORD_ONLY)
    named = tuple(Parameter(n, kind) for n, kind in zip(("rng", "queries", "epsilon"), kinds, strict=True))
    result = Result(replace(mechanism(), parameters=named), violation(arguments=(Argument("epsilon", 0.7, ""),)))
    assert "noisy_max(rng, list(data), epsilon=0.7)" in text_of(result)


def test_delta_is_part_of_what_is_allowed():
    text = text_of(Result(mechanism(), violation(delta=0.01)))
    assert "    allowed = math.exp(0.7) * count2 + 0.01 * RUNS\n" in text
    assert "apart from an additional probability of 0.01" in " ".join(text.split())


def test_what_needs_too_many_runs_is_shown_by_the_strongest_or_not_at_all():
    found = anytime_violation()
    slow = with_counts(found, interval1=Bounds(0.08, 0.133), count1=405)
    assert "output[-1] < 0.25" in text_of(Result(mechanism(), slow))
    assert pytest_test(Result(mechanism(), replace(slow, strongest=None))) is None


def test_a_slow_function_has_no_test_that_takes_longer_than_a_minute():
    found = anytime_violation()
    slow = replace(found, effort=replace(found.effort, seconds=1_000.0, runs=10_000))
    assert pytest_test(Result(mechanism(), found)) is not None
    assert pytest_test(Result(mechanism(), slow)) is None


@pytest.mark.parametrize("outcome", [NO_VIOLATION, PROVED, UNTESTABLE, FAILED], ids=lambda one: type(one).__name__)
def test_other_outcomes_have_none(outcome):
    assert pytest_test(Result(mechanism(), outcome)) is None


@pytest.mark.parametrize(
    "result",
    [
        changed(SIMPLE, qualname="outer.<locals>.inner"),
        changed(SIMPLE, module="a-script"),
        changed(SIMPLE, module="for.loops"),
        Result(replace(mechanism(), data=None), violation()),
        Result(mechanism(relation="custom", pairs=":pairs"), violation("<Graph of 3 nodes>", "<Graph of 4>")),
        Result(mechanism(), violation(event="str(output) == 'a…[1200 characters, sha256 0123456789abcdef]'")),
        Result(mechanism(), violation(event="output[np.int64(3)] == 1")),
    ],
    ids=["nested", "script", "keyword", "no data", "objects", "cut text", "unknown name"],
)  # fmt: skip
def test_what_cannot_be_written(result):
    assert pytest_test(result) is None


def test_plain_values_from_the_claims_own_function_are_passed_as_they_are():
    result = Result(mechanism(relation="custom", pairs=":pairs"), violation((1, 2), (1, 3)))
    assert "queries=data," in text_of(result)


HOSTILE = ['"""', "'''\nimport os\n", "\\", "\x00", "${x}{y}", "\ud800", "#"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(text):
    arguments = (Argument("epsilon", text, text),)
    result = Result(
        replace(mechanism(relation="custom", pairs=f":{text}"), rng=None),
        violation([text], [text, {text: text}], event=f"output == {text!r}", arguments=arguments),
    )
    values = {}
    given = []
    release = types.SimpleNamespace(noisy_max=lambda queries, epsilon: given.append((queries, epsilon)) or text)
    code = text_of(result).replace("from release import noisy_max", "")
    exec(compile(code.encode("utf-8"), "a test", "exec"), values | {"noisy_max": release.noisy_max}, values)
    assert (values["D1"], values["D2"]) == ([text], [text, {text: text}])


@pytest.mark.process
def test_ruff_has_nothing_to_change(tmp_path):
    results = [SIMPLE, LISTS, MIXED, RECORDS, ROWS, SCALAR, RAISING, changed(SIMPLE, data="pd.DataFrame")]
    results.append(
        changed(SIMPLE, module="a.rather.long.name_of_a_package.with_many_parts.and_more_of_them", qualname="a" * 40)
    )
    for number, result in enumerate(results):
        (tmp_path / f"test_{number}.py").write_text(text_of(result))
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == ""
    assert done.returncode == 0


def run(result, function):
    """Whether the generated test passes with this function in the place of the mechanism."""
    names = {"__name__": "generated"}
    sys.modules["release"] = types.ModuleType("release")
    setattr(sys.modules["release"], result.mechanism.qualname, function)
    try:
        exec(text_of(result), names)
    finally:
        del sys.modules["release"]
    try:
        names[pytest_test(result).name]()
    except AssertionError:
        return False
    return True


def test_exceptions_count_and_unforeseen_ones_are_errors():
    """An exception on D1 alone; then none; then one that has nothing to do with the event."""
    certain = violation(count1=500_000, count2=0, exact=True, event="type(output).__name__ == 'ValueError'")
    result = replace(RAISING, outcome=certain)

    def raising(kind, on):
        def careful(rng, queries, epsilon, T, N):
            if on(queries):
                raise kind("no")
            return rng.random()

        return careful

    assert not run(result, raising(ValueError, lambda queries: 2.0 in queries))
    assert run(result, raising(ValueError, lambda queries: False))
    assert run(result, raising(ValueError, lambda queries: True))
    with pytest.raises(TypeError):
        run(result, raising(TypeError, lambda queries: True))


def test_a_function_that_changes_its_data_gets_a_fresh_one_every_time():
    """Were the list the same in all runs, it would be empty from the second one on."""

    def noisy_max(rng, queries, epsilon, T, N):
        assert len(queries) == 5
        high = queries.pop(2) == 2.0
        queries.clear()
        return rng.random() * (1.0 if high else 2.0)

    assert run(Result(mechanism(), violation(count2=150_000, count1=400_000)), noisy_max)


@pytest.mark.process
def test_front_ends_can_make_tests_without_numpy():
    code = "import sys, dplint.report.pytest_test; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
