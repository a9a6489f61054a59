"""Distributions are found by their files, and nothing heavy is imported to know of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dplint import distributions as package
from dplint.distributions import (
    Distribution,
    UnknownDistributionError,
    distributions,
    draw_signatures,
    known,
    of,
    program_draws,
    registry,
)

FILES = sorted(path.stem for path in Path(known.__path__[0]).glob("*.py") if path.stem != "__init__")


def test_every_file_is_found() -> None:
    assert len(distributions()) >= 39
    for name in FILES:
        module = sys.modules[f"{known.__name__}.{name}"]
        assert module.__doc__
        assert all(of(one.name) is one for one in getattr(module, "DISTRIBUTIONS", None) or (module.DISTRIBUTION,))


@pytest.mark.parametrize("name", list(distributions()))
def test_a_distribution_has_its_name_and_says_what_its_parameters_are(name) -> None:
    distribution = of(name)

    assert distribution.name == name
    assert all(draw.distribution == name for draw in distribution.draws)
    assert distribution.draws
    assert len(set(distribution.names)) == len(distribution.names)
    assert repr(distribution) == f"<the {name} distribution>"


def test_an_unknown_name_is_an_error_with_a_hint() -> None:
    with pytest.raises(UnknownDistributionError, match="there is no distribution 'laplac': did you mean 'laplace'"):
        of("laplac")


def test_families() -> None:
    assert draw_signatures("generator")["laplace"].distribution == "laplace"
    assert "shuffle" in draw_signatures("generator")
    assert "permuted" in draw_signatures("generator")
    assert "permuted" not in program_draws("generator")
    assert not draw_signatures("no such family")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of distributions in place of ours."""
    for name in FILES:
        monkeypatch.delitem(sys.modules, f"{known.__name__}.{name}", raising=False)
    monkeypatch.setattr(known, "__path__", [str(tmp_path)])
    for cached in (registry.distributions, registry.draw_signatures, registry.program_draws):
        cached.cache_clear()
    yield tmp_path
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(f"{known.__name__}.{path.stem}", None)
    for cached in (registry.distributions, registry.draw_signatures, registry.program_draws):
        cached.cache_clear()


TOY = f"""
from {package.__name__} import Distribution, Formulas, Outcomes
from {package.__name__}.signatures import numpy

DISTRIBUTION = Distribution(
    name="NAME", parameters=(), draws=numpy("METHOD"), outcomes=Outcomes.REAL, formulas=Formulas(lambda: 0.0)
)
"""


def test_a_new_file_is_a_new_distribution(folder) -> None:
    (folder / "toy.py").write_text(TOY.replace("NAME", "toy").replace("METHOD", "toy"))

    assert list(distributions()) == ["toy"]
    assert program_draws("generator")["toy"].distribution == "toy"
    assert isinstance(of("toy"), Distribution)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"toy": "DISTRIBUTION = 3"}, r"known\.toy has no distribution: assign one to DISTRIBUTION"),
        ({"toy": TOY.replace("NAME", "tea").replace("METHOD", "toy")}, r"known\.toy is called 'tea'"),
        (
            {name: TOY.replace("NAME", name).replace("METHOD", "draw") for name in ("tea", "toy")},
            "tea and toy both claim draw of generator",
        ),
    ],
)
def test_a_mistake_in_a_file_is_said(folder, files, reason) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)

    with pytest.raises(ValueError, match=reason):
        distributions()


@pytest.mark.process
def test_to_know_names_and_centres_takes_the_standard_library_alone() -> None:
    code = (
        "import sys; from dplint.distributions import distributions, program_draws\n"
        "for one in distributions().values():\n    one.names, one.scale_parameters, one.is_location_scale\n"
        "program_draws('generator')['laplace'].read((), {})\n"
        "distributions()['uniform'].centre({'low': 0, 'high': 2}), distributions()['laplace'].support({})\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not {"numpy", "scipy"} & set(done.stdout.split())


def test_a_frozen_object_is_not_changed() -> None:
    with pytest.raises(AttributeError):
        of("laplace").name = "other"
    with pytest.raises(TypeError):
        distributions()["toy"] = of("laplace")
