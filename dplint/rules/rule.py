"""What a rule is: a code, how bad it is, a check, and its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import TypeAlias

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report

Check: TypeAlias = Callable[[Context], Iterator[Report]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A static rule.

    name: a short name in words. what, why: what it flags and why that matters. bug: the real bug behind it. bad, good:
    examples, each a function with its claim; they are tests as well. opt_in: it is off unless asked for by its code.
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

    @property
    def page(self) -> str:
        """The page of the rule, as Markdown."""
        asked = " It is off by default: ask for it by its code." if self.opt_in else ""
        return "\n\n".join(
            [
                f"### {self.code}: {self.name}",
                f"{self.what} ({self.severity}){asked}",
                f"**Why it matters.** {self.why}",
                f"**Seen in the wild.** {self.bug}",
                "**Bad**",
                _block(self.bad[0]),
                "**Good**",
                _block(self.good[0]),
                f"**Silence it** with `# dplint: ignore[{self.code}]` on the line or above the function, or with "
                f"`--ignore {self.code}`.",
            ]
        )


def _block(example: str) -> str:
    return f"```python\n{dedent(example).strip()}\n```"
