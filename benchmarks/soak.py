"""An editor for half an hour: edits, saves and audits, while memory, descriptors and processes are looked at.

    python -m benchmarks.soak [--minutes 30]

A storm of edits each five seconds or so, then a save, and audits until the next one. Storms leave lines behind, so that
the text grows; every so often the first text is put back, or memory would grow with the text.

Prints Markdown; exit code 1 if the server or its reader is more than 10 % larger at the end than after the first
quarter, if descriptors were lost, if an audit failed, or if a process is left.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from dataclasses import astuple, dataclass
from pathlib import Path

from benchmarks.machine import described_machine
from benchmarks.server import FAILED, editor, of_code, open_document
from tests.server.lsp_client import LspClient
from tests.server.processes import all_gone, of_kind, processes, resident_mib
from tests.server.storm import storm, twenty_mechanisms

GROWTH_GOAL = 0.10
DESCRIPTORS_GOAL = 5
"""So many more may be open at a moment at which a worker begins or ends."""
_STORMS = 10
"""So many, until the text is the first one again."""
_EDITS, _STORM_SECONDS, _PAUSE_SECONDS, _SAMPLES = 60, 1.0, 4.0, 12


@dataclass(frozen=True, slots=True)
class Sample:
    """At one moment: minutes since the beginning, MiB of the server and its reader, descriptors, processes."""

    minutes: float
    server: float
    reader: float
    descriptors: int
    processes: int


def sample(client: LspClient, began: float) -> Sample:
    """As it is now."""
    (server,), (reader,) = of_kind(client.mark, "server"), of_kind(client.mark, "reader")
    return Sample(
        (time.monotonic() - began) / 60,
        resident_mib(server),
        resident_mib(reader),
        len(list(Path(f"/proc/{server}/fd").iterdir())),
        len(processes(client.mark)),
    )


def soak(minutes: float) -> tuple[list[Sample], set[str], int]:
    """The samples, the functions whose audit failed at some time, and how many processes are left in the end."""
    found, failed = list[Sample](), set[str]()
    text = twenty_mechanisms()
    with editor(text, {"deepen": True}) as client:
        document, began = client.document, time.monotonic()  # type: ignore[attr-defined]
        open_document(client)
        for seed in itertools.count():
            for one in storm(client, document, edits=_EDITS, seconds=_STORM_SECONDS, seed=seed):
                client.answer(one)
            if seed % _STORMS == _STORMS - 1:
                client.notify("textDocument/didChange", document.change([(None, None, text)]))
            client.notify("textDocument/didSave", document.name)
            time.sleep(_PAUSE_SECONDS)
            failed |= of_code(client, FAILED)
            client.heard.clear()  # what the editor keeps is not the server's
            passed = (time.monotonic() - began) / 60
            if passed >= (len(found) + 1) * minutes / _SAMPLES:
                found.append(sample(client, began))
                print(
                    "|", " | ".join(f"{value:.1f}".removesuffix(".0") for value in astuple(found[-1])), "|", flush=True
                )
            if passed >= minutes:
                break
        mark = client.mark
    return found, failed, len(all_gone(mark, 10))


def missed(found: list[Sample], failed: set[str], left: int) -> list[str]:
    """What is not as it should be."""
    quarter = max(1, len(found) // 4)
    first, last = found[quarter - 1 : 2 * quarter], found[-quarter:]
    wrong = []
    for name in ("server", "reader"):
        before, after = (statistics.median(getattr(one, name) for one in part) for part in (first, last))
        print(f"\nThe {name}: {before:.1f} MiB, then {after:.1f} MiB ({100 * (after / before - 1):+.1f} %).")
        if after > before * (1 + GROWTH_GOAL):
            wrong.append(f"memory of the {name}")
    if last[-1].descriptors > first[0].descriptors + DESCRIPTORS_GOAL:
        wrong.append("descriptors")
    if failed:
        wrong.append(f"audits that failed: {', '.join(sorted(failed))}")
    if left:
        wrong.append(f"{left} processes are left")
    return wrong


def main() -> int:
    """Soak and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    options = parser.parse_args()
    print(described_machine(), end="\n\n")
    print("| minutes | server MiB | reader MiB | descriptors | processes |\n|--:|--:|--:|--:|--:|")
    wrong = missed(*soak(options.minutes))
    print(f"\nMissed: {'; '.join(wrong)}." if wrong else "\nAll goals are met: no process is left, nothing has grown.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
