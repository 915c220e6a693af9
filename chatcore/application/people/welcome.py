"""The first messages in a new organization and to each new person, by the organization's own bot; and
onboarding steps.
"""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.channels import defaults
from chatcore.application.delivery.notices import facts_about, silent_mention, to_channel, to_person
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.channels.channels import Channel, default_permissions
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.organization.administration import require_administrator, require_no_bot
from chatcore.domain.organization.settings import SETTINGS
from chatcore.domain.people import onboarding
from chatcore.domain.people.users import User
from chatcore.events.audience import Users
from chatcore.events.happened import OnboardingStepsChanged
from chatcore.events.payloads.settings import OnboardingStepObject
from chatcore.markup import Facts, written_channel
from chatcore.storage import Snapshot, Transaction

CUSTOM_TEXT = "welcome_message_custom_text"
FIRST_CHANNEL = "general"
DESCRIPTION = "For everybody, and for all subjects without a channel of their own."

GREETINGS, TOPICS, NEXT = "greetings", "channels and topics", "what to do next"
FIRST_MESSAGES = (
    (
        GREETINGS,
        "Welcome to {organization}! {owner} has made this organization, and everybody who joins it comes"
        " into {channel} first. Say hello: write an answer to this topic.",
    ),
    (
        TOPICS,
        "Messages have a **channel** and a **topic**. A channel is for a group of people or a subject, a"
        " topic for one conversation in it, like the subject of an e-mail.\n\n"
        "* To begin a conversation, write a message with a new topic: a few words that say what it is"
        " about.\n"
        "* To go on with one, answer in its topic. Several conversations can go on at once; people who were"
        " away read them one after another.",
    ),
    (
        NEXT,
        "{owner}, these are good next steps:\n\n"
        "1. Make channels for your teams and subjects.\n"
        "2. Choose the default channels, which new people join, in the settings of the organization.\n"
        "3. Invite the others, in the settings of the organization; or make accounts for them on the server,"
        " with `chatcore user create`. They find the newest messages in the default channels.\n"
        "4. Describe the organization in its settings, for people who are new.",
    ),
)
WELCOME = (
    "Hello, and welcome to {organization}! This is a direct message: nobody reads it but you. It comes from a"
    " bot, so you can try out here how writing works.\n\n"
    "{channels}"
    "Messages have a channel and a topic: answer in the topic of a conversation, and begin a new one with a"
    " few words that say what it is about."
)

_MARKUP = frozenset("*_`~$#@<>[]()|:\\!{}")
"""Characters that Markdown may interpret."""


def open_first_channel(unit: Unit, owner: User) -> None:
    """Create the first default channel of an organization, with its owner as subscriber, and its messages."""
    channel = unit.tx.channels.add(
        {
            "name": FIRST_CHANNEL,
            "description": DESCRIPTION,
            "rendered_description": f"<p>{DESCRIPTION}</p>",
            "date_created": unit.now,
            "creator_id": owner.id,
            "permissions": default_permissions(owner.id),
        }
    )
    defaults.include(unit, channel)
    defaults.join_defaults(unit, owner)
    placeholders = {
        "organization": _organization_name(unit.tx),
        "owner": silent_mention(owner),
        "channel": written_channel(channel.name),
    }
    for topic, content in FIRST_MESSAGES:
        to_channel(unit, channel, topic, content.format(**placeholders), facts_about(owner, channel))


def greet(unit: Unit, newcomer: User, custom_text: str | None = None) -> None:
    """Send a new person, but no bot, a direct message that ends with a *custom_text*, by default that of the
    organization; an empty one is left out.
    """
    if newcomer.is_bot:
        return
    joined = unit.tx.subscriptions.of_user(newcomer.id)
    channels = list(unit.tx.channels.by_ids(list(joined)).values())
    content = WELCOME.format(organization=_organization_name(unit.tx), channels=_list_channels(channels))
    if custom_text is None:
        custom_text = unit.tx.organization.get().welcome_message_custom_text
    if custom_text:
        content += f"\n\n---\n\n{custom_text}"
    to_person(unit, newcomer.id, content, facts_about(newcomer, *channels))


def try_custom_text(svc: Services, actor: Actor, text: str) -> MessageId:
    """Send the actor (an administrator) a text as the end of the welcome message, to try it out.

    :raises InsufficientRole: the actor is not an administrator
    :raises InvalidParameter: a text that is too long
    :raises BadRequest: an empty text, or an organization without a notification bot
    """
    require_administrator(actor)  # check this before the text
    cleaned = str(SETTINGS[CUSTOM_TEXT].read(CUSTOM_TEXT, text))
    return _send_to_administrator(svc, actor, content_for_sending(cleaned, svc.limits))


@unit_of_work
def _send_to_administrator(unit: Unit, me: Actor, content: str) -> MessageId:
    require_administrator(me)
    message_id = to_person(unit, me.user_id, content, Facts())
    if message_id is None:
        raise BadRequest("The organization has no notification bot.")
    return message_id


def _list_channels(channels: Sequence[Channel]) -> str:
    if not channels:
        return ""
    listed = "\n".join(f"* {written_channel(channel.name)}" for channel in channels)
    return f"You are subscribed to these channels:\n\n{listed}\n\n"


def _organization_name(tx: Transaction) -> str:
    """Return the organization's name in bold, without characters that Markdown would interpret."""
    name = "".join(character for character in tx.organization.get().name if character not in _MARKUP).strip()
    return f"**{name}**" if name else "this organization"


# -- steps of clients -------------------------------------------------------------------------------


def finish_step(svc: Services, actor: Actor, name: Annotated[str, about("The name of the step.")]) -> None:
    """Store that the caller has seen an onboarding step, so that clients do not show it again.

    :raises BadRequest: no such step, or a bot
    """
    onboarding.require_step(name)
    require_no_bot(actor)
    _store_step(svc, actor, name)


@unit_of_work
def _store_step(unit: Unit, me: Actor, name: str) -> None:
    if unit.tx.onboarding_steps.add(me.user_id, name):  # not a second time
        unit.tx.announce(OnboardingStepsChanged(), Users((me.user_id,)))


def step_objects(snapshot: Snapshot, user: User) -> list[OnboardingStepObject]:
    """Return the steps that a person has not seen yet as they are sent; bots have none."""
    if user.is_bot:
        return []
    left = onboarding.remaining(snapshot.onboarding_steps.of_user(user.id))
    return [{"type": "one_time_notice", "name": name} for name in left]
