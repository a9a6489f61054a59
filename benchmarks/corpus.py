"""Public packages that bear noise: what is suggested for them, and what the rules say of them.

    python -m benchmarks.corpus FOLDER [--only NAME...] [--entries FILE] [--claimed]

Downloads the wheels of `PACKAGES`, by version, into FOLDER, and unpacks their Python files there; nothing of them is
built, installed, run or kept here. Prints a line of JSON for each package: how many files, seconds, findings by rule of
`dplint check --static-only --all-functions` with the rules that are on by default, suggestions by confidence, and
crashes. --entries writes every finding and suggestion as a line, to be judged. --claimed also writes the suggestions of
high and medium confidence into a copy, and counts what `dplint check --static-only` says of that. Exits with 1 if
anything crashed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing import ROOT

# fmt: off
PACKAGES = (
    "adversarial-robustness-toolbox==1.20.1", "d3p==0.2.0", "DataSynthesizer==0.1.13", "diffprivlib==0.6.6",
    "DiffPriv==1.0.3", "dp-accounting==0.6.0", "dp-cgans==0.3.0", "dp-transformers==1.0.0", "dp-wizard==0.10.0",
    "dpart==0.1.2", "dpmm==0.1.9", "fedjax==0.0.17", "fedml==0.9.6", "flsim==0.1.0", "flwr==1.42.0",
    "gretel-synthetics==0.22.20", "jax-privacy==2.0.0", "medfl==2.0.10", "mindarmour==2.0.0", "mostlyai-engine==2.7.3",
    "nprr==0.1.4", "nvflare==2.9.0", "objax==1.8.0", "opacus==1.6.0", "opendp==0.16.0", "openfl==1.9", "pfl==0.6.0",
    "pipeline-dp==0.3.1", "plato-learn==1.0", "prv-accountant==0.2.0", "pure-ldp==1.2.0", "python-dp==1.1.5",
    "secretflow==1.14.0b0", "smartnoise-sql==1.0.10", "smartnoise-synth==1.0.8", "substrafl==1.0.0", "syft==0.10.0",
    "syndp==0.4.0", "synthcity==0.2.12", "synthetic-data-generation==0.1.14", "tensorflow-privacy==0.9.0",
    "tmlt.analytics==0.21.0", "tmlt.core==0.20.0", "twinify==2.0.0", "ydata-synthetic==2.0.1",
)
HELD_OUT = ("appfl==1.12.0", "cape-privacy==0.3.0", "optax==0.2.8", "pytorch-dp==0.1b1", "sdgym==0.15.1")
"""Chosen before anything was run on them or read of them."""
# fmt: on


def unpacked(package: str, folder: Path) -> Path:
    """The folder with the Python files of a package, which is downloaded if it is not there.

    Raises:
        SystemExit: the index does not have it.
    """
    where = folder / "source" / package.replace("==", "-")
    if where.is_dir():
        return where
    wheels = folder / "wheels" / package
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run([*command, "-d", str(wheels), package], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{package} cannot be downloaded:\n{done.stderr[-500:]}")
    (wheel,) = wheels.glob("*.whl")
    where.mkdir(parents=True)
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(where, [name for name in packed.namelist() if name.endswith((".py", ".pyi", ".ipynb"))])
    (where / "pyproject.toml").write_text("[tool.dplint]\n")
    return where


def dplint(arguments: Sequence[str], folder: Path, paths: Sequence[str] = (".",)) -> tuple[dict[str, Any], str]:
    """What a command says of paths in a folder, as JSON, and how it crashed: empty if it did not."""
    command = [sys.executable, "-m", "dplint", *arguments, "--format", "json", *paths]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return {}, done.stderr[-500:] or f"exit code {done.returncode}"
    return document, done.stderr[-500:] if "Traceback" in done.stderr else ""


def looked_at(package: str, folder: Path, *, claimed: bool) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The line of a package, and its findings and suggestions."""
    where = unpacked(package, folder)
    began = time.perf_counter()
    checked, crash = dplint(["check", *_STATIC, "--all-functions"], where)
    suggested, other = dplint(["suggest", "--confidence", "unknown"], where)
    findings = [_entry(package, "finding", one) for one in checked.get("findings", ())]
    suggestions = [_entry(package, "suggestion", one) for one in suggested.get("suggestions", ())]
    line = {
        "package": package,
        "files": sum(1 for _ in where.rglob("*.py")),
        "seconds": round(time.perf_counter() - began, 1),
        "findings": dict(sorted(Counter(one["code"] for one in findings).items())),
        "suggestions": dict(sorted(Counter(one["confidence"] for one in suggestions).items())),
        "unread": len(checked.get("errors", ())),
        "crash": crash + other,
    }
    if claimed:
        more, line["crash_claimed"] = _with_claims(where, folder / "claimed" / where.name)
        line["claimed"] = dict(sorted(Counter(one["code"] for one in more).items()))
        findings += [_entry(package, "claimed", one) for one in more]
    return line, findings + suggestions


_STATIC = ("--static-only", "--no-cache", "--no-progress")


def _with_claims(where: Path, copy: Path) -> tuple[list[dict[str, Any]], str]:
    """The findings in a copy in which the suggestions stand."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(where, copy)
    command = [sys.executable, "-m", "dplint", "suggest", "--write", "."]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    written = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, env=environment)
    document, crash = dplint(["check", *_STATIC], copy)
    return document.get("findings", []), crash + ("" if written.returncode in (0, 2) else written.stderr[-500:])


def _entry(package: str, kind: str, one: dict[str, Any]) -> dict[str, Any]:
    keys = ("file", "line", "function", "code", "severity", "message", "confidence", "claim", "data", "uncertain")
    return {"package": package, "kind": kind} | {key: one[key] for key in keys if key in one}


def main() -> int:
    """Look at all packages, or at some."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to download to; outside of the repository")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--entries", type=Path, help="a file for all findings and suggestions, one a line")
    parser.add_argument("--claimed", action="store_true", help="check a copy with the suggested claims, too")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if folder.is_relative_to(ROOT):
        parser.error("the packages are others' code: give a folder outside of the repository")
    crashed = False
    if options.entries is not None:
        options.entries.write_text("")
    for package in _chosen(options.only):
        line, entries = looked_at(package, folder, claimed=options.claimed)
        crashed = crashed or bool(line["crash"] or line.get("crash_claimed"))
        print(json.dumps(line), flush=True)
        if options.entries is not None:
            with options.entries.open("a", encoding="utf-8") as lines:
                lines.writelines(json.dumps(one) + "\n" for one in entries)
    return 1 if crashed else 0


def _chosen(names: Sequence[str]) -> Iterator[str]:
    yield from (one for one in (*PACKAGES, *HELD_OUT) if not names or one.partition("==")[0] in names)


if __name__ == "__main__":
    sys.exit(main())
