"""Whether readings give what the function gives, on the same draws, of whole modules as users write them.

The function runs in a process of its own, since modules may replace functions of libraries, which readings use.
"""

from __future__ import annotations

import copy
import math
import struct
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.program.refusals import Unsupported, UnsupportedConstruct, unsupported
from dplint.readings import concrete
from dplint.readings.exact.following import OnBoundary, run_at
from dplint_conformance import Adapter, Replay, quiet
from dplint_conformance.harness import outcome_of, plain, sources_for
from dplint_conformance.recording import Sources, redirected
from tests.conformance.adapters import FUEL, outcome_of_run
from tests.readings.modules import Written
from tests.readings.truth import in_a_fresh_process, loaded

SEEDS = (1, 2)
_AGES = [[], [5], [0, 9, 3, 3], [2**31, -(2**31) - 1, 2**53 + 1, 4 * 10**9], [2**62, 2**63 - 1, -1]]


def _columns(ages: list[Any]) -> dict[str, list[Any]]:
    return {"age": ages, "sex": ["m", "f", "m", "m"][: len(ages)]}


def datas(form: str) -> Sequence[Any]:
    """Data of a form. Tables are made where they are used: polars does not survive a fork once it has computed."""
    match form:
        case "list":
            return [*_AGES, [1, 0, 2.5], [math.inf, -0.0]]
        case "np.ndarray":
            return [*(np.array(ages, dtype=np.int64) for ages in _AGES), np.array([0.5, -2.0, 1e200])]
        case "pd.DataFrame":
            whole = [pd.DataFrame(_columns(ages)).astype({"age": "int64"}) for ages in _AGES]
            return [*whole, pd.DataFrame({"age": [1.0, math.nan], "sex": ["f", "f"]})]
        case "pl.DataFrame":
            schema = {"age": pl.Int64, "sex": pl.String}
            return [pl.DataFrame(_columns(ages), schema) for ages in [*_AGES, [1, None]]]
    return [0.0, -2.5, 1e308, 2.0**53, 3.0]


@dataclass(frozen=True)
class Reading:
    """A reading, as the conformance suite calls it, and when it is as Python is.

    close: numbers may differ by rounding, and a list stands for an array.
    """

    adapter: Adapter
    close: bool = False


def of_run(run: Callable[..., concrete.Run]) -> Adapter:
    """The adapter of a function with the signature of `concrete.run`."""

    return partial(_outcomes_of, run)


def _outcomes_of(
    run: Callable[..., concrete.Run], program: Any, arguments: Mapping[str, Any], replays: Sequence[Replay]
) -> Any:
    try:
        return [outcome_of_run(run(program, arguments, replay, fuel=FUEL)) for replay in replays]
    except UnsupportedConstruct as refused:
        return refused.unsupported


def _exact(program: Any, arguments: Mapping[str, Any], draw: Any, *, fuel: int) -> concrete.Run:
    """The exact reading; an equality of probability zero is a refusal, and a contradiction is a fault.

    Noise beyond all floats is no draw of a law, and what an audit compares is dropped by it: that is a refusal, too.
    """

    def finite(*of_draw: Any) -> Any:
        noise = draw(*of_draw)
        if isinstance(noise, float) and not math.isfinite(noise):
            raise unsupported("a draw beyond all floats", program.span)
        return noise

    try:
        return run_at(program, arguments, finite, fuel=fuel)
    except OnBoundary as boundary:
        raise unsupported(str(boundary), program.span) from None


READINGS: dict[str, Reading] = {
    "concrete": Reading(of_run(concrete.run)),
    "exact": Reading(of_run(_exact), close=True),
}
"""By name. What reads a program with numbers put in is one more entry, by `of_run`."""


@dataclass(frozen=True)
class Compared:
    """What came of a module. lowered: False if the lowering has refused it. followed: runs compared, by reading."""

    lowered: bool
    followed: Mapping[str, int]
    faults: Sequence[str]


def compared(written: Written, readings: Mapping[str, Reading] = READINGS) -> Compared:
    """Compare readings with Python on the data of the form."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "first.py")
        file.write_text(written.first, encoding="utf-8")
        Path(folder, "second.py").write_text(written.second, encoding="utf-8")
        targets = [one for one in load_file(file, Settings()) if isinstance(one, Target)]
        program = targets[0].program
        if isinstance(program, Unsupported):
            return Compared(False, {}, [])
        try:
            runs = in_a_fresh_process(outcomes, file, written.name, written.form)
        except (
            NameError,
            AttributeError,
            TypeError,
        ):  # the module cannot be imported: there is nothing to compare with
            return Compared(False, {}, [])
    followed, faults = in_a_fresh_process(faults_of, program, written.form, runs, readings)
    return Compared(True, followed, faults)


def faults_of(
    program: Any,
    form: str,
    runs: Sequence[Any],
    readings: Mapping[str, Reading] = READINGS,
    data: str = "data",
) -> tuple[dict[str, int], list[str]]:
    """How many runs each reading has followed, and where one differs from what `outcomes` has noted."""
    followed: dict[str, int] = dict.fromkeys(readings, 0)
    faults = []
    for number, (value, of_data) in enumerate(zip(datas(form), runs, strict=True)):
        for name, reading in readings.items():
            replays = [_replay(*one[1:]) for one in of_data]
            with quiet():
                found = reading.adapter(program, {data: copy.deepcopy(value), "epsilon": 2}, replays)
            if isinstance(found, Unsupported):
                continue
            for (right, *_), given, replay in zip(of_data, found, replays, strict=True):
                followed[name] += 1
                fault = replay.finish()
                if fault is not None or not same(right, _plain(given), close=reading.close):
                    faults.append(
                        f"{name} on data {number}, {value!r}: {fault or ''}\n  Python: {right}\n  reading: {given}"
                    )
    return followed, faults


def outcomes(file: Path, name: str, form: str, argument: str = "data") -> list[list[tuple[Any, ...]]]:
    """For each data and seed the outcome, and what was drawn."""
    out = []
    with redirected(), quiet():
        module = loaded(file)
        owner, _, method = name.rpartition(".")
        for data in datas(form):
            of_data = []
            for seed in SEEDS:
                function = getattr(getattr(module, owner)() if owner else module, method)
                sources = sources_for(function, seed)
                outcome = outcome_of(function, {argument: data, "epsilon": 2}, sources)
                family = sources._families[0]
                of_data.append((_plain(outcome), seed, family, sources.given))
            out.append(of_data)
    return out


def _replay(seed: int, family: str, given: list[Any]) -> Replay:
    sources = Sources(seed, family)
    sources.given = given
    return Replay(sources)


def _plain(outcome: tuple[str, Any]) -> Any:
    try:
        return (outcome[0], plain(outcome[1]))
    except AssertionError as error:
        return (outcome[0], str(error))


def same(first: Any, second: Any, *, close: bool) -> bool:
    """Whether plain outcomes are equal. close: up to rounding."""
    return bool(first == second) if not close else _near(first, second)


def _near(first: Any, second: Any) -> bool:
    if (
        isinstance(first, tuple)
        and isinstance(second, tuple)
        and first[:1] == second[:1]
        and first[0] in ("int", "float")
    ):
        one, other = _number(first), _number(second)
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return one == other or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(_near, first, second))
    return bool(first == second)


def _number(one: tuple[str, Any]) -> float:
    return (
        struct.unpack("<d", one[1])[0]
        if isinstance(one[1], bytes)
        else (math.nan if one[1] == "nan" else float(one[1]))
    )
