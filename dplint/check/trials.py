"""Tries claims that are suggested: each is audited as if it were written in its file, and says what came of it.

A guessed claim is refuted by what its author would have to accept: not by exceptions, and not by lengths, which may
come of data that is none. That a trial finds nothing says nothing, and takes no doubt away.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dplint.check.checking import check_text
from dplint.check.suggesting import SuggestedFile
from dplint.config import SettingsByFile
from dplint.outcomes import CheckError, Failed, Proved, Result, Untestable, Violation
from dplint.rules.suggesting.suggestion import Suggestion

_LENGTH = re.compile(r"\blen\(|\bNone\b")


def tried(file: SuggestedFile, settings: SettingsByFile) -> SuggestedFile:
    """The suggestions of a file with what a trial of each says. User code is run, as in a check."""
    chosen = [one for one in file.suggestions if one.function is not None and not one.without_epsilon]
    if not chosen:
        return file
    raw = file.original.encode(file.text(chosen))
    without = SettingsByFile.fixed(replace(settings.of_file(file.original.path), cache=False, repairs=False))
    events = list(check_text(raw, file.original.path, without))
    results = {one.mechanism.qualname: one for one in events if isinstance(one, Result)}
    broken = next((one.message for one in events if isinstance(one, CheckError)), None)
    told = (_told(one, results.get(one.function or ""), broken) for one in file.suggestions)
    return replace(file, suggestions=tuple(told))


def _told(one: Suggestion, result: Result | None, broken: str | None) -> Suggestion:
    match None if result is None else result.outcome:
        case Proved():
            return replace(one, trial="proved under this claim")
        case Violation() as found:
            event = found.counterexample.witness.event
            if found.counterexample.witness.observation.of_exceptions or _LENGTH.search(event):
                return replace(one, trial=f"undecided: runs differ in `{event}`, which may come of data that is none")
            return replace(one, trial=f"refuted under the claim that dplint guessed, by `{event}`")
        case Failed(reason=reason) | Untestable(reason=reason):
            return replace(one, sketch=True, doubts=(*one.doubts, f"a trial could not run it: {reason}"))
        case None:
            return one if broken is None else replace(one, trial=f"not tried: {broken}")
    return replace(one, trial="a trial found no violation, which proves nothing")
