"""What OpenDP says of plans of polars: the stability map that `make_stable_lazyframe` gives to each, and its domain.

As `opendp.py` beside it. Plans are made of every method and operator of expressions, on five columns, in four places;
OpenDP accepts some of them. Tables that plans give have to be in the output domain: the noise relies on what that says,
as that no value is missing. Whether a table is in a domain the domain says itself. Needs `opendp[polars]`.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

os.environ["RUST_BACKTRACE"] = "0"

SETUP = """import os
import warnings

os.environ["RUST_BACKTRACE"] = "0"
import opendp.prelude as dp
import polars as pl

for feature in ("contrib", "honest-but-curious", "idealized-numerics"):
    dp.enable_features(feature)
_SCHEMA = {"k": pl.String, "x": pl.Float64, "y": pl.Float64, "m": pl.Int64, "n": pl.Int64}
_LF = pl.LazyFrame([], schema=_SCHEMA)
_DOMAIN = dp.lazyframe_domain([
    dp.series_domain("k", dp.atom_domain(T=str)),
    dp.series_domain("x", dp.atom_domain(T=float, nan=True)),
    dp.series_domain("y", dp.option_domain(dp.atom_domain(T=float, nan=False))),
    dp.series_domain("m", dp.atom_domain(T="i64")),
    dp.series_domain("n", dp.option_domain(dp.atom_domain(T="i64"))),
])


def _made(plan):
    return dp.t.make_stable_lazyframe(_DOMAIN, dp.symmetric_distance(), plan)


def _applied(plan):
    made = _made(plan)
    return lambda rows: made(pl.LazyFrame(rows, schema=_SCHEMA)).collect()


def _is_in(domain, frame):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = domain.member(frame)
    return None if told else found  # a warning says that it cannot tell


def _outside(*plans):
    made = {str(plan): _made(plan) for plan in plans}

    def applied(rows):
        frame, found = pl.LazyFrame(rows, schema=_SCHEMA), []
        for one in made.values():
            try:
                given = one(frame)
                if _is_in(one.input_domain, frame) and _is_in(one.output_domain, given) is False:
                    found.append(str(given.collect().rows()))
            except Exception:
                continue
        return found

    return applied
"""
DOMAIN = (
    "{'k': ['a', 'b', '7'], 'x': [(-9.0, 9.0), float('nan')], 'y': [(-9.0, 9.0), None], 'm': (-9, 9), "
    "'n': [(-9, 9), None]}"
)
COLUMNS = ("k", "x", "y", "m", "n")
ROW = {"k": "a", "x": 1.0, "y": 1.0, "m": 1, "n": 1}
PLACES = (
    "_LF.with_columns({0})",
    "_LF.filter({0})",
    "_LF.group_by({0}).agg(pl.len())",
    "_LF.group_by('k').agg({0})",
)
ARGUMENTS = {
    "other": "2",
    "lower_bound": "0.0",
    "upper_bound": "5.0",
    "value": "0",  # and NaN
    "dtype": "pl.Int64",
    "breaks": "[0.0, 5.0]",
    "old": "['a']",
    "new": "['b']",
    "n": "1",
    "decimals": "0",
    "exponent": "2",
    "quantile": "0.5",
    "base": "2.0",
    "strict": "False",
}
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "&", "|", "^")
MOST = 1
"""Plans of one method or operator in one place: more take too long."""
TOGETHER = 8
"""Plans of which it is asked at once whether they leave their domains."""


def expressions(kind: Any) -> Iterator[tuple[str, str]]:
    """The name of a method or operator, and an expression with it."""
    for operator in OPERATORS:
        for column in COLUMNS:
            for other in (f"pl.col('{column}')", "0", "2"):
                yield operator, f"(pl.col('{column}') {operator} {other})"
    for name in sorted(vars(kind)):
        method = getattr(kind, name)
        if name.startswith("_") or not inspect.isfunction(method):
            continue
        parameters = list(inspect.signature(method).parameters.values())[1:]
        needed = [one for one in parameters if one.default is inspect.Parameter.empty and "VAR" not in one.kind.name]
        if any(one.name not in ARGUMENTS for one in needed):
            continue
        known = {one.name: ARGUMENTS[one.name] for one in parameters if one in needed or one.name in ARGUMENTS}
        given = ", ".join(f"{name}={value}" for name, value in known.items())
        # Some have to be named, and some must not be; what is not taken is no plan.
        others = [given.replace("value=0", "value=float('nan')")] if "value" in known else []
        for said in dict.fromkeys((given, ", ".join(known.values()), *others, "")):
            for column in COLUMNS:
                yield name, f"pl.col('{column}').{name}({said})"


def of_categories(known: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What makes categories, and after it what makes other values of these, such as their numbers."""
    after = [name for name in sorted(vars(known["pl"].Expr)) if name.startswith("to_")]
    for name, expression in expressions(known["pl"].Expr):
        try:
            made = eval(f"_LF.select({expression}).collect_schema().dtypes()[0]", known)
        except Exception:
            continue
        if made == known["pl"].Categorical:
            yield from ((f"{name}.{one}", f"{expression}.{one}()") for one in after)


def claims() -> list[dict[str, Any]]:
    """What every plan claims that is accepted."""
    known: dict[str, Any] = {}
    exec(SETUP, known)
    found: list[dict[str, Any]] = []
    counted: dict[tuple[str, str], int] = {}
    for name, expression in (*expressions(known["pl"].Expr), *of_categories(known)):
        for place in PLACES:
            plan = place.format(expression)
            if counted.get((name, place), 0) >= MOST:
                continue
            try:
                bounds = eval(f"_made({plan})", known).map(1)
                (d_out,) = (one.per_group for one in bounds if not one.by)
                if any(None in row for row in eval(f"_applied({plan})", known)([ROW]).rows()):
                    continue  # such a column has no such method, and some plans never run
                claim = {"make": f"_applied({plan})", "d_out": float(d_out)}
            except Exception:
                continue
            counted[name, place] = counted.get((name, place), 0) + 1
            found.append({**claim, **_SAID})
    # Of rows outside of the domain there are none, whatever the data.
    return [*found, *({"make": f"_outside({', '.join(plans)})", "d_out": 0.0, **_SAID} for plans in _by_name(known))]


_SAID = {"neighbors": "add-remove", "domain": DOMAIN, "size": None, "metric": "symmetric"}


def _by_name(known: dict[str, Any]) -> Iterator[list[str]]:
    """The plans with a new column that are accepted, a few together, and those of one method or operator."""
    accepted: dict[str, list[str]] = {}
    for name, expression in expressions(known["pl"].Expr):
        plan = PLACES[0].format(expression)
        try:
            eval(f"_made({plan})", known)
        except Exception:
            continue
        accepted.setdefault(name, []).append(plan)
    for plans in accepted.values():
        yield from (plans[first : first + TOGETHER] for first in range(0, len(plans), TOGETHER))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    version = f"opendp {importlib.metadata.version('opendp')}, plans of polars"
    sys.stdout.write(json.dumps({"library": version, "setup": SETUP, "claims": claims()}))
