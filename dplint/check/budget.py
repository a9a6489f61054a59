"""The budgets of all mechanisms under some paths: what their parts spend, by the claims of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dplint.check.unreadable import with_old_ones_together
from dplint.collecting import rarely_collected
from dplint.config import ConfigError, SettingsByFile, shown
from dplint.outcomes import CheckError
from dplint.source.files import Exclusions, find_files
from dplint.source.read import read_source

if TYPE_CHECKING:
    from dplint.contracts.tree import Budget


def budgets(paths: Sequence[Path], settings: SettingsByFile) -> Iterator[Budget | CheckError]:
    """One budget for each mechanism, file by file in the order of the source, and what could not be read.

    Nothing is run. Claims that are wrong in themselves are left out: `dplint check` tells of them.
    """
    return with_old_ones_together(_budgets(paths, settings))


def _budgets(paths: Sequence[Path], settings: SettingsByFile) -> Iterator[Budget | CheckError]:
    found = find_files(paths, exclude=Exclusions(settings))
    yield from found.errors
    for path in found.files:
        try:
            table = settings.of_file(path).mechanisms
        except ConfigError as error:
            yield CheckError(error.file, error.line, error.message)
            continue
        with rarely_collected():
            source = read_source(path, file=shown(path), table=table)
        yield from source.errors
        if source.module is None or not source.mechanisms:
            continue
        # LibCST, which these need, takes a fifth of a second to import.
        from dplint.contracts.contracts import Contracts  # noqa: PLC0415
        from dplint.source.project import ProjectIndex  # noqa: PLC0415

        mechanisms = [one.mechanism for one in source.mechanisms if one.mechanism.claim.stable is None]
        contracts = Contracts(source.module, source.file, mechanisms, ProjectIndex(source.module.place))
        yield from (contracts.budget(one) for one in mechanisms)
