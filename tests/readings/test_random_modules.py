"""Readings give what CPython gives, of random modules of odd Python: short each time, long at night."""

import hypothesis
import pytest

from tests.examples import in_proportion
from tests.readings.comparing import compared
from tests.readings.modules import modules
from tests.readings.odd_grammar import ALL, ONCE_MISREAD


def differences(parts, examples, phases=(*hypothesis.Phase,)):
    """The smallest module with a difference as an AssertionError; else how many were lowered and followed."""
    lowered, followed = [], []

    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=phases,
        suppress_health_check=[*hypothesis.HealthCheck],
    )
    @hypothesis.given(modules(parts))
    def tried(written):
        came = compared(written)
        assert not came.faults, f"{written}\n\n" + "\n".join(came.faults[:3])
        lowered.append(came.lowered)
        followed.append(any(came.followed.values()))

    tried()
    return sum(lowered), sum(followed)


def test_random_modules_are_read_as_they_run():
    examples = in_proportion(150)

    _, followed = differences(ALL, examples)

    assert followed >= examples / 10, "too much is refused for this to say much"


@pytest.mark.nightly
@pytest.mark.parametrize("part", ALL, ids=lambda part: f"{part.before} {part.body}"[:40])
def test_each_odd_part_alone(part):
    differences([part], in_proportion(10))


@pytest.mark.parametrize("part", ONCE_MISREAD, ids=lambda part: f"{part.before} {part.body}"[:40])
def test_what_was_once_misread(part):
    """It is refused or followed; each has shown itself within so many modules before it was mended."""
    differences([part], 30, phases=(hypothesis.Phase.generate,))
