"""Functions whose draws are recorded here, by a real generator, to be replayed in a runner."""

from __future__ import annotations

import textwrap

import numpy as np

from dplint.runner.client import DataValue, DrawEvent, PerRun, ReplayRequest

RUNS = 300


class Recorder:
    """A real generator that keeps the canonical form of each of its draws."""

    def __init__(self, seed):
        self._real = np.random.default_rng(seed)
        self.log = []

    def laplace(self, loc=0.0, scale=1.0):
        return self._note("laplace", self._real.laplace(loc, scale), loc=loc, scale=scale)

    def random(self):
        return self._note("random", self._real.random())

    def uniform(self, low, high):
        return self._note("uniform", self._real.uniform(low, high), low=low, high=high)

    def _note(self, distribution, value, **parameters):
        self.log.append((distribution, parameters, value))
        return value


def recorded(source, data, runs=RUNS):
    """The outputs of the function, called here with recorders for `G`, and the logs of their draws."""
    outputs, logs = [], []
    for run in range(runs):
        recorder = Recorder(run)
        space = {"G": recorder}
        exec(textwrap.dedent(source), space)
        try:
            outputs.append(space["m"](data))
        except Exception as error:
            outputs.append((type(error).__name__, str(error)))
        logs.append(recorder.log)
    return outputs, logs


def events_of(logs):
    """The k-th draws of all runs, one event for each distribution; parameters by run where they differ."""
    events = []
    for place in range(max(map(len, logs))):
        there = [run for run, log in enumerate(logs) if len(log) > place]
        for distribution in sorted({logs[run][place][0] for run in there}):
            rows = [run for run in there if logs[run][place][0] == distribution]
            draws = [logs[run][place] for run in rows]
            parameters = []
            for name in draws[0][1]:
                values = [draw[1][name] for draw in draws]
                parameters.append((name, values[0] if len(set(values)) == 1 else PerRun(values)))
            drawn = [draw[2] for draw in draws]
            events.append(
                DrawEvent(distribution, tuple(parameters), None, None if len(rows) == len(logs) else rows, drawn)
            )
    return events


def laplace(values, scale=1.0, loc=0.0, rows=None):
    return DrawEvent("laplace", (("loc", loc), ("scale", scale)), None, rows, values)


def replay(runner, mechanism, events, data=0.0, runs=1):
    runner.load(mechanism)
    return runner.replay(
        ReplayRequest(DataValue(data, "list" if isinstance(data, list) else "scalar"), {}, runs, events)
    )
