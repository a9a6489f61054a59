"""Runs that meet again: with masks that are weights, no weight is lost or made, whatever the control flow."""

from __future__ import annotations

from pathlib import Path

import pytest
from program_tools import lowered
from soft_masks import SoftMasks

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program

ROOT = Path(__file__).resolve().parents[2]
BODIES = {
    "if": "if rng.random() > 0.5:\n        x = 1\n    else:\n        return 2\n    return x",
    "nested": """
    if rng.random() > 0.5:
        if rng.random() > 0.5:
            return 1
        x = 2
    elif rng.random() > 0.5:
        raise ValueError
    else:
        x = 3
    return x
    """,
    "continue": "for q in xs:\n        if q + rng.laplace() > 0:\n            continue\n        out = q\n    return 1",
    "break": "for q in xs:\n        if q + rng.laplace() > 0:\n            break\n    return 1",
    "else": "for q in xs:\n        if q > rng.random():\n            break\n    else:\n        return 2\n    return 1",
    "all of them": """
    for q in xs:
        if q + rng.laplace() > 0:
            continue
        if q + rng.laplace() > 1:
            break
        if q + rng.laplace() > 2:
            return 1
        if q + rng.laplace() > 3:
            raise ValueError
    else:
        xs = []
    return xs
    """,
    "while": "while rng.random() > 0.5:\n        if rng.random() > 0.5:\n            continue\n    return 1",
    "while with break": "while True:\n        if rng.random() > 0.5:\n            break\n    return 1",
    "loop in a loop": """
    for q in xs:
        for r in xs:
            if q + r + rng.laplace() > 0:
                break
            if q - r + rng.laplace() > 0:
                continue
            return q
        else:
            continue
        if rng.random() > 0.5:
            break
    return 1
    """,
    "comprehension": "kept = [q for q in xs if q + rng.laplace() > 0 if rng.random() > 0.5]\n    return kept",
    "any": "return 1 if any(q + rng.laplace() > 0 for q in xs) or all(rng.random() > 0.5 for q in xs) else 2",
    "helper": "if _level(rng, xs[0]) > 1:\n        return 1\n    return _level(rng, xs[1])",
    "chains": "if 0 < rng.laplace() < 1 and rng.random() > 0.5 or rng.random() > 0.2:\n        return 1\n    return 2",
}
HELPER = """
def _level(rng, q):
    if q + rng.laplace() > 0:
        return 1
    if rng.random() > 0.5:
        return 2
"""


def weight(program: Program, arguments: dict[str, object], masks: SoftMasks) -> float:
    evaluate(program, masks, arguments)
    return masks.ended


@pytest.mark.parametrize("name", BODIES)
def test_all_of_the_weight_comes_to_an_end(name: str, tmp_path: Path) -> None:
    program = lowered(f"{HELPER}\n\ndef made(rng, xs):\n    {BODIES[name].strip()}\n", tmp_path)
    assert isinstance(program, Program), program

    assert weight(program, {"xs": [1.0, 2.0, 3.0]}, SoftMasks()) == pytest.approx(1.0, abs=1e-12)


def mechanisms(*files: str) -> list[Target]:
    found = [item for file in files for item in load_file(ROOT / "fixtures" / file, Settings())]
    return [item for item in found if isinstance(item, Target) and isinstance(item.program, Program)]


@pytest.mark.parametrize(
    "target",
    mechanisms(
        "statdp/sparse_vector.py",
        "statdp/noisy_max.py",
        "dpsniper/sparse_vector.py",
        "dpfinder/sparse_vector.py",
        "checkdp/sparse_values.py",
    ),
    ids=lambda target: target.mechanism.qualname,
)
def test_mechanisms_of_the_papers_keep_their_weight(target: Target) -> None:
    assert isinstance(target.program, Program)
    arguments = dict.fromkeys(target.program.parameters, 1) | {target.program.data: [1.5, 1.5, 1.5]}

    assert weight(target.program, arguments, SoftMasks()) == pytest.approx(1.0, abs=1e-12)


class Overlapping(SoftMasks):
    """Takes sets that meet for sets that may overlap."""

    def join(self, left: float, right: float) -> float:
        return self.either(left, right)


def test_a_union_of_sets_that_may_overlap_would_lose_weight(tmp_path: Path) -> None:
    """Of the weight 1, 1/2 continues and 1/4 returns; the 1/4 that is left and the 1/2 would make 5/8 together."""
    body = """
    for q in xs:
        if q + rng.laplace() > 0:
            continue
        if q + rng.laplace() > 1:
            return 1
    return 2
    """
    program = lowered(f"def made(rng, xs):\n    {body.strip()}", tmp_path)
    assert isinstance(program, Program)

    assert weight(program, {"xs": [1.0]}, Overlapping()) == 7 / 8
    assert weight(program, {"xs": [1.0]}, SoftMasks()) == 1.0
