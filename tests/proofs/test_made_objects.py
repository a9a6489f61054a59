"""Methods of objects that hold the data, or that a function makes: programs of them, and what is proved of these."""

import pytest

from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text

HEAD = "from dataclasses import dataclass, field\n\nfrom dplint import dp\n\n\n"
KEEPS = '''
class Keeper:
    def __init__(self, rows, bound=9):
        self.rows = rows
        self.bound = bound

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9), {})
    def release(self, rng, epsilon):
        return sum(self.rows) + rng.laplace(scale=self.bound / epsilon)


def keeper(rows):
    """Makes one."""
    return Keeper({})
'''
HOLDS = """
@dataclass
class Keeper:
    rows: list = field(default_factory=list)
    size: int = 0

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9), data="self.rows"{})
    def release(self, rng, epsilon):
        {}
"""
CLIPS = """
class Keeper:
    def __init__(self, bound):
        self.bound = bound

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100), make="mutant:keeper")
    def release(self, rng, values, epsilon):
        return sum(min(v, self.bound) for v in values) + rng.laplace(scale=10 / epsilon)


def keeper():
    {}
"""
NOISE = "rng.laplace(scale=1 / epsilon)"
RIGHT = {
    "given to its constructor": KEEPS.format('make=":keeper"', "rows"),
    "as a tuple": KEEPS.format('make=":keeper"', "tuple(rows)"),
    "an attribute": HOLDS.format("", f"return len(self.rows) + {NOISE}"),
    "beside another": HOLDS.format("", f"return len(self.rows) + self.size + {NOISE}"),
    "made by a function": CLIPS.format("return Keeper(10)"),
    "with a smaller bound": CLIPS.format("return Keeper(bound=9)"),
}
WRONG = {
    "too large a bound": CLIPS.format("return Keeper(11)"),
    "twice the data": KEEPS.format('make=":keeper"', "rows + rows"),
    "a bound that is the size": KEEPS.format('make=":keeper"', "rows, len(rows)"),
    "a bound that is too small": KEEPS.format('make=":keeper"', "rows, 8"),
    "the attribute as it was made": HOLDS.format("", f"return len(self.rows), self.size + {NOISE}"),
    "half the noise": HOLDS.format("", "return len(self.rows) + rng.laplace(scale=0.5 / epsilon)"),
    "something else made first": CLIPS.format("found = Keeper(10)\n    found.bound = 100\n    return found"),
    "one of two": CLIPS.format("return Keeper(10) if True else Keeper(100)"),
    "another class": CLIPS.format("return Other(10)")
    + "\n\nclass Other(Keeper):\n    def __init__(self, bound):\n        self.bound = 10 * bound\n",
    "a function that is bound again": CLIPS.format("return Keeper(10)") + "\n\nkeeper = lambda: Keeper(100)\n",
    "a class that is changed": CLIPS.format("return Keeper(10)")
    + "\n\ndef changed(self, bound):\n    self.bound = 100\n\n\nKeeper.__init__ = changed\n",
    "a decorator": CLIPS.replace(
        "def keeper():", "def twice(f):\n    return lambda: Keeper(100)\n\n\n@twice\ndef keeper():"
    ).format("return Keeper(10)"),
    "two names for the rows": """
class Keeper:
    def __init__(self, rows):
        self.rows = rows
        self.others = rows

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9), make=":keeper")
    def release(self, rng, epsilon):
        self.rows.append(1)
        return len(self.others) - len(self.rows) + 0 * rng.laplace(scale=1 / epsilon), len(self.others)


def keeper(rows):
    return Keeper(rows)
""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_method_of_what_is_made_is_proved(tmp_path, name):
    found = search(*of_text(tmp_path, HEAD + RIGHT[name], "Keeper.release"), 20.0)

    assert found.settled, found.reason


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones_are_not(tmp_path, name):
    assert search(*of_text(tmp_path, HEAD + WRONG[name], "Keeper.release"), 20.0).proof is None


def test_what_an_attribute_was_made_as_is_not_what_it_is_given(tmp_path):
    """The constructor counts no rows: what it has counted says nothing of the data."""
    text = """
class Keeper:
    def __init__(self):
        self.rows = []
        self.size = len(self.rows)

    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9), data="self.rows")
    def release(self, rng, epsilon):
        return self.size, len(self.rows) + rng.laplace(scale=1 / epsilon)
"""
    assert search(*of_text(tmp_path, HEAD + text, "Keeper.release"), 20.0).settled
