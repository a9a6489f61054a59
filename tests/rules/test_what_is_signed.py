"""What decides whether the author of a function would sign a claim: each text says why, in few lines of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.rules import check_module
from dplint.source.files import import_place
from dplint.source.module import parse_module
from tests.rules.snippets import PREAMBLE, findings_of
from tests.rules.test_suggesting import only, suggestions


@pytest.mark.parametrize(
    ("text", "part"),
    [
        # two counts move where a record is replaced
        (
            """
            def histogram(rows, epsilon, categories):
                counts = dict(zip(*np.unique(rows, return_counts=True)))
                exact = np.array([counts.get(one, 0) for one in categories])
                return exact + np.random.laplace(scale=2 / epsilon, size=exact.shape)
            """,
            'neighbors="replace-one"',
        ),
        # the noise is enough for a record that is replaced, from one bound to the other
        (
            """
            def total(ages, epsilon):
                return sum(np.clip(ages, 18, 80)) + np.random.laplace(scale=62 / epsilon)
            """,
            'neighbors="replace-one"',
        ),
        # and here for one that comes
        (
            """
            def total(ages, epsilon):
                return sum(np.clip(ages, 18, 80)) + np.random.laplace(scale=80 / epsilon)
            """,
            'neighbors="add-remove"',
        ),
        # one count moves where a record comes or goes
        (
            """
            def histogram(rows, epsilon, categories):
                counts = dict(zip(*np.unique(rows, return_counts=True)))
                exact = np.array([counts.get(one, 0) for one in categories])
                return exact + np.random.laplace(scale=1 / epsilon, size=exact.shape)
            """,
            'neighbors="add-remove"',
        ),
        # the docstring says who the neighbours are
        (
            '''
            def total(rows, epsilon):
                """Neighbouring data sets differ in at most one record."""
                return sum(np.clip(rows, 0.0, 1.0)) + np.random.laplace(scale=1 / epsilon)
            ''',
            'neighbors="replace-one"',
        ),
        # a delta that is worked out where none is given is spent all the same
        (
            """
            def total(rows, epsilon, delta=None):
                if delta is None:
                    delta = 1 / len(rows) ** 2
                scale = np.sqrt(8 * np.log(1 / delta)) / epsilon
                return sum(np.clip(rows, 0.0, 1.0)) + np.random.laplace(scale=scale)
            """,
            'delta="delta"',
        ),
        # features and targets are records together
        (
            """
            def slope(X, y, epsilon):
                return (np.clip(X, 0.0, 1.0) * np.clip(y, 0.0, 1.0)).sum() + np.random.laplace(scale=1 / epsilon)
            """,
            'data=("X", "y")',
        ),
    ],
)
def test_what_the_code_and_its_words_tell_is_claimed(text: str, part: str) -> None:
    assert part in only(text).text


def test_a_docstring_that_promises_no_delta_is_believed() -> None:
    text = '''
    def direction(rows, epsilon, delta=None):
        """An (epsilon, 0)-DP direction."""
        length = np.random.gamma(3, 1 / epsilon)
        return sum(np.clip(rows, 0.0, 1.0)) + length * np.random.normal(size=3)
    '''

    assert "delta" not in only(text).arguments


@pytest.mark.parametrize(
    ("text", "why"),
    [
        # how far neighbours move is not seen
        (
            """
            def shares(values: np.ndarray, attributes, epsilon):
                return values + np.random.laplace(scale=attributes / epsilon, size=len(values))
            """,
            "`attributes` says how much noise there is, too",
        ),
        (
            """
            def blurred(values: list[float], epsilon):
                return [value + np.random.laplace(scale=epsilon) for value in values]
            """,
            "grows with what is called an epsilon",
        ),
        # a word is replaced by its neighbours; the dictionary is known to all
        (
            """
            def replaced(word, dictionary, epsilon):
                others = [one for one in dictionary if one != word]
                vectors = np.array([dictionary[one] for one in others])
                weights = np.exp(-epsilon * measure(dictionary[word], vectors) / 2)
                return np.random.choice(others, p=weights / weights.sum())
            """,
            "something else than `dictionary`",
        ),
        # each of them is a pair
        (
            """
            def chosen(pairs, epsilon):
                weights = np.array([math.exp(epsilon * pair[2] / 2) for pair in pairs])
                return np.random.choice(len(pairs), p=weights / weights.sum())
            """,
            "each of `pairs` has parts",
        ),
        (
            """
            def total(rows, epsilon):
                return sum(min(max(row[5], 18), 80) for row in rows) + np.random.laplace(scale=62 / epsilon)
            """,
            "each of `rows` has parts",
        ),
        (
            """
            def measured(dataset, epsilon):
                return dataset.project("age").datavector().sum() + np.random.laplace(scale=1 / epsilon)
            """,
            "an object of a class",
        ),
        (
            """
            def report(rows, epsilon):
                exact = sum(np.clip(rows, 0.0, 1.0))
                return {"mean": exact + np.random.laplace(scale=1 / epsilon), "true": exact}
            """,
            "exact data leaves the function, too",
        ),
    ],
)
def test_what_nobody_can_sign_yet_is_a_sketch(text: str, why: str) -> None:
    one = only(text)

    assert one.confidence == "low"
    assert any(why in doubt for doubt in one.doubts)


def test_exact_data_on_a_way_that_is_not_taken_makes_no_sketch() -> None:
    text = """
    def counted(rows, epsilon):
        counts = len(rows)
        if epsilon:
            counts = counts + np.random.laplace(scale=1 / epsilon)
        return counts
    """

    assert only(text).confidence != "low"


def test_values_that_a_person_fills_in_are_one_doubt() -> None:
    text = """
    class Counter:
        def __init__(self, settings):
            self.epsilon = settings.epsilon
        def count(self, rows):
            return sum(row > 0 for row in rows if row) + np.random.laplace(scale=1 / self.epsilon)
    """

    one = only(text)

    assert len(one.doubts) > 1
    assert one.confidence == "medium"


STUDY = """
def compute_mae_for(points, epsilon, {parameter}):
    np.random.seed(seed)
    return np.abs(np.random.laplace(scale=1 / epsilon, size=len(points))).mean()
"""


@pytest.mark.parametrize("parameter", ["seed=42", "num_runs=5, seed=42"])
def test_a_study_of_errors_may_be_repeated(parameter: str) -> None:
    text = STUDY.format(parameter=parameter)

    assert findings_of(PREAMBLE + text, all_functions=True) == []
    assert suggestions(text) == ()
    released = text.replace("compute_mae_for", "noisy").replace("num_runs", "width")
    assert [one.code for one in findings_of(PREAMBLE + released, all_functions=True)] == ["DP302"]


@pytest.mark.parametrize(("parameter", "found"), [("epsilon", []), ("amount", ["DP101"])])
def test_a_leak_in_a_function_of_another_module_that_has_an_epsilon_is_told_there(
    tmp_path: Path, parameter: str, found: list[str]
) -> None:
    body = f"    return value + np.random.laplace(scale={parameter})\n"
    (tmp_path / "noise.py").write_text(f"import numpy as np\n\ndef add_noise(value, {parameter}):\n{body}")
    text = f"""{PREAMBLE}
from noise import add_noise

def total(rows, epsilon):
    return add_noise(sum(rows), epsilon), len(rows) + np.random.laplace(scale=1 / epsilon)
"""
    module = parse_module(text, import_place(tmp_path / "m.py"))

    assert [one.code for one in check_module(module, [], "m.py", all_functions=True)] == found
