"""Values that may be missing: right mechanisms that are proved for every length, and wrong ones of which nothing is."""

import pytest

from tests.proofs.proof_tools import searched

DOMAINS = {
    "none": "[(0, 9), None]",
    "nan": "[(0.0, 9.0), math.nan]",
    "both": "[(0.0, 9.0), None, math.nan]",
    "column": '{"job": ["nurse", "clerk"], "pay": [(0, 9), None]}',
}


def text_of(form, relation, body):
    """A mechanism."""
    head = f'@dp(epsilon=1.0, neighbors="{relation}", domain={DOMAINS[form]})\ndef release(rng, data):\n'
    return head + "".join(f"    {line}\n" for line in body.split("\n"))


def found(folder, form, relation, body):
    return searched(folder, text_of(form, relation, body))


RIGHT = {
    ("none", "add-remove"): [
        "return len([v for v in data if v is not None]) + rng.laplace(scale=1)",
        "return sum(v for v in data if v is not None and v > 3) + rng.laplace(scale=9)",
        "return sum(v or 0 for v in data) + rng.laplace(scale=9)",
        "return sum(0 if v is None else v for v in data) + rng.laplace(scale=9)",
        "total = 0\nfor v in data:\n    if v is not None:\n        total += v\nreturn total + rng.laplace(scale=9)",
        "return sum(1 for v in data if not (v is not None)) + rng.laplace(scale=1)",
        "return sum(1 for v in data if v is None or v > 3) + rng.laplace(scale=1)",
    ],
    ("nan", "replace-one"): [
        "return sum(v if v == v else 0.0 for v in data) + rng.laplace(scale=9)",
        "return sum(v for v in data if not math.isnan(v)) + rng.laplace(scale=9)",
        "return sum(0.0 if v != v else min(v, 2.0) for v in data) + rng.laplace(scale=2)",
    ],
    ("column", "add-remove"): [
        'return sum(p["pay"] or 0 for p in data if p["job"] == "nurse") + rng.laplace(scale=9)',
        'return sum(p["pay"] for p in data if p["pay"] is not None) + rng.laplace(scale=9)',
    ],
}


@pytest.mark.parametrize(
    ("form", "relation", "body"),
    [(form, relation, body) for (form, relation), bodies in RIGHT.items() for body in bodies],
)
def test_right_ones(tmp_path, form, relation, body):
    assert found(tmp_path, form, relation, body).settled


WRONG = {
    ("none", "add-remove"): [
        "return len([v for v in data if v is not None]) + rng.laplace(scale=0.9)",
        "return len([v for v in data if v is None])",
        "return len([v for v in data if v is None]) + rng.laplace(scale=0.9)",
        "return sum(v or 0 for v in data) + rng.laplace(scale=8)",
        "return sum(v or 1000 for v in data) + rng.laplace(scale=9)",
        "return sum(v or 0.5 for v in data) + rng.laplace(scale=9)",
        "return sum(v for v in data) + rng.laplace(scale=9)",
        "return sum(v for v in data if v is not None or v > 3) + rng.laplace(scale=9)",
        "return sum(v for v in data if v is None) + rng.laplace(scale=9)",
        "return sum(v for v in data if v) + rng.laplace(scale=8)",
        "return sum(v if v is None else 0 for v in data) + rng.laplace(scale=9)",
        "return sum(v for v in data if v == v) + rng.laplace(scale=9)",
        "return sum(v for v in data if not math.isnan(v)) + rng.laplace(scale=9)",
        "total = 0\nfor v in data:\n    if v is not None:\n        total += 1\n    total += v\n"
        "return total + rng.laplace(scale=10)",
        "total = 0\nfor v in data:\n    if v is None:\n        return 0\n    total += v\n"
        "return total + rng.laplace(scale=9)",
        "total = 0\nfor v in data:\n    v = None\n    if v is not None:\n        total += v\nreturn len(data)",
        "for v in data:\n    if v is not None:\n        for v in data:\n            "
        "if v > 3:\n                return 1\nreturn rng.laplace(scale=9)",
        "try:\n    return sum(v for v in data) + rng.laplace(scale=9)\nexcept TypeError:\n    return len(data)",
        "return None in data, rng.laplace(scale=9)",
        "return data.count(None) + rng.laplace(scale=0.5)",
        'return sum(v["value"] for v in data) + rng.laplace(scale=9)',
        'return sum(v["value is known"] for v in data) + rng.laplace(scale=1)',
    ],
    ("nan", "replace-one"): [
        "return sum(v if v == v else 0.0 for v in data) + rng.laplace(scale=8)",
        "return sum(v if v == v else 20.0 for v in data) + rng.laplace(scale=9)",
        "return sum(v for v in data) + rng.laplace(scale=9)",
        "return sum(v if v != v else 0.0 for v in data) + rng.laplace(scale=9)",
        "return sum(v for v in data if v is not None) + rng.laplace(scale=9)",
        "return sum(v or 0.0 for v in data) + rng.laplace(scale=9)",
        "return sum(min(max(v, 0.0), 9.0) for v in data) + rng.laplace(scale=9)",
        "return sum(v for v in data if math.isnan(v)) + rng.laplace(scale=9)",
        "return sum(0.0 if v == v else v for v in data) + rng.laplace(scale=9)",
        "return sum(1 for v in data if v != v) + rng.laplace(scale=0.9)",
        "return sum(v for v in data if v == v) / len([v for v in data if v == v]) + rng.laplace(scale=1)",
        "return sum(1.0 for v in data if v == data[0]) + rng.laplace(scale=0.5)",
    ],
    ("both", "replace-one"): [
        "return sum(v for v in data if v is not None) + rng.laplace(scale=9)",
        "return sum(v for v in data if v == v) + rng.laplace(scale=9)",
    ],
    ("column", "add-remove"): [
        'return sum(p["pay"] or 0 for p in data) + rng.laplace(scale=8)',
        'return sum(p["pay"] for p in data) + rng.laplace(scale=9)',
        'return sum(p["pay"] for p in data if p["job"] is not None) + rng.laplace(scale=9)',
        'return sum(p["pay"] for p in data if p["pay"] is None) + rng.laplace(scale=9)',
        'return sum(p["pay"] or 10 for p in data) + rng.laplace(scale=9)',
        'return sum(p["pay is known"] for p in data) + rng.laplace(scale=1)',
        'return sum(1 for p in data if p["pay"] is None) + rng.laplace(scale=0.9)',
        'return sum(1 for p in data if p["pay"] is None)',
        'for p in data:\n    p["pay"] = 100\nreturn sum(p["pay"] or 0 for p in data) + rng.laplace(scale=9)',
        'total = 0\nfor p in data:\n    if p["pay"] is not None:\n        p = {"pay": 90}\n        total += p["pay"]\n'
        "return total + rng.laplace(scale=9)",
        'return sum(p.get("pay") or 0 for p in data) + rng.laplace(scale=8)',
        "return sum(len(p) for p in data) + rng.laplace(scale=1)",
        'return [p for p in data if p["pay"] is not None]',
    ],
}


@pytest.mark.parametrize(
    ("form", "relation", "body"),
    [(form, relation, body) for (form, relation), bodies in WRONG.items() for body in bodies],
)
def test_wrong_ones(tmp_path, form, relation, body):
    result = found(tmp_path, form, relation, body)

    assert result.proof is None
    assert result.hint is None or form == "both"
