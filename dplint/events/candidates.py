"""What better events may be made of: more features than the grids cross, with the axes that a few runs suggest."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.events.discover import features_of
from dplint.events.families import families
from dplint.events.sampled import SampledOutputs
from dplint.events.tables import Table
from dplint.events.thresholds import Described
from dplint.runner.texts import TextNumbers

_MOST = 100
"""Features that are looked at; the first ones count."""


def candidates(tables: Sequence[Table], texts: TextNumbers) -> list[Described]:
    """Features of the outputs in these tables that vary, with their axes; at most `_MOST`."""
    sample = SampledOutputs(tables, (), texts)
    plain = [feature for feature in features_of(sample) if feature.REFINED]
    derived = (feature for family in families() for feature in family.derived(plain, sample))
    described: list[Described] = []
    seen: set[tuple[bytes, bytes]] = set()
    for feature in (*plain, *derived):
        if len(described) == _MOST:
            break
        column = sample.pooled(feature)
        same = (column.classes.tobytes(), column.values.tobytes())
        if same in seen:
            continue  # the last of five is the fifth
        seen.add(same)
        found = feature.describe(sample)
        if found is not None:
            described.append(found)
    return described
