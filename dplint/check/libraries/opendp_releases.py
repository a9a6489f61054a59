"""What OpenDP says of plans of polars that release: the privacy map that `make_private_lazyframe` gives to each.

As `opendp.py` beside it. A plan is a truncation of what a user has, a step, and a release at its end: one of all rows
or of groups, under what a domain says of them (margins). Steps are those of `opendp_polars.py`, releases are all
methods of the namespace `dp`; OpenDP accepts some of them.

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
import random
import runpy
import sys
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
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


def _released(*made):
    made = _made(*made)
    return lambda rows: sorted(made(pl.LazyFrame(rows, schema=_SCHEMA)).collect().rows(), key=repr)


def _exact(columns, *made):
    release = _released(*made)
    # Rows are sorted by their key, which stands first.
    return lambda rows: [cell for row in release(rows) for cell in row[-columns:]]


def _row(chance, user, key):
    number, missing = chance.choice((-9, 9)), chance.random() < 0.2
    return {"id": user, "k": key, "x": float(number), "y": None if missing else float(number), "m": number,
            "n": None if missing else number}


def _changed(chance, user, most):
    # Up to so many rows of a user, of one key or of several: all else the same, or as it comes.
    keys = itertools.cycle(chance.sample("abc", chance.choice((1, 2, 3))))
    rows = [_row(chance, user, next(keys)) for _ in range(chance.choice((1, most, most)))]
    return rows if chance.random() < 0.3 else [{**rows[0], "k": row["k"]} for row in rows]


def _opposite(row):
    return {name: -one if name in "xymn" and one is not None else one for name, one in row.items()}


def _sides(chance, metric, d_in):
    base = [_row(chance, chance.choice((1, 2)), chance.choice("abc")) for _ in range(chance.choice((0, 0, 1, 3)))]
    opposite = chance.random() < 0.5
    if metric == "symmetric":
        removed = _changed(chance, 3, d_in // 2) if d_in > 1 and opposite else []
        added = [_opposite(row) for row in removed] or _changed(chance, 3, d_in)
        return base + removed, base + added
    if metric == "symmetric_id":
        return base, base + [row for user in range(3, 3 + d_in) for row in _changed(chance, user, 4)]
    most = 1 if metric == "change_one" else 4
    one, two = ([row for user in range(3, 3 + d_in) for row in _changed(chance, user, most)] for _ in "12")
    return base + one, base + ([_opposite(row) for row in one] if opposite else two)


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
BY_KEY = {"by": ["k"], "max_length": 2, "max_groups": 2}
MARGINS: tuple[tuple[dict[str, Any], ...], ...] = (
    (),
    ({"by": [], "max_length": 4},),
    ({"by": [], "max_length": 4, "invariant": "lengths"},),
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
THRESHOLD = "{0}.group_by('k').agg({1}).filter(pl.col('len') > 7)"
STEPS = ("{0}.with_columns(k={1})", "{0}.with_columns(m={1})", "{0}.filter({1})")
LITERALS = (("lit", "pl.lit('a')"), ("lit", "pl.lit(1)"))
ARGUMENTS = {
    "scale": ("{scale}",),
    "bounds": ("(-9, 9)", "(-9.0, 9.0)", "(0, 5)", "(0.0, 5.0)"),
    "alpha": ("0.5",),
    "candidates": ("[0, 4, 8]", "[0.0, 4.0, 8.0]"),
}
COLUMNS = ("m", "n", "x", "y", "k")
LEAST, LARGEST = 0.1, 4.0
"""Of epsilon or rho, to be told from a larger one by runs."""
TRIED, MOST_PRIVATE = 20, 4
"""Plans that are offered for one claim, until one is accepted; and claims of privacy of one release."""


def releases(known: dict[str, Any], plans: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The name of a release, and an expression for it with a place for its scale."""
    yield "dp.len", "dp.len({scale})"
    yield "two", "dp.len({scale}), pl.col('m').dp.sum((-9, 9), {scale})"
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


class Maker:
    """Makes claims of plans. known: what `SETUP` defines. kinds: the kinds of noise that runs already look at."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        exec(SETUP, self.known)
        self.kinds: set[str] = set()

    def described(self, plan: str, space: tuple[Any, ...], measure: str) -> list[dict[str, Any]]:
        """What a plan claims of itself: nothing where it is none, or nothing that can be tested.

        plan: with a place for a scale. space: the metric, the distance of neighbours in it, and margins.
        """
        metric, d_in, *margins = space
        rest = ", ".join(map(repr, (metric, measure, *margins)))
        pairs = {count: f"_pairs({', '.join(map(repr, (count, *space)))})" for count in (1, FEW, ROWS)}
        released = f"_released({plan.format(scale=SCALE)}, {rest})"
        try:
            made = eval(released.replace("_released", "_made", 1), self.known)
            loss = made.map(d_in)
            summary = measure != "approximate" and self.known["dp"].summarize_polars_measurement(made).rows()
            noises = [row[2:4] for row in summary or ()]
            for rows in next(eval(pairs[1], self.known)):  # some plans never run
                width = {len(row) for row in eval(released, self.known)(rows)}
        except Exception:
            return []
        found: list[dict[str, Any]] = []
        added = all(noise.endswith(("Laplace", "Gaussian")) and scale == SCALE for noise, scale in noises)
        if noises and added and width <= {len(noises) + ("group_by('k')" in plan)}:
            d_out = (loss if measure == "pure" else math.sqrt(2 * loss)) * SCALE
            exact = f"_exact({len(noises)}, {plan.format(scale=0.0)}, {rest})"
            said = {"d_out": d_out, "metric": "l1" if measure == "pure" else "l2"}
            found.append({"make": exact, "pairs": pairs[ROWS], **said})
            if self.kinds >= {noise for noise, _ in noises}:
                return found
        said = {"pure": {"epsilon": loss}, "zcdp": {"rho": loss}}.get(measure) or {"epsilon": loss[0], "delta": loss[1]}
        if LEAST <= next(iter(said.values())) <= LARGEST:
            self.kinds |= {noise for noise, _ in noises}
            found.append({"make": released, "pairs": pairs[FEW], **said})
        return found


def spaces(maker: Maker) -> list[tuple[Any, ...]]:
    """Metrics with the distance of neighbours and margins, as far as there are neighbours in them."""
    every = [(*neighbors, *margins) for neighbors, margins in product(NEIGHBORS, MARGINS)]
    return [space for space in every if next(maker.known["_pairs"](1, *space), None) is not None]


def by_name(maker: Maker, plans: dict[str, Any]) -> dict[str, list[str]]:
    """The releases that some plan accepts, by what they are made of; one for each column and kind of bounds."""
    wide = ("symmetric", 1, {**BY_KEY, "invariant": "keys"}, {"by": [], "max_length": 4})
    found: dict[str, list[str]] = {}
    for name, expression in releases(maker.known, plans):
        if any(maker.described(place.format("_LF", expression), wide, "pure") for place in PLACES[:2]):
            found.setdefault(name, []).append(expression)
    maker.kinds.clear()
    return found


def steps(maker: Maker, plans: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The kind of a step, and what such a step may be with one method, as far as OpenDP takes it for rows."""
    known = {**maker.known, "_METRIC": maker.known["_METRICS"]["symmetric"]}
    for kind in STEPS:
        found: dict[str, list[str]] = {}
        for name, expression in (*plans["expressions"](maker.known["pl"].Expr), *LITERALS):
            step = kind.format("_LF", expression)
            try:
                eval(f"dp.t.make_stable_lazyframe(_DOMAIN, _METRIC, {step})", known)
            except Exception:
                continue
            found.setdefault(name, []).append(kind.replace("{1}", expression))
        yield from ((kind, some) for some in found.values())


def of_releases(maker: Maker, named: dict[str, list[str]], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Claims of every release in every space and place; what is not about these comes by chance."""
    for expressions in named.values():
        private = 0
        for space, place in product(spaces(maker), PLACES):
            for _ in range(TRIED):
                truncated = chance.choice(TRUNCATIONS[space[0]])
                plan = place.format(truncated, chance.choice(expressions))
                told = maker.described(plan, space, chance.choice(("pure", "zcdp")))
                if told:
                    break
            else:
                continue
            runs = "d_out" not in told[0]
            private += runs
            yield from () if runs and private > MOST_PRIVATE else told
    for space in NEIGHBORS:
        plan = THRESHOLD.format(TRUNCATIONS[space[0]][0], "dp.len({scale})")
        yield from maker.described(plan, space, "approximate")


def of_steps(maker: Maker, named: dict[str, list[str]], plans: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Claims of every step between a truncation and a release.

    Behind another key every truncation is tried, in both measures, since it says what a user has by key.
    """
    chance, known = random.Random(2), spaces(maker)
    every = [one for expressions in named.values() for one in expressions if "'m'" in one]
    for kind, some in steps(maker, plans):
        ways: list[tuple[Any, ...]] = list(
            product((("symmetric_id", 1),), TRUNCATIONS["symmetric_id"], ("pure", "zcdp"))
        )
        if kind is not STEPS[0]:
            ways = [
                (space, chance.choice(TRUNCATIONS[space[0]]), chance.choice(("pure", "zcdp")))
                for space in chance.sample(known, FEW)
            ]
        offered = chance.sample(some, min(TRIED, len(some)))
        for space, truncated, measure in ways:
            for step in tuple(offered):
                release = "dp.len({scale})" if kind is STEPS[0] else chance.choice(every)
                place = PLACES[2] if kind is STEPS[0] else chance.choice(PLACES)
                plan = place.format(step.replace("{0}", truncated), release)
                told = [one for one in maker.described(plan, space, measure) if "d_out" in one]
                if told:
                    yield told[0]
                    # What is accepted once will be again.
                    offered = [step, *(one for one in offered if one != step)]
                    break


def claims() -> list[dict[str, Any]]:
    """What every plan claims that is accepted."""
    plans = runpy.run_path(str(Path(sys.argv[1]).with_name("opendp_polars.py")))
    maker = Maker()
    named = by_name(maker, plans)
    found = [*of_releases(maker, named, random.Random(1)), *of_steps(maker, named, plans)]
    return list({one["make"]: one for one in found}.values())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    version = f"opendp {importlib.metadata.version('opendp')}, plans of polars that release"
    sys.stdout.write(json.dumps({"library": version, "setup": SETUP, "claims": claims()}))
