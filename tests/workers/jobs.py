"""Jobs of real mechanisms. Without the watch over processes, so that the front ends of tests can use it too."""

import sys
from dataclasses import replace
from pathlib import Path

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditJob, AuditSettings
from dplint.workers.messages import Done

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def job_from(path, name=None, **settings):
    """The anytime audit of a mechanism of that file, the first one without a name; seed 5, without end."""
    found = {item.mechanism.qualname: item for item in load_file(path, Settings()) if isinstance(item, Target)}
    target = found[name or next(iter(found))]
    given = {
        "method": "anytime",
        "seed": 5,
        "epsilons": (0.7,),
        "budget": 1e6,
        "deadline": 100.0,
        "time_limit": 1e6,
        **settings,
    }
    return AuditJob(
        mechanism=target.mechanism,
        program=target.program,
        settings=AuditSettings(interpreter=sys.executable, **given),
    )


def broken(name, **settings):
    """The audit of a broken file."""
    return job_from(FIXTURES / "broken" / f"{name}.py", **settings)


def answered(reason):
    """A job that needs no runner: its outcome is Untestable at once, for this reason."""
    job = broken("neighbour")
    return replace(job, mechanism=replace(job.mechanism, untestable=reason))


def result_of(worker, job):
    """The last message of a job."""
    worker.submit(job)
    while not isinstance(message := worker.receive(100), Done):
        pass
    return message
