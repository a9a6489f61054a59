"""Randomness: every generator follows the request's seed, except where the user wrote a seed."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

from dplint.claims import Parameter
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.runner.generators import kind_of

SOURCES = {
    "passed in": ("", "m(rng, queries)", "rng.laplace()"),
    "numpy.random": ("import numpy as np", "m(queries)", "np.random.laplace()"),
    "imported name": ("from numpy.random import laplace", "m(queries)", "laplace()"),
    "random": ("import random", "m(queries)", "random.gauss(0, 1)"),
    "default_rng inside": ("import numpy as np", "m(queries)", "np.random.default_rng().normal()"),
    "default_rng by name": ("from numpy.random import default_rng", "m(queries)", "default_rng().normal()"),
    "RandomState inside": ("import numpy as np", "m(queries)", "np.random.RandomState().normal()"),
    "bit generator inside": ("import numpy as np", "m(queries)", "np.random.Generator(np.random.Philox()).normal()"),
    "Random inside": ("import random", "m(queries)", "random.Random().random()"),
    "Random by name": ("from random import Random", "m(queries)", "Random().random()"),
    "random.seed inside": ("import random", "m(queries)", "random.seed() or random.random()"),
    "numpy.random.seed inside": ("import numpy as np", "m(queries)", "np.random.seed() or np.random.normal()"),
    "SystemRandom": ("import random", "m(queries)", "random.SystemRandom().random()"),
    "secrets": ("import secrets", "m(queries)", "secrets.randbelow(10**15)"),
    "os.urandom": ("import os", "m(queries)", "int.from_bytes(os.urandom(6), 'big')"),
    "uuid": ("import uuid", "m(queries)", "str(uuid.uuid4())"),
    "of the module": ("import numpy as np\nG = np.random.default_rng()", "m(queries)", "G.normal()"),
    "RandomState of the module": ("import numpy as np\nG = np.random.RandomState()", "m(queries)", "G.normal()"),
    "Random of the module": ("import random\nG = random.Random()", "m(queries)", "G.random()"),
    "in a closure": (
        "import numpy as np\nG = (lambda g: lambda: g.normal())(np.random.default_rng())",
        "m(queries)",
        "G()",
    ),
    "scipy": ("import scipy.stats", "m(queries)", "scipy.stats.laplace.rvs()"),
}


def request(entropy: int, *key: int) -> SampleRequest:
    return SampleRequest((DataValue([0.0]), DataValue([0.0])), runs=5, block=2, seed=(entropy, key))


@pytest.mark.parametrize("source", SOURCES)
def test_the_seed_decides_and_data_values_differ(shared_runner, write, source):
    """Same seed, same outputs; another entropy, spawn key or data value, other outputs."""
    imports, signature, expression = SOURCES[source]
    shared_runner.load(write(f"{imports}\ndef {signature}:\n    return {expression}"))
    first, again, entropy, key = (
        [batch.outputs() for batch in shared_runner.sample(asked)]
        for asked in (request(1), request(1), request(2), request(1, 7))
    )

    assert first == again
    drawn = [value for outputs in (*first, *entropy, *key) for value in outputs]
    assert len(drawn) == len(set(drawn)) == 30


@pytest.mark.parametrize(
    ("imports", "expression"),
    [
        ("import numpy as np", "np.random.default_rng(3).normal()"),
        ("import numpy as np", "np.random.RandomState(3).normal()"),
        ("import numpy as np", "np.random.seed(3) or np.random.normal()"),
        ("import random", "random.Random(3).gauss(0, 1)"),
        ("import random", "random.seed(3) or random.random()"),
    ],
)
def test_seeds_that_the_user_wrote_are_kept(shared_runner, write, imports, expression):
    """The bug is the user's, and the audit must see it; the values are those of this very process."""
    shared_runner.load(write(f"{imports}\ndef m(queries): return {expression}"))
    names: dict[str, object] = {}
    exec(imports, names)

    assert {value for batch in shared_runner.sample(request(1)) for value in batch.outputs()} == {
        eval(expression, names)
    }


def test_legacy_states_are_their_own_however_many_a_run_holds(shared_runner, write):
    """Twisters are used again, but never one that somebody holds, and what a seed gives is what NumPy gives."""
    shared_runner.load(
        write("""
        import numpy as np
        KEPT = []
        def m(queries):
            states = [np.random.RandomState(number) for number in range(12)]
            KEPT.append(np.random.RandomState(99))
            first = [state.normal() for state in states]
            other = np.random.RandomState()
            again = [state.normal() for state in states]
            return [first, again, KEPT[0].normal(), other.normal(), isinstance(other._bit_generator, np.random.MT19937)]
        """)
    )
    request = SampleRequest((DataValue([0]),), runs=30, seed=(5, ()))
    outputs = shared_runner.sample(request)[0].outputs()
    states = [np.random.RandomState(number) for number in range(12)]
    expected = [[state.normal() for state in states] for _ in range(2)]

    assert all([first, again] == expected for first, again, *_ in outputs)
    assert [output[2] for output in outputs] == np.random.RandomState(99).normal(size=30).tolist()
    assert len({output[3] for output in outputs}) == 30
    assert all(output[4] for output in outputs)


def test_a_seeded_generator_of_the_module_goes_on_from_its_seed(shared_runner, write):
    shared_runner.load(write("import numpy as np\nG = np.random.default_rng(3)\ndef m(queries): return G.normal()"))
    one = SampleRequest((DataValue([0]),), runs=2, seed=(5, ()))
    drawn = [value for _ in range(2) for value in shared_runner.sample(one)[0].outputs()]

    assert drawn == np.random.default_rng(3).normal(size=4).tolist()


@pytest.mark.process
def test_two_processes_give_the_same(write):
    mechanism = write("import random\ndef m(rng, queries): return [rng.normal(), random.random(), hash('text') % 7]")
    outputs = []
    for _ in range(2):
        with Runner(sys.executable, deadline=10, memory_mib=256) as runner:
            runner.load(mechanism)
            outputs.append([batch.outputs() for batch in runner.sample(request(1))])

    assert outputs[0] == outputs[1]


def test_generators_are_spawned_from_the_seed(shared_runner, write):
    """The data value's number is appended to the spawn key, and the first child is passed in."""
    shared_runner.load(write("def m(rng, queries): return rng.normal()"))
    child = np.random.SeedSequence(1, spawn_key=(7, 1)).spawn(1)[0]
    expected = np.random.Generator(np.random.SFC64(child)).normal(size=5).tolist()

    assert shared_runner.sample(request(1, 7))[1].outputs() == expected


def test_an_annotation_counts_more_than_the_methods_called():
    assert kind_of("rng", "np.random.Generator", "rng.rand()") == "generator"


@pytest.mark.parametrize(
    ("annotation", "body", "type_name"),
    [
        (None, "pass", "Generator"),
        ("np.random.RandomState", "pass", "RandomState"),
        ("random.Random", "pass", "Random"),
        (None, "rng.randn(3)", "RandomState"),
        (None, "rng.randint(0, 5)", "RandomState"),
        (None, "rng.gauss(0, 1)", "Random"),
        (None, "rng.expovariate(1); rng.randint(0, 5)", "Random"),
        (None, "rng.laplace(); rng.random(); rng.choice([1])", "Generator"),
    ],
)
def test_the_generator_is_of_the_kind_that_the_mechanism_wants(shared_runner, write, annotation, body, type_name):
    mechanism = write(f"import numpy as np\ndef m(rng, queries):\n    {body}\n    return type(rng).__name__")
    parameters = (Parameter("rng", annotation=annotation), Parameter("queries"))
    shared_runner.load(dataclasses.replace(mechanism, parameters=parameters))

    assert set(shared_runner.sample(request(1))[0].outputs()) == {type_name}
