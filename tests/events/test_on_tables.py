"""Expressions on tables mean what Python says of each output, for events that are found and for any others."""

import math

import hypothesis
import numpy as np
import pytest
from event_tools import OUTPUTS, Answer, batch_of, leaf_by_leaf
from hypothesis import assume, given
from hypothesis import strategies as st

from dplint.events import on_tables
from dplint.events.array_values import TableValues
from dplint.events.conditions import Event, ScoreAbove, Slope, Vote
from dplint.events.counting import EventCounter
from dplint.events.gathering import Gathering
from dplint.events.places import OUTPUT
from dplint.events.printed import UNDEFINED, PrintedEvent
from dplint.events.split_runs import candidates, discover_grids
from dplint.events.table_values import tables_of
from dplint.program.building import NOWHERE, compiled
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program, Return
from dplint.program.parsing import NotAnExpression, parse
from dplint.program.printing import printed
from dplint.readings.concrete import ConcreteInterpretation
from dplint.runner.batch import MOST_LEAVES
from dplint.runner.texts import TextNumbers
from tests.examples import examples

NAMES = frozenset([OUTPUT])
IN_ORDER = OUTPUTS.filter(lambda output: not isinstance(output, set))
"""What stands in for a set where there is none has an order, and can be subscripted."""

PLACES = [
    *("output", "output[0]", "output[1]", "output[-1]", "output[-2]", "output['n']", "output['x']", "output['x'][0]"),
    *("output[1][0]", "output.total", "output.label", "output[(0, 1)]"),
]
CONSTANTS = ["0", "1", "-2", "0.5", "True", "1e+300"]
LITERALS = [*CONSTANTS, "'a'", "''", "None", "[False, True]", "[1]", "[]", "(1, True)", "(0, (1, 'a'))", str(2**60)]


@st.composite
def numbers(draw, depth=2):
    """The text of an expression that is a number, if it is defined."""

    def one_of(*found):
        return draw(st.sampled_from(found))

    place, constant = one_of(*PLACES), one_of(*CONSTANTS)
    leaves = ["{p}", "{c}", "len({p})", "float({p})", "sum({s})", "min({p})", "max({p})", "list({p}).count({l})"]
    leaves += ["sum(x >= {c} for x in {s})", "sum(b - a >= {c} for a, b in zip([0, *{p}], {p}))"]
    leaves += ["sum(a != b for a, b in zip({p}, [True, 1, None]))"]
    inner = ["({n} {o} {n2})", "({c} * {n})", "abs({n})", "({n} if {n2} >= 0 else {n})"]
    chosen = one_of(*leaves, *(inner if depth else []))
    return chosen.format(
        p=place,
        c=constant,
        s=one_of(place, f"list({place})", f"map(float, {place})"),
        l=one_of(*LITERALS),
        o=one_of(*"+-/"),
        n=draw(numbers(depth - 1)) if "{n}" in chosen else "",
        n2=draw(numbers(depth - 1)) if "{n2}" in chosen else "",
    )


@st.composite
def conditions(draw, depth=2):
    """The text of a condition about the output."""

    def one_of(*found):
        return draw(st.sampled_from(found))

    leaves = ["{n} {o} {c}", "{c} <= {n} < {c2}", "{p} == {l}", "{p} != {l}", "{p} != {p}", "{p} is None"]
    leaves += ["{p} is not None", "isinstance({p}, {t})", "type({p}).__name__ in ['list', 'float', 'ValueError']"]
    leaves += [
        "'x' in {p}",
        "1 in {p}",
        "'a' in {p}",
        "(0, 1) in {p}",
        "(1,) in {p}",
        "str({p}) == 'x'",
        "{p}.startswith('a')",
    ]
    leaves += ["all(isinstance(x, int) and x >= 0 for x in {p})", "any(isinstance(x, int) and x >= 0 for x in {p})"]
    inner = ["({a} and {b})", "({a} or {b})", "not ({a})", "2 * ({a}) - 1 * ({b}) >= 1"]
    chosen = one_of(*leaves, *(inner if depth else []))
    found = chosen.format(
        p=one_of(*PLACES),
        c=one_of(*CONSTANTS),
        c2=one_of(*CONSTANTS),
        l=one_of(*LITERALS),
        t=one_of("str", "(int, float)", "Exception", "float"),
        o=one_of("<", "<=", ">", ">=", "==", "!="),
        n=draw(numbers()) if "{n}" in chosen else "",
        a=draw(conditions(depth - 1)) if "{a}" in chosen else "",
        b=draw(conditions(depth - 1)) if "{b}" in chosen else "",
    )
    assume("output" in found)
    return found


def by_python(tree, outputs):
    """What Python's own eval says of the printed text, False where it raises what an event may raise."""
    code = compile(printed(tree), "event", "eval")
    found = []
    for output in outputs:
        try:
            found.append(bool(eval(code, {OUTPUT: output})))
        except UNDEFINED:
            found.append(False)
    return found


def parsed(text):
    """The condition; what may be a product with a list is none."""
    try:
        return parse(text, NAMES)
    except NotAnExpression:
        hypothesis.reject()


def by_tables(tree, batch, texts):
    """Where the tables have it, in the order of the groups."""
    found = []
    for table in tables_of([batch], texts, batch.runs):
        mask = on_tables.mask(on_tables.plan_of(tree), TableValues(table, texts))
        found += np.broadcast_to(mask, table.size).tolist()
    return found


def counted(event, batch):
    """In how many runs it holds, as computed losses are confirmed."""
    counter = EventCounter([event], 1, TextNumbers())
    counter.add(0, batch)
    ((hits,),) = counter.hits()
    return hits


def in_groups(batch, outputs):
    """Outputs in the order of the groups, which tables have."""
    return [outputs[row] for group in batch.groups for row in group.rows]


@examples(400)
@given(conditions(), st.lists(IN_ORDER, min_size=1, max_size=8))
def test_any_condition_on_any_outputs(text, outputs):
    """Arrays, the function of plain values and Python agree, whether an event of dplint would ask so or not."""
    tree = parsed(text)
    batch = batch_of(outputs)
    alike = in_groups(batch, batch.likenesses())
    expected = by_python(tree, alike)

    assert by_tables(tree, batch, TextNumbers()) == expected
    assert [PrintedEvent(printed(tree)).holds(output) for output in alike] == expected
    assert counted(PrintedEvent(printed(tree)), batch) == sum(expected)


@examples(150)
@given(conditions(), OUTPUTS)
def test_the_function_of_plain_values_is_the_concrete_interpretation(text, output):
    """There is one meaning: the evaluator's, with masks that are bools."""
    (alike,) = batch_of([output]).likenesses()
    tree = parsed(text)
    interpretation = ConcreteInterpretation(None, 0)
    program = Program("event", (OUTPUT,), (Return(tree, NOWHERE),), None, None, (), frozenset(), NOWHERE)
    evaluate(program, interpretation, {OUTPUT: alike})
    value = interpretation.result.output
    ended = interpretation.result.exception
    try:
        mine = (None, bool(compiled(tree, OUTPUT)(alike)))
    except UNDEFINED as error:
        mine = (type(error).__name__, None)

    assert mine == ((None, bool(value)) if ended is None else (ended[0], None))


@examples(300)
@given(conditions())
def test_a_printed_condition_is_read_back(text):
    tree = parsed(text)

    assert repr(parse(printed(tree), NAMES)) == repr(tree)


@examples(80)
@given(st.lists(IN_ORDER, min_size=2, max_size=12), st.lists(IN_ORDER, min_size=1, max_size=6))
def test_events_that_are_found_hold_for_other_outputs_as_python_says(outputs, others):
    """Conditions, products and scores; on outputs that nobody saw when their guards were chosen, too."""
    texts = TextNumbers()
    found = candidates(tables_of([batch_of(outputs)], texts, len(outputs)), texts)
    simple = [one for item in found for axis in item.axes for one in map(axis.condition, range(0, axis.size, 7))]
    votes = [Vote(1 + n % 3 if n % 2 else -2, one) for n, one in enumerate(simple[:12])]
    sloped = [item.feature for item in found if item.feature.SLOPES or item.feature.COUNTS]
    slopes = [Slope(0.5 - number, feature) for number, feature in enumerate(sloped[:4])]
    scores = [ScoreAbove(tuple(terms), 0.5) for terms in (votes, slopes, [*votes[:2], *slopes[:2]]) if terms]
    events = [Event((one,)) for one in (*simple, *scores)]
    events += [grid.event(grid.size // 2) for grid in discover_grids([batch_of(outputs)], [], texts)]
    batch = batch_of([*outputs, *others])
    alike = in_groups(batch, batch.likenesses())

    for event in events:
        text = event.expression()
        assert repr(parse(text, NAMES)) == repr(event.tree)
        expected = by_python(event.tree, alike)
        assert [PrintedEvent(text).holds(output) for output in alike] == expected, text
        masks = [
            np.broadcast_to(event.mask(TableValues(table, texts)), table.size)
            for table in tables_of([batch], texts, batch.runs)
        ]
        assert np.concatenate(masks).tolist() == expected, text


@examples(150)
@given(conditions(), st.lists(IN_ORDER, min_size=1, max_size=8))
@hypothesis.example("output == [False, True]", [[False, False]])
def test_the_leaves_that_are_kept_are_enough(text, outputs):
    """A table that keeps only what the expression was seen to read gives what a whole one gives."""
    plan, texts = on_tables.plan_of(parsed(text)), TextNumbers()
    batch = leaf_by_leaf(batch_of(outputs))

    class Reader:
        leaves = on_tables.LeavesRead(lambda values: on_tables.mask(plan, values))

    gathering = Gathering([Reader()], 1, texts)
    tables = [*gathering.add(0, batch), *gathering.rest()]
    hits = 0
    for table in tables:
        mask = np.broadcast_to(on_tables.mask(plan, TableValues(table, texts)), table.size)
        hits += int(mask.sum() if table.weights is None else (mask * table.weights).sum())
    assert hits == sum(by_python(plan.tree, batch.likenesses()))


@pytest.mark.parametrize(
    ("text", "outputs", "expected"),
    [
        ("abs(output) <= 2**53", [2**53, 2**53 + 1, -(2**53) - 1, -(2**60)], [True, False, False, False]),
        ("output >= 0.5", [2**60, -(2**60), 10**400, True], [True, False, True, True]),
        ("output == 2**60", [2**60, 2**60 + 1, 1], [True, False, False]),
        ("output != output", [[math.nan], math.nan, ValueError("x")], [False, True, False]),
        ("sum(output) >= 1", [[], [1], "a", [1, "a"]], [False, True, False, False]),
        ("output.total >= 1 or output.label == 'a'", [Answer(1.0, "b"), Answer(0.0, "a"), 3], [True, True, False]),
        ("len(output) >= 2", ["ab", "a", [1, 2], 2], [True, False, True, False]),
        ("int(output) % 2 == 1", [3.7, 4.2, "5", None], [True, False, True, False]),
        ("sorted(output)[0] >= 1", [[2, 1], [0, 1], 3], [True, False, False]),
        ("output[0].upper() == 'A'", [["a"], ["b"], [1], []], [True, False, False, False]),
        (
            "(0, 1) in output",
            [{(0, 1): 2.0}, {(0, 2): 1.0}, [(0, 1)], [(0, 2), 1], 3],
            [True, False, True, False, False],
        ),
        ("output[(0, 1)] >= 1", [{(0, 1): 2.0}, {(0, 1): 0.0}, {(0, 2): 1.0}, [1]], [True, False, False, False]),
        ("output == (1, 'a')", [(1, "a"), (1.0, "a"), [1, "a"], (1, "b"), (1,)], [True, True, False, False, False]),
        ("min(output) >= 1", [[math.nan, 1.0], [1.0, math.nan], []], [False, True, False]),
        ("all(x >= 0 for x in output)", [[1.0, None], [-1.0, None], [], [2, 1.0]], [False, False, True, True]),
        (
            "any(x is None or x >= 2 for x in output)",
            [[1.0, None], [1.0, 2.0], [0.0], ["a", 3]],
            [True, True, False, False],
        ),
        (
            "output[0] == 0 or 1 / output[0] >= 0.5",
            [[0.0], [1], [3.0], ["a"], [None]],
            [True, True, False, False, False],
        ),
        ("(1 / output if output != 0 else 2) >= 1", [0, 1, 4.0, "a"], [True, True, False, False]),
        ("not (output > 0 and 1 / (output - 1) > 0)", [-1, 2, 1, None], [True, False, False, False]),
        ("output.real >= 1", [2.0, 0, "a"], [True, False, False]),
        (
            "len(list(output.values())) == 2 and list(output.values())[0] >= 1",
            [{"a": 1, "b": 0}, {"a": 2}],
            [True, False],
        ),
        ("1 * (output[5] >= 0) + 1 * (output[0] >= 0) >= 1", [[1] * 6, [1]], [True, False]),
    ],
)
def test_cases(text, outputs, expected):
    """Expected by Python's rules, each for its reason: exactness, identity, exceptions, what arrays do not follow."""
    tree, batch = parse(text, NAMES), batch_of(outputs)

    assert by_python(tree, outputs) == expected
    assert by_tables(tree, batch, TextNumbers()) == in_groups(batch, expected)


def test_what_arrays_do_not_follow_is_asked_of_each_output():
    """And it is known beforehand for no plan, or found out on a table."""
    assert on_tables.plan_of(parse("round(output, 2) >= 1", NAMES)).run is None
    assert by_tables(parse("sorted(output)[0] >= 1", NAMES), batch_of([[2, 1], [1, 0]]), TextNumbers()) == [True, False]
    assert on_tables.plan_of(parse("str(output) == '1.5'", NAMES)).run is not None
    assert by_tables(parse("str(output) == '1.5'", NAMES), batch_of([1.5, 2.5]), TextNumbers()) == [True, False]


@pytest.mark.parametrize("text", ["len(output) == 4106", "sum(output.values()) > 0", "sum(output.values()) <= 0"])
def test_what_was_cut_off_of_a_dict_is_not_taken_for_all(text):
    """Its length is known, and sums of what is not known are undefined."""
    batch = batch_of([dict.fromkeys(range(MOST_LEAVES + 10), 0.0)])

    assert by_tables(parse(text, NAMES), batch, TextNumbers()) == [text.startswith("len")]
    assert len(batch.likenesses()[0]) == MOST_LEAVES + 10
