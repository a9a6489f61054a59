"""Seeded faults in the exact reading of Python: each is seen by comparing it at numbers with Python or its oracle."""

from __future__ import annotations

import inspect
import itertools
import operator
import sys
import textwrap
from typing import Any

import pytest

from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import computing, draws
from dplint.readings.exact.computing import kept
from dplint.readings.exact.following import OnBoundary
from tests.exact.recorded_runs import fixture_runs, small_runs
from tests.examples import one_in

Mutant = tuple[str, str, str, str]
"""What is wrong; the function, below `dplint.readings.exact`; and what of its source stands for what."""
SEEDS = 6

SOURCES: list[Mutant] = [
    # operations
    ("plus for every operator", "operations.binary", "tidy(BINARY[symbol]", 'tidy(BINARY["+"]'),
    ("operands swapped", "operations.binary", "(left, right))", "(right, left))"),
    ("a comparison turned", "operations.compare", "(left, right))", "(right, left))"),
    ("a comparison is always <", "operations.compare", "tidy(COMPARE[symbol]", 'tidy(COMPARE["<"]'),
    ("minus dropped", "operations.unary", "tidy(-operand)", "tidy(operand)"),
    ("truth inverted", "operations.truth", "return bool(value)", "return not bool(value)"),
    ("the item before", "operations.subscript", "tidy(value[index])", "tidy(value[index - 1])"),
    ("another item set", "operations.changed_item", "copied[index] = item", "copied[0] = item"),
    ("another item of an array set", "operations.changed_item", "operator.index(index)", "0"),
    ("updates are not kept", "operations.updated", "return copied", "return value"),
    ("updates in place", "operations.updated", "value.copy()", "value"),
    ("the sum has no start", "operations._sum", "total = start", "total = 0"),
    ("the sum without its last", "operations._sum", "in _flat(value)", "in _flat(value)[:-1]"),
    ("the mean is the sum", "operations._mean", " / len(items)", ""),
    ("sums shifted by one", "operations._cumsum", "i + 1", "i"),
    ("differences turned", "operations._diff", "b - a", "a - b"),
    ("a product is a sum", "operations._dot", "a * b", "a + b"),
    ("parts in the wrong order", "operations._concatenate", "for part in parts for", "for part in parts[::-1] for"),
    ("appended in front", "operations._append", "[*_flat(values), *", "[*reversed(_flat(values)), *"),
    ("larger is smaller", "operations.larger", ">=", "<="),
    ("smaller is larger", "operations.smaller", "<=", ">="),
    ("bounds of a clip swapped", "operations._clip", "larger(value, low)", "larger(value, high)"),
    ("a clip without its upper bound", "operations._clip", "smaller(above, high)", "above"),
    ("the order is never reversed", "operations._sorted", "reverse=reverse", "reverse=False"),
    ("order of places reversed", "operations._argsort", "key=items.__getitem__", "key=lambda i: -items[i]"),
    # noisy values
    ("other noise dropped", "affine.Affine.__add__", "coefficients.get(draw, ZERO) + a", "coefficients.get(draw, a)"),
    ("constants are not added", "affine.Affine.__add__", "self.constant + _finite(other)", "self.constant"),
    ("a difference turned", "affine.Affine.__rsub__", "(-self) + other", "self - other"),
    ("a constant not scaled", "affine.Affine.__mul__", "self.constant * factor", "self.constant"),
    ("divided is multiplied", "affine.Affine.__truediv__", "a / divisor", "a * divisor"),
    ("abs dropped", "affine.Affine.__abs__", "if self >= 0 else -self", ""),
    (
        "ties of whole numbers turned",
        "affine.Affine.without_ties",
        "strict and least == 0",
        "not strict and least == 0",
    ),
    ("whole numbers are never equal", "affine.Affine.__eq__", "if self.on_grid", "if not self.on_grid"),
    ("noise that cancels is zero", "affine.affine_or_float", "int(constant.p) / int(constant.q)", "0.0"),
    ("kinds of keys are not told apart", "affine.key_of", "(key_of(key), ", "(key, "),
    ("arrays of noise reversed", "affine.array_of", "found[index] = of_kind(", "found[-1 - index] = of_kind("),
    # draws
    ("the last whole number is left out", "draws._bounds", "endpoint", "nothing"),
    ("choices without the last item", "draws._choice", "items = list(array)", "items = list(array)[:-1]"),
    ("draws of an array are one", "draws._real", "draw = name(index, False)", "draw = name(0, False)"),
    ("whole draws of an array are one", "draws._whole", "draw = name(index, True)", "draw = name(0, True)"),
    ("the location turned", "draws._line", "distribution.location(exact)", "-distribution.location(exact)"),
    ("the shape dropped", "draws._shaped", "if shape is None else", "if True else"),
    ("binomials without the last", "draws._values", "_few(0, n)]", "_few(0, n - 1)]"),
    # ways
    ("the smallest is the largest", "weights.extremes", "if sign < 0:", "if False:"),
    (
        "the last item is no candidate",
        "weights.extremes",
        "enumerate(items):\n        left",
        "enumerate(items[:-1]):\n        left",
    ),
    ("items and their indices confused", "weights.extremes", "if index else", "if not index else"),
    ("the last of several largest", "weights.extremes", "strict=j < i", "strict=j > i"),
    (
        "one outcome forgotten",
        "weights.all_ways",
        "[*script.decisions[:index], False]",
        "[*script.decisions[:index], True]",
    ),
    (
        "outcomes confused",
        "weights._Script.decide",
        "self.weight = yes if taken else no",
        "self.weight = no if taken else yes",
    ),
    ("sides confused", "weights.Weight.sides", "if a > 0 else (below, above)", "if a < 0 else (below, above)"),
    ("limits confused", "weights.Weight.limit", "if first > 0:", "if first < 0:"),
    ("only the first bound", "weights.Weight.limit", "max(low, bound)", "low"),
    # walking
    (
        "the last item is not walked",
        "interpretation.ExactInterpretation.iterate",
        "len(items) > index}",
        "len(items) > index + 1}",
    ),
    ("branches confused", "interpretation.ExactInterpretation.truth", "if holds)", "if not holds)"),
    (
        "items changed in place",
        "interpretation.ExactInterpretation.set_item",
        "copied = copy.copy(container)",
        "copied = container",
    ),
    (
        "lists changed in place",
        "interpretation.ExactInterpretation.update",
        "copied = copy.copy(container)",
        "copied = container",
    ),
    (
        "draws of all turns are one",
        "interpretation.ExactInterpretation._name",
        "(site, index, whole), -",
        "(site.span, index, whole), -",
    ),
    ("old and new confused", "paths.Paths.select", "new if leaf in inside else old", "old if leaf in inside else new"),
    ("the other paths forgotten", "paths.Paths.negate", "frozenset(self.weights) - self.leaves(mask)", "frozenset()"),
    ("values of ancestors only", "paths.Paths.get", "node: int | None = leaf", "node = self._parent.get(leaf)"),
    # merging
    (
        "what is live is not looked at",
        "merging.Merging._key",
        "key_of(value, of_noise) for value in own",
        "0 for value in own",
    ),
    (
        "constants beside noise ignored",
        "merging._relative_to",
        "exact_key(value.constant - ratio * anchor.constant)",
        "0",
    ),
    ("factors beside noise ignored", "merging._relative_to", "exact_key(ratio)", "0"),
    (
        "a merge forgets a path",
        "merging.Merging._replaced",
        "merge([state.leaf for state in states], weight)",
        "end([s.leaf for s in states[1:]]) or self._interpretation.merge([states[0].leaf], weight)",
    ),
    ("a mixture forgets a path", "merging._mixture", "zip(states, pieces, strict=True)", "zip(states[:1], pieces[:1])"),
    ("a mixture is not moved", "merging.Merging._mix_one", "(offset - offset0) / slope0", "fmpq(0)"),
    # before the walk, and the outputs
    ("conditions of comprehensions dropped", "computing._loop", "reversed(clause.conditions)", "()"),
    ("clauses in the wrong order", "computing._Names._loops", "reversed(node.clauses)", "node.clauses"),
    (
        "free numbers doubled",
        "outputs._independent",
        "found.append(({len(free): ONE}, ZERO))",
        "found.append(({len(free): ONE}, ONE))",
    ),
    ("constants of forms dropped", "outputs.Combination.at", ", self.constant)", ", ZERO)"),
    ("numbers in the wrong place", "outputs._template", "Slot(len(noise) - 1)", "Slot(0)"),
]
TABLES = [
    ("abs is not applied", "operations.FUNCTIONS", "abs", lambda value: value),
    ("enumerate counts from one", "operations.FUNCTIONS", "enumerate", lambda items: list(enumerate(items, 1))),
    ("zip in the wrong order", "operations.FUNCTIONS", "zip", lambda *lists: list(zip(*lists[::-1], strict=False))),
    ("not reversed", "operations.FUNCTIONS", "reversed", list),
    ("min is max", "operations.EXTREMES", "min", (1, False)),
    ("argmax is argmin", "operations.EXTREMES", "numpy.argmax", (-1, True)),
    ("items without their keys", "operations.METHODS", "items", lambda value: list(enumerate(value.values()))),
    ("add is subtract", "operations.FUNCTIONS", "numpy.add", operator.sub),
    ("maximum is minimum", "operations.FUNCTIONS", "numpy.maximum", lambda a, b: a),
]


def function_at(name: str) -> Any:
    """A function or method by its name below the package."""
    module, _, rest = name.partition(".")
    found: Any = sys.modules[f"dplint.readings.exact.{module}"]
    for part in rest.split("."):
        found = getattr(found, part)
    return inspect.unwrap(found.fget if isinstance(found, property) else found)


def mutated(function: Any, old: str, new: str) -> Any:
    """The code of the function with a part of its source replaced."""
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1, f"{old!r} is not in the source once"
    source = "".join(line for line in source.replace(old, new).splitlines(True) if not line.startswith("@"))
    namespace = dict(function.__globals__)
    exec(compile("from __future__ import annotations\n" + source, function.__code__.co_filename, "exec"), namespace)
    return namespace[function.__name__].__code__


def forget() -> None:
    """Nothing is kept that another reading has made."""
    computing._programs.clear()
    kept.forget()
    draws._line.cache_clear()


def first_seen() -> str | None:
    """The first run of the fixtures, or of the small mechanisms, that shows that the reading is wrong."""
    runs: Any = itertools.chain(small_runs(), fixture_runs()[::7])
    for one in runs:
        for seed in range(SEEDS):
            try:
                one.compare(seed)
            except (UnsupportedConstruct, OnBoundary):
                continue
            except Exception as error:
                return f"{type(error).__name__}: {error}"
    return None


@pytest.fixture(autouse=True)
def _forgotten():
    yield
    forget()


@pytest.mark.parametrize("mutant", one_in(8, SOURCES), ids=lambda one: one[0])
def test_a_fault_in_the_source_is_seen(mutant, monkeypatch):
    _, name, old, new = mutant
    small_runs()
    function = function_at(name)
    monkeypatch.setattr(function, "__code__", mutated(function, old, new))
    forget()

    assert first_seen() is not None


@pytest.mark.parametrize("mutant", TABLES, ids=lambda one: one[0])
def test_a_fault_in_a_table_is_seen(mutant, monkeypatch):
    _, name, key, value = mutant
    small_runs()
    monkeypatch.setitem(function_at(name), key, value)
    forget()

    assert first_seen() is not None
