"""Stores of other packages, found by the scheme of their URLs."""

from collections.abc import Callable, Iterable
from importlib.metadata import entry_points

from chatcore.storage.transaction import BadDatabaseUrl, Store

ENTRY_POINTS = "chatcore.backends"
"""The group of entry points; each has the name of a scheme, and names a function from a URL to a store."""


def backend_for(scheme: str) -> Callable[[str], Store] | None:
    """Return the function that opens the URLs of a scheme, if an installed package has one.

    :raises BadDatabaseUrl: several packages have one
    """
    openers: Iterable[Callable[[], Callable[[str], Store]]] = {
        entry.value: entry.load for entry in entry_points(group=ENTRY_POINTS, name=scheme)
    }.values()
    loaders = list(openers)
    if len(loaders) > 1:
        raise BadDatabaseUrl(f"Several packages open databases of the kind '{scheme}'; remove all but one")
    return loaders[0]() if loaders else None
