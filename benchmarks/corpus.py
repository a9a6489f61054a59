"""Public packages that bear noise: what is suggested for them, and what the rules say of them.

    python -m benchmarks.corpus FOLDER [--only NAME...] [--entries FILE] [--claimed]

Downloads the wheels of `PACKAGES`, by version, and a few repositories, by commit, into FOLDER, and unpacks their
Python files there; nothing of them is built, installed, run or kept here. Prints a line of JSON for each package: how
many files, seconds, findings by rule of `dplint check --static-only --all-functions` with the rules that are on by
default, suggestions by confidence, and crashes. --entries writes every finding and suggestion as a line, to be judged.
--claimed also writes the suggestions of high and medium confidence into a copy, and counts what
`dplint check --static-only` says of that. Exits with 1 if anything crashed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import strangers
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
STRANGERS = (
    "AbhiramPrasanna/Differential-Privacy==950f440f77310a8b27f38fd8d34146985d4235b5",
    "cathy-h-04/differential-privacy-tool==c69658e77d39d63e0a865017f1d748d6d2342363",
    "datakaveri/differential-privacy==643ba4ffb829b99363e96c6ad9d92dfa98258151",
    "fifiteen82726/Laplace-Mechanism-and-Randomized-Response==7126ab16549bb8fa8ebbf38cd890e7b6bf4f198c",
    "Ghobi-A/Differential-privacy==d0005f5c94b3e862333ba9792168edac3503c2ef",
    "golsarp/Differential-and-Local-Differential-Privacy-Implementations-==f05e1c23a6ed6b639b3ba01ce4b7e3009feae7cb",
    "HenryNebula/Differential_Privacy_Coverage==5d872b6493019b823fdaf52f12bb1215e6f0d331",
    "kostas156/differential-privacy-api==1edad154cdb57ecde357e841177637901d5fea66",
    "kugur21/comp430-Differential-Privacy-Implementation-for-Covid-19-DataAnalysis=="
    "508e37f0d292b5671d72f1668c18a2353be958e7",
    "Marvin-huoshan/differentially_private_networkx==5fe8b5ff38117bd6738bcd8c5ccfc32f0e579c86",
    "microsoft/differentially-private-ngram-extraction==e40f115d942f8fda4252277b3f4775b8e36e5a18",
    "multi-freq-ldpy==0.0.2",
    "nltd101/differential-privacy==ee888a0c2d5c7d95a74e831515e12bdedc7bfe5b",
    "novoneel-iudx/differential-privacy-toolkit==20c010eec9d06bfc5883be7225f35f3a1fbc0a0f",
    "sunblaze-ucb/Priv-PC-Differentially-Private-Causal-Graph-Discovery==0fb6104806205a23f4b964e7c57140bf46dd1d21",
    "vnragavan/privbayes-enhanced==009dc192fb1c9962124df2c501f444a1cd014e73",
    "Yangfan-Jiang/Federated-Learning-with-Differential-Privacy==4bd81653a7d119b1c4c0c629dc604850859baf7b",
    "Zhanyu-Wang/Differentially_Private_Bootstrap==fd001561ed338d47143c94b995f4d47478ab9eb0",
    "zunzer/differential-privacy-for-real-world-geospatial-systems==fb66c4544783536f7167206356b476dab48e3141",
)
"""Held out later: chosen by their names alone; those with a slash are repositories, named by a commit."""
# fmt: on


def unpacked(package: str, folder: Path) -> Path:
    """The folder with the Python files of a package, which is downloaded if it is not there.

    Raises:
        SystemExit: the index does not have it.
    """
    where = folder / "source" / package.replace("==", "-").replace("/", "+")
    if where.is_dir():
        return where
    if "/" in package:
        _checked_out(package, where)
        return where
    wheels = folder / "wheels" / package
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run([*command, "-d", str(wheels), package], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{package} cannot be downloaded:\n{done.stderr[-500:]}")
    (wheel,) = wheels.glob("*.whl")
    where.mkdir(parents=True)
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(where, [name for name in packed.namelist() if name.endswith(_ENDINGS)])
    (where / "pyproject.toml").write_text("[tool.dplint]\n")
    return where


_ENDINGS = (".py", ".pyi", ".ipynb")


def _checked_out(package: str, where: Path) -> None:
    """The same files of a commit of a repository on GitHub, nothing of which is run."""
    name, _, commit = package.partition("==")
    with tempfile.TemporaryDirectory() as bare:

        def git(*arguments: str) -> bytes:
            done = subprocess.run(["git", "-C", bare, *arguments], capture_output=True, check=False)
            if done.returncode:
                raise SystemExit(f"{package} cannot be downloaded:\n{done.stderr.decode()[-500:]}")
            return done.stdout

        git("init", "--quiet", "--bare")
        git("fetch", "--quiet", "--depth", "1", f"https://github.com/{name}", commit)
        files = git("ls-tree", "-r", "--name-only", "-z", "FETCH_HEAD").decode().split("\0")
        for file in (one for one in files if one.endswith(_ENDINGS)):
            target = where / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(git("show", f"FETCH_HEAD:{file}"))
    (where / "pyproject.toml").write_text("[tool.dplint]\n")


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
    known = (
        *PACKAGES,
        *HELD_OUT,
        *STRANGERS,
        *strangers.SECOND,
        *strangers.THIRD,
        *strangers.FOURTH,
        *strangers.FIFTH,
        *strangers.SIXTH,
        *strangers.SEVENTH,
        *strangers.EIGHTH,
        *strangers.NINTH,
    )
    known = (*known, *strangers.TENTH, *strangers.ELEVENTH, *strangers.TWELFTH, *strangers.THIRTEENTH)
    yield from (one for one in known if not names or one.partition("==")[0] in names)


if __name__ == "__main__":
    sys.exit(main())
