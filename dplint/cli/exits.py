"""The exit code of what was checked."""

from __future__ import annotations

from dplint.outcomes import Outcome, Underpowered
from dplint.report.gathered import Gathered, exit_code


def code_of(gathered: Gathered) -> int:
    """As `exit_code`; 2 also where nothing at all could be tried of a claim, such as on a machine that is too busy."""
    return 2 if any(_is_untried(result.outcome) for result in gathered.results) else exit_code(gathered)


def _is_untried(outcome: Outcome) -> bool:
    return isinstance(outcome, Underpowered) and not outcome.tested and not outcome.losses
