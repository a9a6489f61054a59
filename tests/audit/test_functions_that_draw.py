"""Claims of stability about functions that draw: what runs refute, and what they do not."""

import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.outcomes import Result, Unstable, Untestable
from dplint.report.json_document import result_json
from tests.audit.conftest import outcome_of

HEAD = """
import os
import random

from dplint import stable


def pairs_of(rows):
    return [one + 10 * two for one, two in zip(rows[::2], rows[1::2])]
"""
ROWS = 'metric="symmetric", domain=[1, 2, 3]'
PAIRED = "    return pairs_of(random.sample(rows, len(rows) - len(rows) % 2))"
FUNCTIONS = {
    # One record more takes the place of another one: two pairs, of which one goes and one comes.
    "paired": (f"d_out=1, {ROWS}", PAIRED, True),
    "paired_right": (f"d_out=2, {ROWS}", PAIRED, False),
    # The same by randomness that nothing sees.
    "unseen": (f"d_out=1, {ROWS}", PAIRED.replace("random.sample", "random.SystemRandom().sample"), True),
    "shuffled": (f"d_out=1, {ROWS}", "    return random.sample(rows, len(rows))", False),
    # Of a few rows one may be the new one, for which another one goes.
    "few": (f"d_out=2, {ROWS}", "    return random.sample(rows, min(3, len(rows)))", False),
    "few_wrong": (f"d_out=1, {ROWS}", "    return random.sample(rows, min(3, len(rows)))", True),
    # The noise of both sides may be the same, so that noise does not hide too little.
    "noisy": ("d_out=1, domain=(0, 5)", "    return len(rows) + random.gauss(0, 1)", False),
    "noisy_wrong": ("d_out=0.5, domain=(0, 5)", "    return len(rows) + random.gauss(0, 0.1)", True),
}
SOURCE = HEAD + "\n".join(
    f"\n\n@stable({claim})\ndef {name}(rows):\n{body}" for name, (claim, body, _) in FUNCTIONS.items()
)


@pytest.fixture(scope="module")
def targets(tmp_path_factory):
    path = tmp_path_factory.mktemp("drawn") / "drawn.py"
    path.write_text(SOURCE + "\n", encoding="utf-8")
    return {one.mechanism.qualname: one for one in load_file(path, Settings()) if isinstance(one, Target)}


@pytest.mark.process
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_draws_is_refuted_where_no_way_to_draw_both_keeps_them_near(targets, name):
    found = outcome_of(targets[name], max_runs=3_000)
    if not FUNCTIONS[name][2]:
        assert isinstance(found, Untestable)
        assert "do not refute it either" in found.reason
        return
    assert isinstance(found, Unstable)
    assert 0 < found.probability < 1
    assert found.effort.alpha > 0  # it rests on runs, and says how sure they are
    assert found.pair.distance > found.d_out
    told = result_json(Result(targets[name].mechanism, found))
    assert told["probability"] == found.probability
    assert told["evidence"] == "statistical"
