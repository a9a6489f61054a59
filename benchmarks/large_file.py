"""How long the static rules take on 10,000 lines with 200 claims and on 1,000 files, start of the process included.

    python -m benchmarks.large_file [--repeat 9] [--against CHECKOUT] [--only SHAPE...]

Three shapes: *others*, where most functions are none of a mechanism's business, *helpers*, where each mechanism calls
all the functions above it, and *files*, a package of 1,000 modules with a claim each. With another checkout of dplint
the two are run in turn, and the ratio is that of the processor's seconds, which other work on the machine changes less.
Prints Markdown; the goal is that of the issue.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.machine import described_machine
from benchmarks.timing import ROOT, repeated

SHAPES = ("others", "helpers", "files")
LINES, CLAIMS, FILES, GOAL = 10_000, 200, 1_000, 3.0
"""The goal in seconds is that of a large file."""
_HEAD = '"""Counts that are released."""\n\nimport numpy as np\n\nfrom dplint import dp\n\n\n'
_MECHANISM = '''@dp(epsilon="epsilon", neighbors="linf", size=3)
def release_{number}(rng, answers, epsilon):
    """The {number}th release: noise on every answer, of which those below a threshold are left out."""
    threshold = {number} + rng.laplace(scale=2 / epsilon)
    noisy = [answer + rng.laplace(scale=6 / epsilon) for answer in answers]
    if noisy[0] > threshold:
        return int(np.argmax(noisy)){calls}
    return -1


'''
_FUNCTION = '''def function_{number}(value):
    """What happens to a value."""
    return [value + {number} for _ in range({number})]


'''


def text_of(shape: str) -> str:
    """A module of that shape."""
    return "".join(_parts(shape))


def _parts(shape: str) -> Iterator[str]:
    yield _HEAD
    lines, number = _HEAD.count("\n"), 0
    for claim in range(CLAIMS):
        mine: list[int] = []
        while lines < (claim + 1) * LINES // CLAIMS - _MECHANISM.count("\n"):
            mine.append(number)
            yield _FUNCTION.format(number=number)
            lines += _FUNCTION.count("\n")
            number += 1
        calls = "".join(f" + function_{one}(threshold)[0]" for one in mine) if shape == "helpers" else ""
        yield _MECHANISM.format(number=claim, calls=calls)
        lines += _MECHANISM.count("\n")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--only", nargs="*", choices=SHAPES, default=SHAPES, metavar="SHAPE")
    parser.add_argument("--against", type=Path, help="another checkout of dplint")
    options = parser.parse_args()
    codes = {"this": ROOT} | ({"other": options.against.resolve()} if options.against is not None else {})
    print(f"{described_machine()}\n\nSeconds of {options.repeat} runs, `dplint check --static-only --no-cache`:\n")
    print("| shape | checkout | median | best | worst | processor | goal | met |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pyproject.toml").write_text("[tool.dplint]\n")
        for shape in options.only:
            path = Path(folder) / ("files" if shape == "files" else f"{shape}.py")
            if shape == "files":
                path.mkdir()
                for number in range(FILES):
                    (path / f"m{number}.py").write_text(_HEAD + _MECHANISM.format(number=number, calls=""))
            else:
                path.write_text(text_of(shape))
            _row(shape, path, codes, options.repeat)


def _row(shape: str, file: Path, codes: dict[str, Path], repeat: int) -> None:
    command = [sys.executable, "-m", "dplint", "check", "--static-only", "--no-cache", file.name]
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in codes}
    for _ in range(repeat):
        for name, code in codes.items():
            found[name] += repeated(command, file.parent, 1, code=code)
    used = {name: statistics.median(processor for _, processor in found[name]) for name in codes}
    for name, measured in found.items():
        median, best, worst = statistics.median(one for one, _ in measured), min(measured)[0], max(measured)[0]
        met = "yes" if median < GOAL else "no"
        print(f"| {shape} | {name} | {median:.2f} | {best:.2f} | {worst:.2f} | {used[name]:.2f} | {GOAL:g} | {met} |")
    if "other" in used:
        print(f"| {shape} | other / this | | | | {used['other'] / used['this']:.2f} | | |")


if __name__ == "__main__":
    main()
