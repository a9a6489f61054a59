"""Procedures written by hand, and suggestions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.claims import Pair
from dplint.events.conditions import Between, Event
from dplint.events.families.element import Element
from dplint.events.places import Place
from dplint.outcomes import Argument


@dataclass
class Handmade:
    """A procedure that answers what it is told to: a value, or what a function of session, job and facts gives.

    asked: the facts that it was given, each time that it was asked.
    """

    answer: Any = None
    needs: Needs = Needs.NOTHING
    name: str = "handmade"
    phase: str = "thinking"
    asked: list[Facts] = field(default_factory=list)

    def decide(self, session, job, facts):
        self.asked.append(facts)
        return self.answer(session, job, facts) if isinstance(self.answer, Callable) else self.answer


def raising(error):
    """An answer that is none."""

    def answer(*_):
        raise error

    return answer


def at_least(threshold):
    """The event that the output is a number of at least this."""
    return Event((Between(Element(Place()), threshold, math.inf),))


def suggestion(d1, d2, event=None, **arguments):
    """A pair, an event that should be likelier on the first side, and arguments."""
    size = len(d1) if isinstance(d1, list) else 1
    chosen = tuple(Argument(name, value, "suggested") for name, value in arguments.items())
    return Suggestion(Pair(d1, d2, "suggested", size), chosen, event)


def suggesting(*suggestions):
    """A procedure that suggests these."""
    return Handmade(Facts(suggestions))
