"""The cluster that `--cluster` names, for as long as a check takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from dplint.config import SettingsByFile

if TYPE_CHECKING:
    from dplint.workers.cluster import Cluster


@contextmanager
def cluster_of(options: Mapping[str, Any], settings: SettingsByFile) -> Iterator[Cluster | None]:
    """The cluster, None without the option. Workers that are given no work are named on the standard error.

    Raises:
        click.UsageError: Dask is not installed, no scheduler answers, or no worker can audit.
    """
    address: str | None = options["cluster"]
    if address is None or settings.base.static_only:
        yield None
        return
    try:
        from dplint.workers.cluster import Cluster, ClusterProblem  # noqa: PLC0415 - Dask is imported only where asked
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("dplint"):
            raise
        raise click.UsageError("--cluster takes Dask, which is not installed: pip install 'dplint[cluster]'.") from None
    try:
        cluster = Cluster(address, settings.base.jobs)
    except ClusterProblem as problem:
        raise click.UsageError(f"--cluster: {problem}.") from None
    try:
        for note in cluster.notes:
            click.echo(f"dplint: {note}", err=True)
        yield cluster
    finally:
        cluster.close()
