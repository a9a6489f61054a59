"""Replays of whole functions: draws in order, wherever they are drawn, and a complaint for whatever is different.

What a function should give comes from the same source text, called here with a recorder in place of its generator.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import replace

import numpy as np
import pytest
from replay_tools import RUNS, events_of, laplace, recorded, replay

from dplint.claims import Span
from dplint.outcomes import FailureKind
from dplint.runner.client import DataValue, DrawEvent, PerRun, ReplayRequest, RunnerError
from dplint.sites import DrawSite

PROGRAMS = {
    "noise on each answer": "def m(x): return [q + G.laplace(scale=2.0) for q in x]",
    "early return": """
        def m(x):
            for i, q in enumerate(x):
                if q + G.laplace(scale=4.0) > 2.0: return i
            return None
    """,
    "resample until accepted": """
        def m(x):
            tries = 0
            while G.random() > 0.3: tries += 1
            return tries + G.laplace()
    """,
    "parameters that differ between the runs": """
        def m(x):
            centre = G.uniform(0.0, 5.0)
            return G.laplace(centre, 1.0 + abs(centre))
    """,
    "branches with other distributions": """
        def m(x):
            if G.random() < 0.5: return G.laplace(x[0], 2.0)
            return G.uniform(0, 1) + G.random()
    """,
    "no draws in some runs": """
        def m(x):
            if G.random() < 0.5: return 1
            if G.random() < 0.5: return 'two'
            return [G.laplace()]
    """,
    "exceptions are outputs": """
        def m(x):
            u = G.random()
            if u < 0.3: raise ValueError('small')
            return 1 / int(u * 2)
    """,
    "a scale that NumPy does not take": """
        def m(x):
            return G.laplace(0.0, G.uniform(-1.0, 1.0))
    """,
    "an error that the function catches": """
        def m(x):
            try: return G.laplace(0.0, G.uniform(-1.0, 1.0))
            except Exception as error: return str(error)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_function_gives_what_it_gave_when_its_draws_were_recorded(shared_runner, write, program):
    source = PROGRAMS[program]
    data = [1.0, 2.0, 3.0]
    outputs, logs = recorded(source, data)
    replayed = replay(
        shared_runner,
        write(textwrap.dedent(source).replace("m(x)", "m(G, x)").replace("G", "rng")),
        events_of(logs),
        data,
        RUNS,
    )

    assert replayed.complaints == ()
    assert replayed.wrong_runs == 0
    assert replayed.batch.outputs() == outputs


DIFFERENT = {
    "another scale": (
        "rng.laplace(scale=2.0)",
        [laplace([1.0], scale=4.0)],
        "run 0, draw 1: the function asked for laplace(loc=0.0, scale=2.0), the program for"
        " laplace(loc=0.0, scale=4.0)",
    ),
    "the last bit of a scale": (
        "rng.laplace(scale=0.1 + 0.2)",
        [laplace([1.0], scale=0.3)],
        "run 0, draw 1: the function asked for laplace(loc=0.0, scale=0.30000000000000004), the program for"
        " laplace(loc=0.0, scale=0.3)",
    ),
    "the sign of a zero": (
        "rng.laplace(-0.0)",
        [laplace([1.0])],
        "run 0, draw 1: the function asked for laplace(loc=-0.0, scale=1.0), the program for"
        " laplace(loc=0.0, scale=1.0)",
    ),
    "another distribution": (
        "rng.normal()",
        [laplace([1.0])],
        "run 0, draw 1: the function asked for normal(loc=0.0, scale=1.0), the program for laplace(loc=0.0, scale=1.0)",
    ),
    "another size": (
        "rng.laplace(size=1)",
        [laplace([[1.0]])],
        "run 0, draw 1: the function asked for laplace(loc=0.0, scale=1.0, size=(1,)), the program for"
        " laplace(loc=0.0, scale=1.0)",
    ),
    "another order": (
        "[rng.random(), rng.laplace()]",
        [laplace([1.0]), DrawEvent("random", (), None, None, [0.5])],
        "run 0, draw 1: the function asked for random(), the program for laplace(loc=0.0, scale=1.0)",
    ),
    "one draw more": (
        "rng.laplace() + rng.laplace()",
        [laplace([1.0])],
        "run 0, draw 2: the function asked for laplace(loc=0.0, scale=1.0), the program makes no further draw",
    ),
    "one draw less": (
        "x",
        [laplace([1.0])],
        "run 0: the program makes one more draw than the function, the next is laplace(loc=0.0, scale=1.0)",
    ),
    "two draws less": (
        "rng.laplace()",
        [laplace([1.0]), laplace([1.0], scale=2.0), laplace([1.0])],
        "run 0: the program makes 2 more draws than the function, the next is laplace(loc=0.0, scale=2.0)",
    ),
    "an array of other length": (
        "rng.laplace([1.0, 2.0])",
        [laplace([[1.0, 2.0]], loc=[1.0, 2.0, 3.0])],
        "run 0, draw 1: the function asked for laplace(loc=[1.0, 2.0], scale=1.0), the program for"
        " laplace(loc=[1.0, 2.0, 3.0], scale=1.0)",
    ),
    "a one-sided interval": (
        "rng.integers(5)",
        [DrawEvent("integers", (("low", 1), ("high", 5), ("endpoint", True)), None, None, [2])],
        "run 0, draw 1: the function asked for integers(low=0, high=5, endpoint=False), the program for"
        " integers(low=1, high=5, endpoint=True)",
    ),
    "a parameter that the program does not have": (
        "rng.choice([1, 2])",
        [DrawEvent("choice", (("a", [1, 2]),), None, None, [2])],
        "run 0, draw 1: the function asked for choice(a=[1, 2], replace=True, p=None), the program for"
        " choice(a=[1, 2])",
    ),
    "a method that is no draw of a program": (
        "rng.dirichlet([1.0, 2.0])",
        [laplace([1.0])],
        "run 0, draw 1: the function called Generator.dirichlet, which is no draw of a program",
    ),
    "an argument that no program has": (
        "rng.integers(5, dtype=np.int32)",
        [laplace([1.0])],
        "run 0, draw 1: the function called Generator.integers with the argument dtype, which is no draw of a program",
    ),
}


@pytest.mark.parametrize("difference", DIFFERENT)
def test_a_difference_is_a_complaint(shared_runner, write, difference):
    expression, events, complaint = DIFFERENT[difference]
    mechanism = write(f"import numpy as np\ndef m(rng, x):\n    return {expression}")
    replayed = replay(shared_runner, mechanism, events)

    assert replayed.complaints == (complaint,)
    assert replayed.wrong_runs == 1
    assert replayed.batch.runs == 1


PLACES = {
    "another scale": (
        "G.laplace(scale=2.0) + G.laplace(scale=1.0)",
        "run 0, draw 1, the noise of line 4: the function asked for laplace(loc=0.0, scale=2.0), the program for"
        " laplace(loc=0.0, scale=1.0)",
    ),
    "another scale in a turn of a loop, of two draws in a line": (
        "G.laplace() + G.laplace() + G.laplace(scale=2.0)",
        "run 0, draw 3, the noise of line 6, column 20 (called in line 9) in the third turn: the function asked for"
        " laplace(loc=0.0, scale=2.0), the program for laplace(loc=0.0, scale=1.0)",
    ),
    "draws that the function does not make": (
        "G.laplace()",
        "run 0: the program makes 3 more draws than the function, the next is the noise of line 6, column 9"
        " (called in line 9) in the second turn, laplace(loc=0.0, scale=1.0)",
    ),
    "something that is no draw": (
        "G.laplace() + G.bytes(2)",
        "run 0, draw 2, the noise of line 6, column 9 (called in line 9) in the second turn: the function called"
        " Generator.bytes, which is no draw of a program",
    ),
    "a draw that cannot be": (
        "sum(G.laplace() for _ in range(3)) + G.integers(0, 2)",
        "run 0, draw 4, the noise of line 7: the function asked for integers(low=0, high=2, endpoint=False),"
        " the program for laplace(loc=0.0, scale=1.0)",
    ),
    "a draw more than there are": (
        "sum(G.laplace() for _ in range(5))",
        "run 0, draw 5: the function asked for laplace(loc=0.0, scale=1.0), the program makes no further draw",
    ),
}


@pytest.mark.parametrize("difference", PLACES)
def test_a_complaint_names_the_place_in_the_program_if_it_is_known(shared_runner, write, difference):
    expression, complaint = PLACES[difference]
    call = (Span(9, 5, 9, 15),)
    sites = [
        DrawSite(Span(4, 9, 4, 20)),
        DrawSite(Span(6, 9, 6, 18), call, (1,)),
        DrawSite(Span(6, 20, 6, 29), call, (2,)),
        DrawSite(Span(7, 9, 7, 20)),
    ]
    events = [replace(laplace([1.0]), site=site) for site in sites]
    replayed = replay(shared_runner, write(f"def m(rng, x):\n    return {expression.replace('G', 'rng')}"), events)

    assert replayed.complaints == (complaint,)


@pytest.mark.parametrize(
    ("expression", "wrong", "unlike"),
    [
        ("rng.laplace(scale=3.0)", 1, 1),
        ("rng.uniform(0, 1)", 1, 0),
        ("rng.laplace(scale=3.0) + rng.laplace(scale=1.0)", 0, 0),
        ("rng.laplace(scale=1.0) + rng.laplace(scale=3.0)", 0, 0),
    ],
)
def test_between_others_a_draw_that_is_left_over_is_unlike_where_another_is_in_its_place(
    shared_runner, write, expression, wrong, unlike
):
    shared_runner.load(write(f"def m(rng, x):\n    return {expression}"))
    request = ReplayRequest(DataValue(0.0, "scalar"), {}, 1, [laplace([1.0])], others=True)
    replayed = shared_runner.replay(request)

    assert (replayed.wrong_runs, replayed.unlike_runs) == (wrong, unlike)
    assert ["scale=3.0" in complaint for complaint in replayed.complaints] == [bool(unlike)] * wrong


def test_user_code_does_not_catch_the_end_of_a_run(shared_runner, write):
    mechanism = write("""
        def m(rng, x):
            try: return rng.laplace() + rng.laplace()
            except Exception: return 'caught'
    """)
    replayed = replay(shared_runner, mechanism, [laplace([1.0, 2.0]), laplace([5.0], rows=[1])], runs=2)

    assert replayed.batch.outputs() == [("ReplayEnded", ""), 7.0]
    assert replayed.wrong_runs == 1


def test_a_run_whose_end_is_swallowed_is_wrong_nevertheless(shared_runner, write):
    mechanism = write("""
        def m(rng, x):
            try: return rng.laplace() + rng.laplace()
            except: return 'caught'
    """)
    replayed = replay(shared_runner, mechanism, [laplace([1.0, 2.0])], runs=2)

    assert replayed.batch.outputs() == ["caught", "caught"]
    assert replayed.wrong_runs == 2


def test_a_run_goes_on_after_a_difference(shared_runner, write):
    """So its output can still be shown; the next runs have their own draws."""
    mechanism = write("def m(rng, x): return rng.laplace(scale=1.0) + rng.laplace(scale=2.0)")
    events = [laplace([1.0, 2.0], scale=PerRun([3.0, 1.0])), laplace([10.0, 20.0], scale=2.0)]
    replayed = replay(shared_runner, mechanism, events, runs=2)

    assert replayed.batch.outputs() == [11.0, 22.0]
    assert replayed.wrong_runs == 1
    assert replayed.complaints[0].startswith("run 0, draw 1: ")


def test_a_run_complains_once_and_five_complaints_are_kept(shared_runner, write):
    mechanism = write("def m(rng, x): return rng.laplace(scale=1.0) + rng.laplace(scale=2.0)")
    values = np.zeros(40)
    wrong = np.where(np.arange(40) % 2 == 1, 9.0, 1.0)
    replayed = replay(
        shared_runner, mechanism, [laplace(values, scale=PerRun(wrong)), laplace(values, scale=3.0)], runs=40
    )

    assert replayed.wrong_runs == 40
    assert [text.partition(":")[0] for text in replayed.complaints] == [
        f"run {run}, draw {2 - run % 2}" for run in range(5)
    ]


def test_what_one_event_has_served_is_no_licence_for_another_call(shared_runner, write):
    """The first runs ask rightly; later ones ask by the same bytes with another type, or with other values."""
    mechanism = write("""
        import itertools
        import numpy as np
        RUN = itertools.count()
        CALLS = [dict(scale=2.0), dict(scale=2.0), dict(scale=np.float64(2.0)), dict(scale=2), dict(scale=2.5),
                 dict(loc=2.0), dict(scale=np.int64(2)), dict(scale=np.float64(2.0).view(np.int64)), dict(scale=True)]
        def m(rng, x): return rng.laplace(**CALLS[next(RUN)])
    """)
    values = [float(run) for run in range(9)]
    replayed = replay(shared_runner, mechanism, [laplace(values, scale=2.0)], runs=9)

    assert [text.partition(",")[0] for text in replayed.complaints] == ["run 4", "run 5", "run 7", "run 8"]
    assert replayed.batch.outputs() == values


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("laplace(scale=np.float64(2.0))", "laplace(scale=np.float64(2.0).view(np.int64))"),
        ("laplace(scale=2.0)", "gumbel(scale=2.0)"),
    ],
)
def test_the_same_bytes_are_not_the_same_call(shared_runner, write, first, second):
    mechanism = write(f"""
        import itertools
        import numpy as np
        RUN = itertools.count()
        def m(rng, x): return rng.{first} if next(RUN) < 2 else rng.{second}
    """)
    replayed = replay(shared_runner, mechanism, [laplace([1.0] * 4, scale=2.0)], runs=4)

    assert [text.partition(",")[0] for text in replayed.complaints] == ["run 2", "run 3"]


def test_every_run_has_its_own_copy_of_data_and_arguments(shared_runner, write):
    mechanism = write("""
        def m(rng, x, other):
            x.append(rng.laplace()); other.append(x[-1])
            return len(x), len(other), x[0]
    """)
    shared_runner.load(mechanism)
    request = ReplayRequest(DataValue([7.0]), {"other": [1, 2]}, 3, [laplace([0.5, 1.5, 2.5])])

    assert shared_runner.replay(request).batch.outputs() == [(2, 3, 7.0)] * 3


def test_many_runs_with_many_shapes(shared_runner, write):
    """More runs than a block holds, each with its own draws: the sums of a table are its row sums."""
    mechanism = write("def m(rng, x): return [rng.laplace() for _ in range(x)]")
    table = np.random.default_rng(3).laplace(size=(5, 10_000))
    replayed = replay(shared_runner, mechanism, [laplace(row) for row in table], 5, runs=10_000)

    assert replayed.complaints == ()
    assert np.array_equal(np.array(replayed.batch.outputs()), table.T)


def test_no_runs(shared_runner, write):
    replayed = replay(shared_runner, write("def m(rng, x): return rng.laplace()"), [laplace([])], runs=0)

    assert (replayed.batch.runs, replayed.complaints, replayed.wrong_runs) == (0, (), 0)


def test_a_generator_function_and_a_mechanism_without_draws(shared_runner, write):
    yields = write("def m(rng, x):\n    yield rng.laplace()\n    yield rng.laplace()")

    assert replay(shared_runner, yields, [laplace([1.0]), laplace([2.0])]).batch.outputs() == [[1.0, 2.0]]
    assert replay(shared_runner, write("def m(x): return x"), [], 3.0, runs=2).batch.outputs() == [3.0, 3.0]


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (laplace([1.0]), "event 0, laplace: the draws must have 2 values, one a row, not 1"),
        (laplace([1.0, 2.0], rows=[1, 0]), "its rows must ascend from 0 to at most 1"),
        (laplace([1.0, 2.0], rows=[0, 2]), "its rows must ascend from 0 to at most 1"),
        (laplace([1.0, 2.0], rows=[-1, 0]), "its rows must ascend from 0 to at most 1"),
        (laplace([1.0, 2.0], scale=PerRun([1.0])), "scale must have 2 values, one a row, not 1"),
        (laplace([1.0, {1.0}]), "not a plain value: set"),
        (laplace([1.0, 2.0], scale=object()), "not a plain value: object"),
    ],
)
def test_events_that_fit_no_run_are_refused(shared_runner, write, event, reason):
    with pytest.raises(RunnerError) as caught:
        replay(shared_runner, write("def m(rng, x): return rng.laplace()"), [event], runs=2)

    assert caught.value.kind == FailureKind.INTERNAL
    assert reason in caught.value.reason


def test_integers_beyond_64_bits_and_other_values_travel_as_text(shared_runner, write):
    mechanism = write("""
        import random
        def m(x): return [repr(random.randint(0, 10**30)), repr(random.choice(['é', None, 2**70, -0.0, True]))]
    """)
    big = DrawEvent(
        "integers", (("low", 0), ("high", 10**30), ("endpoint", True)), None, None, [10**29, 3, 2**63, 0, 1]
    )
    items = ["é", None, 2**70, -0.0, True]
    pick = DrawEvent("choice", (("a", items), ("replace", True), ("p", None)), None, None, items)
    replayed = replay(shared_runner, mechanism, [big, pick], runs=5)

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [[repr(n), repr(item)] for n, item in zip(big.values, items, strict=True)]


def test_equal_numbers_of_other_types_are_other_items(shared_runner, write):
    mechanism = write("import random\ndef m(x): return repr(random.choice([1.0, 1, 2.5]))")
    items = [1, 1.0, 2.5]
    pick = DrawEvent("choice", (("a", [1.0, 1, 2.5]), ("replace", True), ("p", None)), None, None, items)

    assert replay(shared_runner, mechanism, [pick], runs=3).batch.outputs() == ["1", "1.0", "2.5"]


def test_parameters_may_be_infinite(shared_runner, write):
    mechanism = write("def m(rng, x): return rng.laplace(scale=x)")
    right = laplace([1.0], scale=math.inf)

    assert replay(shared_runner, mechanism, [right], math.inf).complaints == ()
    assert replay(shared_runner, mechanism, [right], 1.0).wrong_runs == 1
    assert replay(shared_runner, mechanism, [laplace([1.0], scale=math.nan)], math.nan).complaints == ()
