"""Presence: when users were last online, and the forms in which clients receive it.

Every minute a client reports that it is online and whether it is in use. Two times are stored per user, each
as precise as the reporting interval: last active, and last connected.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NotRequired, TypedDict

PRESENCE_ENABLED = "presence_enabled"
"""Setting that shows the user's presence to others; its deprecated opposite is `away` in a status."""

NO_UPDATE = -1
"""The number of the newest change when there was none."""
PING_INTERVAL = 60
"""Seconds between the reports of a client."""
WRITE_INTERVAL = 55
"""Seconds for which a stored time counts as current and is not written again."""
OFFLINE_AFTER = 200
"""Seconds without a report after which a user counts as offline."""
ACTIVE_WITHIN = 70
"""Seconds before the last report in which a user must have been active to be so called in the older form."""
HISTORY_DAYS = 14
"""Default number of days: users last online longer ago are not listed."""
MAX_ACTIVE_PEOPLE = 100
"""In organizations with more people, clients receive presence in answers to their reports, not by events."""


class PresenceStatus(StrEnum):
    ACTIVE = "active"
    IDLE = "idle"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Presence:
    """Times when a user was last active (None if never) and when a client of theirs last reported."""

    active_at: int | None
    connected_at: int

    def is_offline(self, now: int) -> bool:
        return now - self.connected_at > OFFLINE_AFTER


def presence_after_report(old: Presence | None, *, is_active: bool, now: int) -> Presence | None:
    """Return the presence to store after a report; None if the stored one is recent enough."""
    active_at = None if old is None else old.active_at
    if is_active and (active_at is None or now - active_at > WRITE_INTERVAL):
        return Presence(now, now)
    if old is None or now - old.connected_at > WRITE_INTERVAL:
        return Presence(active_at, now)
    return None


def hidden(old: Presence, now: int) -> Presence:
    """Return the presence of an online user who now hides it: times at which they count as offline."""
    latest = now - OFFLINE_AFTER - 1
    active_at = None if old.active_at is None else min(old.active_at, latest)
    return Presence(active_at, latest)


# -- forms ------------------------------------------------------------------------------------------

CLIENT = "website"
"""The only client of the older form, which once had several."""
AGGREGATED = "aggregated"


class PresenceTimesObject(TypedDict):
    active_timestamp: NotRequired[int]
    idle_timestamp: NotRequired[int]


class ClientPresenceObject(TypedDict):
    client: str
    status: str
    timestamp: int
    pushable: bool


def modern_form(presence: Presence) -> PresenceTimesObject:
    form: PresenceTimesObject = {"idle_timestamp": presence.connected_at}
    if presence.active_at is not None:
        form["active_timestamp"] = presence.active_at
    return form


def by_client(presence: Presence) -> dict[str, ClientPresenceObject]:
    """Return the part by client of the older form; events have only this part."""
    status, at = _status_of(presence)
    return {CLIENT: {"client": CLIENT, "status": status, "timestamp": at, "pushable": False}}


def older_form(presence: Presence) -> dict[str, Mapping[str, object]]:
    """Return the whole older form: aggregated and by client."""
    status, at = _status_of(presence)
    aggregated: dict[str, object] = {"client": CLIENT, "status": status, "timestamp": at}
    return {AGGREGATED: aggregated, **by_client(presence)}


def form_of_one(presence: Presence, now: int) -> Mapping[str, Mapping[str, object]]:
    """Return the form of a single user's presence, in which the status may be offline."""
    status, at = _status_of(presence)
    aggregated = PresenceStatus.OFFLINE if now - at > OFFLINE_AFTER else status
    return {
        AGGREGATED: {"status": aggregated, "timestamp": at},
        CLIENT: {"status": status, "timestamp": at},
    }


def _status_of(presence: Presence) -> tuple[PresenceStatus, int]:
    """Return whether the person is active or idle, and the time of the report that says so."""
    active_at = presence.active_at
    if active_at is not None and active_at + ACTIVE_WITHIN > presence.connected_at:
        return PresenceStatus.ACTIVE, active_at
    return PresenceStatus.IDLE, presence.connected_at
