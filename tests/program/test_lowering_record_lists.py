"""Records in lists are tuples of their fields, as long as nothing else is asked of one of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check.loading import Target, load_file
from dplint.check.programs import obstacles
from dplint.config import Settings
from dplint.program.nodes import Program, Subscript, TupleDisplay
from dplint.program.walk import walk
from dplint.source.lowering.record_uses import RecordUses
from dplint_conformance import check
from dplint_conformance.cases import cases_in
from tests.conformance.adapters import concrete

HEAD = """
from typing import NamedTuple
from dplint import dp
from .marks import Elsewhere

class Mark(NamedTuple):
    place: int
    score: float

"""
CLAIM = '@dp(epsilon="epsilon", neighbors="linf")\ndef mechanism(rng, q, epsilon):\n'
MADE = "    marks = [Mark(i, x + rng.laplace(scale=1 / epsilon)) for i, x in enumerate(q)]\n"


def target_of(folder: Path, body: str, head: str = HEAD) -> Target:
    package = folder / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "marks.py").write_text("from typing import NamedTuple\nclass Elsewhere(NamedTuple):\n    score: float\n")
    (package / "module.py").write_text(head + CLAIM + body)
    (target,) = (one for one in load_file(package / "module.py", Settings()) if isinstance(one, Target))
    return target


def test_a_record_is_a_tuple_and_a_field_an_item_of_it(tmp_path: Path) -> None:
    target = target_of(tmp_path, MADE + "    return max(marks, key=lambda m: m.score).place\n")

    assert not obstacles(target)
    assert isinstance(target.program, Program)
    nodes = [*walk(target.program.body)]
    assert [len(one.elements) for one in nodes if isinstance(one, TupleDisplay)] == [2]
    assert sum(isinstance(one, Subscript) for one in nodes) == 2


def test_a_record_of_another_module(tmp_path: Path) -> None:
    body = "    found = [Elsewhere(0.0)]\n    for x in q:\n        found.append(Elsewhere(x + rng.laplace()))\n"
    body += "    return found[0].score\n"

    assert not obstacles(target_of(tmp_path, body))


@pytest.mark.parametrize(
    "escape",
    [
        "marks[0]._replace(score=1.0).score",
        "[repr(m) for m in marks]",
        "f'{marks[0]}'",
        "dict(enumerate(marks))[0].score",
        "{m: m.score for m in marks}",
        "[(m, m.score) for m in marks][0]",
        "(lambda: marks[0].score)()",
        "marks.count(marks[0])",
        "marks[0] < marks[1]",
        "sorted(set(marks))[0].score",
        "max(marks, key=lambda m: m.score, default=None)",
        "marks.index(Mark(0, 1.0))",
        "max(*marks, key=lambda m: m.score).place",
        "type(marks[0]).__name__",
        "marks[0].count(1.0)",
        "numpy.array(marks)",
        "(marks or [0])[0]",
    ],
)
def test_what_else_is_asked_of_a_record_is_refused(escape: str, tmp_path: Path) -> None:
    found = obstacles(target_of(tmp_path, f"{MADE}    return {escape}\n", "import numpy\n" + HEAD))

    assert "an object used as a value" in {one.construct for one in found}, found


@pytest.mark.parametrize(
    "binding",
    [
        "    import math as marks\n",
        "    with open('x') as marks:\n        pass\n",
        "    try:\n        pass\n    except ValueError as marks:\n        pass\n",
        "    match q:\n        case [*marks]:\n            pass\n",
        "    for marks in (1, 2):\n        pass\n",
        "    (marks := q)\n",
        "    global marks\n",
        "    def marks():\n        return 1\n",
    ],
)
def test_names_that_something_else_binds_too_hold_no_tuples(binding: str, tmp_path: Path) -> None:
    body = f"{MADE}{binding}    return marks[0].score\n"
    if "global" in binding:
        body = binding + body.replace(binding, "")

    assert obstacles(target_of(tmp_path, body))


def test_what_is_lost_is_looked_for_in_the_conformance_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that, records are followed that Python treats otherwise, and the suite says so."""
    monkeypatch.setattr(RecordUses, "lose", lambda *_: None)

    def differs(name: str) -> bool:
        (case,) = (one for one in cases_in("refused_records.py") if one.name == name)
        try:
            check(replace(case, source=f"{case.source}\n# read again\n"), concrete, range(24))
        except AssertionError:
            return True
        return False

    names = ("record_of_a_list_is_printed", "dataclass_that_is_unpacked", "type_of_a_record")
    assert [differs(name) for name in names] == [True] * 3
