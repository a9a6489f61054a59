"""A proof that the server finds by itself, in a project that sets nothing."""

import re
import time
from contextlib import contextmanager

import pytest

from tests.patience import end_of
from tests.server.conftest import HEAD, RIGHT
from tests.server.document_model import Typed
from tests.server.lsp_client import PATIENCE, LspClient

pytestmark = pytest.mark.process


def titles(client, document):
    return [one["command"]["title"] for one in client.request("textDocument/codeLens", document.name) or []]


@contextmanager
def shown(folder, source, word):
    """A client that shows a module, once one of its lenses has that word; and the document."""
    (folder / "pyproject.toml").write_text("")
    (folder / "proved.py").write_text(source)
    document = Typed((folder / "proved.py").as_uri(), source)
    with LspClient(folder) as client:
        client.initialize()
        client.notify("textDocument/didOpen", document.opened)
        end = end_of(PATIENCE)
        while time.monotonic() < end and not any(word in title for title in titles(client, document)):
            time.sleep(0.2)
        yield client, document


def test_a_proof_that_is_found_is_told_with_its_scope(tmp_path):
    with shown(tmp_path, HEAD + RIGHT, "proved") as (client, document):
        # The loss of this noise is the claim itself, at each value of it.
        told = r"claims ε = epsilon · ✓ proved for every length \(exact: (0\.2 of 0\.2|0\.7 of 0\.7|1\.5 of 1\.5)\)"
        assert re.fullmatch(told, titles(client, document)[0])
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        (hint,) = client.request("textDocument/inlayHint", {**document.name, "range": whole})
        assert hint["label"] == "ε ✓"
        assert hint["tooltip"].startswith("Proof: ")
        assert client.leave() == 0


LOOP = """
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    noisy = []
    for count in counts:
        noisy.append(count + rng.laplace(scale=1 / epsilon))
    return noisy
"""


def test_the_view_of_a_proof_has_the_shift_at_the_draw_and_the_pair_that_loses_most(tmp_path):
    """The noise gives back what the neighbour's entry is more: the run on D2 has the same outputs."""
    with shown(tmp_path, HEAD + LOOP, "show proof") as (client, document):
        proof = {"command": "dplint.showProof", "arguments": [document.uri, "histogram"]}
        view = client.request("workspace/executeCommand", proof)["view"]
        assert view["title"].startswith("✓ proved for every length")
        assert view["full"]
        (place,) = view["places"]
        drawn = next(number for number, line in enumerate(document.text.splitlines(), 1) if "rng.laplace" in line)
        assert place["line"] == drawn == place["range"]["start"]["line"] + 1
        assert view["source"]["lines"][drawn - view["source"]["firstLine"]].count("rng.laplace") == 1
        assert [case["by"] for case in place["cases"]] == ["-(D2[i] - D1[i])"]
        assert place["everyTurn"]
        outputs = client.request("workspace/executeCommand", proof | {"command": "dplint.showOutputs"})
        assert "error" not in outputs, outputs
        assert outputs["computed"]["line"]
        counterexample = proof | {"command": "dplint.showCounterexample"}
        assert client.request("workspace/executeCommand", counterexample) is None
        assert client.leave() == 0
