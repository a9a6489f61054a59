"""What `--cluster` and `--shared-cache` name, for as long as a check takes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from dplint.check import Cluster, Elsewhere
from dplint.cli.output import say
from dplint.config import SettingsByFile
from dplint.store import VARIABLE, SharedCache, StoreProblem, named_key

_IN_THE_OPEN = "DPLINT_CACHE_KEY"
_LOCAL, _WITH_TLS = "local", ("tls://", "wss://")


@contextmanager
def elsewhere_of(options: Mapping[str, Any], settings: SettingsByFile) -> Iterator[Elsewhere]:
    """What of the check is not on this machine.

    Raises:
        click.UsageError: there is no such cluster, no such cache, or no key where one is named.
    """
    if _IN_THE_OPEN in os.environ:
        raise click.UsageError(
            f"{_IN_THE_OPEN}: code that is checked can read the environment of its user's processes. Put the key into "
            f"a file that you alone can read, name that by {VARIABLE}, and unset {_IN_THE_OPEN}."
        )
    location = options["shared_cache"]
    try:
        key = named_key()
        shared = SharedCache(location, key) if location else None
    except StoreProblem as problem:
        raise click.UsageError(f"{problem}.") from None
    with _cluster(options, settings) as cluster:
        yield Elsewhere(cluster, shared)


@contextmanager
def _cluster(options: Mapping[str, Any], settings: SettingsByFile) -> Iterator[Cluster | None]:
    """The cluster, None without the option. Workers that are given no work are named on the standard error.

    Raises:
        click.UsageError: Dask is not installed, the address is without TLS and nobody has said that this is wanted, no
            scheduler answers, or no worker can audit.
    """
    address: str | None = options["cluster"]
    if address is None or settings.base.static_only:
        yield None
        return
    if not (address == _LOCAL or address.lower().startswith(_WITH_TLS) or options["cluster_without_tls"]):
        raise click.UsageError(
            f"--cluster: {address} is without TLS, so that whoever reaches the scheduler or a worker can run code "
            "there and on this machine, and change verdicts. Name it by tls://, or give "
            "--cluster-without-tls if you trust everybody in that network."
        )
    try:
        from dplint_cluster.cluster import Cluster  # noqa: PLC0415 - Dask is imported only where asked
        from dplint_cluster.connection import ClusterProblem  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("dplint."):
            raise
        raise click.UsageError(
            f"--cluster takes the package dplint-cluster with Dask, and {error.name} is not installed: "
            "`pip install ./cluster` in a checkout of dplint."
        ) from None
    try:
        cluster = Cluster(address, settings.base.jobs)
    except ClusterProblem as problem:
        raise click.UsageError(f"--cluster: {problem}.") from None
    try:
        for note in cluster.notes:
            say(f"dplint: {note}")
        yield cluster
    finally:
        cluster.close()
