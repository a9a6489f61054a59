"""The procedure that looks for a proof: by the program alone, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.audit.session import AuditSession, Cancelled, OutOfTime
from dplint.claims import Literal, Pair
from dplint.jobs import AuditJob
from dplint.outcomes import Argument, Effort
from dplint.program.nodes import Program

_WHY = "a proof fails there"


@dataclass(frozen=True)
class Proving:
    """Hands on a proof, which runs should still try to refute; or where a proof fails, as what to try first."""

    needs: Needs = Needs.PROGRAM
    name: ClassVar[str] = "proof"
    phase: ClassVar[str] = "looking for a proof"
    anytime: ClassVar[bool] = False

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Facts | None:  # noqa: ARG002
        """A proof or a suggestion, as facts; None if there is neither. Raises Cancelled, OutOfTime."""
        from dplint.proofs.searching import search  # noqa: PLC0415

        assert isinstance(job.program, Program)
        before = session.seconds
        try:
            found = search(job.program, job.mechanism, job.settings.proof_seconds, lambda: session.announce(self.phase))
        except (Cancelled, OutOfTime):
            raise
        except Exception as error:
            # A mistake of the search, which must not cost the audit.
            what = f"{type(error).__name__}: {error}"
            session.coverage.note(f"no proof: dplint failed in the search for one ({what}); please report this")
            return None
        if found.proof is not None:
            effort = Effort(method="proof", looks=0, alpha=0.0, seconds=session.seconds - before)
            return Facts(proof=replace(found.proof, effort=effort))
        session.coverage.note(f"no proof by shifts of the noise: {found.reason}")
        if found.hint is None:
            return None
        suggested = _suggestion(job, found.hint.runs.sample)
        return Facts(() if suggested is None else (suggested,))


def _suggestion(job: AuditJob, sample: Any) -> Suggestion | None:
    """The neighbours and arguments of a sample, as numbers that a program can be called with."""
    data = str(job.mechanism.data)
    one, two = (_plain(side[data], sample.numbers) for side in (sample.first, sample.second))
    named = {name: _plain(value, sample.numbers) for name, value in sample.first.items() if name != data}
    claimed = {parameter for parameter in named if parameter in str(job.mechanism.claim.epsilon)}
    arguments = tuple(Argument(name, value, _WHY) for name, value in named.items() if name not in claimed)
    size = len(one) if isinstance(one, list) else 1
    return Suggestion(Pair(one, two, _WHY, size), arguments)


def _plain(value: Any, numbers: Any) -> Literal:
    """A value of the proposer as Python's own."""
    if isinstance(value, list | tuple):
        return [_plain(one, numbers) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one, numbers) for key, one in value.items()}
    if hasattr(value, "at"):
        value = value.at(numbers)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    plain: Literal = value
    return plain
