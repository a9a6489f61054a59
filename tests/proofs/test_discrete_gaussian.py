"""Discrete Gaussian noise: rho is proved where it moves by whole numbers, by sums that say how much; and nothing else.

What is wrong is so by the divergence of order 2 of its law, which for moves by s is s**2 / sigma**2 (Canonne, Kamath
and Steinke, NeurIPS 2020, proposition 5).
"""

import pytest

from tests.proofs.proof_tools import searched

HEAD = "from tmlt.core.random.discrete_gaussian import sample_dgauss\n\n\n"
VECTOR = """@dp(rho="rho", neighbors="l2")
def release(values: list[int], rho):
    return [value + sample_dgauss(1 / (2 * rho)) for value in values]
"""
COUNT = """@dp(rho=0.125, neighbors="add-remove", domain=(0, 9))
def release(records):
    return len([one for one in records if one > 3]) + sample_dgauss(4.0)
"""
TWICE = """@dp(rho=0.25, neighbors="add-remove", domain=(0, 9))
def release(rng, records):
    first = len(records) + sample_dgauss(sigma_squared=4)
    return first, len(records) + rng.normal(0.0, 2.0)
"""
RIGHT = {
    "a vector, any rho": VECTOR,
    "a count": COUNT,
    "with normal noise": TWICE,
    "one order": COUNT.replace("rho=0.125", "renyi=(3, 0.375)"),
    "all orders": COUNT.replace("rho=0.125", 'renyi="alpha / 8"'),
    "a sum of small numbers": COUNT.replace("len([one for one in records if one > 3])", "sum(records)").replace(
        "(4.0)", "(324)"
    ),
    "a comparison of what is noisy": COUNT.replace("return len", "return 0 < len"),
    "the whole module": COUNT.replace("sample_dgauss", "discrete_gaussian.sample_dgauss"),
}
WRONG = {
    "less rho": COUNT.replace("0.125", "0.1249"),
    "half the noise": VECTOR.replace("(2 * rho)", "(4 * rho)"),
    "sigma for its square": COUNT.replace("(4.0)", "(2.0)"),
    "two moves": TWICE.replace("0.25", "0.24"),
    "noise by the data": COUNT.replace("(4.0)", "(4.0 + len(records))"),
    "an order": COUNT.replace("rho=0.125", "renyi=(3, 0.37)"),
    "numbers that are not whole": VECTOR.replace("list[int]", "list[float]"),
    "half of a count": COUNT.replace("len([", "0.5 * len(["),
}
NOT_SHOWN = {
    "mu": COUNT.replace("rho=0.125", "mu=0.5"),
    "pure": COUNT.replace("rho=0.125", "epsilon=9.0"),
    "with a delta": COUNT.replace("rho=0.125", "epsilon=1.0, delta=0.1"),
}


def found(folder, text):
    module = "from tmlt.core.random import discrete_gaussian\n" if "discrete_gaussian." in text else ""
    return searched(folder, module + HEAD + text)


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_rho_is_proved(text, tmp_path):
    proved = found(tmp_path, text)

    assert proved.proof is not None, proved.reason
    assert proved.proof.scope.settled


@pytest.mark.parametrize("text", [*WRONG.values(), *NOT_SHOWN.values()], ids=[*WRONG, *NOT_SHOWN])
def test_nothing_else_is(text, tmp_path):
    assert found(tmp_path, text).proof is None


def test_vectors_of_which_every_number_moves_are_proved_for_one_number_alone(tmp_path):
    """Of n numbers rho is n times as large."""
    proved = found(tmp_path, VECTOR.replace('"l2"', '"linf"'))

    assert proved.proof is not None
    assert proved.proof.scope.sizes.largest == 1


def test_a_module_of_the_project_is_not_the_package(tmp_path):
    package = tmp_path / "tmlt" / "core" / "random"
    package.mkdir(parents=True)
    for one in (tmp_path / "tmlt", tmp_path / "tmlt" / "core", package):
        (one / "__init__.py").touch()
    (package / "discrete_gaussian.py").write_text("def sample_dgauss(sigma_squared):\n    return 0\n")

    assert found(tmp_path, COUNT).proof is None


@pytest.mark.parametrize("name", ["discrete_gaussian.sample_dgauss", "rng.prng"])
def test_a_package_that_is_changed_draws_something_else(name, tmp_path):
    changed = (
        f"import tmlt.core.random.{name.split('.', maxsplit=1)[0]}\n\ntmlt.core.random.{name} = lambda *_: 0\n\n\n"
    )

    assert searched(tmp_path, HEAD + changed + COUNT).proof is None
