"""What the hover says that follows from a claim by another definition."""

from __future__ import annotations

import re

import pytest
from scipy import optimize

from dplint.claims import Promise
from dplint.report.markdown import hover
from tests.report.report_samples import mechanism
from tests.report.test_promise_picture import gaussian


def told(*amounts, kind):
    return hover(mechanism(epsilon=1.0, delta=1e-6, promise=Promise(kind, amounts)), None, "")


@pytest.mark.parametrize(("amount", "at"), [(1.0, ""), ("mu", ", for `mu` = 1,"), ("2 * mu / 2", ", for `mu` = 1,")])
def test_three_points_follow_from_mu(amount, at):
    """Those of the Gaussian mechanism (Balle and Wang, ICML 2018)."""
    found = told(amount, kind="mu")
    points = [(float(e), float(d)) for e, d in re.findall(r"ε = ([\d.]+) with δ = ([\d.e-]+?)[, ]", found)]
    assert [delta for _, delta in points] == [1e-3, 1e-6, 1e-9]
    for epsilon, delta in points:
        assert epsilon == pytest.approx(optimize.brentq(lambda e, d=delta: gaussian(1.0, e) - d, 0, 60), rel=1e-3)
    assert f"{at} follow from it" in found


def test_where_a_parameter_is_a_delta_no_point_is_made_up():
    found = told("rho", "delta", kind="rho")
    assert "= inf" not in found
    assert "follows from it." in found


def test_a_curve_of_the_project():
    assert 'curve = ":bounds"` is a function of the project, which says δ for each ε.' in told(":bounds", kind="curve")
