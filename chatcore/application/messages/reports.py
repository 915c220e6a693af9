"""Reports of messages, which the notification bot sends to the channel for moderation requests."""

from chatcore.application.daily_use import count_daily_use
from chatcore.application.delivery.notices import as_code, silent_mention, to_channel
from chatcore.application.messages.access import ReadableMessage, readable_message
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.reports import (
    REASONS,
    checked_description,
    shortened_message,
    topic_of_reports,
)
from chatcore.domain.people.daily_use import Daily
from chatcore.domain.people.users import User
from chatcore.domain.topics import TopicsPolicy
from chatcore.markup import Facts, UserFact
from chatcore.storage import Snapshot


def report_message(
    svc: Services, actor: Actor, message_id: int, report_type: str, description: str = ""
) -> None:
    """Report a message to the moderators: the notification bot sends a report with the present text of the
    message to their channel.

    :param report_type: one of `domain.messages.reports.REASONS`
    :raises BadRequest: no such message for the actor, a description outside the rules, or an organization
        without a channel for moderation requests
    :raises InvalidParameter: no such type of reports
    :raises RateLimited: more reports than an account may send on one day
    """
    _send_report(svc, actor, message_id, report_type, checked_description(report_type, description))


@unit_of_work
def _send_report(unit: Unit, me: Actor, message_id: int, report_type: str, description: str) -> None:
    """Send the report, in a topic named after the reported sender where the channel may have topics."""
    tx = unit.tx
    reported = readable_message(tx, me, message_id)
    channel = _require_moderation_channel(tx)
    count_daily_use(unit, me, Daily.REPORTS)
    sender = tx.users.get(reported.message.sender_id)
    policy = tx.organization.get().effective_topics_policy(channel.topics_policy)
    topic = "" if policy == TopicsPolicy.EMPTY_ONLY else topic_of_reports(sender.full_name, unit.limits)
    reporter = tx.users.get(me.user_id)
    content = _write_report(reported, reporter, sender, report_type, description)
    to_channel(unit, channel, topic, content, _facts_about(reporter, sender))


def _require_moderation_channel(snapshot: Snapshot) -> Channel:
    """Return the channel for moderation requests.

    :raises BadRequest: none is set, or it is archived
    """
    channel_id = snapshot.organization.get().moderation_request_channel_id
    channel = None if channel_id is None else snapshot.channels.find(channel_id)
    if channel is None or channel.is_archived:
        raise BadRequest("Moderation request channel must be specified to enable message reporting.")
    return channel


def _write_report(
    readable: ReadableMessage, reporter: User, sender: User, report_type: str, description: str
) -> str:
    """Return the text of a report. Texts of others are quoted, so that nothing in them mentions anybody."""
    kind = "direct message" if readable.channel is None else "message"
    parts = [
        f"{silent_mention(reporter)} reported a {kind} by {silent_mention(sender)}.",
        f"* Reason: **{REASONS[report_type]}**\n* Message: {readable.message.id}{_describe_place(readable)}",
    ]
    if description:
        parts.append(f"Notes:\n\n{_quote(description)}")
    parts.append(f"Text of the message:\n\n{_quote(shortened_message(readable.message.content))}")
    return "\n\n".join(parts)


def _describe_place(readable: ReadableMessage) -> str:
    """Return the place of a channel message as code: a link would differ by the reader's rights."""
    if readable.channel is None:
        return ""
    place = as_code(f"{readable.channel.name} > {readable.message.topic}")
    return f" in {place}"


def _quote(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def _facts_about(*people: User) -> Facts:
    """Return the facts about the people, each once."""
    by_id = {user.id: user for user in people}
    return Facts(users=[UserFact(user.id, user.full_name) for user in by_id.values()])
