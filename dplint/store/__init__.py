"""The cache: what audits have learnt and found out, and what is in files. Standard library only."""

from dplint.store.folder import NAME, CacheFolder, clean
from dplint.store.index import Index, Summary
from dplint.store.outcome_json import outcome_document, read_outcome
from dplint.store.shared import EntryStore, SharedCache
from dplint.store.store import Entry, Plain, Store, StoreProblem

__all__ = [
    "NAME",
    "CacheFolder",
    "Entry",
    "EntryStore",
    "Index",
    "Plain",
    "SharedCache",
    "Store",
    "StoreProblem",
    "Summary",
    "clean",
    "outcome_document",
    "read_outcome",
]
