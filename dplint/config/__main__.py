"""`python -m dplint.config` writes the JSON schema of the settings to the standard output."""

import sys

from dplint.config.schema import schema_text

sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
sys.stdout.write(schema_text())
