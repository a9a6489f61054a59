"""What the fixtures of readings say of themselves is true: each mechanism is called, and nothing is read."""

import pytest

from tests.readings.truth import FOLDER, in_a_fresh_process, mechanisms, right_of_file, wrong_of_file

WRONG = sorted(file for file in (FOLDER / "wrong").rglob("*.py") if list(mechanisms(file)))
RIGHT = sorted((FOLDER / "right").rglob("*.py"))


@pytest.mark.parametrize("file", WRONG, ids=lambda file: file.stem)
def test_the_stated_event_is_all_but_certain_on_one_side_alone(file):
    # 60 runs a side: with a loss of 1 at most, shares of 0.95 and 0.05 have a probability below 1e-6.
    for name, stated, seen in in_a_fresh_process(wrong_of_file, file):
        assert stated is not None, name
        assert abs(stated[0] - stated[1]) == 1.0, name
        assert seen == pytest.approx(stated, abs=0.05), name


@pytest.mark.parametrize("file", RIGHT, ids=lambda file: file.stem)
def test_without_noise_a_right_one_moves_by_no_more_than_its_noise_covers(file):
    for name, loss in in_a_fresh_process(right_of_file, file):
        assert loss <= 1 + 1e-9, name


def test_there_are_three_hundred_wrong_and_one_hundred_right_ones():
    assert sum(len(list(mechanisms(file))) for file in WRONG) >= 300
    assert sum(len(list(mechanisms(file))) for file in RIGHT) >= 100
