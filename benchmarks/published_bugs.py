"""Bugs of published packages, found in the packages themselves, and versions without them not accused.

    python benchmarks/published_bugs.py [--folder DIR] [--only text] [--seed 1] [--budget 20]

Each package is installed from the package index into an environment of its own under a folder (a temporary one by
default); where that is not possible it is skipped, with the reason. Each mechanism of `fixtures/published_bugs` is
audited by calls, `_leaks` those that break their claim in the version with the bug. Exit code 1 if a right one, or a
version without the bug, is accused.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from benchmarks.pipelines import Row, audited  # noqa: E402
from dplint.check.loading import Target, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402

FOLDER = ROOT / "fixtures" / "published_bugs"
_SECONDS = 900
"""That an installation may take."""


@dataclass(frozen=True)
class Environment:
    """A version of a package.

    alone: installed without what it depends on. fixed: nothing in it is wrong. allow: what its import does besides
    computing: that of NumPy 1.26 by older versions of SciPy asks another process what the processor can do.
    """

    name: str
    file: str
    needs: tuple[str, ...]
    alone: tuple[str, ...] = ()
    fixed: bool = False
    allow: tuple[str, ...] = ()


ENVIRONMENTS = (
    Environment("patterns of dp-recorder", "recorder_patterns.py", ()),
    Environment(
        "diffprivlib 0.6.6", "diffprivlib_models.py", ("diffprivlib==0.6.6", "scikit-learn<1.6", "numpy", "scipy")
    ),
    Environment("smartnoise-synth 1.0.5", "smartnoise_covariance.py", ("pandas",), alone=("smartnoise-synth==1.0.5",)),
    Environment(
        "smartnoise-synth 1.0.8",
        "smartnoise_covariance.py",
        ("pandas",),
        alone=("smartnoise-synth==1.0.8",),
        fixed=True,
    ),
    Environment("dpmm 0.1.9", "dpmm_binner.py", ("dpmm==0.1.9",), allow=("process",)),
    # PyTorch without CUDA, which its own index has under this name.
    Environment("Opacus 1.6.0", "opacus_training.py", ("torch==2.13.0+cpu", "opacus==1.6.0")),
    Environment(
        "MOSTLY AI engine 2.7.3",
        "mostlyai_categories.py",
        ("pandas", "pydantic", "pyarrow"),
        alone=("mostlyai-engine==2.7.3",),
    ),
    Environment(
        "synthcity 0.2.12",
        "synthcity_privbayes.py",
        ("pandas<3", "scikit-learn", "pydantic", "tqdm"),
        alone=("synthcity==0.2.12",),
    ),
)


def installed(environment: Environment, folder: Path) -> tuple[Path | None, str]:
    """The interpreter of the environment, made if it is not there; None, and why, if that is not possible."""
    if not environment.needs:
        return Path(sys.executable), ""
    home = folder / environment.name.replace(" ", "-")
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if (home / "installed").exists():
        return python, ""
    venv.create(home, with_pip=True, clear=True)
    for options, packages in (((), environment.needs), (("--no-deps",), environment.alone)):
        problem = _pip(python, [*options, *packages]) if packages else ""
        if problem:
            return None, problem
    (home / "installed").touch()
    return python, ""


def _pip(python: Path, arguments: Sequence[str]) -> str:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"the installation took more than {_SECONDS} s"
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return "" if done.returncode == 0 else (errors or ["pip failed"])[0]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where the environments are kept; a temporary folder by default")
    parser.add_argument("--only", default="", help="a part of the environment's name")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=20.0, help="seconds for one audit")
    options = parser.parse_args()
    print(f"{described_machine()}; budget {options.budget:g} s, seed {options.seed}\n")
    print("| package | mechanism | wrong | runs | s |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        rows: list[tuple[bool, Row]] = []
        for environment in ENVIRONMENTS:
            if options.only in environment.name:
                rows += _of_environment(environment, options.folder or Path(temporary), options.seed, options.budget)
    wrong = [row for is_wrong, row in rows if is_wrong]
    right = [row for is_wrong, row in rows if not is_wrong]
    accused = [row.name for row in right if row.found]
    print(
        f"\nfound {sum(row.found for row in wrong)} of {len(wrong)}; accused {len(accused)} of {len(right)} right ones"
    )
    return 1 if accused else 0


def _of_environment(environment: Environment, folder: Path, seed: int, budget: float) -> list[tuple[bool, Row]]:
    """The audits in one environment, printed as they end, each with whether its mechanism is wrong."""
    python, problem = installed(environment, folder)
    if python is None:
        print(f"| {environment.name} | skipped: {problem} | | | |", flush=True)
        return []
    given = {"cache": False, "budget": budget, "seed": seed, "interpreter": str(python), "allow": environment.allow}
    settings = load_settings(FOLDER, given)
    rows: list[tuple[bool, Row]] = []
    for item in load_targets([FOLDER / environment.file], settings):
        if isinstance(item, Target):
            row = audited(item.mechanism, settings)
            if row.skipped:
                print(f"| {environment.name} | `{row.name}` | skipped: {row.reason} | | |", flush=True)
                continue
            wrong = row.wrong and not environment.fixed
            print(f"| {environment.name} | `{row.name}` | {'yes' if wrong else 'no'} | {row.cells()} |", flush=True)
            rows.append((wrong, row))
    return rows


if __name__ == "__main__":
    sys.exit(main())
