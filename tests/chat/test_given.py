"""Arguments of the methods of `Chat`: several forms are accepted, and errors name the wrong argument."""

import ast
import copy
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import UNSET

import chatcore.chat
from chatcore import (
    Actor,
    BadRequest,
    Chat,
    DraftContent,
    DraftType,
    GroupSetting,
    InvalidParameter,
    ProfileEntry,
    Role,
    SettingChange,
    SubscriptionChange,
    SystemGroup,
    VisibilityPolicy,
    WantedChannel,
    open_chat,
)
from chatcore.application.messages import deleting_topics
from chatcore.application.registration import accounts
from chatcore.storage.generations import Made
from tests.chat import typed_program
from tests.worlds.pictures import picture


@pytest.fixture
def chat() -> Iterator[Chat]:
    with open_chat(first_messages=False) as chat:
        chat.users.create("bea@example.com", "Bea")
        yield chat


@pytest.fixture
def ada(chat: Chat) -> Actor:
    return chat.users.actor("owner@example.com")


@pytest.fixture
def bea(chat: Chat) -> Actor:
    return chat.users.actor("bea@example.com")


def given(value: object) -> Any:
    """The value, untyped: an argument that a type checker would reject."""
    return value


# -- accepted forms -----------------------------------------------------------------------------------


def test_people_are_given_one_by_one_or_as_lists_in_each_form(chat: Chat, ada: Actor, bea: Actor) -> None:
    forms = ["bea@example.com", bea, bea.user_id]
    for form in [*forms, *([one] for one in forms), (bea, "owner@example.com")]:
        sent = chat.messages.send(ada, "hello", to=form)
        assert chat.messages.get(bea, sent.message_id).sender.id == ada.user_id
        chat.typing.announce(ada, "start", to=form)
        chat.channels.subscribe(ada, "garden", principals=form)
        garden = chat.channels.id_of(ada, "garden")
        assert chat.channels.is_subscriber(ada, given(bea), garden)
        chat.channels.unsubscribe(ada, "garden", principals=form)
        assert not chat.channels.is_subscriber(ada, bea.user_id, garden)


def test_names_are_given_one_by_one_or_as_lists(chat: Chat, ada: Actor) -> None:
    def names() -> list[str]:
        return [one.name for one in chat.channels.subscriptions(ada)]

    chat.channels.subscribe(ada, ["beans", "herbs"], "peas")
    assert names() == ["beans", "herbs", "peas"]
    chat.channels.unsubscribe(ada, ("beans", "herbs"))
    chat.channels.change_subscriptions(ada, given("kale"), given("peas"))
    chat.channels.change_subscriptions(ada, [WantedChannel("leek")], [])
    chat.channels.change_subscriptions(ada, given([{"name": "mint", "color": "#76ce90"}, "nuts"]), [])
    assert names() == ["kale", "leek", "mint", "nuts"]
    assert chat.alert_words.add(ada, given("basil")) == ["basil"]


def test_names_stand_for_numbers(chat: Chat, ada: Actor) -> None:
    for number, role in enumerate([Role.GUEST, 600, "guest", "GUEST"]):
        guest = chat.users.create(f"guest{number}@example.com", "Guest", role=given(role))
        assert guest.role is Role.GUEST
    chat.users.update(ada, given(guest), role=given("moderator"))
    assert chat.users.actor("guest3@example.com").role is Role.MODERATOR
    chat.channels.subscribe(ada, "garden")
    garden = chat.channels.id_of(ada, "garden")
    for policy in (VisibilityPolicy.MUTED, 1, "muted"):
        chat.topics.set_policy(ada, garden, "slugs", given(policy))
        state = chat.events.register(ada, event_types=["user_topic"]).state
        assert [one["visibility_policy"] for one in state["user_topics"]] == [1]
        chat.topics.set_policy(ada, garden, "slugs", given("inherit"))
    town = chat.profile_fields.create(ada, field_type=given("short_text"), name="Town")
    for entries in ([ProfileEntry(town, "Bern")], given([{"field_id": town, "value": "Bern"}])):
        chat.profiles.update(ada, entries)
        shown = chat.users.get(ada, ada.user_id, include_custom_profile_fields=True)
        assert shown.profile_data[str(town)]["value"] == "Bern"
        chat.profiles.remove(ada, given(town))


@pytest.mark.parametrize("most", [2**26, 0])
def test_what_a_program_changes_in_its_state_is_not_in_that_of_others(
    chat: Chat, ada: Actor, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "LISTS", Made(most))
    bot = chat.bots.create(ada, short_name="clock", full_name="Clock")

    def people() -> dict[int, Any]:
        return {user.user_id: user for user in chat.events.register(ada).state["realm_users"]}

    at_first = copy.deepcopy(people())
    for _ in range(2):
        people()[ada.user_id].profile_data["1"] = "a value of its own"
    assert people() == at_first
    assert at_first[bot["user_id"]].profile_data is UNSET


def test_holders_of_a_permission_are_given_in_each_form(chat: Chat, ada: Actor, bea: Actor) -> None:
    name = "can_send_message_group"
    chat.channels.subscribe(ada, "garden", permissions=given({name: "nobody"}))
    garden = chat.channels.id_of(ada, "garden")
    admins = SystemGroup.ADMINISTRATORS
    for form, seen in [
        (SettingChange(GroupSetting.of(admins)), 3),
        (GroupSetting.of(members=[bea.user_id]), {"direct_members": [bea.user_id], "direct_subgroups": []}),
        (admins, 3),
        (6, 6),
        ("administrators", 3),
        (bea, {"direct_members": [bea.user_id], "direct_subgroups": []}),
    ]:
        chat.channels.update(ada, garden, permissions={name: given(form)})
        assert getattr(chat.channels.get(ada, garden), name) == seen
    group = chat.groups.create(
        ada, name="growers", description="", members=given(bea), settings=given({"can_join_group": "members"})
    )
    assert chat.groups.members(ada, group) == [bea.user_id]


def test_mappings_of_fields_stand_for_values(chat: Chat, ada: Actor) -> None:
    chat.channels.subscribe(ada, "garden")
    garden = chat.channels.id_of(ada, "garden")
    fields = {"channel_id": garden, "property": "is_muted", "value": True}
    for change in (fields, [fields], [SubscriptionChange(garden, "is_muted", True)]):
        chat.channels.change_settings(ada, given(change))
        assert chat.channels.subscriptions(ada)[0].is_muted
        chat.channels.change_settings(ada, [SubscriptionChange(garden, "is_muted", False)])
    content = DraftContent(type=DraftType.CHANNEL, to=[garden], topic="tea", content="mint")
    for draft in (content, {"type": "channel", "to": garden, "topic": "tea", "content": "mint"}):
        [draft_id] = chat.drafts.create(ada, given(draft))
        chat.drafts.edit(ada, draft_id, given(draft))
        assert [(one["type"], [*one["to"]]) for one in chat.drafts.list(ada)] == [("stream", [garden])]
        chat.drafts.delete(ada, draft_id)


def test_a_file_whole_or_in_pieces(chat: Chat, ada: Actor) -> None:
    for pieces in (b"hello", [b"hel", b"lo"], iter([b"hello"]), bytearray(b"hello")):
        assert chat.files.upload(ada, "n.txt", given(pieces)).size == 5
    chat.emoji.add(ada, "carrot_cake", picture())
    assert chat.pictures.set_own(ada, given(picture()))


# -- malformed values ---------------------------------------------------------------------------------

WRONG = {"archived_channels": 1}
DRAFT: dict[str, Any] = {"type": DraftType.CHANNEL, "to": [1], "topic": "tea", "content": "green"}
HUGE = 10**30

RIDDLES: list[tuple[str, Callable[[Chat, Actor], object]]] = [
    ("actor", lambda chat, ada: chat.messages.send(given("owner@example.com"), "x", to=[ada])),
    ("content", lambda chat, ada: chat.messages.send(ada, given(b"x"), to=[ada])),
    ("to", lambda chat, ada: chat.messages.send(ada, "x", channel="garden", topic="t", to=[ada])),
    ("to", lambda chat, ada: chat.messages.send(ada, "x", channel="garden", topic="t", to=[])),
    ("to", lambda chat, ada: chat.messages.send(ada, "x", to=given(b"owner@example.com"))),
    ("to", lambda chat, ada: chat.messages.send(ada, "x", to=given([None]))),
    ("topic", lambda chat, ada: chat.messages.send(ada, "x", topic="t", to=[ada])),
    ("topic", lambda chat, ada: chat.messages.send(ada, "x", topic="t")),
    ("to", lambda chat, ada: chat.typing.announce(ada, "start", channel_id=1, topic="t", to=ada)),
    ("channel", lambda chat, ada: chat.messages.send(ada, "x", channel=given(["garden"]), topic="t")),
    ("names", lambda chat, ada: chat.channels.subscribe(ada, given(3))),
    ("invite_only", lambda chat, ada: chat.channels.subscribe(ada, "x", invite_only=given("no"))),
    ("color", lambda chat, ada: chat.channels.subscribe(ada, "x", color=given(7))),
    ("channel_id", lambda chat, ada: chat.channels.get(ada, given("garden"))),
    ("channel_id", lambda chat, ada: chat.channels.mark_as_read(ada, given(ada))),
    ("user_id", lambda chat, ada: chat.users.deactivate(ada, given("bea@example.com"))),
    ("user_id", lambda chat, ada: chat.users.deactivate(ada, given(None))),
    ("role", lambda chat, ada: chat.users.create("mia@example.com", "Mia", role=given("gardener"))),
    ("policy", lambda chat, ada: chat.topics.set_policy(ada, 1, "t", given("loud"))),
    ("can_send_message_group", lambda chat, ada: permit(chat, ada, can_send_message_group=1.5)),
    ("can_send_message_group", lambda chat, ada: permit(chat, ada, can_send_message_group="gardeners")),
    ("permissions", lambda chat, ada: chat.channels.update(ada, 1, permissions=given(["nobody"]))),
    ("changes", lambda chat, ada: chat.channels.change_settings(ada, given([{"property": "is_muted"}]))),
    ("changes", lambda chat, ada: chat.channels.change_settings(ada, given([{"sing": 1}]))),
    ("changes", lambda chat, ada: chat.channels.change_settings(ada, given(3))),
    ("wanted", lambda chat, ada: chat.drafts.create(ada, given(["tea"]))),
    ("type", lambda chat, ada: chat.drafts.create(ada, given([{"type": "song", "content": "tea"}]))),
    ("pieces", lambda chat, ada: chat.files.upload(ada, "n.txt", given("hello"))),
    ("pieces", lambda chat, ada: chat.files.upload(ada, "n.txt", given([b"hel", "lo"]))),
    ("message_ids", lambda chat, ada: chat.messages.update_flags(ada, given("7"), op="add", flag="read")),
    ("event_types", lambda chat, ada: chat.events.register(ada, event_types=["messages"])),
    ("capabilities", lambda chat, ada: chat.events.register(ada, capabilities=given(None))),
    ("settings", lambda chat, ada: chat.settings.change(ada, settings=given(5))),
    ("changes", lambda chat, ada: chat.organization.change(given(5))),
    ("timestamp", lambda chat, ada: chat.drafts.create(ada, given([DRAFT | {"timestamp": HUGE}]))),
    ("timestamp", lambda chat, ada: chat.drafts.create(ada, [DraftContent(**DRAFT, timestamp=HUGE)])),
    ("to", lambda chat, ada: chat.drafts.create(ada, given([DRAFT | {"to": [HUGE]}]))),
    ("channel_id", lambda chat, ada: chat.channels.change_settings(ada, [SubscriptionChange(HUGE, "x", 1)])),
    ("field_id", lambda chat, ada: chat.profiles.update(ada, [ProfileEntry(HUGE, "tea")])),
    ("can_send_message_group", lambda chat, ada: permit(chat, ada, can_send_message_group=HUGE)),
    (
        "can_send_message_group",
        lambda chat, ada: permit(chat, ada, can_send_message_group=GroupSetting.of(HUGE)),
    ),
    (
        "can_send_message_group",
        lambda chat, ada: chat.channels.update(
            ada, 1, permissions={"can_send_message_group": SettingChange(GroupSetting.of(members=[HUGE]))}
        ),
    ),
    ("archived_channels", lambda chat, ada: chat.events.register(ada, capabilities=given(WRONG))),
    ("fetch_event_types", lambda chat, ada: chat.events.register(ada, fetch_event_types=["relm"])),
]


def permit(chat: Chat, ada: Actor, **permissions: object) -> None:
    chat.channels.subscribe(ada, "x", permissions=given(permissions))


def test_meaningless_arguments_are_refused_by_the_name_of_the_parameter(chat: Chat, ada: Actor) -> None:
    chat.channels.subscribe(ada, "garden")
    newest = chat.messages.fetch(ada).readings[-1:]
    for name, call in RIDDLES:
        with pytest.raises(InvalidParameter, match=f"Bad value for '{name}'") as refused:
            call(chat, ada)
        assert refused.value.name == name
    assert chat.messages.fetch(ada).readings[-1:] == newest
    assert [channel.name for channel in chat.channels.list(ada)] == ["garden"]
    assert chat.files.list(ada).attachments == []


def test_a_message_to_nobody_is_refused(chat: Chat, ada: Actor) -> None:
    for to in (None, [], ()):
        with pytest.raises(BadRequest, match="must have recipients"):
            chat.messages.send(ada, "x", to=given(to))


def test_an_unknown_type_of_events_names_the_nearest(chat: Chat, ada: Actor) -> None:
    refused = r"'event_types': there is no type 'messages'; did you mean 'message'\?"
    with pytest.raises(InvalidParameter, match=refused), chat.events.follow(ada, event_types=["messages"]):
        pass
    chat.events.register(ada, event_types=["message", "realm_domains", "typing"])


def test_a_topic_is_deleted_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The use case gives up after a while; the method repeats it until the topic is empty."""
    monkeypatch.setattr(deleting_topics, "BATCH", 2)
    seconds, step = 0.0, 0.0

    def monotonic() -> float:
        nonlocal seconds
        seconds += step
        return seconds

    with open_chat(monotonic=monotonic) as chat:
        ada = chat.users.actor("owner@example.com")
        chat.channels.subscribe(ada, "garden")
        garden = chat.channels.id_of(ada, "garden")
        for number in range(7):
            chat.messages.send(ada, f"slug {number}", channel="garden", topic="slugs")
        step = deleting_topics.REQUEST_SECONDS * 0.6
        chat.topics.delete(ada, garden, "slugs")
        step = 0.0
        assert "slugs" not in [name for name, _ in chat.topics.list(ada, garden)]


TAKES_ANYTHING = {
    *("data", "narrow", "field_data", "include_subscribers", "op", "messages", "progress"),
    *("kind", "origin", "target_type"),
}
"""Parameters that the use cases themselves read or call."""
PASSED_ON = {
    *((name, parameter) for name in ("follow", "follow_async") for parameter in ("actor", "event_types")),
    ("iterate", "actor"),
}
"""Parameters that other methods read."""


def methods() -> Iterator[ast.FunctionDef]:
    for module in pkgutil.walk_packages(chatcore.chat.__path__, "chatcore.chat."):
        tree = ast.parse(inspect.getsource(importlib.import_module(module.name)))
        for part in [node for node in tree.body if isinstance(node, ast.ClassDef)]:
            found = [node for node in part.body if isinstance(node, ast.FunctionDef)]
            bases = {ast.unparse(base).partition(".")[0] for base in part.bases}
            yield from (method for method in found if bases & {"Part", "made"})


def arguments(method: ast.FunctionDef) -> set[str]:
    given = method.args
    named = [*given.args[1:], *given.kwonlyargs, *([given.vararg] if given.vararg else [])]
    return {one.arg for one in named}


def read_in(method: ast.FunctionDef) -> set[str]:
    """Parameters that are passed to a function that reads them by name or looks up permissions."""
    calls = [node for node in ast.walk(method) if isinstance(node, ast.Call)]
    by_readers = {
        keyword.arg
        for call in calls
        if isinstance(call.func, ast.Name) and hasattr(chatcore.chat.given, call.func.id)
        for keyword in call.keywords
        if keyword.arg in {node.id for node in ast.walk(keyword.value) if isinstance(node, ast.Name)}
    }
    acting = {
        ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func).startswith("self._acting")
    }
    return {name for name in by_readers if name} | acting


def test_arguments_of_every_other_kind_are_read() -> None:
    found = [method for method in methods() if not method.name.startswith("_")]
    unread = {(method.name, name) for method in found for name in arguments(method) - read_in(method)}
    assert len(found) > 90
    assert {name for _, name in unread - PASSED_ON} == TAKES_ANYTHING


def test_a_program_that_type_checkers_accept_runs() -> None:
    assert typed_program.run() == [
        *("garden", "herbs", "leek", "mint", "nuts"),
        "<p>Who has <strong>tomato</strong> seeds?</p>",
        "Gus Berg: Who has **tomato** seeds?",
        "BAD_REQUEST policy",
        "plan.txt",
    ]
