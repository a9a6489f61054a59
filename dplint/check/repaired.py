"""The repairs of the results of a check, looked for once all verdicts are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dplint.check.loading import Pending
from dplint.check.pool_ahead import PoolAhead
from dplint.check.repairing import carry_out, search, wants_repairs
from dplint.contents import content
from dplint.outcomes import Finding, Repaired, Result
from dplint.source.cell_names import is_notebook
from dplint.source.text import DecodeError, decode
from dplint.workers.stopping import Stop


def repaired(
    results: Sequence[Result],
    pending: Sequence[Pending],
    fixes: Sequence[Finding],
    workers: int,
    stop: Stop | None,
    pool: PoolAhead,
) -> Iterator[Repaired]:
    """Of each result that asks for some. Notebooks, and files that cannot be read any more, are left out.

    fixes: findings of rules that have one, which are candidates, too.
    """
    by_name = {one.mechanism.name: one for one in pending}
    for result in results:
        one = by_name.get(result.mechanism.name)
        if one is None or not wants_repairs(result.outcome, one.settings) or (stop is not None and stop.requested):
            continue
        text, target = _text(one), one.lower()
        if text is None or target is None:
            continue
        mechanism = result.mechanism
        explaining = [each for each in fixes if (each.file, each.function) == (mechanism.file, mechanism.qualname)]
        found = search(mechanism, target.program, text, result.outcome, one.settings, explaining)
        path = Path(result.mechanism.path)
        yield Repaired(result.mechanism, carry_out(found, path, one.settings, workers, stop, pool.begin()))


def _text(one: Pending) -> str | None:
    if is_notebook(one.mechanism.path):
        return None
    try:
        return one.text if one.text is not None else decode(content(Path(one.mechanism.path))).removeprefix("\ufeff")
    except (OSError, DecodeError):
        return None
