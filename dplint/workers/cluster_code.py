"""Functions that are sent to the processes of a cluster as code, and ask there first what they find.

Whoever gets them may have another dplint, or none: a function of a module of ours could not even be loaded there. Those
within functions are sent as they are, and import what they need.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def task() -> Callable[..., Any]:
    """The function of a task. It is sent as code, since whoever gets it may have another dplint, or none."""

    def do(packed: bytes, version: str, environments: frozenset[str], check: str, key: str, every: float) -> Any:
        from distributed import get_worker  # noqa: PLC0415 - in the process of the cluster

        process = get_worker()
        try:
            import dplint  # noqa: PLC0415

            if dplint.__version__ != version:
                return (process.address, f"it has dplint {dplint.__version__}, and this is {version}"), b""
            import sys  # noqa: PLC0415

            from dplint.workers.cluster_task import work  # noqa: PLC0415
            from dplint.workers.installed import environment_of  # noqa: PLC0415
        except ImportError as error:
            return (process.address, f"dplint cannot be imported there ({error})"), b""
        if environment_of(sys.executable) not in environments:
            return (process.address, "other packages are installed there than where the check began"), b""

        def wanted() -> bool:
            state = process.state.tasks.get(key)
            return state is not None and state.state in ("executing", "long-running", "resumed")

        def tell(tick: Any) -> None:
            process.log_event(check, (key, process.address, tick))

        return None, work(packed, check, every, tell, wanted, process.local_directory)

    return do


def description() -> Callable[..., Any]:
    """The function that tells whether a process is fit for work, and what is installed there."""

    def describe(version: str) -> tuple[str, str]:
        try:
            import dplint  # noqa: PLC0415

            if dplint.__version__ != version:
                return f"it has dplint {dplint.__version__}, and this is {version}", ""
            import sys  # noqa: PLC0415

            from dplint.workers.installed import environment_of  # noqa: PLC0415
        except ImportError as error:
            return f"dplint cannot be imported there ({error})", ""
        return "", environment_of(sys.executable)

    return describe


def asker() -> Callable[[str], None]:
    """The function that has the jobs of a check end with what is known."""

    def ask(check: str) -> None:
        from dplint.workers.cluster_task import ask_to_end  # noqa: PLC0415

        ask_to_end(check)

    return ask
