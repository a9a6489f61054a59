"""D1 beside D2: what is marked, aligned and left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.report.difference import Cell, compare, rows
from dplint.report.literals import literal


def lines(d1, d2, width=200):
    """(D1, D2, marks) of each row, as the panel prints them."""

    def side(row, first):
        out = []
        for cell in row.cells:
            text = (cell.text1 if first else cell.text2) or ""
            out.append(cell.before + text + cell.after + " " * (cell.inner - len(text)))
        return " ".join(out).rstrip()

    return [(side(row, True), side(row, False), row.marks()) for row in rows(compare(d1, d2), width)]


def test_the_mark_stands_under_the_differing_entry():
    ((d1, d2, marks),) = lines([1, 20, 3], [1, 2, 3])
    assert (d1, d2, marks) == ("[1, 20, 3]", "[1, 2,  3]", "    ^^")


def test_equal_entries_far_from_a_difference_are_left_out():
    ((d1, _, marks),) = lines([0] * 20 + [1] + [0] * 20, [0] * 41)
    assert d1 == "[0, 0, ... 16 equal ... 0, 0, 1, 0, 0, ... 16 equal ... 0, 0]"
    assert marks.strip() == "^"
    assert marks.index("^") == d1.index("1,", 30)


def test_an_added_record_stands_alone_wherever_it_is():
    for position in range(4):
        d1 = [3, 5, 9]
        d1.insert(position, 777)
        marked = [cell for cell in compare(d1, [3, 5, 9]) if cell.differs]
        assert [(cell.text1, cell.text2) for cell in marked] == [("777", None)]


def test_only_the_differing_column_of_a_record_is_marked():
    same = {"age": 30, "diagnosis": "flu"}
    marked = [cell for cell in compare([same, {"age": 90, "b": 1}], [same, {"age": 18, "b": 1}]) if cell.differs]
    assert [(cell.before, cell.text1, cell.text2) for cell in marked] == [("{'age': ", "90", "18")]


def test_a_column_that_one_side_lacks_is_marked():
    marked = [cell for cell in compare({"a": 1}, {"b": 1}) if cell.differs]
    assert [(cell.text1, cell.text2) for cell in marked] == [("'a': 1", None), (None, "'b': 1")]


@pytest.mark.parametrize(("d1", "d2"), [(True, False), (1.5, 2), ("a", "b"), ([], [1]), ((1,), (2,)), (None, 0)])
def test_values_of_any_kind_are_compared(d1, d2):
    assert any(cell.differs for cell in compare(d1, d2))


def test_empty_data_shows_its_brackets():
    ((d1, d2, marks),) = lines([], [7])
    assert (d1.replace(" ", ""), d2, marks) == ("[]", "[7]", " ^")


def test_true_is_not_one():
    assert compare([True], [1])[0].differs


def test_long_texts_are_cut_around_their_difference():
    (cell,) = compare("a" * 500 + "X" + "b" * 500, "a" * 500 + "Y" + "b" * 500)
    assert "X" in cell.text1
    assert "Y" in cell.text2
    assert cell.width <= 60


def test_many_differing_entries_are_shortened():
    cells = compare(list(range(1000)), list(range(1, 1001)))
    assert len(cells) == 25
    assert any(cell.text1 == "... 976 differing ..." for cell in cells)


@given(st.lists(st.integers(0, 9), max_size=30), st.lists(st.integers(0, 9), max_size=30), st.integers(30, 120))
def test_rows_keep_to_the_width_and_mark_exactly_when_the_data_differ(d1, d2, width):
    assert all(len(line) <= width for row in lines(d1, d2, width) for line in row)
    assert any(marks for *_, marks in lines(d1, d2, width)) == (d1 != d2)


def test_a_cell_wider_than_the_width_has_a_row_of_its_own():
    cells = [Cell("a" * 50, "b" * 50, differs=True), Cell("1", "1", differs=False)]
    assert [len(row.cells) for row in rows(cells, 20)] == [1, 1]


def test_a_literal_is_shortened_in_its_middle():
    assert literal([1, 2]) == "[1, 2]"
    text = literal(list(range(100)))
    assert len(text) == 60
    assert text.startswith("[0, 1,")
    assert text.endswith("99]")


def test_records_are_left_out_as_records_and_counted_so():
    same = {"party": "red", "age": 0}
    ((d1, d2, _),) = lines([same] * 6, [*[same] * 6, {"party": "blue", "age": 9}])
    shown = "{'party': 'red', 'age': 0}"
    assert d2 == f"[{shown}, ... 4 equal records ... {shown}, {{'party': 'blue', 'age': 9}}]"
    assert d1.startswith(f"[{shown}, ... 4 equal records ... {shown},")


def test_the_last_record_of_a_side_has_no_comma_there():
    cells = compare([1, 2], [1, 2, 7])
    assert [(cell.text1, cell.last1, cell.last2) for cell in cells] == [
        ("1", False, False),
        ("2", True, False),
        (None, False, True),
    ]
