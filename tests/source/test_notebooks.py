"""Notebooks are read as one module and written back to the letter, but for the cells that have changed."""

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.source.files import import_place
from dplint.source.notebooks import UnwritableError, as_python, read_notebook, text_of
from dplint.source.text import DecodeError


def code(source, **more):
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source, **more}


def document(*cells, **more):
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["a"]}
LAYOUTS = [
    {"indent": 1, "ensure_ascii": False},  # as Jupyter writes
    {"indent": 2},
    {"separators": (",", ":")},
    {"indent": "\t", "sort_keys": True},
]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("listed", [True, False])
def test_only_the_cell_that_changes_is_another_one(layout, listed):
    texts = ["x = 'é'\ny = 1", "z = 'é'\n\nw = \"\\\\\"", ""]
    sources = [text.splitlines(keepends=True) if listed else text for text in texts]
    outputs = [{"data": {"text/plain": ["é", "\\/", "[", "}"]}}]
    cells = [MARKDOWN, *(code(source, outputs=outputs) for source in sources)]
    raw = json.dumps(document(*cells, cells=None) | {"cells": cells}, **layout) + "\n"
    notebook = read_notebook(raw.encode())

    assert notebook.written(notebook.text) == raw
    written = notebook.written(notebook.text.replace("y = 1", "y = 'ü'\nq = 3"))
    changed = "x = 'é'\ny = 'ü'\nq = 3"
    cells[1]["source"] = changed.splitlines(keepends=True) if listed else changed
    assert written == json.dumps(document() | {"cells": cells}, **layout) + "\n", "as the same writer would have it"


CELL = st.lists(
    st.sampled_from(
        [
            "x = 1",
            "",
            "  ",
            "%matplotlib inline",
            "!ls",
            "a = !ls",
            "if x:",
            "    !pip install y",
            "'''",
            "f(",
            "% 2)",
            "help?",
        ]
    ),
    max_size=6,
).map("\n".join)


@given(st.lists(st.one_of(CELL, st.text(max_size=20)), max_size=5), st.booleans())
def test_whatever_is_read_is_written_back(texts, listed):
    cells = [code(text.splitlines(keepends=True) if listed else text) for text in texts]
    raw = json.dumps(document(*cells), indent=1)
    notebook = read_notebook(raw.encode())
    assert notebook.written(notebook.text) == raw
    if texts and "#ipython#" not in "".join(texts) and "# %% cell" not in "".join(texts) and "\r" not in "".join(texts):
        changed = json.loads(notebook.written(notebook.text.removesuffix("\n") + "\nlast = 1\n"))
        assert ["".join(one["source"]) for one in changed["cells"]] == [*texts[:-1], texts[-1] + "\nlast = 1"]


@pytest.mark.parametrize(
    ("cell", "does"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if x:\n    !pip install y", "if x:\n    pass"),
        ("files = !ls *.py", "files = None"),
        ("np.sum?", "pass"),
        ("?np.sum", "pass"),
        ("def f(x):\n    !echo {x}\n    return 1", "def f(x):\n    get_ipython()\n    return 1"),
        ("def f(\n    x,\n):\n    if x:\n        y = !ls", "def f(x):\n    if x:\n        y = get_ipython()"),
        ("def f(x):\n    return 1\nif x:\n    !ls", "def f(x):\n    return 1\nif x:\n    pass"),
        (
            "class C:\n    def f(x):\n        %time x\n    %time y",
            "class C:\n    def f(x):\n        get_ipython()\n    pass",
        ),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("%%bash\nls\n", ""),
        ("%%html\n<b>x</b>", ""),
        ("x = (7\n % 2)", "x = (7\n % 2)"),
        ("x = '''\n%load\n'''", "x = '''\n%load\n'''"),
        ("x = 7 \\\n% 2", "x = 7 \\\n% 2"),
        ("x = y != z", "x = y != z"),
        ("x = 3 # is it?", "x = 3"),
    ],
)
def test_what_only_ipython_understands_does_nothing(cell, does):
    read = as_python(cell)
    assert len(read.split("\n")) == len(cell.split("\n")), "lines keep their numbers"
    assert ast.dump(ast.parse(read)) == ast.dump(ast.parse(does))


def test_places_are_cells_of_all_cells_and_lines_in_them():
    raw = json.dumps(document(code("a = 1\nb = 2"), MARKDOWN, code("c = 3"), code("")))
    notebook = read_notebook(raw.encode())
    lines = notebook.text.split("\n")
    assert notebook.place(lines.index("a = 1") + 1) == (1, 1)
    assert notebook.place(lines.index("b = 2") + 1) == (1, 2)
    assert notebook.place(lines.index("c = 3") + 1) == (3, 1)
    assert notebook.module_line(3, 1) == lines.index("c = 3") + 1
    assert (notebook.line(1, 2), notebook.line(3, 1), notebook.line(2, 1), notebook.line(3, 2)) == (
        "b = 2",
        "c = 3",
        None,
        None,
    )


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "no notebook"),
        (b"[]", "no notebook"),
        (b"\xff", "no notebook"),
        (b"x = 1", "no notebook"),
        (b'{"cells": {}}', "is a notebook of an old format"),
        (b'{"cells": [{"cell_type": "code", "source": 3}]}', "no notebook"),
        (b'{"worksheets": [], "nbformat": 3}', "old format"),
    ],
)
def test_what_is_no_notebook_is_an_error(raw, why, tmp_path):
    with pytest.raises(DecodeError, match=why):
        text_of(tmp_path / "a.ipynb", raw)


def test_a_notebook_of_another_language_has_no_cells():
    assert (
        read_notebook(json.dumps(document(code("x <- 1"), metadata={"kernelspec": {"language": "R"}})).encode()).text
        == ""
    )


def test_what_could_not_be_told_apart_is_not_written():
    notebook = read_notebook(json.dumps(document(code("# %% cell 7\nx = 1"))).encode())
    with pytest.raises(UnwritableError):
        notebook.written(notebook.text.replace("x = 1", "x = 2"))
    forged = read_notebook(json.dumps(document(code("pass  #ipython# x\ny = 1"))).encode())
    assert forged.written(forged.text) == forged.json
    with pytest.raises(UnwritableError):
        forged.written(forged.text.replace("y = 1", "y = 2"))


def test_a_notebook_is_a_module_of_its_folder_with_a_name_of_its_own(tmp_path):
    (tmp_path / "__init__.py").write_text("")
    place = import_place(tmp_path / "my shop-2.1.ipynb")
    assert (place.import_root, place.module, place.is_package) == (tmp_path, "my_shop_2_1_ipynb", False)
