"""Functions that are read by what they do: the program is the function, and what is not known is refused."""

from dataclasses import replace

import pytest

from dplint.audit.by_operations.converting import _is_unread_part
from dplint.audit.by_operations.expressions import NotRead
from dplint.audit.by_operations.reading import read
from dplint.audit.comparing import LoweredReading, compare
from dplint.audit.exact.procedure import Exact
from dplint.audit.inputs import find_choices
from dplint.audit.operations import ByOperations
from dplint.audit.procedure import Facts
from dplint.audit.procedures import audit, audit_procedures
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.claims import Fixed
from dplint.jobs import AuditJob
from dplint.outcomes import Proved, Violation
from dplint.program.building import NOWHERE
from dplint.program.nodes import Assign, Call, Constant, Draw, If, Name, Opaque, Subscript
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk
from tests.audit.conftest import settings_with

pytestmark = pytest.mark.process

SOURCE = '''
import contextlib
from collections import defaultdict

import numpy as np


class Noise:
    """A source of noise behind an object."""

    def __init__(self, rng, scale):
        self.rng, self.scale = rng, scale

    def __call__(self, value):
        return value + self.rng.laplace(scale=self.scale)


def m_objects(rng, queries, epsilon):
    groups = defaultdict(list)
    noise = Noise(rng, 1 / epsilon)
    for place, query in enumerate(queries):
        groups["even" if place % 2 == 0 else "odd"].append(noise(query))
    return {name: list(values) for name, values in groups.items()}


def m_wrong(rng, queries, epsilon):
    noise = Noise(rng, 0.5 / epsilon)
    return [noise(query) for query in queries]


def m_branch(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    noisy = noise(queries[0])
    if noisy > 0:
        noisy = noisy * 2
    return noisy


def m_times(rng, queries, epsilon, times=2):
    noise = Noise(rng, times / epsilon)
    return noise(queries[0])


def m_first_two(rng, queries, epsilon):
    noise = Noise(rng, 4 / epsilon)
    noisy = [(place, noise(query)) for place, query in enumerate(queries)]
    ranked = sorted(noisy, key=lambda one: one[1], reverse=True)
    return [place for place, _ in ranked[:2]]


def m_least(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    return sorted(map(noise, queries))[0]


def m_places(rng, queries, epsilon):
    """Ties keep their order, also backwards."""
    noise = Noise(rng, 1 / epsilon)
    up = sorted(range(len(queries)), key=lambda place: queries[place] > 0.5)
    down = sorted(range(len(queries)), key=lambda place: queries[place] > 0.5, reverse=True)
    return [noise(queries[place]) for place in up + down]


def m_catches(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    try:
        first = 1 / queries[0]
    except ZeroDivisionError:
        return queries[1]
    return noise(queries[0]) + 0 * first


def m_suppresses(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    with contextlib.suppress(ZeroDivisionError):
        return noise(queries[0]) + 0 / queries[0]
    return queries[1]


def m_those_above(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    values = np.asarray(queries)
    return len(values[values > 0.5]) + noise(0.0)


def m_kinds(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    return len(np.unique(queries)) + noise(0.0)


def m_by_type(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    return queries[0] if type(queries[0]).__name__ == "int" else noise(queries[0])


def m_in_place(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    values = np.asarray(queries, float)
    values[0] = 1.0
    return values[0] + noise(0.0)


def m_rare(rng, queries, epsilon):
    noise = Noise(rng, 1 / epsilon)
    return queries[1] if queries[0] == 7.25 else noise(queries[0])
'''
CLAIM = 'epsilon="epsilon", neighbors="l1"'


@pytest.fixture
def found(targets):
    return targets(SOURCE, CLAIM)


def job_of(target, **settings):
    return AuditJob(mechanism=target.mechanism, program=target.program, settings=settings_with(**settings))


@pytest.fixture
def reading(found):
    """What is read of a function, with the session."""
    opened = []

    def of(name):
        target = found[name]
        job = job_of(target)
        session = AuditSession(job, claim_settings(target.mechanism, (0.7,)), lambda *_: None)
        opened.append(session)
        setting = session.claimed[0]
        pairs = setting.fitting(session.find_pairs())
        choice = find_choices(job, session, pairs, setting, quick=True)[0]
        return read(session, choice, setting), session, [(pair, choice.values) for pair in pairs if pair.size <= 5]

    yield of
    for session in opened:
        session.__exit__(None, None, None)


@pytest.mark.parametrize("name", ["m_objects", "m_wrong", "m_branch", "m_times", "m_first_two", "m_least", "m_places"])
def test_the_program_does_what_the_function_does(reading, name):
    known, session, inputs = reading(name)
    compared = compare(session, LoweredReading(session, known.program), iter(inputs), "it", 60.0, len(inputs))

    assert compared.runs == 2 * len(inputs)
    assert compared.reason == ""


def test_what_may_fail_for_other_data_stays_though_nobody_reads_it():
    """What an order is taken apart by cannot; of other operations that give several values nobody knows."""
    parts, item = Name("parts_3", NOWHERE), Constant(0, NOWHERE)
    divided = Call("divmod", (Name("value_1", NOWHERE), Name("value_2", NOWHERE)), (), NOWHERE)
    ordered = Call("sorted", (Name("value_1", NOWHERE),), (), NOWHERE)
    assert not _is_unread_part(Assign((parts,), divided, NOWHERE), frozenset())
    assert _is_unread_part(Assign((parts,), ordered, NOWHERE), frozenset())
    assert not _is_unread_part(Assign((parts,), ordered, NOWHERE), frozenset({"parts_3"}))
    first = Assign((Name("value_4", NOWHERE),), Subscript(parts, item, NOWHERE), NOWHERE)
    assert _is_unread_part(first, frozenset())
    assert not _is_unread_part(first, frozenset({"value_4"}))


def test_a_branch_that_noise_decides_is_one_of_the_program(reading):
    known, *_ = reading("m_branch")
    joined = [node for node in walk(known.program) if isinstance(node, If) and node.orelse]

    assert joined
    drawn = [node for node in walk(known.program) if isinstance(node, Draw)]
    assert {node.distribution for node in drawn} == {"laplace"}


def test_arguments_that_no_run_has_had_are_refused_and_fixed_in_the_claim(reading):
    known, *_ = reading("m_times")

    assert dict(known.mechanism.claim.args)["times"] == Fixed(2)
    assert any(isinstance(node, Opaque) for node in walk(known.program))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("m_catches", "exceptions that it catches"),
        ("m_suppresses", "exceptions that it catches"),
        ("m_those_above", "condition chooses|several answers|says of values"),
        ("m_kinds", "shape of its own|several answers"),
        ("m_by_type", "hangs on the type of numbers"),
        ("m_in_place", "writes"),
    ],
)
def test_what_may_be_otherwise_for_other_values_is_refused(reading, name, reason):
    with pytest.raises(NotRead, match=reason):
        reading(name)


def decided(target, **changes):
    job = job_of(target, exact_seconds=2.0, proof_seconds=5.0, **changes)
    with AuditSession(job, claim_settings(target.mechanism, (0.7,)), lambda *_: None) as session:
        return ByOperations(Exact()).decide(session, job, Facts())


def test_a_right_one_is_proved_for_short_data_and_its_losses_are_known(found):
    facts = decided(found["m_objects"])

    assert facts.proof.scope.sizes.largest == 5
    assert not facts.proof.scope.full
    # 0.7 in any exact arithmetic: one entry moves by 1, and all noise has the scale 1 / epsilon.
    assert max(one.loss.low for one in facts.losses) == pytest.approx(0.7, abs=1e-9)


COUNTS = """
from types import MappingProxyType

RANGES = MappingProxyType({"low": (0, 50), "all": (0, 101)})


def m_counts(rng, values, epsilon):
    return {
        name: sum(low <= value < high for value in values) + rng.laplace(scale=1 / epsilon)
        for name, (low, high) in RANGES.items()
    }
"""


def test_losses_are_known_where_a_neighbour_has_one_record_more_than_the_data_of_a_claim(targets):
    """A record below 50 moves both counts by 1, each with noise for one: twice epsilon."""
    violation = decided(targets(COUNTS, 'epsilon="epsilon", neighbors="add-remove", domain=(0, 100)')["m_counts"])

    assert isinstance(violation, Violation)
    assert violation.epsilon_lower == pytest.approx(1.4, abs=1e-9)


def test_the_first_of_an_order_is_proved_for_short_data(found):
    """The places of the two largest noisy answers: noise of 2 * 2 / epsilon keeps epsilon (Qiao, Su, Zhang 2021)."""
    facts = decided(found["m_first_two"])
    assert facts.proof is not None
    assert facts.proof.scope.sizes.largest >= 2


def test_a_wrong_one_is_refuted_by_its_exact_loss(found):
    violation = decided(found["m_wrong"])

    assert isinstance(violation, Violation)
    assert violation.epsilon_lower == pytest.approx(1.4, abs=1e-9)


def test_a_way_that_no_run_has_gone_is_not_proved(found):
    """It gives data away where the first number is one that no run has."""
    facts = decided(found["m_rare"])

    assert facts is None or facts.proof is None


def test_whole_audits_use_it_where_the_source_gives_nothing(found):
    job = job_of(found["m_objects"], exact_seconds=1.0, proof_seconds=3.0, max_runs=20_000)
    job = replace(job, program=Unsupported("anything", NOWHERE))
    outcome = audit(job, lambda *_: None, audit_procedures(exact=True, proofs=True)).outcome

    assert isinstance(outcome, Proved)
    assert outcome.scope.sizes.largest == 5
