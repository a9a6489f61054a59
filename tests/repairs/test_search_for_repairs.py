"""Repairs end to end: found after the verdict, judged before they are told, written by `--fix`, remembered."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check.buffers import BufferReader
from dplint.check.checking import check_text
from dplint.check.loading import Target, load_targets
from dplint.check.repairing import Lowerings, Search, search, seconds_for_repairs, wants_repairs
from dplint.claims import Numerics
from dplint.config import Settings
from dplint.jobs import AuditJob
from dplint.outcomes import BySource, Known, Repair, Repaired, Result, Sizes, Violation
from dplint.proofs.searching import search as proof_search
from dplint.report.gathered import gather
from dplint.report.repair_words import repair_title, repair_words
from dplint.report.summary import remarks
from dplint.store import CacheFolder
from tests.report.report_samples import LISTS, PROVED

WRONG = """from dplint import dp


@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=4 / epsilon)  # a fourth of epsilon
    output = []
    count = 0
    for query in queries:
        noisy = query + rng.laplace(scale=4 / (3 * epsilon))  # and the rest?
        if noisy > threshold:
            output.append(True)
            count += 1
            if count >= N:
                break
        else:
            output.append(False)
    return output
"""
"""Lee and Clifton (2014), iSVT3: by Lyu et al. (VLDB 2017) it takes a scale of 8 * N / (3 * epsilon)."""
SETTINGS = Settings(profile="commit", cache=False, jobs=2)


def checked(text: str, tmp_path: Path, **changes: object) -> list[object]:
    path = tmp_path / "release.py"
    path.write_text(text)
    return list(check_text(text.encode(), path, replace(SETTINGS, **changes)))


@pytest.mark.process
def test_a_published_bug_gets_the_published_repair(tmp_path: Path) -> None:
    events = checked(WRONG, tmp_path, budget=60.0)
    kinds = [type(one) for one in events]

    assert kinds.index(Result) < kinds.index(Repaired)
    (found,) = gather(events).results
    best = found.repairs[0]
    assert best.known is Known.PROVED
    assert "+        noisy = query + rng.laplace(scale=8 * N / (3 * epsilon))  # and the rest?\n" in best.diff
    assert [line[0] for line in best.diff.splitlines()[3:] if line[0] in "+-"] == ["-", "+"]


@pytest.mark.process
def test_a_check_that_has_looked_long_enough_says_of_how_many_it_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has asked for repairs: who adopts dplint in a large project waits for verdicts, not for all repairs."""
    monkeypatch.setattr("dplint.check.repaired.TOGETHER", -1.0)
    gathered = gather(checked(WRONG, tmp_path, budget=10.0))
    assert gathered.results[0].repairs == ()
    assert "No repair was looked for of 1 violation" in " ".join(remarks(gathered))
    asked = gather(checked(WRONG, tmp_path, budget=10.0, repairs=True))
    assert asked.results[0].repairs, "who asks gets all"
    assert asked.unrepaired == 0


@pytest.mark.process
def test_nothing_is_looked_for_where_that_is_not_wanted(tmp_path: Path) -> None:
    for changes in ({"repairs": False}, {"runs": 20_000}):
        assert not any(isinstance(one, Repaired) for one in checked(WRONG, tmp_path, **changes))


def test_violations_of_machine_numbers_and_contradictions_are_left_alone() -> None:
    assert wants_repairs(LISTS.outcome, SETTINGS)
    assert not wants_repairs(replace(LISTS.outcome, numerics=Numerics.MACHINE), SETTINGS)
    assert not wants_repairs(LISTS.outcome, replace(SETTINGS, static_only=False, method="statdp"))


@pytest.mark.process
def test_what_an_audit_refutes_is_never_told(tmp_path: Path) -> None:
    """The source alone says that a candidate is proved, and the audit of its text says that it is not."""
    (found,) = [one for one in checked(WRONG, tmp_path, repairs=False) if isinstance(one, Result)]
    target = BufferReader().target(tmp_path / "release.py", WRONG, SETTINGS, "above")
    assert target is not None
    assert isinstance(found.outcome, Violation)
    looking = search(target.mechanism, target.program, WRONG, found.outcome, SETTINGS, seconds=60.0)
    repairs, audited = answered(looking, target, found.outcome)
    assert audited > 0
    assert repairs == ()


def answered(looking: Search, target: Target, outcome: Violation) -> tuple[tuple[Repair, ...], int]:
    """What comes of a search in which the source alone proves all, and every audit refutes it; how many there were."""
    reader, audited, whole = BufferReader(), 0, replace(PROVED, scope=replace(PROVED.scope, sizes=Sizes(0, None)))
    path = Path(target.mechanism.path)
    try:
        asked = next(looking)
        while True:
            if isinstance(asked, Lowerings):
                asked = looking.send(
                    [reader.target(path, text, SETTINGS, target.mechanism.qualname) for text in asked.texts]
                )
                continue
            audited += sum(isinstance(job, AuditJob) for job in asked.jobs)
            asked = looking.send(
                [outcome if isinstance(job, AuditJob) else BySource(proved=whole) for job in asked.jobs]
            )
    except StopIteration as end:
        return end.value, audited


def command(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dplint", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


SHORT = """from dplint import dp


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, value: float, epsilon):
    return value + rng.laplace(scale=0.5 / epsilon)  # half
"""


def test_a_hook_does_not_wait_for_them_unless_they_are_asked_for() -> None:
    assert seconds_for_repairs(replace(SETTINGS, budget=2.0)) == 0
    assert seconds_for_repairs(replace(SETTINGS, budget=2.0, repairs=True)) > 0
    assert seconds_for_repairs(replace(SETTINGS, budget=30.0)) == 15
    assert seconds_for_repairs(replace(SETTINGS, budget=30.0, repairs=False)) == 0


@pytest.mark.process
def test_fix_writes_what_is_proved_and_the_next_check_is_green(tmp_path: Path) -> None:
    (tmp_path / "release.py").write_text(SHORT)
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nrepairs = true\n")

    shown = command("check", "release.py", "--profile", "commit", "--diff", folder=tmp_path)
    assert shown.returncode == 1
    assert "+    return value + rng.laplace(scale=1 / epsilon)  # half" in shown.stdout
    assert (tmp_path / "release.py").read_text() == SHORT

    told = command("check", "release.py", "--profile", "commit", "--format", "json", folder=tmp_path)
    (result,) = json.loads(told.stdout)["results"]
    (repair, *_) = result["repairs"]
    assert (repair["known"], result["verdict"]) == ("proved", "violation")
    # Laplace noise of scale b has a standard deviation of sqrt(2) b; here at epsilon = 0.2, by 200 runs.
    assert repair["error_after"] == pytest.approx(2**0.5 / 0.2, rel=0.25)
    assert repair["error_before"] == pytest.approx(repair["error_after"] / 2, rel=0.01)
    assert result["spend"]["low"] == pytest.approx(2, rel=1e-3)

    fixed = command("check", "release.py", "--profile", "commit", "--fix", folder=tmp_path)
    assert fixed.returncode == 0, fixed.stdout + fixed.stderr
    assert (tmp_path / "release.py").read_text() == SHORT.replace("0.5 / epsilon", "1 / epsilon")
    assert "is proved" in fixed.stdout


@pytest.mark.process
def test_repairs_are_remembered_and_a_forged_one_is_not_believed(tmp_path: Path) -> None:
    """What the cache calls proved is proved anew: one that is not is not told, and not written."""
    (tmp_path / "release.py").write_text(SHORT)
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nrepairs = true\n")
    first = command("check", "release.py", "--profile", "commit", "--format", "json", folder=tmp_path)
    again = command("check", "release.py", "--profile", "commit", "--format", "json", folder=tmp_path)
    (one,), (other,) = (json.loads(each.stdout)["results"] for each in (first, again))
    assert one["repairs"] == other["repairs"] != []

    root = tmp_path.resolve()
    store = CacheFolder(root)
    (name,) = [each.name for each in store.path.iterdir() if "1 / epsilon" in each.read_text()]
    forged = store.read(name, 1 << 24)
    assert forged is not None
    store.write(name, forged.replace(b"1 / epsilon", b".6/ epsilon"))
    told = command("check", "release.py", "--profile", "commit", "--format", "json", folder=tmp_path)
    (result,) = json.loads(told.stdout)["results"]
    assert result["verdict"] == "violation"
    assert not any(".6" in each["diff"] for each in result["repairs"])


@pytest.mark.process
def test_noise_that_somebody_wants_is_left_alone(tmp_path: Path) -> None:
    text = SHORT.replace("0.5 / epsilon", "4 / epsilon")
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nrepairs = true\n")
    silenced = text.replace("epsilon):\n", "epsilon):  # dplint: ignore[DP912] a margin that we promised\n")
    for before, after in ((silenced, silenced), (text, text.replace("4 / epsilon", "1 / epsilon"))):
        (tmp_path / "release.py").write_text(before)
        done = command("check", "release.py", "--profile", "commit", "--fix", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "release.py").read_text() == after


FIXTURES = {
    one.mechanism.qualname: one
    for one in load_targets([Path(__file__).resolve().parents[2] / "fixtures" / "repairs"], Settings())
    if isinstance(one, Target)
}


@pytest.mark.parametrize("name", sorted(name for name in FIXTURES if not name.endswith("_right")))
def test_of_the_fixtures_the_twin_is_proved_and_the_wrong_one_is_not(name: str) -> None:
    """What repairs are measured on, and with: the textbook's noise suffices, and what was published does not."""
    wrong, right = FIXTURES[name], FIXTURES[f"{name}_right"]
    assert proof_search(right.lowered, right.mechanism, 20.0, full=True).proof is not None
    assert not proof_search(wrong.lowered, wrong.mechanism, 20.0).settled


def test_words() -> None:
    one = Repair(
        title="Multiply the scale by 2", edits=(), diff="", known=Known.PROVED, error_before=1.0, error_after=2.0
    )
    assert repair_words(one) == "Multiply the scale by 2 (proved; standard deviation 1 before, 2 after)"
    assert repair_title([one]) == "1 repair, proved"
    assert repair_title([replace(one, known=Known.EXACT), one]) == "2 repairs, not proved"
    assert repair_title([]) == ""
    assert one.fix.safe
    assert not replace(one, known=Known.NOT_REFUTED).fix.safe
