"""The checker reads expressions of data as CPython computes them: with data as terms, which then get their values."""

import random
from fractions import Fraction

import pytest
import z3

from dplint.program.evaluator import evaluate
from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.checker.paths import Paths
from dplint.proofs.checker.values import Choice, Entries, Items, Leaves, Mixed, NotProved, exact, is_term
from dplint.proofs.checker.walking import Walk
from tests.examples import in_proportion
from tests.proofs.proof_tools import targets
from tests.proofs.test_readings import known, python, same

CONSTANTS = (
    "0 1 2 -1 0.0 1.0 0.5 -1.5 True False None '' 'a' 'ab' [] [1] [1.0] [True] (1,) ['a'] [None] {'a':1} {1:2} {True:2}"
)
NUMBERS, TEXTS = (0.0, 1.0, -1.5, 2.5), (("", "a", "b"), (None, 1, "a", True))
ALWAYS = [
    "[y] == ['a']",
    "(x, 1) != (1, 1)",
    "(z, y) in [(1, 'a'), (0, 1)]",
    "{'k': x, 'l': 0} == {'l': False, 'k': 1}",
    "[1.0] == [z]",
    "not y",
    "[y, 1] if y else [z]",
    "all([y, z])",
    "y == 1 or y is None",
    "z % -2 + z // 2",
    "max(x, z)",
    "(x if z else 1) * 2 - z",
    "min(0, x) / 2 + z",
]
LEFT_OUT = (UnsupportedConstruct, NotProved, ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
"""Which the search takes for no proof."""
X, Y, Z = z3.Real("d:x"), z3.Int("d:y"), z3.Int("d:z")


def expression(chance, depth):
    """A random one over x, a float, y, a value of a domain, and z, a whole number."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice([*CONSTANTS.split(), *"xyzxyz"])
    one, two, three = (expression(chance, depth - 1) for _ in range(3))
    return chance.choice(
        [
            f"({one} {chance.choice(['==', '!=', '<', '>=', 'in', 'not in', 'is', 'is not'])} {two})",
            f"({one} {chance.choice(['==', '!='])} {two})",
            f"({one} {chance.choice(['and', 'or'])} {two})",
            f"(not {one})",
            f"({one} {chance.choice(['+', '-', '*', '//', '%', '/'])} {two})",
            f"({one} if {two} else {three})",
            f"{chance.choice(['min', 'max'])}({one}, {two})",
            f"{chance.choice(['len', 'sum', 'abs', 'int', 'float', 'bool', 'any', 'all', 'list', 'tuple'])}({one})",
            f"({one})[{chance.choice(['0', '-1', '1:', two])}]",
            f"[{one}, {two}]",
            f"({one}, {two})",
            f"{{'k': {one}, {chance.choice(['1', 'True', '1.0'])}: {two}}}",
        ]
    )


def with_values(value, numbers):
    """A value of the checker with numbers in place of its variables."""
    if isinstance(value, Items):
        items, guards = ([with_values(one, numbers) for one in each] for each in (value.items, value.guards))
        return Items(value.kind, tuple(items), tuple(guards))
    if isinstance(value, Entries):
        return Entries(value.keys, tuple(with_values(one, numbers) for one in value.values))
    if isinstance(value, Mixed):
        return Mixed(with_values(value.number, numbers))
    if isinstance(value, Choice):
        return exact(value.values[with_values(value.index, numbers).as_long()])
    return z3.simplify(z3.substitute(value, *numbers)) if is_term(value) else value


def of_python(text, given):
    try:
        return "output", eval(text, {}, given)
    except Exception as error:
        return "raised", type(error).__name__


def of_checker(walk, numbers):
    (ended,) = [one for one in walk.outputs if known(with_values(one.mask, numbers))][:1]
    if ended.kind == "value":
        value = with_values(ended.value, numbers)
        return ("number", known(value.number)) if isinstance(value, Mixed) else ("output", python(value))
    return "raised", ended.kind


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_expressions_of_data(tmp_path):
    chance = random.Random(1616)
    texts = [*ALWAYS, *(expression(chance, 3) for _ in range(in_proportion(200)))]
    file = tmp_path / "expressions.py"
    head, claim = "from dplint import dp\n\n\n", '@dp(epsilon=1.0, neighbors="l1", data="x")\n'
    file.write_text(
        head + "".join(f"{claim}def f{k}(rng, x, y, z):\n    return {one}\n" for k, one in enumerate(texts))
    )
    followed = 0
    for name, (program, _) in targets(file).items():
        for domain in TEXTS:
            walk = Walk(1, Paths([Y >= 0, len(domain) > Y]), Leaves())
            try:
                evaluate(program, walk, {"x": X, "y": Choice(domain, Y), "z": Z})
            except LEFT_OUT:
                continue
            for x in NUMBERS:
                for place, y in enumerate(domain):
                    for z in (-1, 0, 1):
                        numbers = [(X, z3.Q(*Fraction(x).as_integer_ratio())), (Y, z3.IntVal(place)), (Z, z3.IntVal(z))]
                        try:
                            found = of_checker(walk, numbers)
                        except UnsupportedConstruct:
                            continue
                        text = texts[int(name[1:])]
                        right = of_python(text, {"x": x, "y": y, "z": z})
                        if found[0] == "number":  # an int or a float, of which only the value is known
                            assert type(right[1]) in (int, float), (text, x, y, z)
                            assert right[1] == pytest.approx(found[1]), (text, x, y, z)
                            continue
                        assert right[0] == found[0], (text, x, y, z)
                        assert same(right[1], found[1]) if right[0] == "output" else right == found, (text, x, y, z)
                        followed += 1
    assert followed > in_proportion(200)
