"""Lines outside of functions, on request: scripts, cells of notebooks, functions such as `main`."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from dplint.outcomes import Finding, Severity
from dplint.rules import RULES
from dplint.rules.rule import Rule
from tests.rules.cases import bad, good
from tests.rules.snippets import PREAMBLE, findings_of

SCRIPT = """
epsilon = 0.5
counts = np.array([12, 30, 7])
print("exact:", counts)
noisy = counts + np.random.laplace(0, epsilon, len(counts))
print(noisy)
"""


def told(text: str) -> list[Finding]:
    """What is found in a script, with the usual imports above it."""
    return findings_of(PREAMBLE + text, all_functions=True)


def test_an_inverted_scale_in_a_script_is_a_warning_without_a_function_or_a_fix() -> None:
    (finding,) = told(SCRIPT)

    assert (finding.code, finding.severity, finding.function, finding.fix) == ("DP101", Severity.WARNING, None, None)
    assert finding.span.line == PREAMBLE.count("\n") + SCRIPT[: SCRIPT.index("noisy")].count("\n") + 1
    assert all("the claim" not in one.message for one in finding.related)


def test_without_the_request_nothing_is_said() -> None:
    assert findings_of(PREAMBLE + SCRIPT) == []


@pytest.mark.parametrize(
    "text",
    [
        SCRIPT.replace("epsilon, len", "1 / epsilon, len"),
        # nothing is called an epsilon
        SCRIPT.replace("epsilon", "scale"),
        # a number that keeps a divisor from zero
        SCRIPT.replace("0.5", "1e-8"),
        # an epsilon that is a scale
        SCRIPT.replace("epsilon = 0.5", "epsilon_scale = 1 / 0.5").replace("(0, epsilon", "(0, epsilon_scale"),
        # a function that is given its data has its own findings, if any
        "def solve(values, tolerance):\n    return values + np.random.laplace(0, tolerance)\n\n\n"
        "epsilon = 1.0\ndata = load()\nprint(solve(data, epsilon))\n",
        # exercises have seeds, and print what is exact
        "np.random.seed(0)\n" + SCRIPT.replace("epsilon, len", "1 / epsilon, len"),
        # a look at the data, beside what is released
        "epsilon = 1.0\nages = load()\nprint(np.histogram(ages, bins=10), ages.max())\n"
        "print(len(ages) + np.random.laplace(scale=1 / epsilon))\n",
    ],
)
def test_what_is_right_or_cannot_be_told_is_left_alone(text: str) -> None:
    assert told(text) == []


def test_normal_noise_may_be_for_something_else() -> None:
    text = (
        "import dplint\nimport numpy as np\n\nepsilon = 0.1\nimage = load()\n"
        "print(image + np.random.normal(0, epsilon, image.shape))\n"
    )

    assert findings_of(text, all_functions=True) == []
    assert len(findings_of(f"# differentially private\n{text}", all_functions=True)) == 1


@pytest.mark.parametrize(
    "text",
    [
        # synthetic data
        "epsilon = 1.0\nages = np.random.normal(40, 10, 1000)\nprint(ages.sum() + np.random.laplace(scale=epsilon))\n",
        # read from a file, and from a function of the module
        "import pandas as pd\n\nEPS = 1.0\ndf = pd.read_csv('a.csv')\ntotal = df['age'].sum()\n"
        "print(total + np.random.laplace(0, EPS))\n",
        "def load():\n    return [1, 2]\n\n\neps, delta = 1.0, 1e-5\nrows = load()\n"
        "print(sum(rows) + np.random.laplace(0, eps))\n",
        # one number
        "epsilon = 1.0\ntrue_count = 42\nprint(true_count + np.random.laplace(0, 2 * epsilon))\n",
        # several epsilons in turn
        "values = [3, 4]\nfor eps in [0.1, 1.0]:\n    print(sum(values) + np.random.laplace(0, eps))\n",
        # the main part of a script, and a function for it
        "if __name__ == '__main__':\n    epsilon = float(input())\n    rows = load()\n"
        "    print(len(rows) + np.random.laplace(0, epsilon))\n",
        "def main():\n    epsilon = 1.0\n    rows = load()\n"
        "    print(len(rows) + np.random.laplace(0, epsilon))\n\n\nmain()\n",
        # normal noise, where privacy is what it is about
        '"""Differential privacy by hand."""\n\nepsilon = 1.0\nx = load()\nprint(x + np.random.normal(0, epsilon))\n',
    ],
)
def test_data_and_epsilon_are_found(text: str) -> None:
    assert [(one.code, one.function) for one in told(text)] == [("DP101", None)]


def test_a_sensitivity_that_the_data_decides() -> None:
    text = (
        "epsilon = 1.0\nincomes = load()\nsensitivity = (np.max(incomes) - np.min(incomes)) / len(incomes)\n"
        "print(np.mean(incomes) + np.random.laplace(scale=sensitivity / epsilon))\n"
    )

    assert [one.code for one in told(text)] == ["DP203"]


def test_a_function_without_a_claim_is_told_once() -> None:
    text = (
        "def release(values, epsilon):\n    return sum(values) + np.random.laplace(scale=epsilon)\n\n\n"
        "epsilon = 1.0\nrows = load()\nprint(release(rows, epsilon))\n"
    )

    assert [(one.code, one.function) for one in told(text)] == [("DP101", "release")]


# every rule's own examples, as scripts


class _Printed(ast.NodeTransformer):
    """What a function returns or yields, a script prints."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_Return(self, node: ast.Return) -> ast.Expr:
        return ast.Expr(ast.Call(ast.Name("print"), [node.value] if node.value is not None else [], []))

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        value = node.value.value if isinstance(node.value, ast.Yield) else None
        return ast.Expr(ast.Call(ast.Name("print"), [value], [])) if value is not None else node


def as_script(example: str) -> str:
    """An example with the body of its mechanism outside of it, and an assignment for each parameter."""
    body: list[ast.stmt] = []
    for node in ast.parse(dedent(example)).body:
        if not (isinstance(node, ast.FunctionDef) and any("dp(" in ast.unparse(one) for one in node.decorator_list)):
            body.append(node)
            continue
        defaults = dict(zip(node.args.args[::-1], node.args.defaults[::-1], strict=False))
        for one in node.args.args:
            given = ast.unparse(defaults[one]) if one in defaults else _value(one.arg)
            body += ast.parse(f"{one.arg} = {given}").body
        body += [_Printed().visit(line) for line in node.body]
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))


def _value(name: str) -> str:
    if name == "rng":
        return "np.random.default_rng()"
    numbers = {"eps": "1.0", "delta": "1e-5", "sens": "2.0"}
    return next((number for begin, number in numbers.items() if name.startswith(begin)), f"load_{name}()")


OUTSIDE = [rule for rule in RULES if rule.outside]


def test_rules_speak_of_how_noise_is_made() -> None:
    codes = {rule.code for rule in OUTSIDE}

    assert {"DP101", "DP203"} <= codes
    assert codes.isdisjoint({"DP201", "DP205", "DP209", "DP302", "DP305"})


@pytest.mark.parametrize("rule", OUTSIDE, ids=lambda rule: rule.code)
def test_a_rule_finds_its_mistakes_in_scripts(rule: Rule) -> None:
    found = [example for example in bad(rule) if rule.code in {one.code for one in told(as_script(example))}]

    assert len(found) >= 2


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_scripts_without_a_mistake_are_left_alone(rule: Rule) -> None:
    findings = {number: told(as_script(example)) for number, example in enumerate(good(rule))}

    assert {number: [one.message for one in found] for number, found in findings.items() if found} == {}
