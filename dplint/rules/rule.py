"""What a rule is: a code, how bad it is, a check, and its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from textwrap import dedent, fill
from typing import TypeAlias

from dplint.outcomes import Effect, Severity
from dplint.rules.context import Context, Report

Check: TypeAlias = Callable[[Context], Iterator[Report]]

ANY_EFFECT = (Effect.OUTPUT, Effect.EXCEPTION)
"""Of what can end in an exception as well: a division by a private size, a branch that raises, a missing key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A static rule.

    name: a short name in words. what, why: what it flags and why that matters. bug: the real bug behind it. bad, good:
    examples, two or more of each, functions with their claims and without imports; the first is shown on the page, and
    all are tests: the rule flags the bad ones, and nothing is an error in the good ones. Further ones are no part of
    the package: `tests/rules/cases`. opt_in: it is off unless asked
    for by its code. foretells: outputs can show what it flags, so that its findings explain a violation of the same
    function. effects: the kinds of events that it can cause; most rules speak of noise, which decides on values, and no
    exception is explained by a scale. same_as: codes of rules that speak of the same cause in other words, of which one
    is told in its place where both explain a violation. error_if_refuted: it is a warning, right often and not always,
    which becomes an error then. disprovable: it says of what it foretells that the claim breaks in exact arithmetic, so
    that a proof of the claim shows it to be wrong; not so what is poor in any case, as dead noise, or outside of a
    proof, as the seed. outside: it is asked about lines outside of functions, too: it speaks of how noise is made, not
    of what a script prints or its seed.
    """

    code: str
    name: str
    severity: Severity
    what: str
    why: str
    bug: str
    bad: tuple[str, ...]
    good: tuple[str, ...]
    check: Check
    opt_in: bool = False
    foretells: bool = True
    effects: tuple[Effect, ...] = (Effect.OUTPUT,)
    same_as: tuple[str, ...] = ()
    error_if_refuted: bool = False
    disprovable: bool = True
    outside: bool = False

    @property
    def page(self) -> str:
        """The page of the rule, as Markdown; `dplint.codes` says how a page begins."""
        asked = " The rule is off unless it is asked for by its code." if self.opt_in else ""
        silence = (
            f"Add `# dplint: ignore[{self.code}]` at the end of the line, or on a line of its own above the function, "
            f"or run with `--ignore {self.code}`."
        )
        parts = [
            f"# {self.code}: {self.name}",
            f"Severity: {self.severity}",
            _wrapped(self.what + asked),
            "## Why it matters",
            _wrapped(self.why),
            _wrapped(f"Seen in the wild: {self.bug}"),
            "## Bad",
            f"```python\n{dedent(self.bad[0]).strip()}\n```",
            "## Good",
            f"```python\n{dedent(self.good[0]).strip()}\n```",
            "## How to silence it",
            _wrapped(silence),
        ]
        return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)
