"""Traced runs that draw by keys of JAX, where that is installed."""

import sys

import numpy as np
import pytest

from dplint.runner.client import GivenNoise, Runner
from tests.runner.test_runner_tracing import traced

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def runner():
    pytest.importorskip("jax")
    with Runner(sys.executable, deadline=60, memory_mib=4096) as made:
        yield made


INDEPENDENT = {
    "normal": ("jax.random.normal(key, (2,))", "normal", 1.0),
    "laplace": ("jax.random.laplace(key, shape=(2,))", "laplace", 1.0),
    "gumbel": ("jax.random.gumbel(key, (2,))", "gumbel", 1.0),
    "uniform": ("jax.random.uniform(key, (2,), minval=0.0, maxval=4.0)", "uniform", 4.0),
    "split": ("jnp.stack([jax.random.normal(one) for one in jax.random.split(key)])", "normal", 1.0),
    "fold_in": ("jnp.stack([jax.random.normal(jax.random.fold_in(key, n)) for n in (0, 7)])", "normal", 1.0),
    "typed": ("jax.random.normal(jax.random.wrap_key_data(key), (2,))", "normal", 1.0),
    "jit": ("jax.jit(lambda key: 4 * jax.random.normal(key, (2,)))(key)", "normal", 4.0),
    "vmap": ("jax.vmap(jax.random.normal)(jax.random.split(key))", "normal", 1.0),
    "vmap of fold_in": (
        "jax.vmap(lambda n: jax.random.normal(jax.random.fold_in(key, n)))(jnp.arange(2))", "normal", 1.0,
    ),
    "scan": (
        "jax.lax.scan(lambda c, one: (c, jax.random.normal(one)), 0.0, jax.random.split(key))[1]", "normal", 1.0,
    ),
}  # fmt: skip


def mechanism(write, call):
    return write(f"import jax\nimport jax.numpy as jnp\n\ndef m(key, data):\n    return {call}\n")


@pytest.mark.parametrize("case", INDEPENDENT.values(), ids=INDEPENDENT)
def test_draws_are_recorded_and_given(runner, write, case):
    call, law, scale = case
    told = mechanism(write, f"({call}).tolist()")
    (trace,) = traced(runner, told)
    outputs = list(trace.batch.outputs())
    assert len(set(map(tuple, outputs))) == 5
    for output, run in zip(outputs, trace.draws, strict=True):
        assert run.laws == (law,) * 2
        assert np.array(run.values) * scale == pytest.approx(np.array(output), rel=1e-6)

    z = np.array([[0.25, 0.5]] * 5)
    (given,) = traced(runner, told, given=GivenNoise((law,) * 2, z))
    for output, run in zip(given.batch.outputs(), given.draws, strict=True):
        assert output == pytest.approx(scale * z[0], rel=1e-6)
        assert run.values == tuple(z[0])


def test_the_same_key_gives_the_same_noise(runner, write):
    """A split makes of one key the same ones again, and `fold_in` does so of one number."""
    for twice in (
        "[key, key]",
        "[jax.random.split(key)[0], jax.random.split(key)[0]]",
        "[jax.random.fold_in(key, 3), jax.random.fold_in(key, 3)]",
    ):
        (trace,) = traced(runner, mechanism(write, f"[jax.random.normal(one).item() for one in {twice}]"))
        for (first, second), run in zip(trace.batch.outputs(), trace.draws, strict=True):
            assert first == second
            assert run.values == pytest.approx((first,))


UNKNOWN = {
    "a seed": "jax.random.normal(jax.random.PRNGKey(3)).item()",
    "a seed, split": "jax.random.normal(jax.random.split(jax.random.key(3))[0]).item()",
    "another shape": "jax.random.normal(key, (2,)).sum().item() + jax.random.normal(key, (3,)).sum().item()",
    "another law": "jax.random.normal(key).item() + jax.random.laplace(key).item()",
    "an unknown law": "jax.random.normal(key).item() + jax.random.cauchy(key).item()",
    "split after a draw": "jax.random.normal(key).item() + jax.random.normal(*jax.random.split(key, 1)).item()",
    "drawn from after a split": "(jax.random.split(key), jax.random.normal(key).item())[1]",
    "arithmetic": "jax.random.normal(key + 1).item()",
}


@pytest.mark.parametrize("call", UNKNOWN.values(), ids=UNKNOWN)
def test_of_draws_that_may_hang_on_each_other_nothing_is_kept(runner, write, call):
    (trace,) = traced(runner, mechanism(write, call))
    assert trace.draws == (None,) * 5


def test_a_draw_of_an_unknown_law_from_a_key_of_its_own_is_opaque(runner, write):
    call = "[f(one).item() for f, one in zip((jax.random.normal, jax.random.cauchy), jax.random.split(key))]"
    (trace,) = traced(runner, mechanism(write, call))
    assert all(run.laws == ("normal",) and run.opaque for run in trace.draws)
    assert len({second for _, second in trace.batch.outputs()}) == 5


def test_a_seed_that_is_handed_makes_a_key(runner, write):
    source = "import jax\n\ndef m(seed, data):\n    return jax.random.normal(jax.random.PRNGKey(seed)).item()\n"
    (trace,) = traced(runner, write(source))
    assert [run.values for run in trace.draws] == [pytest.approx((output,)) for output in trace.batch.outputs()]
