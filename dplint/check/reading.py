"""From paths to mechanisms with their programs, and from settings to what an audit needs of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dplint.audit.job import AuditSettings
from dplint.claims import Mechanism
from dplint.config import (
    ClaimTable,
    ConfigError,
    Settings,
    choose_interpreter,
    find_pyproject,
    load_settings,
    shown,
)
from dplint.outcomes import CheckError, Finding
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint.source.files import find_files
from dplint.source.read import Found, SourceFile, read_source


@dataclass(frozen=True, slots=True)
class Target:
    """A mechanism and its program, or the constructs that keep it from having one, in the order of the source."""

    mechanism: Mechanism
    lowered: Program | tuple[Unsupported, ...]

    @property
    def program(self) -> Program | Unsupported:
        """The program, or the first construct that stands in the way."""
        return self.lowered[0] if isinstance(self.lowered, tuple) else self.lowered


def read_sources(paths: Sequence[Path], settings: Settings) -> Iterator[SourceFile | CheckError]:
    """The source files under the paths, and what is wrong with paths and settings."""
    files = find_files(paths, exclude=settings.exclude)
    yield from files.errors
    tables: dict[Path | None, Mapping[str, ClaimTable]] = {}
    for path in files.files:
        # A claim in pyproject.toml is about the files below it, whichever pyproject.toml the settings came from.
        home = find_pyproject(path.parent)
        if home not in tables:
            try:
                tables[home] = load_settings(path.parent, {}).mechanisms
            except ConfigError as error:
                tables[home] = {}
                yield CheckError(error.file, error.line, error.message)
        yield read_source(path, file=shown(path), table={**settings.mechanisms, **tables[home]})


def read_targets(paths: Sequence[Path], settings: Settings) -> Iterator[Target | Finding | CheckError]:
    """The mechanisms under the paths, and what is wrong with claims and files, file by file."""
    for source in read_sources(paths, settings):
        if isinstance(source, CheckError):
            yield source
        else:
            yield from items_of(source)


def read_file(path: Path, settings: Settings) -> Iterator[Target | Finding | CheckError]:
    """The mechanisms of one file, what is wrong with its claims, and its errors; the static rules are not asked."""
    source = read_source(path, file=shown(path), table=settings.mechanisms)
    yield from source.errors
    yield from source.findings
    for found in source.mechanisms:
        yield target_of(source, found)


def items_of(source: SourceFile) -> Iterator[Target | Finding | CheckError]:
    """The mechanisms of a source file, its findings, also of the rules, and its errors, whether silenced or not."""
    yield from source.errors
    yield from source.findings
    yield from rule_findings(source, source.mechanisms)
    for found in source.mechanisms:
        yield target_of(source, found)


def rule_findings(source: SourceFile, mechanisms: Sequence[Found]) -> list[Finding]:
    """What the static rules find in these mechanisms of a source file and in what they call."""
    if source.module is None or not mechanisms:
        return []
    # As below: the rules need LibCST, and so they are loaded late.
    from dplint.rules import check_module  # noqa: PLC0415

    return check_module(source.module, mechanisms, source.file)


def target_of(source: SourceFile, found: Found) -> Target:
    """A mechanism of a source file that was parsed, with its program."""
    # LibCST takes a fifth of a second to import, which files without claims must not cost.
    import libcst as cst  # noqa: PLC0415

    from dplint.source.lowering import lower_all  # noqa: PLC0415

    if isinstance(found.node, cst.FunctionDef) and source.module is not None:
        return Target(found.mechanism, lower_all(found.node, source.module, found.mechanism))
    refused = Unsupported("a lambda", found.mechanism.span, "use a function with a name")
    return Target(found.mechanism, (refused,))


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
        method=settings.method,
        budget=settings.budget,
        max_runs=settings.runs,
        keep_going=settings.keep_going,
    )
