"""Values that a claim lists for its arguments: each is tried, or named as one that was not."""

import pytest

from dplint.audit.inputs import _MOST_CHOICES, Choice, find_choices, untried_note
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditJob
from dplint.outcomes import Argument, NoViolation, Underpowered, Violation
from tests.audit.conftest import outcome_of, settings_with

SOURCE = """
from dplint import dp

SCALES = {}
exec("SCALES['m9'] = 0.05")

@dp(epsilon=1.0, neighbors="l1", size=1, args={"mode": MODES, "flag": [False, True]})
def listed(rng, queries, mode, flag):
    return queries[0] + rng.laplace(scale=SCALES.get(mode, 1.0))

@dp(epsilon=1.0, neighbors="l1", size=1, args={"flag": [False, True], "weight": [1, 2, 3]})
def by_default(rng, queries, flag=False, weight: float = 1.0):
    exec("")
    return queries[0] + rng.laplace(scale=0.05 if flag else 1.0)

@dp(epsilon=1.0, neighbors="l1", size=1, args={"count": COUNTS})
def many(rng, queries, count):
    exec("")
    return queries[0] + rng.laplace()

@dp(epsilon=1.0, neighbors="l1", size=1, args={"mode": ["a", "b"]})
def read(rng, queries, mode):
    return queries[0] + rng.laplace()
"""


@pytest.fixture(scope="module")
def mechanisms(tmp_path_factory):
    path = tmp_path_factory.mktemp("listed") / "mechanisms.py"
    text = SOURCE.replace("MODES", str([f"m{k}" for k in range(11)])).replace("COUNTS", str(list(range(30))))
    path.write_text(text)
    return {one.mechanism.qualname: one for one in load_file(path, Settings()) if isinstance(one, Target)}


def choices_of(target):
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings_with())
    (setting,) = claim_settings(target.mechanism, (1.0,))
    with AuditSession(job, [setting], lambda *_: None) as session:
        return find_choices(job, session, session.find_pairs(), setting)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("listed", {"mode": {f"m{k}" for k in range(11)}, "flag": {False, True}}),
        ("by_default", {"flag": {False, True}, "weight": {1, 2, 3}}),
        ("read", {"mode": {"a", "b"}}),
    ],
)
def test_each_value_is_in_a_choice(mechanisms, name, values):
    choices = choices_of(mechanisms[name])

    assert {key: {choice.values[key] for choice in choices} for key in values} == values
    assert len(choices) <= _MOST_CHOICES
    assert len({repr(choice.values) for choice in choices}) == len(choices)
    assert untried_note(mechanisms[name].mechanism, choices) is None


def test_of_very_many_values_the_others_are_named(mechanisms):
    choices = choices_of(mechanisms["many"])

    assert [choice.values["count"] for choice in choices] == list(range(_MOST_CHOICES))
    note = untried_note(mechanisms["many"].mechanism, choices)
    assert note is not None
    assert note.endswith("count = 16, count = 17, count = 18, count = 19, count = 20, count = 21 and 8 more")


def test_one_and_true_are_two_values_and_one_and_one_point_zero_are_not(mechanisms):
    mechanism = mechanisms["by_default"].mechanism

    def choice(flag, weight):
        return Choice((Argument("flag", flag, ""), Argument("weight", weight, "")), ())

    assert untried_note(mechanism, [choice(False, 1.0), choice(True, 2.0), choice(True, 3.0)]) is None
    note = untried_note(mechanism, [choice(0, 1.0), choice(1, 2.0), choice(True, 3.0)])
    assert note is not None
    assert note.endswith("have not tried flag = False")


@pytest.mark.process
@pytest.mark.parametrize("name", ["listed", "by_default"])
def test_what_is_wrong_at_one_value_alone(mechanisms, name):
    """The scale is a twentieth of what it should be, which runs show at once; the seed is fixed."""
    found = outcome_of(mechanisms[name], max_runs=1_000_000)

    assert isinstance(found, Violation), found
    values = {one.name: one.value for one in found.counterexample.witness.arguments}
    assert values["mode"] == "m9" if name == "listed" else values["flag"] is True


@pytest.mark.process
@pytest.mark.parametrize("method", ["anytime", "statdp"])
def test_a_verdict_names_what_was_not_tried(mechanisms, method):
    found = outcome_of(mechanisms["many"], max_runs=50_000, method=method, select_runs=1_000, test_runs=1_000)

    assert isinstance(found, NoViolation | Underpowered), found
    (note,) = [note for note in found.effort.notes if "runs have not tried count = " in note]
    assert note.endswith(" more")
