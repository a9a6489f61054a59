"""Jobs: what a worker is asked to do, as plain picklable data, so that the front ends need none of the numerics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from dplint.claims import Literal, Mechanism, Numerics
from dplint.outcomes import Outcome, PairLoss, Proved, Witness
from dplint.program.refusals import Unsupported

if TYPE_CHECKING:
    from dplint.program.nodes import Program


READ_PATH = "read:"
"""What in `allow` begins the name of a file or folder that may be read."""


ANYTIME = "anytime"
"""The method of dplint itself. Any other one is that of a distribution beside it: see `extras`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """The settings that an audit depends on.

    alpha: probability of a false alarm for one mechanism, over everything that is tried. seed: None derives it from
    the mechanism's digest. epsilons: values for the parameters that the claim depends on. select_runs, test_runs: runs
    on each side. time_limit: seconds for one mechanism. deadline: seconds for one request to user code.
    use_solver: False replaces z3 by a handful of simple argument values.

    method: "anytime", or "statdp" for the published test, which alone looks at select_runs and test_runs. budget:
    seconds of auditing, from the first run on, for the anytime test; max_runs: single executions after which it stops,
    whatever the time. keep_going: go on after a violation, for a higher lower bound. exact_seconds, proof_seconds: how
    long losses are computed, in CPU time, and a proof is looked for, before anything is run; 0 for not at all.
    numerics: whether machine numbers are looked at, before the claim is tested as one about real numbers. spend:
    whether a proof of less than the claim is looked for, too.
    """

    alpha: float = 0.001
    seed: int | None = None
    epsilons: tuple[float, ...] = (0.2, 0.7, 1.5)
    select_runs: int = 100_000
    test_runs: int = 500_000
    time_limit: float = 600.0
    deadline: float = 10.0
    memory_mib: int = 2048
    interpreter: str = ""
    allow: frozenset[str] = frozenset()
    use_solver: bool = True
    method: str = ANYTIME
    budget: float = 30.0
    max_runs: int | None = None
    keep_going: bool = False
    exact_seconds: float = 0.0
    proof_seconds: float = 0.0
    numerics: Numerics = Numerics.REAL
    spend: bool = True


def seed_of(mechanism: Mechanism, settings: AuditSettings) -> int:
    """The seed of an audit: that of the settings, else one that follows from the mechanism's source and claim."""
    return int(mechanism.digest[:15], 16) if settings.seed is None else settings.seed


CHECKED_AGAIN = "from the cache: proved by an earlier check of the same source, and checked again; no run was made"
DROPPED = "the cache had a proof that the checker does not find again: it was dropped, and the audit was made anew"
"""Notes of outcomes about proofs from the cache."""
AuditState: TypeAlias = dict[str, object]
"""What a pass of the anytime audit leaves for a later one: a document of JSON, made and read by the audit alone."""
STATE_FORMAT = 3
"""To be raised whenever an older state would mean something else, also because runs or bets are made otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismJob:
    """What a worker is to do with one mechanism. `program` is Unsupported where lowering met what it does not know.

    source_text: the text of an unsaved buffer; None runs the file as it is on disk.
    """

    mechanism: Mechanism
    program: Program | Unsupported
    settings: AuditSettings
    source_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditJob(MechanismJob):
    """Audit one mechanism.

    lowered: the program with what is not understood in it, which a proof may do without; None where it is not known.
    state: what an earlier pass left, of the same source and under the same settings as far as these change the
    evidence; None to begin anew. known: a proof from the cache, which is the answer if the checker finds it again.
    """

    state: AuditState | None = None
    lowered: Program | None = None
    known: Proved | None = None


@dataclass(frozen=True, slots=True)
class Audited:
    """The outcome of a pass and the state that a later one can go on from, None if there is none."""

    outcome: Outcome
    state: AuditState | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepJob(MechanismJob):
    """Test one mechanism, run at each value of `at`, against every one of `epsilons`."""

    epsilons: tuple[float, ...]
    at: tuple[float, ...]
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureJob(MechanismJob):
    """Run a mechanism on the inputs of a witness, for a picture of its outputs.

    mechanism: in the form that the audit has settled on. runs: on either side, at most.
    """

    witness: Witness
    runs: int = 20_000
    seconds: float = 5.0
    """After which no more runs are made."""


IMPORTING = "importing"
"""The phase in which a job waits for the import of the user's module, as its progress calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactJob(MechanismJob):
    """Compute the losses of one mechanism exactly: on the pair d1, d2, or on the worst of the claim's pairs.

    d1, d2: both None for the pairs of the claim. arguments: values that somebody has asked for, by name. compare:
    whether the function may be run, to compare what is computed with it.
    """

    d1: Literal = None
    d2: Literal = None
    arguments: tuple[tuple[str, Literal], ...] = ()
    compare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstJob(MechanismJob):
    """Search for the input of one mechanism that loses most, by its source, for so many seconds of CPU time.

    compare: as for `ExactJob`.
    """

    seconds: float
    compare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceJob(MechanismJob):
    """Compute losses of one mechanism from its source. Nothing of the user's is executed for it, whatever happens.

    before: another program in place of which this one may stand; then errors of both are measured, too. worst: an
    input on which that one loses more than it claims, which is computed first.
    """

    before: Program | None = None
    worst: PairLoss | Witness | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryChoice:
    """Which canaries there are, and what is said of the bound.

    records, canaries, score: functions of the project that give what takes the place of the claim's domain, and score a
    model for a canary; as `Claim.pairs`, None for what dplint does by itself. count: canaries of the domain.
    confidence: with which a bound is to hold. normal: whether somebody says that the noise is normal.
    """

    records: str | None = None
    canaries: str | None = None
    score: str | None = None
    count: int = 1000
    confidence: float = 0.95
    normal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainJob(MechanismJob):
    """Train one mechanism with canaries in its data, for a lower bound of its epsilon."""

    choice: CanaryChoice


Job: TypeAlias = AuditJob | SweepJob | PictureJob | ExactJob | WorstJob | SourceJob | TrainJob
