"""Which files use which: small checkouts by hand, and this one against what Python itself loads."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.changes import checkout
from scripts.import_graph import import_graph
from scripts.selection import used_by

ROOT = Path(__file__).resolve().parents[2]
HOUSE = {"dplint/__init__.py": "", "dplint/a.py": "", "dplint/b/__init__.py": "", "dplint/b/c.py": "VALUE = 1\n"}


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("import dplint.a", {"dplint/a.py"}),
        ("import dplint.b.c as short", {"dplint/b/c.py"}),
        ("from dplint import a", {"dplint/a.py"}),
        ("from dplint.a import anything", {"dplint/a.py"}),
        ("from dplint.b import c, VALUE", {"dplint/b/c.py", "dplint/b/__init__.py"}),
        ("def f():\n    from dplint.b.c import VALUE", {"dplint/b/c.py"}),
        ("if TYPE_CHECKING:\n    import dplint.a", {"dplint/a.py"}),
        ("from .b import c", {"dplint/b/c.py"}),
        ("from . import a", {"dplint/a.py"}),
        ("START = 'from dplint.b.c import VALUE; print(VALUE)'", {"dplint/b/c.py"}),
        ("JOB = 'dplint.a:run'", {"dplint/a.py"}),
        ('"""Not so good as dplint.a is."""', set()),
        ("import numpy.random, os.path", set()),
        ("import dplint.a as (", set()),
    ],
)
def test_what_a_module_uses(text, used):
    graph = import_graph({**HOUSE, "dplint/user.py": text})

    assert graph["dplint/user.py"] == used


def test_relative_imports_of_a_package_and_of_its_parent():
    graph = import_graph(
        {**HOUSE, "dplint/b/__init__.py": "from .c import VALUE", "dplint/b/d.py": "from ..a import x"}
    )

    assert graph["dplint/b/__init__.py"] == {"dplint/b/c.py"}
    assert graph["dplint/b/d.py"] == {"dplint/a.py"}


def test_a_module_whose_folder_is_no_package_has_a_bare_name():
    graph = import_graph({"tests/report/samples.py": "", "tests/report/test_it.py": "import samples"})

    assert graph["tests/report/test_it.py"] == {"tests/report/samples.py"}


def test_a_file_of_tests_uses_the_conftests_above_it():
    files = {
        "tests/conftest.py": "",
        "tests/cli/conftest.py": "",
        "tests/cli/test_it.py": "",
        "tests/conftest_not.py": "",
    }

    assert import_graph(files)["tests/cli/test_it.py"] == {"tests/conftest.py", "tests/cli/conftest.py"}


def test_a_file_that_is_no_module_is_used_by_who_names_it_or_a_folder_of_it():
    pages = {"docs/how-to/ci.md": None, "docs/claims.md": None}
    texts = {"tests/test_page.py": "P = ROOT / 'docs/claims.md'", "tests/test_all.py": "P = ROOT / 'how-to'"}
    graph = import_graph({**pages, **texts})

    assert graph["tests/test_page.py"] == set(pages), "docs is named, too"
    assert graph["tests/test_all.py"] == {"docs/how-to/ci.md"}


def test_the_name_of_a_package_is_no_name_of_its_data():
    files = {"dplint/b/schema.json": None, "tests/test_b.py": "MODE = 'b'", "tests/test_s.py": "F = 'schema.json'"}
    graph = import_graph({**HOUSE, **files})

    assert graph["tests/test_b.py"] == set()
    assert graph["tests/test_s.py"] == {"dplint/b/schema.json"}


def test_dplint_itself_uses_no_files_of_the_tests():
    graph = import_graph(
        {"fixtures/statdp/svt.py": None, "dplint/a.py": "METHOD = 'statdp'", "tests/t.py": "X = 'statdp'"}
    )

    assert graph["dplint/a.py"] == set()
    assert graph["tests/t.py"] == {"fixtures/statdp/svt.py"}


def test_a_package_whose_modules_nobody_imports_lists_them():
    cases = {"tests/cases/__init__.py": "", "tests/cases/one.py": "", "tests/cases/two.py": ""}
    graph = import_graph({**cases, "tests/test_it.py": "from tests import cases"})
    assert graph["tests/cases/__init__.py"] == {"tests/cases/one.py", "tests/cases/two.py"}

    by_name = import_graph({**cases, "tests/test_it.py": "from tests import cases\nimport tests.cases.one"})
    assert by_name["tests/cases/__init__.py"] == set()


def test_modules_that_are_found_by_the_names_of_their_files_are_used():
    files = {
        "dplint/found/__init__.py": "",
        "dplint/found/one.py": "",
        "dplint/found/deeper/two.py": "",
        "dplint/start.py": "import pkgutil\nfrom dplint import found\n\nX = pkgutil.iter_modules(found.__path__)",
        "dplint/found/own.py": "import pkgutil\n\nX = pkgutil.iter_modules(__path__)",
    }
    graph = import_graph(files)

    assert graph["dplint/start.py"] == {"dplint/found/__init__.py", "dplint/found/one.py", "dplint/found/own.py"}
    assert graph["dplint/found/own.py"] == {"dplint/found/__init__.py", "dplint/found/one.py"}


def test_the_runner_is_loaded_under_another_name():
    graph = import_graph(
        {"dplint/runner/main.py": "", "dplint/start.py": "CODE = 'from _dplint_runner.main import main'"}
    )

    assert graph["dplint/start.py"] == {"dplint/runner/main.py"}


@pytest.mark.process
@pytest.mark.parametrize("module", ["dplint.main", "dplint.check", "dplint.rules", "dplint.audit.session"])
def test_whatever_python_loads_is_in_the_graph(module):
    """Apart from packages that are loaded on the way to their modules, of which the graph says nothing."""
    code = (
        f"import sys, {module}; print(*(m.__file__ for m in sys.modules.values() if m.__name__.startswith('dplint')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = {Path(file).relative_to(ROOT).as_posix() for file in done.stdout.split()}
    start = {path for path in loaded if path in {f"{module.replace('.', '/')}{end}" for end in (".py", "/__init__.py")}}
    graph = import_graph(checkout(ROOT, ()))

    assert len(loaded) > 10
    (first,) = start
    assert {path for path in loaded if not path.endswith("__init__.py")} <= used_by(graph, first)


def test_the_conformance_suite_is_imported_without_the_folder_it_is_in() -> None:
    """And who imports it uses its cases, which nobody imports by their names."""
    suite = "conformance/dplint_conformance"
    graph = import_graph(
        {
            f"{suite}/__init__.py": "from dplint_conformance.cases import all_cases",
            f"{suite}/cases/__init__.py": "",
            f"{suite}/cases/loops.py": "",
            "tests/test_lanes.py": "from dplint_conformance import all_cases",
        }
    )

    assert graph["tests/test_lanes.py"] == {f"{suite}/__init__.py"}
    assert graph[f"{suite}/__init__.py"] == {f"{suite}/cases/__init__.py"}
    assert graph[f"{suite}/cases/__init__.py"] == {f"{suite}/cases/loops.py"}
