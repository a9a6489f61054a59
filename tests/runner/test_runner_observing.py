"""What a run shows besides what it returns, if the claim asks for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dplint.claims import OBSERVABLE, Receiver
from dplint.outcomes import FailureKind
from dplint.runner import observing
from dplint.runner.batch import Record
from dplint.runner.client import DataValue, RunnerError, SampleRequest

pytestmark = pytest.mark.process


def observed(runner, mechanism, *channels, data=(1, 2), runs=1):
    """The outputs of runs, each by its fields."""
    runner.load(replace(mechanism, claim=replace(mechanism.claim, observe=channels)))
    (batch,) = runner.sample(SampleRequest((DataValue(list(data)),), runs=runs))
    (skeleton,) = {group.skeleton for group in batch.groups}
    assert isinstance(skeleton, Record)
    assert skeleton.name == "Observed"
    return [dict(zip(skeleton.fields, output[1:], strict=True)) for output in batch.outputs()]


def test_the_names_of_claims_are_those_of_the_runner():
    assert OBSERVABLE == (
        observing.STDOUT,
        observing.STDERR,
        observing.LOGGING,
        observing.FILES,
        observing.ARGUMENTS,
    )


def test_what_is_printed_is_that_of_one_run(shared_runner, write):
    mechanism = write("""
        import sys
        def m(queries):
            print("sum", sum(queries))
            sys.stdout.write("more")
            sys.stdout.buffer.write(b"bytes")
            sys.stdout.close()
            print("oops", file=sys.stderr)
            return 7
    """)
    found = observed(shared_runner, mechanism, "stdout", "stderr", runs=3)

    assert found == [{"returned": 7, "stdout": "sum 3\nmorebytes", "stderr": "oops\n"}] * 3


def test_a_stream_that_a_run_replaces_is_back_in_the_next(shared_runner, write):
    mechanism = write("""
        import io, sys
        def m(queries):
            print(1)
            sys.stdout = io.StringIO()
            print(2)
    """)
    assert observed(shared_runner, mechanism, "stdout", runs=2) == [{"returned": None, "stdout": "1\n"}] * 2


def test_log_records_from_info_on_or_as_the_module_sets_them(shared_runner, write):
    mechanism = write("""
        import logging
        log, chatty, silent = map(logging.getLogger, ("seen", "seen.chatty", "seen.silent"))
        chatty.setLevel(logging.DEBUG)
        chatty.propagate = False
        silent.setLevel(logging.ERROR)
        def m(queries):
            log.debug("no")
            log.info("sum %d", sum(queries))
            chatty.debug("details")
            silent.warning("no")
            try:
                raise ValueError("bad")
            except ValueError:
                log.exception("failed")
    """)
    (found,) = observed(shared_runner, mechanism, "logging")

    records = ["INFO seen: sum 3", "DEBUG seen.chatty: details", "ERROR seen: failed: ValueError: bad"]
    assert found["logging"] == records


def test_files_stay_in_memory(shared_runner, write, tmp_path):
    mechanism = write(f"""
        import json, os, pathlib
        import numpy as np
        FOLDER = pathlib.Path({str(tmp_path)!r})
        def m(queries):
            (FOLDER / "a.txt").write_text("one")
            with open(FOLDER / "a.txt", "a") as file:
                print("two", file=file)
            open("b.bin", "wb").write(bytes([255, len(queries)]))
            json.dump(queries, open("c.json", "w"))
            np.savetxt("d.txt", np.array([1.5]))
            open("new", "w").write("e")
            os.replace("new", "./e.txt")
            open("gone", "w").close()
            os.remove("gone")
            return open(FOLDER / "a.txt").read(), (FOLDER / "a.txt").exists(), os.path.exists("gone")
    """)
    before = sorted(tmp_path.iterdir())
    first, second = observed(shared_runner, mechanism, "files", runs=2)

    a = str(tmp_path / "a.txt")
    assert first == second
    assert first["returned"] == ("onetwo\n", True, False)
    assert {name: content for name, content in first["files"].items() if name != "b.bin"} == {
        a: "onetwo\n",
        "c.json": "[1, 2]",
        "d.txt": "1.500000000000000000e+00\n",
        "e.txt": "e",
    }
    assert first["files"]["b.bin"] == [255, 2]
    assert [path for path in sorted(tmp_path.iterdir()) if path.name != "__pycache__"] == before


def test_a_file_on_disk_is_added_to_in_memory_alone(shared_runner, write, tmp_path):
    (tmp_path / "log").write_text("old ")
    mechanism = write(f"def m(queries): open({str(tmp_path / 'log')!r}, 'a').write('new')")
    (found,) = observed(shared_runner, mechanism, "files")

    assert found["files"] == {str(tmp_path / "log"): "old new"}
    assert (tmp_path / "log").read_text() == "old "


def test_no_run_writes_gigabytes(shared_runner, write):
    mechanism = write("""
        def m(queries):
            with open("large", "wb") as file:
                for _ in range(3000):
                    file.write(bytes(1 << 20))
                    print("x" * (1 << 20), end="")
    """)
    (found,) = observed(shared_runner, mechanism, "stdout", "files")

    # Long texts are cut, with their length.
    assert f"[{observing.MOST_WRITTEN + len('…[3144679424 more]')} characters" in found["stdout"]
    assert found["files"].keys() == {"large"}


def test_a_file_that_is_written_in_another_way_is_no_silence(own_runner, write):
    mechanism = write("""
        import os
        def m(queries):
            os.close(os.open("here", os.O_CREAT | os.O_WRONLY))
    """)
    with pytest.raises(RunnerError) as error:
        observed(own_runner, mechanism, "files")

    assert error.value.kind is FailureKind.EFFECT
    assert "in a way that `observe` of the claim does not see" in error.value.reason


def test_arguments_as_the_run_leaves_them(shared_runner, write):
    mechanism = write("""
        def m(queries):
            queries.append(len(queries))
            raise KeyError(queries[-1])
    """)
    found = observed(shared_runner, mechanism, "arguments", runs=2)

    assert found == [{"returned": ("KeyError", "2"), "arguments": {"queries": [1, 2, 2]}}] * 2


TALLY = """
        class Tally:
            def __init__(self): self.total, self.rows, self.__kept = 0, [], None
            def fit(self, queries):
                self.total, self.__kept = sum(queries), len(queries)
                if queries[0] < 0:
                    raise ValueError("negative")
                self.late = 1
    """


def observed_of_tally(runner, write, *channels, data=(1, 2), runs=1):
    mechanism = replace(write(TALLY, "Tally.fit"), receiver=Receiver(":Tally", True))
    return observed(runner, mechanism, *channels, data=data, runs=runs)


def test_attributes_as_the_method_leaves_them(shared_runner, write):
    found = observed_of_tally(shared_runner, write, "self.total", "self.__kept", runs=2)

    assert found == [{"returned": None, "attributes": {"total": 3, "__kept": 2}}] * 2


def test_an_attribute_that_a_run_has_not_set_is_left_out(shared_runner, write):
    (found,) = observed_of_tally(shared_runner, write, "self.total", "self.late", data=(-1, 2))

    assert found == {"returned": ("ValueError", "negative"), "attributes": {"total": 1}}


def test_an_attribute_that_no_run_sets_is_no_silence(own_runner, write):
    with pytest.raises(RunnerError) as error:
        observed_of_tally(own_runner, write, "self.totl", runs=30)

    assert error.value.kind is FailureKind.INPUT
    assert "names self.totl, and the object has no such attribute" in error.value.reason


def test_what_a_generator_prints_belongs_to_its_run(shared_runner, write):
    mechanism = write("""
        def inner(queries):
            for query in queries:
                print(query)
                yield query
        def m(queries): return inner(queries)
    """)
    found = observed(shared_runner, mechanism, "stdout", runs=2)

    assert found == [{"returned": [1, 2], "stdout": "1\n2\n"}] * 2


def test_the_next_mechanism_is_not_observed(shared_runner, write):
    observed(shared_runner, write("def m(queries): print(1)"), "stdout", "logging", "files")
    shared_runner.load(write(f"def m(queries): return open({str(Path(__file__))!r}).readline(), print(2)"))
    (batch,) = shared_runner.sample(SampleRequest((DataValue([1]),)))

    assert batch.outputs() == [('"""What a run shows besides what it returns, if the claim asks for it."""\n', None)]
