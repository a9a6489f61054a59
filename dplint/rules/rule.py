"""What a rule is: a code and a check. What it says to people, and how bad that is, stands on the page of its code.

Here is also what nearly every rule needs: `Context`, `Report`, `Term` with its kinds, and the edits of fixes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dplint.codes import CODES
from dplint.outcomes import Effect, Severity
from dplint.rules.context import Context, Report, delete_line, factor, replace_node
from dplint.rules.flow.terms import Term, TermKind, inside

__all__ = ["ANY_EFFECT", "Context", "Report", "Reports", "Rule", "Term", "TermKind"]
__all__ += ["delete_line", "factor", "inside", "replace_node"]

Reports: TypeAlias = Iterator[Report]

ANY_EFFECT = (Effect.OUTPUT, Effect.EXCEPTION)
"""Of what can end in an exception as well: a division by a private size, a branch that raises, a missing key."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A static rule.

    Its name, what it flags, why that matters, the real bug behind it, and a bad and a good example are on the page of
    its code, `dplint/codes/pages`; further examples are no part of the package: `tests/rules/cases`. All of them are
    tests: the rule flags the bad ones, and nothing is an error in the good ones.

    opt_in: it is off unless asked for by its code. foretells: outputs can show what it flags, so that its findings
    explain a violation of the same function. effects: the kinds of events that it can cause; most rules speak of noise,
    which decides on values, and no exception is explained by a scale. same_as: codes of rules that speak of the same
    cause in other words, of which one is told in its place where both explain a violation. error_if_refuted: it is a
    warning, right often and not always, which becomes an error then. disprovable: it says of what it foretells that the
    claim breaks in exact arithmetic, so that a proof of the claim shows it to be wrong; not so what is poor in any
    case, as dead noise, or outside of a proof, as the seed. outside: it is asked about lines outside of functions, too:
    it speaks of how noise is made, not of what a script prints or its seed.
    """

    code: str
    check: Callable[[Context], Reports]
    opt_in: bool = False
    foretells: bool = True
    effects: tuple[Effect, ...] = (Effect.OUTPUT,)
    same_as: tuple[str, ...] = ()
    error_if_refuted: bool = False
    disprovable: bool = True
    outside: bool = False

    @property
    def severity(self) -> Severity:
        """That of the page."""
        return CODES[self.code].severity
