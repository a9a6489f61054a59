"""Repairs: candidates are put into a copy of the text, and judged by all of dplint before anybody is told of them.

First by the source alone, in workers that run nothing of the user's: losses that refute a candidate, then a proof. What
is left is audited as if it stood in the file, and told only as what that audit has said. The search asks for texts to
be lowered and for jobs to be done, and leaves to others by which processes: see `repaired.py`.
"""

from __future__ import annotations

import difflib
import math
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from dplint import outcomes as out
from dplint.check.loading import Target, audit_settings
from dplint.check.noise_amounts import has_spare_noise
from dplint.claims import Mechanism, Numerics, Span
from dplint.config import Settings
from dplint.jobs import AuditJob, Job, SourceJob
from dplint.program.refusals import Unsupported
from dplint.source.edits import OverlapError, apply_edits

if TYPE_CHECKING:
    from dplint.program.nodes import Program

_STEPS = 8
"""Errors that differ by less than an eighth are as good as the same."""
SHOWN = 3
"""Repairs that are told of a mechanism."""
_FIRST_WAVE, _WAVE = 6, 12
_MOST_FIRST, _MOST_SECOND, _MOST_STARTS, _MOST_AUDITS = 60, 24, 5, 6
_ENOUGH_SECONDS = 1.0
"""After which one proof is enough."""
_EXACT, _PROOF, _LONGER_PROOF = 0.2, 0.5, 3.0
"""Seconds for the losses and the proof of a candidate by the source alone."""
_CONFIRMING, _DOUBTING, _LIMIT = (0.0, 3.0, 0.3), (1.5, 0.5, 1.0), 20.0
"""The same and seconds for betting against it, for what is proved and what is not; and for all of an audit. Of what is
proved, the losses have been computed."""


@dataclass(frozen=True, slots=True)
class Lowerings:
    """Texts of the mechanism's file, of each of which it is asked for as a Target; None where it is not there."""

    texts: tuple[str, ...]
    mechanism: Mechanism


@dataclass(frozen=True, slots=True)
class Jobs:
    """Jobs whose answers are asked for. patience: seconds after which one proof is enough, and the rest None."""

    jobs: tuple[Job, ...]
    patience: float = math.inf

    def enough(self, answers: Sequence[object], seconds: float) -> bool:
        """Whether nothing more need be waited for."""
        if seconds <= self.patience:
            return False
        for job, one in zip(self.jobs, answers, strict=False):
            if one is None:
                return False  # what comes before has less noise
            if isinstance(one, out.BySource) and one.proved is not None and _speaks_of_all(one.proved, job.mechanism):
                return True
        return False


Asked: TypeAlias = Lowerings | Jobs
Search: TypeAlias = Generator[Asked, Sequence[Any], tuple[out.Repair, ...]]


@dataclass(slots=True)
class _Try:
    """A candidate in its text. steps: how many edits have led there. found: by the source alone, once it is known."""

    title: str
    kind: str
    place: str
    edits: tuple[out.Edit, ...]
    text: str
    steps: int
    combines: bool
    far: bool = False
    target: Target | None = None
    found: out.BySource | None = None

    @property
    def is_proved(self) -> bool:
        """Whether there is a proof of all that the claim speaks of."""
        proof = None if self.found is None or self.found.against is not None else self.found.proved
        return proof is not None and self.target is not None and _speaks_of_all(proof, self.target.mechanism)

    @property
    def is_open(self) -> bool:
        """Whether nothing is known against it."""
        return self.target is not None and (self.found is None or self.found.against is None)

    @property
    def excess(self) -> float:
        """How many times it still loses the claim; once where that is not known."""
        if self.found is None or self.found.against is None:
            return 1.0
        return max(self.found.against.lower / self.found.against.epsilon, out.largest_share(self.found.losses))

    @property
    def error(self) -> float:
        after = None if self.found is None else self.found.errors[1]
        return math.inf if after is None else after


def search(
    mechanism: Mechanism,
    before: Program | Unsupported,
    text: str,
    outcome: out.Outcome,
    settings: Settings,
    explained_by: Sequence[out.Finding] = (),
    *,
    seconds: float | None = None,
    known: Sequence[out.Repair] = (),
) -> Search:
    """The best repairs that are found in so many seconds, the best first: it asks, and is sent the answers.

    seconds: None for `seconds_for_repairs`. known: what an earlier search has come to; what of it is proved anew by the
    source is told, and nothing else is looked for where there is some.
    """
    end = time.monotonic() + (seconds_for_repairs(settings) if seconds is None else seconds)
    fixes = [one.fix for one in known] or [one.fix for one in explained_by if one.fix is not None]
    looking = _Looking(mechanism, before, text, outcome, settings, end, tuple(fixes))
    yield from looking.fixed()
    if known:
        proved = {one.edits: one.text for one in looking.proved}
        return tuple(
            replace(one, diff=unified(mechanism.file, text, proved[one.edits])) for one in known if one.edits in proved
        )
    yield from looking.firsts()
    if isinstance(outcome, out.Proved):
        return (yield from looking.audited())
    if not looking.proved:
        yield from looking.seconds()
    if not looking.proved:
        yield from looking.again()
    if not looking.proved:
        yield from looking.firsts(far=True)
    return (yield from looking.audited())


@dataclass
class _Looking:
    mechanism: Mechanism
    before: Program | Unsupported
    text: str
    outcome: out.Outcome
    settings: Settings
    end: float
    fixes: tuple[out.Fix, ...]
    tries: list[_Try] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)
    _seen: set[str] = field(default_factory=set)

    @property
    def proved(self) -> list[_Try]:
        return [one for one in self.tries if one.is_proved]

    @property
    def late(self) -> bool:
        return time.monotonic() > self.end

    @property
    def enough(self) -> bool:
        """Whether more need not be looked for: there are as many as are shown, or there is one and it took long."""
        places = {(one.kind, one.place) for one in self.proved}
        waited = time.monotonic() - self.begun > _ENOUGH_SECONDS
        return self.late or len(places) >= SHOWN or (bool(places) and waited)

    def fixed(self) -> Generator[Asked, Sequence[Any], None]:
        """The fixes of rules, or what is known."""
        made = (self._try(one.title, "fix", one.title, one.edits, self.text, 1, combines=True) for one in self.fixes)
        yield from self._judged([one for one in made if one is not None])

    def firsts(self, *, far: bool = False) -> Generator[Asked, Sequence[Any], None]:
        """Single edits that kinds propose. far: what is far-fetched."""
        kinds = self._proposed(self.text, _excess(self.outcome), (), 1, second=False)
        yield from self._judged(islice((one for one in kinds if one.far == far), _MOST_FIRST))

    def seconds(self) -> Generator[Asked, Sequence[Any], None]:
        """A further edit after those that change what is done, and do not do by themselves: the nearest first."""
        starts = [one for one in self.tries if one.combines and one.found is not None and not one.is_proved]
        for start in sorted(starts, key=lambda one: math.isinf(one.excess))[:_MOST_STARTS]:
            if self.enough:
                return
            kinds = self._proposed(start.text, start.excess, (start,), 2, second=True)
            yield from self._judged(islice((one for one in kinds if not one.far), _MOST_SECOND))

    def again(self) -> Generator[Asked, Sequence[Any], None]:
        """What nothing speaks against, with more time for a proof."""
        left = [one for one in self.tries if one.found is not None and one.is_open][:_WAVE]
        if left and not self.late:
            yield from self._judge(left, _LONGER_PROOF)

    def _proposed(self, text: str, excess: float, after: Sequence[_Try], steps: int, *, second: bool) -> Iterator[_Try]:
        """What kinds propose for a text, each text once."""
        from dplint.repairs import candidates, subject_of  # noqa: PLC0415 - only where something is to be mended

        mechanism, program = self.mechanism, self.before
        if after and after[0].target is not None:
            mechanism, program = after[0].target.mechanism, after[0].target.program
        worst = _worst(self.outcome)
        arguments = {} if worst is None else {one.name: one.value for one in worst.arguments}
        subject = subject_of(text, mechanism, None if isinstance(program, Unsupported) else program, excess, arguments)
        less = isinstance(self.outcome, out.Proved)
        for kind, one in () if subject is None else candidates(subject, second=second):
            if less and kind.name != "scale":
                continue  # nothing is broken, and no more is asked than other numbers
            title = ", and ".join([*(start.title for start in after), one.title[:1].lower() + one.title[1:]])
            kinds = "+".join([*(start.kind for start in after), kind.name])
            made = self._try(
                title if after else one.title, kinds, one.place, one.edits, text, steps, combines=one.combines
            )
            if made is not None:
                made.far = one.far
                yield made

    def _try(
        self, title: str, kind: str, place: str, edits: tuple[out.Edit, ...], text: str, steps: int, *, combines: bool
    ) -> _Try | None:
        try:
            changed = apply_edits(text, edits)
        except OverlapError:
            return None
        if changed == self.text:
            return None
        whole = edits if text == self.text else _edits_between(self.text, changed)
        return _Try(title, kind, place, whole, changed, steps, combines)

    def _judged(self, tries: Iterator[_Try] | Sequence[_Try]) -> Generator[Asked, Sequence[Any], None]:
        """By the source alone, in waves, as long as more is wanted."""
        # A kind begins with the least noise at a place: once that is proved, more is not tried.
        left = (one for one in tries if one.text not in self._seen and not self._has_less(one))
        while not self.enough and (wave := list(islice(left, _FIRST_WAVE if not self.tries else _WAVE))):
            self._seen.update(one.text for one in wave)
            targets = yield Lowerings(tuple(one.text for one in wave), self.mechanism)
            for one, target in zip(wave, targets, strict=True):
                one.target = target if _same_claim(target, self.mechanism) else None
            there = [one for one in wave if one.target is not None]
            self.tries += there
            yield from self._judge(there, _PROOF)

    def _has_less(self, one: _Try) -> bool:
        """Whether an edit of its kind at its place is proved."""
        return any((each.kind, each.place) == (one.kind, one.place) for each in self.proved)

    def _judge(self, tries: Sequence[_Try], proof: float) -> Generator[Asked, Sequence[Any], None]:
        asked = [(one, job) for one in tries if (job := self._source_job(one, proof)) is not None]
        answers = (yield Jobs(tuple(job for _, job in asked), _ENOUGH_SECONDS)) if asked else ()
        for (one, _), answer in zip(asked, answers, strict=True):
            one.found = answer if isinstance(answer, out.BySource) else None

    def _source_job(self, one: _Try, proof: float) -> SourceJob | None:
        assert one.target is not None
        before = self.before
        if isinstance(one.target.program, Unsupported) or isinstance(before, Unsupported):
            return None
        settings = replace(self._settings(one), exact_seconds=_EXACT, proof_seconds=proof)
        return one.target.job(SourceJob, settings, source_text=one.text, before=before, worst=_worst(self.outcome))

    def _settings(self, one: _Try) -> Any:
        assert one.target is not None
        return audit_settings(self.settings, one.target.mechanism)

    def audited(self) -> Generator[Asked, Sequence[Any], tuple[out.Repair, ...]]:
        """The best, as an audit of their text judges them; where none is proved, those that nothing speaks against."""
        chosen = self._best(self.proved)
        if not chosen and isinstance(self.outcome, out.Violation):
            chosen = self._best([one for one in self.tries if one.is_open])
        repairs: list[out.Repair] = []
        left = chosen[: _MOST_AUDITS if chosen and chosen[0].is_proved else SHOWN]
        while left and len(repairs) < SHOWN:
            wave, left = left[: SHOWN - len(repairs)], left[SHOWN - len(repairs) :]
            answers = yield Jobs(tuple(map(self._audit_job, wave)))
            repairs += [made for one, answer in zip(wave, answers, strict=True) if (made := self._repair(one, answer))]
        return tuple(sorted(repairs, key=lambda one: list(out.Known).index(one.known)))

    def _best(self, tries: Sequence[_Try]) -> list[_Try]:
        """Of each kind at each place the first, which has the least noise; few edits before many, then little error."""
        best: dict[tuple[str, str], _Try] = {}
        for one in tries:
            best.setdefault((one.kind, one.place), one)
        return sorted(best.values(), key=lambda one: (one.steps, _size(one.error), len(one.edits)))

    def _audit_job(self, one: _Try) -> AuditJob:
        assert one.target is not None
        # What is not proved has to stand more.
        exact, proof, budget = _CONFIRMING if one.is_proved else _DOUBTING
        settings = replace(
            self._settings(one), exact_seconds=exact, proof_seconds=proof, budget=budget, time_limit=_LIMIT, spend=False
        )
        return one.target.job(AuditJob, settings, source_text=one.text, lowered=one.target.lowered)

    def _repair(self, one: _Try, answer: object) -> out.Repair | None:
        """The repair as the audit has judged it; None if it has not kept its claim."""
        match answer:
            case out.Proved() if _speaks_of_all(answer, self.mechanism):
                known, runs = out.Known.PROVED, answer.effort.runs
            case out.NoViolation() | out.Proved() if isinstance(self.outcome, out.Violation) and answer.losses:
                known, runs = out.Known.EXACT, answer.effort.runs
            case out.NoViolation() if isinstance(self.outcome, out.Violation) and isinstance(self.before, Unsupported):
                known, runs = out.Known.NOT_REFUTED, answer.effort.runs  # nothing can be read of it
            case _:
                return None
        before, after = (None, None) if one.found is None else one.found.errors
        diff = unified(self.mechanism.file, self.text, one.text)
        return out.Repair(
            title=one.title,
            edits=one.edits,
            diff=diff,
            known=known,
            error_before=before,
            error_after=after,
            runs=runs,
        )


def _size(error: float) -> float:
    """An error that was sampled, as far as it can be told from others."""
    return error if error in (0.0, math.inf) else round(_STEPS * math.log(error))


def _excess(outcome: out.Outcome) -> float:
    """How many times the claim is lost; of a proof of less, what is spent."""
    if isinstance(outcome, out.Proved):
        return outcome.share
    if isinstance(outcome, out.Violation) and outcome.epsilon_tested > 0:
        return max(outcome.epsilon_lower / outcome.epsilon_tested, out.largest_share(outcome.losses))
    return 1.0


def _worst(outcome: out.Outcome) -> out.PairLoss | out.Witness | None:
    """The input on which most is lost, as far as that is known."""
    if not isinstance(outcome, out.Violation):
        return None
    lost = [one.pair for one in outcome.losses if one.pair.loss.low > one.pair.claimed]
    return max(lost, key=lambda one: one.loss.low - one.claimed, default=outcome.counterexample.witness)


def _same_claim(target: Target | None, mechanism: Mechanism) -> bool:
    """Whether it is the same claim that a changed function bears: who changes the claim mends nothing."""
    return target is not None and target.mechanism.claim == mechanism.claim and not target.mechanism.untestable


def _speaks_of_all(proved: out.Proved, mechanism: Mechanism) -> bool:
    """Whether a proof leaves out nothing that the claim speaks of: a claim that names sizes says nothing of others."""
    scope, sizes = proved.scope, mechanism.claim.size
    if scope.full or sizes is None or scope.sizes is None or scope.sizes.largest is None:
        return scope.full
    named = scope.sizes.smallest <= min(sizes) and max(sizes) <= scope.sizes.largest
    return named and replace(scope, sizes=replace(scope.sizes, largest=None)).full


def _edits_between(before: str, after: str) -> tuple[out.Edit, ...]:
    """Edits of whole lines that make the one of the other."""
    first, second = before.splitlines(keepends=True), after.splitlines(keepends=True)
    found = difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return tuple(
        out.Edit(Span(i + 1, 1, k + 1, 1), "".join(second[m:n])) for tag, i, k, m, n in found if tag != "equal"
    )


def unified(file: str, before: str, after: str) -> str:
    """A unified diff."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{file}", f"b/{file}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


_LEAST, LONGEST = 8.0, 30.0
"""Seconds of a search, by the budget of an audit."""
TOGETHER = 20.0
"""Seconds of one check after which no further search begins, where nobody has asked for repairs."""
_QUICK = 10.0
"""Where audits have fewer seconds, as in a hook, a check does not wait for repairs."""


def seconds_for_repairs(settings: Settings) -> float:
    """How long a check looks for repairs of one mechanism; 0 for not at all.

    So where nothing may hang on the clock, where no proof is wanted, and where a quick answer is, unless they are asked
    for.
    """
    if not _may_be_repaired(settings) or (settings.repairs is None and settings.budget < _QUICK):
        return 0.0
    return min(LONGEST, max(_LEAST, settings.budget / 2))


def _may_be_repaired(settings: Settings) -> bool:
    wanted = settings.repairs is not False and settings.proofs
    return wanted and settings.runs is None and settings.method == "anytime"


def wants_repairs(outcome: out.Outcome, settings: Settings) -> bool:
    """Whether something is to be mended: a violation, in real numbers and not against a proof, or noise to spare."""
    if not _may_be_repaired(settings):
        return False
    if isinstance(outcome, out.Violation):
        return outcome.numerics is Numerics.REAL and outcome.against is None
    return has_spare_noise(outcome, settings)
