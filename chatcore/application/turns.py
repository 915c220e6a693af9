"""Yielding between steps of long work."""

import time
from typing import Final

PAUSE: Final = 0.001
"""Seconds. A sleep of 0 is not enough for a server of greenlets: it would run greenlets that are ready
already, many times over, before it checks for new requests.
"""


def let_others() -> None:
    """Yield between two steps to writers that wait for the store, and to new requests."""
    time.sleep(PAUSE)
