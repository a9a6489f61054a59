"""What is put together of canaries, and which of them are kept; in this process, without a runner."""

import numpy as np
import pytest

from dplint.runner.canaries import Trainings, numbers_in, releases
from dplint.runner.failures import Failure


class Silent:
    def part(self, count):
        return count

    def ended(self, runs):
        pass


def chosen(function, records, canaries):
    """Trainings of a function on the data."""
    trainings = Trainings()
    trainings.heartbeat = Silent()
    trainings.run_of = lambda data: releases(lambda _, sink: sink(function(data)), lambda: None, lambda: None)
    named = {"step": "choose", "records": None, "canaries": None, "score": None}
    return trainings, trainings.answer(named, [records, canaries])["count"]


def learnt(trainings, count):
    return trainings.answer({"step": "learn", "first": 0, "last": count}, [])["lengths"]


def test_canaries_that_hide_each_other_or_move_little_are_left_out():
    """Three directions; the second canary repeats the first, the last one moves a tenth."""
    canaries = np.array([[2.0, 0, 0], [2.0, 0, 0], [0, 2.0, 0], [0, 0, 0.2]])
    trainings, count = chosen(lambda data: data.sum(axis=0), np.ones((2, 3)), canaries)
    assert learnt(trainings, count) == pytest.approx([2.0, 2.0, 2.0, 0.2])
    assert trainings.answer({"step": "keep", "noise": 1.0}, [])["count"] == 2
    asked = {"step": "begin", "inside": [1, 0], "releases": 1, "seconds": 9.0}
    assert trainings.answer(asked, [])["scores"] == pytest.approx([2.0, 0.0])


def test_what_is_yielded_is_summed_up_and_goes_on():
    def train(data):
        for step in range(3):
            yield data.sum(axis=0) + step

    trainings, count = chosen(train, None, np.eye(2))
    learnt(trainings, count)
    trainings.answer({"step": "keep", "noise": 1.0}, [])
    asked = {"step": "begin", "inside": [1, 0], "releases": 2, "seconds": 9.0}
    answer = trainings.answer(asked, [])
    assert (answer["made"], answer["ended"]) == (2, False)
    assert answer["scores"] == pytest.approx([2.0 + 1.0, 1.0])
    answer = trainings.answer({**asked, "step": "go on", "releases": 9}, [])
    assert (answer["made"], answer["ended"]) == (3, True)
    assert answer["scores"] == pytest.approx([3.0 + 3.0, 3.0])


@pytest.mark.parametrize("canaries", [[5.0, 7.0], (np.array([5.0, 7.0]), np.array([1, 0]))])
def test_canaries_come_first(canaries):
    seen = []
    records = [1.0] if isinstance(canaries, list) else (np.array([1.0]), np.array([1]))
    trainings, _ = chosen(lambda data: seen.append(data) or 0.0, records, canaries)
    trainings._centre = np.zeros(1)
    trainings.answer({"step": "begin", "inside": [0, 1], "releases": 1, "seconds": 9.0}, [])
    first = seen[0] if isinstance(canaries, list) else seen[0][0].tolist()
    assert first == [7.0, 1.0]


def test_numbers_are_found_wherever_they_are():
    released = {"weights": np.array([[1.0, 2.0]]), "bias": [3, (4.0, True)], "name": "model"}
    assert numbers_in(released).tolist() == [1.0, 2.0, 3.0, 4.0, 1.0]
    with pytest.raises(Failure, match="holds no numbers"):
        numbers_in({"name": "model"})


def test_a_training_that_yields_nothing_is_refused():
    trainings, _ = chosen(lambda _: (one for one in ()), None, np.eye(2))
    with pytest.raises(Failure, match="yields nothing"):
        trainings.answer({"step": "begin", "inside": [0, 1], "releases": 1, "seconds": 9.0}, [])


def test_records_that_cannot_be_counted_are_refused():
    with pytest.raises(Failure, match="cannot be counted"):
        chosen(lambda data: data, None, 5)


def test_what_each_canary_has_in_it_is_solved_for():
    """Two that move the same number: without noise, what comes out is a half for who is in, and minus that."""
    trainings, count = chosen(lambda data: data.sum(axis=0), None, np.array([[1.0, 0.0], [0.4, np.sqrt(0.84)]]))
    assert learnt(trainings, count) == pytest.approx([1.0, 1.0])
    assert trainings.answer({"step": "keep", "noise": 1e-12}, [])["count"] == 2
    for inside in ([1, 0], [0, 1], [1, 1], [0, 0]):
        asked = {"step": "begin", "inside": inside, "releases": 1, "seconds": 9.0}
        expected = [one - 0.5 for one in inside]
        assert sorted(trainings.answer(asked, [])["scores"]) == pytest.approx(sorted(expected))


def test_the_projects_scores_of_all_releases_are_added_up():
    def train(data):
        yield data.sum()
        yield 10 * data.sum()

    trainings = Trainings()
    trainings.heartbeat = Silent()
    trainings.run_of = lambda data: releases(lambda _, sink: sink(train(data)), lambda: None, lambda: None)
    trainings.find = lambda reference, _: {"own:score": lambda released, canary: released * canary}[reference]
    named = {"step": "choose", "records": None, "canaries": None, "score": "own:score"}
    trainings.answer(named, [None, np.array([1.0, 2.0, 4.0])])
    asked = {"step": "begin", "inside": [0, 1, 0], "releases": 9, "seconds": 9.0}
    assert trainings.answer(asked, [])["scores"] == [22.0, 44.0, 88.0]
