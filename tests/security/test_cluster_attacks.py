"""Nobody but the processes of a check can talk to its local cluster: whoever can, can run code there."""

import os
import pickle
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from distributed import Client
from distributed.security import Security

from dplint_cluster.cluster import Cluster
from dplint_cluster.connection import LOCAL
from dplint_cluster.local import PrivateSecurity, local_cluster
from tests.cluster.conftest import PATIENCE

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]


@pytest.fixture(scope="module")
def cluster():
    with closing(Cluster(LOCAL, 1, PATIENCE)) as cluster:
        yield cluster


def children(task):
    """What a thread has started; nothing if it has ended since it was listed."""
    with suppress(OSError):
        return [int(child) for child in (task / "children").read_text().split()]
    return []


def processes(pid=None):
    """A process of this test and all that are below it; threads and processes may end while they are listed."""
    pid = os.getpid() if pid is None else pid
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []
    below = dict.fromkeys(child for task in tasks for child in children(task))
    return [pid, *(each for child in below for each in processes(child))]


def listening(pid):
    """The ports at which a process listens; none if it has ended since it was listed."""
    own = set()
    try:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                own.add(str(descriptor.readlink()))
        lines = Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]
    except OSError:
        return set()
    rows = [line.split() for line in lines]
    return {row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own}


@pytest.fixture(scope="module")
def addresses(cluster):
    """Where the processes of the cluster listen, as the system has it: hexadecimal address and port."""
    return sorted(set().union(*(listening(pid) for pid in processes())))


def is_answer(data):
    """Whether Dask has said something, which is more than an alert of TLS, or an error by HTTP."""
    return bool(data) and not data.startswith((b"\x15\x03", b"HTTP/1.1 400"))


def ports(addresses):
    return [int(address.split(":")[1], 16) for address in addresses]


def test_it_listens_on_this_machine_alone(addresses):
    assert len(addresses) >= 3
    here = f"{struct.unpack('=I', socket.inet_aton('127.0.0.1'))[0]:08X}"
    assert {address.split(":")[0] for address in addresses} == {here}


def test_nobody_connects_without_a_certificate(addresses):
    for port in ports(addresses):
        with socket.create_connection(("127.0.0.1", port), timeout=1) as stream:
            # As a client of Dask begins: two numbers, then what to do, to which everybody else gets an answer.
            stream.sendall(struct.pack("=QQ", 8, 1) + bytes(100))
            with suppress(OSError):
                assert not is_answer(stream.recv(100))


def test_nobody_connects_with_a_certificate_of_their_own(addresses):
    context = Security.temporary().get_connection_args("client")["ssl_context"]
    context.verify_mode = ssl.CERT_NONE
    for port in ports(addresses):
        plain = socket.create_connection(("127.0.0.1", port), timeout=1)
        with suppress(OSError), context.wrap_socket(plain) as stream:
            stream.sendall(pickle.dumps("harm"))
            # With TLS 1.3 a refusal comes with the first answer.
            assert not stream.recv(1)


def test_nothing_is_told_by_http(addresses):
    for port in ports(addresses):
        for page in ("health", "metrics", "json/counts.json", "info/main/workers.html", "status", "api/v1"):
            with suppress(OSError):  # also an answer that there is no such page
                assert not urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=1)


def test_the_key_is_in_no_argument_environment_or_file(cluster, tmp_path, monkeypatch):
    for pid in processes():
        for name in ("cmdline", "environ"):
            assert b"PRIVATE KEY" not in Path(f"/proc/{pid}/{name}").read_bytes()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    security = PrivateSecurity.temporary()
    assert security.get_connection_args("client")["ssl_context"]
    assert security.get_listen_args("worker")["ssl_context"]
    with pytest.raises(FileNotFoundError):
        Security.temporary().get_connection_args("client")


def test_two_clusters_have_keys_of_their_own(cluster):
    with closing(local_cluster(0)) as other:
        assert other.security.tls_worker_key != cluster._local.security.tls_worker_key
        with pytest.raises((OSError, TimeoutError)):
            Client(other.scheduler_address, security=cluster._local.security, timeout=2).close()


AS_A_USER = """
import os
import psutil
from distributed.system_monitor import SystemMonitor
from dplint.runner.system import keep_private
from dplint_cluster.local import PrivateSecurity
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
keep_private()
assert SystemMonitor().update()["num_fds"] > 0
assert PrivateSecurity.temporary().get_connection_args("client")["ssl_context"]
print("it goes on")
"""


def test_what_dask_needs_is_there_in_a_front_end_that_nobody_may_look_into(tmp_path):
    command = [sys.executable, "-c", AS_A_USER]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout == "it goes on\n", done.stderr
