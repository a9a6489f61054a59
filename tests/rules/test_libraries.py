"""Noise of libraries and in other styles: claims are suggested for it, and it hides what it is added to."""

from __future__ import annotations

import pytest

from tests.rules.snippets import findings_in
from tests.rules.test_suggesting import only, suggestions


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        # a distribution of SciPy that was given its parameters before
        (
            """
            from scipy import stats

            def total(values: np.ndarray, epsilon):
                law = stats.laplace(0, 1 / epsilon)
                return np.clip(values, 0, 1).sum() + law.rvs()
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))',
        ),
        # JAX takes a key first
        (
            """
            import jax

            def release(key, counts: jax.Array, epsilon):
                return counts + jax.random.laplace(key, counts.shape) / epsilon
            """,
            'dp(epsilon="epsilon", neighbors="l1")',  # the key is a generator, so the data is what comes next
        ),
        # TensorFlow takes the shape first
        (
            """
            import tensorflow as tf

            def release(sums: tf.Tensor, sensitivity, epsilon, delta):
                sigma = sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
                return sums + tf.random.normal(tf.shape(sums), stddev=sigma)
            """,
            'dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-05, "sensitivity": 1.0})',
        ),
        # ... and adds it to each of several tensors
        (
            """
            import tensorflow as tf

            def release(grads: list[tf.Tensor], epsilon, delta):
                def noisy(grad):
                    scale = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
                    return grad + tf.random.normal(tf.shape(grad), stddev=scale)
                return tf.nest.map_structure(noisy, grads)
            """,
            'dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-05})',
        ),
        # in place, by methods of tensors
        (
            """
            import torch

            def release(sums: torch.Tensor, epsilon, delta):
                scale = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
                return sums.add(torch.empty_like(sums).normal_(0, scale))
            """,
            'dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-05})',
        ),
        # a measurement of OpenDP, which is called with the data
        (
            """
            import opendp.prelude as dp

            def release(counts: list[float], epsilon):
                measure = dp.m.make_laplace(dp.atom_domain(T=float), dp.absolute_distance(T=float), 1 / epsilon)
                return [measure(float(count)) for count in counts]
            """,
            'dp(epsilon="epsilon", neighbors="l1")',
        ),
        # Laplace noise out of uniform numbers, by the inverse of the distribution function
        (
            """
            def release(value: float, epsilon):
                u = random.random() - 0.5
                return value - np.sign(u) * np.log(1 - 2 * abs(u)) / epsilon
            """,
            'dp(epsilon="epsilon", neighbors="l1")',
        ),
        # an exponential mechanism by running sums of weights
        (
            """
            def choose(scores: list[float], epsilon):
                weights = [math.exp(epsilon * score / 2) for score in scores]
                level, running = random.random() * sum(weights), 0.0
                for index, weight in enumerate(weights):
                    running += weight
                    if level <= running:
                        return index
                return len(scores) - 1
            """,
            'dp(epsilon="epsilon", neighbors="linf")',
        ),
        # a generator that an object holds
        (
            """
            class Selection:
                def choose(self, scores: np.ndarray, epsilon):
                    weights = np.exp(epsilon * (scores - scores.max()) / 2)
                    return self.prng.choice(len(scores), p=weights / weights.sum())
            """,
            'dp(epsilon="epsilon", neighbors="linf")',
        ),
    ],
)
def test_what_is_suggested(text: str, claim: str) -> None:
    assert only(text).text == claim


def test_a_class_that_bends_the_noise_of_another() -> None:
    """What is behind `super().randomise` is not read: epsilon is that of the object, and marked as a guess."""
    one = only(
        """
        class Truncated(Laplace):  # differential privacy
            def __init__(self, epsilon, low, high):
                self.epsilon, self.low, self.high = epsilon, low, high

            def randomise(self, value):
                return min(max(super().randomise(value), self.low), self.high)
        """
    )
    assert one.data == "value"
    assert "`self.epsilon`, whose value is not seen here: 1 is a guess" in one.doubts[0]


def test_an_epsilon_of_a_part_of_a_configuration_is_named_as_it_is_written() -> None:
    one = only(
        """
        def release(counts: list[float], config):  # differential privacy
            privacy = config["privacy"]
            return [count + np.random.laplace(0, 1 / privacy["epsilon"]) for count in counts]
        """
    )
    assert one.doubts[0].startswith("epsilon is `config['privacy']['epsilon']`, whose value")


@pytest.mark.parametrize(
    "text",
    [
        # weights of a layer
        "import torch\n\ndef start(layer):\n    layer.weight.data.normal_(0, 0.1)\n    return layer\n",
        # latent variables of a generator
        "import torch\n\ndef sample(model, n, epsilon):\n    return model(torch.randn(n, 8))\n",
        # a random waiting time
        "def wait(delay):  # private\n    return delay * (1 + random.uniform(-0.2, 0.2))\n",
        # a measurement that is made, and not called with anything
        "import opendp.prelude as dp\n\ndef make(scale):\n    return dp.m.then_laplace(scale)\n",
    ],
)
def test_nothing_is_suggested(text: str) -> None:
    assert not suggestions(text)


@pytest.mark.parametrize(
    "law", ["stats.norm(0, scale)", "stats.laplace(loc=0, scale=scale)", "stats.norm(scale=scale)"]
)
def test_a_frozen_law_hides_what_it_is_added_to(law: str) -> None:
    text = """
        from scipy import stats

        @dp(epsilon="epsilon", delta=1e-5, neighbors="l1")
        def total(values, epsilon):
            scale = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
            law = LAW
            return sum(values) + law.rvs(random_state=1) * 1
        """
    assert "DP201" not in {one.code for one in findings_in(text.replace("LAW", law))}
    assert "DP201" in {one.code for one in findings_in(text.replace("LAW", law).replace("+ law.rvs", "+ law.mean"))}


@pytest.mark.parametrize(
    "log",
    [
        "import logging as log\n\ndef say(x):\n    log.info(x)\n",
        "from logging import getLogger as named\n\nteller = named('m')\n\ndef say(x):\n    teller.warning(x)\n",
        "from absl import logging\n\ndef say(x):\n    logging.info('%s', x)\n",
        "from loguru import logger\n\ndef say(x):\n    logger.debug(x)\n",
        "from pkg.logger import log\n\ndef say(x):\n    log(10, 'sum %s', x)\n",
        "import logging\n\ndef say(x):\n    logging.getLogger(__name__).error(x)\n",
        "import click\n\ndef say(x):\n    click.echo(x)\n",
    ],
)
def test_logs_by_other_names(log: str) -> None:
    release = """

@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    exact = sum(values)
    say(EXACT)
    return exact + rng.laplace(scale=1 / epsilon)
"""
    assert "DP209" in {one.code for one in findings_in(log + release.replace("EXACT", "exact"))}
    assert "DP209" not in {one.code for one in findings_in(log + release.replace("EXACT", "epsilon"))}


def test_a_branch_for_public_data_is_no_release() -> None:
    text = """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon, FLAG=False):
            exact = sum(values)
            if FLAG:
                return exact
            return exact + (0 if FLAG else rng.laplace(scale=1 / epsilon))
        """
    assert "DP201" not in {one.code for one in findings_in(text.replace("FLAG", "public"))}
    assert "DP201" in {one.code for one in findings_in(text.replace("FLAG", "fast"))}


@pytest.mark.parametrize(("edges", "shown"), [("bins", False), ("sorted(set(values))", True)])
def test_how_many_bins_there_are_is_public_where_the_edges_are(edges: str, shown: bool) -> None:
    text = """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
        def widest(rng, values, epsilon, bins):
            hist, _ = np.histogram(values, bins=EDGES)
            noisy = [one + rng.laplace(scale=1 / epsilon) for one in hist]
            return [index for index, one in enumerate(noisy) if one > 3], len(noisy)
        """
    assert (len(findings_in(text.replace("EDGES", edges))) > 0) is shown


MEASUREMENTS = """
import opendp.prelude as odp
import polars as pl
from dplint import dp

SPACE = odp.vector_domain(odp.atom_domain(bounds=(0.0, 10.0)), 5), odp.symmetric_distance()
FRAME = odp.lazyframe_domain([odp.series_domain("x", odp.atom_domain(T=int))]), odp.symmetric_distance()
MEASURE = SPACE >> odp.t.then_sum() >> odp.m.then_laplace(10.0)


def made(scale):
    return SPACE >> odp.t.then_sum() >> odp.m.then_laplace(scale)


def private(frame):
    return odp.m.make_private_lazyframe(*FRAME, odp.max_divergence(), frame.select(odp.len()), global_scale=1.0)


class Query:
    measure = made(10.0)

    def __init__(self):
        self.noisy = made(10.0)

    @dp(epsilon=1.0, neighbors="replace-one", domain=(0.0, 10.0), size=5, data="data")
    def release(self, data):
        return self.measure(data), self.noisy(data)


@dp(epsilon=1.0, neighbors="replace-one", domain=(0.0, 10.0), size=5, data="data")
def release(HEAD):
    BODY
"""


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("data", "return MEASURE(data)"),
        ("data", "return made(10.0)(data)"),
        ("data", "measure = made(10.0)\n    return measure(data)"),
        ("data, measure=MEASURE", "return measure(data)"),
        ("data, measure=None", "measure = measure or made(10)\n    return measure(data)"),
        ("data: pl.DataFrame", "return private(data.lazy())(data.lazy()).collect()"),
        (
            "data: pl.DataFrame",
            "frame = data.lazy()\n    noisy = odp.m.make_private_lazyframe(*FRAME, odp.max_divergence(), "
            "frame.select(odp.len()), global_scale=1.0)\n    return noisy(frame).collect()",
        ),
    ],
)
def test_a_measurement_that_was_made_elsewhere_is_no_release(head, body):
    text = MEASUREMENTS.replace("HEAD", head).replace("BODY", body)
    assert "DP201" not in {one.code for one in findings_in(text)}
    raw = MEASUREMENTS.replace("HEAD", head).replace("BODY", "return sum(data)")
    assert "DP201" in {one.code for one in findings_in(raw)}
