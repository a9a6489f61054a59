"""From paths to mechanisms with their programs, and from settings to what an audit needs of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dplint.check.continuing import cache_root
from dplint.check.mechanism_keys import summary_key
from dplint.check.tables import InstalledFile, Tables
from dplint.check.unreadable import does_not_parse
from dplint.claims import Mechanism
from dplint.collecting import rarely_collected
from dplint.config import ConfigError, Settings, SettingsByFile, asked_for, choose_interpreter, shown
from dplint.contents import content
from dplint.jobs import AuditSettings
from dplint.outcomes import CheckError, Finding
from dplint.program.refusals import INSTALLED, Unsupported
from dplint.source.callers import Callers
from dplint.source.files import Exclusions, find_files, import_place, is_support_file, same_files
from dplint.source.notebooks import is_notebook, text_of
from dplint.source.read import MARK, Found, SourceFile, read_source
from dplint.source.text import DecodeError, decode
from dplint.store import Index, Summary

if TYPE_CHECKING:
    from dplint.program.nodes import Program

# Programs are handed on here; the classes of their nodes are made where somebody looks into one.

AnyJob = TypeVar("AnyJob")
_EXACT_SHARE, _LEAST_EXACT, _LONGEST_EXACT = 0.1, 0.3, 10.0
_PROOF_SHARE, _LEAST_PROOF, _LONGEST_PROOF = 0.25, 0.5, 20.0
"""What computing losses and the search for a proof may take, of the budget and in seconds: the bets wait for them."""


@dataclass(frozen=True, slots=True)
class Target:
    """A mechanism and what it was lowered to. program: that, or the construct that stops every run of it."""

    mechanism: Mechanism
    lowered: Program

    @property
    def program(self) -> Program | Unsupported:
        """The program, if runs may come through it; else the first construct that stops them."""
        from dplint.program.walk import runnable  # noqa: PLC0415

        return runnable(self.lowered)

    def job(self, kind: Callable[..., AnyJob], settings: AuditSettings, **more: Any) -> AnyJob:
        """A job about the mechanism. more: what else jobs of this kind have."""
        return kind(mechanism=self.mechanism, program=self.program, settings=settings, **more)


@dataclass(frozen=True, slots=True)
class Pending:
    """A mechanism that is to be audited, the settings of its file, and its program, read when it is wanted.

    text: what stands for the content of its file, None for the file as it is on disk.
    """

    mechanism: Mechanism
    settings: Settings
    lower: Callable[[], Target | None]
    text: str | None = None


@dataclass(frozen=True, slots=True)
class LowerAgain:
    """Lowers a mechanism of a file that is not parsed any more, or was not: None if it is not there as it was."""

    path: Path
    file: str
    settings: Settings
    mechanism: Mechanism

    def __call__(self) -> Target | None:
        """The mechanism with its program."""
        return lowered_again([self])[0]


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """What is in a file, whether it was read just now or is known from an earlier check.

    text: of a file with mechanisms or findings; empty where there is nothing to silence.
    files: other files that the findings depend on, with their digests.
    """

    file: str
    text: str
    settings: Settings
    pending: tuple[Pending, ...] = ()
    findings: tuple[Finding, ...] = ()
    errors: tuple[CheckError, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


class Reading(Protocol):
    """Who reads files. ahead: how many may be begun before the first of them is wanted."""

    @property
    def ahead(self) -> int:
        """As it is now: it may grow."""

    def begin(self, path: Path, settings: Settings) -> Callable[[], LoadedFile]:
        """Begin to read a file; what is called for the outcome when that is wanted. No notebooks."""


class _Here:
    """Reads a file when it is wanted."""

    ahead = 0

    def begin(self, path: Path, settings: Settings) -> Callable[[], LoadedFile]:
        return partial(load_now, path, settings)


def load_files(
    paths: Sequence[Path], settings: SettingsByFile, reading: Reading | None = None
) -> Iterator[LoadedFile | CheckError]:
    """The files under the paths, and what is wrong with paths and settings; each wrong pyproject.toml is told once.

    reading: who reads the files that are not known from an earlier check; None for this process.
    """
    reading = reading or _Here()
    begun: deque[Callable[[], LoadedFile]] = deque()
    found = find_files(paths, exclude=Exclusions(settings))
    yield from found.errors
    told: set[str] = set()
    indices: dict[Path, Index] = {}
    tables = Tables()
    named = {path.absolute() for path in paths}
    try:
        for path in found.files:
            try:
                own = settings.of_file(path)
            except ConfigError as error:
                if str(error) not in told:
                    told.add(str(error))
                    yield CheckError(error.file, error.line, error.message)
                continue
            tables.met(path, own)
            if own.all_functions and is_support_file(path, named):
                own = replace(own, all_functions=False)
            root = cache_root(path) if own.cache else None
            index = None if root is None else indices.setdefault(root, Index(root))
            begun.append(_begin(path, own, index, reading, named=path in named))
            while len(begun) > reading.ahead:
                yield begun.popleft()()
        while begun:
            yield begun.popleft()()
        if any(path.is_dir() for path in paths):
            # Who names single files asks for these alone.
            yield from (_load_installed(file, own) for file, own in tables.installed())
        yield from tables.lost()
    finally:
        for index in indices.values():
            index.save()


def read_through(path: Path, settings: Settings, index: Index | None) -> LoadedFile:
    """What is in a file, from the index where that knows this very content; else it is read, and noted there."""
    return _begin(path, settings, index, _Here())()


def _begin(
    path: Path, settings: Settings, index: Index | None, reading: Reading, *, named: bool = False
) -> Callable[[], LoadedFile]:
    """As `read_through`; what is called for the outcome. named: whether somebody has asked for this very file."""
    file = shown(path)
    try:
        raw = content(path)
    except (OSError, ValueError):
        return partial(load_now, path, settings)  # which says why
    if MARK.encode() not in raw and not settings.mechanisms and not settings.all_functions:
        error = does_not_parse(path) if named else None
        return partial(LoadedFile, file, "", settings, errors=() if error is None else (error,))
    if is_notebook(path.name):
        return partial(load_text, path, raw, settings)
    cache_key = "" if index is None else summary_key(path, raw, settings)
    known = None if index is None else index.get(file, cache_key)
    if known is not None and same_files(dict(known.files)):
        return partial(_known_reading, path, file, raw, settings, known)
    read = reading.begin(path, settings)

    def noted() -> LoadedFile:
        loaded = read()
        if index is not None and not loaded.errors and (MARK.encode() in raw or loaded.pending or loaded.findings):
            mechanisms = tuple(one.mechanism for one in loaded.pending)
            index.put(file, cache_key, Summary(mechanisms, loaded.findings, tuple(loaded.files.items())))
        return loaded

    return noted


def load_text(path: Path, raw: bytes, settings: Settings) -> LoadedFile:
    """What is in a text that stands for the content of a file, which is not looked at and need not exist."""
    file = shown(path)
    try:
        text = text_of(path, raw)
    except DecodeError as error:
        return LoadedFile(file, "", settings, errors=(CheckError(file, error.line, error.message),))
    return load_now(path, settings, text)


def _load_installed(installed: InstalledFile, settings: Settings) -> LoadedFile:
    """What is claimed of a file of an installed package. The rules are not asked: nobody here can mend it."""
    path, place = installed.path, installed.place
    with rarely_collected():
        source = read_source(path, file=shown(path), table={one.name: one for one in installed.tables}, place=place)
    pending: list[Pending] = []
    for found in source.mechanisms:
        # Code of the project is on the path of the runner as for its own modules; the package is installed there.
        rng = _needed_generator(found.mechanism)
        mechanism = replace(found.mechanism, import_root=str(place.project_root), rng=rng)
        # To read it takes all that it imports, which may be the greater part of what is installed.
        reason = Unsupported(INSTALLED, mechanism.span)
        pending.append(Pending(mechanism, settings, partial(unread, mechanism, reason)))
    return LoadedFile(source.file, source.text, settings, tuple(pending), source.findings, source.errors)


def load_now(path: Path, settings: Settings, text: str | None = None) -> LoadedFile:
    """What is in a file, read now. text: what stands for its content, None for what is on disk."""
    file = shown(path)
    with rarely_collected():
        source = read_source(
            path, file=file, text=text, table=settings.mechanisms, without_claims=settings.all_functions
        )
        files = dict(source.files)
        items = list(items_of(source, settings, files))
    pending: list[Pending] = []
    findings: list[Finding] = []
    errors: list[CheckError] = []
    for item in items:
        match item:
            case Found():
                pending.append(Pending(item.mechanism, settings, partial(target_of, source, item), text))
            case Finding():
                findings.append(item)
            case CheckError():
                errors.append(item)
    return LoadedFile(file, source.text, settings, tuple(pending), tuple(findings), tuple(errors), files)


def _known_reading(path: Path, file: str, raw: bytes, settings: Settings, known: Summary) -> LoadedFile:
    place = import_place(path)
    root, project = str(place.import_root), str(place.project_root)
    mechanisms = [
        replace(one, file=file, path=str(path), import_root=root, project_root=project) for one in known.mechanisms
    ]
    pending = tuple(Pending(one, settings, LowerAgain(path, file, settings, one)) for one in mechanisms)
    return LoadedFile(file, decode(raw).removeprefix("\ufeff"), settings, pending, known.findings)


def lowered_again(ones: Sequence[LowerAgain]) -> list[Target | None]:
    """Mechanisms of one file with their programs, each None if it is not there any more. The file is parsed once."""
    first = ones[0]
    source = read_source(first.path, file=first.file, table=first.settings.mechanisms)
    found = [next((found for found in source.mechanisms if found.mechanism == one.mechanism), None) for one in ones]
    return [None if one is None else target_of(source, one) for one in found]


def load_targets(paths: Sequence[Path], settings: Settings) -> Iterator[Target | Finding | CheckError]:
    """The mechanisms under the paths, and what is wrong with claims and files, file by file."""
    for loaded in load_files(paths, SettingsByFile.fixed(replace(settings, cache=False))):
        if isinstance(loaded, CheckError):
            yield loaded
        else:
            yield from loaded.errors
            yield from loaded.findings
            yield from (target for one in loaded.pending if (target := one.lower()) is not None)


def load_file(path: Path, settings: Settings) -> Iterator[Target | Finding | CheckError]:
    """The mechanisms of one file, what is wrong with its claims, and its errors; the static rules are not asked."""
    source = read_source(path, file=shown(path), table=settings.mechanisms)
    yield from source.errors
    yield from source.findings
    for found in source.mechanisms:
        yield target_of(source, found)


def wanted_target(target: str, settings: Settings) -> tuple[Target | None, list[CheckError | Finding]]:
    """The mechanism of "FILE::FUNCTION"; None if there is none, and then what is to be said of that."""
    file, _, function = target.rpartition("::")
    if is_notebook(file):
        return None, [CheckError(file, None, "is a notebook: put the function into a module, and name that")]
    wanted: Target | None = None
    bearers: list[str] = []
    complaints: list[CheckError | Finding] = []
    for item in load_file(Path(file), settings):
        if not isinstance(item, Target):
            complaints.append(item)
            continue
        bearers.append(item.mechanism.qualname)
        if item.mechanism.qualname == function:
            wanted = item
    if wanted is not None:
        return replace(wanted, mechanism=Callers().asked(wanted.mechanism)), []
    named = ", ".join(bearers) or "none"
    missing = CheckError(file, None, f"{function} bears no claim that can be tested; functions that do: {named}")
    told = [one for one in complaints if isinstance(one, CheckError) or one.function in (function, None)]
    return None, [*told, missing]


def items_of(
    source: SourceFile, settings: Settings, files: dict[str, str] | None = None
) -> Iterator[Found | Finding | CheckError]:
    """The mechanisms of a source file, its findings, also of the rules, and its errors, whether silenced or not.

    files: is told the other files that the findings depend on, with their digests.
    """
    yield from source.errors
    yield from source.findings
    yield from rule_findings(source, source.mechanisms, settings, files, all_functions=settings.all_functions)
    yield from source.mechanisms


def rule_findings(
    source: SourceFile,
    mechanisms: Sequence[Found],
    settings: Settings,
    files: dict[str, str] | None = None,
    *,
    all_functions: bool = False,
) -> list[Finding]:
    """What the static rules find in these mechanisms of a source file and in what they call.

    Rules that are off by default are asked if the settings select them by their whole code. all_functions: also in
    functions without a claim that take an epsilon, and outside of functions. files: as for `items_of`.
    """
    mechanisms = [one for one in mechanisms if one.mechanism.claim.stable is None]  # which release nothing
    if source.module is None or not (mechanisms or all_functions):
        return []
    # As below: the rules need LibCST, and so they are loaded late.
    from dplint.rules import check_module  # noqa: PLC0415
    from dplint.source.project import ProjectIndex  # noqa: PLC0415

    project = ProjectIndex(source.module.place)
    found = check_module(
        source.module,
        mechanisms,
        source.file,
        opt_in=asked_for(settings),
        all_functions=all_functions,
        known_noise=settings.known_noise,
        project=project,
        claimed=[one.mechanism for one in source.mechanisms if one.mechanism.claim.stable is None],
    )
    if files is not None:
        files |= project.files
    return found


def target_of(source: SourceFile, found: Found, files: dict[str, str] | None = None) -> Target:
    """A mechanism of a source file that was parsed, with its program.

    files: is told the other files that the program depends on, with their digests.
    """
    # LibCST takes a fifth of a second to import, which files without claims must not cost.
    import libcst as cst  # noqa: PLC0415

    from dplint.source.certain import CertainNames  # noqa: PLC0415
    from dplint.source.lowering import lower  # noqa: PLC0415
    from dplint.source.project import ProjectIndex  # noqa: PLC0415

    mechanism = found.mechanism
    if isinstance(found.node, cst.FunctionDef) and source.module is not None:
        index = ProjectIndex(source.module.place)
        pairs = () if mechanism.claim.pairs is None else (mechanism.claim.pairs.partition(":")[0],)
        program = lower(found.node, source.module, mechanism, CertainNames(source.module, index, pairs, source.along))
        if files is not None:
            files |= index.files
        return Target(mechanism, program)
    return unread(mechanism, Unsupported("a lambda", mechanism.span, "use a function with a name"))


def _needed_generator(mechanism: Mechanism) -> str | None:
    """The generator parameter, unless it has a default and the claim does not name it: noise is then what users get.

    Which kind of generator it takes would have to be read out of the package.
    """
    rng = mechanism.rng
    parameter = None if rng is None else mechanism.parameter(rng)
    return None if mechanism.claim.rng is None and parameter is not None and parameter.default is not None else rng


def unread(mechanism: Mechanism, reason: Unsupported) -> Target:
    """A mechanism whose every run calls the function, for this reason."""
    from dplint.program.nodes import Program  # noqa: PLC0415
    from dplint.program.walk import opaque  # noqa: PLC0415

    names = tuple(parameter.name for parameter in mechanism.parameters if parameter.name != mechanism.rng)
    body = (opaque(reason),)
    return Target(
        mechanism,
        Program(mechanism.qualname, names, body, mechanism.data, mechanism.rng, (), frozenset(), mechanism.span),
    )


def _seconds_before_runs(settings: Settings) -> tuple[float, float]:
    """For computing losses and for a proof; none with a number of runs, as nothing hangs on the clock then."""
    if settings.runs is not None:
        return 0.0, 0.0
    exact = min(max(settings.budget * _EXACT_SHARE, _LEAST_EXACT), _LONGEST_EXACT, settings.budget)
    proof = min(max(settings.budget * _PROOF_SHARE, _LEAST_PROOF), _LONGEST_PROOF, settings.budget)
    return exact * settings.exact, proof * settings.proofs


def audit_settings(settings: Settings, mechanism: Mechanism) -> AuditSettings:
    """What an audit of this mechanism needs of the settings."""
    exact_seconds, proof_seconds = _seconds_before_runs(settings)
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
        exact_seconds=exact_seconds,
        proof_seconds=proof_seconds,
        numerics=mechanism.claim.numerics or settings.numerics,
    )
