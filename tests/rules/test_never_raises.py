"""The rules raise on no source: mutated mechanisms, mutated statements, and the standard library with claims in it."""

from __future__ import annotations

import ast
import random
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from dplint.rules import RULES, check_module
from dplint.source.read import read_source
from tests.examples import examples, one_in
from tests.rules.snippets import findings_in

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
TEXTS = [path.read_text() for path in sorted(FIXTURES.rglob("*.py"))]
ALL = {rule.code for rule in RULES}


def check(text: str, *, parses: bool = False) -> None:
    source = read_source(Path("m.py"), file="m.py", text=text)
    assert source.module is not None or not parses
    if source.module is not None:
        for finding in check_module(source.module, source.mechanisms, "m.py", opt_in=ALL, all_functions=True):
            assert finding.span.line <= finding.span.end_line
            assert finding.message


@examples(150, suppress_health_check=list(HealthCheck))
@given(
    which=st.integers(0, len(TEXTS) - 1),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(1, 3), st.integers(0, 10**6)), min_size=1, max_size=6),
)
def test_mechanisms_with_lines_moved_about(which: int, cuts: list[tuple[float, int, int]]) -> None:
    lines = TEXTS[which].splitlines()
    for where, count, seed in cuts:
        start = int(where * (len(lines) - 1))
        taken = lines[start : start + count]
        match seed % 3:
            case 0:
                del lines[start : start + count]
            case 1:
                lines[start:start] = taken
            case _:
                at = seed % (len(lines) + 1)
                indent = " " * 4 * (seed % 4)
                lines[at:at] = [indent + line.strip() for line in taken]
        if not lines:
            return
    check("\n".join(lines) + "\n")


PIECES = [
    *(
        "x",
        "epsilon",
        "rng",
        "len(x)",
        "x[0]",
        "1",
        "0.0",
        "rng.laplace(scale=1 / epsilon)",
        "max(x)",
        "f(x)",
        "self.y",
    ),
    *("np.asarray(x)", "sum(v for v in x if v)", "(lambda a: a)(x)", "{k: v for k, v in zip(x, x)}", "not x", "*x,"),
    *(
        "-x",
        "x if epsilon else rng",
        "f'{x}'",
        "(y := x)",
        "x.append(1)",
        "x.pop()",
        "np.where(x, 1, x)",
        "yield",
        "await x",
    ),
]
FORMS = [
    *("{0} + {1}", "{0} * {1}", "{0} / {1}", "{0} ** {1}", "{0} < {1}", "{0} or {1}", "[{0}, {1}]", "max({0}, {1})"),
    *("{0}[{1}]", "f({0}, k={1})", "np.clip({0}, {1}, {1})", "rng.normal({0}, {1})", "sorted({0}, key={1})"),
]
STATEMENTS = [
    *("y = {0}", "y += {0}", "return {0}", "y.append({0})", "yield {0}", "assert {0}, {0}", "raise ValueError({0})"),
    *("y[{0}] = {0}", "self.y = {0}", "a, *b = {0}", "del y", "for v in {0}: y = v", "while {0}: break", "print({0})"),
    *("if {0}: y = {0}", "with {0} as y: pass", "import y", "global y", "def f(a, b=1, *c, k=0, **d): return {0}"),
    *("try: y = {0}\n    except Exception as e: y = e\n    finally: y = 1", "match {0}:\n        case [a, b]: y = a"),
    *("for v in {0}:\n        if v: continue\n        y = {0}\n    else: y = 2", "class y: pass", "y: int = {0}"),
]


@pytest.mark.parametrize("seed", one_in(3, range(150)))
def test_random_functions(seed: int) -> None:
    dice = random.Random(seed)

    def expression(depth: int) -> str:
        if depth == 0 or dice.random() < 0.3:
            return dice.choice(PIECES)
        return f"({dice.choice(FORMS).format(expression(depth - 1), expression(depth - 1))})"

    def statement() -> str:
        while True:
            text = dice.choice(STATEMENTS).format(expression(2))
            try:
                ast.parse(f"def f():\n    {text}")
            except SyntaxError:
                continue
            return f"    {text}"

    body = [statement() for _ in range(8)]
    relation = dice.choice(['"linf"', '"l1"', '"add-remove", domain=(0, 1)', '"any", domain=(0, 1)'])
    head = "import numpy as np\nfrom dplint import dp\ndef f(a, k=1): return f(a) + k\n"
    check(
        f'{head}@dp(epsilon="epsilon", neighbors={relation})\ndef m(rng, x, epsilon):\n' + "\n".join(body) + "\n",
        parses=True,
    )


def library() -> list[Path]:
    folder = Path(sysconfig.get_paths()["stdlib"])
    names = [
        "statistics",
        "random",
        "heapq",
        "argparse",
        "difflib",
        "inspect",
        "textwrap",
        "csv",
        "fractions",
        "shutil",
    ]
    return [path for name in names if (path := folder / f"{name}.py").is_file()]


@pytest.mark.parametrize("path", one_in(3, library()), ids=lambda path: path.stem)
def test_the_standard_library_with_claims(path: Path) -> None:
    lines = []
    for line in path.read_text().splitlines():
        if line.lstrip().startswith("def ") and "(" in line and "()" not in line and "(self)" not in line:
            lines.append(line[: len(line) - len(line.lstrip())] + "# dplint: dp(epsilon=1.0)")
        lines.append(line)
    check("\n".join(lines) + "\n")


@pytest.mark.parametrize("last", ["f(y)", "[f(v) for v in y]", "x.y[0]"])
def test_a_statement_with_more_values_than_are_kept(last: str) -> None:
    many = ", ".join(f"x[{number}]" for number in range(4100))
    head = "from dplint import dp\ndef f(a, k=1): return f(a) + k\n"
    claim = '@dp(epsilon="epsilon", neighbors="l1")\ndef m(rng, x, epsilon):\n    y = epsilon\n'
    check(f"{head}{claim}    return [{many}, {last}, {last}]\n", parses=True)


@pytest.mark.parametrize(
    "use", ["if x.pop():\n        return 1", "return x.pop() + rng.laplace(scale=1 / epsilon)", "return len(x.pop())"]
)
def test_the_last_element_taken_off(use: str) -> None:
    claim = 'from dplint import dp\n@dp(epsilon="epsilon", neighbors="l1")\ndef m(rng, x, epsilon):\n'
    check(f"{claim}    {use}\n", parses=True)


def test_helpers_that_are_nested_deeply_are_followed_all_the_same() -> None:
    """Each of them is as deep as a file may be, and is called by the one before."""
    ones = " + 1" * 200
    parts = [
        f"def helper_{n}(rng, x, epsilon):\n    return helper_{n + 1}(rng, x, epsilon){ones}\n\n\n" for n in range(5)
    ]
    last = f"def helper_5(rng, x, epsilon):\n    return sum(x) + rng.laplace(scale=epsilon){ones}\n\n\n"
    claim = (
        '@dp(epsilon="epsilon", neighbors="l1")\ndef total(rng, x, epsilon):\n    return helper_0(rng, x, epsilon)\n'
    )
    limit = sys.getrecursionlimit()

    assert {one.code for one in findings_in("".join([*parts, last, claim]))} == {"DP101"}
    assert sys.getrecursionlimit() == limit
