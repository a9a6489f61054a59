"""The cache: what audits have learnt and found out, and what is in files. Standard library only."""

from dplint.store.codec import codec, outcome_document, read_outcome
from dplint.store.folder import NAME, CacheFolder, Index, Summary, clean, refusal
from dplint.store.key import VARIABLE, StoreProblem, named_key
from dplint.store.store import Entry, EntryStore, Plain, SharedCache, Store

__all__ = [
    "NAME",
    "VARIABLE",
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
    "codec",
    "named_key",
    "outcome_document",
    "read_outcome",
    "refusal",
]
