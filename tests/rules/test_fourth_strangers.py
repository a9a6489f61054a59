"""What was wrong about public code that was held out on 2026-12-01: in few lines of our own."""

from __future__ import annotations

import pytest

from tests.rules.snippets import PREAMBLE, findings_of
from tests.rules.test_suggesting import only


def codes(text: str) -> list[str]:
    return [one.code for one in findings_of(PREAMBLE + text, all_functions=True)]


SOLVED = """
def depth(values, epsilon, low):
    found = solve(values, bounds=({bound}, {bound}))
    return found + np.random.laplace(scale=1 / epsilon)
"""


@pytest.mark.parametrize(("bound", "found"), [("None", []), ("low", ["DP107"])])
def test_a_solver_may_be_told_twice_that_there_is_no_bound(bound: str, found: list[str]) -> None:
    assert codes(SOLVED.format(bound=bound)) == found


ROWS = """
def noisy(locations, epsilon):
    copy = np.copy(locations)
    for i in range(len(locations[0])):
        copy[0][i] += np.random.laplace(scale=1 / epsilon)
    for i in range(len(locations[1])):
        copy[1][i] += {noise}
    return copy
"""


def test_noise_in_some_places_of_an_array_may_be_in_all() -> None:
    assert codes(ROWS.format(noise="np.random.laplace(scale=1 / epsilon)")) == []


def test_an_array_with_noise_in_each_place_is_a_vector_of_answers() -> None:
    one = only(ROWS.format(noise="np.random.laplace(scale=1 / epsilon)"))

    assert 'neighbors="l1"' in one.text


def test_the_logarithm_of_epsilon_is_no_delta() -> None:
    one = only("""
    def noisy(value, sensitivity, epsilon):
        return value + np.random.normal(scale=sensitivity * np.sqrt(2 * np.log(1 / epsilon)))
    """)

    assert 'delta="epsilon"' not in one.text
    assert one.confidence == "low"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            """
            def restricted(X, t, eps):
                flag = look(X, t)
                return flag, t + np.random.laplace(scale=1 / eps)
            """,
            "`X` sounds like the data",
        ),
        (
            """
            class Density:
                def __init__(self, rows, epsilon):
                    self.parts, self.epsilon = {"dataset": rows}, epsilon
                def at(self, values):
                    below = np.sum(values - self.parts["dataset"])
                    return below + np.random.laplace(scale=1 / self.epsilon)
            """,
            "self.parts['dataset']",
        ),
        (
            """
            def chosen(utility, epsilon):
                utility = np.exp(epsilon * utility / 2)
                return [np.random.choice(3, p=one / sum(one)) for one in utility]
            """,
            "each spends epsilon",
        ),
        (
            """
            def lowest(X, epsilon):
                ordered = np.sort(X, axis=0)
                return ordered[0, 0] + np.random.laplace(scale=1 / epsilon)
            """,
            "has parts",
        ),
    ],
)
def test_what_nobody_can_sign_yet_is_a_sketch(text: str, why: str) -> None:
    one = only(text)

    assert one.confidence == "low"
    assert any(why in doubt for doubt in one.doubts), one.doubts


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (
            """
            def banded_counts(ages: Dict[str, int], epsilon):
                total = {"young": 0, "old": 0}
                for band, count in ages.items():
                    total["young" if band < "30" else "old"] += count
                return {band: count + np.random.laplace(scale=1 / epsilon) for band, count in total.items()}
            """,
            'neighbors="l1"',
        ),
        (
            """
            def answered(queries, epsilon):
                return np.asarray(queries) + np.random.laplace(scale=len(queries) / epsilon, size=len(queries))
            """,
            'neighbors="linf"',
        ),
        (
            """
            def randomised(bits, epsilon):
                out = bits.copy()
                out[np.random.random(bits.shape) < 1 / (np.exp(epsilon) + 1)] ^= 1
                return out
            """,
            'neighbors="replace-one"',
        ),
        (
            """
            def unary_reply(bits, epsilon):
                keep = np.random.random(bits.shape) < 0.5
                flip = np.random.random(bits.shape) < 1 / (np.exp(epsilon) + 1)
                return (bits & keep) | ((1 - bits) & flip)
            """,
            'neighbors="replace-one"',
        ),
        (
            """
            def private_descent(values, epsilon, turns):
                w = 0.0
                for _ in range(turns):
                    w = w - 0.1 * (sum(values) - w + np.random.laplace(scale=turns / epsilon))
                return w
            """,
            'neighbors="add-remove"',
        ),
    ],
)
def test_the_relation_that_the_author_means(text: str, part: str) -> None:
    one = only(text)

    assert part in one.text
    assert one.confidence != "low", one.doubts


def test_a_list_of_sensitive_columns_is_no_sensitivity() -> None:
    one = only("""
    def noisy(df, sensitive_attributes, epsilon):
        for column in sensitive_attributes:
            df[column] = df[column] + np.random.laplace(scale=1 / epsilon, size=len(df))
        return df
    """)

    assert "sensitive_attributes" not in one.text


CENTRED = """
def noise(e):
    return np.random.laplace({arguments})

def total(records, epsilon):
    return sum(records) + noise(epsilon)
"""


@pytest.mark.parametrize(("arguments", "found"), [("1 / e", ["DP112"]), ("0, 1 / e", []), ("scale=1 / e", [])])
def test_a_scale_in_the_place_of_the_centre_needs_no_claim_to_be_seen(arguments: str, found: list[str]) -> None:
    assert codes(CENTRED.format(arguments=arguments)) == found


@pytest.mark.parametrize(
    "text",
    [
        # the count that the mean divides by is the one in the scale
        """
        def mean(df, epsilon):
            ages = df["age"].dropna()
            return ages.mean() + np.random.laplace(scale=100 / len(ages) / epsilon)
        """,
        # a root of what Renyi divergences ask for
        """
        def noisy(values, sensitivity, alpha, epsilon_bar):
            return values + np.random.normal(scale=np.sqrt(sensitivity**2 * alpha / (2 * epsilon_bar)))
        """,
        # directions, and no scale that falls
        """
        def directions(epsilon, count):
            points = np.random.normal(size=(count, 3))
            return points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
        """,
        # a simulation has no data
        """
        def replies(epsilon, size, seed=0):
            p = np.exp(epsilon) / (np.exp(epsilon) + size)
            return np.random.default_rng(seed).choice(2, size=size, p=[p, 1 - p])
        """,
    ],
)
def test_what_is_right_is_not_accused(text: str) -> None:
    assert codes(text.replace("\n        ", "\n")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def noise(epsilon, seed=0):\n    return np.random.default_rng(seed).laplace(scale=1 / epsilon)\n", ["DP302"]),
        ("def top(values, epsilon):\n    return sum(values) + np.random.laplace(max(values) / epsilon)\n", ["DP112"]),
    ],
)
def test_what_is_wrong_still_is(text: str, found: list[str]) -> None:
    assert codes(text) == found


@pytest.mark.parametrize(
    ("text", "part", "low"),
    [
        (
            "def noisy_at(data, q, eps):\n    return np.percentile(data, q) + np.random.laplace(scale=9 / eps)\n",
            "(0.0, 9.0)",
            False,
        ),
        (
            "def noisy_out(z, clip, eps):\n    return z + np.random.laplace(0, 2 * clip / eps, len(z))\n",
            "sensitivity=2.0",
            False,
        ),
        ("def noisy_out(x, lo, hi, eps):\n    return x + np.random.laplace(0, (hi - lo) / eps, len(x))\n", "l1", True),
        (
            "def noisy_out(df, columns, eps):\n    for one in columns:\n"
            "        df[one] = df[one].mean() + np.random.laplace(scale=1 / eps)\n    return df\n",
            "replace",
            True,
        ),
    ],
)
def test_the_scale_says_how_far_neighbours_move(text: str, part: str, low: bool) -> None:
    one = only(text)

    assert part in one.text
    assert (one.confidence == "low") is low, one.doubts


def test_a_name_that_says_how_something_is_done_is_no_data() -> None:
    one = only("""
    def sent(counts, protocol, epsilon):
        scale = 1 / epsilon if protocol == "one" else 2 / epsilon
        return counts + np.random.laplace(scale=scale, size=len(counts)) if protocol != "none" else None
    """)

    assert one.data == "counts"


@pytest.mark.parametrize(
    ("name", "inputs", "says", "confidence"),
    [
        ("with_noise", "mode, values: np.ndarray", "", "high"),
        ("LaplaceCounts", "mode, values: np.ndarray", "", "high"),
        ("smoothed", "mode, values: np.ndarray", "", "low"),
        ("smoothed", "values: np.ndarray, mode", "", "high"),
        ("smoothed", "mode, values: np.ndarray", '"""The values, randomised."""', "high"),
    ],
)
def test_what_nothing_calls_a_mechanism_may_be_a_step_of_something_else(
    name: str, inputs: str, says: str, confidence: str
) -> None:
    one = only(f"""
    def {name}({inputs}, epsilon):
        {says}
        return values + np.random.laplace(scale=1 / epsilon, size=len(values))
    """)

    assert one.confidence == confidence, one.doubts


COLUMNS = """
def perturbed(df, columns, sensitivities, epsilon):
    out = df.copy()
    for column in {columns}:
        {guard}
            out[column] = df[column] + np.random.laplace(scale=1 / epsilon, size=len(df))
    return out
"""


@pytest.mark.parametrize(
    ("columns", "guard", "found"),
    [
        ("columns", "if True:", []),
        ("sensitivities.keys()", "if column in df.columns:", []),
        ("df.select_dtypes(include=[np.number]).columns", "if True:", []),
        ("df.columns", "if df[column].dtype != object:", []),
        ('["age", "income"]', "if True:", ["DP201"]),
        ("df.columns", "if df[column].max() > 10:", ["DP201", "DP205"]),
    ],
)
def test_which_columns_get_noise_is_the_callers_choice_where_the_caller_names_them(
    columns: str, guard: str, found: list[str]
) -> None:
    assert codes(COLUMNS.format(columns=columns, guard=guard)) == found


@pytest.mark.parametrize(
    ("loop", "found"),
    [
        ("for part in model.parameters():\n        part += np.random.laplace(scale=1 / epsilon, size=3)", []),
        ("for part in model:\n        part += np.random.laplace(scale=1 / epsilon, size=part.shape)", []),
        ("for part in model:\n        part += np.random.laplace(scale=1 / epsilon)", ["DP305", "DP201"]),
    ],
)
def test_what_has_a_shape_or_is_a_part_of_a_model_is_changed_where_it_stands(loop: str, found: list[str]) -> None:
    """Numbers of a list are not: `+=` gives the variable another one."""
    text = f"def noisy(model: list, epsilon):\n    {loop}\n    return model\n"
    assert codes(text) == found
