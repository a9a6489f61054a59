"""Names for problems that stay the same while a file is edited, so that other tools know them again.

The baseline: problems that are known and accepted, so that only new ones are reported.

A problem is known by its fingerprint, which lines that move do not change. A verdict is known together with the digest
of its mechanism: one that was changed since is looked at anew, since what was accepted is not what is there now.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias, assert_never

from dplint.outcomes import CheckError, Failed, Finding, Result, Silenced, SilencedBy
from dplint.report.gathered import Gathered, Problem, SharedFailure, code_of
from dplint.source.notebooks import split_cell

SourceLine: TypeAlias = Callable[[str, int], str | None]
"""Gives the text of a line of a file, counted from 1; None where there is none to be had."""

_NUMBER = re.compile(r"\d+")


def fingerprints(problems: Sequence[Problem], source: SourceLine) -> list[str]:
    """The fingerprint of each problem, all different.

    Line numbers are no part of it. A verdict is known by its code, file and function, whatever the data and numbers of
    its counterexample; a finding by its code, file, function and the text of its line, however that is indented;
    those that agree in all of it by their order.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for problem in problems:
        key = _key(problem, source)
        seen[key] += 1
        found.append(hashlib.sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "replace")).hexdigest()[:32])
    return found


def _key(problem: Problem, source: SourceLine) -> tuple[str, ...]:
    match problem:
        case Result():
            return (
                "verdict",
                code_of(problem.outcome) or "",
                split_cell(problem.mechanism.file)[0],
                problem.mechanism.qualname,
            )
        case Finding():
            line = source(problem.file, problem.span.line)
            # Without the source the message must do, less the numbers of lines and the like in it.
            text = _NUMBER.sub("", problem.message) if line is None else " ".join(line.split())
            return "finding", problem.code, split_cell(problem.file)[0], problem.function or "", text
        case CheckError():
            return "error", split_cell(problem.file)[0], _NUMBER.sub("", problem.message)
        case SharedFailure():
            return "failure", problem.failed.scope.value, split_cell(problem.file)[0]
        case _:
            assert_never(problem)


_FORMAT = 1
Rename = Callable[[str], str]
"""Gives the name of a file as the baseline has it, whatever the working directory."""


class BaselineError(Exception):
    """A text that is no baseline."""


def baseline_text(gathered: Gathered, source: SourceLine, rename: Rename) -> str:
    """The baseline of all that is reported, also of what an earlier one knows: JSON, one problem a line."""
    known = [one.item for one in gathered.known]
    named = _named([*_accepted(gathered), *known], source, rename)
    entries = sorted(
        (
            {"file": file, "function": function, "code": code, "fingerprint": name}
            for name, file, function, code in named
        ),
        key=lambda entry: (entry["file"], entry["function"] or "", entry["code"], entry["fingerprint"]),
    )
    lines = ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
    return f'{{\n  "dplint-baseline": {_FORMAT},\n  "problems": [\n{lines}\n  ]\n}}\n'


def read_baseline(text: str) -> frozenset[str]:
    """The fingerprints of a baseline.

    Raises:
        BaselineError: the text is no baseline, or one of another version.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise BaselineError("is no JSON") from None
    match document:
        case {"dplint-baseline": int(version), "problems": list(problems)} if version == _FORMAT:
            names = [entry.get("fingerprint") if isinstance(entry, dict) else None for entry in problems]
        case _:
            raise BaselineError("is no baseline of this version of dplint")
    if not all(isinstance(name, str) for name in names):
        raise BaselineError("holds a problem without a fingerprint")
    return frozenset(name for name in names if isinstance(name, str))


def without_known(gathered: Gathered, baseline: frozenset[str], source: SourceLine, rename: Rename) -> Gathered:
    """What is new; what the baseline knows is only counted. Errors and failed audits are never known."""
    items = _accepted(gathered)
    named = _named(items, source, rename)
    known = {id(item) for item, (name, *_) in zip(items, named, strict=True) if name in baseline}
    return replace(
        gathered,
        results=tuple(one for one in gathered.results if id(one) not in known),
        findings=tuple(one for one in gathered.findings if id(one) not in known),
        known=tuple(Silenced(item, SilencedBy.BASELINE) for item in items if id(item) in known),
    )


def _accepted(gathered: Gathered) -> list[Finding | Result]:
    """What a baseline may know, in the order in which problems that agree are counted."""
    results = [one for one in gathered.results if code_of(one.outcome) and not isinstance(one.outcome, Failed)]
    return [*results, *gathered.findings]


def _named(items: list[Finding | Result], source: SourceLine, rename: Rename) -> list[tuple[str, str, str | None, str]]:
    """Fingerprint, file, function and code of each."""
    moved = [_renamed(item, rename) for item in items]
    names = {rename(_file(item)): _file(item) for item in items}
    prints = fingerprints(moved, lambda file, line: source(names[file], line))
    return [_entry(item, name) for item, name in zip(moved, prints, strict=True)]


def _file(item: Finding | Result) -> str:
    return item.file if isinstance(item, Finding) else item.mechanism.file


def _renamed(item: Finding | Result, rename: Rename) -> Finding | Result:
    if isinstance(item, Finding):
        return replace(item, file=rename(item.file))
    return replace(item, mechanism=replace(item.mechanism, file=rename(item.mechanism.file)))


def _entry(item: Finding | Result, name: str) -> tuple[str, str, str | None, str]:
    if isinstance(item, Finding):
        return name, item.file, item.function, item.code
    mechanism = item.mechanism
    both = hashlib.sha256(f"{name} {mechanism.digest}".encode()).hexdigest()[:32]
    return both, mechanism.file, mechanism.qualname, code_of(item.outcome) or ""
