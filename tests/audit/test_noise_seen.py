"""The noise that a pair gets, in words: from which lines, how large, and whether it hangs on the data."""

import math

import pytest

from dplint.audit.betting.outcome import described
from dplint.runner.client import SeenDraws


def drawn(line=3, low=2.0, high=None, count=3, law="laplace", file="/a/job.py"):
    return SeenDraws(file, line, law, count, low, low if high is None else high, False)


DEPENDS = "line 3, laplace of scale 2 on D1 and 4 on D2, so that it depends on the data"


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([drawn()], [drawn()], "line 3, laplace of scale 2"),
        (
            [drawn()],
            [drawn(low=4.0)],
            "line 3, laplace of scale 2 on D1 and 4 on D2, so that it depends on the data",
        ),
        ([drawn(high=8.0)], [drawn(high=8.0)], "line 3, laplace of scale 2 to 8"),
        ([drawn()], [], "line 3, laplace of scale 2 on D1 alone"),
        (
            [],
            [drawn(file="/b/tools.py")],
            "line 3 of tools.py, laplace of scale 2 on D2 alone",
        ),
        (
            [drawn()],
            [drawn(count=6)],
            "line 3, laplace of scale 2, drawn once on D1 and 2 times on D2",
        ),
        (
            [drawn(9, file="/b/tools.py"), drawn(5, law="normal")],
            [drawn(9, file="/b/tools.py"), drawn(5, law="normal")],
            "line 5, normal of scale 2; line 9 of tools.py, laplace of scale 2",
        ),
        ([], [], None),
        ([drawn(low=None, high=math.nan)], [], None),
    ],
)
def test_words(first, second, words):
    assert described(first, second, "/a/job.py") == (None if words is None else f"noise on the pair shown: {words}")


def test_many_lines_are_cut():
    found = described([drawn(line) for line in range(7)], [], "/a/job.py")
    assert found.count("on D1 alone") == 5
    assert found.endswith("; and 2 more")
