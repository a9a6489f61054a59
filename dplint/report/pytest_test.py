"""A violation as a test of pytest, which fails as long as the mechanism breaks its promise."""

from __future__ import annotations

import keyword
import math
import textwrap
from dataclasses import dataclass

from dplint.outcomes import Result, Violation
from dplint.report import problem_words

_WIDTH = 88
_LEAST_SECONDS = 5


@dataclass(frozen=True, slots=True)
class TestFile:
    """A file with one test of that name. __test__: it is no test itself, whatever its name looks like."""

    name: str
    file_name: str
    text: str

    __test__ = False


def pytest_test(result: Result) -> TestFile | None:
    """The test of a violation, with the counterexample as a comment.

    None if the outcome is no violation, or if a test cannot import the function by its name.
    """
    mechanism = result.mechanism
    owner, _, rest = mechanism.qualname.partition(".")
    parts = [*mechanism.module.split("."), owner]
    if not isinstance(result.outcome, Violation) or "<locals>" in mechanism.qualname:
        return None
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in parts):
        return None
    name = f"test_{mechanism.qualname.replace('.', '_').lower()}_privacy"
    # pytest would take a function for a test whose name begins so.
    alias, known = (" as mechanism", "mechanism") if owner.lower().startswith("test") else ("", owner)
    # Twice as long as it took to find the violation, which a faster or a slower machine will find again.
    seconds = max(_LEAST_SECONDS, math.ceil(2 * result.outcome.effort.seconds))
    lines = [
        "from dplint.testing import assert_private",
        "",
        f"from {mechanism.module} import {owner}{alias}",
        "",
        "",
        f"def {name}():",
        *(_comment(line) for line in problem_words.whole(result).splitlines()),
        f'    assert_private({known}{"." * bool(rest)}{rest}, budget="{seconds}s")',
    ]
    return TestFile(name, f"{name}.py", "\n".join(lines) + "\n")


def _comment(line: str) -> str:
    return textwrap.fill(line, _WIDTH, initial_indent="    # ", subsequent_indent="    #   ", break_on_hyphens=False)
