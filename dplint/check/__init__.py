"""One call for every front end: paths and settings in, a stream of outcomes out."""

from dplint.check.checking import Cluster, Elsewhere, check_chosen, check_paths, check_text
from dplint.check.inspecting import sweep

__all__ = ["Cluster", "Elsewhere", "check_chosen", "check_paths", "check_text", "sweep"]
