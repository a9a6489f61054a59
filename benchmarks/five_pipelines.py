"""Five releases of a table that break their claim by more or less, for `benchmarks/pipelines.py`."""

import pandas as pd

from dplint import dp

STAFF = {"age": (0, 100), "pay": (0, 100), "town": ["x", "y"]}


def noisy(rng, value, moved, share):
    """Laplace noise that loses `share` for a number that a record moves by `moved`."""
    return float(value) + rng.laplace(scale=moved / share)


@dp(epsilon=1.0, neighbors="add-remove", domain=STAFF)
def budget_of_five_quarters_leaks(rng, staff: pd.DataFrame):
    """Loss 1.25."""
    pay = staff["pay"].clip(0, 100)
    return {"sum": noisy(rng, pay.sum(), 100, 0.6), "rows": noisy(rng, len(staff), 1, 0.65)}


@dp(epsilon=1.0, neighbors="add-remove", domain=STAFF)
def budget_of_103_percent_leaks(rng, staff: pd.DataFrame):
    """Loss 1.026 = 1 / 1.9 + 1 / 2."""
    young = (staff["age"] >= 0).sum()
    return [noisy(rng, len(staff), 1, 1 / 1.9), noisy(rng, young, 1, 1 / 2.0)]


@dp(epsilon=1.0, neighbors="add-remove", domain=STAFF)
def exact_denominator_leaks(rng, staff: pd.DataFrame):
    """Loss infinite: the noise is divided by the exact number of rows."""
    return noisy(rng, staff["pay"].clip(0, 100).sum(), 100, 1.0) / max(len(staff), 1)


@dp(epsilon=1.0, neighbors="add-remove", domain=STAFF)
def twice_in_six_leaks(rng, staff: pd.DataFrame):
    """Loss 2 in six numbers."""
    ages = staff["age"]
    return [noisy(rng, (ages >= least).sum(), 1, 1 / 3) for least in range(0, 60, 10)]


@dp(epsilon=1.0, neighbors="add-remove", domain=STAFF)
def in_forty_parts_leaks(rng, staff: pd.DataFrame):
    """Loss 3.3 in forty numbers."""
    return [noisy(rng, (staff["age"] >= least).sum(), 1, 3.3 / 40) for least in range(40)]
