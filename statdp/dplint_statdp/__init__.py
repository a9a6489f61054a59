"""The published test of Ding et al. (CCS 2018), for one claim and for a range of epsilons.

dplint finds it by the entry point `statdp` of the group `dplint.procedures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplint.audit.procedure import Needs, Procedure
from dplint.jobs import AuditJob, SweepJob
from dplint_statdp.procedure import StatDP
from dplint_statdp.sweep import Sweep


def procedures(job: AuditJob | SweepJob) -> Sequence[Procedure[Any, Any]]:
    """What does a job, on lanes first: an audit by the published test, or a curve of p-values."""
    kind = Sweep if isinstance(job, SweepJob) else StatDP
    return kind(Needs.LANES), kind(Needs.RUNS)
