"""Inputs and events that other procedures suggest: they are bet on before anything else is tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from dplint.audit.betting.claim_test import ClaimTest, ClaimTestHost, add_groups
from dplint.audit.betting.input_groups import InputGroup, Proposal
from dplint.audit.betting.portfolio import Bet
from dplint.audit.inputs import Choice
from dplint.audit.procedure import Coupling, Suggestion
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.inputs.pairs import allows_argument, are_neighbours, both_orders
from dplint.outcomes import FailureKind
from dplint.runner.client import RunnerError
from dplint.statistics.betting import growth, optimal_stake

ALL = 1 << 40
"""More than any budget has."""


def usable(session: AuditSession, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """The suggestions that the claim speaks of, at some of its values; a note for the reader if there were others.

    Without this, whoever suggests data that are no neighbours could have a claim refuted that holds.
    """
    found = [
        one
        for one in suggestions
        if _is_claimed(session, one) and any(_is_meant_for(one, setting) for setting in session.claimed)
    ]
    if left := len(suggestions) - len(found):
        session.coverage.note(f"{left} suggested input(s) were left out: the claim does not speak of them")
    return found


def _is_claimed(session: AuditSession, suggestion: Suggestion) -> bool:
    """Whether its data are neighbours, and its arguments such as the claim allows."""
    pair, mechanism = suggestion.pair, session.mechanism
    if mechanism.claim.pairs is not None or pair.handle is not None:
        near = pair in session.find_pairs()
    else:
        near = are_neighbours(mechanism, pair.d1, pair.d2)
    of_claim = {argument.name for setting in session.claimed for argument in setting.parameters}
    return near and all(
        argument.name in of_claim or allows_argument(mechanism, argument.name, argument.value)
        for argument in suggestion.arguments
    )


def _is_meant_for(suggestion: Suggestion, setting: Setting) -> bool:
    """Whether it is about this value of the claim."""
    values = {argument.name: argument.value for argument in suggestion.arguments}
    lengths = {len(side) for side in (suggestion.pair.d1, suggestion.pair.d2) if isinstance(side, list | tuple)}
    return (setting.size is None or lengths == {setting.size}) and all(
        values.get(argument.name, argument.value) == argument.value for argument in setting.parameters
    )


def add_suggested(host: ClaimTestHost, claim_test: ClaimTest, suggestions: Sequence[Suggestion]) -> list[Proposal]:
    """Input groups of the suggestions for this value of the claim; proposals for those that name an event.

    Raises RunnerError; arguments under which every run raises an exception are left out.
    """
    usual = claim_test.choices[0]
    by_choice: dict[str, tuple[Choice, list[Suggestion]]] = {}
    for suggestion in suggestions:
        if _is_meant_for(suggestion, claim_test.setting):
            choice = _choice(suggestion, usual)
            by_choice.setdefault(repr(choice.values), (choice, []))[1].append(suggestion)
    proposals: list[tuple[int, Proposal]] = []
    for choice, mine in by_choice.values():
        before = len(claim_test.groups)
        try:
            add_groups(host, claim_test, [choice], both_orders({_data(one.pair): one.pair for one in mine}.values()))
        except RunnerError as error:
            if error.kind is not FailureKind.INPUT:
                raise
            host.session.coverage.note("suggested arguments were left out: every run under them raised an exception")
        new = claim_test.groups[before:]
        claim_test.suggested += new
        for suggestion, group in product(mine, new):
            places = [_data(pair) for pair in group.inputs.pairs]
            if _data(suggestion.pair) not in places:
                continue
            if suggestion.event is None:
                claim_test.first.append(group)
            else:
                unseen = _unseen(group, places.index(_data(suggestion.pair)), suggestion.event, suggestion.coupling)
                proposals.append((suggestions.index(suggestion), unseen))
    return [proposal for _, proposal in sorted(proposals, key=lambda numbered: numbered[0])]


def is_near(claim_test: ClaimTest, bets: Sequence[Bet], runs: int) -> bool:
    """Whether one of these bets would refute the claim with so many more runs, by the shares that it was paid on."""
    portfolio, setting = claim_test.portfolio, claim_test.setting
    if portfolio.rejected:
        return False
    for bet in bets:
        q1, q2 = (np.array([(count + 0.5) / (bet.fresh_runs + 1)]) for count in (bet.fresh1, bet.fresh2))
        stake = optimal_stake(q1, q2, setting.epsilon, setting.delta)
        gain = runs * float(growth(q1, q2, stake, setting.epsilon, setting.delta)[0])
        if bet.log_wealth[portfolio.claimed] + math.log(bet.weight * portfolio.level) + gain > 0:
            return True
    return False


def _data(pair: Pair) -> str:
    """What tells pairs apart."""
    return repr((pair.d1, pair.d2, pair.handle))


def _choice(suggestion: Suggestion, usual: Choice) -> Choice:
    """Its arguments, and what it leaves open as the claim test begins with."""
    fixed = {argument.name for argument in usual.fixed}
    given = {argument.name: argument for argument in suggestion.arguments if argument.name not in fixed}
    return Choice(tuple(({argument.name: argument for argument in usual.arguments} | given).values()), usual.fixed)


def _unseen(group: InputGroup, place: int, event: Event, coupling: Coupling | None) -> Proposal:
    """A proposal on one of the pairs of a group, of which nothing is known yet."""
    pair = group.inputs.pairs[place]
    return Proposal(
        group=group,
        pair=pair,
        sides=group.inputs.sides[place],
        event=event,
        growth=0.0,
        count1=0,
        count2=0,
        runs=0,
        coupling=coupling,
    )
