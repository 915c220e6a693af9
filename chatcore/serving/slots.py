"""Limits of the connections that a worker keeps open, in all and of each network."""

import resource
from collections import Counter
from collections.abc import Iterator
from typing import Final

from chatcore.domain.network_addresses import neighbourhood, site_network

MAX_CONNECTIONS: Final = 20_000
"""Connections of one worker at a time."""
FILES_KEPT: Final = 256
"""Descriptors that are kept for other things than connections: databases, files, requests of our own."""
ADDRESSES_OF_SITE: Final = 10
"""Addresses whose connections an IPv6 network of 48 bits may have, which contains 65,536 of 64 bits."""


def most_connections() -> int:
    """Return the number of connections for which there are descriptors, with some left for all else."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return min(MAX_CONNECTIONS, max(soft - FILES_KEPT, soft // 2))


class NoSlot(Exception):
    """A network has as many connections as it may have."""

    def __init__(self, network: str, limit: str) -> None:
        super().__init__(network)
        self.network = network
        self.limit = limit
        """The name of the limit in the refusal."""


class Slots:
    """The open connections of each network; *per_address* is the most of one address, None any number."""

    def __init__(self, per_address: int | None) -> None:
        self._per_address = per_address
        self._open: Counter[str] = Counter()

    def take(self, address: str) -> None:
        """Count a connection until `leave`.

        :raises NoSlot: its address, or the wider network around it, has too many
        """
        networks = tuple(self._networks(address))
        for network, most, limit in networks:
            if self._open[network] >= most:
                raise NoSlot(network, limit)
        for network, _, _ in networks:
            self._open[network] += 1

    def leave(self, address: str) -> None:
        for network, _, _ in self._networks(address):
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]

    def _networks(self, address: str) -> Iterator[tuple[str, int, str]]:
        """Yield each network that counts a connection, its most connections, and the name of that limit."""
        if self._per_address is None:
            return
        yield neighbourhood(address), self._per_address, "connections_by_address"
        if (wide := site_network(address)) is not None:
            yield wide, self._per_address * ADDRESSES_OF_SITE, "connections_by_network"
