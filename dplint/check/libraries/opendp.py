"""What OpenDP's constructors say of themselves: transformations with their stability, measurements with their privacy.

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
from collections.abc import Iterable, Iterator
from importlib import import_module  # noqa: F401 - expressions name it
from typing import Any

os.environ["RUST_BACKTRACE"] = "0"  # most calls fail, and a trace of each takes ten times as long

import opendp.prelude as dp

FEATURES = ("contrib", "honest-but-curious", "idealized-numerics")
SETUP = f"""from importlib import import_module

import opendp.prelude as dp

for feature in {FEATURES!r}:
    dp.enable_features(feature)


def _on_rows(made):
    import numpy as np

    return lambda rows: np.asarray(made(np.array([[*row.values()] for row in rows]).reshape(-1, 2))).tolist()
"""
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
ARRAYS = tuple(
    f"dp.numpy.array2_domain(num_columns=2, T=float{more})" for more in ("", ", nan=False", ", norm=20.0, p=2")
)
"""Domains of arrays with two columns, of which dplint has rows."""
COLUMNS = "{'x': (0.0, 10.0), 'y': (0.0, 10.0)}"
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
    "InsertDeleteDistance": ("insert-delete", 1),
    "ChangeOneDistance": ("symmetric", 2),
    "HammingDistance": ("changes", 1),
}
"""The metrics of dplint, and by which factor theirs bounds it."""
OF_ROWS = ("symmetric", "insert-delete", "changes")
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "bounds": ("(0, 10)", "(0.0, 10.0)", "(2, 5)", "(2.0, 5.0)"),
    "categories": ("['a', 'b']", "[0, 1, 7]", "[False, True]"),
    "constant": ("0", "1.0", "'a'", "False"),
    "size": (str(SIZE),),
    "size_limit": (str(SIZE),),
    "MO": ("'InsertDeleteDistance'",),
    "norm": ("1.0",),
    "p": ("1", "2"),
    "j": ("0", "1"),
    "x_cuts": ("import_module('numpy').array([2.0, 7.0])",),
    "TOA": ("int", "float", "str", "bool"),
    "value": ("'a'", "7", "1.0", "True"),
    "edges": ("[0, 5, 9]", "[0.0, 5.0, 9.0]"),
    "candidates": ("[1, 5, 9]", "[1.0, 5.0, 9.0]"),
    "alpha": ("0.5", "0.9"),
    "null": ("'z'", "9"),
    "leaf_count": ("4",),
    "branching_factor": ("2",),
    "null_category": ("True", "False"),
    "scale": ("1.0", "10.0", "100.0"),
    "threshold": ("5", "5.0"),
    "output_measure": (
        "dp.max_divergence()",
        "dp.zero_concentrated_divergence()",
        "dp.approximate(dp.max_divergence())",
    ),
    "k": ("2",),
    "prob": ("0.75",),
    "f": ("0.5",),
    "d_in": ("1.0",),
    "d_out": ("(1.0, 1e-3)",),
}
MOST, MOST_PRIVATE = 6, 4
"""Claims of one constructor of transformations and of measurements, evenly among all that it makes."""
VECTORS = tuple(
    (f"dp.vector_domain({atom})", f"dp.{metric}_distance(T={kind})", metric, kind)
    for atom, kind in (("dp.atom_domain(T=int)", "int"), (_ANY, "float"))
    for metric in ("l1", "l2", "linf")
)
"""Spaces of vectors, each with the relation that dplint has for neighbours in it, and the kind of its numbers."""
LEAST, LARGEST = 0.1, 4.0
"""Of epsilon or rho, to be told from a larger one by runs."""
LOSSES = {
    "MaxDivergence": lambda loss: {"epsilon": loss},
    "ZeroConcentratedDivergence": lambda loss: {"rho": loss},
    "Approximate(MaxDivergence)": lambda loss: {"epsilon": loss[0], "delta": loss[1]},
}
"""What a claim says, by the measure of a privacy map."""


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
    for text in ARRAYS:
        try:
            found[str(eval(text))] = (text, COLUMNS, False)
        except Exception:  # without NumPy
            continue
    return found


def constructors() -> list[Any]:
    """Those of transformations, also of the modules with extras that are there."""
    extras = [module for name, module in sorted(sys.modules.items()) if name.startswith("opendp.extras.")]
    found = [getattr(dp.t, name) for name in sorted(vars(dp.t)) if name.startswith("make_")]
    for module in extras:
        own = [
            one for name, one in sorted(vars(module).items()) if name.startswith("make_") and inspect.isfunction(one)
        ]
        found += [one for one in own if one.__module__ == module.__name__]
    return found


def calls(function: Any, inputs: list[tuple[str, str]]) -> Iterator[str]:
    """Calls of a constructor with everything that its parameters may be, as far as that is known by their names."""
    options: list[list[str]] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("input_domain", "domain"):
            options.append([f"{domain}, {metric}".removeprefix(", ") for domain, metric in inputs])
        elif parameter.name in ARGUMENTS:
            known = [f"{parameter.name}={value}" for value in ARGUMENTS[parameter.name]]
            options.append([*([] if parameter.default is inspect.Parameter.empty else [""]), *known])
        elif parameter.name not in ("input_metric", "metric") and parameter.default is inspect.Parameter.empty:
            return
    module = "dp.m" if "measurements" in function.__module__ else "dp.t"
    if function.__module__.startswith("opendp.extras."):
        module = f"import_module({function.__module__!r})"
    for chosen in itertools.product(*options):
        yield f"{module}.{function.__name__}({', '.join(one for one in chosen if one)})"


def made(call: str, known: dict[str, tuple[str, str, bool]]) -> tuple[Any, dict[str, Any]] | None:
    """A transformation and what its data are; None where the call makes none, or dplint has no words for its data."""
    try:
        built = eval(call)
        if str(built.output_domain).startswith("VectorDomain(OptionDomain("):
            # Such a vector does not come to Python; what drops missing values is no less stable.
            call = f"{call} >> dp.t.then_drop_null()"
            built = eval(call)
        neighbors = NEIGHBORS[str(built.input_metric).partition("(")[0]]
        _, records, sized = known[str(built.input_domain)]
    except Exception:
        return None
    call = f"_on_rows({call})" if records == COLUMNS else call
    # Of no rows at all an array is none to some.
    size = SIZE if records == COLUMNS else None
    space: dict[str, Any] = {"make": call, "neighbors": neighbors, "domain": records, "size": size}
    return built, {**space, "neighbors": "replace-one", "size": SIZE} if sized else space


def moved(built: Any, space: dict[str, Any]) -> int:
    """The distance of neighbours: of data of one size a record is replaced, so that one goes, and another one comes."""
    unordered = str(built.input_metric) in ("SymmetricDistance()", "InsertDeleteDistance()")
    return 2 if unordered and space["neighbors"] != NEIGHBORS["SymmetricDistance"] else 1


def described(built: Any, space: dict[str, Any]) -> dict[str, Any] | None:
    """What a transformation claims of itself; None where dplint has no words for it."""
    try:
        metric, factor = METRICS[str(built.output_metric).partition("(")[0]]
        if metric in OF_ROWS and not str(built.output_domain).startswith(("VectorDomain", "NPArray2Domain")):
            return None  # the metric is about data that such an output stands for
        d_out = built.map(moved(built, space)) * factor
    except Exception:
        return None
    return {**space, "d_out": float(d_out), "metric": metric} if math.isfinite(d_out) else None


def measured(call: str, space: dict[str, Any], d_in: float) -> dict[str, Any] | None:
    """What a measurement claims of itself; None where the call makes none, or it is too much or little to be tested.

    space: what its data are, as in the claim of a transformation.
    """
    try:
        built = eval(call)
        said = LOSSES[str(built.output_measure)](built.map(d_in))
    except Exception:
        return None
    if not LEAST <= next(iter(said.values())) <= LARGEST:
        return None
    return {**{name: space.get(name) for name in ("neighbors", "domain", "size", "kind")}, "make": call, **said}


def measurements(function: Any, transformations: list[tuple[Any, dict[str, Any]]]) -> Iterator[dict[str, Any] | None]:
    """What one constructor of measurements claims: of vectors, and behind a transformation of each kind."""
    if "input_domain" not in inspect.signature(function).parameters:
        for call in calls(function, []):
            categories = call.partition("categories=")[2].partition("]")[0] or "[False, True"
            yield measured(call, {"neighbors": "any", "domain": f"{categories}]"}, 1)
        return
    for domain, metric, neighbors, kind in VECTORS:
        vectors = {"neighbors": neighbors, "kind": f"list[{kind}]"}
        for call in calls(function, [(domain, metric)]):
            yield measured(call, vectors, 1 if kind == "int" else 1.0)
    name = function.__name__.replace("make_", "then_")
    for built, space in transformations if hasattr(dp.m, name) else ():
        for call in calls(function, [("", "")]):
            step = f"dp.m.{name}({call.partition('(')[2]}"
            yield measured(f"{space['make']} >> {step}", space, moved(built, space))


def evenly(told: Iterable[dict[str, Any] | None], most: int) -> list[dict[str, Any]]:
    """Of what claims something, so many at most, as many of each metric and definition of privacy."""
    kinds: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for one in told:
        if one is not None:
            kinds.setdefault(("rho" in one, one.get("metric")), []).append(one)
    share = max(1, most // max(1, len(kinds)))
    return [one for found in kinds.values() for one in found[:: max(1, -(-len(found) // share))]]


def claims() -> list[dict[str, Any]]:
    """What all constructors claim."""
    for feature in FEATURES:
        dp.enable_features(feature)
    known = domains()
    metrics = ("symmetric_distance", "insert_delete_distance", "change_one_distance", "hamming_distance")
    inputs = [(text, f"dp.{metric}()") for text, _, _ in known.values() for metric in metrics]
    found: list[dict[str, Any]] = []
    kinds: dict[tuple[str, str], tuple[Any, dict[str, Any]]] = {}
    for constructor in constructors():
        all_made = [one for call in calls(constructor, inputs) if (one := made(call, known)) is not None]
        found += evenly((described(*one) for one in all_made), MOST)
        for built, space in all_made:
            # Noise does not hang on bounds of what it is added to; runs are dear.
            kinds.setdefault((str(built.output_domain.carrier_type), str(built.output_metric)), (built, space))
    for name in sorted(vars(dp.m)):
        if name.startswith("make_") and name != "make_proof_link":
            found += evenly(measurements(getattr(dp.m, name), list(kinds.values())), MOST_PRIVATE)
    return found


if __name__ == "__main__":
    version = f"opendp {importlib.metadata.version('opendp')}"
    sys.stdout.write(json.dumps({"library": version, "setup": SETUP, "claims": claims()}))
