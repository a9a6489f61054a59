"""Faults that few inputs show: the search finds them, its losses are those of the functions, and no twin is accused."""

import importlib.util
import json
import math
from functools import cache

import pytest

from dplint.audit.exact.refuting import Refuting
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditSettings, SourceJob
from tests.exact.exact_tools import ROOT

FOLDER = ROOT / "fixtures" / "hidden"
TRUTH = json.loads((FOLDER / "truth.json").read_text())
DAY = {"wide_lead", "tiny_windows", "one_heavy_age", "nested_argument", "seven_and_high", "in_turn"}
NAMES = [name if name in DAY else pytest.param(name, marks=pytest.mark.nightly) for name in TRUTH]
SETTINGS = AuditSettings(method="anytime", exact_seconds=5.0, epsilons=(1.0,), seed=1)


class Noted:
    """A generator without noise, which knows the scale that it was last asked for."""

    def __init__(self):
        self.scale = 0.0

    def laplace(self, *, scale):
        self.scale = scale
        return 0.0


@cache
def module_of(file):
    spec = importlib.util.spec_from_file_location(f"hidden_{file}", FOLDER / f"{file}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def targets(file):
    found = [one for one in load_file(FOLDER / f"{file}.py", Settings()) if isinstance(one, Target)]
    return {one.mechanism.qualname: one for one in found}


def law(function, data, arguments):
    """Centre and scale of the Laplace distribution that the function releases, by calling it."""
    noted = Noted()
    return function(noted, data, **arguments), noted.scale


def true_loss(function, d1, d2, arguments):
    """In closed form: Laplace noise of one scale loses the distance of the centres over it, other noise all."""
    (c1, b1), (c2, b2) = law(function, d1, arguments), law(function, d2, arguments)
    if b1 != b2 or b1 == 0:
        return math.inf if (c1, b1) != (c2, b2) else 0.0
    return abs(c1 - c2) / b1


def searched(name, file):
    """What the audit's search finds, and nothing is run."""
    target = targets(file)[name]
    job = SourceJob(mechanism=target.mechanism, program=target.program, settings=SETTINGS)
    with AuditSession(job, claim_settings(target.mechanism, (1.0,)), lambda *_: None) as session:
        search = Refuting(session, job, target.program)
        ((setting, found),) = search.whole()
        return found.strongest(setting), [(one.pair, one.arguments, one.loss) for one in found.computed]


@pytest.mark.parametrize("name", NAMES)
def test_the_fault_is_found_and_its_loss_is_that_of_the_function(name):
    file, truth = TRUTH[name]["file"], TRUTH[name]["wrong"]
    against, computed = searched(name, file)
    assert against is not None
    largest = math.inf if truth == "infinite" else truth
    function = getattr(module_of(file), name)
    for pair, given, loss in computed:
        expected = true_loss(function, pair.d1, pair.d2, {one.name: one.value for one in given})
        assert loss.low <= expected * (1 + 1e-9) + 1e-9
        assert loss.high >= expected * (1 - 1e-9)
        assert loss.low <= largest + 1e-9
    assert max(loss.low for _, _, loss in computed) > 1.0


@pytest.mark.parametrize("name", NAMES)
def test_the_right_twin_is_not_accused(name):
    file = TRUTH[name]["file"]
    against, computed = searched(f"{name}_right", file)
    assert against is None
    assert computed
    function = getattr(module_of(file), f"{name}_right")
    for pair, given, loss in computed:
        expected = true_loss(function, pair.d1, pair.d2, {one.name: one.value for one in given})
        assert expected <= TRUTH[name]["right"] + 1e-9
        assert loss.low - 1e-9 <= expected <= loss.high + 1e-9


def test_there_are_more_than_thirty_and_each_has_its_row():
    table = (FOLDER / "README.md").read_text()
    assert len(TRUTH) >= 30
    for name, row in TRUTH.items():
        assert f"| `{name}` | {row['file']}.py |" in table
        assert {name, f"{name}_right"} <= targets(row["file"]).keys()
