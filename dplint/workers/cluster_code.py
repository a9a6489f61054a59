"""Functions that are sent to the processes of a cluster as code, and ask there first what they find.

Whoever gets them may have another dplint, or none: a function of a module of ours could not even be loaded there. Those
within functions are sent as they are, and import what they need.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def task() -> Callable[..., Any]:
    """The function of a task. It is sent as code, since whoever gets it may have another dplint, or none."""
    drawer = drawing()

    def do(packed: bytes, version: str, environments: frozenset[str], check: str, key: str, every: float) -> Any:
        from distributed import get_client, get_worker  # noqa: PLC0415 - in the process of the cluster

        process = get_worker()
        try:
            import dplint  # noqa: PLC0415

            if dplint.__version__ != version:
                return (process.address, f"it has dplint {dplint.__version__}, and this is {version}"), b""
            import sys  # noqa: PLC0415

            from dplint.workers.cluster_task import work  # noqa: PLC0415
            from dplint.workers.installed import environment_of  # noqa: PLC0415
            from dplint.workers.messages import Drawn  # noqa: PLC0415
        except ImportError as error:
            return (process.address, f"dplint cannot be imported there ({error})"), b""
        if environment_of(sys.executable) not in environments:
            return (process.address, "other packages are installed there than where the check began"), b""

        def wanted() -> bool:
            state = process.state.tasks.get(key)
            return state is not None and state.state in ("executing", "long-running", "resumed")

        def tell(tick: Any) -> None:
            process.log_event(check, (key, process.address, tick))

        def ask(draw: Any, addresses: list[str], answer: Callable[[Any], None]) -> None:
            def ended(future: Any) -> None:
                answer(Drawn(draw.number, future.result() if future.status == "finished" else None))
                future.release()

            if not addresses:
                answer(Drawn(draw.number, None))
                return
            future = get_client().submit(
                drawer,
                packed,
                (draw.number, draw.series, draw.asked),
                version,
                environments,
                key=f"{key}-draw-{draw.number}",
                workers=addresses,
                pure=False,
            )
            future.add_done_callback(ended)

        return None, work(packed, check, key, every, tell, wanted, ask, process.local_directory)

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


def drawing() -> Callable[..., Any]:
    """The function that draws blocks of runs for the job of a bundle; None where it cannot."""

    def draw_blocks(packed: bytes, draw: tuple[int, int, bytes], version: str, environments: frozenset[str]) -> Any:
        from distributed import get_worker  # noqa: PLC0415 - in the process of the cluster

        try:
            import dplint  # noqa: PLC0415

            if dplint.__version__ != version:
                return None
            import sys  # noqa: PLC0415

            from dplint.workers.cluster_drawing import draw_elsewhere  # noqa: PLC0415
            from dplint.workers.installed import environment_of  # noqa: PLC0415
            from dplint.workers.messages import Draw  # noqa: PLC0415
        except ImportError:
            return None
        if environment_of(sys.executable) not in environments:
            return None
        return draw_elsewhere(packed, Draw(*draw), get_worker().local_directory).blocks

    return draw_blocks


def offerer() -> Callable[..., None]:
    """The function that tells jobs in hand who may draw for them: to their keys, the addresses and how many."""

    def offers(given: dict[str, tuple[list[str], int]]) -> None:
        from dplint.workers.cluster_task import offer  # noqa: PLC0415

        for key, (addresses, spare) in given.items():
            offer(key, addresses, spare)

    return offers


def asker() -> Callable[[str], None]:
    """The function that has the jobs of a check end with what is known."""

    def ask(check: str) -> None:
        from dplint.workers.cluster_task import ask_to_end  # noqa: PLC0415

        ask_to_end(check)

    return ask
