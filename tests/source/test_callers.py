"""What callers in a project pass, read from their text: the form, and whether the numbers are whole ones."""

import textwrap
from dataclasses import replace

import pytest

from dplint.claims import Fixed, Passed
from dplint.inputs.candidates import candidate_forms
from dplint.source.callers import Callers
from dplint.source.read import read_source

MECHANISM = """
from dplint import dp

@dp(epsilon=1.0, neighbors="l1")
def release(data{annotation}, epsilon=1.0):
    return work(data, epsilon)

class Counter:
    @dp(epsilon=1.0, neighbors="l1")
    def count(self, data):
        return work(data)
"""
HEAD = """
import numpy as np
import pandas as pd
import polars as pl
import pytest
from noise import Counter, release
"""


@pytest.fixture
def project(tmp_path):
    """Makes a project of a mechanism and one caller, and says what that passes."""
    (tmp_path / "pyproject.toml").touch()

    def passed(caller, *, file="tests/test_it.py", head=HEAD, qualname="release", annotation=""):
        path = tmp_path / "noise.py"
        path.write_text(MECHANISM.format(annotation=annotation))
        (tmp_path / file).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / file).write_text(head + textwrap.dedent(caller))
        found = (one.mechanism for one in read_source(path, file="noise.py").mechanisms)
        return Callers().asked(next(one for one in found if one.qualname == qualname)).passed

    return passed


@pytest.mark.parametrize(
    ("argument", "annotation", "whole"),
    [
        ("[1, 2]", "", True),
        ("[1, 2.0]", "", False),
        ("[0.0] * 5", "", False),
        ("list(range(3))", "", True),
        ("[float(i) for i in range(3)]", "", False),
        ("sorted([3, 1])", "", True),
        ("(1.0, 2.0)", "tuple", False),
        ("3", "float", True),
        ("-2.5", "float", False),
        ("{'a': 1, 'b': 2}", "dict[str, float]", True),
        ("{1: 0.5}", "dict[int, float]", False),
        ("np.array([3, 0])", "numpy.ndarray", True),
        ("np.array([3, 0], dtype=float)", "numpy.ndarray", False),
        ("np.asarray([3, 0]).astype(float)", "numpy.ndarray", False),
        ("np.arange(4)", "numpy.ndarray", True),
        ("np.zeros(4)", "numpy.ndarray", False),
        ("np.random.default_rng(1).integers(0, 5, size=4)", "numpy.ndarray", True),
        ("np.random.poisson(3, 4) * 2", "numpy.ndarray", True),
        ("np.random.poisson(3)", "float", True),
        ("np.random.normal(0, 1, 4)", "numpy.ndarray", False),
        ("np.ones(3).tolist()", "", False),
        ("pd.Series([1, 2])", "pandas.Series", True),
        ("pd.read_csv('x.csv')['age']", "pandas.Series", False),
        ("pd.read_csv('x.csv')['age'].to_numpy()", "numpy.ndarray", False),
        ("pl.Series([0.5])", "polars.Series", False),
    ],
)
def test_the_form_of_an_argument(project, argument, annotation, whole):
    assert project(f"release({argument})\n") == Passed((annotation,), whole)


@pytest.mark.parametrize(
    "caller",
    [
        "DATA = np.array([0.5])\nrelease(DATA)",
        "def main():\n    data = np.array([0.5])\n    return release(epsilon=2.0, data=data)",
        "def main(data: np.ndarray):\n    release(data)",
        "def main(rows):\n    for one in [np.zeros(2), np.ones(2)]:\n        release(one)",
        "[release(one) for one in (np.zeros(2), np.ones(2))]",
        "@pytest.fixture\ndef data():\n    return np.zeros(2)\n\ndef test_it(data):\n    release(data)",
        "@pytest.mark.parametrize('n, data', [(1, np.zeros(1)), (2, np.ones(2))])\ndef it(n, data):\n    release(data)",
        "@pytest.mark.parametrize('data', [pytest.param(np.zeros(1), id='a')])\ndef test_it(data):\n    release(data)",
        "x = np.ones(2)\nx = x[x > 0]\nrelease(x)",
        "import noise as n\nn.release(np.zeros(3))",
        "from noise import release as let_go\nlet_go(np.zeros(3))",
    ],
)
def test_an_argument_is_followed_to_where_it_is_made(project, caller):
    assert project(caller).annotations == ("numpy.ndarray",)


@pytest.mark.parametrize(
    "caller",
    [
        "with pytest.raises(TypeError):\n    release([1.0])",
        "def main(data):\n    release(data)",
        "release(*[[1.0], 2.0])",
        "def release(data):\n    return data\n\ndef main(release):\n    release([1.0])",
        "data = [1.0]\ndata = np.zeros(2)\nrelease(data)",
        "other.release([1.0])",
        "release(load())",
    ],
)
def test_what_cannot_be_told_is_no_evidence(project, caller):
    assert project(caller) == Passed()


def test_objects_are_followed_to_their_class(project):
    caller = "counter = Counter()\ncounter.count([1.5])\nCounter().count([2.5])\nother.count(3.0)\n"
    assert project(caller, qualname="Counter.count") == Passed(("",), whole=False)


def test_a_name_from_a_star_import_is_that_of_the_module(project):
    head = "import numpy as np\nfrom noise import *\n"

    assert project("release(np.array([1, 2]))", head=head) == Passed(("numpy.ndarray",), whole=True)
    assert project("def release(x): pass\nrelease(np.array([1, 2]))", head=head) == Passed()
    assert project("release(np.array([1, 2]))", head="import numpy as np\nfrom other import *\n# noise\n") == Passed()


EXAMPLE = '''
from dplint import dp

@dp(epsilon=1.0, neighbors="l1")
def release(data, epsilon=1.0):
    """Release it.

    >>> import numpy as np
    >>> import noise as n
    >>> x = np.random.rand(
    ...     10)
    >>> {call}(x, 1.0)
    0.5
    """
    return work(data, epsilon)
'''


@pytest.mark.parametrize(("call", "known"), [("release", True), ("n.release", True), ("other.release", False)])
def test_examples_of_a_docstring_are_calls(tmp_path, call, known):
    path = tmp_path / "noise.py"
    path.write_text(EXAMPLE.format(call=call))
    (mechanism,) = (one.mechanism for one in read_source(path, file="noise.py").mechanisms)

    assert Callers().asked(mechanism).passed == (Passed(("numpy.ndarray",), whole=False) if known else Passed())


def test_most_calls_come_first(project):
    assert project("release(1.0)\nrelease([1.0])\nrelease([2.0])\n").annotations == ("", "float")


def test_a_file_that_does_not_parse_tells_nothing(project):
    assert project("release([1.0]\n") == Passed()


def test_names_that_are_made_from_one_another_take_no_time(project):
    """Looked up one by one they would be 9 ** 12 ways."""
    names = [f"x{number}" for number in range(9)]
    lines = [f"{one} = {other} + {one}" for one in names for other in names]
    assert project("\n".join([*lines, "release(x0)\n"])) == Passed()


def test_nobody_is_asked_where_the_annotation_says_it(project):
    assert project("release([1.0])\n", annotation=": list[float]") == Passed()
    assert project("release([1.0])\n", annotation=": float") == Passed()
    # It does not say which numbers.
    assert project("release(np.array([1]))\n", annotation=": np.ndarray") == Passed(("numpy.ndarray",), whole=True)


def test_of_a_folder_that_is_no_project_little_is_looked_at(project, tmp_path):
    def far(file):
        found = project("release([1.0])\n", file=file)
        (tmp_path / file).unlink()
        return found

    (tmp_path / "pyproject.toml").touch()
    assert far("a/b/c.py").annotations == ("",)
    assert far(".hidden/c.py") == Passed()
    assert far("venv/c.py") == Passed()


def test_callers_are_no_part_of_what_a_mechanism_is(project, tmp_path):
    project("release({'a': 1.0})\n")
    (own, _) = (one.mechanism for one in read_source(tmp_path / "noise.py", file="noise.py").mechanisms)
    asked = Callers().asked(own)
    assert asked == own
    assert asked.digest == own.digest
    assert asked.passed != own.passed
    assert candidate_forms(asked).annotations[0] == "dict[str, float]"
    assert candidate_forms(replace(asked, passed=Passed())).annotations[0] == ""


OBJECTS = """
from dplint import dp

class Gauss:
    def __init__(self, sensitivity, epsilon, bound{more}):
        self.scale = sensitivity / epsilon

    @dp(epsilon=0.5, neighbors="l1", sensitivity=2.0)
    def add(self, values, weights, mode, known=1):
        return work(values)
"""


@pytest.fixture
def evidence(tmp_path):
    """The mechanism with what a project says of its object and its arguments."""
    (tmp_path / "pyproject.toml").touch()

    def asked(caller, more=""):
        path = tmp_path / "noise.py"
        path.write_text(OBJECTS.format(more=more))
        (tmp_path / "use.py").write_text("from noise import Gauss\n" + textwrap.dedent(caller))
        (found,) = read_source(path, file="noise.py").mechanisms
        return Callers().asked(found.mechanism)

    return asked


def test_an_object_is_made_of_what_the_claim_states_and_a_call_gives(evidence):
    found = evidence("LIMIT = 3\nGauss(9.0, epsilon=7.0, bound=(0, LIMIT))\nGauss(9.0, 7.0, (0, 4))\n")

    assert found.untestable is None
    assert found.receiver.given == (("sensitivity", 2.0), ("epsilon", 0.5), ("bound", (0, 4)))
    assert found.receiver.call == "Gauss(sensitivity=2.0, epsilon=0.5, bound=(0, 4))"


def test_a_name_that_is_assigned_once_is_its_value(evidence):
    assert evidence("LIMIT = 3\nGauss(9.0, epsilon=7.0, bound=LIMIT)\n").receiver.given[-1] == ("bound", 3)


@pytest.mark.parametrize(
    ("caller", "more", "missing"),
    [
        ("Gauss(9.0, 7.0, limit())", "", "bound"),
        ("def made(bound):\n    return Gauss(9.0, 7.0, bound)", "", "bound"),
        ("other.Gauss(9.0, 7.0, 3)", "", "bound"),
        ("Gauss(9.0, 7.0, bound=3)", ", other_epsilon", "epsilon, bound, other_epsilon"),
    ],
)
def test_without_a_call_that_tells_nobody_makes_it(evidence, caller, more, missing):
    found = evidence(caller, more)

    assert ", ".join(found.receiver.missing) == missing
    assert f"whose constructor needs {missing}, and neither" in found.untestable


def test_which_of_two_epsilons_the_claim_means_no_call_tells(evidence):
    found = evidence("Gauss(9.0, 7.0, 3)", ", small_epsilon=1.0")

    assert found.receiver.missing == ("epsilon", "bound")
    assert "needs epsilon, bound" in found.untestable


@pytest.mark.parametrize(("default", "given"), [("1.0", (("epsilon", 0.5),)), ("0.5", ())])
def test_an_epsilon_with_another_default_is_that_of_the_claim(tmp_path, default, given):
    head = OBJECTS.replace("self, sensitivity, epsilon, bound{more}", f"self, epsilon={default}")
    (tmp_path / "noise.py").write_text(head.replace("sensitivity / epsilon", "1 / epsilon"))
    (found,) = read_source(tmp_path / "noise.py", file="noise.py").mechanisms

    assert (found.mechanism.untestable, found.mechanism.receiver.given) == (None, given)


def test_arguments_are_what_callers_pass_most_often_first(evidence):
    found = evidence(
        """
        gauss = Gauss(9.0, 7.0, 3)
        gauss.add(DATA, [1, 2], "sum", known=5)
        gauss.add(DATA, weights=[1, 3], mode="mean")
        gauss.add(DATA, [1, 3], mode=work())
        with pytest.raises(ValueError):
            gauss.add(DATA, None, None)
        """
    )

    assert dict(found.called) == {"weights": ([1, 3], [1, 2]), "mode": ("sum", "mean")}


def test_what_args_says_of_a_constructor_comes_before_all_else(tmp_path):
    head = OBJECTS.replace(
        "sensitivity=2.0)", 'sensitivity=2.0, args={"bound": [(0, 1)], "epsilon": 0.25, "mode": "sum"})'
    )
    (tmp_path / "noise.py").write_text(head.replace("{more}", ""))
    (tmp_path / "use.py").write_text("from noise import Gauss\nGauss(9.0, 7.0, 3)\n")
    (found,) = read_source(tmp_path / "noise.py", file="noise.py").mechanisms
    asked = Callers().asked(found.mechanism)

    assert dict(asked.receiver.given) == {"sensitivity": 2.0, "epsilon": 0.25, "bound": (0, 1)}
    assert dict(asked.claim.args) == {"mode": Fixed("sum")}
