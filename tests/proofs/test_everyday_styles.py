"""Counts, picks and arrays in the styles of NumPy and Python: right ones are proved for every length, no wrong one."""

import pytest

from tests.proofs.proof_tools import searched

WORDS = 'neighbors="add-remove", domain=["a", "b", "c"]'
WHOLE = 'neighbors="add-remove", domain=[0, 1, 2, 3]'
VECTOR = 'neighbors="l1"'
REPLACED = 'neighbors="replace-one", domain=(0.0, 1.0)'
BINCOUNT = """
    counts = np.bincount(np.asarray(values, dtype=int), minlength=4)
    return counts + rng.laplace(scale=1 / epsilon, size=4)"""
TOP = """
    scores = {word: values.count(word) for word in ("a", "b", "c")}
    noisy = {word: score + rng.exponential(1 / epsilon) for word, score in scores.items()}
    return max(noisy, key=noisy.get)"""
WHERE = """
    exact = np.asarray(values, dtype=float)
    noisy = exact + rng.laplace(scale=1 / epsilon, size=exact.shape)
    return np.where(noisy > 0, noisy, 0)"""
MEAN = """
    if len(values) < 2:
        return 0.0
    return statistics.fmean(values) + rng.laplace(scale=1 / (len(values) * epsilon))"""
ENDS = """
    low, high = min(values, default=0.0), max(values, default=1.0)
    return low + rng.laplace(scale=2 / epsilon), high + rng.laplace(scale=2 / epsilon)"""
HISTOGRAM = """
    counts, edges = np.histogram(values, bins=5, range=(0.0, 1.0))
    return counts + rng.laplace(scale=1 / epsilon, size=len(counts)), edges"""
GRID = """
    grid, counts = [0.2, 0.4, 0.6], [0] * 4
    for value in values:
        counts[bisect.bisect_right(grid, value)] += 1
    return [count + rng.laplace(scale=1 / epsilon) for count in counts]"""
PEOPLE = 'neighbors="add-remove", domain=(0.0, 1.0)'
RIGHT = {
    "histogram": (PEOPLE, HISTOGRAM),
    "histogram by edges": (PEOPLE, HISTOGRAM.replace("bins=5, range=(0.0, 1.0)", "[0, 0.25, 1]")),
    "histogram that leaves some out": (PEOPLE, HISTOGRAM.replace("(0.0, 1.0)", "(0.5, 0.75)")),
    "bisect": (PEOPLE, GRID),
    "bisect from the left": (PEOPLE, GRID.replace("bisect_right", "bisect_left")),
    "bincount": (WHOLE, BINCOUNT),
    "bincount of a list": (WHOLE, BINCOUNT.replace("np.asarray(values, dtype=int)", "values")),
    "the key of the largest": (WORDS, TOP),
    "the key of the smallest": (WORDS, TOP.replace("max(", "min(").replace("score + ", "-score - ")),
    "where noise decides": (VECTOR, WHERE),
    "as many draws as an array has": (VECTOR, WHERE.replace("exact.shape", "exact.size")),
    "fmean": (REPLACED, MEAN),
    "a default": (REPLACED, ENDS),
}
WRONG = {
    "histogram, less noise": (PEOPLE, HISTOGRAM.replace("1 / eps", "0.9 / eps")),
    "histogram, two counts moved": (PEOPLE.replace("add-remove", "replace-one"), HISTOGRAM),
    "histogram of a range that the data decides": (PEOPLE, HISTOGRAM.replace(", range=(0.0, 1.0)", "")),
    "histogram between the ends of the data": (PEOPLE, HISTOGRAM.replace("0.0, 1.0", "min(values), max(values)")),
    "histogram of weights": (PEOPLE, HISTOGRAM.replace("range", "weights=values, range")),
    "histogram of densities": (PEOPLE, HISTOGRAM.replace("range", "density=True, range")),
    "histogram of densities by place": (PEOPLE, HISTOGRAM.replace("bins=5, range=(0.0, 1.0)", "5, (0, 1), True")),
    "edges that go down": (PEOPLE, HISTOGRAM.replace("bins=5, range=(0.0, 1.0)", "[1, 0.25, 0]")),
    "exact counts": (PEOPLE, HISTOGRAM.replace(")), edges", ")), counts")),
    "weights by place": (WHOLE, BINCOUNT.replace("int), ", "int), values, ")),
    "bisect, less noise": (PEOPLE, GRID.replace("1 / ", "0.9 / ")),
    "bisect, two counts moved": (PEOPLE.replace("add-remove", "replace-one"), GRID),
    "bisect beyond the last count": (PEOPLE, GRID.replace("* 4", "* 3")),
    "bisect in data": (PEOPLE, GRID.replace("grid, value", "values, 0.5")),
    "bisect among what does not go up": (PEOPLE, GRID.replace("0.4", "0.8")),
    "bisect between places": (PEOPLE, GRID.replace("grid, value", "grid, value, 2")),
    "two counts each": (PEOPLE, GRID.replace("    return", "        counts[0] += 1\n    return")),
    "bincount, less noise": (WHOLE, BINCOUNT.replace("1 / ", "0.9 / ")),
    "bincount, two counts moved": (WHOLE.replace("add-remove", "replace-one"), BINCOUNT),
    "as long as the largest": (WHOLE, BINCOUNT.replace(", minlength=4", "").replace("size=4", "size=len(counts)")),
    "longer than asked for": (WHOLE, BINCOUNT.replace("minlength=4", "minlength=3").replace("=4)", "=len(counts))")),
    "in place, which raises on some data": (
        WHOLE,
        """
    counts = np.bincount(np.asarray(values, dtype=int), minlength=4)
    if counts[0] > 2:
        counts += 0.25
        return counts + rng.laplace(scale=2 / epsilon, size=4)
    return counts + rng.laplace(scale=2 / epsilon, size=4)""",
    ),
    "below zero": (WHOLE, BINCOUNT.replace("np.asarray(values, dtype=int)", "[one - 1 for one in values]")),
    "weights": (WHOLE, BINCOUNT.replace("minlength", "weights=values, minlength")),
    "an empty array of floats": (WHOLE, BINCOUNT.replace("values, dtype=int", "values")),
    "floats, which raise": (WHOLE, BINCOUNT.replace("dtype=int", "dtype=float")),
    "the largest, less noise": (WORDS, TOP.replace("1 / ", "0.9 / ")),
    "the largest of two that move": (WORDS.replace("add-remove", "replace-one"), TOP),
    "the largest and its number": (WORDS, TOP.replace("max(noisy, key=noisy.get)", "max(noisy.values())")),
    "the largest of the exact ones": (WORDS, TOP.replace("key=noisy.get", "key=scores.get")),
    "where data decides": (VECTOR, WHERE.replace("where(noisy", "where(exact")),
    "where data is given": (VECTOR, WHERE.replace("noisy, 0)", "noisy, exact)")),
    "where data is given otherwise": (VECTOR, WHERE.replace("noisy, 0)", "exact, noisy)")),
    "where, less noise": (VECTOR, WHERE.replace("1 / ", "0.9 / ")),
    "one draw for all": (VECTOR, WHERE.replace(", size=exact.shape", "")),
    "an exact shape": (WORDS, "\n    return np.asarray([1 for one in values]).shape"),
    "fmean, less noise": (REPLACED, MEAN.replace("1 / (", "0.9 / (")),
    "fmean of none, which raises": (REPLACED.replace("replace-one", "add-remove"), MEAN.replace("< 2", "< 0")),
    "a default, less noise": (REPLACED, ENDS.replace("2 / ", "1.8 / ")),
    "a default outside": (REPLACED.replace("replace-one", "add-remove"), ENDS.replace("default=0.0", "default=-5.0")),
}


def found(folder, claim, body):
    head = f'import bisect\nimport statistics\n\n\n@dp(epsilon="epsilon", {claim})'
    return searched(folder, f"{head}\ndef release(rng, values, epsilon):{body}\n")


@pytest.mark.parametrize(("claim", "body"), RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, claim, body):
    search = found(tmp_path, claim, body)

    assert search.settled, search.reason
    assert search.proof.scope.sizes.largest is None


@pytest.mark.parametrize(("claim", "body"), WRONG.values(), ids=WRONG)
def test_wrong_ones_are_not(tmp_path, claim, body):
    assert found(tmp_path, claim, body).proof is None


@pytest.mark.parametrize(
    ("bound", "right"), [("min(epsilon, 1.0)", True), ("min(1, epsilon)", True), ("max(epsilon, 1.0)", False)]
)
def test_gaussian_noise_for_an_epsilon_that_is_cut_off(tmp_path, bound, right):
    """The theorem speaks of epsilon up to 1, where the smaller one is epsilon; the larger makes too little noise."""
    body = f"""
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / {bound}
    return sum(values) + rng.normal(0, sigma)"""
    search = found(tmp_path, f"delta=1e-5, {PEOPLE}", body)

    assert (search.proof is not None) == right
    assert not right or search.proof.scope.sizes.largest is None
