"""Budgets of mechanisms that are written into a file for the purpose."""

from textwrap import dedent

from dplint.contracts.judging import Contracts
from dplint.source.project import ProjectIndex
from dplint.source.read import read_source

PARTS = """
from dplint import dp
from diffprivlib import BudgetAccountant, tools

@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def count(rng, rows, epsilon):
    return len(rows) + rng.laplace(scale=1 / epsilon)

@dp(epsilon="epsilon", delta="delta", neighbors="add-remove", domain=(0, 100))
def rough_count(rng, rows, epsilon, delta):
    return len(rows) + rng.normal(scale=5 / epsilon)

@dp(epsilon="epsilon", neighbors="linf")
def noisy_max(rng, answers, epsilon):
    noisy = [answer + rng.laplace(scale=2 / epsilon) for answer in answers]
    return noisy.index(max(noisy))

class Budget:
    def __init__(self, total):
        self.left = total

    def spend(self, epsilon):
        if epsilon <= 0 or epsilon > self.left:
            raise ValueError("the budget is spent")
        self.left -= epsilon

"""
CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))'


def written(tmp_path, source, parts=PARTS):
    path = tmp_path / "reports.py"
    path.write_text(parts + dedent(source).strip() + "\n")
    return path


def budgets_of(path):
    """The budget of each mechanism of a file, by name."""
    source = read_source(path, file=path.name)
    assert not source.findings, source.findings
    mechanisms = [one.mechanism for one in source.mechanisms]
    contracts = Contracts(source.module, source.file, mechanisms, ProjectIndex(source.module.place))
    return {one.qualname: contracts.budget(one) for one in mechanisms}


def budget(tmp_path, body, claim=CLAIM, parameters="rng, rows, epsilon"):
    """The budget of `def release(rng, rows, epsilon)` with that body."""
    inner = "\n".join("    " + line for line in dedent(body).strip().split("\n"))
    return budgets_of(written(tmp_path, f"{claim}\ndef release({parameters}):\n{inner}"))["release"]


def line_of(found):
    """The line of the text above at which more is spent than is claimed."""
    return found.over.span.line
