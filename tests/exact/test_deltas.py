"""Delta as a function of epsilon: closed forms of the literature, SciPy's quadrature, and enumeration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from dplint.readings.exact import delta_event, hockey_stick, least_epsilon
from tests.exact.exact_tools import losses, program, quadrature, written
from tests.examples import one_in

EPSILONS = (0.0, 0.1, 0.5, 1.0, 2.5)


def mechanism(output, folder):
    return written(f"def f(rng, queries):\n    return {output}", folder)


def deltas(found, epsilons=EPSILONS, side=0):
    laws = found.laws if side == 0 else (found.laws[1], found.laws[0])
    return [hockey_stick(laws, epsilon, precision=found.precision) for epsilon in epsilons]


def holds(bounds, expected, width=1e-9, slack=1e-11):
    """The interval is narrow, and holds what was computed elsewhere with an error below `slack`."""
    assert bounds.low - slack <= expected <= bounds.high + slack
    assert bounds.high - bounds.low <= width


def balle_wang(epsilon, distance, sigma):
    """Balle and Wang, ICML 2018, Theorem 8."""
    a, b = distance / (2 * sigma), epsilon * sigma / distance
    return stats.norm.cdf(a - b) - math.exp(epsilon) * stats.norm.cdf(-a - b)


GAUSSIANS = [(1.5, 1.0), (0.5, 1.0), (20.0, 1.0), (1.5, 3.0), (0.5, 3.0)]


@pytest.mark.parametrize("gaussian", one_in(3, GAUSSIANS))
def test_the_gaussian_mechanism(gaussian, tmp_path):
    """By branch and bound over the output, which knows nothing of the theorem."""
    sigma, distance = gaussian
    found = losses(mechanism(f"queries[0] + rng.normal(scale={sigma})", tmp_path), [0.0], [distance])
    for side in (0, 1):
        for epsilon, bounds in zip(EPSILONS, deltas(found, side=side), strict=True):
            holds(bounds, balle_wang(epsilon, distance, sigma))


def test_the_gaussian_mechanism_with_several_answers(tmp_path):
    """Two answers change: the mean of delta(epsilon - loss of the first), over the first output, by quadrature."""
    found = losses(
        mechanism("[q + rng.normal(scale=1.5) for q in queries]", tmp_path), [0.0, 1.0, 5.0], [1.0, -1.0, 5.0]
    )
    for epsilon, bounds in zip((0.1, 1.0), deltas(found, (0.1, 1.0)), strict=True):

        def integrand(x, epsilon=epsilon):
            first = stats.norm.logpdf(x, 0, 1.5) - stats.norm.logpdf(x, 1, 1.5)
            return stats.norm.pdf(x, 0, 1.5) * balle_wang(epsilon - first, 2.0, 1.5)

        holds(bounds, integrate.quad(integrand, -15, 15, epsabs=1e-11)[0], slack=1e-10)


@pytest.mark.parametrize("scale", [0.4, 1.5])
def test_the_laplace_mechanism(scale, tmp_path):
    """1 - e**((epsilon - 1 / scale) / 2) up to 1 / scale, where p1 = e**epsilon p2 on a half-line, then 0."""
    found = losses(mechanism(f"queries[0] + rng.laplace(scale={scale})", tmp_path), [0.0], [1.0])
    for epsilon, bounds in zip((*EPSILONS, 1 / scale), deltas(found, (*EPSILONS, 1 / scale)), strict=True):
        holds(bounds, max(0.0, -math.expm1((epsilon - 1 / scale) / 2)))


def test_the_geometric_mechanism(tmp_path):
    found = losses(mechanism("queries[0] + rng.geometric(0.3) - rng.geometric(0.3)", tmp_path), [0], [2])
    values = np.arange(-200, 201)
    p1, p2 = (stats.dlaplace.pmf(values - c, -math.log(0.7)) for c in (0, 2))
    for epsilon, bounds in zip(EPSILONS, deltas(found), strict=True):
        holds(bounds, np.maximum(p1 - math.exp(epsilon) * p2, 0).sum())


LAWS = {
    "standard_cauchy()": stats.cauchy(),
    "logistic()": stats.logistic(),
    "gumbel()": stats.gumbel_r(),
    "exponential()": stats.expon(),
    "uniform(-1.0, 2.0)": stats.uniform(-1, 3),
}


def by_quadrature(p, q, factor, ends, masses=None):
    """The integral of (p - factor q)+, split where the sign changes, which is looked for on a grid and by Brent.

    masses: the distribution functions, which make quadrature needless.
    """

    def difference(x):
        return p(x) - factor * q(x)

    def part(a, b):
        if masses is None:
            return integrate.quad(difference, a, b, epsabs=1e-12, limit=100)[0]
        first, second = masses
        return first(b) - first(a) - factor * (second(b) - second(a))

    grid = np.unique(np.concatenate([np.linspace(a, b, 501) for a, b in itertools.pairwise(ends)]))
    inner = (grid[1:] + grid[:-1]) / 2
    changes = np.flatnonzero(np.diff(np.sign(difference(inner))))
    places = sorted({*ends, *(optimize.brentq(difference, inner[i], inner[i + 1], xtol=1e-14) for i in changes)})
    return sum(max(0.0, part(a, b)) for a, b in itertools.pairwise(places))


@pytest.mark.parametrize("name", one_in(5, list(LAWS)))
def test_other_noise(name, tmp_path):
    law = LAWS[name]
    found = losses(mechanism(f"queries[0] + rng.{name}", tmp_path), [0.0], [0.5])
    ends = [-1e12, -60.0, -1.0, -0.5, 0.0, 0.5, 2.0, 2.5, 4.0, 60.0, 1e12]
    for epsilon, bounds in zip((0.1, 0.3), deltas(found, (0.1, 0.3)), strict=True):
        masses = law.cdf, lambda x: law.cdf(x - 0.5)
        expected = by_quadrature(law.pdf, lambda x: law.pdf(x - 0.5), math.exp(epsilon), ends, masses)
        holds(bounds, expected, slack=1e-11)


def test_the_value_of_the_largest_of_laplace_noise(tmp_path):
    found = losses(mechanism("max([q + rng.laplace(scale=2.0) for q in queries])", tmp_path), [0.0, 1.0], [1.0, 2.0])

    def density(x, centres):
        z1, z2 = ((x - c) / 2 for c in centres)
        f1, f2 = np.exp(-np.abs(z1)) / 4, np.exp(-np.abs(z2)) / 4
        below1, below2 = (np.where(z < 0, 2 * f, 1 - 2 * f) for z, f in ((z1, f1), (z2, f2)))
        return f1 * below2 + f2 * below1

    for epsilon, bounds in zip((0.1, 0.6), deltas(found, (0.1, 0.6)), strict=True):
        expected = by_quadrature(
            lambda x: density(x, (0, 1)), lambda x: density(x, (1, 2)), math.exp(epsilon), [-80.0, 0.0, 1.0, 2.0, 80.0]
        )
        holds(bounds, expected, slack=1e-9)


def test_a_clipped_gaussian(tmp_path):
    """The mass that is moved to 0 is one output, the rest has a density."""
    found = losses(mechanism("max(0.0, queries[0] + rng.normal(scale=2.0))", tmp_path), [0.0], [1.0])
    p, q = stats.norm(0, 2), stats.norm(1, 2)
    for epsilon, bounds in zip((0.0, 0.2), deltas(found, (0.0, 0.2)), strict=True):
        atom = max(0.0, p.cdf(0) - math.exp(epsilon) * q.cdf(0))
        holds(bounds, atom + by_quadrature(p.pdf, q.pdf, math.exp(epsilon), [0.0, 3.0, 40.0]), slack=1e-10)


def test_two_laplace_answers_have_bounds(tmp_path):
    """No closed form is known here: the interval holds what quadrature finds."""
    found = losses(mechanism("[q + rng.laplace(scale=2.0) for q in queries]", tmp_path), [0.0, 0.0], [1.0, 1.0])

    def one(epsilon):
        return max(0.0, -math.expm1(epsilon), -math.expm1((epsilon - 0.5) / 2) if epsilon > -0.5 else 0.0)

    for epsilon, bounds in zip((0.1, 0.7), deltas(found, (0.1, 0.7)), strict=True):
        expected = quadrature(
            lambda x, e=epsilon: stats.laplace.pdf(x, 0, 2) * one(e - (abs(x - 1) - abs(x)) / 2),
            (-60, 0, 0.3, 0.6, 1, 60),
        )
        assert bounds.low - 1e-9 <= expected <= bounds.high + 1e-9
    assert deltas(found, (1.0,))[0].high < 1e-9


def test_single_outputs(tmp_path):
    """The sparse vector technique: the sum over its outputs, whose probabilities are tested elsewhere."""
    found = losses(program("statdp/sparse_vector.py", "isvt2"), [1.0] * 4, [2.0, 2.0, 0.0, 0.0], epsilon=0.7, T=1.0)
    for epsilon, bounds in zip((0.0, 0.3), deltas(found, (0.0, 0.3)), strict=True):
        rows = [(row.p1.middle, row.p2.middle) for row in found.forwards]
        holds(bounds, sum(max(0.0, p - math.exp(epsilon) * q) for p, q in rows), width=1e-12)


def test_randomised_bits(tmp_path):
    """Two of ten bits differ, each kept with 3/4: by enumeration of these two."""
    source = """
    def f(rng, queries):
        report = []
        for q in queries:
            bit = 1 if q > 0.5 else 0
            if rng.random() < 0.25:
                bit = 1 - bit
            report.append(bit)
        return report
    """
    found = losses(written(source, tmp_path), [1.0] * 10, [0.0, *[1.0] * 9])
    for epsilon, bounds in zip((0.0, 0.5, 1.2), deltas(found, (0.0, 0.5, 1.2)), strict=True):
        holds(bounds, max(0.0, 0.75 - math.exp(epsilon) * 0.25), width=1e-9)


@pytest.mark.parametrize("delta", one_in(2, [1e-3, 1e-6]))
def test_the_least_epsilon_of_the_gaussian_mechanism(delta, tmp_path):
    found = losses(mechanism("queries[0] + rng.normal(scale=1.5)", tmp_path), [0.0], [1.0])
    bounds = least_epsilon(found.laws, delta, precision=found.precision)
    expected = optimize.brentq(lambda e: balle_wang(e, 1.0, 1.5) - delta, 0, 20, xtol=1e-12)
    assert bounds.low - 1e-9 <= expected <= bounds.high + 1e-9
    assert bounds.high - bounds.low < 1e-5


def test_no_epsilon_is_kept_below_the_mass_of_what_is_impossible(tmp_path):
    """A uniform shift by 1 of 3: a third of the outputs cannot be."""
    found = losses(mechanism("queries[0] + rng.uniform(0.0, 3.0)", tmp_path), [0.0], [1.0])
    assert least_epsilon(found.laws, 0.3, precision=found.precision).high == math.inf
    assert least_epsilon(found.laws, 0.34, precision=found.precision).high == 0.0
    assert all(bounds.low <= 1 / 3 <= bounds.high for bounds in deltas(found))


# events that show it


def test_the_event_of_the_gaussian_mechanism_is_a_half_line(tmp_path):
    """P1 - e**epsilon P2 of the event is nearly delta: it begins about where the densities' ratio is e**epsilon."""
    found = losses(mechanism("queries[0] + rng.normal(scale=1.5)", tmp_path), [1.0], [0.0])
    event = delta_event(found.laws, 0.5, 0.0, precision=found.precision)
    assert event is not None
    delta = balle_wang(0.5, 1.0, 1.5)
    assert 0.95 * delta <= event.gain.low <= event.gain.high <= delta + 1e-12
    text, _, threshold = event.expression.rpartition(" ")
    assert text == "output >="
    assert float(threshold) == pytest.approx(0.5 + 0.5 * 1.5**2, abs=0.05)
    assert event.p1.middle == pytest.approx(stats.norm.sf(float(threshold), 1, 1.5), abs=1e-12)
    assert event.p2.middle == pytest.approx(stats.norm.sf(float(threshold), 0, 1.5), abs=1e-12)
    lower = event.least_epsilon(0.01)
    assert lower <= math.log((event.p1.middle - 0.01) / event.p2.middle) <= lower + 1e-9


SEVERAL = [
    # Centres of D1 and D2, scales, and what is returned.
    ([1.0, 1.0], [0.0, 0.0], [1.5, 1.5], "[{0}, {1}]"),
    ([0.0, 2.0, 5.0], [1.0, 0.5, 5.0], [1.5, 2.0, 1.0], "{{'a': {0}, 'b': [{1}, {2}]}}"),
    ([0.0, 0.0], [3.0, 1.0], [2.0, 2.0], "np.array([{0}, {1}])"),
]


@pytest.mark.parametrize("case", SEVERAL)
def test_the_event_of_several_normal_numbers_is_a_half_space(case, tmp_path):
    """It gains what Balle and Wang's formula allows for the distance in scales, and its probabilities are those of the
    sum that is printed, a normal number.
    """
    one, two, scales, output = case
    noisy = [f"queries[{i}] + rng.normal(scale={scale})" for i, scale in enumerate(scales)]
    source = f"import numpy as np\n\ndef f(rng, queries):\n    return {output.format(*noisy)}"
    found = losses(written(source, tmp_path), one, two)
    event = delta_event(found.laws, 0.5, 0.0, precision=found.precision)
    assert event is not None
    delta = balle_wang(0.5, math.dist(np.divide(one, scales), np.divide(two, scales)), 1.0)
    assert 0.95 * delta <= event.gain.low <= event.gain.high <= delta + 1e-12
    assert event.gain.high > max(
        balle_wang(0.5, abs(a - b), s) for a, b, s in zip(one, two, scales, strict=True) if a != b
    )

    def score(values):
        numbers = values if "b" not in output else {"a": values[0], "b": values[1:]}
        text, sign, threshold = event.expression.rpartition(" >= " if ">=" in event.expression else " < ")
        return eval(text, {}, {"output": numbers}), sign.strip(), float(threshold)

    zero, sign, threshold = score([0.0] * len(scales))
    weights = [score(list(row))[0] for row in np.eye(len(scales))]
    assert zero == 0
    assert sum(weight != 0 for weight in weights) == 2
    spread = math.hypot(*np.multiply(weights, scales))
    tail = stats.norm.sf if sign == ">=" else stats.norm.cdf
    for centres, probability in ((one, event.p1), (two, event.p2)):
        assert probability.middle == pytest.approx(tail(threshold, np.dot(weights, centres), spread), abs=1e-12)


def test_no_half_space_of_normal_numbers_with_other_noise(tmp_path):
    """The first number alone shows the most, for the other is of another law."""
    output = "[queries[0] + rng.normal(scale=1.5), queries[1] + rng.laplace(scale=1.0)]"
    found = losses(mechanism(output, tmp_path), [1.0, 1.0], [0.0, 0.0])
    event = delta_event(found.laws, 0.1, 0.0, precision=found.precision)
    assert event is not None
    assert " + " not in event.expression


def test_the_event_of_single_outputs_is_their_union(tmp_path):
    found = losses(program("statdp/sparse_vector.py", "isvt2"), [1.0] * 3, [2.0, 2.0, 0.0], epsilon=0.7, T=1.0)
    event = delta_event(found.laws, 0.1, 0.0, precision=found.precision)
    delta = hockey_stick(found.laws, 0.1, precision=found.precision)
    assert event is not None
    assert event.gain.low == pytest.approx(delta.low, abs=1e-12)
    assert " or " in event.expression


def test_no_event_where_nothing_is_lost(tmp_path):
    found = losses(mechanism("queries[0] + rng.laplace(scale=2.0)", tmp_path), [1.0], [0.0])
    assert delta_event(found.laws, 0.6, 0.0, precision=found.precision) is None
    event = delta_event(found.laws, 0.1, 0.0, precision=found.precision)
    assert event is not None
    assert event.gain.low == pytest.approx(-math.expm1((0.1 - 0.5) / 2), abs=1e-6)


@pytest.mark.parametrize("epsilon", [0.2, 0.5, 0.7, 1.5])
@pytest.mark.parametrize(("delta", "kept"), [(0.01, True), (0.003, True), (0.01 * (1 - 1e-6), False)])
def test_a_threshold_that_lets_pass_delta_itself_refutes_nothing_by_its_last_digit(tmp_path, epsilon, delta, kept):
    """One record is listed with probability delta (Korolova et al. 2009), up to the rounding of the threshold."""
    told = delta if kept else 0.01
    text = f"""def f(rng, queries):
    found = []
    if queries[0] + rng.laplace(scale=1 / {epsilon}) > 1 + math.log(1 / (2 * {told})) / {epsilon} and queries[0] > 0:
        found.append(1)
    return found"""
    found = losses(written(text, tmp_path), [1], [0])
    laws = found.laws

    assert hockey_stick(laws, epsilon, precision=found.precision).low == pytest.approx(told, rel=1e-12)
    assert (least_epsilon(laws, delta, precision=found.precision).low <= epsilon) is kept
    assert (delta_event(laws, epsilon, delta, precision=found.precision) is None) is kept
