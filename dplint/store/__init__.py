"""The cache of a project: what an audit has learnt, for the next one to go on from. Standard library only."""

from dplint.store.outcome_json import outcome_document, read_outcome
from dplint.store.store import Entry, Plain, Store, StoreProblem

__all__ = ["Entry", "Plain", "Store", "StoreProblem", "outcome_document", "read_outcome"]
