"""What a runner could not do, and why. Part of the worker."""

from __future__ import annotations

import re
from typing import Any

from dplint.outcomes import FailureKind, FailureScope


class RunnerError(Exception):
    """A request that was not answered: the kind of failure, why in a sentence, and a traceback or captured output.

    cure: how to mend it, empty where the kind says all there is. scope, line: as for `Failed`. data: the number of the
    data value of the request that was being run, None if it was none or is not known.
    """

    def __init__(
        self,
        kind: FailureKind,
        reason: str,
        detail: str = "",
        *,
        cure: str = "",
        scope: FailureScope = FailureScope.MECHANISM,
        line: int | None = None,
        data: int | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind, self.reason, self.detail, self.cure = kind, reason, detail, cure
        self.scope, self.line, self.data = scope, line, data

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (self.document(),)

    def document(self) -> dict[str, Any]:
        """What `of_document` makes the same error of, as JSON has it."""
        return {
            "kind": self.kind.value,
            "reason": self.reason,
            "detail": self.detail,
            "cure": self.cure,
            "scope": self.scope.value,
            "line": self.line,
        }

    @staticmethod
    def of_document(document: dict[str, Any]) -> RunnerError:
        """The error that a runner or a runner host tells of; what it does not say is left at its default."""
        line = document.get("line")
        return RunnerError(
            FailureKind(document["kind"]),
            str(document["reason"]),
            str(document.get("detail", "")),
            cure=str(document.get("cure", "")),
            scope=FailureScope(document.get("scope", FailureScope.MECHANISM)),
            line=line if isinstance(line, int) else None,
        )

    def in_import_of(self, path: str) -> RunnerError:
        """The same, said of the module at this path, whose import it was, with the line that the detail knows."""
        if self.scope is not FailureScope.MECHANISM:
            return self
        lines = re.findall(rf'File "{re.escape(path)}", line (\d+)', self.detail)
        document = self.document() | {"scope": FailureScope.MODULE.value}
        # A traceback ends with the frame that raised; a dump of faulthandler begins with it.
        first = "most recent call first" in self.detail
        if self.line is None and lines:
            document["line"] = int(lines[0 if first else -1])
        return RunnerError.of_document(document)


def _made_again(document: dict[str, Any]) -> RunnerError:
    return RunnerError.of_document(document)
