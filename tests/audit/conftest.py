"""Anytime audits in a runner of their own, with budgets in runs so that the clock decides nothing."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditJob, AuditSettings
from tests.forked_runners import modules_are_imported_anew, runner_hosts
from tests.mechanisms import shared_runner, targets

__all__ = ["modules_are_imported_anew", "runner_hosts", "shared_runner", "targets"]

FIXTURES = Path(__file__).parents[2] / "fixtures"


@cache
def read_fixtures(folder):
    """The mechanisms of a folder of fixtures by name, read once; nobody changes them."""
    return {
        item.mechanism.qualname: item
        for path in sorted((FIXTURES / folder).rglob("*.py"))
        for item in load_file(path, Settings())
        if isinstance(item, Target)
    }


def settings_with(**given):
    """Seed 5, claims that depend on epsilon at 0.7 alone."""
    return AuditSettings(
        **{
            "method": "anytime", "seed": 5, "epsilons": (0.7,), "interpreter": sys.executable, "max_runs": 400_000,
            "budget": 1e6, "time_limit": 1e6, **given,
        }
    )  # fmt: skip


def audited(target, *, state=None, program=None, progress=lambda *_: None, **given):
    """The outcome of a pass and its state."""
    job = AuditJob(
        mechanism=target.mechanism, program=program or target.program, settings=settings_with(**given), state=state
    )
    return carry_out(job, progress)


def outcome_of(target, **given):
    """The outcome of a pass."""
    return audited(target, **given).outcome
