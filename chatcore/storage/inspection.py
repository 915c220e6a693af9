"""Facts of a store that has a server of its own, for its operator. Not every store tells them."""

from typing import Protocol, runtime_checkable

from chatcore.storage.transaction import Store


@runtime_checkable
class InspectedStore(Store, Protocol):
    """A store that can say how its server and its replica are."""

    def server_time(self) -> float | None:
        """Return the seconds since 1970 by the clock of the store's server; None without a server.

        :raises StorageNotReady:
        """

    def replica_delay(self, patience: float) -> float | None:
        """Return the seconds until the replica has what is committed now; None without a replica.

        :raises StorageNotReady: it does not have it after *patience* seconds, or cannot be read
        """
