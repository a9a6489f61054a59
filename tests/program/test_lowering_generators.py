"""A generator parameter is lowered as the kind of generator that the runner passes in."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from program_tools import lowered, module_text

from dplint.program.nodes import Draw, Program
from dplint.program.printing import printed
from dplint.program.walk import walk
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.source.read import read_source

FAMILIES = {"Generator": "generator", "RandomState": "legacy", "Random": "python"}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("stats.dlaplace.rvs(0.5)", "numpy.random.discrete_laplace(a=0.5)"),
        ("stats.dlaplace(a=0.5).rvs(random_state=None)", "numpy.random.discrete_laplace(a=0.5)"),
        ("stats.dlaplace.rvs(0.5, random_state=rng)", "generator.discrete_laplace(a=0.5)"),
        ("stats.dlaplace(0.5).rvs(3, rng)", "generator.discrete_laplace(a=0.5, size=3)"),
        ("stats.dlaplace(0.5, queries[0]).rvs()", "int(numpy.random.discrete_laplace(a=0.5) + queries[0])"),
        (
            "stats.dlaplace.rvs(0.5, queries, 2, random_state=rng)",
            "(generator.discrete_laplace(a=0.5, size=2) + queries).astype('int')",
        ),
    ],
)
def test_the_discrete_laplace_draws_of_scipy(call: str, text: str, tmp_path: Path) -> None:
    program = lowered(f"from scipy import stats\n\n\ndef made(rng, queries):\n    return {call}", tmp_path)

    assert isinstance(program, Program), program
    assert printed(program.body[0].value) == text


@pytest.mark.parametrize(
    "lines",
    [
        ["law = stats.dlaplace(0.5)", "return law"],
        ["law = stats.dlaplace(0.5)", "return law.rvs(random_state=rng)"],
        ["law = stats.dlaplace(0.5)", "return law.rvs(0.4, random_state=rng, a=3)"],
        ["law = stats.dlaplace(0.5)", "return law.pmf(0)"],
        ["law = stats.dlaplace(0.5)", "law = stats.dlaplace(0.4)", "return law.rvs(random_state=rng)"],
        ["law = stats.dlaplace(0.5)", "law.random_state = rng", "return law.rvs()"],
        ["law = stats.gamma(0.5)", "return law.rvs(random_state=rng)"],
    ],
)
def test_a_law_that_is_more_than_drawn_from_is_refused(lines: list[str], tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in lines)

    program = lowered(f"from scipy import stats\n\n\ndef made(rng, queries):\n{body}", tmp_path)

    assert not isinstance(program, Program)


@pytest.mark.parametrize(
    "call",
    [
        "stats.dlaplace.rvs(0.5, random_state=queries)",
        "stats.dlaplace(0.5).rvs(random_state=random.Random())",
        "stats.dlaplace.rvs()",
        "stats.dlaplace.rvs(0.5, b=2)",
        "stats.dlaplace(0.5).rvs(a=0.4)",
        "stats.dlaplace(*queries).rvs()",
        "stats.dlaplace.rvs(0.5, 1, 2, rng, 3)",
        "stats.gamma.rvs(2.0)",
        "rng.dlaplace(0.5)",
    ],
)
def test_what_is_no_such_draw_is_refused(call: str, tmp_path: Path) -> None:
    program = lowered(f"from scipy import stats\n\n\ndef made(rng, queries):\n    return {call}", tmp_path)

    assert not isinstance(program, Program)


@pytest.mark.parametrize("rest", ["k=2", "k=len(queries)", "cum_weights=[1, 2]", "k=True"])
def test_choices_of_several_are_refused(rest: str, tmp_path: Path) -> None:
    source = "def made(rng, queries):\n    return random.choices([1, 2], {})[0]"

    assert not isinstance(lowered(source.format(rest), tmp_path), Program)
    assert isinstance(lowered(source.format("[1, 3], k=1"), tmp_path), Program)


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner(sys.executable, deadline=10, memory_mib=512) as process:
        yield process


@pytest.mark.process
@pytest.mark.parametrize(
    ("annotation", "draw", "kind"),
    [
        ("", "rng.laplace()", "Generator"),
        ("", "rng.random() + rng.uniform(0, 1)", "Generator"),
        ("", "rng.randint(0, 5)", "RandomState"),
        ("", "rng.randn()", "RandomState"),
        ("", "rng.gauss(0, 1) + rng.randint(0, 5)", "Random"),
        ("", "rng.randrange(3)", "Random"),
        (": random.Random", "rng.random()", "Random"),
        (": 'np.random.RandomState | None'", "rng.laplace()", "RandomState"),
        (": np.random.Generator", "rng.laplace()", "Generator"),
    ],
)
def test_the_kind_is_that_of_the_runner(
    annotation: str, draw: str, kind: str, tmp_path: Path, runner: Runner, request: pytest.FixtureRequest
) -> None:
    """What the user's function is really handed decides; it says so in a second version of itself."""
    source = f"def made(rng{annotation}, queries):\n    x = {draw}\n    return x"
    program = lowered(source, tmp_path)
    number = request.node.callspec.indices["draw"]
    path = tmp_path / f"kinds_{number}.py"
    path.write_text(module_text(source).replace("return x", "return type(rng).__name__"), encoding="utf-8")
    (found,) = read_source(path, file=path.name, table={}).mechanisms
    runner.load(found.mechanism)
    (batch,) = runner.sample(SampleRequest((DataValue([0]),), runs=1, seed=(1, ())))

    assert batch.outputs() == [kind]
    assert isinstance(program, Program), program
    assert {node.family for node in walk(program) if isinstance(node, Draw)} == {FAMILIES[kind]}
