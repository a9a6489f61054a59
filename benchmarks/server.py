"""How soon the language server answers, finds and judges; what a storm of keys does to it; and how it ends.

    python benchmarks/server.py [--runs 20] [--only start keys verdicts large storm load busy memory ends]

All times are those of an editor at the other end of the pipe, processes at their usual priorities, without a cache.
The storm and the ends are those of tests/server. Prints Markdown; exit code 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from tests.server.document_model import Typed  # noqa: E402
from tests.server.lsp_client import LspClient  # noqa: E402
from tests.server.processes import all_gone, busy_machine, of_kind, processes, resident_mib  # noqa: E402
from tests.server.shutdowns import ENDS  # noqa: E402
from tests.server.storm import storm, twenty_mechanisms  # noqa: E402

SETTINGS = {"cache": False, "deepen": False}
START_GOAL, KEY_GOAL, VERDICT_GOAL, ANSWER_GOAL, LOADED_GOAL, END_GOAL = 0.5, 0.15, 1.0, 0.1, 0.5, 2.0
"""Seconds."""
GROWTH_GOAL = 10.0
"""MiB by which 2,700 more edits may make the server, or its reader, larger."""
LINES = 2000
# Of these every fifth has a claim that is misspelt.
LARGE, LARGE_KEY_GOAL, LARGE_VERDICTS_GOAL = (8600, 33), 0.3, 20.0
VERDICTS = ("violated", "nothing found", "underpowered", "proved", "cannot be tested")
VIOLATED, FAILED = "DP901", "DP905"
WRONG = """from dplint import dp


@dp(epsilon=0.7, neighbors="l1")
def histogram(rng, counts):
    return [count + rng.laplace(scale=0.7) for count in counts]
"""
RIGHT = WRONG.replace("scale=0.7", "scale=1 / 0.7")
MISSED: list[str] = []


def row(what: str, seconds: list[float], goal: float | None, of: str = "median") -> None:
    """A line of the table."""
    found = sorted(seconds)
    values = {
        "median": statistics.median(found),
        "p99": found[min(len(found) - 1, int(0.99 * len(found)))],
        "max": found[-1],
    }
    times = " | ".join(f"{1000 * value:,.0f}" for value in values.values())
    met = "" if goal is None else f"{of} < {1000 * goal:,.0f}: {'yes' if values[of] < goal else '**no**'}"
    if goal is not None and values[of] >= goal:
        MISSED.append(what)
    print(f"| {what} | {len(found)} | {times} | {met} |", flush=True)


@contextmanager
def editor(text: str, settings: dict[str, object] | None = None, *, pulls: bool = False) -> Iterator[LspClient]:
    """An editor with a server that is ready, and a document that is not open yet."""
    folder = Path(tempfile.mkdtemp(prefix="dplint-bench-"))
    try:
        with LspClient(folder, settings={**SETTINGS, **(settings or {})}) as client:
            client.initialize(pulls=pulls)
            (folder / "m.py").write_text(text)
            client.document = Typed((folder / "m.py").as_uri(), text)  # type: ignore[attr-defined]
            yield client
            client.leave()
            client.check()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def open_document(client: LspClient) -> float:
    """Open it; when."""
    client.notify("textDocument/didOpen", client.document.opened)  # type: ignore[attr-defined]
    return time.monotonic()


def has(code: str) -> Callable[[dict[str, object]], bool]:
    """Whether published diagnostics have a code that is not of an earlier text."""
    return lambda params: any(
        one.get("code") == code and not (one.get("data") or {}).get("stale") for one in params["diagnostics"]
    )


def told(client: LspClient, version: int, wanted: Callable[[dict[str, object]], bool]) -> float:
    """When the first diagnostics of that version came that are as wanted."""
    uri = client.document.uri  # type: ignore[attr-defined]

    def found() -> float | None:
        all_of_them = client.published(uri)
        return next(
            (one.at for one in all_of_them if one.params.get("version") == version and wanted(one.params)), None
        )

    client.wait(lambda: found() is not None, f"version {version}")
    at = found()
    assert at is not None
    return at


def start(runs: int) -> None:
    """From the start of the process to the answer to `initialize`."""
    seconds = []
    for _ in range(runs):
        before = time.monotonic()
        with editor(WRONG) as client:
            seconds.append(client._asked[1].answered - before)
    row("start to the answer to `initialize`", seconds, START_GOAL)


def long_file(lines: int = LINES, mechanisms: int = 20) -> str:
    """A module of so many lines: mechanisms, and functions that claim nothing."""
    parts = [twenty_mechanisms(mechanisms)]
    for number in itertools.count():
        if sum(part.count("\n") for part in parts) >= lines:
            return "".join(parts)
        body = "".join(f"    value_{line} = x + {line}\n" for line in range(12))
        parts.append(f"\n\ndef plain_{number}(x):\n{body}    return value_{number % 12}\n")
    raise AssertionError


def keys(runs: int) -> None:
    """From a key to the diagnostics of that text, which tell what the key has changed."""
    with editor(long_file(), {"run": "manual"}) as client:
        document = client.document  # type: ignore[attr-defined]
        told(client, 1, has("DP001")) if open_document(client) else None
        comment = document.text.index("sensitivty") + 5
        body = document.text.index("noisy = [", comment)
        places = {
            "a claim, right after wrong": lambda: (comment, "i"),
            "the body of a mechanism": lambda: (body, "x"),
            "a function without a claim": lambda: (document.text.rindex("return value"), "x = 1; "),
            "the top level, a new constant": lambda: (document.text.index("\n", document.text.rindex("def plain")), ""),
        }
        for name, place in places.items():
            seconds = []
            for _ in range(runs):
                at, new = place()
                if name.startswith("the top level"):
                    at, new = len(document.text), "SPARE = 1\n"
                for edit in ((at, at, new), (at, at + len(new), "")):
                    time.sleep(0.1)
                    sent = time.monotonic()
                    client.notify("textDocument/didChange", document.replace(*edit))
                    seconds.append(told(client, document.version, lambda _: True) - sent)
            row(f"key to finding, {LINES:,} lines, in {name}", seconds, KEY_GOAL)


def verdicts(runs: int) -> None:
    """From opening or saving a histogram with wrong noise to its violation."""
    first, after, warm = [], [], []
    for _ in range(runs):
        with editor(WRONG) as client:
            first.append(-open_document(client) + told(client, 1, has("DP901")))
    row("open to verdict, server just started", first, None)
    for _ in range(runs):
        with editor(RIGHT, {"budget": 0.3}) as client:
            open_document(client)
            told(client, 1, lambda _: True)
            after.append(change_and_save(client, 0.7))
    row("save to verdict, server just started", after, VERDICT_GOAL)
    with editor(RIGHT, {"budget": 0.3}) as client:
        open_document(client)
        for number in range(runs + 1):
            # Each time another source, of which nothing is known.
            warm.append(change_and_save(client, 0.7 - number / 1000))
            time.sleep(0.2)
    row("save to verdict, server warm", warm[1:], VERDICT_GOAL)


def large(runs: int) -> None:
    """Keys and verdicts in a file of 8,600 lines with 27 mechanisms, and what they cost the processor."""
    text = long_file(*LARGE)
    with editor(text, {"run": "manual"}) as client:
        document, seconds = client.document, []  # type: ignore[attr-defined]
        open_document(client)
        told(client, 1, lambda _: True)
        before = used_seconds(client)
        place = text.index("noisy = [", text.index("sensitivty"))
        for _ in range(runs):
            for edit in ((place, place, "x"), (place, place + 1, "")):
                time.sleep(0.1)
                sent = time.monotonic()
                client.notify("textDocument/didChange", document.replace(*edit))
                seconds.append(told(client, document.version, lambda _: True) - sent)
        row("key to finding, 8,600 lines", seconds, LARGE_KEY_GOAL)
        print(f"\n{(used_seconds(client) - before) / len(seconds):.2f} s of the processor for a key\n")
    with editor(text) as client:
        began = open_document(client)
        claims = text.count("\n@dp(")

        def judged() -> bool:
            answer = client.request("textDocument/codeLens", client.document.name)  # type: ignore[attr-defined]
            titles = [one["command"]["title"] for one in answer or ()]
            found = [title for title in titles if any(word in title for word in VERDICTS)]
            return len(found) >= claims

        while not judged():
            time.sleep(0.2)
        took = time.monotonic() - began
        print("| what | times | median ms | p99 ms | max ms | goal |\n|---|--:|--:|--:|--:|---|")
        row(f"open to all {claims} verdicts, 8,600 lines", [took], LARGE_VERDICTS_GOAL, "max")
        print(f"\n{used_seconds(client):.1f} s of the processor in all")


def used_seconds(client: LspClient) -> float:
    """Of the processor, by the server and its processes, those that have ended among them."""
    ticks = 0
    for one in processes(client.mark):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{one.pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(int(fields[place]) for place in (11, 12, 13, 14))
    return ticks / os.sysconf("SC_CLK_TCK")


def change_and_save(client: LspClient, scale: float) -> float:
    """Make the noise wrong, save, and wait for the verdict; how long it took."""
    document = client.document  # type: ignore[attr-defined]
    text = WRONG.replace("scale=0.7", f"scale={scale:g}")
    client.notify("textDocument/didChange", document.change([(None, None, text)]))
    sent = time.monotonic()
    client.notify("textDocument/didSave", document.name)
    return told(client, document.version, has("DP901")) - sent


def storms(_: int) -> None:
    """Requests under a storm of 300 edits in 3 s, while twenty mechanisms are tested."""
    for pulls in (False, True):
        with editor(twenty_mechanisms(), pulls=pulls) as client:
            open_document(client)
            client.wait(lambda: client.notifications("window/workDoneProgress/create"), "an audit")
            asked = []
            for seed in range(3):
                asked += storm(client, client.document, edits=300, seconds=3, seed=seed, pulls=pulls)  # type: ignore[attr-defined]
                for one in asked:
                    client.answer(one)
            for method in sorted({one.method for one in asked}):
                seconds = [one.seconds for one in asked if one.method == method]
                row(f"storm, {'pull' if pulls else 'push'}: `{method}`", seconds, ANSWER_GOAL, "p99")


def load(_: int) -> None:
    """Answers and verdicts while eight other processes want both cores: late, and never an error instead."""
    text = (ROOT / "fixtures" / "statdp" / "sparse_vector.py").read_text()
    wrong = {f"isvt{number}" for number in range(1, 5)}
    with busy_machine(8), editor(text, {"budget": 2.0, "deepen": True}) as client:
        began, asked = open_document(client), []
        for _ in range(300):
            asked.append(client.ask("textDocument/codeLens", client.document.name))  # type: ignore[attr-defined]
            client.answer(asked[-1])
            if wrong <= of_code(client, VIOLATED) or of_code(client, FAILED):
                break
            time.sleep(0.2)
        seconds = time.monotonic() - began
        found, failed = of_code(client, VIOLATED), of_code(client, FAILED)
    row("eight busy processes: the first `textDocument/codeLens`, after the start", [asked[0].seconds], None)
    row("eight busy processes: `textDocument/codeLens`", [one.seconds for one in asked[1:]], LOADED_GOAL, "max")
    print(f"\n{len(found & wrong)} of {len(wrong)} wrong mechanisms found in {seconds:.0f} s, {len(failed)} failures")
    if failed or not wrong <= found:
        MISSED.append("verdicts on a busy machine")


def busy(_: int) -> None:
    """Each kind of request during a storm of edits, audits behind it, while eight other processes want both cores."""
    for pulls in (False, True):
        with editor(twenty_mechanisms(), pulls=pulls) as client:
            open_document(client)
            if pulls:
                client.request("textDocument/diagnostic", client.document.name)  # type: ignore[attr-defined]
            else:
                told(client, 1, lambda _: True)
            asked = []
            with busy_machine(8):
                for seed in range(3):
                    asked += storm(client, client.document, edits=100, seconds=5, seed=seed, pulls=pulls)  # type: ignore[attr-defined]
                    for one in asked:
                        client.answer(one)
            for method in sorted({one.method for one in asked}):
                seconds = [one.seconds for one in asked if one.method == method]
                row(f"eight busy processes, {'pull' if pulls else 'push'}: `{method}`", seconds, LOADED_GOAL, "max")


def of_code(client: LspClient, code: str) -> set[str]:
    """The functions that bear a code now."""
    shown = client.diagnostics(client.document.uri)  # type: ignore[attr-defined]
    return {one["data"]["function"] for one in shown if one.get("code") == code and one["data"].get("function")}


def memory(_: int) -> None:
    """Memory of the server and its reader after 300 and after 3,000 edits, in MiB."""
    with editor(twenty_mechanisms(), {"run": "manual"}) as client:
        document = client.document  # type: ignore[attr-defined]
        open_document(client)
        sizes = {}
        for edits in (300, 2700):
            for one in storm(client, document, edits=edits, seconds=edits / 100, seed=edits):
                client.answer(one)
            told(client, document.version, lambda _: True)
            sizes[edits] = {kind: resident_mib(of_kind(client.mark, kind)[0]) for kind in ("server", "reader")}
    print("\n| process | MiB after 300 edits | after 3,000 |\n|---|--:|--:|")
    for kind, before in sizes[300].items():
        now = sizes[2700][kind]
        print(f"| {kind} | {before:.1f} | {now:.1f} |", flush=True)
        if now - before > GROWTH_GOAL:
            MISSED.append(f"memory of the {kind}")
    print()


def ends(_: int) -> None:
    """How long the processes of a server outlive it, while one of them tests a function that hangs."""
    for end in ENDS:
        seconds = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder, end(Path(folder)) as (mark, bring_about):
                bring_about()
                before = time.monotonic()
                left = all_gone(mark, 10)
                seconds.append(time.monotonic() - before if not left else float("inf"))
        row(f"until nothing is left: {end.__doc__.rstrip('.')}", seconds, END_GOAL, "max")


PARTS = {
    "start": start,
    "keys": keys,
    "verdicts": verdicts,
    "large": large,
    "storm": storms,
    "load": load,
    "busy": busy,
    "memory": memory,
    "ends": ends,
}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    print(described_machine(), end="\n\n")
    for name in options.only:
        if name != "memory":
            print("| what | times | median ms | p99 ms | max ms | goal |\n|---|--:|--:|--:|--:|---|")
        PARTS[name](options.runs)
        print()
    print(f"Missed: {', '.join(MISSED)}." if MISSED else "All goals are met.")
    return int(bool(MISSED))


if __name__ == "__main__":
    sys.exit(main())
