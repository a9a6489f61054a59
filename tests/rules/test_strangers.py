"""What was wrong about public code: in few lines of our own, what is suggested there, and what is not found."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.snippets import PREAMBLE, findings_of
from tests.rules.test_suggesting import only, suggestions


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        # the scores of the exponential mechanism, and not what divides the weights
        (
            """
            def pick(value: float, epsilon, low, high):
                grid = np.linspace(low, high, 100)
                weights = np.exp(-epsilon * np.abs(grid - value) / (high - low))
                return np.random.choice(grid, p=weights / np.sum(weights))
            """,
            'dp(epsilon="epsilon", neighbors="any", domain=(0.0, 1.0))',
        ),
        # the table that is grouped, and not the names by which it is
        (
            """
            def counts(attributes, table: pd.DataFrame, epsilon):
                ones = table.loc[:, attributes]
                ones["count"] = 1
                sums = ones.groupby(attributes).sum()
                sums["count"] += np.random.laplace(0, 1 / epsilon, size=len(sums))
                return sums
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0), data="table")',
        ),
        # a bin for each number is no record for each of them, and the number of attributes is public
        (
            """
            def histogram(values, edges, epsilon):
                counts, _ = np.histogram(values, bins=edges)
                noisy = counts + np.random.laplace(0, len(edges) / epsilon, len(counts))
                return noisy / len(edges)
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))',
        ),
        # all noisy counts are tested, which is no choice of one
        (
            """
            def frequent(hist: list[int], epsilon):
                noisy = [count + np.random.laplace(0, 1 / epsilon) for count in hist]
                bound = math.log(len(hist)) / epsilon
                return [index for index, count in enumerate(noisy) if count > bound]
            """,
            'dp(epsilon="epsilon", neighbors="l1")',
        ),
        # a power of e is the weight of an exponential mechanism
        (
            """
            def pick(scores, epsilon):
                weights = [pow(np.e, epsilon * score / 2) for score in scores]
                return random.choices(range(len(scores)), weights, k=1)[0]
            """,
            'dp(epsilon="epsilon", neighbors="linf")',
        ),
        # weights that no score is in are the probabilities of a randomised response
        (
            """
            def respond(value, epsilon, k):
                keep = np.exp(epsilon) / (np.exp(epsilon) + k - 1)
                probabilities = [(1 - keep) / (k - 1)] * k
                probabilities[value] = keep
                return np.random.choice(k, p=probabilities)
            """,
            'dp(epsilon="epsilon", neighbors="any", domain=[0, 1])',
        ),
        # nobody adds noise to a text
        (
            """
            def total(name: str, table, epsilon):
                return table[name].sum() + np.random.laplace(0, 1 / epsilon)
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0), data="table")',
        ),
        # a flag is a setting
        (
            """
            def total(exact: bool = False, values=(), epsilon=1.0):
                kept = np.clip(values, 0, 1).sum() * (not exact)
                return kept + np.random.laplace(0, 1 / epsilon)
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1), data="values")',
        ),
    ],
)
def test_what_is_suggested(text: str, claim: str) -> None:
    assert only(text).text == claim


def test_what_is_for_one_step_is_not_the_epsilon_of_the_object() -> None:
    one = only(
        """
        class Model:
            def __init__(self, epsilon=2.0):
                self.epsilon = epsilon

            def release(self, values, preprocessor_eps):
                return np.clip(values, 0, 1).sum() + np.random.laplace(0, 1 / preprocessor_eps)
        """
    )

    assert one.claim["epsilon"] == 2.0


def test_a_helper_that_returns_the_exact_data_promises_nothing() -> None:
    text = """
        def {name}(values, epsilon):
            return values, np.clip(values, 0, 1).sum() + np.random.laplace(0, 1 / epsilon)
        """

    assert suggestions(text.format(name="_prepared")) == ()
    assert len(suggestions(text.format(name="prepared"))) == 1


def test_probabilities_that_the_constructor_makes_are_those_of_a_coin() -> None:
    one = only(
        """
        class Client:
            def __init__(self, epsilon):
                self.epsilon = epsilon
                self.keep = math.exp(epsilon) / (1 + math.exp(epsilon))

            def respond(self, bit: bool):
                return bit if random.random() < self.keep else not bit
        """
    )

    assert (one.data, one.claim["neighbors"]) == ("bit", "any")


@pytest.mark.parametrize(
    "text",
    [
        # without an epsilon nothing is promised
        """
        def total(values, epsilon=None):
            if epsilon is None:
                return sum(values)
            return sum(values) + np.random.laplace(0, 1 / epsilon)
        """,
        """
        def total(values, epsilon):
            noise = np.random.laplace(0, 1 / epsilon) if epsilon > 0 else 0.0
            return sum(values) + noise
        """,
        # options are public, and so is how many there are
        """
        def pick(qualities, epsilon):
            keys = list(qualities.keys())
            scores = np.array([qualities[key] for key in keys])
            weights = np.exp(epsilon * (scores - scores.max()) / 2)
            probabilities = weights / weights.sum()
            return keys[np.random.choice(probabilities.size, p=probabilities)]
        """,
        # who promises nothing may refuse what he likes
        """
        def total(values, epsilon):
            if max(values) > 10:
                raise ValueError(f"too large: {max(values)}")
            return sum(values) + np.random.laplace(0, 10 / epsilon)
        """,
        # noise that nothing calls private
        """
        def blurred(image, strength=0.1):
            np.random.seed(0)
            return image + np.random.laplace(0, strength, image.shape)
        """,
    ],
)
def test_nothing_is_found_without_a_claim(text: str) -> None:

    assert findings_of(PREAMBLE + dedent(text), all_functions=True) == []
