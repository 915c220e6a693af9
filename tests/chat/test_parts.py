"""An organization that is embedded in another program, by each of its parts."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chatcore import Chat, ChatError, open_chat
from chatcore.application.people.profiles import Entry
from chatcore.application.visibility.group_settings import SettingChange
from chatcore.domain.errors import (
    BadEventQueue,
    BadRequest,
    InsufficientRole,
    InvalidParameter,
    Unauthorized,
    UserDeactivated,
)
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.messages.widgets import Widget
from chatcore.domain.organization.profile_fields import FieldType
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.settings import Settings
from tests.worlds.organization import at_once
from tests.worlds.pictures import picture

NOBODY = GroupSetting.of(SystemGroup.NOBODY)


@pytest.fixture
def chat(store_url: str, tmp_path: Path) -> Iterator[Chat]:
    settings = Settings(data_dir=tmp_path, secret_key=b"s" * 32)
    owner = {"owner_email": "ada@example.com", "owner_name": "Ada Fox"}
    with open_chat(store_url, **owner, first_messages=False, settings=settings) as chat:
        chat.users.create("gus@example.com", "Gus Berg", password="correct horse battery")
        yield chat


@pytest.fixture
def ada(chat: Chat) -> Actor:
    return chat.users.actor("ada@example.com")


@pytest.fixture
def gus(chat: Chat) -> Actor:
    return chat.users.actor("gus@example.com")


@pytest.fixture
def garden(chat: Chat, ada: Actor, gus: Actor) -> int:
    """A channel that both are in."""
    chat.channels.subscribe(ada, "garden", principals=[ada.user_id, gus.user_id], description="What grows")
    return chat.channels.id_of(ada, "garden")


def test_messages_are_sent_edited_and_read(chat: Chat, ada: Actor, gus: Actor, garden: int) -> None:
    assert chat.messages.render(ada, "*soon*") == "<p><em>soon</em></p>"
    sent = chat.messages.send(ada, "Tomatos?", channel=garden, topic="seeds", read_by_sender=False)
    chat.messages.edit(ada, sent.message_id, content="Tomatoes?")
    chat.messages.edit(ada, sent.message_id, topic="seedlings", notify_new_topic=False)
    assert chat.messages.get(gus, sent.message_id).message.content == "Tomatoes?"
    history = chat.messages.history(gus, sent.message_id).versions
    assert [version.content for version in history][0::2] == ["Tomatos?", "Tomatoes?"]
    chat.reactions.add(gus, sent.message_id, "tada")
    chat.reactions.add(gus, sent.message_id, "service")
    chat.reactions.remove(gus, sent.message_id, "service")
    unread = chat.messages.unread(gus)
    assert [one.message_ids for one in unread.topics if one.topic == "seedlings"] == [[sent.message_id]]
    assert unread.count == sum(len(one.message_ids) for one in (*unread.topics, *unread.conversations))
    reactions = chat.messages.get(ada, sent.message_id).message.reactions
    assert [one.emoji_name for one in reactions] == ["tada"]
    chat.messages.update_flags_in_narrow(
        gus,
        [["topic", "seedlings"]],
        anchor="newest",
        num_before=5,
        num_after=0,
        include_anchor=True,
        op="add",
        flag="starred",
    )
    widget = Widget("poll", {"question": "Which?", "options": ["basil"]})
    poll = chat.messages.send(ada, "Which?", channel=garden, topic="votes", widget=widget)
    chat.submessages.add(gus, poll.message_id, "widget", '{"type": "vote", "key": "canned,0", "vote": 1}')
    asked = chat.messages.get(ada, poll.message_id).message
    assert [one.sender_id for one in asked.submessages] == [ada.user_id, gus.user_id]
    starred = chat.messages.fetch(gus, narrow=[["is", "starred"]]).readings
    assert [reading.message.id for reading in starred] == [sent.message_id]
    assert chat.topics.list(gus, garden)[1] == ("seedlings", sent.message_id)
    chat.topics.set_policy(gus, garden, "seedlings", VisibilityPolicy.MUTED)
    chat.topics.mark_as_read(gus, garden, "seedlings")
    assert chat.messages.fetch(gus, narrow=[["topic", "seedlings"], ["is", "unread"]]).readings == ()
    chat.messages.delete(ada, sent.message_id)
    with pytest.raises(BadRequest):
        chat.messages.get(ada, sent.message_id)


def test_channels_are_created_listed_and_left(chat: Chat, ada: Actor, gus: Actor, garden: int) -> None:
    closed = {"can_send_message_group": GroupSetting.of(SystemGroup.OWNERS)}
    chat.channels.subscribe(ada, "news", invite_only=True, color="#76ce90", permissions=closed)
    (first, second) = chat.channels.subscriptions(ada)
    assert (first.name, second.name, second.color) == ("garden", "news", "#76ce90")
    assert second.can_send_message_group == SystemGroup.OWNERS
    assert [channel.name for channel in chat.channels.list(gus, subscribed=False)] == ["garden"]
    assert chat.channels.unsubscribe(ada, "garden", principals=["gus@example.com"]).removed == ["garden"]
    assert chat.channels.subscriptions(gus) == []


def test_people_have_profiles_that_can_be_changed(chat: Chat, ada: Actor, gus: Actor) -> None:
    assert chat.users.log_in("gus@example.com", "correct horse battery") == chat.users.credentials(gus)
    city = chat.profile_fields.create(ada, field_type=FieldType.SHORT_TEXT, name="Town", hint="Where?")
    chat.profile_fields.update(ada, city, name="City")
    assert [(one["name"], one["hint"]) for one in chat.profile_fields.list()] == [("City", "Where?")]
    chat.profiles.update(gus, [Entry(city, "Bern")])
    chat.users.update(ada, gus.user_id, full_name="Gus B", profile_data=[Entry(city, "Basel")])
    shown = chat.users.get(ada, gus.user_id, include_custom_profile_fields=True)
    assert (shown.full_name, shown.profile_data[str(city)]["value"]) == ("Gus B", "Basel")
    chat.statuses.set(gus, status_text="away", emoji_name="service")
    assert chat.statuses.get(ada, gus.user_id)["emoji_name"] == "service"
    chat.settings.change(gus, full_name="Gus Berg", settings={"enter_sends": True})
    assert chat.users.own(gus).full_name == "Gus Berg"
    state = chat.events.register(gus, event_types=["user_settings"]).state
    assert state["user_settings"]["enter_sends"] is True
    chat.bot_storage.put(gus, {"seen": "1", "said": "2"})
    chat.bot_storage.remove(gus, ["said"])
    assert chat.bot_storage.get(gus) == {"seen": "1"}
    assert chat.alert_words.add(gus, ["basil"]) == ["basil"]
    chat.presence.report(gus, is_active=True)
    assert chat.presence.list(ada, slim=True).presences.keys() == {str(gus.user_id)}
    assert chat.pictures.set_own(gus, [picture()]) == chat.pictures.address(ada, gus.user_id)
    with chat.events.follow(ada, event_types=["typing"]) as events:
        chat.typing.announce(gus, "start", to=[ada.user_id])
        assert next(events)["sender"]["user_id"] == gus.user_id


@pytest.mark.parametrize("data", [None, ["tea"], {"question": object(), "options": []}, {"song": {1j}}])
def test_a_widget_is_what_json_can_say(chat: Chat, ada: Actor, garden: int, data: Any) -> None:
    for kind in ("poll", "form"):
        with pytest.raises(ChatError, match=r"Invalid|Bad value for 'extra_data'"):
            chat.messages.send(ada, "tea?", channel=garden, topic="tea", widget=Widget(kind, data))


def test_an_actor_has_the_rights_of_now(chat: Chat, ada: Actor) -> None:
    """An actor that a program has kept for long has the present permissions: more than before, fewer, or
    none.
    """
    chat.channels.subscribe(ada, "board", invite_only=True)
    chat.channels.subscribe(ada, "lawn")
    board, lawn = (chat.channels.id_of(ada, name) for name in ("board", "lawn"))
    chat.users.create("kim@example.com", "Kim Lee")
    kim = chat.users.actor("kim@example.com")
    chat.users.set_role("kim@example.com", "administrator")
    assert chat.channels.get(kim, board).name == "board"
    chat.channels.update(kim, lawn, name="meadow")
    chat.users.set_role("kim@example.com", "guest")
    for channel_id in (board, lawn):
        with pytest.raises(BadRequest, match="Invalid channel ID"):
            chat.channels.get(kim, channel_id)
    chat.users.deactivate(ada, kim.user_id)
    for ask in (chat.users.list, chat.channels.list, chat.drafts.list):
        with pytest.raises(UserDeactivated):
            ask(kim)


def test_groups_are_created_filled_and_deactivated(chat: Chat, ada: Actor, gus: Actor) -> None:
    group = chat.groups.create(ada, name="gardeners", description="", members=[ada.user_id])
    joinable = {"can_join_group": SettingChange(GroupSetting.of(SystemGroup.MEMBERS), old=NOBODY)}
    chat.groups.update(ada, group, description="They plant", settings=joinable)
    chat.groups.update_members(gus, group, add=[gus.user_id])
    assert chat.groups.members(gus, group) == [ada.user_id, gus.user_id]
    assert chat.groups.list(gus)[-1].description == "They plant"
    chat.groups.deactivate(ada, group)
    assert group not in [one.id for one in chat.groups.list(gus)]


def test_configuration_by_administrators(chat: Chat, ada: Actor, gus: Actor, garden: int) -> None:
    with pytest.raises(InsufficientRole):
        chat.linkifiers.add(gus, "#(?P<id>[0-9]+)", "https://example.com/{id}")
    linkifier = chat.linkifiers.add(ada, "#(?P<id>[0-9]+)", "https://example.com/{id}")
    chat.linkifiers.update(ada, linkifier, "B(?P<id>[0-9]+)", "https://example.com/{id}")
    assert "https://example.com/12" in chat.messages.render(gus, "see B12")
    chat.playgrounds.add(ada, "Try it", "Python", "https://example.com/{code}")
    chat.emoji.add(ada, "carrot_cake", [picture()])
    ((emoji_id, emoji),) = chat.emoji.list().items()
    assert (emoji_id, emoji.name) == ("1", "carrot_cake")
    file_name = emoji.source_url.rpartition("/")[2]
    content_type, file = chat.emoji.open_picture(file_name)
    with file:
        assert (content_type, file.read(4)) == ("image/png", b"\x89PNG")
    assert chat.server_settings()["realm_name"] == "Chat"


def test_queues_have_options_and_are_deleted(chat: Chat, ada: Actor, gus: Actor, garden: int) -> None:
    queue = chat.events.register(gus, event_types=["message"], narrow=[["topic", "soup"]], lifespan=7200)
    chat.messages.send(ada, "peas", channel=garden, topic="seeds")
    chat.messages.send(ada, "leek", channel=garden, topic="soup", client="kitchen")
    (event,) = chat.events.poll(gus, queue.queue_id, queue.last_event_id, dont_block=True)
    assert (event["message"]["content"], event["message"]["client"]) == ("<p>leek</p>", "kitchen")
    chat.events.delete(gus, queue.queue_id)
    with pytest.raises(ChatError):
        chat.events.poll(gus, queue.queue_id, queue.last_event_id)
    with pytest.raises(BadRequest):
        chat.events.register(gus, narrow=[["is", "followed"]])


def test_files_are_uploaded_listed_and_opened(chat: Chat, ada: Actor) -> None:
    file = chat.files.upload(ada, "soup.txt", [b"leek"])
    assert [one["id"] for one in chat.files.list(ada).attachments] == [file.id]
    *_, token, name = chat.files.temporary_url(ada, file.path_id).split("/")
    with chat.files.open_temporary(token, name).file as opened:
        assert opened.read() == b"leek"


def test_accounts_are_created_and_deactivated(chat: Chat, ada: Actor, gus: Actor, garden: int) -> None:
    chat.users.allow_creating_users("ada@example.com")
    with pytest.raises(InsufficientRole):
        chat.users.create("mia@example.com", "Mia Stone", by=gus)
    mia = chat.users.create("mia@example.com", "Mia Stone", by=ada)
    assert chat.users.deactivate(ada, mia.user_id) == [mia.user_id]
    with pytest.raises(BadRequest):
        chat.users.actor("mia@example.com")
    chat.users.reactivate(ada, mia.user_id)
    chat.statuses.set_of(ada, mia.user_id, status_text="new here")
    assert chat.statuses.get(gus, mia.user_id) == {"status_text": "new here"}
    chat.channels.update(
        ada, garden, name="orchard", permissions={"can_send_message_group": SettingChange(NOBODY)}
    )
    assert chat.channels.get(gus, garden).name == "orchard"
    assert chat.channels.subscribers(mia, garden) == [ada.user_id, gus.user_id]
    with pytest.raises(ChatError):
        chat.channels.subscribe(ada, "orchard", must_be_new=True)
    chat.channels.archive(ada, garden)
    assert chat.channels.list(gus) == []


MISTYPED: dict[str, Callable[[Chat, Actor, int], object]] = {
    "permissions": lambda chat, ada, id: chat.channels.subscribe(ada, "x", permissions={"sing": NOBODY}),
    "topics_policy": lambda chat, ada, id: chat.channels.subscribe(ada, "x", topics_policy="sing"),
    "message_retention_days": lambda chat, ada, id: chat.channels.subscribe(
        ada, "x", message_retention_days=0
    ),
    "color": lambda chat, ada, id: chat.channels.subscribe(ada, "x", color="red"),
    "permissions of a channel": lambda chat, ada, id: chat.channels.update(
        ada, chat.channels.id_of(ada, "garden"), permissions={"sing": SettingChange(NOBODY)}
    ),
    "settings": lambda chat, ada, id: chat.settings.change(ada, settings={"sing": True}),
    "settings of a new group": lambda chat, ada, id: chat.groups.create(
        ada, name="x", description="", members=[], settings={"sing": NOBODY}
    ),
    "settings of a group": lambda chat, ada, id: chat.groups.update(
        ada, 99, settings={"sing": SettingChange(NOBODY)}
    ),
    "propagate_mode": lambda chat, ada, id: chat.messages.edit(ada, id, topic="x", propagate_mode="sing"),
    "op": lambda chat, ada, id: chat.typing.announce(ada, "sing", to=[ada.user_id]),
}


def test_users_of_a_site_have_one_account_each(chat: Chat, gus: Actor) -> None:
    assert chat.users.get_or_create("gus@example.com", "Another name") == gus
    guest = chat.users.get_or_create("guest@example.com", "Guest", role="guest")
    assert guest.role == Role.GUEST
    assert chat.users.get_or_create("guest@example.com", "Guest", role=Role.OWNER) == guest
    with pytest.raises(InvalidParameter):
        chat.users.get_or_create("other@example.com", "Other", role="gost")
    first, *others = at_once(*6 * [lambda: chat.users.get_or_create("mia@example.com", "Mia")])
    assert {one.user_id for one in others} == {first.user_id}
    with pytest.raises(BadRequest):
        chat.users.get_or_create("leo@example.com", "")
    assert chat.users.actor(gus.user_id) == gus
    chat.users.deactivate(None, gus)
    with pytest.raises(UserDeactivated):
        chat.users.get_or_create("gus@example.com", "Gus Berg")
    for who in (gus.user_id, 2**40, -1):
        with pytest.raises(BadRequest, match="no active account"):
            chat.users.actor(who)


def test_a_key_shows_whose_request_it_is(chat: Chat, gus: Actor) -> None:
    login = chat.users.credentials(gus)
    assert chat.users.authenticate(login.email, login.api_key) == gus
    for email, key in ((login.email, "another"), ("ada@example.com", login.api_key)):
        with pytest.raises(Unauthorized):
            chat.users.authenticate(email, key)


def test_words_that_mean_nothing_are_refused(chat: Chat, ada: Actor, garden: int) -> None:
    sent = chat.messages.send(ada, "peas", channel=garden, topic="seeds").message_id
    for name, call in MISTYPED.items():
        with pytest.raises((InvalidParameter, BadRequest), match=name.partition(" ")[0]):
            call(chat, ada, sent)
    assert [channel.name for channel in chat.channels.list(ada)] == ["garden"]


@pytest.mark.parametrize("number", [2**63, 2**80, -(2**70)])
def test_a_number_that_is_no_id_is_refused(chat: Chat, ada: Actor, garden: int, number: int) -> None:
    calls: list[Callable[[], object]] = [
        lambda: chat.channels.get(ada, number),
        lambda: chat.channels.archive(ada, number),
        lambda: chat.channels.add_default(ada, number),
        lambda: chat.channels.subscribers(ada, number),
        lambda: chat.channels.subscribe(ada, "garden", principals=[number]),
        lambda: chat.topics.delete(ada, number, "seeds"),
        lambda: chat.topics.set_policy(ada, number, "seeds", VisibilityPolicy.MUTED),
        lambda: chat.users.get(ada, number),
        lambda: chat.users.mute(ada, number),
        lambda: chat.users.deactivate(ada, number),
        lambda: chat.messages.get(ada, number),
        lambda: chat.messages.send(ada, "soup", channel=number, topic="seeds"),
        lambda: chat.messages.send(ada, "soup", to=[ada.user_id, number]),
        lambda: chat.reactions.add(ada, number, "tada"),
    ]
    for call in calls:
        with pytest.raises(ChatError):
            call()


def test_actions_of_a_user_deactivated_meanwhile_are_refused(chat: Chat, ada: Actor, gus: Actor) -> None:
    """Actions are refused even while a file is being received or events are followed; ending the iteration
    is no error.
    """

    def pieces() -> Iterator[bytes]:
        yield b"one"
        chat.users.deactivate(ada, gus.user_id)
        yield b"two"

    with pytest.raises(UserDeactivated):
        chat.files.upload(gus, "notes.txt", pieces())
    chat.users.reactivate(ada, gus.user_id)
    assert chat.files.list(gus).attachments == []
    with chat.events.follow(gus, event_types=["message"]) as events:
        chat.users.deactivate(ada, gus.user_id)
        with pytest.raises(UserDeactivated):
            next(events)


def test_another_key_ends_what_is_followed(chat: Chat, gus: Actor) -> None:
    """Closing it afterwards is no error: that would hide an error of the program."""
    with chat.events.follow(gus, event_types=["message"]) as events:
        chat.users.renew_own_key(gus)
        with pytest.raises(BadEventQueue):
            next(events)


def test_an_account_that_is_not_in_this_organization_does_nothing(chat: Chat) -> None:
    with open_chat() as other:
        stranger = [other.users.create(f"p{number}@example.com", "Pia") for number in range(3)][-1]
    with pytest.raises(Unauthorized, match="no such account in this organization"):
        chat.channels.list(stranger)


@pytest.mark.parametrize(("mode", "source"), [("proxy", "/external_content/"), ("off", None)])
def test_stored_html_is_shown_as_the_setting_says(store_url: str, mode: str, source: str | None) -> None:
    """The secret that signs the addresses is the one of the organization; these settings have none."""
    owner = {"owner_email": "ada@example.com", "owner_name": "Ada Fox"}
    settings = Settings(external_images=mode)
    with open_chat(store_url, **owner, first_messages=False, settings=settings) as chat:
        ada = chat.users.actor("ada@example.com")
        sent = chat.messages.send(ada, "https://a.example/b.png", to=[ada]).message_id
        stored = chat.messages.get(ada, sent).message.rendered_content
        assert 'src="https://a.example/b.png"' in stored
        shown = chat.messages.show_html(stored)
        assert "src=" in shown if source else "src=" not in shown
        assert source is None or f'src="{source}' in shown
