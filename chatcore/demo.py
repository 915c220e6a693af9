"""An organization for trying things out: a few people who talk about a garden and a kitchen."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.application.organization.founding import NewOrganization, initialize, is_initialized
from chatcore.application.people.logins import Login
from chatcore.chat import Chat
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.roles import Role

NAME = "The Allotment"
PASSWORD = "demo-password"

PEOPLE = (
    ("ada@demo.example", "Ada Fox", Role.OWNER),
    ("gus@demo.example", "Gus Berg", Role.ADMINISTRATOR),
    ("mia@demo.example", "Mia Stone", Role.MEMBER),
    ("leo@demo.example", "Leo Park", Role.GUEST),
)
BOT = ("weather-bot@demo.example", "Weather Bot")

CONVERSATION = (
    ("garden", "seeds", "ada", "Who has **tomato** seeds to spare?"),
    ("garden", "seeds", "gus", "I do! Three kinds:\n\n* Berner Rose\n* Green Zebra\n* one without a label"),
    ("garden", "seeds", "mia", "@**Gus Berg** one of the third kind, please :smile:"),
    ("garden", "watering plan", "weather-bot", "No rain until Friday, up to 31 °C."),
    ("garden", "watering plan", "ada", "| day | who |\n|---|---|\n| Wednesday | Ada |\n| Thursday | Mia |"),
    ("garden", "watering plan", "mia", "> No rain until Friday\n\nThen I come on Thursday *and* on Friday."),
    ("kitchen", "lunch", "mia", "Soup at noon? I found a recipe: https://example.com/minestrone"),
    ("kitchen", "lunch", "leo", "Yes! What do I bring?"),
    ("kitchen", "lunch", "gus", "Bread. See also #**garden>seeds**, we have the first basil."),
    ("kitchen", "conversions", "gus", "```python\ndef cups(millilitres):\n    return millilitres / 240\n```"),
    ("kitchen", "conversions", "mia", "And $$1\\,\\text{tbsp} = 15\\,\\text{ml}$$"),
    ("announcements", "harvest festival", "ada", "@**all** the festival is on the last Sunday of September."),
)
DIRECT = (
    ("gus", ("ada",), "Shall we buy the big water tank?"),
    ("ada", ("gus",), "Yes, if it fits behind the shed. Can you measure?"),
    ("mia", ("ada", "gus"), "Leo has his birthday on Monday. Cake?"),
)
SUBSCRIPTIONS = {
    "garden": ("ada", "gus", "mia", "weather-bot"),
    "kitchen": ("ada", "gus", "mia", "leo"),
    "announcements": ("ada", "gus", "mia", "leo"),
}


@dataclass(frozen=True, slots=True)
class Account:
    full_name: str
    kind: str
    login: Login


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo with its current name, and its active people and bots."""

    name: str
    accounts: Sequence[Account]


def set_up(chat: Chat) -> Demo:
    """Create the demo in an empty store, or find it there.

    :raises BadRequest: there is another organization, which a demo would open to everybody
    """
    if not is_initialized(chat.services):
        _make_organization(chat)
    kinds = {email: (full_name, role.name.lower()) for email, full_name, role in PEOPLE}
    kinds[BOT[0]] = BOT[1], "bot"
    name, users = chat.services.storage.read(
        lambda snapshot: (
            snapshot.organization.get().name,
            [snapshot.users.find_by_email(email) for email in kinds],
        )
    )
    if None in users:  # its people identify a demo, with any name and even if some of them are deactivated
        raise BadRequest(
            f"The database has the organization '{name}', and --demo lets anybody log in."
            " Leave --demo out, or use another database."
        )
    accounts = [
        Account(full_name, kind, chat.users.credentials(chat.users.actor(email)))
        for (email, (full_name, kind)), user in zip(kinds.items(), users, strict=True)
        if user is not None and user.is_active
    ]
    return Demo(name, accounts)


def _make_organization(chat: Chat) -> None:
    """Create the organization of the demo with its people, channels and messages."""
    (owner_email, owner_name, _), *others = PEOPLE
    new = NewOrganization(name=NAME, owner_email=owner_email, owner_name=owner_name, owner_password=PASSWORD)
    initialize(chat.services, new)
    who: dict[str, Actor] = {"ada": chat.users.actor(owner_email)}
    for email, name, role in others:
        who[email.partition("@")[0]] = chat.users.create(email, name, role=role)
    who["weather-bot"] = chat.users.create(*BOT, is_bot=True, owner=who["gus"])
    for channel, members in SUBSCRIPTIONS.items():
        chat.channels.subscribe(who["ada"], channel, principals=[who[name].user_id for name in members])
    for channel in SUBSCRIPTIONS:
        chat.channels.add_default(who["ada"], chat.channels.id_of(who["ada"], channel))
    chat.channels.subscribe(who["mia"], "surprises", invite_only=True)
    for person in who.values():
        chat.messages.mark_all_as_read(person)  # so that conversations are seen first, not notices
    sent = [
        chat.messages.send(who[name], content, channel=channel, topic=topic, read_by_sender=True).message_id
        for channel, topic, name, content in CONVERSATION
    ]
    for name, to, content in DIRECT:
        chat.messages.send(who[name], content, to=[who[person].user_id for person in to], read_by_sender=True)
    chat.messages.update_flags(who["ada"], [sent[1], sent[6]], op="add", flag="starred")
    chat.messages.update_flags(who["ada"], sent[:4], op="add", flag="read")


def introduce(demo: Demo, address: str) -> str:
    """Describe the demo: its accounts, and where to look at it."""
    rows = "\n".join(
        f"  {account.full_name:<12} {account.kind:<14} {account.login.email:<26} {account.login.api_key}"
        for account in demo.accounts
    )
    return f"""\
A demo organization, '{demo.name}', with these people and their API keys:

{rows}

Programs use the keys; requests can be tried at /api/docs.

Open {address} in a browser, and click on a person (Ctrl-C stops the server)"""
