"""Data that is handed over as a dict, a series, a table of polars, a matrix, rows or objects.

Of each form there are right mechanisms that are proved, wrong ones, and ones that look at their data in a way that only
seems to be one of those that are read. Nothing may be proved of the latter two: each of them is wrong in itself, or
would be for data of that form.
"""

import pytest

from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text

HEAD = """
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl

from dplint import dp

SURVEY = {"age": (0, 100), "pay": (0, 10)}
MIXED = {"age": (0, 100), "pay": (0.0, 10.0)}
TOWNS = {"age": (0, 100), "town": ["x", "y"]}


@dataclass
class Person:
    age: int
    pay: int

    def older(self):
        return self.age + 1


class Row(NamedTuple):
    age: int
    pay: int


@dataclass
class Paid:
    age: int
    pay: int

    def __post_init__(self):
        self.pay = self.pay * 10


@dataclass
class Looked:
    age: int
    pay: int

    def __getattribute__(self, name):
        return 10 * object.__getattribute__(self, name)


class Held:
    def __init__(self, age, pay):
        self.age = age
        self.pay = age * pay


@dataclass
class Later:
    age: int
    pay: int


@dataclass
class Boss:
    pay: int
    boss: object = None


def pay_of(person):
    return person.pay


"""
CLAIMS = {
    "dict": ("dict[str, int]", "domain=(0, 50)"),
    "numbered": ("dict[int, int]", "domain=(0, 50)"),
    "set": ("set[int]", "domain=(0, 50)"),
    "texts": ("frozenset[str]", 'domain=["a", "b", "c", "d"]'),
    "series": ("pd.Series", "domain=(0, 50)"),
    "polars series": ("pl.Series", "domain=(0, 50)"),
    "polars": ("pl.DataFrame", "domain=SURVEY"),
    "towns": ("pl.DataFrame", "domain=TOWNS"),
    "matrix": ("np.ndarray", "domain=SURVEY"),
    "mixed": ("np.ndarray", "domain=MIXED"),
    "tuples": ("list[tuple[int, int]]", "domain=SURVEY"),
    "lists": ("list[list[int]]", "domain=SURVEY"),
    "objects": ("list[Person]", "domain=SURVEY"),
    "person": ("Person", "domain=SURVEY"),
    "records": ("tuple[Row, ...]", "domain=SURVEY"),
    "paid": ("list[Paid]", "domain=SURVEY"),
    "looked": ("list[Looked]", "domain=SURVEY"),
    "held": ("list[Held]", "domain=SURVEY"),
    "later": ("list[Later]", "domain=SURVEY"),
    "boss": ("list[Boss]", 'domain={"pay": (0, 10), "boss": [None]}'),
    "unknown": ("list[Elsewhere]", "domain=SURVEY"),
}


def text_of(form, relation, body):
    """A module with a mechanism."""
    annotation, domain = CLAIMS[form]
    claim = f'@dp(epsilon=1.0, neighbors="{relation}", {domain})\n'
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = HEAD + claim + f'def release(rng, data: "{annotation}"):\n' + lines
    if form in ("objects", "person", "records", "paid", "looked", "held", "later", "boss"):
        text = text.replace(f'"{annotation}"', annotation)
    if form == "later":
        text += "\n\nLater.pay = property(lambda self: self.age**2, lambda self, value: None)\n"
    return text


def proof(folder, form, relation, body):
    return search(*of_text(folder, text_of(form, relation, body), "release"), 10.0).proof


RIGHT = {
    ("dict", "add-remove"): ["return sum(data.values()) + rng.laplace(scale=50)"],
    ("numbered", "add-remove"): [
        "total = 0\nfor one in data.values():\n    total += min(one, 10)\nreturn total + rng.laplace(scale=10)",
        "return len([one for one in data.values() if one > 3]) + rng.laplace(scale=1)",
        "return len(data) + rng.laplace(scale=1)",
        "return max(data, default=-1) + rng.laplace(scale=1)",
        "return sum(data[key] for key in data) + rng.laplace(scale=50)",
        "return sum(one for key, one in data.items() if data[key] < 9) + rng.laplace(scale=8)",
    ],
    ("set", "add-remove"): [
        "return len(data) + rng.laplace(scale=1)",
        "return len(data | {1}) + rng.laplace(scale=1)",
        "return len(data | {1, 2, 1}) + rng.laplace(scale=1)",
        "return (3 in data) + rng.laplace(scale=1)",
        "return sum(data) + rng.laplace(scale=50)",
        "return sum(1 for one in data if one > 3) + rng.laplace(scale=1)",
    ],
    ("texts", "replace-one"): [
        'return len(data) + rng.laplace(scale=0.1), ("a" in data) + rng.laplace(scale=1)',
        'return ("a" not in data) + rng.laplace(scale=1)',
    ],
    ("series", "replace-one"): [
        "return data.sum() + rng.laplace(scale=50)",
        "return data.clip(0, 10).sum() + rng.laplace(scale=10)",
        "return data.sum() / len(data) + rng.laplace(scale=50)",
    ],
    ("polars series", "replace-one"): ["return data.sum() + rng.laplace(scale=50)"],
    ("polars", "add-remove"): [
        'return data["age"].sum() + rng.laplace(scale=100)',
        'return data["age"].clip(0, 20).sum() + rng.laplace(scale=20)',
        "return len(data) + rng.laplace(scale=1)",
    ],
    ("matrix", "add-remove"): [
        "return data[:, 1].sum() + rng.laplace(scale=10)",
        "return data[:, -1].clip(0, 5).sum() + rng.laplace(scale=5)",
        "return [one + rng.laplace(scale=110) for one in data.sum(axis=0)]",
    ],
    ("tuples", "add-remove"): [
        "return sum(pay for age, pay in data) + rng.laplace(scale=10)",
        "return sum(row[1] for row in data if row[0] > 30) + rng.laplace(scale=10)",
        "total = 0\nfor age, pay in data:\n    if age > 3:\n        total += pay\nreturn total + rng.laplace(scale=10)",
    ],
    ("lists", "add-remove"): ["return sum(row[-1] for row in data) + rng.laplace(scale=10)"],
    ("objects", "add-remove"): [
        "return sum(one.pay for one in data if one.age > 30) + rng.laplace(scale=10)",
        "total = 0\nfor one in data:\n    total += one.pay\nreturn total + rng.laplace(scale=10)",
        "return len(data) + rng.laplace(scale=1)",
    ],
    ("records", "replace-one"): ["return sum(one.pay for one in data) + rng.laplace(scale=10)"],
    ("person", "any"): ["return data.pay + rng.laplace(scale=10)"],
}


@pytest.mark.parametrize(
    ("form", "relation", "body"),
    [(form, relation, body) for (form, relation), bodies in RIGHT.items() for body in bodies],
)
def test_right_ones(tmp_path, form, relation, body):
    found = proof(tmp_path, form, relation, body)

    assert found is not None
    assert found.scope.full


WRONG = {
    ("dict", "add-remove"): [
        "return sum(data.values()) + rng.laplace(scale=49)",
        "return len(data) + rng.laplace(scale=0.9)",
        "return max(data) + str(rng.laplace(scale=1))",
        "return sum(len(key) for key in data) + rng.laplace(scale=1)",
        "return sum(1 for key in data.keys() if key != 'a') + rng.laplace(scale=0.5)",
        "return len(sum(data.values(), [])) + rng.laplace(scale=1)",
        "return list(data)[0] == 'a', rng.laplace(scale=50)",
        "return sum(data.values()) + rng.laplace(scale=50), data",
        "return sum(data.values()) + rng.laplace(scale=50), 'a' in data",
        "return sum(data.values()) + rng.laplace(scale=50), bool(data)",
        "data['a'] = 0\nreturn sum(data.values())",
        "data = {'a': 1000 * sum(data.values())}\nreturn sum(data.values()) + rng.laplace(scale=50)",
        "return list(data.values())",
        "more = data\nmore['z'] = 100 * len(data)\nreturn sum(data.values()) + rng.laplace(scale=50)",
    ],
    ("numbered", "add-remove"): [
        "return max(data, default=-1) + rng.laplace(scale=0.9)",
        "return max(data, default=-2) + rng.laplace(scale=1)",
        "return max(data, default=5) + rng.laplace(scale=1)",
        "return min(data, default=-1) + rng.laplace(scale=0.5)",
        "return sum(data[key] for key in data if key > 0) + rng.laplace(scale=50)",
        "return sum(data[key] for key in data) + rng.laplace(scale=49)",
        "total = 0\nfor key, one in data.items():\n    one = 1\n    total += data[key]\nreturn total + rng.laplace(1)",
        "return sum(data[0] for key in data) + rng.laplace(scale=50)",
        "return sum(data) + rng.laplace(scale=50)",
        "return sum(key for key in data) + rng.laplace(scale=50)",
        "return sum(key * one for key, one in data.items()) + rng.laplace(scale=50)",
        "return data[0] + rng.laplace(scale=50)",
        "return data.get(3, 0) + rng.laplace(scale=50), len(data)",
        "return sum(data.values()) + len(data) + rng.laplace(scale=50)",
        "return len(data.keys()) + rng.laplace(scale=0.9)",
        "return max(data.values(), default=0) + rng.laplace(scale=49)",
        "return sum(data.values()) + rng.laplace(scale=25) + len(data)",
    ],
    ("set", "add-remove"): [
        "return len(data) + rng.laplace(scale=0.9)",
        "return len(data | {1}) + rng.laplace(scale=0.9)",
        "return len(data | {one for one in range(len(data))}) + rng.laplace(scale=0.5)",
        "return len(data | data) + rng.laplace(scale=0.5)",
        "return 3 in data",
        "return (3 in data) + rng.laplace(scale=0.9)",
        "return (3 in data) + (4 in data) + (5 in data) + rng.laplace(scale=0.9)",
        "return sum(data) + rng.laplace(scale=49)",
        "return list(data)[0] + rng.laplace(scale=1)",
        "return sum([one + rng.laplace(scale=50) for one in data])",
        "return [one + rng.laplace(scale=50) for one in data]",
        "total = 0\nfor one in data:\n    total = 2 * total + one\nreturn total + rng.laplace(scale=50)",
        "data.add(99)\nreturn len(data) + rng.laplace(scale=0.5)",
        "return sum(one * len(data) for one in data) + rng.laplace(scale=50)",
    ],
    ("texts", "replace-one"): [
        'return len(data) + rng.laplace(scale=1), "a" in data',
        'return ("a" in data) + rng.laplace(scale=0.9)',
        'return ("a" in data) + rng.laplace(scale=1), ("b" in data) + rng.laplace(scale=1)',
    ],
    ("series", "replace-one"): [
        "return data.sum() + rng.laplace(scale=49)",
        "return data.clip(0, 10).sum() + rng.laplace(scale=9)",
        "return data.mean() + rng.laplace(scale=49)",
        "return data.max() + rng.laplace(scale=49)",
        "return data.min()",
        "return (2 * data).sum() + rng.laplace(scale=50)",
        "return data.diff().sum() + rng.laplace(scale=50)",
        "return data.cumsum().sum() + rng.laplace(scale=50)",
        "return data.clip(0, 100).sum() + rng.laplace(scale=49)",
        "return data[0] + rng.laplace(scale=49)",
        "data[0] = 3\nreturn data.sum() + rng.laplace(scale=49)",
        "return data.value_counts().sum(), data.sum() + rng.laplace(scale=49)",
        "return data.prod() + rng.laplace(scale=50)",
    ],
    ("series", "add-remove"): [
        "return data.max() + rng.laplace(scale=50)",
        "return data.mean() + rng.laplace(scale=50)",
        "return data.min() + rng.laplace(scale=50)",
    ],
    ("polars series", "replace-one"): [
        "return data.sum() + rng.laplace(scale=49)",
        "return data.clip(0, 10.5).sum() + rng.laplace(scale=10)",
        "return data.sum(), rng.laplace(scale=50)",
        "return data.sum() + data.sum() + rng.laplace(scale=50)",
        "return data.shift(1).sum() + rng.laplace(scale=49)",
        "return data.to_list()[0] + rng.laplace(scale=49)",
        "return (data * 2).sum() + rng.laplace(scale=50)",
        "return data.max() + rng.laplace(scale=49)",
        "return data.mean() + rng.laplace(scale=49)",
        "return data.cum_sum().sum() + rng.laplace(scale=50)",
        "return data.item(0) + rng.laplace(scale=49)",
    ],
    ("polars", "add-remove"): [
        'return data["age"].sum() + rng.laplace(scale=99)',
        'return data["age"].clip(0, 20).sum() + rng.laplace(scale=19)',
        "return len(data) + rng.laplace(scale=0.9)",
        'return data["age"].sum() + rng.laplace(scale=100), data["pay"].sum() + rng.laplace(scale=10)',
        'return (data["age"] + data["pay"]).sum() + rng.laplace(scale=100)',
        'return data["age"].mean() + rng.laplace(scale=100)',
        'return data["age"].max() + rng.laplace(scale=100)',
        'return data["age"][0] + rng.laplace(scale=100)',
        'return data["age"].sum() + rng.laplace(scale=100), len(data)',
        'data = data * 2\nreturn data["age"].sum() + rng.laplace(scale=100)',
        'return data.sum()["age"] + rng.laplace(scale=99)',
        'return data["age"].n_unique() + rng.laplace(scale=0.5)',
    ],
    ("towns", "add-remove"): [
        'return data["town"].max() + str(rng.laplace(scale=1))',
        'return data["town"].sum(), rng.laplace(scale=1)',
    ],
    ("matrix", "add-remove"): [
        "return data[:, 0].sum() + rng.laplace(scale=10)",
        "return data[:, -2].sum() + rng.laplace(scale=10)",
        "return data[:, 1].clip(0, 5).sum() + rng.laplace(scale=4)",
        "return [one + rng.laplace(scale=100) for one in data.sum(axis=0)]",
        "return [one + rng.laplace(scale=110) for one in data.sum(axis=1)]",
        "return data.sum() + rng.laplace(scale=100)",
        "return data[0].sum() + rng.laplace(scale=110)",
        "return data[0:, 1].sum() + rng.laplace(scale=9)",
        "return data[:, 1].mean() + rng.laplace(scale=10)",
        "return data[:, True].sum() + rng.laplace(scale=10)",
        "return data.shape[0] + rng.laplace(scale=0.9)",
        "return len(data[:, 1]) + rng.laplace(scale=0.9)",
        "return data[:, 2].sum() + rng.laplace(scale=100)",
        "data[:, 1] = data[:, 0]\nreturn data[:, 1].sum() + rng.laplace(scale=10)",
    ],
    ("mixed", "add-remove"): ["return data[:, 1].sum() + rng.laplace(scale=9)"],
    ("tuples", "add-remove"): [
        "return sum(pay for age, pay in data) + rng.laplace(scale=9)",
        "return sum(pay for pay, age in data) + rng.laplace(scale=10)",
        "return sum(row[0] for row in data) + rng.laplace(scale=10)",
        "return sum(row[-2] for row in data) + rng.laplace(scale=10)",
        "return sum(_ for _, _ in data) + rng.laplace(scale=9)",
        "return sum(x for row in data for x in row) + rng.laplace(scale=100)",
        "total = 0\nfor row, pay in data:\n    pay = row\n    total += pay\nreturn total + rng.laplace(scale=10)",
        "total = 0\nfor age, pay in data:\n    total += pay\nreturn total + rng.laplace(scale=10), pay",
        "total = 0\nfor age, pay in data:\n    total += pay\nfor pay, age in data:\n    total += pay\n"
        "return total + rng.laplace(scale=10)",
        "return data[0][1] + rng.laplace(scale=10)",
        "return sum(a + b for a, b in data) + rng.laplace(scale=100)",
        "return sum(age for age, pay, more in data) + rng.laplace(scale=99)",
        "return sum(row[True] for row in data) + rng.laplace(scale=9)",
        "return len(data) + rng.laplace(scale=0.9)",
        "return max(data)[1] + rng.laplace(scale=9)",
    ],
    ("lists", "add-remove"): [
        "for row in data:\n    row[1] = row[0]\nreturn sum(row[1] for row in data) + rng.laplace(scale=10)",
        "for row in data:\n    row.append(100)\nreturn sum(row[-1] for row in data) + rng.laplace(scale=10)",
        "first = data[0]\nfirst[1] = 100\nreturn sum(row[1] for row in data) + rng.laplace(scale=10)",
        "data.append([100, 100 * len(data)])\nreturn sum(row[1] for row in data) + rng.laplace(scale=10)",
        "rows = data\nrows.reverse()\nreturn [row[1] for row in rows][0] + rng.laplace(scale=9)",
        "return sum(row[1] for row in data) + rng.laplace(scale=9)",
        "return sum(row[0] for row in data) + rng.laplace(scale=99)",
        "return sum(row[-1] for row in data) + rng.laplace(scale=9)",
        "return sum(sum(row) for row in data) + rng.laplace(scale=100)",
        "return sum(len(row) for row in data) + rng.laplace(scale=1)",
        "kept = []\nfor row in data:\n    kept.append(row)\nreturn kept",
    ],
    ("objects", "add-remove"): [
        "return sum(one.pay for one in data) + rng.laplace(scale=9)",
        "return sum(one.age for one in data) + rng.laplace(scale=10)",
        "return sum(one.older() for one in data) + rng.laplace(scale=100)",
        "return sum(pay_of(one) for one in data) + rng.laplace(scale=9)",
        "return sum(one.pay + one.age for one in data) + rng.laplace(scale=100)",
        "for one in data:\n    one.pay = one.age\nreturn sum(one.pay for one in data) + rng.laplace(scale=10)",
        "for one in data:\n    one.pay += 90\nreturn sum(one.pay for one in data) + rng.laplace(scale=10)",
        "for one in data:\n    setattr(one, 'pay', 99)\nreturn sum(one.pay for one in data) + rng.laplace(scale=10)",
        "for one in data:\n    one.__dict__['pay'] = 99\nreturn sum(one.pay for one in data) + rng.laplace(scale=10)",
        "return data[0].pay + rng.laplace(scale=10)",
        "return [one.pay for one in data]",
        "return [one for one in data]",
        "return sum(one.pay for one in data) + rng.laplace(scale=10), len(data)",
        "return len(data) + rng.laplace(scale=0.9)",
        "return sum(hash(one) for one in data) + rng.laplace(scale=10)",
    ],
    ("records", "replace-one"): [
        "return sum(one.pay for one in data) + rng.laplace(scale=9)",
        "return sum(one[0] for one in data) + rng.laplace(scale=10)",
        "return sum(age for age, pay in data) + rng.laplace(scale=10)",
        "return sum(one._replace(pay=one.age).pay for one in data) + rng.laplace(scale=10)",
        "return sum(max(one) for one in data) + rng.laplace(scale=10)",
        "return sum(one.age for one in data) + rng.laplace(scale=10)",
        "return data[0].pay + rng.laplace(scale=9)",
        "return [one.pay for one in data]",
        "return sum(one.index(3) for one in data) + rng.laplace(scale=0.5)",
        "return sum(one.count(3) for one in data) + rng.laplace(scale=0.5)",
        "return sum(one.pay * one.age for one in data) + rng.laplace(scale=100)",
    ],
    ("person", "any"): [
        "return data.pay + rng.laplace(scale=9)",
        "return data.age + rng.laplace(scale=10)",
        "return data.older() + rng.laplace(scale=99)",
        "return pay_of(data) + rng.laplace(scale=9)",
        "return data.pay + data.age + rng.laplace(scale=100)",
        "return data.pay * 2 + rng.laplace(scale=10)",
        "data.pay = data.age\nreturn data.pay + rng.laplace(scale=10)",
        "one = data\none.pay = 10 * one.age\nreturn data.pay + rng.laplace(scale=10)",
        "return data.pay + rng.laplace(scale=10), data.age > 50",
        "return data",
        "return data.pay + rng.laplace(scale=10) if data.age > 50 else 0",
        "return data.pay + rng.laplace(scale=10), data == Person(0, 0)",
    ],
    ("paid", "add-remove"): ["return sum(one.pay for one in data) + rng.laplace(scale=10)"],
    ("looked", "add-remove"): ["return sum(one.pay for one in data) + rng.laplace(scale=10)"],
    ("held", "add-remove"): ["return sum(one.pay for one in data) + rng.laplace(scale=10)"],
    ("later", "add-remove"): ["return sum(one.pay for one in data) + rng.laplace(scale=10)"],
    ("boss", "add-remove"): ["return sum(one.boss.pay for one in data) + rng.laplace(scale=10)"],
    ("unknown", "add-remove"): ["return sum(one.pay for one in data) + rng.laplace(scale=10)"],
}


@pytest.mark.parametrize(
    ("form", "relation", "body"),
    [(form, relation, body) for (form, relation), bodies in WRONG.items() for body in bodies],
)
def test_wrong_ones(tmp_path, form, relation, body):
    assert proof(tmp_path, form, relation, body) is None
