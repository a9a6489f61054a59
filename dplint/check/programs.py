"""The programs of one file, or what keeps its mechanisms from having one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dplint.check.loading import Target, load_file
from dplint.config import Settings, hint, shown
from dplint.outcomes import CheckError, Finding
from dplint.program.nodes import Function, Program
from dplint.program.refusals import Unsupported
from dplint.program.sharing import changes_of_shared
from dplint.program.walk import refusals


@dataclass(frozen=True, slots=True)
class Programs:
    """What was read: mechanisms with their programs, and what is wrong with their claims and the file."""

    targets: tuple[Target, ...]
    findings: tuple[Finding, ...]
    errors: tuple[CheckError, ...]


def obstacles(target: Target) -> tuple[Unsupported, ...]:
    """All that stops runs that come to it: what is not understood, and what every interpretation will refuse.

    The latter is left out where no run gets so far.
    """
    found = refusals(target.lowered)
    if isinstance(target.program, Unsupported):
        return found
    parts: list[Program | Function] = [target.lowered, *target.lowered.functions]
    shared = (refused for part in parts for refused in changes_of_shared(part.body, part.shared))
    return tuple(sorted((*found, *shared), key=lambda refused: refused.span))


def read_programs(path: Path, function: str | None, settings: Settings) -> Programs:
    """Lower the mechanisms of a file, in their order; nothing of it is run.

    function: the qualified name of the one that is wanted, None for all. If it bears no claim that can be read, an
    error says so and names the one that was meant; so it does if no function of the file bears one.
    """
    targets: list[Target] = []
    findings: list[Finding] = []
    errors: list[CheckError] = []
    for item in load_file(path, settings):
        match item:
            case Target():
                targets.append(item)
            case Finding():
                findings.append(item)
            case CheckError():
                errors.append(item)
    if function is not None:
        names = [target.mechanism.qualname for target in targets]
        findings = [finding for finding in findings if finding.function in (function, None)]
        targets = [target for target in targets if target.mechanism.qualname == function]
        if not targets and not errors:
            near = hint(function, names, noun="functions that do")
            errors.append(CheckError(shown(path), None, f"{function} bears no claim that can be read. {near}"))
    elif not targets and not errors:
        errors.append(CheckError(shown(path), None, "no function in it bears a claim that can be read"))
    return Programs(tuple(targets), tuple(findings), tuple(errors))
