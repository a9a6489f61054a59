"""What a module does on import beside what it defines is no hurdle: it is left out where it fails, and said to be."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.outcomes import FailureKind
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest

ONCE = SampleRequest((DataValue([1.0, 2.0]),))


def outputs(runner: Runner) -> list[object]:
    return runner.sample(ONCE)[0].outputs()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("import nowhere_at_all", "has no module 'nowhere_at_all'"),
        ("from json import nothing_of_that_name", "ImportError: cannot import name"),
        ("open('no such file')", "FileNotFoundError"),
        ("raise SystemExit(2)", "SystemExit: 2"),
        ("import argparse; argparse.ArgumentParser().parse_args(['--unknown'])", "SystemExit: 2"),
        ("class Net(nowhere.Module):\n    def f(self):\n        return 1\n", "NameError: name 'nowhere'"),
        ("while True: pass", "it takes more than 1 s"),
        ("for i in range(10**9):\n    try: i + 1\n    except Exception: pass", "it takes more than 1 s"),
        ("b'x' * 10**15", "there was not enough memory"),
        ("raise RuntimeError('DefaultCPUAllocator: can\\'t allocate memory')", "there was not enough memory"),
    ],
)
def test_a_statement_that_fails_is_left_out_and_named(shared_runner, write, statement, why):
    shared_runner.load(write(f"'''Doc.'''\nX = 3\n{statement}\nY = 4\ndef m(queries): return [X, Y, __doc__]"))

    assert outputs(shared_runner) == [[3, 4, "Doc."]]
    (note,) = shared_runner.left_out
    assert "without line 3 of" in note
    assert why in note


def test_nothing_is_said_of_an_import_that_worked(shared_runner, write):
    shared_runner.load(write("from __future__ import annotations\nimport json\ndef m(queries: nothing): return 1"))

    assert outputs(shared_runner) == [1]
    assert shared_runner.left_out == ()


@pytest.mark.parametrize(
    ("before", "body", "reason", "kind"),
    [
        (
            "import nowhere_at_all as np",
            "return np.sum(queries)",
            "has no module 'nowhere_at_all'",
            FailureKind.IMPORT,
        ),
        ("TABLE = open('lost.csv').read()", "return TABLE", "FileNotFoundError", FailureKind.IMPORT),
        ("TABLE = [0] * 10**15", "return TABLE", "not enough memory", FailureKind.MEMORY),
        ("T = 1 / 0\nTABLE = T + 1", "return TABLE", "ZeroDivisionError", FailureKind.IMPORT),
        ("TABLE = 1 / 0", "if len(queries) > 1: return TABLE\n    return 0", "ZeroDivisionError", FailureKind.IMPORT),
    ],
)
def test_a_run_that_needs_what_was_left_out_fails_and_has_no_output(shared_runner, write, before, body, reason, kind):
    shared_runner.load(write(f"{before}\ndef m(queries):\n    {body}"))
    with pytest.raises(RunnerError, match=reason) as caught:
        outputs(shared_runner)

    assert caught.value.kind == kind
    assert caught.value.line == before.count("\n") + 1 if "T + 1" in before else 1


def test_a_name_that_nobody_gives_is_still_an_output(shared_runner, write):
    shared_runner.load(write("LOST = 1 / 0\ndef m(queries): return never_given"))

    assert outputs(shared_runner) == [("NameError", "name 'never_given' is not defined")]


def test_what_a_function_needs_may_take_its_time(shared_runner, write):
    slow = "import time\nend = time.process_time() + 1.3\nTABLE = []\nwhile time.process_time() < end: TABLE = [1]\n"
    shared_runner.load(write(f"{slow}def m(queries): return TABLE"))

    assert outputs(shared_runner) == [[1]]
    assert shared_runner.left_out == ()


def test_a_function_whose_own_definition_fails_fails_for_the_true_reason(shared_runner, write):
    text = "import nowhere_at_all\n@nowhere_at_all.jit\ndef m(queries): return 1"
    with pytest.raises(RunnerError, match="has no module 'nowhere_at_all'") as caught:
        shared_runner.load(write(text))

    assert caught.value.line == 1
    assert "-m pip install" in caught.value.cure


def test_modules_of_the_project_are_imported_in_the_same_way(shared_runner, write, tmp_path):
    name = f"training_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text("def helper(): return 5\nhelper(nothing)\nmodel = open('weights')\n")
    shared_runner.load(write(f"from {name} import model, helper\ndef m(queries): return model, helper()"))
    with pytest.raises(RunnerError, match=rf"line 3 of {name}.py did not give.*FileNotFoundError"):
        outputs(shared_runner)
    shared_runner.load(write(f"from {name} import model, helper\ndef m(queries): return helper()"))

    assert outputs(shared_runner) == [5]
    assert f"line 2 of {name}.py" in shared_runner.left_out[0]


def test_what_was_left_out_is_left_out_of_many_runs_at_once_too(shared_runner, write):
    text = "import json; open('lost')\nK = 2\n(1 /\n 0)\ndef m(queries): return [K, len(queries)]"
    mechanism = write(text)
    shared_runner.load(mechanism)
    runs = ResidualRuns(shared_runner, mechanism)
    runs.check(ONCE.datas, {}, 4, np.random.SeedSequence(0))

    assert runs.sample(ONCE.datas[0], {}, 8, np.random.SeedSequence(0)).outputs() == [[2, 2]] * 8


def test_a_script_finds_what_lies_beside_it(shared_runner, describe, tmp_path):
    package = tmp_path / f"pkg_{tmp_path.name}"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "beside_a_script.py").write_text("X = 6\n")
    (package / "data.txt").write_text("7")
    text = "from beside_a_script import X\nY = open('data.txt').read()\ndef m(queries): return [X, Y]\n"
    (package / "script.py").write_text(text)
    shared_runner.load(describe(package / "script.py", "m", root=tmp_path))

    assert outputs(shared_runner) == [[6, "7"]]


def test_a_module_that_one_folder_of_the_project_has_is_found(shared_runner, describe, tmp_path):
    (tmp_path / "src" / "only_here_once").mkdir(parents=True)
    (tmp_path / "src" / "only_here_once" / "deep.py").write_text("X = 8\n")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "it.py").write_text("from only_here_once.deep import X\ndef m(queries): return X\n")
    mechanism = dataclasses.replace(describe(tmp_path / "run" / "it.py", "m"), project_root=str(tmp_path))
    shared_runner.load(mechanism)

    assert outputs(shared_runner) == [8]


def test_nobody_is_told_to_install_a_file_of_the_project(shared_runner, describe, tmp_path):
    for folder in ("a", "b", "run"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / ("in_two_places.py" if folder != "run" else "it.py")).write_text("X = 1\n")
    path = tmp_path / "run" / "it.py"
    path.write_text("import in_two_places\ndef m(queries): return in_two_places.X\n")
    shared_runner.load(dataclasses.replace(describe(path, "m"), project_root=str(tmp_path)))
    with pytest.raises(RunnerError, match="has no module 'in_two_places'") as caught:
        outputs(shared_runner)

    assert "a/in_two_places.py, b/in_two_places.py of the project" in caught.value.cure
    assert "install" not in caught.value.cure


def test_a_library_is_not_given_a_file_of_the_project_in_place_of_what_it_lacks(shared_runner, write, tmp_path):
    site, name = tmp_path / "site-packages", f"lib_{tmp_path.name}"
    site.mkdir()
    (site / f"{name}.py").write_text(
        "try:\n    import optional_of_the_library\n    HAS = True\nexcept ImportError:\n    HAS = False\n"
    )
    (tmp_path / "sub").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "optional_of_the_library.py").write_text("X = 1\n")
    text = f"import sys\nsys.path.append({str(site)!r})\nimport {name}\ndef m(queries): return {name}.HAS"
    mechanism = write(text)
    moved = tmp_path / "sub" / "moved.py"
    moved.write_text(text)
    shared_runner.load(dataclasses.replace(mechanism, path=str(moved), module="moved", import_root=str(moved.parent)))

    assert outputs(shared_runner) == [False]


@pytest.mark.process
def test_address_space_that_is_only_set_apart_is_not_limited(write):
    text = "import mmap\ndef m(queries):\n    mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)\n"
    with Runner(sys.executable, deadline=10, memory_mib=256) as runner:
        runner.load(write(f"{text}    return 1"))

        assert outputs(runner) == [1]


@pytest.mark.process
def test_memory_that_is_written_to_is(write):
    with Runner(sys.executable, deadline=10, memory_mib=256) as runner:
        runner.load(write("def m(queries): return len(bytearray(1 << 29))"))
        with pytest.raises(RunnerError, match="memory") as caught:
            outputs(runner)

    assert caught.value.kind == FailureKind.MEMORY


def test_after_a_line_that_takes_too_long_only_what_defines_is_executed(shared_runner, write):
    source = """
NOTED = []
NOTED.append("before")
while True: pass
NOTED.append("after")
LATER = len("four")
for one in range(3): NOTED.append(one)
KEPT = 5
import json
def m(queries): return [NOTED, KEPT, LATER, json.dumps(1)]
"""
    shared_runner.load(write(source))

    assert outputs(shared_runner) == [[["before"], 5, 4, "1"]]
    notes = " ".join(shared_runner.left_out)
    assert "it takes more than 1 s" in notes
    assert "and 2 more statements" in notes
