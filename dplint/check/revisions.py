"""An earlier state of a project: the files of a commit, laid out in a folder of dplint's own.

Git is asked by plumbing alone, which obeys no hook, filter, alias or monitor of a repository, and fetches nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

_FOLDER = "bases"
_NAME = re.compile(r"[0-9a-f]{32}")
_KEPT_SECONDS = 14 * 24 * 3600.0
_OF_ANOTHER_REPOSITORY = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""What git tells its hooks: it would be taken for the repository of the paths."""
_OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
_LINK, _MODULE = "120000", "commit"


class RevisionProblem(Exception):
    """Why there is no earlier state to compare with, in words for the user."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit whose files lie in `folder` as they lay in the working tree `top`. name: as the user calls it."""

    name: str
    commit: str
    top: Path
    folder: Path

    def before(self, path: Path) -> Path:
        """Where a file or folder of the working tree lay."""
        return self.folder / Path(os.path.abspath(path)).relative_to(self.top)  # noqa: PTH100 - names of links stay

    def now(self, path: Path) -> Path:
        """Where a file of the earlier state lies in the working tree, or would."""
        return self.top / path.relative_to(self.folder)


def revision_of(name: str, paths: Sequence[Path]) -> Revision:
    """The commit at which the work in hand left `name`: the last one that both have, with its files laid out.

    Links that lead out of the repository, submodules and all that git does not track are left out. The folder stays
    for two weeks after its last use, since it also holds what audits of that state have found.

    Raises:
        RevisionProblem: there is no git, no repository or no such commit, or its files cannot be laid out.
    """
    top = _top(paths)
    commit = _base(top, name)
    listing = _listing(top, commit)
    import platformdirs  # noqa: PLC0415 - only where it is asked for

    folder = platformdirs.user_cache_path("dplint", appauthor=False) / _FOLDER
    wanted = folder / hashlib.sha256(f"{top}\0{commit}".encode()).hexdigest()[:32]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _forget_old(folder, wanted)
        if not _is_whole(wanted, listing):
            _lay_out(top, listing, wanted)
        os.utime(wanted)
    except OSError as error:
        raise RevisionProblem(
            f"the files of {name} cannot be laid out in {folder}: {error.strerror or error}"
        ) from None
    return Revision(name, commit, top, wanted)


@dataclass(frozen=True, slots=True)
class _Blob:
    path: PurePosixPath
    digest: str
    size: int
    link: bool


def _top(paths: Sequence[Path]) -> Path:
    """The working tree that all paths are in."""
    tops = set()
    for path in paths:
        folder = path.absolute() if path.is_dir() else path.absolute().parent
        told = _git(folder, "rev-parse", "--show-toplevel")
        if told is None:
            raise RevisionProblem(f"{folder} is in no git repository that can be read")
        tops.add(Path(os.fsdecode(told.rstrip(b"\n"))))
    if len(tops) > 1:
        raise RevisionProblem("the paths are in several git repositories: check them one by one")
    top = tops.pop()
    own = [at for path in paths for at in [Path(os.path.abspath(path))]]  # noqa: PTH100 - as in `Revision.before`
    if not all(path.is_relative_to(top) for path in own):
        top = next((up for up in (own[0], *own[0].parents) if up.resolve() == top.resolve()), top)
    if not all(path.is_relative_to(top) for path in own):
        raise RevisionProblem(f"the paths lead through a link into {top}: name them as they lie there")
    return top


def _base(top: Path, name: str) -> str:
    """The commit that the work in hand and the revision have both."""
    shallow = _git(top, "rev-parse", "--is-shallow-repository") == b"true\n"
    cure = "; this clone is shallow: fetch the history first, by `git fetch --unshallow` or `fetch-depth: 0`"
    if name.startswith("-") or _git(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") is None:
        raise RevisionProblem(f"git knows no revision '{name}' in {top}" + (cure if shallow else ""))
    told = _git(top, "merge-base", "HEAD", name)
    if told is None:
        raise RevisionProblem(f"HEAD and '{name}' have no commit in common" + (cure if shallow else ""))
    return told.decode().split()[0]


def _listing(top: Path, commit: str) -> list[_Blob]:
    told = _git(top, "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    if told is None:
        raise RevisionProblem(f"git cannot list the files of {commit}")
    blobs = []
    for record in told.split(b"\0")[:-1]:
        about, _, name = record.partition(b"\t")
        mode, kind, digest, size = about.decode().split()
        path = PurePosixPath(os.fsdecode(name))
        if kind != _MODULE and not path.is_absolute() and not {"..", ".git"} & {part.lower() for part in path.parts}:
            blobs.append(_Blob(path, digest, 0 if size == "-" else int(size), mode == _LINK))
    return blobs


def _is_whole(folder: Path, listing: Sequence[_Blob]) -> bool:
    """Whether all files lie there in their sizes: somebody may have cleared the cache in part."""
    try:
        return all((folder / one.path).stat().st_size == one.size for one in listing if not one.link)
    except OSError:
        return False


def _lay_out(top: Path, listing: Sequence[_Blob], wanted: Path) -> None:
    """Write all files, then give the folder its name: another check may do the same in this moment."""
    made = Path(tempfile.mkdtemp(prefix="dplint-", dir=wanted.parent))
    try:
        # A project begins here, though its files may not say so.
        (made / ".git").mkdir()
        for blob, content in _contents(top, listing):
            file = made / blob.path
            file.parent.mkdir(parents=True, exist_ok=True)
            if not blob.link:
                file.write_bytes(content)
            elif (file.parent / os.fsdecode(content)).resolve().is_relative_to(made.resolve()):
                file.symlink_to(os.fsdecode(content))
        if wanted.exists():
            shutil.rmtree(wanted)
        with contextlib.suppress(OSError):  # another one was faster, with the same files
            made.rename(wanted)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _contents(top: Path, listing: Sequence[_Blob]) -> Iterator[tuple[_Blob, bytes]]:
    with tempfile.TemporaryFile() as wanted:
        wanted.write("".join(f"{one.digest}\n" for one in listing).encode())
        wanted.seek(0)
        command = _command(top, "cat-file", "--batch")
        with subprocess.Popen(
            command, stdin=wanted, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment()
        ) as process:
            assert process.stdout is not None
            for one in listing:
                yield one, _next_content(process.stdout, one)


def _next_content(stream: IO[bytes], blob: _Blob) -> bytes:
    header = stream.readline().split()
    if len(header) != 3:
        raise RevisionProblem(f"git has not the content of {blob.path}: fetch it first, dplint fetches nothing")
    content = stream.read(int(header[2]))
    stream.read(1)
    return content


def _forget_old(folder: Path, wanted: Path) -> None:
    """Remove what nobody has used for long, and nothing whose name is not ours."""
    for entry in folder.iterdir():
        ours = entry != wanted and _NAME.fullmatch(entry.name) is not None
        with contextlib.suppress(OSError):
            if ours and time.time() - entry.stat().st_mtime > _KEPT_SECONDS:
                shutil.rmtree(entry)


def _git(folder: Path, *words: str) -> bytes | None:
    """What git answers; None where it fails."""
    done = subprocess.run(_command(folder, *words), capture_output=True, env=_environment(), check=False)
    return done.stdout if done.returncode == 0 else None


def _command(folder: Path, *words: str) -> list[str]:
    git = shutil.which("git")
    if git is None:
        raise RevisionProblem("git is not installed, or not on PATH")
    return [git, "-C", str(folder), "--no-pager", *words]


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY} | _OFFLINE
