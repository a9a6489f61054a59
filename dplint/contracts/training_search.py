"""The engines of a module, whoever makes them: its own lines, its functions, its classes.

Nothing is taken to be the data. Read are the lines of the module, with the functions that they call; then each function
by itself; then each method that no other of its class calls, after `__init__`. What is said of an engine is from the
first of these readings in which all is known. A parameter is what its default is, or what a claim says of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from dplint.amounts import name, number
from dplint.claims import Claim, Mechanism, Span
from dplint.contracts.expressions import literal
from dplint.contracts.frames import Frame, Run
from dplint.contracts.objects import Owner, takes_object
from dplint.contracts.reading import read_lines
from dplint.contracts.trainings import Training, account, at, fixed_numbers
from dplint.contracts.values import Public
from dplint.contracts.views import Defined, View

EXAMPLE_DELTA = Fraction(1, 100_000)
"""The delta of what is told where the source asks for none."""
_NO_CLAIM = Claim(epsilon=0.0, relation="add-remove")


def trainings_in(view: View, mechanisms: Iterable[Mechanism] = ()) -> list[Training]:
    """What the engines of a module spend, one for each call that makes one, in the order of the source.

    mechanisms: of the module. Where one call makes several engines, it is the dearest; or one of which not all is
    known. Raises RecursionError for what is nested too deeply.
    """
    told: dict[Span, Training] = {}
    for frame, known, words in _readings(view, {id(view.function(one)): one for one in mechanisms}):
        here: dict[Span, list[Training]] = {}
        asked = at(frame.run.delta, known).value if frame.run.delta is not None else None
        delta = asked if asked and 0 < asked < 1 else EXAMPLE_DELTA
        for engine in frame.run.engines.values():
            training = account(engine, known, delta)
            example = "; the source asks for no delta" if asked is None and not engine.target else ""
            here.setdefault(engine.span, []).append(replace(training, words=training.words + words + example))
        for span, all_here in here.items():
            dearest = max(all_here, key=lambda one: (bool(one.missing), one.epsilon or 0))
            if dearest.engine.file == view.file and (span not in told or told[span].missing):
                told[span] = dearest
    return [told[span] for span in sorted(told)]


_Way = tuple[Frame, dict[str, Fraction], str]


def _readings(view: View, claimed: dict[int, Mechanism]) -> Iterator[_Way]:
    """Frames of what was read, with the numbers that names stand for, and words for what is not clear."""
    lines = Frame(Run(_NO_CLAIM, claimless=True), view)
    read_lines(lines, [one for one in view.tree.body if not isinstance(one, Defined | ast.ClassDef)])
    yield lines, {}, ""
    for node in ast.walk(view.tree):
        if isinstance(node, Defined) and not (node.args.args and node.args.args[0].arg == "self"):
            frame = Frame(Run(_NO_CLAIM, claimless=True), view)
            mechanism = claimed.get(id(node))
            claim = _NO_CLAIM if mechanism is None else mechanism.claim
            if mechanism is not None and mechanism.data and claim.size is not None and len(claim.size) == 1:
                frame.env[mechanism.data] = Public(mechanism.data, count=number(claim.size[0]))
            frame.run.delta = literal(claim.delta).amount if claim.delta else None
            yield frame, _called(frame, node) | fixed_numbers(claim), ""
        elif isinstance(node, ast.ClassDef):
            yield from _of_class(view, node)


def _of_class(view: View, owner: ast.ClassDef) -> Iterator[_Way]:
    calls = [one.func for one in ast.walk(owner) if isinstance(one, ast.Call)]
    called = {one.attr for one in calls if isinstance(one, ast.Attribute)} | {"__init__"}
    methods = [one for one in owner.body if isinstance(one, ast.FunctionDef) and takes_object(one)]
    for method in methods:
        if method.name not in called:
            own, known = Public("self"), dict[str, Fraction]()
            run = Run(_NO_CLAIM, claimless=True, own=own, owner=Owner(owner, None, {}, frozenset(), {}))
            frame = Frame(run, view)
            for one in (*(made for made in methods if made.name == "__init__"), method):
                frame.env[one.args.args[0].arg] = own
                known |= _called(frame, one)
            yield frame, known, f", in one call of `{owner.name}.{method.name}`"


def _called(frame: Frame, function: Defined) -> dict[str, Fraction]:
    """Read a call of a function; which of its parameters are numbers by default."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    defaults = dict(zip((one.arg for one in reversed(positional)), reversed(given.defaults), strict=False))
    defaults |= {one.arg: value for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
    for one in (*positional, *given.kwonlyargs):
        frame.env.setdefault(one.arg, Public(one.arg, amount=name(one.arg)))
    read_lines(frame, function.body)
    constants = {one: literal(node.value).amount for one, node in defaults.items() if isinstance(node, ast.Constant)}
    return {one: amount.value for one, amount in constants.items() if amount is not None and amount.value is not None}
