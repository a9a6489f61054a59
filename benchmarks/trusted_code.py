"""On how much of the checker a proof rests: the lines of it that run while the proof is found and checked.

    python benchmarks/trusted_code.py [--seconds 30] [--folders statdp checkdp ...] [--only NAME ...]

A line that does not run has no part in a proof, right or wrong. Counted are lines of code of `dplint/proofs/checker`
that run in the whole search for one mechanism, those of attempts that came to nothing among them: so no proof rests on
more than that, beside the reading of the source, Python and z3. What runs on import is not counted. Prints a Markdown
table with the median and the largest number for each folder, and how many lines of code the checker has in all.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402
from benchmarks.proofs import FOLDERS, OTHERS  # noqa: E402
from dplint.check.programs import read_programs  # noqa: E402
from dplint.cli.overrides import settings_for  # noqa: E402
from dplint.proofs.searching import search  # noqa: E402

CHECKER = ROOT / "dplint" / "proofs" / "checker"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="for the search of one proof")
    parser.add_argument("--folders", nargs="*", default=[one for one in (*FOLDERS, *OTHERS) if one != "styles"])
    parser.add_argument("--only", nargs="*", help="names of mechanisms")
    options = parser.parse_args()
    print(described_machine(), "\n")
    print("| folder | proved | lines that run, median | largest | of |\n|---|---|---|---|---|")
    for folder in options.folders:
        rows: dict[str, int] = {}
        for file in sorted((ROOT / "fixtures" / folder).rglob("*.py")):
            for target in read_programs(file, None, settings_for(file, {})).targets:
                name = target.mechanism.qualname.rpartition(".")[2]
                if isinstance(target.lowered, tuple) or (options.only and name not in options.only):
                    continue
                found, lines = lines_run(
                    lambda target=target: search(target.lowered, target.mechanism, options.seconds)
                )
                if found.proof is not None:
                    rows[name] = lines
        if rows:
            largest = max(rows, key=lambda name: rows[name])
            print(
                f"| {folder} | {len(rows)} | {median(rows.values()):.0f} | {rows[largest]} | `{largest}` |", flush=True
            )
    whole = sum(code_lines(path.read_text()) for path in CHECKER.glob("*.py"))
    print(f"\nThe checker has {whole:,} lines of code in all.")


def lines_run(act: Callable[[], Any]) -> tuple[Any, int]:
    """What it gives, and how many lines of the checker have run."""
    run, codes = set[tuple[str, int]](), {str(one) for one in CHECKER.glob("*.py")}

    def inside(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            run.add((frame.f_code.co_filename, frame.f_lineno))
        return inside

    def entered(frame: FrameType, _event: str, _argument: object) -> Any:
        return inside if frame.f_code.co_filename in codes else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        return act(), len(run)
    finally:
        sys.settrace(before)


def code_lines(text: str) -> int:
    """Lines of statements: none that is blank, a comment, an import or a docstring."""
    tree, lines = ast.parse(text), text.splitlines()
    left_out = {number for number, line in enumerate(lines, 1) if not line.strip() or line.strip().startswith("#")}
    for node in ast.walk(tree):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or docstring:
            assert isinstance(node, ast.stmt)
            left_out |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines) - len(left_out)


if __name__ == "__main__":
    main()
