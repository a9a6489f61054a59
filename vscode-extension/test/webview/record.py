"""Records what a real server answers about a few mechanisms, for the pictures and the tests of the views.

python test/webview/record.py [NAME ...]   (with dplint installed; writes test/webview/data/*.json)
"""

import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
MECHANISMS = {
    "histogram": ("fixtures/statdp/histogram.py", "histogram_eps"),
    "sparse_vector": ("fixtures/statdp/sparse_vector.py", "isvt3"),
    "noisy_max": ("fixtures/statdp/noisy_max.py", "noisy_max_v1b"),
    "vector": ("fixtures/statdp/sparse_vector.py", "isvt4"),
    "computed_histogram": ("fixtures/statdp/histogram.py", "histogram_eps"),
    "frame": ("fixtures/pipelines/orders_pandas.py", "whole_counts_leaks"),
    "atom": ("fixtures/dpfinder/sparse_vector.py", "alg3"),
}

PROVED = {
    "histogram": ("fixtures/statdp/histogram.py", "histogram"),
    "sparse_vector": ("fixtures/statdp/sparse_vector.py", "svt"),
    "noisy_max": ("fixtures/statdp/noisy_max.py", "noisy_max_v1a"),
}
"""Mechanisms whose proof is recorded, under `proof-NAME`."""


class Client:
    """Just enough of an editor."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dplint", "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.numbers = itertools.count(1)
        self.statuses = []
        options = {"panel": True, "status": True}
        capabilities = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}}
        self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "capabilities": capabilities,
                "initializationOptions": options,
            },
        )
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "dplint/status":
            self.statuses.append(message["params"])
        return message

    def ask(self, method, params):
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message["result"]

    def run(self, command, *arguments):
        return self.ask("workspace/executeCommand", {"command": command, "arguments": arguments})

    def idle(self):
        """Wait until nothing runs."""
        while True:
            message = self.receive()
            status = message["params"] if message.get("method") == "dplint/status" else {"running": True}
            if not status["running"] and status["mechanisms"]:
                return


def proof(client, uri, function):
    """What the view of a proof is given."""
    outputs = client.run("dplint.showOutputs", uri, function)
    return {"proof": client.run("dplint.showProof", uri, function)["view"], "outputs": outputs}


def counterexample(client, uri, function):
    """What the views of a counterexample and of its curve are given."""
    for _ in range(5):
        client.run("dplint.testDeeper", uri, function)
        client.idle()
        if client.run("dplint.showCounterexample", uri, function) is not None:
            break
    return {
        "view": client.run("dplint.showCounterexample", uri, function)["view"],
        "outputs": client.run("dplint.showOutputs", uri, function),
        "curve": client.run("dplint.showCurve", uri, function),
    }


def main():
    out = HERE / "data"
    out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyproject.toml").write_text("")
        client = Client(folder)
        wanted = sys.argv[1:] or [*MECHANISMS, *(f"proof-{label}" for label in PROVED)]
        for label in wanted:
            proved = label.startswith("proof-")
            source, function = PROVED[label.removeprefix("proof-")] if proved else MECHANISMS[label]
            path = folder / Path(source).name
            path.write_text((REPOSITORY / source).read_text())
            uri = path.as_uri()
            document = {"uri": uri, "languageId": "python", "version": 1, "text": path.read_text()}
            client.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
            client.idle()
            found = proof(client, uri, function) if proved else counterexample(client, uri, function)
            client.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
            text = json.dumps(found, indent=1, ensure_ascii=False)
            text = text.replace(folder.as_uri(), "file:///project").replace(str(folder), "/project")
            where = HERE / "proofs" / f"{label.removeprefix('proof-')}.json" if proved else out / f"{label}.json"
            where.parent.mkdir(exist_ok=True)
            where.write_text(text + "\n")
            print(label, found["proof"]["title"] if proved else found["view"]["headline"])
        client.ask("shutdown", None)
        client.send({"method": "exit"})


main()
