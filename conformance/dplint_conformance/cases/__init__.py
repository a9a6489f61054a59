"""Some two thousand small mechanisms, in files by topic: plain Python functions as people write them.

The name of a function is the name of the case; one whose name begins with an underscore is a helper of others. Besides
the generator, a case has at least one parameter, its data. Arguments without a default are those of `ARGUMENTS`. The
files are read as text and never imported. What is in the files `refused*.py` no interpretation follows; everything
else is followed.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib.resources import files

from dplint_conformance.harness import Case, functions

ARGUMENTS = {
    "queries": [1.0, 0.0, 2.0, 1.0, 3.0],
    "values": [-2.5, 0.5, 1.5, -1.5, 7.0],
    "counts": [3, 0, 5, 2],
    "records": [0, 1, 1, 3, 3, 3],
    "bits": [1, 0, 1, 1],
    "names": ["a", "b", "c"],
    "points": [(0, 1.5), (1, -0.5), (2, 3.0)],
    "rows": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
    "epsilon": 1.0,
    "threshold": 1.0,
    "answer": 2.5,
    "k": 2,
    "n": 7,
}


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, in the order of the files and of their functions."""
    topics = sorted(file.name for file in files(__name__).iterdir() if re.fullmatch(r"[a-z]\w*\.py", file.name))
    return tuple(case for topic in topics for case in cases_in(topic))


def cases_in(topic: str) -> list[Case]:
    """The cases of one file."""
    source = files(__name__).joinpath(topic).read_text(encoding="utf-8")
    return [
        Case(name, source, _arguments(function))
        for name, function in functions(source).items()
        if not name.startswith("_")
    ]


def _arguments(function: object) -> dict[str, object]:
    parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    return {
        p.name: ARGUMENTS[p.name] if p.default is inspect.Parameter.empty else p.default
        for p in parameters
        if p.name != "rng"
    }


_REFUSED = sorted(
    file.name for file in files(__name__).iterdir() if file.name.startswith("refused") and file.name.endswith(".py")
)
REFUSED_BY_ALL = frozenset(case.name for topic in _REFUSED for case in cases_in(topic))
"""The cases that the lowering or the evaluator refuses, whatever the interpretation."""
