"""Modules are imported as the user's own tools import them, and functions are found by their qualified names."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from dplint.claims import Parameter, ParameterKind
from dplint.outcomes import FailureKind
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest
from tests.environments import bare_python

ONCE = SampleRequest((DataValue([1.0, 2.0]),))


def only_output(runner: Runner, request: SampleRequest = ONCE) -> object:
    ((output,),) = (batch.outputs() for batch in runner.sample(request))
    return output


def test_modules_of_a_package_import_each_other(shared_runner, describe, tmp_path):
    package = tmp_path / "shop_for_loading" / "inner"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("from .inner import release\nLOADED = release.COUNT\n")
    (package / "__init__.py").write_text("")
    (package / "helpers.py").write_text("HELP = 7\n")
    (package / "release.py").write_text(
        "from . import helpers\nfrom shop_for_loading.inner.helpers import HELP\nimport beside_for_loading\n"
        "import shop_for_loading\nCOUNT = []\ndef m(queries):\n"
        "    return [helpers.HELP + HELP, beside_for_loading.X, shop_for_loading.LOADED is COUNT, __name__]\n"
    )
    (tmp_path / "beside_for_loading.py").write_text("X = 1\n")
    shared_runner.load(describe(package / "release.py", "m", root=tmp_path))

    assert only_output(shared_runner) == [14, 1, True, "shop_for_loading.inner.release"]


def test_the_project_root_is_importable_and_is_the_working_directory(shared_runner, describe, tmp_path):
    (tmp_path / "lib_for_loading.py").write_text("X = 'from the project root'\n")
    (tmp_path / "data.txt").write_text("some data")
    (tmp_path / "tests").mkdir()
    module = tmp_path / "tests" / "release_for_loading.py"
    module.write_text("import lib_for_loading\ndef m(queries): return [lib_for_loading.X, open('data.txt').read()]\n")
    mechanism = dataclasses.replace(describe(module, "m"), project_root=str(tmp_path))
    shared_runner.load(mechanism)

    assert only_output(shared_runner) == ["from the project root", "some data"]


def test_a_buffer_is_executed_in_place_of_the_file(shared_runner, write):
    mechanism = write("def m(queries): return ['saved', __file__]")
    shared_runner.load(mechanism)
    saved = only_output(shared_runner)
    shared_runner.load(mechanism, "def m(queries): return ['edited', __file__, __name__]")
    edited = only_output(shared_runner)
    shared_runner.load(mechanism)

    assert saved == ["saved", mechanism.path]
    assert edited == ["edited", mechanism.path, mechanism.module]
    assert only_output(shared_runner) == saved


def test_a_traceback_shows_the_buffer(shared_runner, write):
    mechanism = write("def m(queries): return 1")
    with pytest.raises(RunnerError) as caught:
        shared_runner.load(mechanism, "\n\nm = this_name_is_not_saved_yet\n")

    assert f'File "{mechanism.path}", line 3' in caught.value.detail
    assert "m = this_name_is_not_saved_yet\n" in caught.value.detail
    assert "runner" not in caught.value.detail.replace(mechanism.path, "")


@pytest.mark.parametrize("name", ["statistics", "queue", "json"])
def test_a_file_may_be_called_like_a_module_of_the_standard_library(own_runner, describe, tmp_path, name):
    path = tmp_path / f"{name}.py"
    path.write_text("def m(queries): return __file__")
    own_runner.load(describe(path, "m"))

    assert only_output(own_runner) == str(path)


def test_a_file_name_need_not_be_an_identifier(shared_runner, describe, tmp_path):
    path = tmp_path / "2-my release.py"
    path.write_text("def m(queries): return 1")
    shared_runner.load(describe(path, "m"))

    assert only_output(shared_runner) == 1


def test_the_main_block_does_not_run(shared_runner, write):
    shared_runner.load(write("if __name__ == '__main__': raise SystemExit(9)\ndef m(queries): return 1"))

    assert only_output(shared_runner) == 1


METHODS = """
    class Counter:
        START = 5
        @staticmethod
        def static(queries): return len(queries)
        @classmethod
        def of_class(cls, queries): return cls.START
        def of_instance(self, queries): return 1
        class Inner:
            @staticmethod
            def deep(queries): return queries[1]
    """


@pytest.mark.parametrize(("name", "output"), [("static", 2), ("of_class", 5), ("Inner.deep", 2.0)])
def test_static_and_class_methods_are_found(shared_runner, write, name, output):
    shared_runner.load(write(METHODS, f"Counter.{name}"))

    assert only_output(shared_runner) == output


def test_a_method_of_an_instance_is_refused_with_the_reason(shared_runner, write):
    with pytest.raises(RunnerError, match="needs an instance of Counter") as caught:
        shared_runner.load(write(METHODS, "Counter.of_instance"))

    assert caught.value.kind == FailureKind.INPUT


@pytest.mark.parametrize(
    ("qualname", "text"),
    [
        ("gone", "has no 'gone'"),
        ("VALUE", "is not a function but int"),
        ("outer.<locals>.inner", "made inside another function"),
    ],
)
def test_names_that_are_no_functions(shared_runner, write, qualname, text):
    mechanism = dataclasses.replace(write("VALUE = 1\ndef m(queries): return 1"), qualname=qualname)
    with pytest.raises(RunnerError, match=text):
        shared_runner.load(mechanism)


def test_a_failed_import_can_be_mended(own_runner, write):
    mechanism = write("def m(queries): return 1")
    with pytest.raises(RunnerError, match="ZeroDivisionError"):
        own_runner.load(mechanism, "m = 1 / 0")
    own_runner.load(mechanism)

    assert only_output(own_runner) == 1


def test_leaving_during_the_import_is_a_crash(shared_runner, write):
    with pytest.raises(RunnerError, match=r"the import of .* called sys.exit\(4\)") as caught:
        shared_runner.load(write("import sys\ndef m(queries): return 1"), "import sys\nm = sys.exit(4)\n")

    assert caught.value.kind == FailureKind.CRASH


@pytest.fixture
def without_dplint(tmp_path) -> str:
    """An interpreter that has NumPy and nothing else: no site-packages, only a folder with links."""
    folder = tmp_path / "only numpy"
    folder.mkdir()
    site = Path(np.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (site / name).exists():
            (folder / name).symlink_to(site / name)
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{bare_python(tmp_path / "bare")}" "$@"\n')
    script.chmod(0o755)
    return str(script)


def test_the_decorator_comes_along_where_dplint_is_not_installed(without_dplint, write):
    mechanism = write("""
        import sys
        from dplint import dp
        import dplint.decorator
        @dp(epsilon=1.0)
        def m(queries):
            return [sys.modules["dplint"].__file__, m.__dplint_claim__["epsilon"], dplint.decorator.dp.__name__]
    """)
    with Runner(without_dplint, deadline=10, memory_mib=256) as runner:
        runner.load(mechanism)
        file, epsilon, name = only_output(runner)

    assert Path(file).name == "decorator.py"
    assert (epsilon, name) == (1.0, "dp")


def test_an_installed_dplint_is_preferred(own_runner, describe, tmp_path):
    (tmp_path / "dplint").mkdir()
    (tmp_path / "dplint" / "__init__.py").write_text("def dp(**claim): return lambda function: function\nOWN = True\n")
    path = tmp_path / "release_with_own_dplint.py"
    path.write_text("import dplint\nfrom dplint import dp\n@dp(epsilon=1)\ndef m(queries): return dplint.OWN\n")
    own_runner.load(describe(path, "m"))

    assert only_output(own_runner) is True


def test_every_kind_of_parameter_gets_its_value(shared_runner, write):
    mechanism = write("def m(first, queries, /, other, *, last, more=0): return [first, queries, other, last, more]")
    mechanism = dataclasses.replace(mechanism, data="queries")
    shared_runner.load(mechanism)
    request = dataclasses.replace(ONCE, arguments={"first": 1, "other": (2, "x"), "last": None})

    assert only_output(shared_runner, request) == [1, [1.0, 2.0], (2, "x"), None, 0]


def test_a_value_for_no_parameter_is_an_input_failure(shared_runner, write):
    shared_runner.load(write("def m(queries): return 1"))
    with pytest.raises(RunnerError, match="cannot pass 'epsilon': the parameter does not exist") as caught:
        shared_runner.sample(dataclasses.replace(ONCE, arguments={"epsilon": 1.0}))

    assert caught.value.kind == FailureKind.INPUT


def test_keywords_may_be_collected(shared_runner, write):
    mechanism = write("def m(queries, **others): return others")
    collected = Parameter("others", ParameterKind.VAR_KEYWORD)
    shared_runner.load(dataclasses.replace(mechanism, parameters=(*mechanism.parameters, collected)))

    assert only_output(shared_runner, dataclasses.replace(ONCE, arguments={"epsilon": 1.0})) == {"epsilon": 1.0}


def test_a_value_that_is_not_plain_is_an_input_failure(shared_runner, write):
    shared_runner.load(write("def m(queries): return 1"))
    with pytest.raises(RunnerError, match=r"epsilon = .*float64"):
        shared_runner.sample(dataclasses.replace(ONCE, arguments={"epsilon": np.float64(1)}))
