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
