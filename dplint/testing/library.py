"""A library against its own word, in its own tests: what `dplint library` tests, without a terminal.

```python
from dplint.testing.library import assert_library


def test_our_maps():
    assert_library("tests/adapter.py", budget=2.0)
```

The adapter is a script that lists what the library's constructors claim of themselves (`dplint.check.library`).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from dplint.check.library import AdapterError, adapter_of, adapters, ask
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.run_library import ASKED, constructor_of, tested, witness_of
from dplint.outcomes import CheckError, Result, Unstable, Violation
from dplint.report.documents import message
from dplint.report.gathered import verdict_name

__all__ = ["AdapterError", "LibraryClaim", "LibraryViolation", "assert_library", "check_library"]


class LibraryViolation(AssertionError):
    """Constructors that are refuted. claims: these, of type `LibraryClaim`."""

    def __init__(self, library: str, claims: list[LibraryClaim]) -> None:
        self.claims = claims
        lines = [
            f"{library}, refuted: {len(claims)} of the claims of its constructors",
            *(f"  {one.make}: {one.words}" for one in claims),
        ]
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class LibraryClaim:
    """One constructor and what came of its claim.

    make: the expression that made it, as the adapter has it. verdict: its name, as in the JSON report: "unstable",
    "violation", "not refuted" and so on. words: the pair or event that refutes it, or why nothing was said.
    """

    make: str
    verdict: str
    words: str
    refuted: bool


def check_library(
    adapter: str | Path, *, interpreter: str | Path | None = None, budget: float = 2.0
) -> tuple[str, list[LibraryClaim]]:
    """The library's name and version, and each claim of its constructors with what came of it.

    adapter: the path of a script, or the name of a library that dplint has one for. interpreter: the Python that has
    the library, by default the one that runs this. budget: seconds for each claim of stability; one of privacy has ten
    times as many. A claim that is not refuted is not proved.

    Raises:
        AdapterError: there is no such adapter, or it fails.
        ValueError: a setting of the project is wrong.
    """
    file = adapter_of(str(adapter))
    if file is None:
        raise AdapterError(f"there is no adapter {str(adapter)!r}; dplint has those of {', '.join(adapters())}")
    python = str(interpreter or sys.executable)
    settings = settings_for(Path.cwd(), overrides({"budget": budget, "interpreter": python}))
    if isinstance(settings, CheckError):
        raise ValueError(f"{settings.file}: {settings.message}")
    document = ask(file, python, ASKED)
    return str(document["library"]), [
        LibraryClaim(constructor_of(document, one), verdict_name(one.outcome), _words(one), _is_refuted(one))
        for one in tested(document, settings, shown=False)
    ]


def assert_library(adapter: str | Path, *, interpreter: str | Path | None = None, budget: float = 2.0) -> None:
    """Fail with the constructors that are refuted, if any is. The arguments are those of `check_library`.

    Raises:
        LibraryViolation: claims are refuted. AdapterError, ValueError: as `check_library`.
    """
    __tracebackhide__ = True
    library, claims = check_library(adapter, interpreter=interpreter, budget=budget)
    refuted = [one for one in claims if one.refuted]
    if refuted:
        raise LibraryViolation(library, refuted)


def _is_refuted(result: Result) -> bool:
    return isinstance(result.outcome, Unstable | Violation)


def _words(result: Result) -> str:
    return witness_of(result) if _is_refuted(result) else message(result)
