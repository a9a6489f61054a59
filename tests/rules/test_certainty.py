"""What is not known is not reported, and stops everything behind it: in findings, and in suggested claims."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from dplint.check.suggesting import suggest_text
from dplint.config import Settings
from dplint.outcomes import Effect
from dplint.rules.flow.vocabulary import scope_of
from dplint.rules.suggesting.suggesting import suggest
from dplint.source.callers import Callers
from dplint.source.project import ProjectIndex
from dplint.source.read import read_source
from tests.rules.snippets import PREAMBLE, findings_in, findings_of

CLAIMED = """
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1), data="values")
def m(rng, values, epsilon, other, table):
    {body}
"""


def claimed(body: str) -> set[str]:
    return {one.code for one in findings_in(CLAIMED.format(body=body))}


def guessed(text: str) -> list[str]:
    return [one.code for one in findings_of(PREAMBLE + dedent(text), all_functions=True)]


@pytest.mark.parametrize(
    "value",
    [
        "other.of(values)",  # a method of an object of which nothing is known
        "from_elsewhere(values)",
        "from_elsewhere(values) + 1",
        "sum([values[0], from_elsewhere(values)])",
        "sum(from_elsewhere(v) for v in values)",
        "list(map(other.noisy, values))",
        "values[0] + other.of(values)",  # which may be noise
    ],
)
def test_a_call_that_cannot_be_read_stops_what_could_be_said(value: str) -> None:
    assert not claimed(f"return {value}") & {"DP201", "DP205", "DP208"}


@pytest.mark.parametrize(
    "value",
    [
        "sum(values)",
        "(other.of(values), sum(values))",  # the second part is exact, whatever the first one is
        'f"{other.of(values)} {sum(values)}"',
        "table.get(values[0])",
        "np.mean(values)",
        "values.mean()",
        "values if other.exact else other.of(values)",
    ],
)
def test_what_is_known_is_told(value: str) -> None:
    assert "DP201" in claimed(f"return {value}")


def test_a_condition_that_may_be_a_coin_is_one() -> None:
    assert "DP201" not in claimed("return values[0] if other.flips() else 0")
    assert "DP201" in claimed("return values[0] if other else 0")


def test_a_part_of_a_list_behind_something_unknown_is_unknown() -> None:
    body = "out = []\n    for v in values:\n        out.append({})\n    return out"

    assert "DP201" not in claimed(body.format("other.of(v)"))
    assert "DP201" in claimed(body.format("(v, other.of(v))"))


REPLY = """
def perturb(rows, epsilon):  # differential privacy
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    for row in rows:
        for i in range(8):
            if random.random() > keep:
                row[i] = 1 - row[i]
    return rows
"""


def test_rows_that_coins_change_in_place_are_no_exact_data() -> None:
    assert guessed(REPLY) == []
    assert guessed(REPLY.replace("row[i] = 1 - row[i]", "print(row)")) != []


CUMULATIVE = """
def choose(pairs, epsilon):  # the exponential mechanism of differential privacy
    weights = [math.exp(pair[1] * epsilon / 2) for pair in pairs]
    level, total, chosen = random.random(), 0.0, 0
    for i in range(len(pairs)):
        if total <= level < total + weights[i]:
            chosen = i
        total += weights[i]
    return pairs[chosen]
"""


def test_a_sample_of_a_cumulative_distribution_is_released() -> None:
    assert "DP201" not in guessed(CUMULATIVE)


def test_without_a_claim_a_refusal_and_the_memory_of_an_object_are_no_findings() -> None:
    text = """
    class Counter:
        def __init__(self, epsilon):
            self.epsilon = epsilon

        def total(self, values, rng):
            if min(values) < 0:
                return None
            self.last = values
            return sum(values) + rng.laplace(scale=1 / self.epsilon)
    """
    assert guessed(text) == []
    assert guessed(text.replace("return None", "return -1")) == ["DP205"]


def test_one_leak_is_told_once() -> None:
    text = """
    def shown(values, epsilon, rng):
        return values, sum(values) + rng.laplace(scale=1 / epsilon)

    def handed_on(values, epsilon, rng):
        return shown(values, epsilon, rng)
    """
    assert guessed(text) == ["DP201"]


def test_a_function_that_only_makes_noise_is_looked_at() -> None:
    text = """
    def noise(size, sensitivity, epsilon, delta):  # differential privacy
        variance = 2 * np.log(1.25 / delta) * sensitivity**2 / epsilon**2
        return np.random.normal(0, {}, size)
    """
    assert guessed(text.format("variance")) == ["DP102"]
    assert guessed(text.format("np.sqrt(variance)")) == []


# suggestions

HEAD = "import math\nimport random\n\nimport numpy as np\nimport networkx as nx\n\n# differential privacy\n"


def suggested(text: str):
    found = suggest_text(Path("m.py").absolute(), HEAD + dedent(text), Settings())
    assert isinstance(found, tuple)
    return [(one.data, str(one.confidence)) for one in found]


NOISY = "np.random.laplace(0, 1 / epsilon)"


@pytest.mark.parametrize(
    "text",
    [
        # a number as default says how something is done
        "def count(ages, epsilon, top=100):\n    return sum(a < top for a in ages) + NOISY",
        "def count(ages, epsilon, name='ages'):\n    return len(ages) + NOISY",
    ],
)
def test_what_has_a_number_or_a_text_by_default_is_no_data(text: str) -> None:
    ((data, confidence),) = suggested(text.replace("NOISY", NOISY))

    assert (data, confidence) in {("ages", "high"), ("ages", "medium")}


@pytest.mark.parametrize(
    "text",
    [
        "def count(G, epsilon):\n    return G.number_of_edges() + NOISY",
        "def count(net, epsilon):\n    return len(net.edges()) + NOISY",
        "def mean(values, epsilon):\n    return sum(values) + np.random.normal(0, 1 / epsilon)",
        "def total(values, epsilon1, epsilon2):\n    return sum(values) + np.random.laplace(0, 1 / epsilon1), epsilon2",
        "def counts(flag, epsilon):\n    return (3.0 if flag else 2.0) + NOISY",
        "def step(weights, epsilon):\n    return X_train.dot(weights) + NOISY",
        "def means(values, epsilon):\n    out = [sum(values) + NOISY for _ in range(100)]\n    return out",
        "def flip(bit, e_epsilon):\n    return bit if random.random() < e_epsilon / (e_epsilon + 1) else 1 - bit",
    ],
)
def test_what_has_to_be_known_first_makes_a_sketch(text: str) -> None:
    assert all(confidence in ("low", "unknown") for _, confidence in suggested(text.replace("NOISY", NOISY)))


@pytest.mark.parametrize(
    "text",
    [
        "def error(values, epsilon):\n    true = sum(values)\n    return abs(true + NOISY - true)",
        "def tried(values, epsilons):\n    return [sum(values) + np.random.laplace(0, 1 / e) for e in epsilons]",
        "def tried(values, epsilon, num_trials):\n    return [sum(values) + NOISY for _ in range(num_trials)]",
        "def read(path, epsilon):\n    return np.loadtxt(path).sum() + NOISY",
    ],
)
def test_studies_and_paths_get_no_claim(text: str) -> None:
    assert suggested(text.replace("NOISY", NOISY)) == []


def test_comparing_noisy_values_with_each_other_does_not_make_a_vector_move_everywhere() -> None:
    text = """
    def noisy(counts, epsilon):
        found = counts + np.random.laplace(0, 1 / epsilon, size=counts.shape)
        low = 10.0
        for i in range(5):
            if found[i] < low:
                low = found[i]
        return found
    """
    found = suggest_text(Path("m.py").absolute(), HEAD + dedent(text), Settings())
    assert isinstance(found, tuple)
    assert [one.claim["neighbors"] for one in found] == ["l1"]


@pytest.mark.parametrize(
    ("call", "confidence", "relation"),
    [
        ("release(3.5, 1.0)", "high", "l1"),
        ("release([3.5, 2.0], 1.0)", "high", "l1"),
        ("release('sales', 1.0)", "low", "any"),
        ("other(3.5)", "medium", "any"),
    ],
)
def test_calls_elsewhere_in_the_project_say_what_the_data_is(
    tmp_path: Path, call: str, confidence: str, relation: str
) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "main.py").write_text(
        f"from m import release\n\nrelease({call.partition('(')[2]}\n" * ("other" not in call)
    )
    path = tmp_path / "m.py"
    path.write_text(HEAD + f"def release(it, epsilon):\n    return it + {NOISY}\n")
    source = read_source(path, file="m.py", without_claims=True)
    assert source.module is not None

    (one,) = suggest(scope_of(source.module, project=ProjectIndex(source.module.place)), source.text, (), Callers())

    assert (str(one.confidence), one.claim["neighbors"]) == (confidence, relation)


def test_a_check_that_raises_explains_nothing_but_exceptions():
    found = findings_in(
        """
        @dp(epsilon="epsilon", neighbors="any", domain=(0, 3))
        def reply(rng, value, k, epsilon):
            if value >= k:
                raise ValueError("no such value")
            if value > 2:
                return 3
            return value + rng.laplace(scale=3 / epsilon)
        """
    )

    effects = [one.effects for one in found if one.code == "DP205"]
    assert effects[0] == (Effect.EXCEPTION,)
    assert set(effects[1:]) == {(Effect.OUTPUT, Effect.EXCEPTION)}
