"""Keys of dicts: whether a choice among them shows data, as what the values are made of does."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from tests.rules.snippets import PREAMBLE, findings_in, findings_of

CHOICE = """
probabilities = softmax(0.5 * epsilon * np.array([scores[key] for key in keys]))
return keys[rng.choice(len(probabilities), p=probabilities)]
"""
KEYS = ("list(scores.keys())", "list(scores)", "tuple(scores)", "sorted(scores.keys())")


def chosen(lines: str, keys: str = "list(scores)", claim: str = 'neighbors="linf"') -> set[str]:
    """The codes that are found where scores are made by these lines and one of the keys is chosen by them."""
    body = indent(f"{dedent(lines).strip()}\nkeys = {keys}\n{CHOICE.strip()}", "    ")
    text = f'@dp(epsilon="epsilon", data="answers", {claim})\ndef pick(rng, names, answers, epsilon):\n{body}\n'
    return {finding.code for finding in findings_in(text)}


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize(
    "lines",
    [
        "scores = {name: answers[name] for name in names}",
        """
        scores = {}
        for name in names:
            scores[name] = abs(answers[name])
        """,
        """
        scores = dict()
        scores["first"] = answers[0]
        scores["second"] = answers[1]
        """,
    ],
)
def test_public_keys_show_no_data(lines: str, keys: str) -> None:
    assert "DP201" not in chosen(lines, keys)


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize(
    "lines",
    [
        # the keys are data
        """
        scores = {}
        for answer in answers:
            scores[answer] = 1.0
        """,
        "scores = {answer: 1.0 for answer in answers}",
        # data decides which are there
        """
        scores = {}
        for name in names:
            if answers[name] > 3:
                scores[name] = answers[name]
        """,
        """
        scores = {}
        for name in names:
            if answers[name] > 3:
                break
            scores[name] = answers[name]
        """,
        """
        scores = {}
        for name in names:
            scores[name] = answers[name]
        for name in names:
            if answers[name] > 3:
                del scores[name]
        """,
        """
        scores = {}
        for name in names:
            scores[name] = answers[name]
        for name in names:
            if answers[name] > 3:
                scores.pop(name)
        """,
        # one of them is data
        """
        scores = {}
        for name in names:
            scores[name] = answers[name]
        scores[max(answers)] = 0.0
        """,
    ],
)
def test_keys_by_the_data_show_it(lines: str, keys: str) -> None:
    assert "DP201" in chosen(lines, keys, 'neighbors="replace-one", domain=(0, 100)')


def test_the_value_at_a_public_key_is_data() -> None:
    text = """
    @dp(epsilon="epsilon", neighbors="linf", data="answers")
    def value(rng, names, answers, epsilon):
        scores = {}
        for name in names:
            scores[name] = answers[name]
        return scores[rng.choice(list(scores), p=softmax(epsilon * np.ones(len(names))))]
    """
    assert "DP201" in {finding.code for finding in findings_in(dedent(text))}


def test_an_order_by_values_shows_them() -> None:
    lines = """
    scores = {}
    for name in names:
        scores[name] = answers[name]
    """
    assert "DP208" in chosen(lines, "sorted(scores, key=scores.get)")


COUNTED = """
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 3))
def table(rng, rows, epsilon):
    counts = {{v: 0 for v in range({bounds})}}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    return {{key: count + rng.laplace(scale=1 / epsilon) for key, count in counts.items()}}
"""


def test_keys_that_count_up_to_a_constant_are_public() -> None:
    assert "DP201" not in {one.code for one in findings_in(COUNTED.format(bounds="4"))}
    assert "DP201" not in {one.code for one in findings_in(COUNTED.format(bounds="1, 4"))}


@pytest.mark.parametrize("bounds", ["max(rows)", "len(rows)", "0, rows[0]"])
def test_keys_that_count_up_to_the_data_are_not(bounds: str) -> None:
    assert {"DP201", "DP203"} & {one.code for one in findings_in(COUNTED.format(bounds=bounds))}


NAMED = """
@dp(epsilon="epsilon", {claim})
def blur(rng, counts: dict, epsilon):
    return {{key: {value} + rng.laplace(scale=1 / epsilon) for {each}}}
"""
EACH = [("counts[key]", "key in counts.keys()"), ("count", "key, count in counts.items()")]


@pytest.mark.parametrize(("value", "each"), EACH)
def test_a_vector_of_answers_has_the_same_names_on_both_sides(value: str, each: str) -> None:
    assert not findings_in(NAMED.format(claim='neighbors="l1"', value=value, each=each))


@pytest.mark.parametrize(("value", "each"), EACH)
def test_records_may_have_other_keys(value: str, each: str) -> None:
    claim = 'neighbors="add-remove", domain=(0, 9)'
    assert {"DP201", "DP203"} & {one.code for one in findings_in(NAMED.format(claim=claim, value=value, each=each))}


HISTOGRAM = """
def histogram(counts, epsilon):
    noisy = dict(counts)
    for key in {keys}:
        {line}
    return list(noisy.items())
"""
EVERY = ("list(noisy.keys())", "noisy", "sorted(noisy)")


@pytest.mark.parametrize("keys", EVERY)
def test_a_dict_with_noise_under_every_key_is_not_accused(keys: str) -> None:
    text = HISTOGRAM.format(keys=keys, line="noisy[key] = noisy[key] + np.random.laplace(0, 1 / epsilon)")

    assert findings_of(PREAMBLE + text, all_functions=True) == []


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("['a', 'b']", "noisy[key] = noisy[key] + np.random.laplace(0, 1 / epsilon)"),
        ("list(noisy.keys())", "noisy['a'] = noisy[key] + np.random.laplace(0, 1 / epsilon)"),
        ("list(noisy.keys())[:2]", "noisy[key] = noisy[key] + np.random.laplace(0, 1 / epsilon)"),
        ("list(other.keys())", "noisy[key] = noisy[key] + np.random.laplace(0, 1 / epsilon)"),
    ],
)
def test_a_dict_that_keeps_some_of_its_values_is(keys: str, line: str) -> None:
    text = HISTOGRAM.format(keys=keys, line=line).replace("counts, epsilon", "counts, other, epsilon")

    assert [one.code for one in findings_of(PREAMBLE + text, all_functions=True)] == ["DP201"]
