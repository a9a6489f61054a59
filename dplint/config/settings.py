"""The settings, as frozen data, and the profiles that their defaults come from.

Which python runs the user's code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from dplint.claims import Numerics, Span

ProfileName: TypeAlias = Literal["editor", "commit", "ci", "nightly"]
Solver: TypeAlias = Literal["z3", "simple"]
Method: TypeAlias = Literal["anytime", "statdp"]
Proven: TypeAlias = Literal["no", "bounded", "full"]
Level: TypeAlias = Literal["error", "warning", "info", "off"]

DEFAULT_METHOD: Method = "anytime"
FROM_PROFILE = ("budget", "select_runs", "test_runs", "time_limit")
"""What the profile decides where nothing else is said."""
_LIMIT_WITH_RUNS = 3600.0
"""Seconds for one mechanism that is to make a fixed number of runs, however long these take."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How much effort one mechanism may cost.

    budget: seconds of auditing, for the anytime test. select_runs, test_runs: runs a side to select and to test, for
    StatDP's test, and time_limit: the seconds that it may take.
    """

    budget: float
    select_runs: int
    test_runs: int
    time_limit: float


PROFILES: Mapping[ProfileName, Profile] = {
    "editor": Profile(1.0, 2_000, 20_000, 30.0),
    "commit": Profile(2.0, 20_000, 100_000, 120.0),
    "ci": Profile(30.0, 100_000, 500_000, 600.0),
    "nightly": Profile(600.0, 500_000, 2_000_000, 7200.0),
}


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """A claim in pyproject.toml, as it was written.

    name: "module:function". values: the table as TOML has it, unchecked; `dplint.source` reads it.
    file: the pyproject.toml, as it is shown. span: where the table is named. spans: where each key stands.
    """

    name: str
    values: Mapping[str, object]
    file: str
    span: Span
    spans: Mapping[str, Span] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The dotted module name in front of the colon."""
        return self.name.partition(":")[0]

    @property
    def qualname(self) -> str:
        """The function's qualified name, behind the colon."""
        return self.name.partition(":")[2]


def usable_cpus() -> int:
    """Number of processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a check. Values are not validated here; `load_settings` does that.

    alpha: level of the test, for one mechanism. seed: None to derive it from source and claim.
    jobs: worker processes. epsilons: values for a parameter that the claim depends on.
    method: the anytime test, or StatDP's. budget: seconds of auditing for the anytime test. runs: single executions
    that it makes in place of a budget in seconds, None for none. keep_going: go on after a violation.
    select_runs, test_runs: runs a side for StatDP's test. time_limit: seconds for one mechanism, whatever else is set.
    0 stands for what the profile says, and is replaced when the object is made.
    deadline: seconds that one request to user code may take. memory_mib: limit of the memory of each process
    that runs or reads user code.
    interpreter: the python that runs user code; None to look for one, see `choose_interpreter`.
    exclude: patterns of files and folders that are not looked at. allow: what user code may do besides computing.
    select, ignore: prefixes of codes. extend_select: further ones than those of `select`, or than those that are on by
    default. per_file_ignores: prefixes that are left out in files of a pattern.
    severity: how findings count, by prefix of their code; the longest one decides.
    known_noise: full names of functions that add noise, for the rules. all_functions: the rules are also asked about
    functions without a claim that one would be suggested for, and about lines outside of functions.
    exact, proofs: whether losses of pairs are computed, and whether a proof is looked for, before anything is run; by
    the anytime test with a budget in seconds.
    repairs: whether edits are looked for under which a broken claim holds; None: where audits have ten seconds or more.
    spare_noise: how much more noise there may be than a claim asks for, as a share of that, before it is a finding.
    require_proof: what every mechanism needs a proof of: nothing, some lengths of the data, or all that is claimed.
    numerics: whether machine numbers are looked at, too, where the claim does not say it.
    solver: who chooses open arguments, z3 or a handful of simple values. static_only: no audit, only what the source
    says. baseline: the file with what is known and not reported, which need not exist.
    cache: whether audits go on where earlier ones stopped, and what is known is not audited again.
    mechanisms: claims in pyproject.toml by "module:function".
    root: folder of the pyproject.toml that was read, None if there is none.
    """

    alpha: float = 0.001
    seed: int | None = None
    jobs: int = field(default_factory=usable_cpus)
    epsilons: tuple[float, ...] = (0.2, 0.7, 1.5)
    profile: ProfileName = "ci"
    method: Method = DEFAULT_METHOD
    budget: float = 0.0
    runs: int | None = None
    keep_going: bool = False
    select_runs: int = 0
    test_runs: int = 0
    time_limit: float = 0.0
    deadline: float = 10.0
    memory_mib: int = 2048
    interpreter: str | None = None
    exclude: tuple[str, ...] = ()
    allow: frozenset[str] = frozenset()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    severity: Mapping[str, Level] = field(default_factory=dict)
    known_noise: tuple[str, ...] = ()
    all_functions: bool = False
    exact: bool = True
    proofs: bool = True
    repairs: bool | None = None
    spare_noise: float = 0.1
    require_proof: Proven = "no"
    solver: Solver = "z3"
    numerics: Numerics = Numerics.REAL
    static_only: bool = False
    baseline: str | None = None
    cache: bool = True
    mechanisms: Mapping[str, ClaimTable] = field(default_factory=dict)
    root: Path | None = None

    def __post_init__(self) -> None:
        """Fill in what the profile says."""
        profile = PROFILES[self.profile]
        self._fill("select_runs", profile.select_runs)
        self._fill("test_runs", profile.test_runs)
        if self.method == "statdp":
            self._fill("time_limit", profile.time_limit)
        elif self.runs is not None:
            self._fill("time_limit", _LIMIT_WITH_RUNS)
        # Importing, choosing arguments and confirming are not part of the budget, and may take as long again.
        self._fill("time_limit", 2 * (self.budget or profile.budget) + 60)
        self._fill("budget", profile.budget if self.runs is None else self.time_limit)

    def _fill(self, name: str, value: float) -> None:
        if getattr(self, name) == 0:
            object.__setattr__(self, name, value)


_ENVIRONMENTS = (".venv", "venv")
_PYTHONS = ("bin/python", "Scripts/python.exe")


def choose_interpreter(settings: Settings, project_root: str) -> str:
    """Path of the interpreter: the setting, else the project's own `.venv` or `venv`, else the active environment's.

    Where there is none of these, it is the interpreter that runs dplint. Whether it starts, and has NumPy, is not
    promised.
    """
    if settings.interpreter is not None:
        return settings.interpreter
    environments = [Path(project_root) / name for name in _ENVIRONMENTS]
    active = os.environ.get("VIRTUAL_ENV")
    if active:
        environments.append(Path(active))
    found = (path for folder in environments for name in _PYTHONS if (path := folder / name).is_file())
    return str(next(found, sys.executable))
