"""The watch over processes that are left behind serves here too."""

from tests.end_to_end.conftest import nothing_left

__all__ = ["nothing_left"]
