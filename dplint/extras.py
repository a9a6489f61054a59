"""What distributions beside dplint do for a job, such as `dplint-statdp`: found by their entry points."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "dplint.procedures"
"""Each entry point has the name of a folder of the repository, and names a function from a job to its procedures."""


class NotInstalled(ValueError):
    """What is asked for is done by a distribution that is not there. The message says how to install it."""


def entry_point(name: str) -> EntryPoint:
    """Where the distribution `dplint-<name>` begins; nothing of it is loaded. Raises NotInstalled."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - most need none, and it takes its time

    for point in entry_points(group=GROUP, name=name):
        return point
    raise NotInstalled(
        f"{name} takes the package dplint-{name}, which is not installed: "
        f"`pip install ./{name}` in a checkout of dplint"
    )
