"""Drawing blocks of runs for the audit of another worker: a runner, and nothing that remembers."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.audit.ahead import Batches, draw_blocks
from dplint.audit.betting.proposing import LessonRequest, lesson_for_another
from dplint.audit.lane_counts import CountRequest, Totals, count_for_another
from dplint.audit.residual_runs import ResidualRuns
from dplint.events.split_runs import Suggestion
from dplint.jobs import Job
from dplint.runner.batch import SampleRequest
from dplint.runner.client import Runner


class Drawer:
    """Draws for one job by a runner, which is started with the first request."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._runner: Runner | None = None
        self._lanes: ResidualRuns | None = None

    def draw(self, asked: bytes) -> bytes:
        """The blocks that were asked for. Raises RunnerError, NotOnLanes, NotForOthers."""
        return draw_blocks(asked, self._drawn)

    def _drawn(
        self, requests: Sequence[SampleRequest | CountRequest | LessonRequest]
    ) -> list[Batches] | list[Totals] | list[list[Suggestion]]:
        calls = [request for request in requests if isinstance(request, SampleRequest)]
        if calls:
            return [tuple(self._loaded().sample(request)) for request in calls]
        lessons = [request for request in requests if isinstance(request, LessonRequest)]
        if lessons:
            return [lesson_for_another(self._on_lanes(), request) for request in lessons]
        counts = [request for request in requests if isinstance(request, CountRequest)]
        return count_for_another(self._on_lanes(), counts)

    def _on_lanes(self) -> ResidualRuns:
        if self._lanes is None:
            self._lanes = ResidualRuns(self._loaded(), self._job.mechanism)
        return self._lanes

    def _loaded(self) -> Runner:
        if self._runner is None:
            job, settings = self._job, self._job.settings
            self._runner = Runner(
                settings.interpreter,
                deadline=settings.deadline,
                memory_mib=settings.memory_mib,
                allow=settings.allow,
                mechanism=job.mechanism,
                source_text=job.source_text,
            )
            self._runner.load(job.mechanism, job.source_text)
        return self._runner

    def close(self) -> None:
        """End the runner."""
        if self._runner is not None:
            self._runner.close()
