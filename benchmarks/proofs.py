"""What is proved of the mechanisms in the fixtures, within which scope, and how long it takes.

    python benchmarks/proofs.py [--seconds 30] [--others | --all] [--compared] [--prototype] [--only NAME ...]

One mechanism after the other in this process, as an audit would ask for a proof. Prints a Markdown table: the proved
scope, or the reason why there is none, and CPU seconds. Exit code 1 if a mechanism that the
tables of truth call wrong is proved for every length; whether one is right in real numbers is not said where it is
wrong in those of a machine, which its claim is about. With --others, the fixtures that are about outputs, libraries,
pipelines and inputs in place of mechanisms; which of them are right their names and docstrings say; with --all, all
fixtures, and how many of the right ones are proved in each folder. With --compared, each proof is compared with its
function as an audit does it, and counts only if it stands; the seconds are with that. With --prototype,
only what the first sketch of the method had proved, beside its scopes and CPU seconds, which were written down on
another machine (`proofs_prototype.json`): it had no checker of its own, and proofs for few values are added up over the
lengths.
"""

from __future__ import annotations

import argparse
import ast
import functools
import json
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402
from dplint.audit.proving.compared import confirmed  # noqa: E402
from dplint.audit.run_blocks import NotOnLanes  # noqa: E402
from dplint.audit.session import AuditSession  # noqa: E402
from dplint.audit.settings import claim_settings  # noqa: E402
from dplint.check.programs import obstacles, read_programs  # noqa: E402
from dplint.claims import Numerics  # noqa: E402
from dplint.cli.overrides import settings_for  # noqa: E402
from dplint.jobs import AuditJob, AuditSettings  # noqa: E402
from dplint.outcomes import Proved  # noqa: E402
from dplint.program.nodes import Opaque, Program  # noqa: E402
from dplint.program.walk import walk  # noqa: E402
from dplint.proofs.searching import Search, search  # noqa: E402
from dplint.report.proof_words import proved_words  # noqa: E402
from dplint.runner.client import RunnerError  # noqa: E402

_RIGHT = {True: "yes", False: "no", None: "not said"}
FOLDERS = ("statdp", "checkdp", "dpsniper", "dpfinder", "realistic", "arguments")
OTHERS = ("hidden", "inputs", "machine", "outputs", "pipelines", "published_bugs", "styles")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="for the search of one proof")
    parser.add_argument("--others", action="store_true", help="the fixtures that are not about mechanisms")
    parser.add_argument("--all", action="store_true", help="all fixtures")
    parser.add_argument("--compared", action="store_true", help="proofs that stand beside the function")
    parser.add_argument("--prototype", action="store_true", help="beside the times of the first sketch")
    parser.add_argument("--only", nargs="*", help="names of mechanisms")
    options = parser.parse_args()
    print(described_machine(), "\n")
    before = json.loads((ROOT / "benchmarks" / "proofs_prototype.json").read_text()) if options.prototype else {}
    heads = ["mechanism", "right", "proved, or why not", "CPU seconds"]
    heads += ["the sketch proved", "CPU seconds"] if before else []
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    unsound, sums = 0, dict[str, Counter[str]]()
    for folder in (*FOLDERS, *OTHERS) if options.all else OTHERS if options.others else FOLDERS:
        counted = sums[folder] = Counter[str]()
        for file in sorted((ROOT / "fixtures" / folder).rglob("*.py")):
            for target in read_programs(file, None, settings_for(file, {})).targets:
                name = target.mechanism.qualname.rpartition(".")[2]
                if (options.only and name not in options.only) or (before and f"{folder}/{name}" not in before):
                    continue
                right = is_right(folder, file, name)
                if target.mechanism.claim.numerics is Numerics.MACHINE and not right:
                    right = None
                words, seconds, proved, full = _searched(target, options.seconds, compared=options.compared)
                unsound += full and right is False
                if right:
                    counted.update(
                        ["right", *["read"] * _is_read(target.lowered), *["proved"] * proved, *["full"] * full]
                    )
                counted["wrong"] += right is False
                scope, took = before.get(f"{folder}/{name}", ("", 0.0))
                beside = f" {scope} | {took:.2f} |" if before else ""
                print(f"| {folder}/{name} | {_RIGHT[right]} | {words} | {seconds:.2f} |{beside}", flush=True)
    print("\n| folder | right | read in full | proved | for every length | wrong |\n|---|---|---|---|---|---|")
    for folder, counted in sums.items():
        print(f"| {folder} | {' | '.join(str(counted[key]) for key in ('right', 'read', 'proved', 'full', 'wrong'))} |")
    whole = sum(sums.values(), Counter[str]())
    print(f"\n{whole['proved']} of {whole['right']} right mechanisms are proved; {whole['read']} are read in full.")
    return 1 if unsound else 0


def _is_read(lowered: Program | tuple[object, ...]) -> bool:
    """Whether there is a program with no place that is not understood."""
    return isinstance(lowered, Program) and not any(isinstance(node, Opaque) for node in walk(lowered))


def is_right(folder: str, file: Path, name: str) -> bool | None:
    """Whether a mechanism of a file is right, by the folder's table of truth or its text; None if nothing says so."""
    return truth_of(folder).get(name, not name.endswith("leaks")) if folder in FOLDERS else _by_text(file, name)


def _by_text(file: Path, name: str) -> bool | None:
    """Whether a mechanism is right, by its name, its twin's or its docstring; None if none of these says so."""
    functions = {one.name: one for one in ast.walk(ast.parse(file.read_text())) if isinstance(one, ast.FunctionDef)}
    text = (ast.get_docstring(functions[name]) if name in functions else None) or ""
    if name.endswith("_right") or f"{name}_leaks" in functions or text.startswith("Right"):
        return True
    if name.endswith("_leaks") or f"{name}_right" in functions or text.startswith(("Leaks", "Wrong")):
        return False
    return None


@functools.cache
def truth_of(folder: str) -> dict[str, bool | None]:
    """Which mechanisms of a folder of fixtures are right, by its table of truth; nothing if it has none."""
    table = ROOT / "fixtures" / folder / "truth.json"
    if not table.exists():
        return {}
    return {row["function"].rpartition(".")[2]: row.get("right") for row in json.loads(table.read_text())["mechanisms"]}


def _searched(target, seconds: float, *, compared: bool) -> tuple[str, float, bool, bool]:
    """What is proved in words, the seconds, whether anything is, and whether for every length."""
    if isinstance(target.lowered, tuple):
        return f"not read: {obstacles(target)[0]}", 0.0, False, False
    begun = time.process_time()
    found = search(target.lowered, target.mechanism, seconds)
    proof, reason = found.proof, found.reason
    if proof is not None and compared:
        proof, reason = _confirmed(target, found)
    spent = time.process_time() - begun
    if proof is None:
        return reason, spent, False, False
    return proved_words(proof, target.mechanism.claim.epsilon), spent, True, proof.scope.settled


def _confirmed(target, found: Search) -> tuple[Proved | None, str]:
    """The proof of a search if it stands when it is compared with calls of the function, else why it does not."""
    settings = AuditSettings(interpreter=sys.executable, seed=1)
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings, lowered=target.lowered)
    try:
        with AuditSession(job, claim_settings(target.mechanism, (0.2, 0.7, 1.5)), lambda *_: None) as session:
            return confirmed(session, job, target.lowered, found), ""
    except (NotOnLanes, RunnerError) as dropped:
        return None, f"not told: {dropped}"


if __name__ == "__main__":
    sys.exit(main())
