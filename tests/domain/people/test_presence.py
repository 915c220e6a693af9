"""Calls of clients that change a presence, and the JSON of presences."""

import pytest

from chatcore.domain.people.presence import (
    OFFLINE_AFTER,
    WRITE_INTERVAL,
    Presence,
    by_client,
    form_of_one,
    hidden,
    modern_form,
    older_form,
    presence_after_report,
)

NOW = 1_750_000_000
LATER = NOW + WRITE_INTERVAL + 1


@pytest.mark.parametrize(
    ("old", "is_active", "now", "new"),
    [
        (None, True, NOW, Presence(NOW, NOW)),
        (None, False, NOW, Presence(None, NOW)),
        # The stored time is recent enough.
        (Presence(NOW, NOW), True, LATER - 1, None),
        (Presence(NOW, NOW), False, LATER - 1, None),
        (Presence(None, NOW), False, LATER - 1, None),
        # It is not any more.
        (Presence(NOW, NOW), True, LATER, Presence(LATER, LATER)),
        (Presence(NOW, NOW), False, LATER, Presence(NOW, LATER)),
        # Becoming active is reported at once.
        (Presence(None, NOW), True, NOW + 1, Presence(NOW + 1, NOW + 1)),
        (Presence(NOW, LATER), True, LATER + 1, Presence(LATER + 1, LATER + 1)),
    ],
)
def test_changes_that_are_stored(
    old: Presence | None, is_active: bool, now: int, new: Presence | None
) -> None:
    assert presence_after_report(old, is_active=is_active, now=now) == new


def test_users_are_offline_after_a_while() -> None:
    presence = Presence(None, NOW)
    assert not presence.is_offline(NOW + OFFLINE_AFTER)
    assert presence.is_offline(NOW + OFFLINE_AFTER + 1)


def test_users_who_hide_their_presence_are_offline() -> None:
    for presence in (Presence(NOW, NOW), Presence(None, NOW), Presence(NOW - 10_000, NOW)):
        assert hidden(presence, NOW).is_offline(NOW)
        form = form_of_one(hidden(presence, NOW), NOW)
        assert form["aggregated"]["status"] == "offline"
    assert hidden(Presence(NOW - 10_000, NOW), NOW).active_at == NOW - 10_000


@pytest.mark.parametrize(
    ("presence", "status", "at"),
    [
        (Presence(NOW, NOW), "active", NOW),
        (Presence(NOW - 69, NOW), "active", NOW - 69),
        (Presence(NOW - 70, NOW), "idle", NOW),
        (Presence(None, NOW), "idle", NOW),
    ],
)
def test_the_older_form_has_a_status_and_a_client(presence: Presence, status: str, at: int) -> None:
    announced = {"client": "website", "status": status, "timestamp": at}
    assert older_form(presence) == {"aggregated": announced, "website": {**announced, "pushable": False}}
    assert by_client(presence) == {"website": {**announced, "pushable": False}}


def test_the_newer_form_has_two_times() -> None:
    assert modern_form(Presence(NOW - 5, NOW)) == {"active_timestamp": NOW - 5, "idle_timestamp": NOW}
    assert modern_form(Presence(None, NOW)) == {"idle_timestamp": NOW}


@pytest.mark.parametrize(("seconds", "status"), [(0, "active"), (OFFLINE_AFTER, "active"), (201, "offline")])
def test_the_form_of_one_user_has_the_status_of_now(seconds: int, status: str) -> None:
    assert form_of_one(Presence(NOW, NOW), NOW + seconds) == {
        "aggregated": {"status": status, "timestamp": NOW},
        "website": {"status": "active", "timestamp": NOW},
    }
