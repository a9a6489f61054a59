"""Random functions on lanes, each lane against the function itself on the same draws: short, and long at night."""

import hypothesis

from dplint.tracing.paths import NotTraced
from tests.examples import in_proportion
from tests.tracing.grammar import programs
from tests.tracing.running import LEFT_OUT, differences

DATA = ([1.0, -1],)
EVERY = (*hypothesis.Phase,)


def search(examples, *, phases=EVERY, lanes=16, seed=None):
    """The smallest function with a wrong lane as an AssertionError; else how many were followed.

    And how many others were, but for lanes that were left out.
    """
    followed, partly = [], []

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
            if str(reason) == LEFT_OUT:
                partly.append(text)
            elif "part more often" not in str(reason):
                raise AssertionError(f"{text}\n\n{reason}") from reason
            return
        except Exception as error:
            raise AssertionError(f"{text}\n\n{type(error).__name__}: {error}") from error
        assert not wrong, f"{text}\n\n" + "\n".join(wrong[:3])
        followed.append(text)

    (tried if seed is None else hypothesis.seed(seed)(tried))()
    return len(followed), len(partly)


def test_lanes_of_random_functions_are_right():
    examples = in_proportion(500)

    followed, partly = search(examples)

    assert followed + partly >= 0.9 * examples
    assert followed >= 0.7 * examples
