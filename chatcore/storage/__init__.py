"""Protocols of the store that the core needs; `storage_backends` has the implementations.

Verbs are fixed: `get` raises, `find` may return None, lists are ordered as their docstring says, `add`,
`update` and `remove` write. All reads of one `Storage.read` see one snapshot, all writes of one
`Storage.write` happen together or not at all.
"""

from chatcore.storage.transaction import (
    BadDatabaseUrl,
    OutcomeUnknown,
    Outdated,
    Snapshot,
    Storage,
    StorageClosed,
    StorageNotReady,
    Store,
    Transaction,
)

__all__ = [
    "BadDatabaseUrl",
    "OutcomeUnknown",
    "Outdated",
    "Snapshot",
    "Storage",
    "StorageClosed",
    "StorageNotReady",
    "Store",
    "Transaction",
]
