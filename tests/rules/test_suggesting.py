"""Claims for functions that have none: each expectation is what the author of the few lines would sign."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from dplint.check.suggesting import claim_edits, suggest_text
from dplint.config import Settings
from dplint.rules.flow.vocabulary import ModuleScope, scope_of
from dplint.rules.suggesting.suggesting import suggest
from dplint.source.edits import apply_edits
from dplint.source.module import ParsedModule
from dplint.source.project import ProjectIndex
from dplint.source.read import read_source

IMPORTS = "import math\nimport random\n\nimport numpy as np\nimport pandas as pd\n\n"


def suggestions(text: str):
    found = suggest_text(Path("m.py").absolute(), IMPORTS + dedent(text), Settings())
    assert isinstance(found, tuple)
    return found


def only(text: str):
    (one,) = suggestions(text)
    return one


LAPLACE = "def with_noise({data}, epsilon, rng):\n    return {noisy}\n"


@pytest.mark.parametrize(
    ("data", "noisy", "claim"),
    [
        # one number, by its annotation
        ("x: float", "x + rng.laplace(scale=1 / epsilon)", 'neighbors="l1"'),
        ("x: float", "min(max(x, 0), 9) + rng.laplace(scale=9 / epsilon)", 'neighbors="any", domain=(0, 9)'),
        # a vector of answers
        ("x: np.ndarray", "x + rng.laplace(scale=1 / epsilon, size=len(x))", 'neighbors="l1"'),
        ("queries", "[q + rng.laplace(scale=1 / epsilon) for q in queries]", 'neighbors="l1"'),
        ("scores", "int(np.argmax(scores + rng.laplace(scale=2 / epsilon, size=len(scores))))", 'neighbors="linf"'),
        # records
        ("x: list[bool]", "len(x) + rng.laplace(scale=1 / epsilon)", 'neighbors="add-remove"'),
        ("x", "np.clip(x, 0, 5).sum() + rng.laplace(scale=5 / epsilon)", 'neighbors="add-remove", domain=(0, 5)'),
        ("x", "sum(v == 'a' for v in x) + rng.laplace(0, 1/epsilon)", 'neighbors="add-remove", domain=["a", "other"]'),
        ("x", "np.clip(x, 0, 5).mean() + rng.laplace(scale=5 / epsilon)", 'neighbors="replace-one", domain=(0, 5)'),
    ],
)  # fmt: skip
def test_the_relation_is_that_of_the_use(data: str, noisy: str, claim: str) -> None:
    one = only(LAPLACE.format(data=data, noisy=noisy))

    assert one.text == f'dp(epsilon="epsilon", {claim})'
    assert one.confidence == "high"


def test_the_data_is_what_noise_is_added_to_wherever_it_stands() -> None:
    one = only(
        "def f(epsilon, threshold, visits: np.ndarray):\n    return visits + np.random.laplace(scale=1 / epsilon)\n"
    )

    assert one.text == 'dp(epsilon="epsilon", neighbors="l1", data="visits")'


@pytest.mark.parametrize(
    ("before", "parameters", "epsilon", "claim"),
    [
        ("", "eps_count", "eps_count", '"eps_count"'),
        ("EPSILON = 0.5\n", "", "EPSILON", "EPSILON"),
        ("CONFIG = {'epsilon': 0.25}\n", "", "CONFIG['epsilon']", "0.25"),
        ("", "spent", "spent", '"spent"'),
    ],
)
def test_epsilon_is_what_the_scale_is_divided_by(before: str, parameters: str, epsilon: str, claim: str) -> None:
    function = (
        f"def f(x: np.ndarray, {parameters}):\n    return x + np.random.laplace(scale=1 / {epsilon}, size=len(x))\n"
    )

    assert only(f"{before}{function}").arguments["epsilon"] == claim


def test_epsilons_of_several_draws_are_added() -> None:
    one = only(
        """
        def f(x: list[bool], eps_a, eps_b, rng):
            return len(x) + rng.laplace(scale=1 / eps_a), sum(x) + rng.laplace(scale=1 / eps_b)
        """
    )

    assert one.arguments["epsilon"] == '"eps_a + eps_b"'


def test_an_object_keeps_epsilon_and_its_default_is_claimed() -> None:
    one = only(
        """
        class Model:
            def __init__(self, eps=2.0):
                self.eps = eps
            def fit(self, X):
                self.sum_ = np.clip(X, 0.0, 1.0).sum() + np.random.laplace(scale=1 / self.eps)
                return self
        """
    )

    assert one.function == "Model.fit"
    assert one.text == 'dp(epsilon=2.0, neighbors="add-remove", domain=(0.0, 1.0))'


@pytest.mark.parametrize(("parameter", "said"), [("table", True), ("rows", False)])
def test_what_cannot_be_made_is_said(parameter: str, said: bool) -> None:
    one = only(
        f"""
        class Model:
            def __init__(self, {parameter}, eps):
                self.rows, self.eps = {parameter}, eps
            def count(self):
                return len(self.rows) + np.random.laplace(scale=1 / self.eps)
        """
    )

    assert any("make=" in doubt for doubt in one.doubts) is said
    assert one.data == "self.rows"
    assert one.confidence == "medium"  # a person fills in epsilon, and says how the object is made


def test_delta_is_read_from_the_formula_of_the_gaussian_mechanism() -> None:
    text = """
        def f(grad: np.ndarray, sens, epsilon, d):
            sigma = sens * math.sqrt(2 * math.log(1.25 / {delta})) / epsilon
            return grad + np.random.normal(0, sigma, grad.shape)
        """
    given, number = only(text.format(delta="d")), only(text.format(delta="1e-6"))

    assert given.text == 'dp(epsilon="epsilon", delta="d", neighbors="l2", args={"d": 1e-05, "sens": 1.0})'
    assert number.arguments["delta"] == "1e-06"


def test_a_wrong_formula_makes_no_sensitivity() -> None:
    """The fourth root in place of the square root: the claim stays 1, so that an audit may find it."""
    one = only(
        """
        def f(grad: np.ndarray, epsilon, delta):
            sigma = math.sqrt(math.sqrt(2 * math.log(1.25 / delta))) / epsilon
            return grad + np.random.normal(0, sigma, grad.shape)
        """
    )

    assert "sensitivity" not in one.claim


def test_a_randomised_response_is_about_any_two_values() -> None:
    one = only(
        """
        def answer(truth: bool, epsilon):
            if random.random() < math.exp(epsilon) / (1 + math.exp(epsilon)):
                return truth
            return not truth
        """
    )

    assert one.text == 'dp(epsilon="epsilon", neighbors="any")'


def test_bounds_come_from_asserts_and_docstrings() -> None:
    asserted = only(
        """
        def f(x: float, epsilon):
            if x < 0 or x > 40:
                raise ValueError
            return x + np.random.laplace(scale=40 / epsilon)
        """
    )
    told = only(
        '''
        def f(ages, epsilon):
            """The total. ages: between 0 and 120."""
            return sum(ages) + np.random.laplace(scale=120 / epsilon)
        '''
    )

    assert asserted.arguments["domain"] == "(0, 40)"
    assert told.arguments["domain"] == "(0, 120)"


def test_a_tolerance_is_no_range_of_values() -> None:
    one = only(
        """
        def f(x: float, epsilon):
            if x < 0 or x < 1e-5:
                raise ValueError
            return x + np.random.laplace(scale=1 / epsilon)
        """
    )

    assert "domain" not in one.claim


def test_what_is_printed_is_observed() -> None:
    one = only("def f(x: list[bool], epsilon):\n    print(len(x) + np.random.laplace(scale=1 / epsilon))\n")

    assert one.arguments["observe"] == '["stdout"]'


def test_noise_of_a_helper_is_found_where_it_is_called() -> None:
    found = suggestions(
        """
        def add(value: float, epsilon):
            return value + np.random.laplace(scale=1 / epsilon)
        def count(x: list[bool], budget):
            return add(len(x), budget)
        """
    )

    assert {one.function: one.arguments["epsilon"] for one in found} == {"add": '"epsilon"', "count": '"budget"'}


def test_lines_in_no_function_are_told_of() -> None:
    one = only(
        "EPS = 1.0\nages = pd.read_csv('a.csv')\ntotal = ages.sum()\nprint(total + np.random.laplace(scale=1 / EPS))\n"
    )

    assert one.function is None
    assert one.confidence == "low"
    assert "move" in one.doubts[0]


@pytest.mark.parametrize(
    "function",
    [
        "def main(x, epsilon):\n    return x + np.random.laplace(scale=1 / epsilon)\n",
        "def test_it(x, epsilon):\n    return x + np.random.laplace(scale=1 / epsilon)\n",
        "def simulate(x, epsilon):\n    return x + np.random.laplace(scale=1 / epsilon)\n",
        "def plot_error(x, epsilon):\n    return x + np.random.laplace(scale=1 / epsilon)\n",
        # vacuous: the noise does not meet the data, or the noisy value is lost
        "def f(x, epsilon):\n    return x, np.random.laplace(scale=1 / epsilon)\n",
        "def f(x, epsilon):\n    y = x + np.random.laplace(scale=1 / epsilon)\n",
        "def f(epsilon):\n    return 3 + np.random.laplace(scale=1 / epsilon)\n",
        # no privacy is spoken of
        "def f(image, sigma):\n    return image + np.random.normal(0, sigma, image.shape)\n",
        "def f(x, p):\n    return x if random.random() < p else 0\n",
        "def solve(x, eps=1e-6):\n    return [v for v in x if v > eps]\n",
        # a claim is there
        "# dplint: dp(epsilon=1.0)\ndef f(x):\n    return x + np.random.laplace()\n",
    ],
)
def test_nothing_is_suggested(function: str) -> None:
    assert suggestions(function) == ()


def test_every_claim_is_one_that_is_accepted_and_is_not_suggested_again() -> None:
    text = IMPORTS + LAPLACE.format(data="x", noisy="len(x) + rng.laplace(scale=1 / epsilon)")
    found = suggest_text(Path("m.py").absolute(), text, Settings())
    assert isinstance(found, tuple)
    for decorate in (True, False):
        changed = apply_edits(text, claim_edits(text, found, decorate=decorate))
        source = read_source(Path("m.py"), file="m.py", text=changed)
        assert ("@dp(" in changed) is decorate
        assert "# To be checked: nothing says what a record" in changed
        assert [one.mechanism.qualname for one in source.mechanisms] == ["with_noise"]
        assert not source.findings
        assert suggest_text(Path("m.py").absolute(), changed, Settings()) == ()


FIXTURES = Path(__file__).parents[2] / "fixtures"


CLAIM = re.compile(r"^ *@dp\([\s\S]*?\)\n(?= *(?:@|def|async))|^ *# dplint: dp.*\n", re.MULTILINE)


def _scope(module: ParsedModule) -> ModuleScope:
    return scope_of(module, frozenset(), ProjectIndex(module.place))


@pytest.mark.parametrize(("folder", "least"), [("statdp", 11), ("dpfinder", 8), ("realistic", 18)])
def test_claims_of_fixtures_are_found_again(folder: str, least: int) -> None:
    """Data, epsilon and relation of the claims that authors wrote, who knew nothing of suggestions."""
    same = 0
    for path in sorted((FIXTURES / folder).rglob("*.py")):
        source = read_source(path, file=path.name)
        if source.module is None:
            continue
        bare = read_source(path, file=path.name, text=CLAIM.sub("", source.text), without_claims=True)
        assert bare.module is not None
        found = {one.function: one for one in suggest(_scope(bare.module), bare.text)}
        for mechanism in (one.mechanism for one in source.mechanisms):
            one, claim = found.get(mechanism.qualname), mechanism.claim
            same += one is not None and (one.data, one.claim["epsilon"], one.claim["neighbors"]) == (
                mechanism.data,
                claim.epsilon,
                claim.relation,
            )
    assert same >= least


def test_a_guess_of_epsilon_is_no_claim_yet():
    one = only(
        "def private_total(values, strategy):\n    return sum(values) + np.random.laplace(scale=strategy.scale)\n"
    )

    assert one.without_epsilon
    assert one.confidence == "unknown"


def test_epsilon_follows_from_a_scale_that_is_a_number():
    one = only("def private_count(rows):\n    return len(rows) + np.random.laplace(scale=2.0)\n")

    assert one.claim["epsilon"] == 0.5


@pytest.mark.parametrize(
    "text",
    [
        # A latent code of a network, as long as a batch.
        "class Net:\n    def private(self, epsilon):\n"
        "        mean = np.zeros(self._batch_size)\n        return np.random.normal(mean, 1 / epsilon)\n",
        "def private(metric: Metric, epsilon):\n    return metric + np.random.laplace(scale=1 / epsilon)\n",
        "def private(max_rows, epsilon, rng):\n    return f(max_rows * 2) + rng.laplace(scale=1 / epsilon)\n",
    ],
    ids=["shape", "an object", "a setting"],
)
def test_settings_and_shapes_are_no_data(text):
    assert not suggestions(text)


def test_who_hands_over_bounds_hands_over_records():
    one = only(
        """
        from diffprivlib.tools import mean

        def average(values, epsilon, bounds=None):
            return mean(values, epsilon=epsilon, bounds=bounds)
        """
    )

    assert (one.claim["neighbors"], one.claim["domain"]) == ("replace-one", (0.0, 1.0))
    assert one.claim["args"] == {"bounds": [(0.0, 1.0)]}


def test_a_unary_code_is_not_the_data():
    one = only(
        """
        def encoded(label, k, epsilon):
            keep = math.exp(epsilon / 2) / (1 + math.exp(epsilon / 2))
            code = np.zeros(k)
            code[label] = 1
            return [bit if np.random.random() < keep else 1 - bit for bit in code]
        """
    )

    assert (one.data, one.claim["neighbors"]) == ("label", "any")


def test_the_weights_of_a_model_that_an_object_holds_are_no_data_by_their_name():
    text = """
    import torch

    class Client:
        def upload(self, epsilon):
            noisy = {}
            for name, weight in self.module.state_dict().items():
                noisy[name] = weight + torch.distributions.Laplace(0, 1 / epsilon).sample(weight.shape)
            return noisy
    """

    assert suggestions(text) == ()


def test_lines_of_a_script_are_spoken_of_once_for_a_draw_and_not_where_its_value_is_compared() -> None:
    found = suggestions(
        """
        import numpy as np
        import pandas as pd

        table = pd.read_csv("people.csv")
        epsilon = 0.5
        noisy = table["age"].sum() + np.random.laplace(0, 100 / epsilon)
        later = noisy - table["age"].mean()
        rows = [{"n": noisy, "age": 1}]
        same = [one for one in rows if one["n"] == table["age"].max()]
        """
    )

    assert [one.span.line for one in found] == [13]
