"""A server that prints, as does a child of it; with the word `careless` it leaves file descriptor 1 where it was."""

import os
import subprocess
import sys

from dplint.server.commands import register_commands
from dplint.server.features import register_features
from dplint.server.main import serve
from dplint.server.server import DplintServer

begin = DplintServer.begin


def talk_and_begin(self, params):
    """What a library may do in the server's own process, or in one that it starts."""
    print("said by the server", flush=True)  # noqa: T201
    os.write(1, b"written by the server\n")
    subprocess.run([sys.executable, "-c", "print('said by a child')"], check=True)
    begin(self, params)


def careless():
    """The start as pygls has it."""
    server = DplintServer()
    register_features(server)
    register_commands(server)
    try:
        server.start_io()
    finally:
        server.end()


if __name__ == "__main__":
    DplintServer.begin = talk_and_begin
    careless() if sys.argv[1:] == ["careless"] else serve()
