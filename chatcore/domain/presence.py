"""When people were last there, and how clients are told.

A client says every minute that it is there, and whether somebody uses it. Of that two times are kept for a
person, each as fine as the interval of the calls: when one was last active, and when last connected at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

PRESENCE_ENABLED = "presence_enabled"
"""The setting of who is to be seen as present; its deprecated opposite is `away` in a status."""

NO_UPDATE = -1
"""The number of the newest change where there was none."""
PING_INTERVAL = 60
"""Seconds after which a client calls again."""
WRITE_INTERVAL = 55
"""Seconds for which a time that was noted is new enough."""
OFFLINE_AFTER = 200
"""Seconds without a call after which one is not there any more."""
ACTIVE_WITHIN = 70
"""Seconds before the last call in which one must have been active to count as active, in the older form."""
HISTORY_DAYS = 14
"""How long ago somebody may have been there to be listed, where a client does not say."""
MAX_ACTIVE_PEOPLE = 100
"""In an organization with more people, clients learn who has come when they call, not by events."""


class PresenceStatus(StrEnum):
    ACTIVE = "active"
    IDLE = "idle"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Presence:
    """When a person was last active, if ever, and when a client of theirs last called."""

    active_at: int | None
    connected_at: int

    def is_offline(self, now: int) -> bool:
        return now - self.connected_at > OFFLINE_AFTER


def after_call(old: Presence | None, *, is_active: bool, now: int) -> Presence | None:
    """What is to be noted when a client has called; None where that is as good as known."""
    active_at = None if old is None else old.active_at
    if is_active and (active_at is None or now - active_at > WRITE_INTERVAL):
        return Presence(now, now)
    if old is None or now - old.connected_at > WRITE_INTERVAL:
        return Presence(active_at, now)
    return None


def hidden(old: Presence, now: int) -> Presence:
    """The presence of somebody who is there, and is not to be seen as present from now on."""
    latest = now - OFFLINE_AFTER - 1
    active_at = None if old.active_at is None else min(old.active_at, latest)
    return Presence(active_at, latest)


# -- forms ------------------------------------------------------------------------------------------

CLIENT = "website"
"""The one client that there is in the older form, which had several."""
AGGREGATED = "aggregated"


def modern_form(presence: Presence) -> dict[str, int]:
    form = {"idle_timestamp": presence.connected_at}
    if presence.active_at is not None:
        form["active_timestamp"] = presence.active_at
    return form


def by_client(presence: Presence) -> dict[str, dict[str, object]]:
    """The older form as events have it: by client."""
    status, at = _status(presence)
    return {CLIENT: {"client": CLIENT, "status": status, "timestamp": at, "pushable": False}}


def older_form(presence: Presence) -> dict[str, dict[str, object]]:
    """The older form: by client, and of all of them together."""
    status, at = _status(presence)
    return {AGGREGATED: {"client": CLIENT, "status": status, "timestamp": at}, **by_client(presence)}


def form_of_one(presence: Presence, now: int) -> Mapping[str, Mapping[str, object]]:
    """The form in which a single person's presence is told, where one can be offline too."""
    status, at = _status(presence)
    aggregated = PresenceStatus.OFFLINE if now - at > OFFLINE_AFTER else status
    return {
        AGGREGATED: {"status": aggregated, "timestamp": at},
        CLIENT: {"status": status, "timestamp": at},
    }


def _status(presence: Presence) -> tuple[PresenceStatus, int]:
    active_at = presence.active_at
    if active_at is not None and active_at + ACTIVE_WITHIN > presence.connected_at:
        return PresenceStatus.ACTIVE, active_at
    return PresenceStatus.IDLE, presence.connected_at
