"""Programs, scopes and certificates for tests of proofs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from dplint.check.programs import read_programs
from dplint.cli.overrides import settings_for
from dplint.outcomes import Sizes
from dplint.program.nodes import Program
from dplint.proofs.checker.bounded import BoundedCheck
from dplint.proofs.proving import LoopProof, NoProof, prove_bounded, prove_every_length
from dplint.proofs.scopes import scopes
from dplint.proofs.searching import search
from tests.examples import one_in

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
FOLDERS = ("statdp", "checkdp", "dpsniper", "dpfinder", "realistic", "arguments")


@cache
def targets(file: Path):
    """The mechanisms of a file that were lowered to programs, by name: (program, mechanism)."""
    found = read_programs(file, None, settings_for(file, {}))
    return {
        target.mechanism.qualname: (target.lowered, target.mechanism)
        for target in found.targets
        if isinstance(target.lowered, Program)
    }


def of_text(folder: Path, text: str, name: str):
    """The program and the mechanism of a function in a text."""
    file = folder / "mutant.py"
    file.write_text(text)
    return targets.__wrapped__(file)[name]  # the file has had other texts, and will have


def searched(folder: Path, text: str, seconds: float = 30.0):
    """What the search for a proof finds for the function `release` of a text, which may use `math` and `np`."""
    head = "import math\n\nimport numpy as np\n\nfrom dplint import dp\n\n\n"
    return search(*of_text(folder, head + text, "release"), seconds)


@cache
def truths():
    """(folder, name) to whether the mechanism is right, from the tables of truth that are verified on their own."""
    found = {}
    for folder in FOLDERS:
        table = FIXTURES / folder / "truth.json"
        if table.exists():
            for row in json.loads(table.read_text())["mechanisms"]:
                found[folder, row["function"].rpartition(".")[2]] = row.get("right")
    return found


def mechanisms():
    """(folder, name, program, mechanism, right) of all fixtures that have a program."""
    for folder in FOLDERS:
        for file in sorted((FIXTURES / folder).rglob("*.py")):
            for name, (program, mechanism) in targets(file).items():
                short = name.rpartition(".")[2]
                right = truths().get((folder, short), not short.endswith("leaks"))
                yield folder, short, program, mechanism, right


def check_bounded(program, mechanism, scope, certificate):
    """Raises NotProved unless the checker accepts the certificate for all of the scope."""
    check = BoundedCheck(program, mechanism, scope)
    for shape, case, groups in certificate.groups:
        check.show(shape, case, groups)
    check.finish()


def for_every_length(program, mechanism):
    """The first certificate for every length in any scope, and that scope; else why there is none."""
    last = NoProof("there is no scope")
    for scope in scopes(program, mechanism, Sizes(0, None)):
        for prove in (prove_every_length, prove_bounded):
            last = prove(program, mechanism, scope)
            if not isinstance(last, NoProof):
                return (last.certificate if isinstance(last, LoopProof) else last), scope
    return last, None


def up_to(program, mechanism, size):
    """The same for data of one size."""
    last = NoProof("there is no scope")
    for scope in scopes(program, mechanism, Sizes(size, size)):
        last = prove_bounded(program, mechanism, scope)
        if not isinstance(last, NoProof):
            return last, scope
    return last, None


def sampled(parameters, number):
    """Every so manieth by day."""
    chosen = one_in(number, range(len(parameters)))
    marks = [() if isinstance(one, int) else one.marks for one in chosen]
    return [pytest.param(*one.values, id=one.id, marks=mark) for one, mark in zip(parameters, marks, strict=True)]
