"""What `--cluster` and `--shared-cache` name, for as long as a check takes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from dplint.check import Elsewhere
from dplint.config import SettingsByFile
from dplint.store import SharedCache, StoreProblem

if TYPE_CHECKING:
    from dplint.workers.cluster import Cluster


KEY = "DPLINT_CACHE_KEY"


@contextmanager
def elsewhere_of(options: Mapping[str, Any], settings: SettingsByFile) -> Iterator[Elsewhere]:
    """What of the check is not on this machine.

    Raises:
        click.UsageError: there is no such cluster, or no such cache.
    """
    key, location = _key(), options["shared_cache"]
    try:
        shared = SharedCache(location, key) if location else None
    except StoreProblem as problem:
        raise click.UsageError(f"--shared-cache: {problem}.") from None
    with _cluster(options, settings) as cluster:
        yield Elsewhere(cluster, shared)


@cache
def _key() -> bytes | None:
    """What entries are signed with. What is checked inherits the environment, and must not be able to sign."""
    return os.environ.pop(KEY, "").encode() or None


@contextmanager
def _cluster(options: Mapping[str, Any], settings: SettingsByFile) -> Iterator[Cluster | None]:
    """The cluster, None without the option. Workers that are given no work are named on the standard error.

    Raises:
        click.UsageError: Dask is not installed, no scheduler answers, or no worker can audit.
    """
    address: str | None = options["cluster"]
    if address is None or settings.base.static_only:
        yield None
        return
    try:
        from dplint.workers.cluster import Cluster  # noqa: PLC0415 - Dask is imported only where asked
        from dplint.workers.cluster_connection import ClusterProblem  # noqa: PLC0415
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
