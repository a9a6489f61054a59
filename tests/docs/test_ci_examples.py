"""The examples of the pages on CI and on clusters: the steps of their jobs, run by a shell; nothing is installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.patience import end_of

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"
MECHANISMS = """from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def kept(data: float, rng):
    return data + rng.laplace(scale=1.0)


@dp(epsilon=1.0, neighbors="linf")
def broken(data: float, rng):
    return data + rng.laplace(scale=0.5)
"""
"""Decided without runs: the profile of the night would give each ten minutes."""


def examples(page: str) -> list[Any]:
    """What the blocks of YAML of a page hold."""
    blocks = re.findall(r"```yaml\n(.*?)```", (HOW_TO / page).read_text(encoding="utf-8"), re.DOTALL)
    return [yaml.safe_load(block) for block in blocks]


def example(page: str, key: str) -> Any:
    """The one example with such a key."""
    (found,) = (one for one in examples(page) if isinstance(one, dict) and key in one)
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two mechanisms below `src`."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    (folder / "src" / "mechanisms.py").write_text(MECHANISMS)
    return folder


def environment(**given: str) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("DPLINT_")}
    return {**ours, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", **given}


def run(folder: Path, line: str, **given: str) -> subprocess.CompletedProcess[str]:
    """A line of a job, as a runner runs it."""
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line]
    options: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 200}
    return subprocess.run(command, cwd=folder, env=environment(**given), check=False, **options)


def is_installation(line: str) -> bool:
    return line.startswith("pip install ")


def verdicts(merged: str) -> dict[str, str]:
    return {one["function"]: one["verdict"] for one in json.loads(merged)["results"]}


@pytest.mark.process
@pytest.mark.nightly
def test_the_shards_of_the_workflow_for_github(project: Path) -> None:
    jobs = example("ci.md", "jobs")["jobs"]
    number_of = jobs["check"]["strategy"]["matrix"]["shard"]
    *_, upload = jobs["check"]["steps"]
    lines = [step["run"] for step in jobs["check"]["steps"] if "run" in step]
    assert list(map(is_installation, lines)) == [True, False]

    for number in number_of:
        done = run(project, lines[1].replace("${{ matrix.shard }}", str(number)))
        assert done.returncode == 0, done.stdout + done.stderr
        # As `upload-artifact` and `download-artifact` have it, each comes back in a folder of its name.
        artifact = project / upload["with"]["name"].replace("${{ matrix.shard }}", str(number))
        artifact.mkdir()
        (project / upload["with"]["path"]).rename(artifact / upload["with"]["path"])

    (merge,) = (one["run"] for one in jobs["report"]["steps"] if not is_installation(one.get("run", "pip install ")))
    merged = run(project, merge)
    assert merged.returncode == 1, merged.stderr
    assert "2 mechanisms: 1 violation, 1 proved" in merged.stdout
    assert json.loads((project / "dplint.sarif").read_text())["runs"][0]["results"]
    (project / "part3" / "part.json").unlink()
    assert run(project, merge).returncode == 2, "a part that nobody has checked"


@contextmanager
def started(folder: Path, arguments: list[str], **given: str) -> Iterator[None]:
    command = [sys.executable, "-m", *arguments]
    with (folder / f"{arguments[1]}.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment(**given), stdout=log, stderr=log)
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with a worker, both started as the pods of Kubernetes start them."""
    spec = example("cluster.md", "kind")["spec"]
    scheduler, worker = (spec[name]["spec"]["containers"][0]["args"] for name in ("scheduler", "worker"))
    (folder := tmp_path / "pods").mkdir()
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        stack.enter_context(
            started(folder, [*scheduler, "--port", "0", "--no-dashboard", "--scheduler-file", str(file)])
        )
        until, address = end_of(60), ""
        while not address and time.monotonic() < until:
            with suppress(OSError, ValueError):
                address = json.loads(file.read_text())["address"]
            time.sleep(0.05)
        # The operator sets both, and Kubernetes puts them in.
        given = {"DASK_WORKER_NAME": "audits-1", "DASK_SCHEDULER_ADDRESS": address}
        filled = [re.sub(r"\$\((\w+)\)", lambda name: given[name[1]], one) for one in worker]
        stack.enter_context(started(folder, [*filled, "--no-dashboard"], **given))
        yield address


@pytest.mark.process
@pytest.mark.nightly
def test_the_nightly_jobs_for_github_and_gitlab(project: Path, tmp_path: Path, scheduler: str) -> None:
    """One after the other, the second finds in the shared cache what the first has signed."""
    github = example("cluster.md", "jobs")["jobs"]["audit"]["steps"]
    gitlab = example("cluster.md", "audit")["audit"]
    assert [is_installation(one["run"]) for one in github if "run" in one] == [True, False, False]
    assert list(map(is_installation, gitlab["script"])) == [True, False, False]
    assert set(github[-1]["env"]) == {"SCHEDULER", "DPLINT_CACHE_KEY_FILE"}
    assert run(project, github[-2]["run"], KEY="of sixteen bytes", RUNNER_TEMP=str(tmp_path)).returncode == 0
    key = tmp_path / Path(github[-1]["env"]["DPLINT_CACHE_KEY_FILE"]).name
    assert (key.read_text(), key.stat().st_mode & 0o777) == ("of sixteen bytes", 0o600)
    given = {"SCHEDULER": scheduler, "DPLINT_CACHE_KEY_FILE": str(key)}
    shared = tmp_path / "shared"

    def here(command: str) -> str:
        """As on the page, but for the place, and a scheduler that has no certificate."""
        command = command.replace("s3://audits/dplint", f"file://{shared}")
        return command.replace("--cluster ", "--cluster-without-tls --cluster ")

    first = run(project, here(github[-1]["run"]), **given)
    assert first.returncode == 1, first.stdout + first.stderr
    assert "2 mechanisms: 1 violation, 1 proved" in first.stdout
    assert json.loads((project / "dplint.sarif").read_text())["runs"][0]["results"]
    entries = [path for path in shared.rglob("*") if path.is_file()]
    assert len(entries) == 2
    assert all(path.read_bytes().startswith(b"dplint-entry 2 hmac-sha256 ") for path in entries)

    second = run(project, here(gitlab["script"][2]), **given)
    assert second.returncode == 1, second.stdout + second.stderr
    assert "from the cache" in second.stdout
    (problem,) = json.loads((project / gitlab["artifacts"]["reports"]["codequality"]).read_text())
    assert problem["check_name"] == "DP901"


def test_the_cluster_of_kubernetes_has_the_fields_of_its_definition() -> None:
    """As dask-kubernetes defines a DaskCluster (`customresources/daskcluster.yaml`, 2025-07).

    A port of a service goes to a port of the pod by a text there, no number: the name of one.
    """
    cluster = example("cluster.md", "kind")
    assert (cluster["apiVersion"], cluster["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    assert set(cluster) == {"apiVersion", "kind", "metadata", "spec"}
    spec = cluster["spec"]
    assert set(spec) <= {"idleTimeout", "scheduler", "worker"}
    assert {"spec", "service"} <= set(spec["scheduler"]) <= {"metadata", "spec", "service"}
    assert {"spec"} <= set(spec["worker"]) <= {"metadata", "replicas", "spec"}
    assert isinstance(spec["worker"]["replicas"], int)
    service = spec["scheduler"]["service"]
    assert service["selector"] == {
        "dask.org/cluster-name": cluster["metadata"]["name"],
        "dask.org/component": "scheduler",
    }
    (port,) = service["ports"]
    (container,) = spec["scheduler"]["spec"]["containers"]
    assert [port["targetPort"]] == [one["name"] for one in container["ports"]]
    assert [port["port"]] == [one["containerPort"] for one in container["ports"]] == [8786]
