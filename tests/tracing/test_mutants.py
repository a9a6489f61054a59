"""A runtime with a mistake is found by a few random functions."""

from unittest import mock

import hypothesis
import pytest

from dplint.tracing import branches, lanes
from dplint.tracing.lanes import PerLane, tracer
from dplint.tracing.paths import FLOAT
from tests.tracing.test_fuzz import search

WITHIN = 3000
"""Most show themselves within 50."""
_put, _selected, _known, _draw = branches._put, branches._selected, lanes.Tracer.known, lanes.Tracer.draw


def no_undo():
    """Writes of the first side stay for the second one."""
    return mock.patch.object(branches.Branch, "undo", return_value=None)


def old_value_left_out():
    """A place that one side alone has written holds what that side wrote for all lanes."""

    def write_joined(self, *, rows):
        first, second = self.logs
        for where in {**first, **second}:
            kind, owner, key, _, new = second.get(where) or first[where]
            if kind != "append" and (kind == "rows") is rows:
                branches.write(kind, owner, key, new)

    return mock.patch.object(branches.Branch, "write_joined", write_joined)


def mask_ignored():
    """Decisions look at lanes that are on the other side of a branch."""

    def known(self, truth):
        mask, self.mask = self.mask, None
        found = _known(self, truth)
        self.mask = mask
        return found if found is not None or mask is None else bool(truth[0])

    return mock.patch.object(lanes.Tracer, "known", known)


def kinds_dropped():
    """Joined numbers are floats in all lanes."""

    def selected(*args):
        joined = _selected(*args)
        if joined.kinds is not None:
            joined.kinds = joined.kinds * 0 + FLOAT
        return joined

    return mock.patch.object(branches, "_selected", selected)


def draws_not_masked():
    """Draws of one side are those of all lanes."""

    def draw(self, make, asked):
        mask, self.mask = self.mask, None
        try:
            return _draw(self, make, asked)
        finally:
            self.mask = mask

    return mock.patch.object(lanes.Tracer, "draw", draw)


def names_not_put_back():
    """The second side begins with the variables of the first."""

    def flip(self, variables):
        self._after_first = tuple(variables.get(name, branches._NOT_THERE) for name in self.names)
        branches.turn()
        self.undo(0, rows=False)
        return self._after_first

    return mock.patch.object(branches.Branch, "flip", flip)


def aliases_forgotten():
    """A view is a copy."""
    return mock.patch("dplint.tracing.items.view_of", lambda owner, view: PerLane(view(tracer.rows(owner)).copy(), 2))


def effects_not_taken_back():
    """What cannot be undone is done in a branch that is walked on both sides."""
    return mock.patch.object(lanes.Tracer, "impure", return_value=None)


def filters_not_split():
    """A test that differs by lane goes as the first lane."""

    def decide(self, value):
        return bool(self.truth(value)[0]) if isinstance(value, PerLane) else bool(value)

    return mock.patch.object(lanes.Tracer, "decide", decide)


MUTANTS = [
    *(no_undo, old_value_left_out, mask_ignored, kinds_dropped, draws_not_masked, names_not_put_back),
    *(aliases_forgotten, filters_not_split, pytest.param(effects_not_taken_back, marks=pytest.mark.nightly)),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.__name__)
def test_a_mistake_is_found(mutant):
    with mutant(), pytest.raises(AssertionError):
        search(WITHIN, phases=(hypothesis.Phase.generate,), seed=4)
