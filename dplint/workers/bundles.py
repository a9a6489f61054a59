"""Bundles: an audit with all that it takes of the project, to be done on another machine.

Nothing in a bundle says where the project lies on the machine that has made it. Whoever does the job unpacks it into a
folder of its own, and the mechanism lies there then.
"""

from __future__ import annotations

import pickle
import zlib
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from dplint.jobs import AuditJob
from dplint.workers.messages import Done


class BundleError(Exception):
    """A mechanism cannot be sent elsewhere; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """job: with paths relative to the folder of the bundle, and no interpreter. files: by such paths as well."""

    job: AuditJob
    files: tuple[tuple[str, bytes], ...]

    def packed(self) -> bytes:
        """The bundle as bytes, for the same version of dplint alone."""
        return zlib.compress(pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL))


class Sent(NamedTuple):
    """A job for other machines, or its answer where it cannot be sent. folder: of the bundle, on this machine."""

    bundle: Bundle | None
    folder: str
    answer: Done | None = None


def unpacked(packed: bytes) -> Bundle:
    """The bundle of these bytes, which come from the same version of dplint."""
    bundle = pickle.loads(zlib.decompress(packed))
    assert isinstance(bundle, Bundle)
    return bundle


def placed(bundle: Bundle, folder: Path, interpreter: str) -> AuditJob:
    """Write the files of the bundle into the folder; the job as it is done there, by this interpreter.

    Raises:
        BundleError: a path leads out of the folder.
        OSError: a file cannot be written.
    """
    for name, content in bundle.files:
        path = _inside(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    job = bundle.job
    root, project = (_inside(folder, name) for name in (job.mechanism.import_root, job.mechanism.project_root))
    root.mkdir(parents=True, exist_ok=True)
    project.mkdir(parents=True, exist_ok=True)
    path = _inside(folder, job.mechanism.path)
    mechanism = replace(job.mechanism, path=str(path), import_root=str(root), project_root=str(project))
    return replace(job, mechanism=mechanism, settings=replace(job.settings, interpreter=interpreter))


def _inside(folder: Path, name: str) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise BundleError(f"{name!r} leads out of the folder of its bundle")
    return folder / path
