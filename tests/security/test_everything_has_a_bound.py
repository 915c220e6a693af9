"""Every table has a limit on the rows that one account adds to it, and every limit is enforced.

A new table needs a line in `BOUNDS`, and a new limit of a number of things a case. (`docs/decisions/0029`)
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse
from werkzeug.wrappers import Response

from chatcore.application.archives.working import write_requested
from chatcore.application.people import passwords
from chatcore.application.received_mail.receiving import receive_mail
from chatcore.domain.errors import ChatError
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.people.daily_use import Daily, daily_limit
from chatcore.domain.rate_limits import RULES
from chatcore.http.pipeline.routing import API_PREFIX
from storage_backends.sql.store import SqlStorage
from tests.worlds.browsers import opens_browser, tries
from tests.worlds.files import adds_emoji, form, part, send_form, sends_file, uploads
from tests.worlds.organization import CHANNELS, PEOPLE, MakeWorld, World, as_text
from tests.worlds.pictures import picture

MIB = 2**20
SYSTEM_GROUPS = 8
Ask = Callable[[World, int], TestResponse]

ALERT_WORDS = "chatcore.application.people.alert_words.MAX_ALERT_WORDS"
MUTED_USERS = "chatcore.application.people.muted_users.MAX_MUTED_USERS"
KNOWN_NETWORKS = "chatcore.application.people.login_attempts.MAX_KNOWN_NETWORKS"
LINKIFIERS = "chatcore.domain.organization.linkifiers.MAX_LINKIFIERS"
PLAYGROUNDS = "chatcore.domain.organization.playgrounds.MAX_PLAYGROUNDS"
HOLDS = "chatcore.domain.retention.holds.MAX_HOLDS"
PROFILE_FIELDS = "chatcore.domain.organization.profile_fields.MAX_FIELDS"


class Nobody(str):
    """Why no account makes the table grow without a limit of its own."""


ONE_ROW = Nobody("it has one row")
BY_OTHERS = Nobody("it has rows for those of other tables only, which are bounded")
BY_STORE = Nobody("the store keeps it for itself")

BOUNDS: Mapping[str, tuple[str, ...]] = {
    # Accounts and what they set
    "account": ("max_users", "max_bots", "max_bots_per_user"),
    "bot": (BY_OTHERS,),
    "browser_session": ("max_sessions_per_user",),
    "alert_word": (ALERT_WORDS,),
    "bot_call": ("max_bot_calls", "max_bot_calls_of_account"),
    "bot_storage": ("max_bot_storage_keys", "max_bot_storage_length"),
    "daily_use": (Nobody("a row for each account and kind"),),
    "draft": ("max_drafts_per_user", "max_drafts_size"),
    "confirmation": (
        Nobody("a row for each account and kind, or for a mail that `sends_email_by_ip` counts; they expire"),
    ),
    "external_identity": (Nobody("a row for each account and provider of the settings"),),
    "invitation": ("max_invitations", "max_invitations_per_user_and_day", "max_named_in_invitation"),
    "known_network": (KNOWN_NETWORKS,),
    "mail": (
        Nobody("a row for an invitation or a confirmation, or one of MAX_WAITING about missed messages or"
               " logins of a person; dropped when it is sent or given up"),
    ),
    "missed_conversation": (Nobody("at most MAX_WAITING rows for each account, dropped when they are due"),),
    "digest_round": (Nobody("it has one row"),),
    "missed_progress": (Nobody("it has a row for mails and one for pushes"),),
    "push": (Nobody("at most MAX_WAITING_OF_PERSON rows for each account, and MAX_WAITING for all"),),
    "push_subscription": (Nobody("of each account the newest ones are kept, MAX_SUBSCRIPTIONS of them"),),
    "reply_receipt": (Nobody("a row for each message of a person that a mail posts; they expire"),),
    "known_device": (Nobody("a few kinds of devices for each account"),),
    "login_failure": ("authenticate_by_ip", "authenticate_by_username", "password_proof_by_user"),
    "mail_receipt": ("max_mails_per_channel_and_hour",),
    "muting_period": ("max_mutings_per_user", MUTED_USERS),
    "navigation_view": ("max_navigation_views_per_user",),
    "onboarding_step": (Nobody("a row for each account and step"),),
    "profile_field": (PROFILE_FIELDS,),
    "profile_value": (Nobody("a row for each account and profile field"),),
    "read_watermark": (Nobody("a row for each account and recipient"),),
    "saved_snippet": ("max_saved_snippets_per_user", "max_saved_snippets_size"),
    "scheduled_message": (
        "max_scheduled_messages_per_user", "max_reminders_per_user", "max_scheduled_size",
    ),
    "topic_policy": ("max_topic_policies_per_user",),
    "user_presence": (Nobody("a row for each account"),),
    "user_status": (Nobody("a row for each account"),),
    # Channels, groups and conversations
    "channel": ("max_channels", "max_new_channels_per_user_and_day", "max_new_channels_per_request"),
    "channel_event": (Nobody("a row for each channel"),),
    "channel_folder": ("max_channel_folders",),
    "default_channel_group": ("max_default_channel_groups", "max_channels_per_default_group"),
    "channel_traffic": (Nobody("a row for each channel and day"),),
    "conversation": ("max_new_group_conversations_per_user_and_day",),
    "conversation_member": ("max_direct_message_people",),
    "recipient": (Nobody("a row for each account, channel, group and conversation"),),
    "subscription": ("max_subscriptions_per_request",),  # of accounts and channels, which are bounded
    "subscription_period": ("max_returns_per_user_and_day", "max_returns_per_user"),
    "user_group": ("max_groups", "max_new_groups_per_user_and_day", "max_named_in_setting"),
    "user_group_member": (Nobody("a row for each account and group at most"),),
    "user_group_subgroup": ("max_direct_subgroups", "max_group_depth"),
    # Messages and what is added to them
    "message": ("api_by_user", "api_by_bot", "max_reports_per_user_and_day"),
    "message_edit": ("max_edits_per_message", "max_edit_history_length"),
    "message_flag": (BY_OTHERS,),
    "message_search": (BY_OTHERS,),
    "reaction": ("max_emoji_per_message",),
    "submessage": (
        "max_submessages_per_message", "max_submessages_length",
        "max_submessages_of_account", "max_submessages_length_of_account",
    ),
    # Files
    "attachment": (
        "max_files_per_user", "max_upload_space_per_user_mib", "max_upload_space_mib",
        "max_uploads_per_user_and_day_mib",
    ),
    "attachment_link": ("max_files_per_message",),
    "uploaded_image": ("max_files_per_user",),
    "custom_emoji": ("max_custom_emoji", "max_new_emoji_per_user_and_day"),
    "unfinished_upload": ("max_unfinished_uploads_per_user",),
    "upload_space": (ONE_ROW,),
    "upload_space_of_user": (Nobody("a row for each account"),),
    # Events
    "event": ("api_by_user", "api_by_bot"),  # and they are dropped, see max_event_queue_lag
    "event_queue": ("max_event_queues_per_user", "max_event_queues_size_per_user"),
    "local_echo": (Nobody("a row for a message, dropped with its queue"),),
    # The organization
    "audit_entry": (
        Nobody("an entry has a size, failed logins a number, and they are removed after `audit_days`"),
    ),
    "audit_retention": (ONE_ROW,),
    "legal_hold": (HOLDS,),
    "linkifier": (LINKIFIERS,),
    "organization": (ONE_ROW,),
    "playground": (PLAYGROUNDS,),
    "requested_export": (
        "max_exports_per_week", "max_exports_of_person_per_week", "max_exports_kept",
        "max_messages_per_export", "max_export_files_mib",
    ),
    "erasure": (Nobody("a row for each person whom owners have erased"),),
    "retention_claim": (ONE_ROW,),
    "retention_mark": (Nobody("a row for each day"),),
    # The server
    "adopted_log": (ONE_ROW,),
    "full_members_announced": (ONE_ROW,),
    "import_progress": (Nobody("only who runs the server imports"),),
    "imported_message": (Nobody("only who runs the server imports"),),
    "log_head": (ONE_ROW,),
    "remembered_version": (Nobody("it has a row for each kind of values"),),
    "request_count": (Nobody("each process counts MAX_KEYS at a time, and what is over is dropped"),),
    "schema_migration": (BY_STORE,),
}  # fmt: skip

NO_NUMBER_OF_THINGS: Mapping[str, frozenset[str]] = {
    "lengths of one text, and sizes of one file": frozenset({
        "max_message_length", "max_topic_length", "max_channel_name_length", "max_channel_description_length",
        "max_channel_folder_name_length", "max_channel_folder_description_length",
        "max_full_name_length", "max_alert_word_length", "max_group_name_length",
        "max_group_description_length", "max_local_id_length", "max_event_type_length",
        "max_snippet_title_length", "max_reminder_note_length",
        "max_file_upload_size_mib", "max_avatar_file_size_mib", "max_emoji_file_size_mib",
        "max_icon_file_size_mib", "max_logo_file_size_mib", "max_mail_size",
    }),
    "times, and what the disk keeps": frozenset({
        "session_lifetime", "session_idle", "event_queue_idle", "event_queue_max_lifespan",
        "event_queue_longpoll_timeout", "heartbeat_latest", "heartbeat_jitter",
        "unfinished_upload_lifetime", "announced_upload_lifetime",
        "unlinked_upload_lifetime", "temporary_url_lifetime", "min_free_disk_mib", "mail_receipt_lifetime",
    }),
    "how much is read, told or remembered at a time: more of it is cut, or comes later": frozenset({
        "max_notified_members", "max_fetch_size", "max_messages_per_flag_range",
        "max_subscribers_notified_of_typing", "wildcard_mention_free_up_to", "max_unread_in_register",
        "max_starred_in_register", "max_recent_direct_messages", "max_bulk_new_subscription_messages",
        "max_drafts_in_register", "max_event_queue_lag", "max_events_per_read", "max_event_size_per_read",
        "max_events_read_ahead", "max_event_size_per_answer", "max_remembered_events", "max_remembered_size",
        "max_mail_attachments",
    }),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Case:
    """A limit of so much beside what is there *already*, and a thing that can be done *times* times then."""

    does: Ask
    table: str | None
    """The limit of rows; None if requests are refused for their size, before anything is stored."""
    times: int = 2
    already: int = 0
    value: object = None
    """Value of the limit; None is the number of rows that exist already, plus one for each call."""
    status: int = 400
    code: str = "BAD_REQUEST"
    done: tuple[int, ...] = (200, 201)
    """Statuses of what is within the limit: a failed login, too, is one more."""

    def limit(self) -> Any:
        return self.already + self.times if self.value is None else self.value


def daily(does: Ask, table: str, **more: Any) -> Case:
    return Case(does=does, table=table, status=429, code="RATE_LIMIT_HIT", **more)


def in_place_of_others(does: Ask, table: str, **more: Any) -> Case:
    """One more is possible, and something older is gone for it."""
    return Case(does=does, table=table, status=200, code="", **more)


def gets_mail(world: World, number: int) -> Response:
    """A mail to a channel, answered as a request would be."""
    address = world["ada"].get(f"/streams/{world.id('lunch')}/email_address")["email"]
    try:
        receive_mail(world.svc, address, f"Message-ID: <{number}>\r\n\r\nsoup".encode())
    except ChatError as error:
        return Response(json.dumps({"code": error.code}), error.status, mimetype="application/json")
    return Response("{}", mimetype="application/json")


# -- changes ----------------------------------------------------------------------------------------


def makes_account(world: World, number: int) -> TestResponse:
    world.change_user("adi", can_create_users=True)
    given = {"email": f"n{number}@example.org", "full_name": f"New {number}", "password": "correct horse"}
    return world["adi"].request("POST", "/users", **given)


def moves_topic(world: World, name: str, count: int) -> TestResponse:
    """Let an account rename a topic of so many messages."""
    topic = f"of {count}"
    ids = [world["ada"].says("soup", topic=topic) for _ in range(count)]
    given = {"topic": f"once {topic}", "propagate_mode": "change_all"}
    return world[name].request("PATCH", f"/messages/{ids[0]}", **given)


def makes_channels(world: World, *names: str) -> TestResponse:
    return world["cem"].request(
        "POST", "/users/me/subscriptions", subscriptions=[{"name": name} for name in names]
    )


def makes_group(world: World, number: int, **more: Any) -> TestResponse:
    given = {"name": f"group {number}", "description": "", "members": [], **more}
    return world["ada"].request("POST", "/user_groups/create", **given)


def nests_group(world: World, number: int) -> TestResponse:
    """A group that holds the one before."""
    if number == 0:
        makes_group(world, 100)
    return makes_group(world, number, subgroups=[newest_group(world)])


def widens_group(world: World, number: int) -> TestResponse:
    """A further group is put into one."""
    if number == 0:
        makes_group(world, 100)
    return world["ada"].request("POST", f"/user_groups/{SYSTEM_GROUPS + 1}/subgroups", add=[number + 1])


def newest_group(world: World) -> int:
    return max(int(one["id"]) for one in world["ada"].get("/user_groups")["user_groups"])


def names_people(world: World, number: int) -> TestResponse:
    people = [world[name].id for name in ("ada", "bea", "cem")][: number + 1]
    return makes_group(world, number, can_mention_group={"direct_members": people, "direct_subgroups": []})


def writes_to(world: World, *names: str) -> TestResponse:
    to = [world[name].id for name in names]
    return world["ada"].request("POST", "/messages", type="direct", to=to, content="soup")


def returns(world: World, number: int) -> TestResponse:
    world["bea"].leaves("lunch")
    world["ada"].says("soup")
    return world["bea"].request("POST", "/users/me/subscriptions", subscriptions=[{"name": "lunch"}])


def mutes_again(world: World, number: int) -> TestResponse:
    path = f"/users/me/muted_users/{world['cem'].id}"
    if number:
        world["cem"].writes("soup", "ada")  # a time in which nothing was written is forgotten
        world["ada"].request("DELETE", path)
    return world["ada"].request("POST", path)


def mutes(world: World, number: int) -> TestResponse:
    whom = world[("bea", "cem", "gus")[number]]
    return world["ada"].request("POST", f"/users/me/muted_users/{whom.id}")


def edits(world: World, number: int) -> TestResponse:
    if number == 0:
        world["ada"].says("soup")
    (message_id,) = world["ada"].finds("channel:lunch")
    return world["ada"].request("PATCH", f"/messages/{message_id}", content=f"{number} " + "x" * 200)


def reports(world: World, number: int) -> TestResponse:
    message_id = said_once(world, "soup")
    world.change_organization(moderation_request_channel_id=world.id("secret"))
    return world["bea"].request("POST", f"/messages/{message_id}/report", report_type="spam")


def makes_default_group(world: World, number: int, *channels: str) -> TestResponse:
    given = {"group_name": f"group {number}", "description": "", "stream_names": list(channels)}
    return world["olga"].request("POST", "/default_stream_groups/create", **given)


def said_once(world: World, content: str) -> int:
    """The message that the things of a case are added to."""
    return (world["ada"].finds("channel:lunch") or [world["ada"].says(content)])[0]


def reacts(world: World, number: int) -> TestResponse:
    path, name = f"/messages/{said_once(world, 'soup')}/reactions", ("tada", "+1", "heart")[number]
    return world["ada"].request("POST", path, emoji_name=name)


def adds_to_message(world: World, number: int) -> TestResponse:
    given = {"message_id": said_once(world, "soup"), "msg_type": "notes", "content": "1" * 100}
    return world["ada"].request("POST", "/submessage", **given)


def makes_link(world: World, number: int, **more: Any) -> TestResponse:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"create_multiuse_invite_group": members})
    return world["ada"].request("POST", "/invites/multiuse", **more)


def mutes_topic(world: World, number: int) -> TestResponse:
    given = {"stream_id": world.id("lunch"), "topic": f"{number}", "visibility_policy": 1}
    return world["ada"].request("POST", "/user_topics", **given)


def drafts(world: World, number: int) -> TestResponse:
    draft = {"type": "stream", "to": [world.id("lunch")], "topic": "t", "content": "x" * 100}
    return world["ada"].request("POST", "/drafts", drafts=[draft])


def wants_export(world: World, number: int) -> TestResponse:
    return world["olga"].request("POST", "/export/realm")


def wants_own_data(world: World, number: int) -> TestResponse:
    response = world["ada"].request("POST", "/users/me/exports")
    write_requested(world.svc)  # two are not written at a time
    return response


def wants_export_of_messages(world: World, number: int) -> TestResponse:
    world["ada"].says("soup")
    return wants_export(world, number)


def wants_export_of_files(world: World, number: int) -> TestResponse:
    uploads_half(world, number)
    return wants_export(world, number)


def saves_snippet(world: World, number: int) -> TestResponse:
    return world["ada"].request("POST", "/saved_snippets", title="soup", content="x" * 100)


def schedules(world: World, number: int) -> TestResponse:
    given = {"type": "channel", "to": world.id("lunch"), "topic": "t", "content": "x" * 50}
    due = int(world.clock()) + 60
    return world["ada"].request("POST", "/scheduled_messages", scheduled_delivery_timestamp=due, **given)


def wants_to_be_reminded(world: World, number: int) -> TestResponse:
    given = {"message_id": said_once(world, "soup"), "scheduled_delivery_timestamp": int(world.clock()) + 60}
    return world["ada"].request("POST", "/reminders", **given)


def keeps(world: World, number: int) -> TestResponse:
    return world["robo"].request("PUT", "/bot_storage", storage={f"{number}": "x" * 99})


def makes_bot(world: World, number: int) -> TestResponse:
    return world["ada"].request("POST", "/bots", full_name=f"Bot {number}", short_name=f"bot{number}")


def calls_bot(world: World, number: int) -> TestResponse:
    if not number:
        makes_bot(world, number)
        world.sql("UPDATE account SET bot_type = ? WHERE full_name = ?", 4, "Bot 0")
    return says(world, "ada", content="@**Bot 0**")


def adds_word(world: World, number: int) -> TestResponse:
    return world["ada"].request("POST", "/users/me/alert_words", alert_words=[f"word {number}"])


def makes_emoji(world: World, number: int) -> TestResponse:
    return send_form(world["ada"], form(part(PICTURE, "a.png")), path=f"/realm/emoji/mew{number}")


def uploads_half(world: World, number: int) -> TestResponse:
    return sends_file(world["ada"], b"x" * (MIB // 2))


def begins_upload(world: World, number: int) -> TestResponse:
    """Two uploads rest before their first byte, and another one comes."""
    ada = world["ada"]
    if number == 2:
        return sends_file(ada, b"soup")
    headers = {**ada.headers, "Tus-Resumable": "1.0.0", "Upload-Length": "4"}
    return ada.client.post(f"{API_PREFIX}/tus", headers=headers)


def links(world: World, number: int) -> TestResponse:
    urls = " ".join(uploads(world["ada"])["url"] for _ in range(number + 1))
    return says(world, "ada", content=urls)


def says(world: World, name: str, **more: Any) -> TestResponse:
    given = {"type": "channel", "to": as_text("lunch"), "topic": "today", "content": "soup", **more}
    return world[name].request("POST", "/messages", **given)


def registers(world: World, number: int) -> TestResponse:
    world.clock.advance(1)
    narrow = [["topic", "x" * 1000]]
    return world["ada"].request(
        "POST", "/register", event_types=["message"], fetch_event_types=[], narrow=narrow
    )


def makes_filter(world: World, number: int) -> TestResponse:
    given = {"pattern": f"#{number}-(?P<id>[0-9]+)", "url_template": "https://track.example/{id}"}
    return world["olga"].request("POST", "/realm/filters", **given)


def makes_playground(world: World, number: int) -> TestResponse:
    given = {"highlighter_language": "Python", "url_template": "https://p.example/{code}"}
    return world["olga"].request("POST", "/realm/playgrounds", name=f"{number}", **given)


def sets_hold(world: World, number: int) -> TestResponse:
    user_id = world[["ada", "bea", "cem", "gus"][number]].id
    return world["olga"].request("POST", "/legal_holds", reason="case 7", user_id=user_id)


def makes_field(world: World, number: int) -> TestResponse:
    return world["olga"].request("POST", "/realm/profile_fields", field_type=1, name=f"Field {number}")


def fails_to_log_in(world: World, name: str, at: str = "192.0.2.1", password: str = "wrong") -> TestResponse:
    world.clock.advance(0.001)
    given = {"username": f"{name}@example.org", "password": password}
    return Client(world.answers).post(
        f"{API_PREFIX}/fetch_api_key", data=given, headers=world.nobody.headers,
        environ_base={"REMOTE_ADDR": at},
    )  # fmt: skip


def logs_in_from(world: World, number: int) -> TestResponse:
    world.change_user("ada", password_hash="known")
    return fails_to_log_in(world, "ada", f"198.51.{number}.7", PASSWORD)


def opens_session(world: World, number: int) -> TestResponse:
    world.change_user("ada", password_hash="known")
    return tries(opens_browser(world), "ada", PASSWORD)


def proves(world: World, number: int) -> TestResponse:
    return world["ada"].request("PATCH", "/settings", old_password="wrong", new_password=PASSWORD)


def reads(world: World, **more: Any) -> TestResponse:
    return world["ada"].request("GET", "/messages", **{"anchor": "newest", "num_after": 0, **more})


PASSWORD = "correct horse"
PICTURE = picture()
PEOPLE_OF_WORLD = len(PEOPLE) + 2
"""The accounts of the test organization, including two bots."""


def counted(does: Ask, table: str, *done: int) -> Case:
    """Case of a rule that counts requests."""
    return Case(
        does=does, table=table, value="2 per 600 seconds", status=429, code="RATE_LIMIT_HIT", done=done
    )


CASES: Mapping[str, Case] = {
    "max_users": Case(does=makes_account, table="account", already=PEOPLE_OF_WORLD),
    "max_channels": Case(
        does=lambda world, n: makes_channels(world, f"garden {n}"), table="channel", already=len(CHANNELS)
    ),
    "max_channel_folders": Case(
        does=lambda world, n: world["olga"].request("POST", "/channel_folders/create", name=f"folder {n}"),
        table="channel_folder",
    ),
    "max_default_channel_groups": Case(does=makes_default_group, table="default_channel_group"),
    "max_channels_per_default_group": Case(
        does=lambda world, n: makes_default_group(world, n, *("lunch", "plaza", "Lunch")[: n + 1]),
        table="default_channel_group",
    ),
    "max_groups": Case(does=makes_group, table="user_group", already=SYSTEM_GROUPS),
    "max_named_in_setting": Case(does=names_people, table="user_group"),
    "max_direct_message_people": Case(
        does=lambda world, n: writes_to(world, *("bea", "cem", "gus", "olga")[: n + 2]),
        table="conversation_member",
        value=4,
    ),
    "max_new_channels_per_user_and_day": daily(lambda world, n: makes_channels(world, f"g {n}"), "channel"),
    "max_new_groups_per_user_and_day": daily(makes_group, "user_group"),
    "max_new_emoji_per_user_and_day": daily(makes_emoji, "custom_emoji"),
    "max_new_group_conversations_per_user_and_day": daily(
        lambda world, n: writes_to(world, "bea", ("cem", "gus", "olga")[n]), "conversation"
    ),
    "max_invitations": Case(does=makes_link, table="invitation"),
    "max_invitations_per_user_and_day": daily(makes_link, "invitation"),
    "max_named_in_invitation": Case(
        does=lambda world, n: makes_link(
            world, n, stream_ids=[world.id(name) for name in ("lunch", "plaza", "secret")[: n + 1]]
        ),
        table="invitation",
    ),
    "max_reports_per_user_and_day": daily(reports, "message"),
    "max_returns_per_user_and_day": daily(returns, "subscription_period"),
    "max_uploads_per_user_and_day_mib": daily(uploads_half, "attachment", value=1),
    "max_returns_per_user": Case(does=returns, table="subscription_period"),
    "max_mutings_per_user": Case(does=mutes_again, table="muting_period"),
    "max_group_depth": Case(does=nests_group, table="user_group_subgroup"),
    "max_direct_subgroups": Case(does=widens_group, table="user_group_subgroup"),
    "max_messages_per_fetch": Case(does=lambda world, n: reads(world, num_before=n + 1), table=None),
    "max_moved_messages": Case(does=lambda world, n: moves_topic(world, "bea", n + 1), table=None),
    "max_moved_messages_by_administrators": Case(
        does=lambda world, n: moves_topic(world, "adi", n + 1), table=None
    ),
    "max_narrow_terms": Case(
        does=lambda world, n: reads(world, num_before=1, narrow=[["is", "dm"]] * (n + 1)), table=None
    ),
    "max_search_words": Case(
        does=lambda world, n: reads(
            world, num_before=1, narrow=[["search", " ".join(["soup", "stew", "salad"][: n + 1])]]
        ),
        table=None,
        code="BAD_NARROW",
    ),
    "max_ids_per_request": Case(
        does=lambda world, n: world["ada"].request(
            "POST", "/messages/flags", op="add", flag="read",
            messages=[world["ada"].says("soup") for _ in range(n + 1)],
        ),
        table=None,
    ),
    "max_subscriptions_per_request": Case(
        does=lambda world, n: makes_channels(world, *"abc"[: n + 1]), table="subscription"
    ),
    "max_subscription_settings_per_request": Case(
        does=lambda world, n: world["ada"].request(
            "POST", "/users/me/subscriptions/properties",
            subscription_data=[
                {"stream_id": world.id("lunch"), "property": "is_muted", "value": True}
            ] * (n + 1),
        ),
        table=None,
    ),
    "max_new_channels_per_request": Case(
        does=lambda world, n: makes_channels(world, *(f"{n} {name}" for name in "abc"[: n + 1])),
        table="channel",
    ),
    "max_event_types": Case(
        does=lambda world, n: world["ada"].request(
            "POST", "/register", event_types=["message"] * (n + 1), fetch_event_types=[]
        ),
        table="event_queue",
    ),
    "max_event_queues_per_user": in_place_of_others(registers, "event_queue"),
    "max_event_queues_size_per_user": in_place_of_others(registers, "event_queue", value=3000),
    "max_edits_per_message": in_place_of_others(edits, "message_edit"),
    "max_edit_history_length": in_place_of_others(edits, "message_edit", value=700),
    "max_emoji_per_message": Case(does=reacts, table="reaction"),
    "max_submessages_per_message": Case(does=adds_to_message, table="submessage"),
    "max_submessages_length": Case(does=adds_to_message, table="submessage", value=200),
    "max_submessages_of_account": Case(does=adds_to_message, table="submessage"),
    "max_submessages_length_of_account": Case(does=adds_to_message, table="submessage", value=200),
    "max_topic_policies_per_user": Case(does=mutes_topic, table="topic_policy"),
    "max_navigation_views_per_user": Case(
        does=lambda world, n: world["ada"].request(
            "POST", "/navigation_views", fragment=f"narrow/near/{n}", is_pinned=True, name="Near"
        ),
        table="navigation_view",
    ),
    "max_mails_per_channel_and_hour": Case(
        does=gets_mail, table="mail_receipt", status=429, code="RATE_LIMIT_HIT"
    ),
    "max_sessions_per_user": in_place_of_others(opens_session, "browser_session"),
    "max_drafts_per_user": Case(does=drafts, table="draft"),
    "max_drafts_size": Case(does=drafts, table="draft", value=250),
    "max_saved_snippets_per_user": Case(does=saves_snippet, table="saved_snippet"),
    "max_saved_snippets_size": Case(does=saves_snippet, table="saved_snippet", value=250),
    "max_scheduled_messages_per_user": Case(does=schedules, table="scheduled_message"),
    "max_reminders_per_user": Case(does=wants_to_be_reminded, table="scheduled_message"),
    "max_scheduled_size": Case(does=schedules, table="scheduled_message", value=250),
    "max_bots": Case(does=makes_bot, table="account", already=2),
    "max_bots_per_user": Case(does=makes_bot, table="account", already=1),
    "max_bot_calls": Case(does=calls_bot, table="bot_call", status=200, code=""),
    "max_bot_calls_of_account": Case(does=calls_bot, table="bot_call", status=200, code=""),
    "max_bot_storage_keys": Case(does=keeps, table="bot_storage"),
    "max_bot_storage_length": Case(does=keeps, table="bot_storage", value=200),
    "max_files_per_message": Case(does=links, table="attachment_link"),
    "max_unfinished_uploads_per_user": Case(
        does=begins_upload, table="unfinished_upload", status=429, code="RATE_LIMIT_HIT"
    ),
    "max_files_per_user": Case(does=uploads_half, table="attachment", code="REALM_UPLOAD_QUOTA"),
    "max_upload_space_per_user_mib": Case(
        does=uploads_half, table="attachment", value=1, code="REALM_UPLOAD_QUOTA"
    ),
    "max_upload_space_mib": Case(
        does=uploads_half, table="attachment", value=1, code="REALM_UPLOAD_QUOTA"
    ),
    "max_custom_emoji": Case(does=makes_emoji, table="custom_emoji"),
    "max_exports_per_week": Case(does=wants_export, table="requested_export"),
    "max_exports_of_person_per_week": Case(does=wants_own_data, table="requested_export"),
    "max_exports_kept": Case(does=wants_export, table="requested_export"),
    "max_messages_per_export": Case(does=wants_export_of_messages, table="requested_export"),
    "max_export_files_mib": Case(does=wants_export_of_files, table="requested_export", value=1),
    ALERT_WORDS: Case(does=adds_word, table="alert_word"),
    MUTED_USERS: Case(does=mutes, table="muting_period"),
    LINKIFIERS: Case(does=makes_filter, table="linkifier"),
    PLAYGROUNDS: Case(does=makes_playground, table="playground"),
    HOLDS: Case(does=sets_hold, table="legal_hold"),
    PROFILE_FIELDS: Case(does=makes_field, table="profile_field"),
    KNOWN_NETWORKS: in_place_of_others(logs_in_from, "known_network"),
    "api_by_user": counted(lambda world, n: says(world, "ada"), "message", 200),
    "api_by_bot": counted(lambda world, n: says(world, "robo", to=as_text("plaza")), "message", 200),
    "authenticate_by_ip": counted(
        lambda world, n: fails_to_log_in(world, f"nobody{n}"), "login_failure", 401
    ),
    "authenticate_by_username": counted(
        lambda world, n: fails_to_log_in(world, "ada"), "login_failure", 401
    ),
    "password_proof_by_user": counted(proves, "login_failure", 400),
}  # fmt: skip


# -- the tests --------------------------------------------------------------------------------------


def named() -> set[str]:
    return {name for names in BOUNDS.values() for name in names if not isinstance(name, Nobody)}


def test_every_table_has_a_bound(storage: SqlStorage) -> None:
    backend = storage.backend
    with backend.connection():
        tables = set(backend.database.get_tables())
    own = {name for name in tables if not name.startswith(("message_search_", "sqlite_"))}
    assert own == BOUNDS.keys()


def test_every_bound_has_a_case() -> None:
    assert named() <= CASES.keys()
    for table, names in BOUNDS.items():
        assert names, table


def test_every_limit_of_a_number_of_things_has_a_case() -> None:
    others = [name for names in NO_NUMBER_OF_THINGS.values() for name in names]
    limits = {name for name in CASES if "." not in name} - RULES.keys()
    assert sorted([*limits, *others]) == sorted(field.name for field in fields(Limits))


@pytest.mark.parametrize("what", Daily)
def test_every_limit_by_day_has_a_case(what: Daily) -> None:
    usual = daily_limit(what, Limits())
    decisive = [
        field.name for field in fields(Limits) if daily_limit(what, Limits(**{field.name: 7})) != usual
    ]
    assert len(decisive) == 1
    assert decisive[0] in CASES


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("name", CASES)
def test_requests_beyond_a_limit_are_refused_and_leave_nothing(
    make_world: MakeWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(passwords, "verify_password", lambda password, known_hash: password == PASSWORD)
    case = CASES[name]
    settings: dict[str, Any] = {"data_dir": tmp_path / "data"}
    if name in RULES:
        settings["rate_limit_rules"] = {name: case.limit()}
    elif "." in name:
        monkeypatch.setattr(name, case.limit())
    else:
        settings["limits"] = Limits(**{name: case.limit()})
    world = make_world(**settings)
    for number in range(case.times):
        before = 0 if case.table is None else world.count(case.table)
        response = case.does(world, number)
        assert response.status_code in case.done, response.text
        if case.table is not None:
            assert world.count(case.table) > before
    before = 0 if case.table is None else world.count(case.table)
    response = case.does(world, case.times)
    answer = response.get_json()
    assert (response.status_code, answer.get("code", "")) == (case.status, case.code), answer
    if case.table is not None:
        assert world.count(case.table) == before


def test_administrators_make_as_many_as_they_like_but_are_no_better_otherwise(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    limits = Limits(
        max_new_channels_per_user_and_day=1,
        max_new_groups_per_user_and_day=1,
        max_new_emoji_per_user_and_day=1,
        max_new_group_conversations_per_user_and_day=1,
    )
    world = make_world(limits=limits, data_dir=tmp_path / "data")
    adi = world["adi"]
    for number in range(3):
        adi.joins(f"garden {number}")
        adi.post("/user_groups/create", name=f"group {number}", description="", members=[])
        adds_emoji(adi, f"mew{number}", PICTURE)
    adi.writes("soup", "ada", "bea")
    adi.writes("stew", "ada", "bea")
    adi.writes("soup", "ada")
    to = [world[name].id for name in ("ada", "cem")]
    refused = adi.refused(
        "POST", "/messages", status=429, code="RATE_LIMIT_HIT", type="direct", to=to, content="soup"
    )
    assert refused["limit"] == "group_conversations_by_user_and_day"
    world.clock.advance(refused["retry-after"])
    adi.writes("soup", "ada", "cem")
