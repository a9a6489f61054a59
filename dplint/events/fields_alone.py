"""What an event or a grid is to another process: its fields, without the functions that were made of them."""

from __future__ import annotations

from dataclasses import fields


class FieldsAlone:
    """A dataclass that is pickled without its cached properties, which hold plans and the like."""

    def __getstate__(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
