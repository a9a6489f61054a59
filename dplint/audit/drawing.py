"""Drawing blocks of runs for the audit of another worker: a runner, and nothing that remembers."""

from __future__ import annotations

from dplint.audit.ahead import draw_blocks
from dplint.jobs import Job
from dplint.runner.client import Runner


class Drawer:
    """A runner that has loaded the mechanism of a job. All methods raise RunnerError."""

    def __init__(self, job: Job) -> None:
        settings = job.settings
        self._runner = Runner(
            settings.interpreter,
            deadline=settings.deadline,
            memory_mib=settings.memory_mib,
            allow=settings.allow,
            mechanism=job.mechanism,
            source_text=job.source_text,
        )
        try:
            self._runner.load(job.mechanism, job.source_text)
        except BaseException:
            self.close()
            raise

    def draw(self, asked: bytes) -> bytes:
        """The blocks that were asked for, for `ahead.drawn_blocks`."""
        return draw_blocks(asked, lambda request: tuple(self._runner.sample(request)))

    def close(self) -> None:
        """End the runner."""
        self._runner.close()
