"""Generators whose class is the user's own, and draws of libraries that user code replaces: both are what runs show."""

from dataclasses import replace

import pytest

from dplint.claims import Parameter, ParameterKind
from dplint.runner.client import DataValue, RunnerError, SampleRequest

CLASSES = """
import random
import secrets
import typing
import numpy as np

class Mute(np.random.RandomState):
    def laplace(self, loc=0.0, scale=1.0, size=None):
        return loc + 7.0

class Quiet(np.random.Generator):
    def laplace(self, loc=0.0, scale=1.0, size=None):
        return loc + 7.0

class Still(random.Random):
    def laplace(self):
        return 7.0

class Other:
    def __init__(self, seed):
        self.seed = seed

    def laplace(self):
        return 7.0

class Plain(np.random.RandomState):
    pass

class Afresh(random.Random):
    def __init__(self):
        super().__init__()

    def laplace(self):
        return self.gauss(0.0, 1.0)

class Difficult(np.random.RandomState):
    def __init__(self, first, second):
        super().__init__(first + second)

class Drawing(typing.Protocol):
    def laplace(self): ...

Alias = Mute
"""
OWN = ["Mute", "Quiet", "Still", "Other", "Alias", "'Mute'", "typing.Optional[Mute]", "typing.Annotated[Mute, 1]"]


def mechanism(write, annotation, body="rng.laplace()", before=""):
    text = f"{CLASSES}\n{before}\ndef m(rng: {annotation}, queries):\n    return {body}\n"
    made = write(text)
    own = Parameter("rng", ParameterKind.NORMAL, annotation.strip("'"))
    return replace(made, parameters=(own, *made.parameters[1:]))


def outputs(runner, asked, entropy=1, **more):
    runner.load(asked)
    request = SampleRequest((DataValue([0.0]),), runs=6, seed=(entropy, ()), **more)
    return runner.sample(request)[0].outputs()


@pytest.mark.parametrize("annotation", OWN)
@pytest.mark.parametrize("noise_free", [False, True])
def test_a_class_of_the_users_is_what_the_mechanism_gets(shared_runner, write, annotation, noise_free):
    assert outputs(shared_runner, mechanism(write, annotation), noise_free=noise_free) == [7.0] * 6


@pytest.mark.parametrize("annotation", ["Plain", "Afresh", "Drawing", "np.random.Generator", "typing.Any"])
def test_the_seed_decides_what_is_drawn(shared_runner, write, annotation):
    asked = mechanism(write, annotation)
    first, again, other = (outputs(shared_runner, asked, entropy) for entropy in (1, 1, 2))

    assert first == again
    assert len({*first, *other}) == 12


def test_a_class_that_cannot_be_made_is_told(shared_runner, write):
    with pytest.raises(RunnerError, match=r"rng is annotated with Difficult, and no generator .* could be made"):
        outputs(shared_runner, mechanism(write, "Difficult"))


@pytest.mark.parametrize(
    ("patch", "body"),
    [
        ("random.SystemRandom.expovariate = lambda self, rate: 7.0", "random.SystemRandom().expovariate(1)"),
        ("random.SystemRandom.random = lambda self: 0.5", "14 * random.SystemRandom().random()"),
        ("random.Random.expovariate = lambda self, rate: 7.0", "random.Random().expovariate(1)"),
        ("random.expovariate = lambda rate: 7.0", "random.expovariate(1)"),
        ("np.random.laplace = lambda: 7.0", "np.random.laplace()"),
        ("GEN = Mute()", "GEN.laplace()"),
    ],
)
def test_draws_that_user_code_replaces_stay_replaced(own_runner, write, patch, body):
    """Without noise, other draws give their centres, which is not 7."""
    asked = mechanism(write, "typing.Any", body, patch)

    assert outputs(own_runner, asked, noise_free=True) == outputs(own_runner, asked) == [7.0] * 6
