"""The import graph is the architecture (docs/design.md): each layer imports only layers below it."""

import ast
import math
import os
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from dplint.relations import relation_names

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "dplint"

LAYERS = [
    {"main", "testing"},
    {"cli", "server"},
    {"report"},
    {"check"},
    {"rules", "repairs"},
    {"contracts"},
    {"source"},
    {"workers", "store", "config"},
    {"audit"},
    {"proofs"},
    {"inputs", "events", "statistics"},
    {"readings"},
    {"runner"},
    {"tracing"},
    {"jobs"},
    {"program"},
    {"codes"},
    {"definitions"},
    {"outcomes", "expressions", "amounts"},
    {"relations", "sites", "collecting", "extras"},
    {"claims", "contents", "decorator", "distributions", "syntax"},
]
"""From top to bottom. From `jobs` down it is plain data, or the evaluator of programs, and known to all."""
LEVEL = {subpackage: len(LAYERS) - level for level, subpackages in enumerate(LAYERS) for subpackage in subpackages}


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(name, path):
    """The modules of dplint that a file imports anywhere, also inside functions and for type checking."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "dplint")
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join(parts[: len(parts) - node.level + 1] + ([base] if base else []))
            if base.split(".")[0] == "dplint":
                yield base
                yield from (f"{base}.{alias.name}" for alias in node.names)


def subpackage(module):
    return [*module.split("."), ""][1]


@cache
def import_graph():
    """What each module of dplint imports of it."""
    return {name: frozenset(imports(name, path)) for name, path in modules()}


def test_a_layer_imports_only_layers_below():
    wrong = [
        f"{name} imports {target}, which is not below it"
        for name, targets in import_graph().items()
        for target in sorted(targets)
        if LEVEL.get(subpackage(target), -1) >= LEVEL.get(subpackage(name), math.inf)
        if subpackage(target) != subpackage(name)
    ]

    assert not wrong, "\n".join(wrong)


def test_every_subpackage_has_a_layer():
    subpackages = {subpackage(name) for name in import_graph()} - {"", "__main__"}

    assert subpackages == set(LEVEL)


def test_the_package_does_not_know_the_suite_that_tests_it():
    """It is a distribution of its own, which is not there where dplint is installed."""
    assert not [name for name, path in modules() if "dplint_conformance" in path.read_text()]


def test_no_module_is_longer_than_450_lines():
    long = {name: lines for name, path in modules() if (lines := len(path.read_text().splitlines())) > 450}

    assert not long, "cut them where one idea ends and another begins"


def test_no_interpretation_imports_another():
    folders = {p.stem for p in (PACKAGE / "readings").iterdir() if p.stem != "__init__" and not p.stem.startswith("__")}
    for name, targets in import_graph().items():
        parts = name.split(".")
        if parts[1:2] == ["readings"] and len(parts) > 2:
            for target in targets:
                other = target.split(".")[2:3]
                if target.startswith("dplint.readings.") and other and other[0] in folders:
                    assert other[0] == parts[2], f"{name} imports {target}"


def test_no_way_to_test_a_claim_imports_another():
    """The folders of `audit`: what they share lies beside them."""
    for name, targets in import_graph().items():
        parts = name.split(".")
        if parts[1:2] == ["audit"] and len(parts) > 3:
            for target in targets:
                other = target.split(".")
                if other[1:2] == ["audit"] and len(other) > 2 and (PACKAGE / "audit" / other[2]).is_dir():
                    assert other[2] == parts[2], f"{name} imports {target}"


def test_only_the_worker_process_knows_audits():
    """Whoever makes a job or waits for one needs `dplint.jobs` alone."""
    users = {
        name
        for name, targets in import_graph().items()
        if subpackage(name) != "audit" and any(subpackage(target) == "audit" for target in targets)
    }

    assert users == {"dplint.workers.main"}


def test_the_checker_of_proofs_rests_on_nothing_but_itself():
    """It alone says what is proved; the proposer may read programs by its runs, and be wrong."""
    for name, targets in import_graph().items():
        if name.startswith("dplint.proofs.checker"):
            allowed = ("dplint.proofs.alignment", "dplint.proofs.checker")
            assert not [t for t in targets if t.startswith("dplint.proofs.") and not t.startswith(allowed)], name


def test_front_ends_do_not_import_each_other():
    for name, targets in import_graph().items():
        others = {"cli", "server"} - {subpackage(name)}
        if subpackage(name) in ("cli", "server"):
            assert not [target for target in targets if subpackage(target) in others]


def test_the_import_graph_has_no_circles():
    graph = {
        # A package that re-exports its own modules is no circle: importing the module runs the package first anyway.
        name: {t for t in targets if t in import_graph() and t != name and not name.startswith(t + ".")}
        for name, targets in import_graph().items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_the_readers_of_python_are_made_of_parts_and_do_not_inherit():
    """What reads a source is put together; only visitors of LibCST, exceptions, enumerations and protocols inherit."""
    known = {"CSTVisitor", "Walker", "Enum", "Protocol", "Exception"}
    for folder in (PACKAGE / "source" / "lowering", PACKAGE / "rules" / "flow"):
        for path in sorted(folder.glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
                    assert bases <= known, f"{path.name}: {node.name} inherits from {bases - known}"


def test_operators_of_the_source_stand_in_one_table():
    users = {name for name, path in modules() if "cst.FloorDivide" in path.read_text()}

    assert users == {"dplint.source.operators"}


def test_the_parser_of_python_is_called_in_one_place():
    """There it is tried again where another thread made Python lose count."""
    users = {name for name, path in modules() if "ast.parse(" in path.read_text()}

    assert users == {"dplint.syntax"}


def test_no_module_asks_for_a_neighbour_relation_by_its_name():
    """It asks the relation's object. The name "any" is also that of a function."""
    names = set(relation_names()) - {"any"}
    for name, path in modules():
        text = path.read_text()
        if subpackage(name) not in ("relations", "testing") and any(one in text for one in names):
            for node in ast.walk(ast.parse(text)):
                parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
                parts += [node.value] if isinstance(node, ast.MatchValue) else []
                texts = {one.value for part in parts for one in ast.walk(part) if isinstance(one, ast.Constant)}
                assert not texts & names, f"{name}:{node.lineno}"


@cache
def modules_after(statement):
    """What is in sys.modules after a statement in a fresh process, outside this checkout."""
    code = f"import sys; {statement}; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return set(done.stdout.split())


def packages_after(statement):
    """The same, as packages of the top level."""
    return {name.split(".")[0] for name in modules_after(statement)}


HEAVY = {
    "dask",
    "distributed",
    "fsspec",
    "flint",
    "numpy",
    "scipy",
    "z3",
    "libcst",
    "rich",
    "click",
    "pygls",
    "pandas",
}


@pytest.mark.process
@pytest.mark.parametrize("statement", ["from dplint import dp", "import dplint.jobs", "import dplint.outcomes"])
def test_the_ground_floor_needs_only_the_standard_library(statement):
    new = packages_after(statement) - packages_after("pass")

    assert new - {"dplint"} <= set(sys.stdlib_module_names)


@pytest.mark.process
@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import dplint.main", {"click"}),
        ("import dplint.server.features, dplint.server.commands", {"pygls"}),
        ("import dplint.check.reading_main", set()),
        ("import dplint.check", set()),
        ("import dplint.workers.pool, dplint.workers.background", set()),
        ("import dplint.check, dplint.source.discover, dplint.source.lowering", {"libcst"}),
        ("import dplint.program", set()),
        ("import dplint.report.json_document", set()),
        ("import dplint.report.terminal", {"rich"}),
    ],
)
def test_front_ends_stay_light(statement, allowed):
    """The processes that people wait for import neither NumPy, SciPy nor z3."""
    assert packages_after(statement) & HEAVY <= allowed


@pytest.mark.process
def test_front_ends_hand_programs_on_without_knowing_them():
    """An editor waits for its first answer, and need not wait for the classes of the nodes to be made."""
    assert "dplint.program.nodes" not in modules_after("import dplint.main, dplint.server.commands")
