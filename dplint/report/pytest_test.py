"""A violation as a pytest test: it fails as long as the mechanism breaks its promise, and needs nothing of dplint."""

from __future__ import annotations

import ast
import builtins
import keyword
import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

from dplint.claims import Literal, Mechanism, ParameterKind
from dplint.inputs.forms import as_settled, data_form
from dplint.outcomes import CountedEvidence, Counterexample, Measure, Result, Violation
from dplint.report.margin import Margin, Odds, margin
from dplint.report.promises import limit_words, neighbours_words
from dplint.report.python_code import WIDTH, assignment, call, condition, event_code, literal_code
from dplint.report.randomness import Randomness, randomness_of
from dplint.report.ratios import cautious, estimates, measure_of
from dplint.syntax import parse_text

MOST_RUNS = 200_000
"""Runs on either side."""
_MOST_SECONDS = 60.0
_LARGEST_EPSILON = 50.0
"""No counts could break a larger one."""
_FEW_RUNS = 20_000
"""The simplest counterexample is shown if it needs no more than this, else the one that needs the fewest runs."""
_STANDARD_ERRORS = (3.0, 2.0, 1.0)
"""By how many of them the excess is lowered, where the ends of the two intervals together would be too cautious."""
_CUT = re.compile(r"…\[\d+ characters, sha256 ")
"""A text in an event that is not the whole one."""
_OURS = {
    "math",
    "np",
    "pd",
    "pl",
    "copy",
    "random",
    "rng",
    "RUNS",
    "D1",
    "D2",
    "is_in_event",
    "output",
    "data",
    "error",
}


_MADE = {
    "frame": "{}.copy()",
    "series": "{}.copy()",
    "polars frame": "{}.clone()",
    "polars series": "{}.clone()",
    "array": "np.array({}, dtype=float)",
    "matrix": "np.array([list(record.values()) for record in {}])",
    "tensor": "torch.tensor([list(one.values()) if isinstance(one, dict) else one for one in {}])",
    "tuple": "tuple({})",
    "set": "set({})",
    "frozenset": "frozenset({})",
    "dict": 'dict(zip("abcdefghijklmnopqrstuvwxyz", {}))',
    "numbered dict": "dict(enumerate({}))",
    "list of tuples": "[tuple(record.values()) for record in {}]",
    "list of lists": "[list(record.values()) for record in {}]",
}
"""How the data is made for each run, as `runner.data_forms` does; {} is its name."""
_TABLES = {
    "frame": "pd.DataFrame",
    "series": "pd.Series",
    "polars frame": "pl.DataFrame",
    "polars series": "pl.Series",
}


@dataclass(frozen=True, slots=True)
class TestFile:
    """A file with one test of that name. __test__: it is no test itself, whatever its name looks like."""

    name: str
    file_name: str
    text: str

    __test__ = False


def pytest_test(result: Result) -> TestFile | None:
    """The test that shows a violation; None if the outcome is none, or if no test can show it.

    That is so for data without a literal form, as objects that the claim's own function has made; for events that are
    about a text too long to be kept; for methods and functions that have to be made first; for claims about more than
    what is returned; and where the claim is broken by so little that telling it from chance would take more than
    MOST_RUNS runs a side or a minute.
    """
    mechanism, violation = result.mechanism, result.outcome
    if not isinstance(violation, Violation) or mechanism.data is None:
        return None
    claim = mechanism.claim
    if mechanism.receiver or claim.observe or claim.apart or "<locals>" in mechanism.qualname:
        return None
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in mechanism.module.split(".")):
        return None
    chosen = _choose(mechanism, violation) if violation.epsilon_tested < _LARGEST_EPSILON else None
    if chosen is None:
        return None
    name = f"test_{mechanism.qualname.replace('.', '_').lower()}_privacy"
    text = _Writer(mechanism, violation, *chosen).text(name)
    return TestFile(name, f"{name}.py", text)


def _choose(mechanism: Mechanism, violation: Violation) -> tuple[Counterexample, Margin] | None:
    """The counterexample to show and the numbers of its test.

    The probabilities are taken from the worse ends of their intervals. Where that would take too many runs, the excess
    over the claim is lowered by a few standard errors instead: first of the counterexample that is surer.
    """
    most = _most_runs(violation)
    found = [one for one in (violation.counterexample, violation.strongest) if one and _can_be_shown(mechanism, one)]
    cautious = [(one, margin(_odds(violation, one, 1.0), most)) for one in found]
    possible = [(one, numbers) for one, numbers in cautious if numbers is not None]
    if possible and possible[0][1].runs <= _FEW_RUNS:
        return possible[0]
    if possible:
        return min(possible, key=lambda candidate: candidate[1].runs)
    for errors in _STANDARD_ERRORS:
        for one in sorted(found, key=lambda one: _excess_in_errors(violation, one), reverse=True):
            numbers = margin(_odds(violation, one, _share(violation, one, errors)), most)
            if numbers is not None:
                return one, numbers
    return None


def _odds(violation: Violation, found: Counterexample, share: float) -> Odds:
    """The probabilities, each moved by this share of the way to the end of its interval that speaks for the claim."""
    one, two = estimates(found.evidence)
    least, most = cautious(found.evidence)
    p1, p2 = one + share * (least - one), two + share * (most - two)
    return Odds(violation.epsilon_tested, violation.delta_tested, p1, p2)


def _share(violation: Violation, found: Counterexample, errors: float) -> float:
    """How far to move both probabilities, so that their excess is lowered by so many standard errors."""
    one, two = _widths(violation, found)
    if not isinstance(found.evidence, CountedEvidence) or one + two <= 0:
        return 1.0
    deviate = NormalDist().inv_cdf((1 + found.evidence.confidence) / 2)
    return min(1.0, errors / deviate * math.hypot(one, two) / (one + two))


def _excess_in_errors(violation: Violation, found: Counterexample) -> float:
    ratio = math.exp(violation.epsilon_tested)
    width = math.hypot(*_widths(violation, found))
    one, two = estimates(found.evidence)
    return (one - ratio * two - violation.delta_tested) / width if width > 0 else math.inf


def _widths(violation: Violation, found: Counterexample) -> tuple[float, float]:
    one, two = estimates(found.evidence)
    least, most = cautious(found.evidence)
    return one - least, math.exp(violation.epsilon_tested) * (most - two)


def _most_runs(violation: Violation) -> int:
    """As many as fit into a minute, by the speed of the audit: on lanes a call takes longer, but never that long."""
    effort = violation.effort
    seconds_per_run = effort.seconds / effort.runs if effort.runs else 0.0
    return MOST_RUNS if seconds_per_run == 0 else min(MOST_RUNS, int(_MOST_SECONDS / 2 / seconds_per_run))


def _can_be_shown(mechanism: Mechanism, found: Counterexample) -> bool:
    if measure_of(found.evidence) is not Measure.PROBABILITY:  # no run ever gives that very output
        return False
    witness = found.witness
    if not _has_code(data_form(mechanism), witness.d1, witness.d2):
        return False
    if _CUT.search(witness.event) or event_code(witness.event) is None:
        return False
    # what the claim's own function has made is known by its repr, unless it is plain
    if mechanism.claim.pairs is not None and (isinstance(witness.d1, str) or isinstance(witness.d2, str)):
        return False
    try:
        for value in (witness.d1, witness.d2, *(argument.value for argument in witness.arguments)):
            literal_code(value)
    except ValueError:
        return False
    given = {argument.name for argument in witness.arguments} | {mechanism.data, mechanism.rng}
    kinds = {parameter.name: parameter.kind for parameter in mechanism.parameters}
    return all(name is None or kinds.get(name) not in _COLLECTING for name in given)


def _has_code(form: str, d1: Literal, d2: Literal) -> bool:
    """Whether a line of `_MADE` makes this data: no object of a class, no table of rows without a row to tell of it."""
    lengths = [len(side) for side in (d1, d2) if isinstance(side, list)]
    if form in ("matrix", "tensor"):
        return 0 not in lengths
    return "object" not in form and not (form == "dict" and max(lengths, default=0) > 26)


_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


class _Writer:
    """The parts of one test."""

    def __init__(self, mechanism: Mechanism, violation: Violation, found: Counterexample, numbers: Margin) -> None:
        self.mechanism = mechanism
        self.violation = violation
        self.witness = found.witness
        self.numbers = numbers
        settled = as_settled(mechanism, violation.effort.notes)
        self.form = "scalar" if mechanism.claim.pairs is not None else data_form(settled)
        self.randomness: Randomness = randomness_of(mechanism)
        owner, _, rest = mechanism.qualname.partition(".")
        hidden = owner in _OURS | set(dir(builtins)) or owner.lower().startswith("test")
        self.imported = f"{owner} as mechanism" if hidden else owner
        self.function = ("mechanism" if hidden else owner) + (f".{rest}" if rest else "")

    def text(self, name: str) -> str:
        """The whole file."""
        blocks = [
            self._docstring(),
            *self._imports(),
            self._constants(),
            "",
            *self._is_in_event(),
            "",
            "",
            *self._test(name),
        ]
        return "\n".join(blocks) + "\n"

    def _docstring(self) -> str:
        violation = self.violation
        scalar = isinstance(self.witness.d1, int | float)
        neighbours = neighbours_words(self.mechanism.claim, scalar=scalar)
        sentences = (
            "The promise: whoever sees an output learns little about which of two neighbouring inputs it came from. "
            f"Any set of outputs is {limit_words(violation.epsilon_tested, violation.delta_tested)}. Two inputs are "
            f"neighbours if {neighbours}. "
            "dplint has found two, D1 and D2, and a set of outputs that is likelier than that on D1. This test counts "
            "how often the outputs lie in it."
        )
        first = f'"""{self.mechanism.qualname} must keep its promise of privacy.'
        return "\n".join([*_wrapped(first), "", *_wrapped(sentences), '"""', ""])

    def _imports(self) -> Iterator[str]:
        standard = {"math"} | self.randomness.standard
        standard |= {module for module in ("json", "re") if f"{module}." in self.witness.event}
        body = self._copied("data")
        standard |= {"copy"} if body.startswith("copy.") else set()
        yield from (f"import {module}" for module in sorted(standard))
        yield ""
        others = []
        if self.form in ("array", "matrix") or self.randomness.needs_numpy:
            others.append("import numpy as np")
        if self.form == "tensor":
            others.append("import torch")
        if self.form in ("frame", "series"):
            others.append("import pandas as pd")
        if self.form in ("polars frame", "polars series"):
            others.append("import polars as pl")
        yield from others
        if others:
            yield ""
        yield from self._import_of_the_function()
        yield ""

    def _import_of_the_function(self) -> list[str]:
        line = f"from {self.mechanism.module} import {self.imported}"
        if len(line) <= WIDTH:
            return [line]
        return [f"from {self.mechanism.module} import (", f"    {self.imported},", ")"]

    def _constants(self) -> str:
        lines = [f"RUNS = {self.numbers.runs:_}"]
        lines += assignment("D1", self.witness.d1)
        lines += assignment("D2", self.witness.d2)
        return "\n".join([*lines, ""])

    def _is_in_event(self) -> Iterator[str]:
        parameters = "data" if self.mechanism.rng is None else "data, rng"
        yield f"def is_in_event({parameters}):"
        yield '    """Whether the output of one run lies in the set of outputs."""'
        caught = self._caught()
        indent = " " * (8 if caught else 4)
        run = call("output = ", self.function, self._arguments(), indent)
        if self._yields():
            run.append(f"{indent}output = list(output)")
        if caught:
            yield "    try:"
            yield from run
            yield f"    except {caught} as error:"
            yield "        output = error  # whoever sees the output sees that as well"
        else:
            yield from run
        event = event_code(self.witness.event)
        assert event is not None
        yield from condition("return bool", event, "    ")

    def _arguments(self) -> list[str]:
        """The arguments of a call in the order of the parameters; all by name that may be."""
        values = {argument.name: literal_code(argument.value) for argument in self.witness.arguments}
        values[str(self.mechanism.data)] = self._copied("data")
        if self.mechanism.rng is not None:
            values[self.mechanism.rng] = "rng"
        kinds = {parameter.name: parameter.kind for parameter in self.mechanism.parameters}
        order = [*(name for name in kinds if name in values), *(name for name in values if name not in kinds)]
        positional = [name for name in order if kinds.get(name) is ParameterKind.POSITIONAL_ONLY]
        return [values[name] for name in positional] + [
            f"{name}={values[name]}" for name in order if name not in positional
        ]

    def _copied(self, name: str) -> str:
        """The data as the function is to get it: a fresh object, as it may be changed."""
        if self.form in _MADE:
            return _MADE[self.form].format(name)
        match self.form:
            case "list":
                return _copied_list(name, [*_items(self.witness.d1), *_items(self.witness.d2)])
            case _:
                return _copied_value(name, self.witness.d1, self.witness.d2)

    def _caught(self) -> str:
        """The exceptions that count as outputs; empty if none has to do with the event."""
        source = "\n".join(self.mechanism.source_lines)
        named = [*re.findall(r"'(\w+)'", self.witness.event), *re.findall(r"\braise +(\w+)", source)]
        kinds = sorted({name for name in named if _is_exception(name)})
        concerned = "Exception" in self.witness.event or "isinstance(output" in self.witness.event
        if kinds and (concerned or "raise" in source or "type(output)" in self.witness.event):
            return kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
        return "Exception" if concerned or re.search(r"\braise\b", source) else ""

    def _yields(self) -> bool:
        """Whether the function is or returns a generator: the output is then the list of what that yields."""
        try:
            tree = parse_text(textwrap.dedent("\n".join(self.mechanism.source_lines)))
        except (SyntaxError, ValueError):
            return False
        return any(
            isinstance(node, ast.Yield | ast.YieldFrom)
            or (isinstance(node, ast.Return) and isinstance(node.value, ast.GeneratorExp))
            for node in ast.walk(tree)
        )

    def _test(self, name: str) -> Iterator[str]:
        yield f"def {name}():"
        yield from (f"    {line}" for line in self.randomness.lines)
        one, two = "D1", "D2"
        if self.form in _TABLES:
            one, two = "data1", "data2"
            renumbered = ".reset_index(drop=True)" if self.form in ("frame", "series") else ""
            yield "    # cut from one table, so that even without records the columns are the same"
            yield f"    both = {_TABLES[self.form]}(D1 + D2)"
            yield f"    data1 = both[: len(D1)]{renumbered}"
            yield f"    data2 = both[len(D1) :]{renumbered}"
        further = "" if self.mechanism.rng is None else f", {self.randomness.passed}"
        yield "    count1 = count2 = 0"
        yield "    for _ in range(RUNS):"
        yield f"        count1 += is_in_event({one}{further})"
        yield f"        count2 += is_in_event({two}{further})"
        yield from self._assertion()

    def _assertion(self) -> Iterator[str]:
        epsilon, delta = self.violation.epsilon_tested, self.violation.delta_tested
        numbers = self.numbers
        yield f"    allowed = math.exp({epsilon!r}) * count2" + (f" + {delta!r} * RUNS" if delta else "")
        yield "    # What chance may add: a function that keeps its promise exceeds it less often than in"
        yield "    # one of a million such tests (Chernoff's bound for the two counts)."
        yield f"    slack = {numbers.constant}" + (f" + {numbers.factor!r} * count2" if numbers.factor else "")
        yield "    assert count1 <= allowed + slack"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _items(value: Literal) -> list[Literal]:
    return list(value) if isinstance(value, list | tuple) else []


def _copied_list(name: str, items: list[Literal]) -> str:
    if all(isinstance(item, bool | int | float | str | None) for item in items):
        return f"list({name})"
    for kind in (dict, list):
        if all(isinstance(item, kind) and _is_flat(item) for item in items):
            return f"[{kind.__name__}(record) for record in {name}]"
    return f"copy.deepcopy({name})"


def _copied_value(name: str, *values: Literal) -> str:
    if all(not isinstance(value, list | dict) and _is_flat(value) for value in values):
        return name
    for kind in (dict, list):
        if all(isinstance(value, kind) and _is_flat(value) for value in values):
            return f"{kind.__name__}({name})"
    return f"copy.deepcopy({name})"


def _is_flat(value: Literal) -> bool:
    inner: list[Literal] = list(value.values()) if isinstance(value, dict) else _items(value)
    return not any(isinstance(item, list | dict | tuple) for item in inner)


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)
