"""The state of every claim on the page of a check, what its parts spend, and what differs from the page before.

A page holds this state once more as data, so that the next page which goes in its place can say what differs, and since
when a verdict stands. Nothing else is kept.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from dplint import outcomes as out
from dplint.report import numerals
from dplint.report.document import Inline
from dplint.report.format import Report
from dplint.report.gathered import VERDICT_WORDS, verdict_name
from dplint.report.json_evidence import Json
from dplint.report.proof_words import scope_words, spend_words
from dplint.report.words import claim_words, is_exact, tried

if TYPE_CHECKING:
    from dplint.contracts.tree import Budget, Node

STATE = "dplint-state"
_FORMAT = 1
_HELD = re.compile(rf'<template id="{STATE}">(.*?)</template>', re.DOTALL)
HEAD = ("mechanism", "claim", "verdict", "known by", "since", "spends", "scope")


@dataclass(frozen=True, slots=True)
class Claimed:
    """One claim as the page tells it. since: the day from which on every page has had this claim and this verdict."""

    claim: str
    verdict: str
    known: str
    since: str
    spends: str
    scope: str
    budget: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """All claims of a page by place, and the day on which it was written."""

    day: str
    claims: Mapping[str, Claimed]


def state_of(report: Report, earlier: State | None) -> State:
    """What is known of each claim now."""
    budgets = {f"{one.mechanism.file}::{one.mechanism.qualname}": one for one in report.budgets}
    found = {}
    for result in report.gathered.results:
        name = f"{result.mechanism.file}::{result.mechanism.qualname}"
        now = _claimed(result, report.day)
        if name in budgets and has_parts(budgets[name]):
            now = replace(now, budget=budget_words(budgets[name]))
        before = earlier.claims.get(name) if earlier is not None else None
        same = before is not None and (before.claim, before.verdict) == (now.claim, now.verdict)
        found[name] = replace(now, since=before.since) if before is not None and same else now
    return State(report.day, found)


def _claimed(result: out.Result, day: str) -> Claimed:
    outcome, mechanism = result.outcome, result.mechanism
    known, spends, scope = "", "not known", ""
    match outcome:
        case out.Proved():
            known, scope = "a proof, checked", scope_words(outcome.scope)
            spends = spend_words(outcome).removeprefix("spends ") if out.spend_of(outcome) else spends
        case out.Violation():
            known = "exact probabilities" if is_exact(outcome) else "runs, counted"
            spends = f"at least {numerals.short(outcome.epsilon_lower)}, more than is claimed"
        case out.NoViolation():
            known, scope = "runs, which prove nothing", tried(mechanism, outcome)
        case out.Untestable() | out.Failed():
            scope = outcome.reason
    if isinstance(outcome, out.NoViolation | out.Underpowered):
        spend = out.spend_of(outcome)
        spends = f"at least {numerals.short(spend.low)} of its claim" if spend is not None and spend.low > 0 else spends
    verdict = VERDICT_WORDS[verdict_name(outcome)]
    return Claimed(claim_words(mechanism.claim), verdict, known, day, spends, scope)


def rows(state: State) -> Iterator[Sequence[str]]:
    """A line for each claim, as `HEAD` has it."""
    for name, one in state.claims.items():
        yield name, one.claim, one.verdict, one.known, one.since, one.spends, one.scope


def differences(earlier: State, now: State) -> Iterator[Inline]:
    """What differs from an earlier page, a sentence for each."""
    for name in sorted(earlier.claims.keys() | now.claims.keys()):
        old, new = earlier.claims.get(name), now.claims.get(name)
        if old is None or new is None:
            yield (f"{name}: {'new, ' + new.verdict if new is not None else 'no longer in this report'}",)
            continue
        if old.claim != new.claim:
            yield (f"{name}: the claim was {old.claim}, and is {new.claim} now",)
        if old.verdict != new.verdict:
            yield (f"{name}: {old.verdict} before, now {new.verdict}",)
        if old.budget != new.budget:
            yield (f"{name}: the budget {old.budget or 'had no parts'} before, and {new.budget or 'has none'} now",)


def held(state: State) -> str:
    """The state as data that a later page reads."""
    claims: dict[str, Json] = {name: asdict(one) for name, one in state.claims.items()}
    told: dict[str, Json] = {"format": _FORMAT, "day": state.day, "claims": claims}
    return json.dumps(told, separators=(",", ":"))


def read_state(page: str) -> State | None:
    """The state that a page holds, None if it holds none that can be read."""
    found = _HELD.search(page)
    try:
        document = json.loads(html.unescape(found[1])) if found is not None else {}
        if document.get("format") != _FORMAT:
            return None
        claims = {str(name): Claimed(**one) for name, one in document["claims"].items()}
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return None
    texts = [document.get("day"), *(value for one in claims.values() for value in asdict(one).values())]
    return State(document["day"], claims) if all(isinstance(one, str) for one in texts) else None


def has_parts(budget: Budget) -> bool:
    """Whether it calls functions that bear claims."""
    return budget.standing.value != "leaf"


def budget_words(budget: Budget) -> str:
    """What is spent, and of what."""
    from dplint.report.budget import headline  # noqa: PLC0415 - loads what terminals need

    return headline(budget)


def budget_tree(nodes: Sequence[Node]) -> list[tuple[str, list[Any]]]:
    """The words of each node, with what is below it."""
    from dplint.report.budget import below, label  # noqa: PLC0415 - as above

    return [(label(one), budget_tree(below(one))) for one in nodes]
