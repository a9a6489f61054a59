"""The import graph is the architecture (docs/design.md): each floor imports only floors below it."""

import ast
import os
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ROOT / "dplint"

FLOORS = [
    {"main"},
    {"cli", "server"},
    {"report"},
    {"check"},
    {"rules"},
    {"source"},
    {"workers", "store", "config"},
    {"audit"},
    {"inputs", "events", "statistics"},
    {"readings"},
    {"program"},
    {"runner"},
    {"codes"},
    {"outcomes", "expressions"},
    {"claims", "decorator"},
]
"""From top to bottom. `source` may use `program` for its nodes, `workers` the jobs of `audit`: plain data."""
LEVEL = {room: len(FLOORS) - level for level, rooms in enumerate(FLOORS) for room in rooms}


def modules():
    for path in sorted(HOUSE.rglob("*.py")):
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


def room(module):
    return [*module.split("."), ""][1]


NAMES = {name for name, _ in modules()}


@pytest.mark.parametrize(("name", "path"), [pytest.param(n, p, id=n) for n, p in modules()])
def test_a_floor_imports_only_floors_below(name, path):
    mine = room(name)
    for target in imports(name, path):
        theirs = room(target)
        if theirs in LEVEL and mine in LEVEL and theirs != mine:
            assert LEVEL[theirs] < LEVEL[mine], f"{name} imports {target}, which is not below it"


def test_every_room_has_a_floor():
    rooms = {room(name) for name, _ in modules()} - {"", "__main__"}

    assert rooms == set(LEVEL)


def test_no_reading_imports_another():
    folders = {p.stem for p in (HOUSE / "readings").iterdir() if p.stem != "__init__" and not p.stem.startswith("__")}
    for name, path in modules():
        parts = name.split(".")
        if parts[1:2] == ["readings"] and len(parts) > 2:
            for target in imports(name, path):
                other = target.split(".")[2:3]
                if target.startswith("dplint.readings.") and other and other[0] in folders:
                    assert other[0] == parts[2], f"{name} imports {target}"


def test_front_ends_do_not_import_each_other():
    for name, path in modules():
        others = {"cli", "server"} - {room(name)}
        if room(name) in ("cli", "server"):
            assert not [target for target in imports(name, path) if room(target) in others]


def test_the_import_graph_has_no_circles():
    graph = {
        # A package that re-exports its own modules is no circle: importing the module runs the package first anyway.
        name: {t for t in imports(name, path) if t in NAMES and t != name and not name.startswith(t + ".")}
        for name, path in modules()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


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


HEAVY = {"numpy", "scipy", "z3", "libcst", "rich", "click", "matplotlib", "pygls", "pandas", "sklearn"}


def test_the_decorator_needs_only_the_standard_library():
    new = packages_after("from dplint import dp") - packages_after("pass")

    assert new - {"dplint"} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import dplint.main", {"click"}),
        ("import dplint.server.features, dplint.server.commands", {"pygls"}),
        ("import dplint.server.reader_main", set()),
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


def test_front_ends_hand_programs_on_without_knowing_them():
    """An editor waits for its first answer, and need not wait for the classes of the nodes to be made."""
    assert "dplint.program.nodes" not in modules_after("import dplint.main, dplint.server.commands")
