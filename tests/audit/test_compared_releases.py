"""Proofs that rest on what a library promises are compared with their functions, the library's noise handed out.

The stand-ins have the shape of diffprivlib and OpenDP; where these are installed the same is done with them.
"""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path

import pytest

from dplint.audit.comparing import UNCOMPARED
from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditJob
from dplint.outcomes import Proved
from dplint.runner.hosts import ADDRESS
from tests.audit.conftest import settings_with
from tests.proofs.test_releases import HEAD, MEASURED, OPENDP, RIGHT

pytestmark = pytest.mark.process

DIFFPRIVLIB = {
    "__init__": "from diffprivlib import mechanisms, tools",
    "mechanisms": """
        import secrets

        class Laplace:
            def __init__(self, *, epsilon, delta=0.0, sensitivity, random_state=None):
                self.epsilon, self.delta, self.sensitivity = float(epsilon), float(delta), float(sensitivity)
                self._rng = secrets.SystemRandom()

            def randomise(self, value):
                sign = 1 if self._rng.random() < 0.5 else -1
                return value + sign * self._rng.expovariate(self.epsilon / self.sensitivity)
    """,
    "tools": """
        import numpy as np
        from diffprivlib.mechanisms import Laplace

        def sum(array, epsilon=1.0, bounds=None, axis=None, random_state=None, accountant=None):
            low, high = bounds
            total = float(np.clip(np.asarray(array), low, high).sum())
            return np.float64(Laplace(epsilon=epsilon, sensitivity=high - low).randomise(total))

        def mean(array, epsilon=1.0, bounds=None, axis=None, random_state=None, accountant=None):
            return sum(array, epsilon, bounds) / np.size(array)

        def histogram(sample, epsilon=1.0, bins=10, range=None, weights=None, density=None, accountant=None):
            counts, edges = np.histogram(sample, bins=bins, range=range)
            noise = [Laplace(epsilon=epsilon, sensitivity=1).randomise(0) for _ in counts]
            return np.maximum(counts + np.round(noise).astype(int), 0), edges
    """,
}
OPENDP_SHAPE = {
    "__init__": "",
    "mod": """
        import random
        from types import SimpleNamespace

        class Chain:
            def __init__(self, *stages):
                self.stages = stages

            def __rshift__(self, other):
                stages = self.stages + (other.stages if isinstance(other, Chain) else (other,))
                return Measurement(*stages) if stages[-1][0] == "laplace" else Chain(*stages)

            __rrshift__ = lambda self, domain: Chain(*self.stages)

        class Measurement(Chain):
            output_measure = "MaxDivergence"

            def map(self, distance):
                named = dict(self.stages)
                step = max(map(abs, named["clamp"])) if "clamp" in named else 1
                return distance * step / named["laplace"]

            def __call__(self, value):
                return self.invoke(value)

            def invoke(self, value):
                for name, given in self.stages:
                    if name == "clamp":
                        value = [min(max(each, given[0]), given[1]) for each in value]
                    elif name in ("sum", "count"):
                        value = float(sum(value)) if name == "sum" else len(value)
                    elif name == "categories":
                        value = [value.count(each) for each in given]
                    elif isinstance(value, list):
                        value = [each + round(random.gauss(0, given)) for each in value]
                    else:
                        value += round(random.gauss(0, given)) if isinstance(value, int) else random.gauss(0, given)
                return value
    """,
    "prelude": """
        from types import SimpleNamespace
        from opendp.mod import Chain, Measurement

        def nothing(*_, **__):
            return None

        enable_features = vector_domain = atom_domain = symmetric_distance = absolute_distance = nothing
        t = SimpleNamespace(
            then_clamp=lambda bounds: Chain(("clamp", bounds)), then_sum=lambda: Chain(("sum", None)),
            then_count=lambda: Chain(("count", None)),
            then_count_by_categories=lambda categories, null_category: Chain(("categories", categories)),
        )
        m = SimpleNamespace(
            then_laplace=lambda scale: Chain(("laplace", scale)),
            make_laplace=lambda domain, metric, scale: Measurement(("laplace", scale)),
        )
    """,
}


@pytest.fixture
def libraries(tmp_path, monkeypatch):
    """The folder of the project; beside it, where the runner finds them, the libraries or what stands in for them."""
    for library, modules in (("diffprivlib", DIFFPRIVLIB), ("opendp", OPENDP_SHAPE)):
        package = tmp_path / "installed" / library
        if importlib.util.find_spec(library) is None:
            package.mkdir(parents=True)
            for name, text in modules.items():
                (package / f"{name}.py").write_text(textwrap.dedent(text))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "installed"))
    monkeypatch.delenv(ADDRESS, raising=False)  # who forks runners has begun with another path
    project = tmp_path / "project"
    project.mkdir()
    return project


def target_of(folder: Path, text: str) -> Target:
    path = folder / "module.py"
    path.write_text("import numpy as np\nfrom dplint import dp\n" + text)
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    return target


def outcome(target: Target, reading: Target | None = None):
    """Of an audit whose proof is of another function, if one is named."""
    read = reading or target
    settings = settings_with(proof_seconds=10.0, max_runs=200)
    job = AuditJob(mechanism=target.mechanism, program=read.program, lowered=read.lowered, settings=settings)
    return carry_out(job, lambda *_: None).outcome


def notes(ended) -> str:
    return " ".join(ended.effort.notes)


TOOLS = ("by position", "default epsilon", "of each record", "mean", "any epsilon", "mechanism", "kept mechanism")


@pytest.mark.parametrize("name", [*TOOLS, "some records", "beside noise", "columns"])
def test_what_a_library_gives_is_handed_out_and_all_around_it_compared(libraries, name):
    pytest.importorskip("pandas")

    ended = outcome(target_of(libraries, HEAD + RIGHT[name]))

    assert isinstance(ended, Proved), notes(ended)
    assert any(one.endswith("keeps its claim") for one in ended.scope.assumptions)
    assert UNCOMPARED not in ended.scope.assumptions


CLAIM = '\n@dp(epsilon=1.0, neighbors="replace-one", domain=(0.0, 10.0))\ndef release(values: np.ndarray):\n    '
READ = "return tools.sum(values, epsilon=0.5, bounds=(0, 5))"
OTHERWISE = {
    "other data": "return tools.sum(2 * values, epsilon=0.5, bounds=(0, 5))",
    "another epsilon": "return tools.sum(values, epsilon=2.0, bounds=(0, 5))",
    "the epsilon by default": "return tools.sum(values, bounds=(0, 5))",
    "other bounds": "return tools.sum(values, epsilon=0.5, bounds=(0, 10))",
    "another function": "return tools.mean(values, epsilon=0.5, bounds=(0, 5))",
    "more than is released": "return tools.sum(values, epsilon=0.5, bounds=(0, 5)) + values[0]",
    "twice": "return tools.sum(values, epsilon=0.5, bounds=(0, 5)) + tools.sum(values, epsilon=0.5, bounds=(0, 5))",
    "none": "return values.sum()",
    "an error of the library": "return tools.sum(values, epsilon=0.5, bounds=None)",
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_proof_of_another_release_is_not_told(libraries, name):
    """The reading is that of one function; the one that runs releases something else."""
    (libraries / "right").mkdir()
    head = "from diffprivlib import tools\n"
    right = target_of(libraries / "right", head + CLAIM + READ)
    wrong = target_of(libraries, head + CLAIM + OTHERWISE[name])
    assert isinstance(outcome(right), Proved)

    ended = outcome(wrong, right)

    assert not isinstance(ended, Proved)
    assert "the proof reads the function otherwise than it runs" in notes(ended)


def test_a_mechanism_with_a_delta_has_no_such_claim(libraries):
    (libraries / "right").mkdir()
    head = "from diffprivlib.mechanisms import Laplace\n"
    text = CLAIM + "noisy = Laplace(epsilon=1.0, sensitivity=10{})\n    return noisy.randomise(values.sum())"
    right = target_of(libraries / "right", head + text.format(""))
    assert isinstance(outcome(right), Proved)

    ended = outcome(target_of(libraries, head + text.format(", delta=0.1")), right)

    assert not isinstance(ended, Proved)


@pytest.mark.parametrize("name", MEASURED)
def test_measurements_are_compared_by_what_they_are_called_with_and_cost(libraries, name):
    ended = outcome(target_of(libraries, OPENDP + MEASURED[name]))

    assert isinstance(ended, Proved), notes(ended)
    assert UNCOMPARED not in ended.scope.assumptions


@pytest.mark.parametrize("change", [("sum_with(10.0)", "sum_with(5.0)"), ("(values)\n", "(values + values)\n")])
def test_a_measurement_that_costs_more_or_is_called_with_more(libraries, change):
    """The privacy map of what is called says the one."""
    (libraries / "right").mkdir()
    text = OPENDP + MEASURED["of the module"]
    assert change[0] in text
    right = target_of(libraries / "right", text)

    ended = outcome(target_of(libraries, text.replace(*change)), right)

    assert not isinstance(ended, Proved)
    assert "otherwise than it runs" in notes(ended)
