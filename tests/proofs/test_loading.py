"""A search for proofs has its seconds for searching: what it needs is loaded before they begin."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs.proof_tools import of_text

HISTOGRAM = """
from dplint import dp

@dp(epsilon="epsilon", neighbors="l1")
def release(rng, counts, epsilon):
    return [c + rng.laplace(scale=4 / epsilon) for c in counts]
"""
CHILD = """
import importlib, pickle, sys
from dplint.workers import fork_server_main as main
for name in main._FIRST:
    module, _, fills = name.partition(":")
    importlib.import_module(module)
    if fills:
        getattr(sys.modules[module], fills)()
program, mechanism = pickle.load(sys.stdin.buffer)
from dplint.proofs.searching import search
loaded = set(sys.modules)
search_result = search(program, mechanism, 60.0)
assert search_result.proof is not None, search_result.reason
print(sorted(name for name in set(sys.modules) - loaded if not name.startswith("dplint.relations.")))
"""


@pytest.mark.process
def test_a_search_in_a_forked_worker_loads_the_relation_alone(tmp_path: Path) -> None:
    given = pickle.dumps(of_text(tmp_path, HISTOGRAM, "release"))
    ran = subprocess.run([sys.executable, "-c", CHILD], input=given, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stdout.decode().split() == ["[]"]
