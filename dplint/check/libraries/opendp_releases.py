"""What OpenDP says of plans of polars that release: the privacy map that `make_private_lazyframe` gives to each.

As `opendp.py` beside it. A plan is a truncation of what a user has, a step, and a release at its end: one of all rows or
of groups, under what a domain says of them (margins). Steps are those of `opendp_polars.py`, releases are all methods of
the namespace `dp`; OpenDP accepts some of them.

With a scale of zero a release shows what its noise is added to. Of Laplace noise of a scale, epsilon times that scale
is how far neighbours may be apart in l1; of Gaussian noise rho says it in l2, exactly: a claim of stability, which one
pair refutes. Where noise is no sum, or keys are private, the claim is one of privacy. Needs `opendp[polars]`.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import math
import os
import runpy
import sys
import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

os.environ["RUST_BACKTRACE"] = "0"

SETUP = """import itertools
import os
import random

os.environ["RUST_BACKTRACE"] = "0"
import opendp.prelude as dp
import polars as pl

for feature in ("contrib", "honest-but-curious", "idealized-numerics"):
    dp.enable_features(feature)
_SCHEMA = {"id": pl.Int64, "k": pl.String, "x": pl.Float64, "y": pl.Float64, "m": pl.Int64, "n": pl.Int64}
_LF = pl.LazyFrame([], schema=_SCHEMA)
_KEYS = pl.LazyFrame({"k": ["a", "b", "c"]})
_DOMAIN = dp.lazyframe_domain([
    dp.series_domain("id", dp.atom_domain(T="i64")),
    dp.series_domain("k", dp.atom_domain(T=str)),
    dp.series_domain("x", dp.atom_domain(T=float, nan=False)),
    dp.series_domain("y", dp.option_domain(dp.atom_domain(T=float, nan=False))),
    dp.series_domain("m", dp.atom_domain(T="i64")),
    dp.series_domain("n", dp.option_domain(dp.atom_domain(T="i64"))),
])
_ID = pl.col("id")
_METRICS = {
    "symmetric": dp.symmetric_distance(),
    "symmetric_id": dp.symmetric_id_distance(identifier=_ID),
    "change_one": dp.change_one_distance(),
    "change_one_id": dp.change_one_id_distance(identifier=_ID),
}
_MEASURES = {
    "pure": dp.max_divergence(),
    "zcdp": dp.zero_concentrated_divergence(),
    "approximate": dp.approximate(dp.max_divergence()),
}


def _made(plan, metric, measure, *margins):
    domain = _DOMAIN
    for margin in margins:
        domain = dp.with_margin(domain, dp.polars.Margin(**margin))
    return dp.m.make_private_lazyframe(domain, _METRICS[metric], _MEASURES[measure], plan)


def _released(plan, metric, measure, *margins):
    made = _made(plan, metric, measure, *margins)

    def release(rows):
        return sorted(made(pl.LazyFrame(rows, schema=_SCHEMA)).collect().rows(), key=repr)

    return release


def _exact(*made):
    release = _released(*made)
    # The last column is what is released; before it stands the key, by which rows are sorted.
    return lambda rows: [row[-1] for row in release(rows)]


def _row(chance, user, key):
    low = chance.choice((True, False))
    number, missing = (-9 if low else 9), chance.random() < 0.2
    return {"id": user, "k": key, "x": float(number), "y": None if missing else float(number), "m": number,
            "n": None if missing else number}


def _changed(chance, user, most):
    # Up to so many rows of a user: all the same, one of each key, or as they come.
    count, key = chance.choice((1, most, most)), chance.choice("aab")
    kind, one = chance.random(), _row(chance, user, key)
    if kind < 0.4:
        return [one] * count
    keys = itertools.cycle("abc")
    return [{**one, "k": next(keys)} if kind < 0.7 else _row(chance, user, chance.choice("abc")) for _ in range(count)]


def _sides(chance, metric, d_in):
    base = [_row(chance, chance.choice((1, 2)), chance.choice("abc")) for _ in range(chance.choice((0, 0, 1, 3)))]
    if metric == "symmetric":
        share = chance.choice((0, 0, d_in // 2))
        removed = _changed(chance, 3, share)[:share]
        return base + removed, base + _changed(chance, 3, d_in - share)
    if metric == "symmetric_id":
        return base, base + [row for user in range(3, 3 + d_in) for row in _changed(chance, user, 4)]
    most = 1 if metric == "change_one" else 4
    return tuple(base + [row for user in range(3, 3 + d_in) for row in _changed(chance, user, most)] for _ in "12")


def _counts(rows, by):
    keys = [tuple(row[name] for name in by) for row in rows]
    return {key: keys.count(key) for key in keys}


def _fits(one, two, by=(), max_length=None, max_groups=None, invariant=None):
    sides = [_counts(rows, by) for rows in (one, two)]
    for side in sides:
        if max_length is not None and any(count > max_length for count in side.values()):
            return False
        if max_groups is not None and len(side) > max_groups:
            return False
    return sides[0] == sides[1] if invariant == "lengths" else invariant is None or sides[0].keys() == sides[1].keys()


def _pairs(count, metric, d_in, *margins):
    chance, seen = random.Random(1), set()
    for _ in range(10000):
        one, two = _sides(chance, metric, d_in)
        if repr((one, two)) not in seen and all(_fits(one, two, **margin) for margin in margins):
            seen.add(repr((one, two)))
            yield one, two
            count -= 1
            if not count:
                return
"""
ROWS, FEW = 50, 6
"""Pairs for a claim of stability, and for one of privacy."""
SCALE = 2.0
BY_KEY = {"by": ["k"], "max_length": 3, "max_groups": 2}
MARGINS: tuple[tuple[dict[str, Any], ...], ...] = (
    (),
    ({"by": [], "max_length": 6},),
    ({"by": [], "max_length": 6, "invariant": "lengths"},),
    ({**BY_KEY, "invariant": "keys"},),
    ({**BY_KEY, "invariant": "lengths"},),
)
"""What a domain says of groups; OpenDP charges less for some of it."""
NEIGHBORS = (("symmetric", 1), ("symmetric", 6), ("symmetric_id", 1), ("change_one", 1), ("change_one_id", 1))
TRUNCATIONS = {
    "symmetric_id": (
        "_LF.filter(pl.int_range(pl.len()).over('id') < 2)",
        "_LF.filter(pl.int_range(pl.len()).over('id', 'k') < 1).filter(pl.struct('k').rank('dense').over('id') < 3)",
        "_LF.group_by('id', 'k').agg(pl.col('m').max(), pl.col('n').max(), pl.col('x').max(), pl.col('y').max())"
        ".filter(pl.struct('k').rank('dense').over('id') < 3)",
    ),
    "symmetric": ("_LF",),
    "change_one": ("_LF",),
}
TRUNCATIONS["change_one_id"] = TRUNCATIONS["symmetric_id"]
PLACES = (
    "{0}.select({1})",
    "{0}.group_by('k').agg({1})",
    "_KEYS.join({0}.group_by('k').agg({1}), on='k', how='left')",
)
STEPS = ("{0}.with_columns(k={1})", "{0}.with_columns(m={1})", "{0}.filter({1})")
ARGUMENTS = {
    "scale": ("{scale}",),
    "bounds": ("(-9, 9)", "(-9.0, 9.0)", "(0, 5)", "(0.0, 5.0)"),
    "alpha": ("0.5",),
    "candidates": ("[0, 4, 8]", "[0.0, 4.0, 8.0]"),
}
COLUMNS = ("m", "n", "x", "y", "k")
LEAST, LARGEST = 0.1, 4.0
"""Of epsilon or rho, to be told from a larger one by runs."""


def releases(known: dict[str, Any], plans: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The name of a release, and an expression for it that a scale has to be put into."""
    yield "dp.len", "dp.len({scale})"
    for name in sorted(vars(known["dp"].polars.DPExpr)):
        method = getattr(known["dp"].polars.DPExpr, name)
        if name.startswith("_") or not inspect.isfunction(method):
            continue
        parameters = list(inspect.signature(method).parameters)[1:]
        for given in product(*(ARGUMENTS[one] for one in parameters if one in ARGUMENTS)):
            for column in COLUMNS:
                yield f"dp.{name}", f"pl.col('{column}').dp.{name}({', '.join(given)})"
    for name, expression in plans["expressions"](known["pl"].Expr):
        yield name, f"{expression}.dp.noise({{scale}})"


def described(known: dict[str, Any], plan: str, space: tuple[Any, ...], measure: str) -> dict[str, Any] | None:
    """What a plan with a place for a scale claims of itself; None where it is none, or nothing that can be tested.

    space: the metric, the distance of neighbours in it, and margins.
    """
    metric, d_in, *margins = space
    rest = ", ".join(map(repr, (metric, measure, *margins)))
    pairs = {count: f"_pairs({', '.join(map(repr, (count, *space)))})" for count in (1, FEW, ROWS)}
    given = plan.format(scale=SCALE)
    try:
        made = eval(f"_made({given}, {rest})", known)
        loss = made.map(d_in)
        drawn = [row[2:] for row in known["dp"].summarize_polars_measurement(made).rows()]
        one, two = next(eval(pairs[1], known))
        for rows in (one, two):
            eval(f"_released({given}, {rest})", known)(rows)  # some plans never run
    except Exception:
        return None
    ((noise, scale, *_),) = drawn if len(drawn) == 1 else (("", 0.0),)
    if measure != "approximate" and noise.endswith(("Laplace", "Gaussian")):
        d_out = loss * scale if measure == "pure" else math.sqrt(2 * loss) * scale
        said: dict[str, Any] = {"d_out": d_out, "metric": "l1" if measure == "pure" else "l2"}
        return {"make": f"_exact({plan.format(scale=0.0)}, {rest})", "pairs": pairs[ROWS], **said}
    said = {"rho": loss} if measure == "zcdp" else {"epsilon": loss} if measure == "pure" else {}
    if measure == "approximate":
        said = {"epsilon": loss[0], "delta": loss[1]}
    if not LEAST <= next(iter(said.values())) <= LARGEST:
        return None
    return {"make": f"_released({given}, {rest})", "pairs": pairs[FEW], **said}


def claims() -> list[dict[str, Any]]:
    """What every plan claims that is accepted."""
    known: dict[str, Any] = {}
    exec(SETUP, known)
    plans = runpy.run_path(os.path.join(os.path.dirname(sys.argv[1]), "opendp_polars.py"))
    found: list[dict[str, Any]] = []
    sp=('symmetric',6,dict(by=['k'],max_length=3,max_groups=2,invariant='keys'))
    for n,e in releases(known,plans):
      d=described(known,PLACES[1].format('_LF',e),sp,'pure')
      if d:found.append(d)
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    version = f"opendp {importlib.metadata.version('opendp')}, plans of polars that release"
    sys.stdout.write(json.dumps({"library": version, "setup": SETUP, "claims": claims()}))
