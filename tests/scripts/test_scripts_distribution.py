"""Which tests run in which worker, and in which order."""

from pathlib import Path
from types import SimpleNamespace

from tests import shares
from tests.distribution import SPREAD, long_ones_first, part_of

ROOT = Path(__file__).resolve().parents[2]


def test_a_file_is_one_part():
    tests = ["tests/server/test_views.py::test_one[push]", "tests/server/test_views.py::test_two[a::b-c]"]

    assert {part_of(nodeid) for nodeid in tests} == {"tests/server/test_views.py"}


def test_a_file_is_spread_by_its_cases():
    [(file, count)] = SPREAD.items()
    cases = [f"case_{number}" for number in range(200)]
    parts = {case: part_of(f"{file}::test_one[{case}]") for case in cases}

    assert len(set(parts.values())) == count
    assert all(part_of(f"{file}::test_two[lanes-{case}]") == parts[case] for case in cases)
    assert part_of(f"{file}::test_without_a_case").startswith(file)


def test_what_lowers_the_same_cases_is_one_part():
    files = sorted((ROOT / "tests" / "conformance").glob("test_*.py"))

    assert len({part_of(f"{file.relative_to(ROOT).as_posix()}::test_one[a-b]") for file in files}) == 1
    assert part_of("tests/conformance_of_others/test_x.py::test_one") == "tests/conformance_of_others/test_x.py"


def test_files_that_start_processes_come_first_and_stay_together():
    made = [("a", False), ("b", True), ("b", False), ("c", False), ("d", True)]
    items = [
        SimpleNamespace(path=path, number=number, get_closest_marker=lambda name, marked=marked: marked or None)
        for number, (path, marked) in enumerate(made)
    ]

    assert [item.number for item in long_ones_first(items)] == [1, 2, 4, 0, 3]


def test_what_is_left_for_the_night_is_named_as_it_is():
    for name, share in {**shares.ONE_IN, **dict.fromkeys(shares.AT_NIGHT, 2)}.items():
        file, _, test = name.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert share > 1
        assert f"def {test}(" in text if test else "def test_" in text, name


def test_of_the_cases_of_a_test_every_so_manieth_is_tried(monkeypatch):
    monkeypatch.setattr(shares, "ONE_IN", {"a.py::test_x": 3, "b.py": 2})
    names = [*(f"a.py::test_x[{n}]" for n in range(7)), "a.py::test_y[0]", "b.py::test_z[0]", "b.py::test_z[1]"]

    left = shares.left_for_the_night(SimpleNamespace(nodeid=name) for name in names)

    assert {name for name in names if name not in [item.nodeid for item in left]} == {
        "a.py::test_x[0]", "a.py::test_x[3]", "a.py::test_x[6]", "a.py::test_y[0]", "b.py::test_z[0]",
    }  # fmt: skip


def test_of_many_cases_the_first_are_tried_and_some_of_the_others(monkeypatch):
    monkeypatch.setattr(shares, "_FIRST", 6)
    monkeypatch.setattr(shares, "_OF_OTHERS", 3)
    many, attacks = ([f"{file}::test_x[{n}]" for n in range(13)] for file in ("tests/a.py", "tests/security/test_a.py"))

    left = [item.nodeid for item in shares.left_for_the_night(SimpleNamespace(nodeid=name) for name in many + attacks)]

    assert left == [many[n] for n in (7, 8, 10, 11)]
