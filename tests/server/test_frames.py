"""What is no frame of LSP is told, and does not cost the messages that follow."""

import asyncio
import json
import subprocess
import sys

import pytest

from dplint.server.protocol import MOST_BYTES, CheckedFrames, run_checked


class Heard:
    """What a protocol of pygls is asked, and what is told of frames."""

    def __init__(self):
        self.messages, self.complaints = [], []
        self.complain = self.complaints.append

    def structure_message(self, document):
        return document

    def handle_message(self, message):
        self.messages.append(message)


class Going:
    def is_set(self):
        return False


def frame(document):
    body = json.dumps(document).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def heard(content, limit=1 << 16):
    async def run():
        stream = asyncio.StreamReader(limit=limit)
        stream.feed_data(content)
        stream.feed_eof()
        protocol = Heard()
        await run_checked(Going(), stream, protocol)
        return protocol

    return asyncio.run(run())


FIRST, LAST = {"method": "first"}, {"method": "last"}
BROKEN = {
    "no number": (b"Content-Length: abc\r\n\r\n{}", "'abc'"),
    "a negative one": (b"Content-Length: -2\r\n\r\n{}", "'-2'"),
    "nothing": (b"Content-Length: 0\r\n\r\n", "'0'"),
    "no length": (b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}", "no Content-Length"),
    "too much": (b"Content-Length: %d\r\n\r\n{}" % (MOST_BYTES + 1), str(MOST_BYTES + 1)),
    "a number without end": (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", "Content-Length is"),
    "no header": (b'{"method": "bare"}', "begins no message"),
    "another protocol": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "'GET / HTTP/1.1'"),
    "a longer message than it says": (b'Content-Length: 2\r\n\r\n{}{"method": "more"}', "begins no message"),
    "controls": (b"\x1b[2J\x00\xff\r\n\r\n", r"\x1b[2J"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_it_is_told_once_and_what_follows_is_heard(name):
    content, words = BROKEN[name]
    protocol = heard(frame(FIRST) + content + frame(LAST))
    assert [message for message in protocol.messages if message] == [FIRST, LAST]
    (complaint,) = protocol.complaints
    assert words in complaint
    assert "`Content-Length: N`" in complaint
    assert len(complaint) < 300
    assert complaint.isprintable()


def test_each_broken_frame_is_told():
    bad = BROKEN["no number"][0]
    assert len(heard(bad + frame(FIRST) + bad + frame(LAST) + bad).complaints) == 3


@pytest.mark.parametrize("content", [b"Content-Length: 50\r\n\r\n{}", b"Content-Length: 50\r\n", b"Content-Le"])
def test_an_end_in_the_middle_is_told(content):
    protocol = heard(frame(FIRST) + content)
    assert protocol.messages == [FIRST]
    assert len(protocol.complaints) == 1


@pytest.mark.parametrize(
    "line", [b"content-length: %d\r\n\r\n", b"Content-Length:%d\n\n", b"CONTENT-LENGTH:  %d \r\n\r\n"]
)
def test_a_header_may_be_written_as_those_of_http(line):
    body = json.dumps(FIRST).encode()
    protocol = heard(line % len(body) + body + frame(LAST))
    assert (protocol.messages, protocol.complaints) == ([FIRST, LAST], [])


def test_empty_lines_between_messages_are_nothing():
    protocol = heard(b"\r\n\r\n" + frame(FIRST) + b"\r\n" + frame(LAST))
    assert (protocol.messages, protocol.complaints) == ([FIRST, LAST], [])


def test_a_line_without_end_is_told_where_a_stream_has_a_limit():
    protocol = heard(b"x" * 500 + b"\r\n" + frame(FIRST), limit=100)
    assert protocol.complaints[0].startswith("a line has no end")
    assert protocol.messages == [FIRST]


def test_it_is_a_reader_as_pygls_has_it():
    async def read():
        stream = asyncio.StreamReader()
        stream.feed_data(b"Content-Length: 2\r\n\r\nab")
        stream.feed_eof()
        frames = CheckedFrames(stream, pytest.fail)
        return [await frames.readline(), await frames.readline(), await frames.readexactly(2), await frames.readline()]

    assert asyncio.run(read()) == [b"Content-Length: 2\r\n", b"\r\n", b"ab", b""]


@pytest.mark.process
def test_the_server_answers_with_errors_and_goes_on():
    begin = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
    end = [{"id": 2, "method": "shutdown"}, {"method": "exit"}]
    first, *rest = [frame({"jsonrpc": "2.0", **message}) for message in (begin, *end)]
    no_json = b"Content-Length: 5\r\n\r\n{oops"
    deep = b"[" * 100_000
    no_messages = [[], 1, None, {}, {"jsonrpc": "1.0", "method": "exit"}, {"jsonrpc": "2.0", "id": 7, "method": None}]
    sent = first + BROKEN["no number"][0] + no_json + b"Content-Length: %d\r\n\r\n%b" % (len(deep), deep)
    sent += b"".join(map(frame, no_messages)) + b"".join(rest)
    done = subprocess.run([sys.executable, "-m", "dplint", "server"], input=sent, capture_output=True, check=False)
    answers = [json.loads(part.rpartition(b"}")[0] + b"}") for part in done.stdout.split(b"utf-8\r\n\r\n")[1:]]
    errors = [answer for answer in answers if "error" in answer]
    assert [(error["id"], error["error"]["code"]) for error in errors] == [(None, -32700)] * 9
    assert all("no JSON" in error["error"]["message"] for error in errors[1:3])
    assert all("none of JSON-RPC 2.0" in error["error"]["message"] for error in errors[3:])
    assert {1, 2} <= {answer.get("id") for answer in answers}
    assert done.returncode == 0
