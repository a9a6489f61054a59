"""A cluster of this machine, made for one check: nobody but its own processes can talk to it.

Who can talk to a scheduler or a worker of Dask can have any code run there. So scheduler and workers know each other by
a certificate that is made for the check. Its key is in their memory alone: it goes to them by a pipe, and is in no
file, no argument and no environment.
"""

from __future__ import annotations

import logging
import os
import ssl
from typing import Any

import dask
from distributed import LocalCluster
from distributed.security import Security

from dplint.runner.system import PROC, own_session

_KINDS = ("scheduler", "worker", "nanny")


class PrivateSecurity(Security):
    """Certificates in memory. Dask writes them to a file for the moment in which OpenSSL reads them; not so here."""

    def _get_tls_context(self, tls: dict[str, str], purpose: ssl.Purpose) -> Any:
        if not hasattr(os, "memfd_create"):  # not on every system
            return super()._get_tls_context(tls, purpose)  # type: ignore[no-untyped-call]
        file = os.memfd_create("certificate", os.MFD_CLOEXEC)
        try:
            os.write(file, f"{tls['key']}\n{tls['cert']}".encode())
            path = f"{PROC}/self/fd/{file}"
            kept = {**tls, "key": path, "cert": path}
            return super()._get_tls_context(kept, purpose)  # type: ignore[no-untyped-call]
        finally:
            os.close(file)


def local_cluster(processes: int) -> LocalCluster:
    """A scheduler in this process, and so many processes that do audits.

    Raises:
        ImportError: there is no `cryptography` to make certificates with.
    """
    import cryptography  # noqa: F401, PLC0415 - Dask does not say its name

    # What they tell by HTTP has no certificate.
    with dask.config.set({f"distributed.{kind}.http.routes": [] for kind in _KINDS}):
        return LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            security=PrivateSecurity.temporary(),  # type: ignore[no-untyped-call]
            # Any free port: with None it is 8787, and a warning where that is taken.
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            memory_limit=None,
            silence_logs=logging.CRITICAL,
            preload=["dplint_cluster.local"],
        )


def dask_setup(_worker: object) -> None:
    """Called by Dask in the new process, which leaves the session of the front end.

    A Ctrl-C in a terminal goes to all processes of the group in the foreground. It is a request to the front end, which
    asks the processes of the cluster to end; ended by the signal, they would take what is known with them.
    """
    own_session()
