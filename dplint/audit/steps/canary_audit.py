"""Trains with canaries in the data, and bounds epsilon from below by guesses which of them were in it."""

from __future__ import annotations

import math
from dataclasses import replace

from scipy.special import ndtri

from dplint.audit.inputs import find_choices
from dplint.audit.procedure import Facts, Needs
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.audit.steps.canaries import Canaries, Claimed
from dplint.audit.steps.step_bounds import step_bounds
from dplint.audit.steps.whole_bounds import whole_bounds
from dplint.inputs.pairs import data_domain
from dplint.jobs import TrainJob
from dplint.outcomes import StopReason, TrainingBound, Untestable
from dplint.relations import Neighbourhood, relation_of
from dplint.statistics.one_run import epsilon_of, mu_of

_FEWEST = 8
_USUAL = 1e-5
"""The delta at which epsilon is told where the claim is in mu."""
_ADDED = 'canaries are records that are added or not: the claim has to have neighbors="add-remove"'
_NO_CANARIES = "nothing says which records could be canaries"
_NAME_THEM = "Name a function that gives some with --canaries module:function, or write domain= in the claim."
_OWN_PAIRS = "canaries are taken for records that may be added, where the claim has a neighbour function of its own"
_NO_MOVES = "no canary moves what is released without noise, so that nothing can be scored by it"
_NAME_SCORE = "Name a function that scores a model for a canary with --score module:function."
_TOO_FEW = "{0} of {1} canaries do not hide each other, which is too few to tell anything"
_NAME_MORE = (
    "A model with more parameters, or other canaries, tell more; and so does a claim about one step, with steps= and "
    "sample_rate=, as each step has coins of its own."
)


class CanaryAudit:
    """Lower bounds of one training."""

    name = "canaries"
    phase = "choosing canaries"
    needs = Needs.RUNS
    anytime = True

    def decide(self, session: AuditSession, job: TrainJob, _facts: Facts) -> TrainingBound | Untestable:
        """The bounds, also of a training that is ended early. Raises what a session raises."""
        claim, choice = job.mechanism.claim, job.choice
        if claim.pairs is None and relation_of(claim).definition is not Neighbourhood.ONE_MORE:
            return Untestable(reason=_ADDED)
        if choice.canaries is None and data_domain(job.mechanism) is None:
            return Untestable(reason=_NO_CANARIES, cure=_NAME_THEM)
        session.coverage.note(None if claim.pairs is None else _OWN_PAIRS)
        setting = _setting(session)
        simple = replace(job, settings=replace(job.settings, use_solver=False))
        canaries = Canaries(session, job, find_choices(simple, session, (), setting, quick=True)[0].values)
        claimed, count = _claimed(setting, of_steps=claim.training is not None), canaries.choose()
        if choice.score is None:
            if not canaries.learn():
                return Untestable(reason=_NO_MOVES, cure=_NAME_SCORE)
            canaries.keep(claimed)
        if claim.training is None and canaries.count < _FEWEST:
            return Untestable(reason=_TOO_FEW.format(canaries.count, count), cure=_NAME_MORE)
        looks, whole = (whole_bounds if claim.training is None else step_bounds)(canaries, claimed)
        return TrainingBound(
            mechanism=job.mechanism,
            claimed=claimed.epsilon,
            claimed_delta=claimed.delta,
            claimed_mu=claimed.mu,
            assumes_normal=choice.normal,
            canaries=canaries.count,
            left_out=count - canaries.count,
            learnt=choice.score is None,
            looks=tuple(looks),
            whole=whole,
            confidence=choice.confidence,
            effort=session.effort(StopReason.NOTHING_LEFT if whole else StopReason.CANCELLED),
        )


def _setting(session: AuditSession) -> Setting:
    """The first value of the claim; of its points the one whose delta is nearest to a usual one."""
    points = [setting for setting in session.claimed if setting.parameters == session.claimed[0].parameters]
    return min(points, key=lambda setting: abs(math.log(max(setting.delta, 1e-300) / _USUAL)))


def _claimed(setting: Setting, *, of_steps: bool) -> Claimed:
    if setting.promised is not None and setting.promised.kind == "mu" and not of_steps:
        (mu,) = setting.promised.amounts
        return Claimed(epsilon_of(mu, _USUAL), _USUAL, mu, mu)
    if setting.delta == 0:
        # Normal laws have no such claim; those that are told apart as well by one guess are as good for a plan.
        planned = 2 * float(ndtri(1 / (1 + math.exp(-setting.epsilon))))
    else:
        planned = mu_of(setting.epsilon, setting.delta)
    return Claimed(setting.epsilon, setting.delta, None, planned)
