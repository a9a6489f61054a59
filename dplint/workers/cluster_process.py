"""What a process of a cluster does when it is asked, by the way through `cluster_gate`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from distributed import get_client, get_worker

from dplint.workers import cluster_task
from dplint.workers.cluster_drawing import draw_elsewhere
from dplint.workers.cluster_gate import call
from dplint.workers.cluster_task import PlainTick, UnfitError
from dplint.workers.installed import environment_digest, environment_of
from dplint.workers.messages import Draw, Drawn

__all__ = ["UnfitError"]


def describe() -> str:
    """What is installed there."""
    return environment_of(sys.executable)


def audit(packed: bytes, environments: frozenset[str], check: str, key: str, every: float) -> bytes:
    """The Done of a bundle, pickled. It is a task. Raises UnfitError if no audit can be done by this process.

    environments: digests of what may be installed. check, key: names of the check and of the task. every: seconds
    between news.
    """
    _require_environment(environments)
    process = get_worker()

    def wanted() -> bool:
        state = process.state.tasks.get(key)
        return state is not None and state.state in ("executing", "long-running", "resumed")

    def tell(tick: PlainTick) -> None:
        process.log_event(check, (key, process.address, tick))

    def ask(wanted_blocks: Draw, addresses: list[str], answer: Callable[[Drawn], None]) -> None:
        number = wanted_blocks.number

        def ended(future: Any) -> None:
            why, _, blocks = future.result() if future.status == "finished" else ("it has not ended", "", None)
            answer(Drawn(number, None if why else blocks))
            future.release()

        if not addresses:
            answer(Drawn(number, None))
            return
        plain = number, wanted_blocks.series, wanted_blocks.asked
        future = get_client().submit(
            eval,
            *call("draw", packed, plain, environments),
            key=f"{key}-draw-{number}",
            workers=addresses,
            pure=False,
        )
        future.add_done_callback(ended)

    cluster_task.require_fit(process.local_directory)
    return cluster_task.work(packed, check, key, every, tell, wanted, ask, process.local_directory)


def draw(packed: bytes, plain: tuple[int, int, bytes], environments: frozenset[str]) -> bytes | None:
    """Blocks of runs for the job of a bundle, None where they cannot be drawn. It is a task. Raises UnfitError."""
    _require_environment(environments)
    return draw_elsewhere(packed, Draw(*plain), get_worker().local_directory).blocks


def offer(offers: dict[str, tuple[list[str], int]]) -> None:
    """Tell jobs in hand who may draw for them: to the keys of their tasks, the addresses and how many."""
    for key, (addresses, spare) in offers.items():
        cluster_task.offer(key, addresses, spare)


def ask_to_end(check: str) -> None:
    """Have the jobs of a check that are in hand end with what is known."""
    cluster_task.ask_to_end(check)


def _require_environment(environments: frozenset[str]) -> None:
    if environment_digest(describe()) not in environments:
        raise UnfitError("other packages are installed there than where the check began")
