"""A family of events in a file of its own, as somebody might add it, and a fixture that puts it among the others."""

import sys

import pytest

from dplint.events import families as package
from dplint.events.families import families

TOY = '''
"""The remainder of a whole number: whether it is odd."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.family import Family
from dplint.events.sampled import SampledPart
from dplint.program.building import binary, call, constant
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Parity(Family):
    """Whether a number is odd, when it is cut to a whole one."""

    ORDER: ClassVar[int] = 200

    @cached_property
    def tree(self) -> Expression:
        """`int(place) % 2`."""
        return binary(call("int", self.place.tree), "%", constant(2))

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where there is a single value."""
        if part.sight.leaf_rows:
            yield cls(part.place, part.guards)
'''


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A file with a family, in a folder that is searched as that of the others is."""
    (tmp_path / "parity.py").write_text(TOY)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    families.cache_clear()
    yield
    families.cache_clear()
    sys.modules.pop("dplint.events.families.parity", None)
