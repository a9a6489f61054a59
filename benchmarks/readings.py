"""What is read out of source: every finding, suggestion and program, to compare two states of dplint by.

    python -m benchmarks.readings BEFORE.jsonl [FOLDER...]                     # write down what is read now
    python -m benchmarks.readings AFTER.jsonl [FOLDER...] --against BEFORE.jsonl

Reads the fixtures, the examples of all rules, the cases of the conformance suite, and the Python files of the folders,
such as those that `python -m benchmarks.corpus` has unpacked, all functions and with all rules. Prints how many
findings, suggestions, programs and graphs of terms there are, and with --against those that differ; exits with 1 if any
do. Places are part of what is compared, so both states must read the same files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import libcst as cst

from dplint.config import Settings, load_settings
from dplint.outcomes import Finding
from dplint.program.nodes import Program
from dplint.program.walk import refusals
from dplint.rules import RULES, check_module
from dplint.rules.context import Context
from dplint.rules.flow.terms import Graph
from dplint.rules.flow.vocabulary import scope_of
from dplint.rules.suggesting.suggesting import suggest, suggested_mechanisms
from dplint.source.certain import CertainNames
from dplint.source.lowering import lower
from dplint.source.project import ProjectIndex
from dplint.source.read import Found, SourceFile, read_source
from dplint_conformance import all_cases
from dplint_conformance.harness import claimed
from tests.rules.cases import bad, good

ROOT = Path(__file__).resolve().parent.parent
_IMPORTS = "import logging\nimport math\nimport random\n\nimport numpy as np\n\nfrom dplint import dp\n\n"
_OPT_IN = frozenset(rule.code for rule in RULES if rule.opt_in)


def sources(folders: Sequence[Path]) -> Iterator[SourceFile]:
    """Everything that is read."""
    for root in (ROOT / "fixtures", *folders):
        tables: dict[Path, Settings] = {}
        for path in sorted(root.rglob("*.py")):
            if path.parent not in tables:
                tables[path.parent] = load_settings(path.parent, {})
            file = f"{root.name}/{path.relative_to(root)}"
            yield read_source(path, file=file, table=tables[path.parent].mechanisms, without_claims=True)
    for rule in RULES:
        for number, text in enumerate((*bad(rule), *good(rule))):
            file = f"{rule.code}-{number}.py"
            yield read_source(Path(file), file=file, text=_IMPORTS + dedent(text))
    first = {case.source: case.name for case in reversed(all_cases())}
    for text, name in first.items():
        file = f"conformance-{name}.py"
        yield read_source(Path(file), file=file, text=claimed(text))


def readings(source: SourceFile) -> Iterator[dict[str, str]]:
    """What is read out of one file: each with its kind, a key, and all that is said."""
    module = source.module
    if module is None:
        return
    project = ProjectIndex(module.place)
    for one in check_module(
        module, source.mechanisms, source.file, opt_in=_OPT_IN, all_functions=True, project=project
    ):
        yield {"kind": "finding", "key": _key(source, one), "text": repr(one)}
    scope = scope_of(module, project=project)
    for two in suggest(scope, source.text, [id(one.node) for one in source.mechanisms]):
        yield {"kind": "suggestion", "key": f"{source.file}:{two.span}", "text": repr(two)}
    functions = [*source.mechanisms, *(Found(*pair) for pair in suggested_mechanisms(scope, source.file))]
    names = CertainNames(module, project)
    for found in functions:
        if isinstance(found.node, cst.FunctionDef):
            program = lower(found.node, module, found.mechanism, names)
            key = f"{source.file}:{found.mechanism.qualname}:{found.mechanism.span.line}"
            yield {"kind": "program", "key": key, "text": _text(program)}
            graph = Context(scope, found.mechanism, found.node).graph
            yield {"kind": "graph", "key": key, "text": _digest(graph)}


def _key(source: SourceFile, one: Finding) -> str:
    return f"{source.file}:{one.span.line}:{one.span.column}:{one.code}:{one.function}"


def _text(program: Program) -> str:
    """All of a program; what it refuses first."""
    parts = [*program.functions, replace(program, functions=())]
    shared = [sorted(one.shared) for one in parts]  # a set has no order
    plain = [replace(one, shared=frozenset()) for one in parts]
    return " | ".join(map(str, refusals(program))) + f"\n{plain} {shared}"


def _digest(graph: Graph) -> str:
    """How many terms there are, and a digest of what they say and how they hang together."""
    number = {term: str(place) for place, term in enumerate(graph.terms)}
    told = [
        (
            one.kind.value,
            one.name,
            [number.get(part, "?") for part in one.inputs()],
            one.keys,
            one.value if isinstance(one.value, str | int | float | bool | None) else type(one.value).__name__,
            one.loops,
            one.function,
            type(one.node).__name__,
        )
        for one in graph.terms
    ]
    shown = [(one.kind, number.get(one.term, "?"), len(one.guards), one.depth, one.function) for one in graph.sinks]
    return f"{len(told)} terms, {hashlib.sha256(repr((told, shown)).encode()).hexdigest()[:16]}"


def compared(before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    """A line for each reading that differs."""
    one, two = Counter(before), Counter(after)
    for sign, rest in (("-", one - two), ("+", two - one)):
        for line in sorted(rest):
            entry = json.loads(line)
            yield f"{sign} {entry['kind']} {entry['key']}\n    {entry['text'].partition(chr(10))[0][:400]}"


def main() -> int:
    """Write down what is read, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="a file for all readings, one a line")
    parser.add_argument("folders", type=Path, nargs="*", help="further folders with Python files")
    parser.add_argument("--against", type=Path, help="the file of another state, to compare with")
    options = parser.parse_args()
    began = time.perf_counter()
    counts: Counter[str] = Counter()
    lines = []
    for source in sources([folder.resolve() for folder in options.folders]):
        counts["file"] += 1
        for entry in readings(source):
            counts[entry["kind"]] += 1
            lines.append(json.dumps(entry))
    options.output.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    told = ", ".join(f"{number} {kind}s" for kind, number in counts.items())
    print(f"{told}, in {time.perf_counter() - began:.0f} s")
    if options.against is None:
        return 0
    different = list(compared(options.against.read_text(encoding="utf-8").splitlines(), lines))
    print(*different, f"{len(different)} differ", sep="\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
