"""The picture of a claim: where its curve and what was computed stand in it, read back from the drawing."""

from __future__ import annotations

import base64
import math
import re
import xml.etree.ElementTree as ET

import pytest
from scipy import stats

from dplint.claims import Claim, Promise
from dplint.definitions import definition_named
from dplint.outcomes import Argument, Bounds, BySource, LargestLoss, PairLoss
from dplint.report.promise_picture import promise_picture

LEFT, RIGHT, TOP, BOTTOM = 60, 580, 40, 350
RHO = Claim(epsilon=1.0, delta=1e-6, promise=Promise("rho", ("rho",)))


def gaussian(mu, epsilon):
    """Balle and Wang, ICML 2018, theorem 8."""
    return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)


def loss(claimed, delta, low, rho=0.5):
    arguments = (Argument("rho", rho, "the claim is tested at this value"),)
    pair = PairLoss(
        d1=[0],
        d2=[1],
        arguments=arguments,
        loss=Bounds(low, low),
        claimed=claimed,
        delta=delta,
    )
    return LargestLoss(pair=pair, pairs=7, high=pair.loss.high)


def drawn(picture):
    """The polylines and circles of a picture, as points of a drawing, and its texts."""
    found = re.fullmatch(
        r"!\[(.+): δ over ε\]\(data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)\|width=480,height=300\)", picture
    )
    tree = ET.fromstring(base64.b64decode(found[2]))
    name = "{http://www.w3.org/2000/svg}"
    lines = [
        [tuple(map(float, point.split(","))) for point in one.get("points").split()]
        for one in tree.iter(f"{name}polyline")
    ]
    dots = [(float(one.get("cx")), float(one.get("cy"))) for one in tree.iter(f"{name}circle")]
    return found[1], lines, dots, [one.text for one in tree.iter(f"{name}text")]


def test_what_was_computed_lies_where_it_was_and_the_claim_above_it():
    """Normal noise of mu = 1 has rho = 1/2, whose curve allows more at every epsilon."""
    at = (0.5, 1.5, 3.0)
    deltas = [gaussian(1.0, epsilon) for epsilon in at]
    losses = tuple(
        loss(claimed=epsilon + 1, delta=delta, low=epsilon) for epsilon, delta in zip(at, deltas, strict=True)
    )
    said, lines, dots, texts = drawn(promise_picture("released", RHO, None, BySource(losses=losses)))
    end, top = 1.25 * 4.0, 0.8  # the largest epsilon that is marked, and more; the delta at 0, rounded up
    places = [((x - LEFT) / (RIGHT - LEFT) * end, (BOTTOM - y) / (BOTTOM - TOP) * top) for x, y in dots]

    assert said == "claimed"
    for (epsilon, delta), wanted, exact in zip(places, at, deltas, strict=True):
        assert epsilon == pytest.approx(wanted, abs=1e-4)
        assert delta == pytest.approx(exact, abs=1e-4)
    curve = next(one for one in lines if len(one) == 61)
    for x, y in curve:
        epsilon, delta = (x - LEFT) / (RIGHT - LEFT) * end, (BOTTOM - y) / (BOTTOM - TOP) * top
        assert delta == pytest.approx(definition_named("rho").delta((0.5,), epsilon), abs=2e-4)
        assert delta >= gaussian(1.0, epsilon) - 1e-4
    assert "computed: the worst of 7 pairs" in texts
    assert "released, rho = 0.5" in texts


def test_other_values_of_the_claim_are_left_out_and_infinite_losses_are_not_drawn():
    losses = (loss(1.0, 0.1, 0.5), loss(2.0, 0.01, math.inf), loss(9.0, 0.1, 8.0, rho=3.0))
    _, _, dots, _ = drawn(promise_picture("released", RHO, None, BySource(losses=losses)))

    assert len(dots) == 1


def test_a_curve_of_the_project_is_drawn_by_its_tested_points():
    claim = Claim(epsilon=0.0, delta=1.0, promise=Promise("curve", (":bounds",)))
    _, lines, _, _ = drawn(
        promise_picture("released", claim, None, BySource(losses=(loss(1.0, 0.1, 0.5), loss(2.0, 0.01, 1.5))))
    )

    assert [round((x - LEFT) / (RIGHT - LEFT) * 2.0, 3) for x, _ in lines[-4]] == [1.0, 2.0]


def test_an_epsilon_by_itself_has_the_curve_of_randomised_response():
    _, lines, dots, _ = drawn(
        promise_picture("count", Claim(epsilon="epsilon"), None, BySource(losses=(loss(1.0, 0.0, 1.0),)))
    )
    curve = next(one for one in lines if len(one) == 61)

    assert curve[-1][1] == BOTTOM
    assert (BOTTOM - curve[0][1]) / (BOTTOM - TOP) * 0.8 == pytest.approx(math.tanh(0.5), abs=1e-3)
    assert dots == [(pytest.approx(LEFT + 0.8 * (RIGHT - LEFT), abs=0.01), BOTTOM)]


@pytest.mark.parametrize("known", [None, BySource(refused="no")])
def test_where_nothing_is_known_there_is_no_picture(known):
    assert promise_picture("released", RHO, None, known) == ""
