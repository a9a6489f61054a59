"""From paths to mechanisms with their programs, and from settings to what an audit needs of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dplint.audit.job import AuditSettings
from dplint.claims import Mechanism
from dplint.config import Settings, choose_interpreter, shown
from dplint.outcomes import CheckError, Finding
from dplint.program.nodes import Program, Unsupported
from dplint.source.files import find_files
from dplint.source.read import read_source


@dataclass(frozen=True, slots=True)
class Target:
    """A mechanism and its program, or the construct that keeps it from having one."""

    mechanism: Mechanism
    program: Program | Unsupported


def read_targets(paths: Sequence[Path], settings: Settings) -> Iterator[Target | Finding | CheckError]:
    """The mechanisms under the paths, and what is wrong with claims and files, file by file."""
    files = find_files(paths, exclude=settings.exclude)
    yield from files.errors
    for path in files.files:
        yield from read_file(path, settings)


def read_file(path: Path, settings: Settings) -> Iterator[Target | Finding | CheckError]:
    """The mechanisms of one file, its findings and its errors."""
    source = read_source(path, file=shown(path), table=settings.mechanisms)
    yield from source.errors
    yield from source.findings
    if source.module is None:
        return
    # LibCST takes a fifth of a second to import, which files without claims must not cost.
    import libcst as cst  # noqa: PLC0415

    from dplint.source.lowering import lower  # noqa: PLC0415

    for found in source.mechanisms:
        if isinstance(found.node, cst.FunctionDef):
            yield Target(found.mechanism, lower(found.node, source.module, found.mechanism))
        else:
            yield Target(found.mechanism, Unsupported("a lambda", found.mechanism.span, "use a function with a name"))


def audit_settings(settings: Settings, mechanism: Mechanism) -> AuditSettings:
    """What an audit of this mechanism needs of the settings."""
    return AuditSettings(
        alpha=settings.alpha,
        seed=settings.seed,
        epsilons=settings.epsilons,
        select_runs=settings.select_runs,
        test_runs=settings.test_runs,
        time_limit=settings.time_limit,
        deadline=settings.deadline,
        memory_mib=settings.memory_mib,
        interpreter=choose_interpreter(settings, mechanism.project_root),
        allow=frozenset(settings.allow),
        use_solver=settings.solver == "z3",
    )
