"""Kinds of edits: what they propose, and that their own examples are what they say they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.check.buffers import BufferReader
from dplint.check.loading import Target
from dplint.config import Settings
from dplint.proofs.searching import search
from dplint.repairs import KINDS, Kind, candidates, subject_of
from dplint.source.edits import apply_edits

NOT_FOLLOWED = {"clip", "public-value"}
"""What the checker proves of these hangs on more than the edit: their examples are only made, and not proved here."""


def target_of(text: str, tmp_path: Path) -> Target:
    path = tmp_path / "example.py"
    path.write_text(text)
    name = text[text.index("def ", text.index("@dp")) + 4 :].partition("(")[0]
    found = BufferReader().target(path, text, Settings(), name)
    assert found is not None
    return found


def is_proved(target: Target) -> bool:
    found = search(target.lowered, target.mechanism, 20.0)
    if found.proof is None:
        return False
    sizes = found.proof.scope.sizes
    named = target.mechanism.claim.size
    return found.settled or (named is not None and sizes is not None and sizes.largest == max(named))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kind_makes_its_example(kind: Kind, tmp_path: Path) -> None:
    target = target_of(kind.example.before, tmp_path)
    subject = subject_of(kind.example.before, target.mechanism, target.lowered, 2.0)
    assert subject is not None

    made = [apply_edits(kind.example.before, one.edits) for one in kind.candidates(subject)]
    assert kind.example.after in made
    assert len(set(made)) == len(made)


@pytest.mark.parametrize("kind", [one for one in KINDS if one.name not in NOT_FOLLOWED], ids=lambda kind: kind.name)
def test_the_example_of_a_kind_is_proved_after_it_and_not_before(kind: Kind, tmp_path: Path) -> None:
    assert is_proved(target_of(kind.example.after, tmp_path))
    assert not is_proved(target_of(kind.example.before, tmp_path))


COMMENTED = '''from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    """Äußerst wichtig — a text with letters of several bytes."""
    threshold = T + rng.laplace(scale=2/epsilon)   # "ε/2" for the threshold
    output = []   # what is released
    for query in queries:
        if query + rng.laplace( scale = 4 / epsilon ) >= threshold:  # compared
            output.append(True)  # äöü
        else:
            output.append(False)
    return output
'''


def test_an_edit_touches_nothing_else(tmp_path: Path) -> None:
    """Comments and layout are those of before, but for the very numbers and the statements that are new."""
    target = target_of(COMMENTED, tmp_path)
    subject = subject_of(COMMENTED, target.mechanism, target.lowered, 1.5)
    assert subject is not None
    before = COMMENTED.splitlines()

    texts = {kind.name: [] for kind in KINDS}
    for kind, one in candidates(subject):
        changed = apply_edits(COMMENTED, one.edits)
        compile(changed, "changed.py", "exec")
        comments = [line.partition("#")[2] for line in changed.splitlines() if "#" in line]
        assert comments == [line.partition("#")[2] for line in before if "#" in line]
        texts[kind.name].append(changed)
    assert any("output.append(True)  # äöü\n            break\n" in one for one in texts["cut-off"])
    assert any("rng.laplace( scale = 8 / epsilon ) >= threshold:  # compared" in one for one in texts["scale"])
    assert any('scale=3 / epsilon)   # "ε/2" for the threshold' in one for one in texts["scale"])


def test_no_scale_is_proposed_against_a_loss_without_bound(tmp_path: Path) -> None:
    target = target_of(COMMENTED, tmp_path)
    subject = subject_of(COMMENTED, target.mechanism, target.lowered, float("inf"))
    assert subject is not None

    assert "scale" not in {kind.name for kind, _ in candidates(subject)}


def made_of(body: str, tmp_path: Path, head: str = 'epsilon="epsilon", neighbors="l1"', **known: object) -> list[str]:
    """The bodies that candidates make of one."""
    name = body.partition("def ")[2].partition("(")[0]
    text = f"from dplint import dp\n\n@dp({head})\n{body}"
    target = target_of(text, tmp_path)
    subject = subject_of(text, target.mechanism, target.lowered, known.pop("excess", 2.0), **known)
    assert subject is not None
    assert target.mechanism.qualname == name
    return [apply_edits(text, one.edits).partition(f"@dp({head})\n")[2] for _, one in candidates(subject)]


def test_noise_is_added_to_each_part_of_what_is_released(tmp_path: Path) -> None:
    """diffprivlib's KMeans keeps an exact number beside a noisy one, and TF-privacy had a path without noise."""
    two = "def f(rng, x: float, epsilon):\n    y = x + rng.laplace(scale=1 / epsilon)\n    z = 2 * x\n    return y, z\n"
    assert two.replace("y, z", "y, z + rng.laplace(scale=2 / epsilon)") in made_of(two, tmp_path)
    path = """def f(rng, rows, epsilon, raw: bool):
    if raw:
        return [one for one in rows]
    return [one + rng.laplace(scale=1 / epsilon) for one in rows]
"""
    assert path.replace("[one for", "[one + rng.laplace(scale=1 / epsilon) for") in made_of(path, tmp_path)


def test_the_clipped_copy_is_summed_where_there_is_one(tmp_path: Path) -> None:
    """smartnoise-sdk 622: the covariance was that of the raw data."""
    body = """def f(rng, rows):
    clipped = [min(max(one, 0.0), 1.0) for one in rows]
    return sum(rows) + rng.laplace(scale=1.0)
"""
    made = made_of(body, tmp_path, 'epsilon=1.0, neighbors="add-remove", domain=(0.0, 9.0)')
    assert body.replace("sum(rows)", "sum(clipped)") in made


def test_what_is_lost_as_often_as_an_argument_says_is_multiplied_by_it(tmp_path: Path) -> None:
    """smartnoise-sdk 472 divides by the number of dimensions; five is too much noise where there are two."""
    body = "def f(rng, x: float, epsilon, d: int):\n    return x + rng.laplace(scale=1 / (d * epsilon))\n"
    head = 'epsilon="epsilon", neighbors="l1", args={"d": (2, 5)}'
    first, second, *_ = made_of(body, tmp_path, head, excess=5.0, arguments={"d": 5})
    assert first == body.replace("1 / (d * epsilon)", "1 / epsilon")
    assert second == body.replace("1 / (d * epsilon)", "5 / (d * epsilon)")
    assert made_of(body, tmp_path, head, excess=5.0, arguments={"d": 4})[0] == second


VALUES = """def f(rng, queries, epsilon, T, N):
    output, count = [], 0
    for query in queries:
        if query >= T:
            output.append(query)
            count += 1
            if count >= N:
                break
    return output
"""


def test_a_value_that_is_compared_and_released_gets_noise_for_both(tmp_path: Path) -> None:
    """NumSVT (Dwork and Roth, 2014): a third of epsilon for each of threshold, comparison and release."""
    (made, *_) = (
        one
        for one in made_of(VALUES, tmp_path, 'epsilon="epsilon", neighbors="linf", sensitivity=2')
        if "6 *" in one or "12 *" in one
    )
    assert "    noisy_T = T + rng.laplace(scale=6 / epsilon)\n    for query in queries:\n" in made
    assert "        if query + rng.laplace(scale=12 * N / epsilon) >= noisy_T:\n" in made
    assert "            output.append(query + rng.laplace(scale=6 * N / epsilon))\n" in made


def test_no_first_noise_where_there_is_noise(tmp_path: Path) -> None:
    noisy = VALUES.replace("query >= T", "query + rng.laplace(scale=1 / epsilon) >= T")
    assert not any("noisy_T" in one for one in made_of(noisy, tmp_path))
