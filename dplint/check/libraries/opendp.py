"""What OpenDP's constructors say of themselves: every transformation that they make, and its own stability map.

Runs in the user's interpreter, as a script, and prints a JSON list; `dplint.check.library` says what is in it. No claim
is written by hand: an input domain and metric, and arguments by their names, are offered to every constructor, and what
it accepts has a map, which says how far neighbours may be apart behind it.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import itertools
import json
import math
import os
import sys
from collections.abc import Iterator
from typing import Any

os.environ["RUST_BACKTRACE"] = "0"  # most calls fail, and a trace of each takes ten times as long

import opendp.prelude as dp

FEATURES = ("contrib", "honest-but-curious", "idealized-numerics")
SETUP = f"import opendp.prelude as dp\n\nfor feature in {FEATURES!r}:\n    dp.enable_features(feature)\n"
_INT, _WIDE = "dp.atom_domain(bounds=(0, 10))", "dp.atom_domain(bounds=(-2147483648, 2147483647))"
_FLOAT, _ANY, _NAN = (
    "dp.atom_domain(bounds=(0.0, 10.0))",
    "dp.atom_domain(T=float, nan=False)",
    "dp.atom_domain(T=float, nan=True)",
)
ATOMS: tuple[tuple[str, str], ...] = (
    (_INT, "(0, 10)"),
    (_WIDE, "(-2147483648, 2147483647)"),
    ("dp.atom_domain(T=int)", "(-2147483648, 2147483647)"),
    (_FLOAT, "(0.0, 10.0)"),
    (_ANY, "(-1000.0, 1000.0)"),
    (_NAN, "[(-1000.0, 1000.0), float('nan')]"),
    ("dp.atom_domain(T=bool)", "[False, True]"),
    ("dp.atom_domain(T=str)", "['a', 'b', '7', '2.5', '']"),
    ("dp.option_domain(dp.atom_domain(T=int))", "[(-2147483648, 2147483647), None]"),
    (f"dp.option_domain({_ANY})", "[(-1000.0, 1000.0), None]"),
)
"""Domains of a record, each with the same as dplint writes it, or with a part of it."""
SIZE = 4
NEIGHBORS = {
    "SymmetricDistance": "add-remove",
    "InsertDeleteDistance": "add-remove",
    "ChangeOneDistance": "replace-one",
    "HammingDistance": "replace-one",
}
METRICS = {
    "AbsoluteDistance": ("absolute", 1),
    "L1Distance": ("l1", 1),
    "L2Distance": ("l2", 1),
    "LInfDistance": ("linf", 1),
    "SymmetricDistance": ("symmetric", 1),
    "InsertDeleteDistance": ("symmetric", 1),
    "ChangeOneDistance": ("symmetric", 2),
    "HammingDistance": ("changes", 1),
}
"""The metrics of dplint, and by which factor theirs bounds it."""
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "bounds": ("(0, 10)", "(0.0, 10.0)", "(2, 5)", "(2.0, 5.0)"),
    "categories": ("['a', 'b']", "[0, 1, 7]", "[False, True]"),
    "constant": ("0", "1.0", "'a'", "False"),
    "size": (str(SIZE),),
    "size_limit": (str(SIZE),),
    "TOA": ("int", "float", "str", "bool"),
    "value": ("'a'", "7", "1.0", "True"),
    "edges": ("[0, 5, 9]", "[0.0, 5.0, 9.0]"),
    "candidates": ("[1, 5, 9]", "[1.0, 5.0, 9.0]"),
    "alpha": ("0.5", "0.9"),
    "null": ("'z'", "9"),
    "leaf_count": ("4",),
    "branching_factor": ("2",),
    "null_category": ("True", "False"),
}
MOST = 6
"""Transformations of one constructor, evenly among all that it makes."""


def domains() -> dict[str, tuple[str, str, bool]]:
    """By OpenDP's own words for it: an expression for the domain, the same for dplint, and whether it is sized."""
    found = {}
    for atom, domain in ATOMS:
        for sized in (False, True):
            text = f"dp.vector_domain({atom}{f', size={SIZE}' if sized else ''})"
            try:
                found[str(eval(text))] = (text, domain, sized)
            except Exception:
                continue
    return found


def calls(function: Any, inputs: list[tuple[str, str]]) -> Iterator[str]:
    """Calls of a constructor with everything that its parameters may be, as far as that is known by their names."""
    options: list[list[str]] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("input_domain", "domain"):
            options.append([f"{domain}, {metric}" for domain, metric in inputs])
        elif parameter.name in ARGUMENTS:
            options.append([f"{parameter.name}={value}" for value in ARGUMENTS[parameter.name]])
        elif parameter.name not in ("input_metric", "metric") and parameter.default is inspect.Parameter.empty:
            return
    for chosen in itertools.product(*options):
        yield f"dp.t.{function.__name__}({', '.join(chosen)})"


def described(call: str, known: dict[str, tuple[str, str, bool]]) -> dict[str, Any] | None:
    """What a transformation claims of itself; None where the call makes none, or dplint has no words for it."""
    try:
        made = eval(call)
        if str(made.output_domain).startswith("VectorDomain(OptionDomain("):
            # Such a vector does not come to Python; what drops missing values is no less stable.
            call = f"{call} >> dp.t.then_drop_null()"
            made = eval(call)
        domain, metric = str(made.input_domain), str(made.input_metric).partition("(")[0]
        neighbors, (out, factor) = NEIGHBORS[metric], METRICS[str(made.output_metric).partition("(")[0]]
        _, records, sized = known[domain]
        # Data of one size that are neighbours differ in a record that is replaced: it goes, and another one comes.
        replaced = sized and metric in ("SymmetricDistance", "InsertDeleteDistance")
        d_out = made.map(2 if replaced else 1) * factor
    except Exception:
        return None
    if not math.isfinite(d_out):
        return None
    return {
        "make": call,
        "neighbors": "replace-one" if sized else neighbors,
        "domain": records,
        "size": SIZE if sized else None,
        "d_out": float(d_out),
        "metric": out,
    }


def claims() -> list[dict[str, Any]]:
    """What all constructors claim."""
    for feature in FEATURES:
        dp.enable_features(feature)
    known = domains()
    metrics = ("symmetric_distance", "insert_delete_distance", "change_one_distance", "hamming_distance")
    inputs = [(text, f"dp.{metric}()") for text, _, _ in known.values() for metric in metrics]
    found = []
    for name in sorted(vars(dp.t)):
        if name.startswith("make_"):
            told = [described(call, known) for call in calls(getattr(dp.t, name), inputs)]
            made = [one for one in told if one is not None]
            found += made[:: max(1, -(-len(made) // MOST))]
    return found


if __name__ == "__main__":
    version = f"opendp {importlib.metadata.version('opendp')}"
    sys.stdout.write(json.dumps({"library": version, "setup": SETUP, "claims": claims()}))
