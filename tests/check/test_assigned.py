"""Lines of mechanisms as functions: what is kept of a mechanism, and how far neighbours move what a line assigns."""

import ast

import pytest

from dplint.check.assigned import assigned_lines, moved_lines
from dplint.check.loading import load_file, wanted_target
from dplint.config import Settings
from dplint.report.stability_words import line_title

SOURCE = '''import random

from dplint import dp


@dp(epsilon=1, neighbors="add-remove", domain=(0.0, 10.0))
def pipeline(rows, rng):
    """What it does."""
    unused = [row * 2 for row in rows]
    if not rows:
        return 0.0
    total = 0.0
    for row in rows:
        total += min(row, 5.0)
    noisy = total + rng.laplace(0, 5)
    same = rows
    same.append(3.0)
    count = len(rows)
    doubled = 2 * count
    return noisy + doubled
'''


def read(tmp_path, source=SOURCE):
    path = tmp_path / "m.py"
    path.write_text(source)
    (target,) = load_file(path, Settings())
    return path, target.mechanism


def bodies(tmp_path, source=SOURCE):
    """For each assigned name the statements that are kept."""
    _, mechanism = read(tmp_path, source)
    found = {}
    for one in assigned_lines(source, mechanism):
        function = next(node for node in ast.parse(one.text).body if isinstance(node, ast.FunctionDef))
        found[one.name] = [ast.unparse(node) for node in function.body]
    return found


GUARD = "if not rows:\n    raise ValueError"


def test_a_line_is_what_its_name_hangs_on_and_an_early_return_does_not_come_to_it(tmp_path):
    loop = "for row in rows:\n    total += min(row, 5.0)"
    found = bodies(tmp_path)
    assert found["unused"] == ["unused = [row * 2 for row in rows]", "return unused"]
    assert found["total"] == [GUARD, "total = 0.0", loop, "return total"]
    # `same` is `rows` under another name, so that what is appended to it is counted.
    assert found["count"] == [GUARD, "same = rows", "same.append(3.0)", "count = len(rows)", "return count"]
    assert "noisy" not in found  # there is noise in it


def test_what_noise_is_added_to_is_asked_about_at_the_draw(tmp_path):
    source = SOURCE.replace("return noisy + doubled", "return min(total, 9.0) + rng.laplace(0, 5)")
    _, mechanism = read(tmp_path, source)
    *_, last = assigned_lines(source, mechanism)
    assert last.name == "min(total, 9.0)"
    assert source.splitlines()[last.span.line - 1][last.span.column - 1 :] == "rng.laplace(0, 5)"
    assert bodies(tmp_path, source)["min(total, 9.0)"][-1] == "return min(total, 9.0)"
    at_loop, *_, at_draw = (one for one in assigned_lines(SOURCE, mechanism) if one.name == "total")
    assert at_loop.written == at_draw.written
    alone = SOURCE[: SOURCE.index('    """What')] + "    return sum(rows) + rng.laplace(0, 5)\n"
    assert bodies(tmp_path, alone) == {"sum(rows)": ["return sum(rows)"]}


def test_places_are_counted_in_characters_and_lines_as_python_counts_them(tmp_path):
    source = SOURCE.replace("doubled = 2 * count", 'doubled = 2 * count * len("\u00e4\x0c")')
    _, mechanism = read(tmp_path, source)
    (found,) = (one for one in assigned_lines(source, mechanism) if one.name == "doubled")
    line = source.split("\n")[found.span.line - 1]
    assert line[found.span.column - 1 : found.span.end_column - 1] == 'doubled = 2 * count * len("\u00e4\x0c")'


def test_all_other_lines_stand_where_they_stood(tmp_path):
    _, mechanism = read(tmp_path)
    for one in assigned_lines(SOURCE, mechanism):
        assert one.text.splitlines()[: mechanism.span.line] == SOURCE.splitlines()[: mechanism.span.line]
        assert one.name in SOURCE.splitlines()[one.span.line - 1]


@pytest.mark.parametrize(
    "line",
    [
        "arrays = numbers = list(rows); count = len(rows)",
        "try:\n        count = len(rows)\n    except ValueError:\n        count = 0",
        "global count\n    count = len(rows)",
    ],
)
def test_of_what_cannot_be_cut_apart_nothing_is_said(tmp_path, line):
    source = SOURCE.replace("count = len(rows)", line)
    assert bodies(tmp_path, source) == {}


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ("random.shuffle(same)", True),
        ("del same[0]", True),
        ("same[0] = 1.0", True),
        ("same += [1.0]", True),
        ("known = len(same)", False),
        ("known = helpers.cleaned(same)", True),
        ("known = cleaned(same)", True),
        ("known = np.sort(same)", False),
        ("rng.random()", False),
    ],
)
def test_what_may_change_a_value_under_another_name_is_kept(tmp_path, change, kept):
    source = SOURCE.replace("same.append(3.0)", change)
    assert (change in bodies(tmp_path, source).get("count", [])) == kept


@pytest.mark.process
def test_how_far_neighbours_move_lines(tmp_path):
    # One record more moves the total by 5 at most, since it is held there, and twice the count by 2.
    path, mechanism = read(tmp_path, SOURCE.replace("    same = rows\n    same.append(3.0)\n", ""))
    wanted, _ = wanted_target(f"{path}::{mechanism.qualname}", Settings(jobs=1))
    moved = {one.assigned.name: one for one in moved_lines(wanted, Settings(jobs=1), seconds=2)}
    labels = {name: line_title(one.found)[0] for name, one in moved.items()}
    assert {name: label.split()[-1] for name, label in labels.items()} == {
        "unused": "1",
        "total": "5",
        "count": "1",
        "doubled": "2",
    }
    assert labels["unused"] == "Δ rows = 1"
