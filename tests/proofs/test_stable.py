"""Proofs of stability: of what is stable, and never of what is not, by small data that is run without dplint."""

import ast
import copy
import itertools
import json
import math
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest

from dplint.proofs.searching import search
from tests.proofs.proof_tools import FIXTURES, of_text, targets

FOLDER = FIXTURES / "stability"
STABLE = {row["function"]: row["stable"] for row in json.loads((FOLDER / "truth.json").read_text())["functions"]}
UNPROVED = {  # users, expressions of polars that change numbers, and joins
    *("total_by_user_with_cap", "income_of_two_visits_a_user", "income_by_user_capped"),
    *("counts_of_cities", "totals_as_rows", "income_in_cents", "with_region"),
}
PROVED = [name for name, stable in STABLE.items() if stable and name not in UNPROVED]


@cache
def fixtures():
    return {name: (file, *pair) for file in sorted(FOLDER.glob("*.py")) for name, pair in targets(file).items()}


def is_proved(program, mechanism, seconds=20.0):
    return search(program, mechanism, seconds).proof is not None


@pytest.mark.parametrize("name", PROVED)
def test_what_is_stable_is_proved(name):
    _, program, mechanism = fixtures()[name]
    found = search(program, mechanism, 20.0)
    assert found.proof is not None, found.reason
    assert found.proof.scope.full


@pytest.mark.parametrize("name", [name for name, stable in STABLE.items() if not stable])
def test_what_is_not_stable_is_not_proved(name):
    _, program, mechanism = fixtures().get(name, (None, None, None))
    assert program is None or not is_proved(program, mechanism)


def function_of(name):
    """The text in front of a fixture, and its tree."""
    text = fixtures()[name][0].read_text()
    tree = ast.parse(text)
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    head = "\n".join(ast.unparse(one) for one in tree.body if not isinstance(one, ast.FunctionDef))
    return head, next(one for one in functions if one.name == name)


def mutants(name):
    """(what, text) of a fixture with one thing changed: a number, a comparison, a function, a condition, the claim."""
    head, function = function_of(name)
    for number, node in enumerate(ast.walk(function)):
        for change, what in enumerate(changes(node)):
            changed = copy.deepcopy(function)
            what(list(ast.walk(changed))[number])
            yield f"{number}.{change}", f"{head}\n\n\n{ast.unparse(ast.fix_missing_locations(changed))}\n"


OTHERS = {"min": "max", "max": "min", "sum": "max", "minimum": "maximum", "nansum": "nanmax", "sort": "cumsum"}
OTHERS |= {"head": "tail", "cumsum": "sort", "clip": "add", "list": "set"}


def to(**parts):
    """What sets parts of a node."""
    return lambda one: [setattr(one, name, part) for name, part in parts.items()]


def changes(node):
    """Functions that change a node in place."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            yield from (to(value=other) for other in (value - 1, value * 2 + 1, value / 2))
        case ast.Compare(ops=[ast.GtE()]):
            yield to(ops=[ast.Lt()])
        case ast.BinOp(op=ast.Mult() | ast.Div() as operator):
            yield to(op=ast.Add() if isinstance(operator, ast.Mult) else ast.Mult())
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in OTHERS:
            yield to(**{"id" if isinstance(node, ast.Name) else "attr": OTHERS[name]})
        case ast.comprehension(ifs=[_]):
            yield to(ifs=[])
        case ast.Return(value=value):  # another form
            yield to(value=ast.parse(f"({ast.unparse(value)}, 0)", mode="eval").body)
        case ast.keyword(arg="metric", value=ast.Constant(value=metric)):
            yield from (to(value=ast.Constant(one)) for one in ("l1", "l2", "linf", "symmetric") if one != metric)
        case ast.keyword(arg="d_out", value=ast.Constant(value=str())):
            yield to(value=ast.Constant("cap / 2"))


def in_form(text, domain, rows):
    """Records as the function is given them."""
    if "pd.DataFrame" in text:
        return pd.DataFrame(rows, columns=list(domain))
    if "pl.DataFrame" in text:
        return pl.DataFrame(rows, schema={"user": int, "city": str, "income": float})
    return np.array(rows, dtype=float) if "np.ndarray" in text else rows


def small_data(domain, relation):
    """Pairs of neighbours of few records out of the corners of a domain, and out of what is next to a threshold."""
    if relation in ("linf", "l1"):
        for one in itertools.product((0.0, 1.0, 3.5), repeat=3):
            moves = itertools.product((-1.0, 0.0, 1.0), repeat=3)
            yield from (
                (list(one), [a + b for a, b in zip(one, m, strict=True)]) for m in moves if norm(relation, m) <= 1
            )
        return
    records = corners(domain)
    for size in range(3):
        for one in itertools.product(records, repeat=size):
            for place, own in itertools.product(range(size + 1), records):
                if relation == "add-remove":
                    yield list(one), [*one[:place], own, *one[place:]]
                elif place < size:
                    yield list(one), [*one[:place], own, *one[place + 1 :]]


def norm(relation, moves):
    return max(map(abs, moves)) if relation == "linf" else sum(map(abs, moves))


def corners(domain):
    if isinstance(domain, dict):
        few = [[found[0], *found[-2:]] for found in map(corners, domain.values())]
        rows = [dict(zip(domain, row, strict=True)) for row in itertools.product(*few)]
        return rows[::4]
    if isinstance(domain, tuple):
        low, high = domain
        middle = [type(low)(low + (high - low) * share) for share in (0.18, 0.25, 0.6)]
        return list(dict.fromkeys([low, *middle, high]))
    return [one for part in domain for one in (corners(part) if isinstance(part, tuple) else [part])]


def apart(metric, one, two):
    """How far outputs are apart, worked out here; None for what these tests say nothing of."""
    if metric == "absolute":
        return abs(one - two) if all(isinstance(x, int | float | np.number) for x in (one, two)) else None
    if metric in ("symmetric", "changes"):
        rows = [rows_of(side) for side in (one, two)]
        if None in rows:
            return None
        if metric == "changes":
            same_size = len(rows[0]) == len(rows[1])
            return sum(a != b for a, b in zip(*rows, strict=True)) if same_size else math.inf
        counts = list(map(Counter, rows))
        return ((counts[0] - counts[1]) + (counts[1] - counts[0])).total()
    sides = [vector_of(side) for side in (one, two)]
    if None in sides:
        return None
    if sides[0].keys() != sides[1].keys() and not isinstance(one, dict):
        return math.inf
    moves = [abs(sides[0].get(key, 0) - sides[1].get(key, 0)) for key in sides[0].keys() | sides[1].keys()]
    return {"l1": sum, "l2": lambda all_of: math.hypot(*all_of), "linf": lambda all_of: max(all_of, default=0)}[metric](
        moves
    )


def rows_of(value):
    if isinstance(value, pd.DataFrame):
        return list(value.itertuples(index=False, name=None))
    if isinstance(value, pl.DataFrame):
        return value.rows()
    return [str(one) for one in value] if isinstance(value, list | tuple | np.ndarray) else None


def vector_of(value):
    items = value.items() if isinstance(value, dict | pd.Series) else None
    if isinstance(value, list | tuple | np.ndarray):
        items = enumerate(value)
    found = {} if items is None else dict(items)
    numbers = items is not None and all(isinstance(one, int | float | np.number) for one in found.values())
    return found if numbers else None


def largest(text, name):
    """What a claim allows, and the furthest outputs of small neighbours; of both the shares, so that 1 is allowed."""
    spaces = {}
    exec(text.replace("from dplint import stable", "stable = lambda **said: lambda f: (f, said)"), spaces)
    function, said = spaces[name]
    worst = 0.0
    capped = function.__code__.co_argcount > 1
    for cap in (1.0, 5.0, 8.0) if capped else (0.0,):
        more = [cap] if capped else []
        allowed = eval(said["d_out"], {"cap": cap}) if isinstance(said["d_out"], str) else said["d_out"]
        for pair in small_data(said.get("domain"), said["neighbors"]):
            outputs = []
            for side in pair:
                try:
                    outputs.append(function(in_form(text, said.get("domain"), side), *more))
                except Exception as error:
                    outputs.append(error)
            raised = [isinstance(one, Exception) for one in outputs]
            far = math.inf if any(raised) and not all(raised) else None
            if not any(raised):
                far = apart(said.get("metric", "absolute"), *outputs)
            if far is not None and allowed >= 0 and far > allowed * (1 + 1e-9) + 1e-9:
                worst = max(worst, far)
    return worst


@pytest.mark.parametrize("name", PROVED)
def test_no_mutant_is_proved_that_small_data_refutes(name, tmp_path):
    tried = wrong = 0
    for what, text in mutants(name):
        try:
            program, mechanism = of_text(tmp_path, text, name)
        except KeyError:
            continue
        tried += 1
        if is_proved(program, mechanism, 3.0):
            assert largest(text, name) == 0.0, f"{what}: {text}"
        elif not wrong:
            wrong += largest(text, name) > 0
    assert wrong, f"{tried} mutants, none of which small data refutes"


HEAD = "import numpy as np\nimport pandas as pd\nfrom collections import Counter\nfrom dplint import stable\n\n\n"
ADD, REPLACE = 'neighbors="add-remove", domain=(0.0, 10.0)', 'neighbors="replace-one", domain=(0.0, 10.0), size=4'
KINDS = 'neighbors="add-remove", domain=["a", "b", "c"]'
KINDS_REPLACED = 'neighbors="replace-one", domain=["a", "b", "c"], size=4'
SALES = 'neighbors="add-remove", domain={"city": ["a", "b"], "amount": (0.0, 10.0)}'
LOOP = """totals = {{}}
    for row in rows:
        totals[row["city"]] = totals.get(row["city"], 0.0) {}
    return totals"""
ALIAS = LOOP.format("+ row['amount']").replace("    for", "    other = totals\n    for", 1)
OTHER = ALIAS.replace("return totals", "return other")
FRAME = 'neighbors="add-remove", domain={"kind": ["a", "b"], "age": (0, 3)}'
WRONG = {
    "an index counts as part of a row": (FRAME, 1, "symmetric", "rows: pd.DataFrame", 'return rows["age"]'),
    "labels make a row of a column": (FRAME, 1, "symmetric", "rows: pd.DataFrame", 'return rows["age"].clip(0, 2)'),
    "a number of all rows in each": (ADD, 1, "symmetric", "rows", "return [row - len(rows) for row in rows]"),
    "a condition on all rows": (ADD, 1, "symmetric", "rows", "return [row for row in rows if row > len(rows)]"),
    "one list or another": (ADD, 1, "symmetric", "rows", "return list(rows) if len(rows) > 3 else []"),
    "an exception of many": (ADD, 1, "absolute", "rows", "if len(rows) > 3:\n        raise ValueError\n    return 0"),
    "what is sorted has no places": (REPLACE, 1, "changes", "rows", "return sorted(rows)"),
    "running sums of records": (REPLACE, 10, "l1", "rows: np.ndarray", "return np.cumsum(rows)"),
    "running sums in another norm": ('neighbors="l1"', 1, "l1", "rows: np.ndarray", "return np.cumsum(rows)"),
    "running sums of many moves": ('neighbors="linf"', 1, "linf", "rows: np.ndarray", "return np.cumsum(rows)"),
    "a list of another length": (ADD, 10, "l1", "rows", "return list(rows)"),
    "a replaced record is two": (REPLACE, 1, "symmetric", "rows", "return list(rows)"),
    "two entries of a dict": (REPLACE, 1, "l1", "rows", "return dict(Counter(rows))"),
    "counts as rows": (ADD, 1, "symmetric", "rows", "return dict(Counter(rows))"),
    "a key that is counted": (KINDS, 1, "l1", "rows", "return sorted(set(rows))"),
    "two keys in order": (KINDS_REPLACED, 1, "symmetric", "rows", "return sorted(set(rows))"),
    "one row in, one out": (ADD, 1, "symmetric", "rows", "return rows[:3]"),
    "the last rows": (ADD, 2, "symmetric", "rows", "return rows[3:]"),
    "every other row": (ADD, 2, "symmetric", "rows", "return rows[::2]"),
    "the last but a few": (ADD, 2, "symmetric", "rows", "return rows[:-3]"),
    "sums that are larger": (SALES, 9, "l1", "rows", LOOP.format("+ row['amount']")),
    "sums that grow by themselves": (SALES, 10, "l1", "rows", LOOP.format("* 2 + row['amount']")),
    "sums with all that was before": (SALES, 10, "l1", "rows", LOOP.format("+ totals.get('a', 0.0)")),
    "sums under another name": (SALES, 0, "l1", "rows", OTHER),
    "None": (ADD, 1, "absolute", "rows", "return None"),
    "two steps": (f"{ADD}, d_in=2", 1, "absolute", "rows", "return len(rows)"),
    "a claim of less than nothing": (ADD, -1, "absolute", "rows", "return len(rows)"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_in_another_way_is_not_proved(what, tmp_path):
    said, d_out, metric, parameter, body = WRONG[what]
    text = f'{HEAD}@stable(d_out={d_out}, metric="{metric}", {said})\ndef release({parameter}):\n    {body}\n'
    try:
        program, mechanism = of_text(tmp_path, text, "release")
    except KeyError:
        assert d_out < 0  # which is no claim
        return
    assert not is_proved(program, mechanism)


RIGHT = {
    "two steps": (f"{ADD}, d_in=2", 2, "absolute", "rows", "return len(rows)"),
    "rows as they are": (ADD, 1, "symmetric", "rows", "return list(rows)"),
    "sorted rows": (ADD, 1, "symmetric", "rows", "return sorted(rows)"),
    "a tuple of numbers": (ADD, 11, "l1", "rows", "return len(rows), sum(rows)"),
    "in another norm": (ADD, 10, "linf", "rows", "return len(rows), sum(rows)"),
    "a root of squares": (REPLACE, 14.2, "l2", "rows", "return sum(rows), -sum(rows)"),
    "a replaced record": (REPLACE, 2, "symmetric", "rows", "return [2 * row for row in rows]"),
    "each number of a vector": ('neighbors="linf", d_in=2', 6, "linf", "rows: np.ndarray", "return 3 * rows"),
    "lengths that the claim names": (REPLACE, 2.5, "absolute", "rows", "return sum(rows) / len(rows)"),
    "keys in order": (KINDS, 1, "symmetric", "rows", "return sorted(set(rows))"),
    "first rows": (ADD, 2, "symmetric", "rows", "return rows[:3]"),
    "first rows of an array": (ADD, 2, "symmetric", "rows: np.ndarray", "return rows[:3]"),
    "sums by key": (SALES, 10, "l1", "rows", LOOP.format("+ row['amount']")),
    "sums by key of some": (SALES, 5, "linf", "rows", LOOP.format("+ min(row['amount'], 5.0)")),
    "counts by key": (FRAME, 1, "l1", "rows: pd.DataFrame", 'return rows.groupby("kind").size().to_dict()'),
}


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_right_in_another_way_is_proved(what, tmp_path):
    said, d_out, metric, parameter, body = RIGHT[what]
    text = f'{HEAD}@stable(d_out={d_out}, metric="{metric}", {said})\ndef release({parameter}):\n    {body}\n'
    found = search(*of_text(tmp_path, text, "release"), 20.0)
    assert found.proof is not None, found.reason
