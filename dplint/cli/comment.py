"""`python -m dplint.cli.comment FILE`: the one comment of a job on its pull or merge request, posted or updated.

Run by the action of GitHub and the template of GitLab in a step of its own: the code that is checked never sees the
token. Where there is nothing to comment on, or the token may not, that is told and is no error; a fork has no such
token.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MARK = "<!-- dplint: the change -->"
"""The first line of the comment, by which a later job finds it."""
_MOST = 60_000
"""Characters: GitHub refuses more than 65,536."""
_SECONDS, _PAGE, _MOST_PAGES = 30.0, 100, 50
_FORBIDDEN = (401, 403, 404)


@dataclass(frozen=True, slots=True)
class Thread:
    """What is commented on. comments: its address; also the one to post to. edited: how a comment is changed.

    ours: whether a comment was written by the owner of the token, so that nobody else's is taken for it.
    """

    comments: str
    headers: Mapping[str, str]
    edited: Callable[[Mapping[str, Any]], tuple[str, str]]
    ours: Callable[[Mapping[str, Any]], bool]

    def ask(self, method: str, url: str, body: str | None = None) -> Any:
        """Raises urllib.error.URLError."""
        data = None if body is None else json.dumps({"body": body}).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.build_opener(_Direct).open(request, timeout=_SECONDS) as answer:
            return json.load(answer)

    def every(self) -> Iterator[Mapping[str, Any]]:
        """All comments, the oldest first."""
        for page in range(1, _MOST_PAGES + 1):
            found = self.ask("GET", f"{self.comments}?per_page={_PAGE}&page={page}")
            yield from found
            if len(found) < _PAGE:
                return


class _Direct(urllib.request.HTTPRedirectHandler):
    """A token is sent to nobody but who was named."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


def thread_of(environment: Mapping[str, str]) -> Thread | str:
    """The pull or merge request of a job by what its environment says, or why there is none."""
    if "GITLAB_CI" in environment:
        return _gitlab(environment)
    try:
        event = json.loads(Path(environment.get("GITHUB_EVENT_PATH", "")).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "this is no job of GitHub or GitLab"
    number, token = event.get("pull_request", {}).get("number"), environment.get("GITHUB_TOKEN")
    if number is None or not token:
        return "the job is about no pull request" if number is None else "no token is given"
    root = f"{environment['GITHUB_API_URL']}/repos/{environment['GITHUB_REPOSITORY']}/issues"
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
    return Thread(
        f"{root}/{number}/comments",
        headers,
        edited=lambda comment: ("PATCH", f"{root}/comments/{comment['id']}"),
        # The token of a job is that of a bot. People, who may write the mark as well, are not.
        ours=lambda comment: comment["user"]["type"] == "Bot",
    )


def _gitlab(environment: Mapping[str, str]) -> Thread | str:
    number, token = environment.get("CI_MERGE_REQUEST_IID"), environment.get("PRIVACY_TOKEN")
    if number is None or not token:
        return "the job is about no merge request" if number is None else "PRIVACY_TOKEN is not set"
    api = environment["CI_API_V4_URL"]
    notes = f"{api}/projects/{environment['CI_PROJECT_ID']}/merge_requests/{number}/notes"
    owner: list[object] = []

    def ours(comment: Mapping[str, Any]) -> bool:
        if not owner:
            owner.append(thread.ask("GET", f"{api}/user")["id"])
        return bool(comment["author"]["id"] == owner[0])

    thread = Thread(notes, {"PRIVATE-TOKEN": token}, lambda comment: ("PUT", f"{notes}/{comment['id']}"), ours)
    return thread


def publish(thread: Thread, text: str) -> str:
    """Post the comment, or put the text into the one that is there; what was done. Raises urllib.error.URLError."""
    cut = "" if len(text) <= _MOST else "\n\nThis is cut here: the report of the job has all of it.\n"
    body = f"{MARK}\n{text[:_MOST]}{cut}"
    for comment in thread.every():
        if str(comment["body"]).startswith(MARK) and thread.ours(comment):
            if comment["body"].strip() == body.strip():
                return "the comment says so already"
            thread.ask(*thread.edited(comment), body)
            return "the comment is updated"
    thread.ask("POST", thread.comments, body)
    return "the comment is posted"


def main() -> int:
    """Publish the file that is named; 0 also where there is nothing to comment on or the token may not."""
    thread = thread_of(os.environ)
    try:
        said = thread if isinstance(thread, str) else publish(thread, Path(sys.argv[1]).read_text(encoding="utf-8"))
    except urllib.error.HTTPError as error:
        if error.code not in _FORBIDDEN:
            sys.stderr.write(f"no comment: the server answers {error.code} {error.reason}\n")
            return 1
        said = f"no comment: the token may not, says the server ({error.code} {error.reason})"
    except (OSError, IndexError) as error:
        sys.stderr.write(f"no comment: {getattr(error, 'reason', None) or error or 'no file is named'}\n")
        return 1
    sys.stdout.write(f"{said}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
