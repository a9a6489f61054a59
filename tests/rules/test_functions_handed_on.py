"""Functions that are given to other functions are read where they are called: on the elements of other arguments."""

from __future__ import annotations

import pytest

from tests.rules.snippets import PREAMBLE, findings_of

MECHANISM = """
import functools
import heapq

def privately(value, rng, scale):
    return value + rng.laplace(scale=scale)

@dp(epsilon="epsilon", neighbors="{neighbors}")
def release(rng, answers, epsilon):
    {body}
"""


def codes(body: str, neighbors: str = "l1") -> set[str]:
    """What is found in a mechanism of that body."""
    found = findings_of(PREAMBLE + MECHANISM.format(body=body, neighbors=neighbors))
    return {one.code for one in found if "nothing depends on epsilon" not in one.message}


HANDED_ON = [
    "return answers.apply(lambda v: v + rng.laplace(scale={scale}))",
    "return answers.map(lambda v: v + rng.laplace(scale={scale}))",
    "return np.apply_along_axis(lambda v: v + rng.laplace(scale={scale}), 0, answers)",
    "noisy = np.vectorize(lambda v: v + rng.laplace(scale={scale}))\n    return noisy(answers)",
    "return [functools.partial(privately, rng=rng, scale={scale})(v) for v in answers]",
    "def add(v):\n        return v + rng.laplace(scale={scale})\n    return answers.transform(add)",
]


@pytest.mark.parametrize("body", HANDED_ON)
def test_noise_in_a_function_that_is_handed_on_is_read(body: str) -> None:
    assert codes(body.format(scale="1 / epsilon")) == set()
    assert "DP101" in codes(body.format(scale="epsilon"))


@pytest.mark.parametrize("body", HANDED_ON)
def test_a_function_without_noise_hides_nothing(body: str) -> None:
    bare = (
        body.replace("rng.laplace(scale={scale})", "1")
        .replace("privately", "max")
        .replace("rng=rng, scale={scale}", "0")
    )

    assert "DP201" in codes(f"unused = rng\n    {bare}")


@pytest.mark.parametrize(
    "order",
    [
        "return heapq.nlargest(2, range(len(answers)), key=lambda i: noisy[i])",
        "order = list(range(len(answers)))\n    order.sort(key=lambda i: noisy[i])\n    return order",
        "return sorted(range(len(answers)), key=lambda i: -noisy[i])",
    ],
)
def test_what_an_order_is_made_of_is_released_by_it(order: str) -> None:
    noisy = "noisy = [a + rng.laplace(scale={scale}) for a in answers]\n    "

    assert codes(noisy.format(scale="2 * len(answers) / epsilon") + order, "linf") == set()
    assert "DP101" in codes(noisy.format(scale="epsilon") + order, "linf")
    assert codes(f"noisy = list(answers)\n    {order}", "linf") & {"DP201", "DP208"}


def test_one_draw_for_all_elements_is_shared() -> None:
    assert "DP303" in codes("noise = rng.laplace(scale=1 / epsilon)\n    return answers.apply(lambda v: v + noise)")


def test_nothing_is_said_of_a_library_that_is_given_a_function() -> None:
    body = "from somewhere import simulate\n    return simulate(answers, lambda v: v + NOISE)"

    assert codes(body.replace("NOISE", "rng.laplace(scale=1 / epsilon)")) == set()
    assert codes(body.replace("NOISE", "1")) == set()


@pytest.mark.parametrize("start", ["rng.laplace(scale=epsilon)", "rng.laplace(scale=1 / epsilon)", "0.0"])
def test_reduce_is_the_loop_that_it_is(start: str) -> None:
    reduced = f"return functools.reduce(lambda total, v: total + v, answers, {start})"
    loop = f"total = {start}\n    for v in answers:\n        total = total + v\n    return total"

    assert codes(reduced) == codes(loop)
    assert ("DP201" in codes(reduced)) == (start == "0.0")


OBJECT = """
class Adder:
    def __init__(self):
        self.rng = np.random.default_rng()

    def add(self, value, scale):
        return value + self.rng.laplace(scale=scale)

    def same(self, value):
        return value

    @dp(epsilon="epsilon", neighbors="l1")
    def release(self, answers, epsilon, pool=None):
        return {body}
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("answers.apply(self.add, scale=1 / epsilon)", set()),
        ("answers.apply(self.add, scale=epsilon)", {"DP101"}),
        ("pool.map(functools.partial(self.add, scale=epsilon), answers)", {"DP101"}),
        ("pool.map(lambda v: self.add(v, 1 / epsilon), answers)", set()),
        ("pool.map(self.same, answers)", {"DP201"}),
    ],
)
def test_methods_are_handed_on_too(body: str, found: set[str]) -> None:
    text = PREAMBLE + "import functools\n" + OBJECT.format(body=body)

    assert {one.code for one in findings_of(text) if "nothing depends on epsilon" not in one.message} == found
