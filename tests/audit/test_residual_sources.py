"""Randomness of every source: operations agree with the function on the same draws, or it is refused."""

import sys

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes, WrongTranslation
from dplint.runner.client import DataValue, Runner, RunnerError
from tests.runner.conftest import described

pytestmark = pytest.mark.process
RUNS, SEED = 60, np.random.SeedSequence(3)
DATA = DataValue(1.0, "scalar")
DRAWS = {
    "a generator": "rng.laplace() + rng.normal(x)",
    "numpy": "np.random.laplace() + np.random.randint(3)",
    "random": "random.random() + random.gauss(0, 1) + random.randint(0, 3)",
    "uniform choice": "rng.choice([x, 1.5, 2.5])",
    "weighted choice": "rng.choice(3, p=[0.5, 0.25, 0.25]) + random.choice([1, 2])",
    "choices": "random.choices([1, 2, 3])[0]",
    "sample": "random.sample([1, 2, 3], 2)",
    "permutation": "rng.permutation([1, 2, 3])[0]",
    "vectors": "rng.dirichlet([1.0, 2.0])[0] + rng.multinomial(5, [0.5, 0.5])[1]",
    "normal vectors": "rng.multivariate_normal([0.0, 1.0], np.eye(2)).sum()",
    "a generator of its own": "np.random.default_rng().laplace()",
    "a generator of the module": "GENERATOR.laplace() + TABLE['rng'].laplace()",
    "system random": "random.SystemRandom().random()",
    "secrets": "secrets.SystemRandom().random()",
    "secret numbers": "secrets.randbelow(10)",
    "secret choice": "secrets.choice([1, 2, 3])",
    "secret bits": "secrets.randbits(8)",
    "the operating system": "os.urandom(4)[0]",
    "a uuid": "uuid.uuid4().int % 100",
    "token": "int(secrets.token_hex(2), 16)",
    "scipy": "laplace.rvs() if (laplace := scipy_laplace()) else 0",
    "scipy with a seed": "scipy_laplace().rvs(random_state=3) + rng.random()",
    "scipy with a generator": "scipy_laplace().rvs(random_state=rng)",
    "a seed": "np.random.default_rng(5).laplace() + rng.random()",
    "a seed of noise": "np.random.default_rng(int(rng.integers(5))).laplace()",
    "entropy of the clock": "time.time_ns() % 7 + rng.random()",
    "bits": "random.getrandbits(3)",
    "bytes": "rng.bytes(2)[0]",
    "torch": "float(torch().rand(1))",
}
SOURCE = """
import os, random, secrets, time, uuid
import numpy as np

GENERATOR = np.random.default_rng()
TABLE = {{"rng": np.random.default_rng()}}

def scipy_laplace():
    from scipy.stats import laplace
    return laplace

def torch():
    import torch
    return torch

def plain(rng, x):
    return {0}

def masked(rng, x):
    y = 0
    if rng.random() < 0.5:
        y = {0}
    return y

def apart(rng, x):
    if rng.random() < 0.5:
        return {0}
    return None
"""


@pytest.fixture(scope="module")
def runner():
    with Runner(sys.executable, deadline=60, memory_mib=1500) as runner:
        yield runner


@pytest.mark.parametrize("name", DRAWS)
def test_draws_agree_or_are_refused(name, runner, tmp_path):
    """Constant noise would be seen, too: 60 runs that agree with themselves on no draw at all."""
    if name == "torch":
        pytest.importorskip("torch")
    source = SOURCE.format(DRAWS[name])
    path = tmp_path / f"drawing_{list(DRAWS).index(name)}.py"
    path.write_text(source)
    for function in ("plain", "masked", "apart"):
        try:
            mechanism = described(path, function, source=source)
            runner.load(mechanism)
            runs = ResidualRuns(runner, mechanism)
            runs.check([DATA], {}, RUNS, SEED)
            outputs = runs.sample(DATA, {}, RUNS, SEED).outputs()
        except WrongTranslation:
            # SciPy is imported in the run here, when its draws cannot be replaced any more: the check says so.
            if name not in ("entropy of the clock", "torch") and not name.startswith("scipy"):
                raise
        except NotOnLanes:
            continue
        except RunnerError:
            assert name in ("torch", "scipy"), "what is not installed fails as it does everywhere"
        else:
            assert len({repr(np.asarray(one).tolist()) for one in outputs}) > 1, f"{name} gave the same in all runs"
