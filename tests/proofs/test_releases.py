"""Programs that release by functions of libraries, of which only the claims are known.

Each right one keeps its claim by sequential composition of what the library promises; each wrong one breaks its claim
where the calls lose all that they promise, or rests on something that is not promised.
"""

import pytest

from dplint.program.library_claims import of_function
from tests.proofs.proof_tools import searched

HEAD = """import diffprivlib.mechanisms
import diffprivlib.tools
from diffprivlib import tools
from diffprivlib.mechanisms import Laplace
from collections import Counter
import pandas as pd

TABLE = {"age": (0.0, 100.0), "pay": (0.0, 100.0)}


"""
REPLACE = '@dp(epsilon=1.0, neighbors="replace-one", domain=(0.0, 10.0))\ndef release(values: np.ndarray):\n    '
ADD = '@dp(epsilon=1.0, neighbors="add-remove", domain=(0.0, 10.0))\ndef release(values: np.ndarray):\n    '
TABLES = '@dp(epsilon=1.0, neighbors="replace-one", domain=TABLE)\ndef release(table: pd.DataFrame):\n    '
ANY = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 10.0))\ndef release(values: np.ndarray, epsilon):\n'
ANY += "    "
RIGHT = {
    "mean": REPLACE + "return tools.mean(values, epsilon=1.0, bounds=(0, 10))",
    "default epsilon": REPLACE + "return tools.sum(values, bounds=(0, 10))",
    "by position": REPLACE + "return diffprivlib.tools.sum(values, 1.0, (0, 10))",
    "two shares": REPLACE
    + "a = tools.mean(values, epsilon=0.25, bounds=(0, 10))\n    b = tools.var(values, epsilon=0.75, bounds=(0, 10))\n"
    "    return {'mean': float(a), 'spread': float(b) ** 0.5}",
    "count": REPLACE + "return tools.count_nonzero(values > 3, epsilon=1.0)",
    "of each record": REPLACE + "return tools.sum(values * 2 + 1, epsilon=1.0, bounds=(0, 10))",
    "quantile": REPLACE + "return tools.quantile(values, 0.5, epsilon=1.0, bounds=(0, 10))",
    "columns": TABLES + "a = tools.sum(table['age'], epsilon=0.5, bounds=(0, 100))\n"
    "    b = tools.sum(table['pay'].to_numpy(), epsilon=0.5, bounds=(0, 50))\n    return a, b",
    "histogram": ADD + "return tools.histogram(values, epsilon=1.0, bins=5, range=(0, 10))[0].tolist()",
    "some records": ADD + "return tools.histogram(values[values > 3], epsilon=1.0, bins=5, range=(0, 10))",
    "histogram of what is replaced": REPLACE + "return tools.histogram(values, epsilon=0.5, bins=5, range=(0, 10))",
    "any epsilon": ANY + "return tools.histogram(values, epsilon=epsilon, range=(0, 10))",
    "mechanism": ADD + "return Laplace(epsilon=1.0, sensitivity=10).randomise(float(values.sum()))",
    "kept mechanism": ANY + "noisy = diffprivlib.mechanisms.Laplace(epsilon=epsilon / 2, sensitivity=10)\n"
    "    return noisy.randomise(values.sum()), noisy.randomise(2 * values.sum() - values.sum())",
    "beside noise": ADD.replace("def release(", "def release(rng, ")
    + "a = Laplace(epsilon=0.5, sensitivity=1).randomise(len(values))\n"
    "    return a, values.sum() + rng.laplace(scale=20)",
}
WRONG = {
    "whole epsilon twice": REPLACE
    + "return tools.sum(values, bounds=(0, 10)), tools.mean(values, epsilon=0.001, bounds=(0, 10))",
    "a bit too much": REPLACE + "return tools.mean(values, epsilon=1.01, bounds=(0, 10))",
    "no bounds": REPLACE + "return tools.mean(values, epsilon=1.0)",
    "bounds are None": REPLACE + "return tools.mean(values, epsilon=1.0, bounds=None)",
    "bounds of the data": REPLACE + "return tools.mean(values, epsilon=1.0, bounds=(0, values.max()))",
    "both bounds of the data": REPLACE + "return tools.mean(values, epsilon=1.0, bounds=(min(values), max(values)))",
    "records that are added": ADD + "return tools.mean(values, epsilon=1.0, bounds=(0, 10))",
    "replaced counts as two": REPLACE + "return tools.histogram(values, epsilon=1.0, bins=5, range=(0, 10))",
    "no range": ADD + "return tools.histogram(values, epsilon=1.0, bins=5)",
    "range is None": ADD + "return tools.histogram(values, epsilon=1.0, bins=5, range=None)",
    "range of the data": ADD + "return tools.histogram(values, epsilon=1.0, bins=5, range=(0, max(values)))",
    "bins of the data": ADD + "return tools.histogram(values, epsilon=1.0, bins=len(values), range=(0, 10))",
    "bins by the data": ADD + "return tools.histogram(values, epsilon=1.0, bins='auto', range=(0, 10))",
    "weights": ADD + "return tools.histogram(values, epsilon=1.0, bins=5, range=(0, 10), weights=values)",
    "epsilon of the data": REPLACE + "return tools.sum(values, epsilon=0.5 + values.mean() / 20, bounds=(0, 10))",
    "a seed": REPLACE + "return tools.sum(values, epsilon=1.0, bounds=(0, 10), random_state=1)",
    "less the mean": REPLACE + "return tools.sum(values - values.mean(), epsilon=1.0, bounds=(-10, 10))",
    "twice each": REPLACE + "return tools.sum(np.concatenate([values, values]), epsilon=1.0, bounds=(0, 10))",
    "sum of a list twice": REPLACE
    + "twice = list(values) + list(values)\n    return tools.sum(twice, epsilon=1.0, bounds=(0, 10))",
    "left out": REPLACE + "return tools.sum(values[values > 3], epsilon=1.0, bounds=(0, 10))",
    "only if there are many": ADD
    + "if len(values) > 1:\n        return tools.histogram(values, range=(0, 10))\n    return None",
    "in a loop": ADD + "return [tools.histogram(values, epsilon=0.4, range=(0, 10)) for _ in range(3)]",
    "beside the data": REPLACE + "return tools.sum(values, bounds=(0, 10)) + values[0]",
    "beside the size": ADD + "return tools.histogram(values, range=(0, 10)), len(values)",
    "a smaller sensitivity": ADD + "return Laplace(epsilon=1.0, sensitivity=9).randomise(float(values.sum()))",
    "twice the sum": ADD + "return Laplace(epsilon=1.0, sensitivity=10).randomise(2 * values.sum())",
    "a larger epsilon": ADD + "return Laplace(epsilon=1.1, sensitivity=10).randomise(values.sum())",
    "two of a mechanism": ADD + "noisy = Laplace(epsilon=1.0, sensitivity=10)\n"
    "    return noisy.randomise(values.sum()), noisy.randomise(values.sum())",
    "sensitivity of the data": ADD + "return Laplace(epsilon=1.0, sensitivity=len(values)).randomise(len(values))",
    "a delta": ADD + "return Laplace(epsilon=1.0, delta=0.1, sensitivity=10).randomise(values.sum())",
    "noise twice": ADD.replace("def release(", "def release(rng, ")
    + "a = Laplace(epsilon=1.0, sensitivity=1).randomise(len(values))\n"
    "    return a, len(values) + rng.laplace(scale=9)",
    "noise in what is given": ADD.replace("def release(", "def release(rng, ")
    + "a = values.sum() + rng.laplace(scale=0.1)\n    return a, Laplace(epsilon=1.0, sensitivity=10).randomise(a)",
    "a vector": '@dp(epsilon=1.0, neighbors="linf")\ndef release(answers: np.ndarray):\n'
    "    return tools.sum(answers, epsilon=1.0, bounds=(0, 10))",
    "another release under its name": "class Laplace:\n    def __init__(self, **kept):\n        pass\n\n"
    "    def randomise(self, value):\n        return value\n\n\n"
    + ADD
    + "return Laplace(epsilon=1.0, sensitivity=10).randomise(values.sum())",
    "a name that is bound again": ADD
    + "tools = Other()\n    return tools.histogram(values, epsilon=1.0, bins=5, range=(0, 10))",
}


OPENDP = """import opendp.prelude as odp

odp.enable_features("contrib")
FLOATS = odp.vector_domain(odp.atom_domain(T=float, nan=False)), odp.symmetric_distance()
TEXTS = odp.vector_domain(odp.atom_domain(T=str)), odp.symmetric_distance()
NUMBER = odp.atom_domain(T=float, nan=False), odp.absolute_distance(T=float)
SCALE = 10.0


def sum_with(scale, high=10.0):
    \"\"\"Of clamped numbers.\"\"\"
    return FLOATS >> odp.t.then_clamp((0.0, high)) >> odp.t.then_sum() >> odp.m.then_laplace(scale=scale)


TOTAL = sum_with(10.0)
COUNT = FLOATS >> odp.t.then_count() >> odp.m.then_laplace(scale=2.0)
OTHER = FLOATS >> odp.t.then_count() >> odp.m.then_laplace(scale=2.0)
OTHER = OTHER


"""


def measured(body, given="", domain="(0.0, 10.0)"):
    """A function of numbers that are added or removed, or of texts."""
    claim = f'@dp(epsilon=1.0, neighbors="add-remove", domain={domain})'
    return f"{claim}\ndef release(values: list{given}):\n    {body}\n"


CATEGORIES = "TEXTS >> odp.t.then_count_by_categories(categories=['x', 'y'], null_category=False)"
MEASURED = {
    "of the module": measured("return TOTAL(values)"),
    "by default": measured("return total(values)", ", total=sum_with(10.0)"),
    "a lower bound": measured("return total(values)", ", total=sum_with(scale=5.0, high=5.0)"),
    "a constant": measured("return total(values)", ", total=sum_with(SCALE)"),
    "with arithmetic": measured("return total(values), COUNT(values)", ", total=sum_with(10 / 0.5)"),
    "of a number": measured("return total(float(sum(values)))", ", total=odp.m.make_laplace(*NUMBER, scale=10.0)"),
    "categories": measured(
        "return dict(zip(['x', 'y'], noisy(values)))",
        f", noisy={CATEGORIES} >> odp.m.then_laplace(scale=1.0)",
        "['x', 'y', 'z']",
    ),
    "afterwards": measured("return max(total(values), 0.0) / 10", ", total=sum_with(10.0)"),
}
NOT_MEASURED = {
    "less noise": measured("return total(values)", ", total=sum_with(9.0)"),
    "a higher bound": measured("return total(values)", ", total=sum_with(5.0, high=6.0)"),
    "twice": measured("return TOTAL(values), TOTAL(values)"),
    "in a loop": measured("return [TOTAL(values) for _ in range(2)]"),
    "two shares": measured("return TOTAL(values), COUNT(values)"),
    "all values twice": measured("return TOTAL(values + values)"),
    "assigned in the function": measured("total = sum_with(1.0)\n    return total(values)", ", total=sum_with(10.0)"),
    "a name with two values": measured("return OTHER(values), OTHER(values)"),
    "one that is none": measured("return total(values)", ", total=sum"),
    "Gaussian noise": measured(
        "return total(values)", ", total=FLOATS >> odp.t.then_count() >> odp.m.then_gaussian(1.0)"
    ),
    "with a grid": measured(
        "return total(values)", ", total=FLOATS >> odp.t.then_count() >> odp.m.then_laplace(scale=1.0, k=20)"
    ),
    "less noise on categories": measured(
        "return noisy(values)", f", noisy={CATEGORIES} >> odp.m.then_laplace(scale=0.9)", "['x', 'y', 'z']"
    ),
    "all others, too": measured(
        "return noisy(values)",
        f", noisy={CATEGORIES.replace('False', 'True')} >> odp.m.then_laplace(scale=1.0)",
        "['x', 'y', 'z']",
    ),
    "of a number that moves more": measured(
        "return total(2 * float(sum(values)))", ", total=odp.m.make_laplace(*NUMBER, scale=10.0)"
    ),
    "only for some data": measured("return TOTAL(values) if len(values) > 1 else None"),
    "beside the size": measured("return TOTAL(values) / max(len(values), 1)"),
    "no noise": measured(
        "return total(values)", ", total=FLOATS >> odp.t.then_count() >> odp.m.then_laplace(scale=0.0)"
    ),
    "a parameter that hides the measurement": measured("return TOTAL(values)", ", TOTAL=len"),
    "a function that hides it": measured("return tell(values)")
    + "\n\ndef tell(values):\n    TOTAL = len\n    return TOTAL(values)\n",
    "assigned by a function": measured("return TOTAL(values)") + "\n\ndef tell():\n    global TOTAL\n    TOTAL = len\n",
}


@pytest.mark.parametrize("name", MEASURED)
def test_measurements_of_opendp_keep_their_privacy_map(tmp_path, name):
    found = searched(tmp_path, OPENDP + MEASURED[name])

    assert found.settled, found.reason
    assert found.proof.scope.assumptions == ("opendp.measurements.make_laplace keeps its claim",)


@pytest.mark.parametrize("name", NOT_MEASURED)
def test_what_moves_more_or_is_no_such_measurement_is_not_proved(tmp_path, name):
    assert searched(tmp_path, OPENDP + NOT_MEASURED[name]).proof is None


@pytest.mark.parametrize("name", RIGHT)
def test_what_libraries_promise_is_added_up(tmp_path, name):
    found = searched(tmp_path, HEAD + RIGHT[name])

    assert found.proof is not None, found.reason
    assert found.proof.scope.full
    assert all(one.endswith("keeps its claim") for one in found.proof.scope.assumptions)
    assert found.proof.scope.assumptions


@pytest.mark.parametrize("name", WRONG)
def test_what_they_do_not_promise_is_not_proved(tmp_path, name):
    assert searched(tmp_path, HEAD + WRONG[name]).proof is None


def test_a_module_of_the_project_has_the_name_of_the_library(tmp_path):
    (tmp_path / "diffprivlib").mkdir()
    (tmp_path / "diffprivlib" / "__init__.py").write_text("")
    (tmp_path / "diffprivlib" / "tools.py").write_text("def mean(values, **others):\n    return values.mean()\n")

    text = "from diffprivlib import tools\n\n\n" + RIGHT["mean"].replace("tools.mean", "tools.median")

    assert searched(tmp_path, text).proof is None


def test_claims_are_found_in_any_module_of_the_library():
    assert of_function("diffprivlib.tools.utils.mean") == of_function("diffprivlib.tools.mean")
    assert of_function("diffprivlib.mean") is None
    assert of_function("other.tools.mean") is None


@pytest.mark.parametrize("share", [0.9, 1.0, 1.1])
@pytest.mark.parametrize("name", ["mean", "count", "mechanism", "histogram", "columns", "kept mechanism"])
def test_a_proof_holds_as_long_as_all_calls_fit_into_the_claim(tmp_path, name, share):
    """All of these lose just what they claim, so a claim of less is too much, and one of more is none."""
    text = (
        RIGHT[name]
        .replace("epsilon=1.0,", f"epsilon={share},", 1)
        .replace('epsilon="epsilon"', f'epsilon="{share} * epsilon"')
    )

    assert (searched(tmp_path, HEAD + text).proof is not None) is (share >= 1)
