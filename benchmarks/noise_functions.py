"""Which functions of the corpus draw noise, found without dplint, and how many of those that protect data get a claim.

    python -m benchmarks.noise_functions FOLDER --list [--only NAME...]   # all that call noise, one JSON a line
    python -m benchmarks.noise_functions FOLDER [--write] [--only NAME...]  # how many get a suggestion

FOLDER is that of `python -m benchmarks.corpus`. What calls noise is found by names alone, with `ast`; whether that
noise is there to protect data was judged by reading, and stands in `benchmarks/judged/noise_functions.csv`: "private"
noise meets data to make it private, "other" noise meets data for something else (augmentation, an attack, sampling),
"none" meets no data (weights, latent variables, helpers that return noise). --write notes there what `dplint suggest`
says of each today. Exits with 1 if a function that calls noise was not judged.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpus import HELD_OUT, PACKAGES, dplint, unpacked

ROOT = Path(__file__).resolve().parent.parent
JUDGED = ROOT / "benchmarks" / "judged" / "noise_functions.csv"
FIELDS = ("package", "version", "file", "line", "function", "judgement", "suggested", "reason")

_ADDED = re.compile(
    r"^(?:laplace_?|Laplace|standard_laplace|discrete_laplace|random_laplace|dlaplace|normal_?|Normal|gauss|randn|"
    r"normalvariate|standard_normal|randn_like|random_normal|stateless_normal|stateless_random_normal|gumbel|Gumbel|"
    r"standard_gumbel|geometric_?|random_geometric|multivariate_normal|cauchy|standard_cauchy|truncated_normal|"
    r"expovariate|GeneralizedNormal|skellam)$"
)
"""Calls that draw noise with a scale, whatever they are called on."""
_RANDOM = frozenset({"rvs", "sample", "rsample", "exponential"})
"""Calls that do so on what is named after one of those, or in a function that speaks of privacy."""
_LIBRARY = re.compile(
    r"(?:^|\.)(?:randomise|quick_result|(?:make|then)_(?:base_)?(?:laplace|gaussian|geometric|discrete_\w+|noise\w*|"
    r"randomized_response\w*|report_noisy\w*|noisy_\w+|canonical_noise|private_\w+|ndp\w*|alp\w*|tulap))$"
)
"""Calls of diffprivlib, PyDP and OpenDP that draw noise or make a measurement that does."""
_COINS = re.compile(r"^(?:random|rand|uniform|binomial|[bB]ernoulli|choices?|categorical|randint)$")
_PROTECTS = re.compile(r"\beps\w*|epsilon|exp\(|self\.p\b|self\.q\b|privac|private", re.IGNORECASE)
"""What the source of a function with coins, or with an exponential draw, must speak of."""
_LEFT_OUT = re.compile(
    r"(?:^|/)(?:tests?|testing|test_\w+|examples?|benchmarks?|experiments?|plots?|plotting|simulations?|[\w-]*tutorials?|demos?|docs|"
    r"notebooks|samples)/|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|setup|[^/]*benchmark[^/]*|[^/]*example[^/]*)\.py$"
)


_WORDS = re.compile(
    r"[lL]apl|[nN]orm|gauss|[gG]umbel|geom|cauchy|rand|[eE]xpo|rvs|uniform|[bB]ern|choice|categor|binom|quick_r|"
    r"make_|then_|skellam"
)
"""One of which stands in every file that calls noise; the others are not parsed."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A function that calls noise. line: that of its `def`. calls: the names of the calls."""

    file: str
    line: int
    function: str
    calls: tuple[str, ...]


def drawing_functions(folder: Path) -> Iterator[Drawing]:
    """Those of modules and classes that call noise themselves, or in functions inside of them."""
    for path in sorted(folder.rglob("*.py")):
        file = path.relative_to(folder).as_posix()
        if _LEFT_OUT.search(file):
            continue
        try:
            text = path.read_text(encoding="utf-8")
            if not _WORDS.search(text):
                continue
            with warnings.catch_warnings(action="ignore"):
                tree = ast.parse(text)
        except (ValueError, SyntaxError):
            continue
        lines = text.splitlines()
        for name, node in _functions(tree.body, ""):
            calls = list(_noise_calls(node, "\n".join(lines[node.lineno - 1 : node.end_lineno])))
            if calls:
                yield Drawing(file, node.lineno, name, tuple(dict.fromkeys(calls)))


def _functions(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for one in body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{one.name}", one
        elif isinstance(one, ast.ClassDef):
            yield from _functions(one.body, f"{prefix}{one.name}.")
        elif isinstance(one, ast.If | ast.Try):
            yield from _functions([*one.body, *one.orelse], prefix)


def _noise_calls(node: ast.AST, source: str) -> Iterator[str]:
    protects = _PROTECTS.search(source) is not None
    for one in ast.walk(node):
        if not isinstance(one, ast.Call) or not isinstance(one.func, ast.Attribute | ast.Name):
            continue
        last = one.func.attr if isinstance(one.func, ast.Attribute) else one.func.id
        if not _WORDS.search(last) and last not in _RANDOM:
            continue
        name = ast.unparse(one.func)
        named_so = last in _RANDOM and re.search(r"lap|norm|gauss|geom|gumb|exp|dist", name)
        coin = protects and (_COINS.match(last) or named_so)
        if _ADDED.match(last) or _LIBRARY.search(name) or coin:
            yield name[-60:]


def judged() -> list[dict[str, str]]:
    """The rows of the table."""
    with JUDGED.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def suggested(folder: Path, files: Sequence[str]) -> dict[tuple[str, str], str]:
    """The confidence of each suggestion for these files, by file and function.

    One for a function that is made inside of another counts for that, which is what the table has.
    """
    document, crash = dplint(["suggest", "--confidence", "unknown"], folder, files)
    if crash:
        raise SystemExit(f"{folder.name}: {crash}")
    found: dict[tuple[str, str], str] = {}
    for one in document.get("suggestions", ()):
        name = one["function"] or ""
        found[one["file"], name] = one["confidence"]
        found.setdefault((one["file"], name.partition(".<locals>.")[0]), one["confidence"])
    return found


def main() -> int:
    """List what draws, or count what is suggested of what was judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options = parser.parse_args()
    packages = [one for one in (*PACKAGES, *HELD_OUT) if not options.only or one.partition("==")[0] in options.only]
    if options.list:
        for package in packages:
            for one in drawing_functions(unpacked(package, options.folder.resolve())):
                row = {"package": package, "file": one.file, "line": one.line, "function": one.function}
                print(json.dumps(row | {"calls": one.calls}))
        return 0
    return _count(packages, options.folder.resolve(), write=options.write)


def _count(packages: Sequence[str], folder: Path, *, write: bool) -> int:
    rows, unjudged = judged(), 0
    for package in packages:
        name, _, version = package.partition("==")
        where = unpacked(package, folder)
        mine = [row for row in rows if (row["package"], row["version"]) == (name, version)]
        known = {(row["file"], row["function"]) for row in mine}
        left = [one for one in drawing_functions(where) if (one.file, one.function) not in known]
        for one in left:
            print(f"not judged: {package} {one.file}:{one.line} {one.function}")
        unjudged += len(left)
        private = [row for row in mine if row["judgement"] == "private"]
        if not private:
            continue
        found = suggested(where, sorted({row["file"] for row in private}))
        for row in private:
            row["suggested"] = found.get((row["file"], row["function"]), "no")
        got = [row for row in private if row["suggested"] != "no"]
        print(f"{package}: {len(got)} of {len(private)}", flush=True)
        for row in private:
            if row["suggested"] == "no":
                print(f"    none for {row['file']}:{row['line']} {row['function']}")
    whole = [row for row in rows if row["judgement"] == "private"]
    got = [row for row in whole if row["suggested"] not in ("no", "")]
    share = len(got) / len(whole)
    print(f"{len(got)} of {len(whole)} functions that protect data with noise get a suggestion: {share:.0%}")
    if write:
        with JUDGED.open("w", encoding="utf-8", newline="") as lines:
            table = csv.DictWriter(lines, FIELDS, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
    return 1 if unjudged else 0


if __name__ == "__main__":
    sys.exit(main())
