"""What an operator wants to know of a store that has a server of its own."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Inspectable(Protocol):
    """An ability that not all stores have."""

    def server_time(self) -> float | None:
        """Return the seconds since 1970 by the clock of the store's server; None without a server.

        :raises StorageNotReady:
        """

    def replica_delay(self, patience: float) -> float | None:
        """Return the seconds until the replica has what is committed now; None without a replica.

        :raises StorageNotReady: it does not have it after *patience* seconds, or cannot be read
        """
