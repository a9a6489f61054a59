"""Starting the server: private streams, and an end when the editor is gone."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time

from dplint.report.literals import printable
from dplint.runner.system import LINUX, own_session

_WATCH_SECONDS = 0.5


def serve(*, tcp: tuple[str, int] | None = None, verbose: bool = False) -> int:
    """Speak LSP over stdin and stdout, or over TCP to the first editor that connects; return an exit code."""
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(_Printable("%(asctime)s %(name)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[lines])
    if tcp is None:
        _begin_session()
        # Nothing that anybody prints may reach the editor: only these two descriptors do, and no child has them.
        incoming, outgoing = os.dup(0), os.dup(1)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(2, 1)
    # Importing pygls takes most of the time until the first answer; nothing of it is ever let go again.
    gc.disable()
    from dplint.server.commands import register_commands  # noqa: PLC0415
    from dplint.server.features import register_features  # noqa: PLC0415
    from dplint.server.server import DplintServer  # noqa: PLC0415

    server = DplintServer()
    register_features(server)
    register_commands(server)
    gc.freeze()
    gc.enable()
    _leave_when_told()
    if tcp is None:
        threading.Thread(target=_leave_with_client, args=(server,), daemon=True).start()
    try:
        if tcp is None:
            server.start_io(os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb"))
        else:
            server.start_tcp(*tcp)
    finally:
        server.end()
    # As the protocol has it: an editor that has not said goodbye is taken to have failed.
    return 0 if server.protocol._shutdown else 1


class _Printable(logging.Formatter):
    """Names in a log are other people's: no terminal that shows it obeys them."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


def _begin_session() -> None:
    """On Linux processors are shared between sessions first, and within them then (sched_autogroup).

    In a session of its own this process, which does little, is answered by the system at once, however many builds and
    tests the editor has started in its own. It leaves with the editor's end of the pipe, and by `_leave_with_client`.
    """
    if LINUX:
        own_session()


def _leave_when_told() -> None:
    """Leave at once: a thread that reads from the editor would be waited for. All other processes go with this one."""

    def leave(number: int, _frame: object) -> None:
        os._exit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)


def _leave_with_client(server: object) -> None:
    """End when the process of the editor has ended, even if somebody keeps its end of the pipe open.

    Not if it was never seen alive: an editor outside of a container names a process that is not known in here.
    """
    seen = False
    while True:
        time.sleep(_WATCH_SECONDS)
        client = getattr(server, "process_id", None)
        if not client:
            continue
        if _lives(client):
            seen = True
        elif seen:
            os._exit(1)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
