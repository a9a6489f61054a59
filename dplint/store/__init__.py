"""The cache: what audits have learnt and found out, and what is in files. Standard library only."""

from dplint.store.codec import codec
from dplint.store.folder import NAME, CacheFolder, clean, refusal
from dplint.store.index import Index, Summary
from dplint.store.key import VARIABLE, named_key
from dplint.store.outcome_json import outcome_document, read_outcome
from dplint.store.problem import StoreProblem
from dplint.store.shared import EntryStore, SharedCache
from dplint.store.store import Entry, Plain, Store

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
