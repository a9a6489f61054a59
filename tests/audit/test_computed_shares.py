"""What is computed of a picture, against closed forms and against the runs that the picture is made of."""

import math

import pytest

from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import PictureJob
from dplint.outcomes import OutputEvent, Witness
from dplint.statistics.intervals import interval
from tests.audit.conftest import settings_with

pytestmark = pytest.mark.process

SOURCE = """
import numpy as np
from dplint import dp

@dp(epsilon=0.5, neighbors="l1", size=2)
def moved(counts, rng):
    return counts[0] + rng.laplace(scale=0.5)

@dp(epsilon=0.5, neighbors="l1", size=2)
def several(counts, rng):
    return [c + rng.normal(scale=2.0) for c in counts]

@dp(epsilon=0.5, neighbors="l1", size=2)
def whole(counts, rng):
    return int(counts[0]) + int(rng.geometric(0.25)) - int(rng.geometric(0.25))

@dp(epsilon=0.5, neighbors="l1", size=2)
def answers(counts, rng):
    return counts[0] + rng.laplace(scale=1.0) > 0.5

@dp(epsilon=0.5, neighbors="l1", size=2)
def many_answers(counts, rng):
    return [c + rng.laplace(scale=1.0) > 0.5 for c in counts]

@dp(epsilon=0.5, neighbors="l1", size=2)
def clamped(counts, rng):
    noisy = counts[0] + rng.laplace(scale=1.0)
    if noisy < 0:
        return 0.0
    return noisy

@dp(epsilon=0.5, neighbors="l1", size=2)
def until(counts, rng):
    out = []
    for c in counts:
        noisy = c + rng.laplace(scale=1.0)
        if noisy > 2.5:
            out.append(None)
            return out
        out.append(noisy)
    return out

@dp(epsilon=0.5, neighbors="l1", size=2)
def rarely(counts, rng):
    noisy = counts[0] + rng.laplace(scale=1.0)
    if noisy > 2.0:
        return noisy
    return None

@dp(epsilon=0.5, neighbors="l1", size=2)
def summed(counts, rng):
    return [counts[0] + rng.laplace(scale=1.0), counts[1] + rng.laplace(scale=1.0)]
"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    path = tmp_path_factory.mktemp("shares") / "mechanisms.py"
    path.write_text(SOURCE)

    found = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    targets = {one.mechanism.qualname: one for one in found}

    def draw(name, event, d1=(1.0, 2.0), d2=(0.0, 2.0)):
        target = targets[name]
        witness = Witness(d1=list(d1), d2=list(d2), arguments=(), observation=OutputEvent(event))
        job = PictureJob(
            mechanism=target.mechanism, program=target.program, settings=settings_with(), witness=witness, runs=20_000
        )
        return carry_out(job, lambda *_: None)

    return draw


def laplace_cdf(x, scale):
    return 0.5 * math.exp(x / scale) if x < 0 else 1 - 0.5 * math.exp(-x / scale)


def test_bins_and_densities_of_laplace_noise_are_its_closed_form(drawn):
    found = drawn("moved", "output > 1.5")
    shares, last = found.computed, len(found.bars) - 1

    for index, (bar, both) in enumerate(zip(found.bars, shares.bars, strict=True)):
        for share, centre in zip(both, (1.0, 0.0), strict=True):
            low = 0.0 if index == 0 else laplace_cdf(bar.low - centre, 0.5)
            high = 1.0 if index == last else laplace_cdf(bar.high - centre, 0.5)
            assert share == pytest.approx(high - low, abs=1e-12)
    for place, *densities in shares.line:
        for density, centre in zip(densities, (1.0, 0.0), strict=True):
            assert density == pytest.approx(math.exp(-abs(place - centre) / 0.5), rel=1e-9)
    assert "ball arithmetic" in shares.certified_by


@pytest.mark.parametrize(
    ("name", "event", "kind"),
    [
        ("moved", "output > 1.5", "numbers"),
        ("several", "output[0] >= 1.0", "numbers"),
        ("whole", "output >= 2", "numbers"),
        ("answers", "output == True", "categories"),
        ("clamped", "output < 0.3", "numbers"),
        ("until", "len(output) == 2", "categories"),
        ("until", "output[1] >= 1.0", "numbers"),
    ],
)
def test_what_is_computed_is_what_runs_show(drawn, name, event, kind):
    found = drawn(name, event)
    shares = found.computed

    assert kind is None or found.kind == kind
    bars, both = (*found.bars, *found.others), (*shares.bars, *shares.others)
    assert len(bars) == len(both) > 1
    for bar, computed in zip(bars, both, strict=True):
        counted = ((bar.count1, found.runs1), (bar.count2, found.runs2))
        for share, (count, runs) in zip(computed, counted, strict=True):
            low, high = interval(count, runs, 1e-7)
            assert low <= share <= high, bar


def test_all_bars_together_hold_everything(drawn):
    shares = drawn("clamped", "output < 0.3").computed

    for side in (0, 1):
        assert sum(one[side] for one in (*shares.bars, *shares.others)) == pytest.approx(1, abs=1e-9)


def test_whole_numbers_have_no_density(drawn):
    assert drawn("whole", "output >= 2").computed.line == ()


def test_of_several_answers_each_pattern_has_its_share(drawn):
    """Independent answers: products of the tails of their noise."""
    above = {0.0: math.exp(-0.5) / 2, 1.0: 1 - math.exp(-0.5) / 2, 2.0: 1 - math.exp(-1.5) / 2}

    computed = drawn("many_answers", "output == [True, True]").computed

    assert any(bar == pytest.approx((above[1.0] * above[2.0], above[0.0] * above[2.0])) for bar in computed.bars)


@pytest.mark.parametrize(
    ("name", "event"),
    [("summed", "sum(output) > 1.5"), ("rarely", "output >= 3.0")],
)
def test_what_is_not_known_is_not_drawn(drawn, name, event):
    """A sum of noisy numbers; noisy numbers that are mostly missing."""
    assert drawn(name, event).computed is None
