"""From a job to its bundle: the files of the project that the mechanism can reach, and no path of this machine."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from dplint.check.mechanism_keys import MechanismKeys
from dplint.contents import content
from dplint.jobs import AuditJob
from dplint.workers.bundles import Bundle, BundleError

_INSTALLED = {"site-packages", "dist-packages"}


def bundle_of(job: AuditJob, keys: MechanismKeys) -> tuple[Bundle, str]:
    """The bundle of a job, and the folder that its paths are relative to.

    Raises:
        BundleError: the mechanism belongs to no project that could be sent.
    """
    mechanism = job.mechanism
    if _INSTALLED & set(Path(mechanism.path).parts):
        raise BundleError("its file is one of an installed package, which is not sent to a cluster")
    top = Path(os.path.commonpath([mechanism.import_root, mechanism.project_root, Path(mechanism.path).parent]))

    def relative(path: str | Path) -> str:
        return Path(path).relative_to(top).as_posix()

    try:
        files = sorted(keys.files(mechanism, job.source_text))
        contents = tuple((relative(file), content(file)) for file in files)
    except OSError as error:
        raise BundleError(f"{error.filename} cannot be read ({error.strerror or error})") from None
    placed = replace(
        mechanism,
        path=relative(mechanism.path),
        import_root=relative(mechanism.import_root),
        project_root=relative(mechanism.project_root),
    )
    sent = replace(job, mechanism=placed, settings=replace(job.settings, interpreter=""))
    return Bundle(sent, contents), str(top)
