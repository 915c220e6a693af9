"""Work in steps, between which others get their turn."""

import time
from typing import Final

PAUSE: Final = 0.001
"""Seconds. A sleep of none at all is not enough for a server of greenlets: it goes on with what is ready
already, many times over, before it looks for what has come in.
"""


def let_others() -> None:
    """Between two steps: those who wait for the store, and requests that have just come, go first."""
    time.sleep(PAUSE)
