"""The limits in the code are those of the documentation and the decisions."""

import re
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.people import alert_words, login_attempts, muted_users
from chatcore.domain.errors import RateLimited
from chatcore.domain.limits import Limits
from chatcore.domain.organization import linkifiers, playgrounds, profile_fields
from chatcore.domain.people.daily_use import Daily, daily_limit, require_within_day
from chatcore.runtime import counts

DOCS = Path(__file__).parents[2] / "docs"
MIB = 2**20

NUMBERS = {
    # Limits per organization
    "max_users": 100_000,
    "max_channels": 10_000,
    "max_channel_folders": 1_000,
    "max_invitations": 10_000,
    "max_default_channel_groups": 100,
    "max_bots": 10_000,
    "max_groups": 10_000,
    "max_custom_emoji": 5_000,
    "max_group_depth": 100,
    "max_direct_subgroups": 1_000,
    "max_named_in_setting": 500,
    "max_direct_message_people": 500,
    # Limits per account and day
    "max_new_channels_per_user_and_day": 100,
    "max_new_groups_per_user_and_day": 100,
    "max_new_emoji_per_user_and_day": 100,
    "max_new_group_conversations_per_user_and_day": 200,
    "max_returns_per_user_and_day": 100,
    "max_reports_per_user_and_day": 100,
    "max_invitations_per_user_and_day": 100,
    "max_uploads_per_user_and_day_mib": 5 * 1024,
    # Limits of exports
    "max_exports_per_week": 5,
    "max_exports_kept": 20,
    "max_messages_per_export": 250_000,
    "max_export_files_mib": 10 * 1024,
    # Limits per account
    "max_returns_per_user": 2_000,
    "max_mutings_per_user": 5_000,
    "max_topic_policies_per_user": 10_000,
    "max_navigation_views_per_user": 200,
    "max_drafts_per_user": 1_000,
    "max_drafts_size": 16 * MIB,
    "max_saved_snippets_per_user": 1_000,
    "max_saved_snippets_size": 16 * MIB,
    "max_scheduled_messages_per_user": 1_000,
    "max_reminders_per_user": 1_000,
    "max_scheduled_size": 16 * MIB,
    "max_bots_per_user": 100,
    "max_bot_calls": 1_000,
    "max_bot_storage_keys": 10_000,
    "max_bot_storage_length": 1_000_000,
    "max_event_queues_per_user": 200,
    "max_event_queues_size_per_user": MIB,
    "max_files_per_user": 50_000,
    "max_unfinished_uploads_per_user": 100,
    "max_upload_space_per_user_mib": 20 * 1024,
    # Limits per message
    "max_edits_per_message": 100,
    "max_edit_history_length": 400_000,
    "max_emoji_per_message": 100,
    "max_submessages_per_message": 5_000,
    "max_submessages_length": 400_000,
    "max_submessages_of_account": 500,
    "max_submessages_length_of_account": 40_000,
    "max_files_per_message": 100,
    # Limits per request
    "max_fetch_size": 16 * MIB,
    "max_messages_per_fetch": 5_000,
    "max_messages_per_flag_range": 5_000,
    "max_moved_messages": 10_000,
    "max_moved_messages_by_administrators": 100_000,
    "max_ids_per_request": 10_000,
    "max_narrow_terms": 100,
    "max_search_words": 50,
    "max_subscriptions_per_request": 10_000,
    "max_subscription_settings_per_request": 1_000,
    "max_channels_per_default_group": 1_000,
    "max_named_in_invitation": 1_000,
    "max_new_channels_per_request": 100,
    "max_event_types": 200,
}
"""Defaults of `Limits`; an organization of its own may have others."""


@pytest.mark.parametrize(("name", "number"), NUMBERS.items())
def test_a_limit_is_what_it_is_said_to_be(name: str, number: int) -> None:
    assert getattr(Limits(), name) == number


def test_numbers_that_are_the_same_everywhere() -> None:
    found: dict[Any, int] = {
        "alert words": alert_words.MAX_ALERT_WORDS,
        "muted people": muted_users.MAX_MUTED_USERS,
        "known networks": login_attempts.MAX_KNOWN_NETWORKS,
        "counters of requests": counts.MAX_KEYS,
        "linkifiers": linkifiers.MAX_LINKIFIERS,
        "playgrounds": playgrounds.MAX_PLAYGROUNDS,
        "profile fields": profile_fields.MAX_FIELDS,
    }
    assert found == {
        "alert words": 1000,
        "muted people": 1000,
        "known networks": 20,
        "counters of requests": 20_000,
        "linkifiers": 200,
        "playgrounds": 500,
        "profile fields": 200,
    }


def said(page: str) -> str:
    """The words of a page without its lines."""
    return re.sub(r"\s+", " ", (DOCS / page).read_text())


def test_the_decision_on_groups_says_how_many_there_may_be() -> None:
    limits = Limits()
    assert (
        f"{limits.max_group_depth} levels, {limits.max_direct_subgroups:,} direct subgroups,"
        f" {limits.max_groups:,} groups"
    ) in said("decisions/0009-user-groups.md")


@pytest.mark.parametrize("what", Daily)
def test_a_day_ends_at_midnight(what: Daily) -> None:
    most = daily_limit(what, Limits())
    midnight = 20_000 * 86_400
    require_within_day(what, most, Limits(), midnight)
    for now, wait in ((midnight - 1, 1), (midnight, 86_400), (midnight + 86_000, 400)):
        with pytest.raises(RateLimited) as caught:
            require_within_day(what, most + 1, Limits(), now)
        assert caught.value.retry_after == wait
        assert caught.value.extra["limit"] == f"{what}_by_user_and_day"
