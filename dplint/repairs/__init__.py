"""Candidates for repairs: small edits of a mechanism's source, of which nobody says that they are right.

Each kind of edit is a file of `kinds`, found by itself, with an example. Kinds may propose what is wrong: everything is
judged before it is shown (`check/repairing.py`). A candidate changes the text at the places that it is about, and
nothing else.
"""

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.registry import KINDS, candidates
from dplint.repairs.subject import Subject, subject_of

__all__ = ["KINDS", "Candidate", "Example", "Kind", "Subject", "candidates", "subject_of"]
