"""From a graph and a change to the files of tests, the nearest first."""

from scripts.selection import Reached, select, unreached, used_by

GRAPH = {
    "dplint/top.py": frozenset({"dplint/middle.py"}),
    "dplint/middle.py": frozenset({"dplint/bottom.py"}),
    "dplint/bottom.py": frozenset({"dplint/circle.py"}),
    "dplint/circle.py": frozenset({"dplint/bottom.py"}),
    "dplint/alone.py": frozenset(),
    "tests/test_bottom.py": frozenset({"dplint/bottom.py"}),
    "tests/test_middle.py": frozenset({"dplint/middle.py"}),
    "tests/test_top.py": frozenset({"dplint/top.py", "docs/page.md"}),
    "tests/test_broad.py": frozenset({"dplint/bottom.py", "dplint/alone.py"}),
    "tests/tools.py": frozenset({"dplint/alone.py"}),
}


def test_the_nearest_come_first_and_of_those_the_one_that_uses_least():
    assert select(GRAPH, ["dplint/bottom.py"]) == [
        Reached("tests/test_bottom.py", 1),
        Reached("tests/test_broad.py", 1),
        Reached("tests/test_middle.py", 2),
        Reached("tests/test_top.py", 3),
    ]


def test_the_distance_is_that_from_the_nearest_changed_file():
    found = select(GRAPH, ["dplint/bottom.py", "dplint/top.py", "tests/test_middle.py"])

    assert {one.path: one.distance for one in found} == {
        "tests/test_middle.py": 0,
        "tests/test_bottom.py": 1,
        "tests/test_broad.py": 1,
        "tests/test_top.py": 1,
    }


def test_only_what_uses_the_change_is_reached():
    assert [one.path for one in select(GRAPH, ["dplint/top.py"])] == ["tests/test_top.py"]
    assert [one.path for one in select(GRAPH, ["docs/page.md"])] == ["tests/test_top.py"]
    assert select(GRAPH, ["tests/tools.py", "README.md"]) == []


def test_a_file_of_tests_that_was_deleted_is_not_run():
    assert select(GRAPH, ["tests/test_that_is_gone.py"]) == []


def test_what_no_test_uses_is_named():
    changed = ["README.md", "dplint/alone.py", "tests/tools.py", "tests/test_top.py"]

    assert unreached(GRAPH, changed) == ["README.md", "tests/tools.py"]


def test_circles_have_an_end():
    assert used_by(GRAPH, "dplint/middle.py") == {"dplint/middle.py", "dplint/bottom.py", "dplint/circle.py"}
