"""The comment of a job on its pull or merge request, against small servers that keep what the real ones keep."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from dplint.cli.comment import MARK
from tests.patience import patience

ROOT = Path(__file__).parents[2]
TOKEN = "of-this-job"


class Server:
    """Comments of request 7. status: what is answered to whoever writes. page: how many comments one answer has."""

    def __init__(self, gitlab: bool) -> None:
        self.gitlab, self.comments, self.asked, self.status = gitlab, list[dict[str, Any]](), list[str](), 0
        self.elsewhere: str | None = None

    def written(self, body: str, *, by: str) -> None:
        author = {"author": {"id": by}} if self.gitlab else {"user": {"type": by}}
        self.comments.append({"id": len(self.comments) + 1, "body": body, **author})

    def answer(self, method: str, url: str, headers: Any, body: str) -> tuple[int, Any]:
        path, query = urlsplit(url).path, parse_qs(urlsplit(url).query)
        given = (
            headers.get("PRIVATE-TOKEN") if self.gitlab else headers.get("Authorization", "").removeprefix("Bearer ")
        )
        self.asked.append(f"{method} {path}")
        thread = "/projects/5/merge_requests/7/notes" if self.gitlab else "/repos/o/r/issues/7/comments"
        one = re.fullmatch(thread.replace("/7/", "/7/" if self.gitlab else "/") + r"/(\d+)", path)
        if given != TOKEN:
            return 401, {}
        if method == "GET" and path == "/user" and self.gitlab:
            return 200, {"id": "me"}
        if method == "GET" and path == thread:
            size, page = int(query["per_page"][0]), int(query["page"][0])
            return 200, self.comments[(page - 1) * size : page * size]
        if method in ("POST", "PATCH", "PUT") and self.status:
            return self.status, {}
        if method == "POST" and path == thread:
            self.written(json.loads(body)["body"], by="me" if self.gitlab else "Bot")
            return 201, self.comments[-1]
        if method == ("PUT" if self.gitlab else "PATCH") and one:
            self.comments[int(one[1]) - 1]["body"] = json.loads(body)["body"]
            return 200, {}
        return 404, {}


@contextmanager
def served(kept: Server) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            status, answer = kept.answer(self.command, self.path, self.headers, body)
            if kept.elsewhere is not None:
                status = 307
            self.send_response(status)
            if kept.elsewhere is not None:
                self.send_header("Location", kept.elsewhere + self.path)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        do_GET = do_POST = do_PATCH = do_PUT = _do

        def log_message(self, *_words: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def script(gitlab: bool) -> str:
    """The step that comments, as the template and the action have it."""
    if gitlab:
        template = yaml.safe_load((ROOT / "dplint.gitlab-ci.yml").read_text(encoding="utf-8"))
        return str(template["dplint-comment"]["script"][-1])
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = (one for one in action["runs"]["steps"] if one["name"] == "Comment")
    return str(step["run"])


def publish(folder: Path, address: str, gitlab: bool, text: str = "**worse**\n", **given: str) -> Any:
    """Run the step as a job about request 7 does."""
    (folder / "dplint-comment.md").write_text(text)
    (folder / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GITLAB_", "CI_"))}
    named = {
        "GITHUB_API_URL": address,
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_TOKEN": TOKEN,
    }
    if gitlab:
        named = {"GITLAB_CI": "true", "CI_API_V4_URL": address, "CI_PROJECT_ID": "5", "PRIVACY_TOKEN": TOKEN}
        named["CI_MERGE_REQUEST_IID"] = "7"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script(gitlab)],
        cwd=folder,
        env={**kept, **named, **given, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=patience(60),
    )


@pytest.mark.process
@pytest.mark.parametrize("gitlab", [False, True])
def test_one_comment_is_posted_then_updated_and_nobody_elses_is_touched(tmp_path: Path, gitlab: bool) -> None:
    """Among 130 others, so on the second page; one of them is a person's who has written the mark."""
    kept = Server(gitlab)
    for number in range(130):
        kept.written(f"{MARK}\nall is well" if number == 3 else "thanks", by="User")
    with served(kept) as address:
        assert "posted" in publish(tmp_path, address, gitlab).stdout
        assert "updated" in publish(tmp_path, address, gitlab, "second\n").stdout
        assert "already" in publish(tmp_path, address, gitlab, "second\n").stdout
        assert "updated" in publish(tmp_path, address, gitlab, "x" * 200_000).stdout
    assert len(kept.comments) == 131
    assert kept.comments[3]["body"] == f"{MARK}\nall is well"
    assert kept.comments[-1]["body"].startswith(f"{MARK}\nxxx")
    assert len(kept.comments[-1]["body"]) < 65_536
    assert kept.comments[-1]["body"].endswith("This is cut here: the report of the job has all of it.\n")


@pytest.mark.process
@pytest.mark.parametrize("gitlab", [False, True])
def test_what_may_not_be_written_is_told_and_what_fails_is_an_error(tmp_path: Path, gitlab: bool) -> None:
    kept, other = Server(gitlab), Server(gitlab)
    with served(kept) as address, served(other) as away:
        kept.status = 403
        done = publish(tmp_path, address, gitlab)
        assert (done.returncode, "the token may not" in done.stdout) == (0, True)
        kept.status = 500
        done = publish(tmp_path, address, gitlab)
        assert (done.returncode, "the server answers 500" in done.stderr) == (1, True)
        kept.elsewhere = away
        done = publish(tmp_path, address, gitlab)
        assert (done.returncode, "the server answers 307" in done.stderr) == (1, True)
        without = {"PRIVACY_TOKEN" if gitlab else "GITHUB_TOKEN": ""}
        done = publish(tmp_path, address, gitlab, **without)
        assert (done.returncode, "token" in done.stdout or "not set" in done.stdout) == (0, True)
    assert other.asked == [], "a token is sent to nobody else"
    assert publish(tmp_path, address, gitlab).returncode == 1, "nobody answers"


def test_a_job_about_no_request_has_nothing_to_comment_on(tmp_path: Path) -> None:
    (tmp_path / "push.json").write_text("{}")
    done = publish(tmp_path, "http://127.0.0.1:1", False, GITHUB_EVENT_PATH=str(tmp_path / "push.json"))
    assert (done.returncode, done.stdout) == (0, "the job is about no pull request\n")
