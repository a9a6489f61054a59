"""Random functions on lanes, each lane against the function itself on the same draws: short, and long at night."""

import hypothesis

from dplint.tracing.kinds import NotTraced
from tests.examples import in_proportion
from tests.tracing.grammar import programs
from tests.tracing.running import differences

DATA = ([1.0, -1],)
EVERY = (*hypothesis.Phase,)


def search(examples, *, phases=EVERY, lanes=16, seed=None):
    """The smallest function with a wrong lane as an AssertionError; else how many were followed."""
    followed = []

    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=phases,
        suppress_health_check=[*hypothesis.HealthCheck],
    )
    @hypothesis.given(programs())
    def tried(text):
        try:
            wrong = differences(text, DATA, lanes)
        except NotTraced as reason:
            if "part more often" not in str(reason):
                raise AssertionError(f"{text}\n\n{reason}") from reason
            return
        except Exception as error:
            raise AssertionError(f"{text}\n\n{type(error).__name__}: {error}") from error
        assert not wrong, f"{text}\n\n" + "\n".join(wrong[:3])
        followed.append(text)

    (tried if seed is None else hypothesis.seed(seed)(tried))()
    return len(followed)


def test_lanes_of_random_functions_are_right():
    examples = in_proportion(500)

    assert search(examples) >= 0.9 * examples
