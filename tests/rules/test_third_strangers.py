"""What was wrong about public code that was held out on 2026-11-30: in few lines of our own."""

from __future__ import annotations

import pytest

from tests.rules.snippets import PREAMBLE, findings_of
from tests.rules.test_suggesting import only


def codes(text: str) -> list[str]:
    return [one.code for one in findings_of(PREAMBLE + text, all_functions=True)]


DUCHI = """
def corner(values, epsilon, corners):
    signs = [1 if np.random.random() < 0.5 + value / 2 else -1 for value in values]
    near = [one for one in corners if np.dot(one, signs) > 0]
    far = [one for one in corners if np.dot(one, signs) <= 0]
    if np.random.random() < np.exp(epsilon) / (np.exp(epsilon) + 1):
        return {kept}
    return np.random.choice(far)
"""


@pytest.mark.parametrize(("kept", "found"), [("np.random.choice(near)", []), ("near[0]", ["DP114"])])
def test_a_coin_between_two_sets_is_right_for_two(kept: str, found: list[str]) -> None:
    assert [one for one in codes(DUCHI.format(kept=kept)) if one == "DP114"] == found


SEEDED = """
np.random.seed(10)

def noisy(value, epsilon):
    return value + np.random.laplace(scale=1 / epsilon)
"""


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        ("", ["DP302"]),
        ("\nfor one in range(3):\n    print(noisy(one, 1.0))\n", []),
        ("\nif __name__ == '__main__':\n    print(noisy(1, 1.0))\n", []),
    ],
)
def test_a_script_may_be_repeated_and_a_library_may_not(rest: str, found: list[str]) -> None:
    assert codes(SEEDED + rest) == found


PUBLIC = """
def labelled(rows, epsilon):
    {name} = rows[:10]
    return sum(rows[10:]) + np.random.laplace(scale=1 / epsilon), {name}
"""


@pytest.mark.parametrize(("name", "found"), [("rows_public", []), ("rows_first", ["DP201"])])
def test_what_the_code_calls_public_is_no_data(name: str, found: list[str]) -> None:
    assert codes(PUBLIC.format(name=name)) == found


COLUMN = """
def noisy(table, name, epsilon):
    copy = table.copy()
    copy[{place}] += np.random.laplace(scale=1 / epsilon, size=len(table))
    return copy
"""


def test_nobody_can_say_what_is_left_where_the_caller_names_the_column() -> None:
    assert codes(COLUMN.format(place="name")) == []


JOINED = """
class Model:
    def __init__(self, flag, sigma, delta):
        self.flag, self.sigma, self.delta = flag, sigma, delta
    def spent(self, size, X):
        return size / self.sigma / {how_many} * np.log(1 / self.delta)
    def fit(self, X, y, size):
        if self.flag:
            X = np.concatenate((np.ones((X.shape[0], 1)), X), axis=1)
        self.theta = X.T @ y + np.random.normal(scale=self.sigma)
        self.epsilon = self.spent(size, X)
"""


@pytest.mark.parametrize(("how_many", "found"), [("X.shape[0]", []), ("X.sum()", ["DP209"])])
def test_joined_arrays_have_as_many_rows_as_their_parts(how_many: str, found: list[str]) -> None:
    assert codes(JOINED.format(how_many=how_many)) == found


ANALYTIC = """
def noisy(value: float, epsilon, delta):
    factor = {factor}
    return value + np.random.normal(scale=factor / np.sqrt(2 * epsilon))
"""


@pytest.mark.parametrize(("factor", "found"), [("find_factor(epsilon, delta)", []), ("3.0", ["DP102"])])
def test_nothing_is_said_of_a_scale_in_which_a_call_is_not_read(factor: str, found: list[str]) -> None:
    assert codes(ANALYTIC.format(factor=factor)) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            """
            def total(value, n, epsilon):
                return value + np.random.laplace(scale=1 / n / epsilon)
            """,
            "`n` says how much noise there is, too",
        ),
        (
            """
            class Gaussian:
                def __init__(self, epsilon, delta=0.0):
                    self.epsilon, self.delta = epsilon, delta
                def noisy(self, values: np.ndarray):
                    scale = np.sqrt(2 * np.log(1.25 / self.delta)) / self.epsilon
                    return values + np.random.normal(scale=scale, size=len(values))
            """,
            "Gaussian noise without a delta",
        ),
        (
            """
            def reported(counts, users, epsilon):
                p = 1 / (1 + np.exp(epsilon))
                return [one + np.random.binomial(users - one, p) - np.random.binomial(one, p) for one in counts]
            """,
            "as a count does",
        ),
    ],
)
def test_what_nobody_can_sign_yet_is_a_sketch(text: str, why: str) -> None:
    one = only(text)

    assert one.confidence == "low"
    assert any(why in doubt for doubt in one.doubts)


def test_names_of_columns_are_no_values() -> None:
    text = """
    def noisy(df, epsilon):
        for column in list(df):
            if "coded" in column:
                continue
            df[column] = df[column] + np.random.laplace(scale=1 / epsilon, size=len(df))
        return df
    """

    assert "coded" not in only(text).text
