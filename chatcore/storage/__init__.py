"""What the core needs of a store, as protocols; `storage_backends` has the implementations.

Verbs are fixed: `get` raises, `find` may give None, lists are ordered as their docstring says, `add`,
`update` and `remove` write. All reads of one `Storage.read` see one snapshot, all writes of one
`Storage.write` happen together or not at all.
"""

from chatcore.storage.transaction import (
    BadDatabaseUrl,
    Snapshot,
    Storage,
    StorageClosed,
    StorageNotReady,
    Transaction,
)

__all__ = ["BadDatabaseUrl", "Snapshot", "Storage", "StorageClosed", "StorageNotReady", "Transaction"]
