"""Which tests run in which worker, and in which order."""

from types import SimpleNamespace

from tests.distribution import SPREAD, long_ones_first, part_of

CONFORMANCE = "tests/conformance/test_conformance.py"


def test_a_file_is_one_part():
    tests = ["tests/server/test_views.py::test_one[push]", "tests/server/test_views.py::test_two[a::b-c]"]

    assert {part_of(nodeid) for nodeid in tests} == {"tests/server/test_views.py"}


def test_conformance_is_spread_by_its_cases():
    cases = [f"case_{number}" for number in range(200)]
    parts = {case: part_of(f"{CONFORMANCE}::test_one[{case}]") for case in cases}

    assert len(set(parts.values())) == SPREAD[CONFORMANCE]
    assert all(part_of(f"{CONFORMANCE}::test_two[lanes-{case}]") == parts[case] for case in cases)
    assert part_of(f"{CONFORMANCE}::test_without_a_case").startswith(CONFORMANCE)


def test_files_that_start_processes_come_first_and_stay_together():
    made = [("a", False), ("b", True), ("b", False), ("c", False), ("d", True)]
    items = [
        SimpleNamespace(path=path, number=number, get_closest_marker=lambda name, marked=marked: marked or None)
        for number, (path, marked) in enumerate(made)
    ]

    assert [item.number for item in long_ones_first(items)] == [1, 2, 4, 0, 3]
