"""The readme as an index shows it: links that lead into the repository are absolute, at the tag of the version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "https://example.org/dplint"
_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?:|#|mailto:)([^)\s]+)\)")


class LongDescription(MetadataHookInterface):
    """What hatchling asks for the field `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set it."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        absolute = with_absolute_links(text, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute}


def with_absolute_links(text: str, version: str) -> str:
    """Pictures as files, all else as pages."""
    return _LINK.sub(
        lambda link: f"{link[1]}{link[2]}({REPOSITORY}/{'raw' if link[1] else 'blob'}/v{version}/{link[3]})", text
    )
