"""Build the wheel of what the container copies, install it beside what the static hook takes, and check a file.

    python -m scripts.wheel

Prints nothing when all is right. It is part of `dev.py test`, so it installs no more than it must.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
MECHANISM = """# dplint: dp(epsilon="epsilon", neighbors="linf", size=1)
def count(answers, epsilon, rng):
    return answers[0] + rng.laplace(scale=epsilon)
"""
"""What every kind of installation has to find something in: DP101."""


def main() -> int:
    """Build and try it; the exit code."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        source = copied(folder / "source")
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, str(source))
        (wheel,) = folder.glob("dplint-*.whl")
        if wrong := wrong_in(zipfile.ZipFile(wheel)):
            print(wrong, file=sys.stderr)
            return 1
        python, *install = new_environment(folder / "environment")
        run(*install, *light_words(), str(wheel))
        (folder / "count.py").write_text(MECHANISM)
        check = (python, "-m", "dplint", "check", "--static-only", "--no-cache", "--format", "concise", "count.py")
        done = subprocess.run(check, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 1 or "count.py:3:43: DP101" not in done.stdout:
        print(f"the wheel does not find what it must: {done.stdout}{done.stderr}", file=sys.stderr)
        return 1
    return 0


def copied(folder: Path) -> Path:
    """A folder with what the file for containers copies there, and nothing else."""
    for line in (ROOT / "packaging" / "Containerfile").read_text(encoding="utf-8").splitlines():
        match line.split():
            case ["COPY", *names, target]:
                into = folder / target.removeprefix("/source/")
                for name in names:
                    if (ROOT / name).is_dir():
                        shutil.copytree(ROOT / name, into, ignore=shutil.ignore_patterns("__pycache__"))
                    else:
                        into.mkdir(parents=True, exist_ok=True)
                        shutil.copy(ROOT / name, into)
    return folder


def wrong_in(wheel: zipfile.ZipFile) -> str:
    """What is wrong in a wheel; empty if nothing is."""
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    (about,) = (name for name in tops if name.endswith(".dist-info"))
    if others := sorted(tops - {"dplint", about}):
        return f"the wheel holds more than the package: {', '.join(others)}"
    described = wheel.read(f"{about}/METADATA").decode()
    relative = re.findall(r"\]\((?!https?:|#)[^)]*\)", described)
    if relative or "](https://" not in described:
        return f"links of the long description lead nowhere on an index: {', '.join(relative) or 'there are none'}"
    return ""


def light_words() -> list[str]:
    """What pip is given beside dplint by the hook of the source alone."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (words,) = (hook["additional_dependencies"] for hook in hooks if hook["id"] == "dplint-static")
    return list(words)


def new_environment(folder: Path) -> tuple[str, ...]:
    """The interpreter of a new environment with nothing in it, and the words that install into it."""
    venv.create(folder)
    pip = (sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--disable-pip-version-check")
    return str(folder / "bin" / "python"), *pip


def run(*command: str) -> None:
    """Run it in the checkout. Raises subprocess.CalledProcessError."""
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
