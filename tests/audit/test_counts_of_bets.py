"""What is counted to pay bets: no event twice, and none of a data value that no bet on it is about."""

from types import SimpleNamespace

from dplint.audit.betting.rounds import _counting
from dplint.events.conditions import Between, Event
from dplint.events.families.element import Element
from dplint.events.places import Place


def test_each_bet_finds_its_counts():
    """Two directions on one event, which is equal without being the same, and another event on one more data value."""
    low, again, high = (Event((Between(Element(Place()), edge, float("inf")),)) for edge in (0.0, 0.0, 1.0))
    bets = [
        SimpleNamespace(event=event, sides=sides) for event, sides in ((low, (0, 3)), (again, (3, 0)), (high, (2, 3)))
    ]

    counting, places = _counting(bets, [0, 2, 3])

    assert counting.what == (low, high)
    assert counting.wanted == (frozenset({0, 2}), frozenset({1, 2}))
    assert places == [(0, 0, 2), (0, 2, 0), (1, 1, 2)]
