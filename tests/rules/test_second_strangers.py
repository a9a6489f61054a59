"""What was wrong about public code that was held out next: in few lines of our own."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.snippets import PREAMBLE, findings_of
from tests.rules.test_suggesting import only, suggestions


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        # a coin decides the sign
        (
            """
            def randomize(bits, epsilon):
                p = math.exp(epsilon) / (1 + math.exp(epsilon))
                return bits * (2 * np.random.binomial(1, p) - 1)
            """,
            'dp(epsilon="epsilon", neighbors="any", domain=[0, 1])',
        ),
        # as many coins as values
        (
            """
            def flipped(bits, epsilon):
                flags = np.random.binomial(n=1, p=1 / (1 + math.exp(epsilon)), size=len(bits))
                return (bits + flags) % 2
            """,
            'dp(epsilon="epsilon", neighbors="replace-one", domain=[0, 1])',
        ),
        # D is what textbooks call the data
        (
            """
            def size(D, columns, epsilon):
                return len(D) + np.random.laplace(0, 1 / (epsilon / (2 * len(columns))))
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))',
        ),
        # what is counted in bins are records, also under the name of scores
        (
            """
            def quantile(scores, epsilon, bins):
                weights = np.bincount(np.digitize(scores, bins)).cumsum() / len(scores)
                p = np.exp(-(epsilon / 2) * weights)
                return np.random.choice(bins, p=p / p.sum())
            """,
            'dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1.0))',
        ),
        # noise on each value of a table
        (
            """
            def noisy(df, epsilon, numeric):
                copy = df.copy()
                for column in numeric:
                    if column in copy.columns:
                        copy[column] = copy[column] + np.random.laplace(0, 1 / epsilon, len(copy))
                return copy
            """,
            'dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1.0))',
        ),
        # bounds that are given as a pair, by default
        (
            """
            def total(x, epsilon, x_bounds=(0.0, 2.0), y_bounds=(0.0, 1.0)):
                return np.sum(x) + np.random.laplace(0, 4 / epsilon)
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 2.0))',
        ),
        (
            """
            def total(x, epsilon, domain=(0.0, 3.0)):
                low, high = domain
                return np.clip(x, low, high).sum() + np.random.laplace(0, 9 / epsilon)
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 3.0))',
        ),
        # a query that is given is asked of records
        (
            """
            def answer(rows, query, epsilon):
                return query(rows) + np.random.laplace(scale=1 / epsilon)
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0))',
        ),
        (
            """
            def pick(db, utility, epsilon):
                values = np.array([utility.value(db, one) for one in utility.categories])
                weights = np.exp(epsilon / 2 * values)
                return np.random.choice(utility.categories, p=weights / weights.sum())
            """,
            'dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0))',
        ),
        # a private matrix, not a generated one
        (
            """
            def generate_dp_counts(counts: list[int], epsilon):
                return [count + np.random.laplace(0, 1 / epsilon) for count in counts]
            """,
            'dp(epsilon="epsilon", neighbors="l1")',
        ),
    ],
)
def test_the_claim_is_that_of_the_author(text: str, claim: str) -> None:
    assert only(text).text == claim


def test_noise_that_is_divided_by_a_parameter_is_a_doubt() -> None:
    one = only(
        """
        def noisy(shares: np.ndarray, n, epsilon):
            return shares + np.random.laplace(scale=2 / (n * epsilon), size=len(shares))
        """
    )
    assert one.claim["neighbors"] == "l1"
    assert any("divided by `n`" in doubt for doubt in one.doubts)


@pytest.mark.parametrize(
    "text",
    [
        # a density that is called Laplace, and draws nothing
        """
        class Laplace:
            def __init__(self, scale, loc=0):
                self.scale = scale
                self.loc = loc

            def pdf(self, x):
                return math.exp(-abs(x - self.loc) / self.scale) / (2 * self.scale)

        def shown(counts, epsilon):
            return [Laplace(1 / epsilon, count) for count in counts]
        """,
        # a connection holds no values
        """
        def answer(conn, sql: str, epsilon):
            return conn.execute(sql).fetchone()[0] + np.random.laplace(0, 1 / epsilon)
        """,
        # a study of mechanisms is none
        """
        def compare_epsilons(values, epsilon):
            print(sum(values))
            return sum(values) + np.random.laplace(0, 1 / epsilon)
        """,
    ],
)
def test_no_claim_is_suggested(text: str) -> None:
    assert suggestions(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        # how many seeds are spawned, and which is taken, tells nothing of the noise
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=[0, 1])
        def total(values, epsilon, seed):
            seeds = seed.spawn(len(values) + 1)
            rng = np.random.default_rng(seeds[len(values)])
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
        # where the noise vanishes nothing is left of the data
        """
        from itertools import islice

        @dp(epsilon="epsilon", neighbors="replace-one", domain=[0, 1])
        def total(rng, values, epsilon, degree: float):
            most = max(math.ceil(degree + rng.laplace(scale=1 / epsilon)), 0)
            return sum(islice(values, most)) + most * rng.laplace(scale=1 / epsilon)
        """,
        # a counter beside a list says which value is replaced
        """
        @dp(epsilon="epsilon", neighbors="replace-one", domain=[0, 1])
        def flipped(rng, bits, epsilon):
            keep, at = np.exp(epsilon) / (np.exp(epsilon) + 1), 0
            for bit in bits:
                if rng.random() <= keep:
                    at += 1
                    continue
                bits[at] = int(not bit)
                at += 1
            return bits
        """,
        # noise in a function that is handed on
        """
        from scipy.optimize import minimize

        @dp(epsilon="epsilon", neighbors="l1")
        def fitted(rng, values, epsilon, grid):
            noise = rng.laplace(scale=1 / epsilon, size=len(values))

            def distance(weights):
                return np.max(np.abs(grid @ weights - values - noise))

            return minimize(distance, np.ones(3)).x
        """,
        # the names of columns are public, as a list too
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain={"a": (0, 1), "b": (0, 1)})
        def column(rng, table, epsilon):
            scores = {}
            for header in table.columns.values.tolist():
                scores[header] = table[header].sum() + rng.laplace(scale=2 / epsilon)
            return list(scores.keys())[int(np.argmax(list(scores.values())))]
        """,
        # a product has as many rows as the public matrix
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
        def projected(rng, values, epsilon, matrix):
            sums = np.matmul(matrix, values)
            return sums.sum() + rng.laplace(scale=9 / epsilon), rng.integers(len(sums))
        """,
    ],
)
def test_nothing_is_found(text: str) -> None:
    assert findings_of(PREAMBLE + dedent(text)) == []


def test_a_counter_that_stands_still_leaves_values_as_they_are() -> None:
    text = """
    @dp(epsilon="epsilon", neighbors="replace-one", domain=[0, 1])
    def flipped(rng, bits, epsilon):
        keep, at = np.exp(epsilon) / (np.exp(epsilon) + 1), 0
        for bit in bits:
            if rng.random() > keep:
                bits[at] = int(not bit)
                at += 1
        return bits
    """
    assert [one.code for one in findings_of(PREAMBLE + dedent(text))] == ["DP201"]


@pytest.mark.parametrize(
    "scale",
    ["1 / epsilon * np.amax(x)", "np.amax(np.linalg.norm(x, axis=1)) ** 2 / epsilon", "x.std() * np.sqrt(2) / epsilon"],
)
def test_noise_that_is_multiplied_by_exact_data(scale: str) -> None:
    text = f"""
    @dp(epsilon="epsilon", delta=1e-5, neighbors="replace-one", domain=(0, 1))
    def total(rng, x, epsilon):
        return np.sum(x) + {scale} * rng.normal()
    """
    assert [one.code for one in findings_of(PREAMBLE + dedent(text)) if one.code == "DP203"] == ["DP203"]


@pytest.mark.parametrize(
    "text",
    [
        # progress is shown, and values are the same
        """
        from tqdm import tqdm

        def noisy(result: dict, epsilon):
            found = {}
            for column, value in tqdm(result.items(), desc="noise"):
                found[column] = float(value) + np.random.laplace(0, 1 / epsilon)
            return found
        """,
        # a bootstrap beside an epsilon that has no part in it
        """
        def interval(x, epsilon, rounds=300, seed=0):
            rng = np.random.default_rng(seed)
            draws = [rng.normal(np.mean(x), np.std(x), size=len(x)).mean() < epsilon for _ in range(rounds)]
            return sum(draws) / rounds + 0 * rng.normal(np.mean(x), np.std(x))
        """,
    ],
)
def test_nothing_is_found_without_a_claim(text: str) -> None:
    assert findings_of(PREAMBLE + dedent(text), all_functions=True) == []
