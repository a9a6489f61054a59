"""Where code is, and how it looks, in other people's projects: packages without `__init__.py`, mixed tabs, stubs."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.source.files import import_place
from dplint.source.read import read_source
from dplint.source.text import without_tabs


@pytest.fixture
def project(tmp_path):
    """Writes files of a project, and returns how one of them is imported: its root within the project, and its name."""
    (tmp_path / "pyproject.toml").write_text("")

    def place(file, text, *others):
        for name in others:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("")
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
        found = import_place(tmp_path / file)
        return found.import_root.relative_to(tmp_path).as_posix(), found.module

    return place


@pytest.mark.parametrize(
    ("file", "text", "others", "expected"),
    [
        ("shop/a.py", "from . import noise", ["shop/noise.py"], (".", "shop.a")),
        ("shop/a.py", "from shop.noise import add", ["shop/noise.py"], (".", "shop.a")),
        ("shop/a.py", "import shop.noise as n", ["shop/noise.py"], (".", "shop.a")),
        ("shop/a.py", "from shop import (\n    noise)", ["shop/noise.py"], (".", "shop.a")),
        ("src/shop/deep/a.py", "from ..noise import add", ["src/shop/noise.py"], ("src", "shop.deep.a")),
        (
            "src/shop/deep/a.py",
            "def f():\n    from shop.noise import add",
            ["src/shop/noise.py"],
            ("src", "shop.deep.a"),
        ),
        # a regular package inside of a namespace
        (
            "src/firm/shop/a.py",
            "from firm.shop import b",
            ["src/firm/shop/__init__.py", "src/firm/shop/b.py"],
            ("src", "firm.shop.a"),
        ),
        # scripts that import one another by their bare names
        ("shop/a.py", "import noise", ["shop/noise.py"], ("shop", "a")),
        ("shop/a.py", "x = 1", [], ("shop", "a")),
        # the package that is meant is another one
        (
            "tests/shop/a.py",
            "from shop.noise import add",
            ["tests/shop/noise.py", "src/shop/noise.py"],
            ("tests/shop", "a"),
        ),
        ("shop/a.py", "from shop.noise import add", [], ("shop", "a")),
        ("my-shop/a.py", "from . import noise", ["my-shop/noise.py"], ("my-shop", "a")),
        # and a regular one stays what it is
        ("shop/a.py", "from . import noise", ["shop/__init__.py", "shop/noise.py"], (".", "shop.a")),
    ],
)
def test_a_namespace_package_is_known_by_what_its_files_import(project, file, text, others, expected):
    assert project(file, text, *others) == expected


def test_a_project_that_is_a_package_itself_is_imported_from_above(tmp_path):
    (tmp_path / "shop").mkdir()
    for name in ("pyproject.toml", "__init__.py", "noise.py"):
        (tmp_path / "shop" / name).write_text("")
    (tmp_path / "shop" / "a.py").write_text("from . import noise\nfrom shop.noise import add\n")
    place = import_place(tmp_path / "shop" / "a.py")
    assert (place.import_root, place.module) == (tmp_path, "shop.a")


MIXED = """\
from dplint import dp


def helper(x):
\tif x:
        \tx = '''
\tkept'''
        \treturn x
\treturn f"{x}"


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
\tif epsilon > 0:
            x = sum(values)
\telse:
            x = 0
\treturn x + rng.laplace(0, 1 / epsilon)
"""


def test_indentation_that_cpython_accepts_is_read_with_its_places(tmp_path):
    found = read_source(tmp_path / "mixed.py", file="mixed.py", text=MIXED)
    assert not found.errors
    (mechanism,) = (one.mechanism for one in found.mechanisms)
    assert (mechanism.qualname, mechanism.span.line, mechanism.span.column) == ("total", 13, 5)
    assert "\n\tkept'''" in found.module.tree.code, "texts are not touched"


def test_what_cpython_refuses_is_refused(tmp_path):
    text = MIXED.replace("\telse:", "        else:")
    with pytest.raises(TabError):
        ast.parse(text)
    (error,) = read_source(tmp_path / "mixed.py", file="mixed.py", text=text).errors
    assert "inconsistent use of tabs" in error.message


INDENT = st.text(alphabet=" \t", max_size=4)


@given(
    st.lists(
        st.tuples(INDENT, st.sampled_from(["if x:", "y = 1", "else:", "y = '''\n\t a'''", "(1,\n\t 2)"])), max_size=8
    )
)
def test_without_tabs_it_means_the_same(lines):
    text = "".join(f"{indent}{line}\n" for indent, line in [("", "if x:"), *lines])
    try:
        tree = ast.parse(text)
    except SyntaxError:
        assert without_tabs(text) is None
        return
    changed = without_tabs(text)
    if changed is not None:
        assert ast.dump(ast.parse(changed), include_attributes=True) == ast.dump(tree, include_attributes=True)
    else:
        assert not any(
            line[: len(line) - len(line.lstrip())].count("\t")
            for line in text.split("\n")
            if line.strip() in ("if x:", "y = 1")
        )


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("    ...", "without a body"),
        ("    '''Says what it would do.'''\n    ...", "without a body"),
        ("    raise NotImplementedError", "without a body"),
        ("    raise NotImplementedError('later')", "without a body"),
        ("    return 1", None),
        ("    pass", None),
        ("    raise ValueError", None),
    ],
)
def test_a_stub_cannot_be_tested(tmp_path, body, why):
    text = f"from dplint import dp\n\n\n@dp(epsilon=1)\ndef release(rng, queries):\n{body}\n"
    for name, expected in (("a.py", why), ("a.pyi", "put the claim on the function in a.py")):
        (found,) = read_source(tmp_path / name, file=name, text=text).mechanisms
        assert (found.mechanism.untestable is None) == (expected is None)
        assert expected is None or expected in found.mechanism.untestable


def test_the_overloads_of_a_function_are_no_matter(tmp_path):
    overloads = "from typing import overload\n@overload\ndef f(rng, x, e): ...\n"
    text = f"{overloads}# dplint: dp(epsilon=1)\ndef f(rng, x, e):\n    return 1\n"
    (found,) = read_source(Path(tmp_path / "a.py"), file="a.py", text=text).mechanisms
    assert found.mechanism.untestable is None
