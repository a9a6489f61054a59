"""A proof that the server finds by itself, in a project that sets nothing."""

import re
import time

import pytest

from tests.server.conftest import HEAD, RIGHT
from tests.server.document_model import Typed
from tests.server.lsp_client import PATIENCE, LspClient

pytestmark = pytest.mark.process


def titles(client, document):
    return [one["command"]["title"] for one in client.request("textDocument/codeLens", document.name) or []]


def test_a_proof_that_is_found_is_told_with_its_scope(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "proved.py").write_text(HEAD + RIGHT)
    document = Typed((tmp_path / "proved.py").as_uri(), HEAD + RIGHT)
    with LspClient(tmp_path) as client:
        client.initialize()
        client.notify("textDocument/didOpen", document.opened)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not any("proved" in title for title in titles(client, document)):
            time.sleep(0.2)
        # The loss of this noise is the claim itself, at each value of it.
        told = r"claims ε = epsilon · ✓ proved for every length \(exact: (0\.2 of 0\.2|0\.7 of 0\.7|1\.5 of 1\.5)\)"
        assert re.fullmatch(told, titles(client, document)[0])
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        (hint,) = client.request("textDocument/inlayHint", {**document.name, "range": whole})
        assert hint["label"] == "ε ✓"
        assert hint["tooltip"].startswith("Proof: ")
        assert client.leave() == 0
