"""The Python client library of the API: each method of its client against a server process."""

import ast
import inspect
import threading
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.clients.installed import library
from tests.clients.served import PASSWORD, Served
from tests.waiting import PATIENCE
from tests.worlds.pictures import picture


def ok(answer: dict[str, Any]) -> dict[str, Any]:
    assert answer["result"] == "success", answer
    assert answer["msg"] == ""
    return answer


def named(name: str, content: bytes) -> BytesIO:
    """A file to upload; the library asks it for its name."""
    file = BytesIO(content)
    file.name = name
    return file


@pytest.fixture
def lunch(ada: Any, bea: Any) -> int:
    """A channel to which everybody is subscribed."""
    for one in (ada, bea):
        ok(one.add_subscriptions([{"name": "lunch", "description": "Soup"}]))
    found: int = ok(ada.get_stream_id("lunch"))["stream_id"]
    return found


def says(client: Any, content: str, topic: str = "soup", **more: Any) -> int:
    message = {"type": "stream", "to": "lunch", "topic": topic, "content": content, **more}
    sent: int = ok(client.send_message(message))["id"]
    return sent


def newest(client: Any, *narrow: list[str], **more: Any) -> list[dict[str, Any]]:
    wanted = {"anchor": "newest", "num_before": 20, "num_after": 0, "narrow": list(narrow), **more}
    found: list[dict[str, Any]] = ok(client.get_messages(wanted))["messages"]
    return found


# -- messages ---------------------------------------------------------------------------------------


def test_messages_are_sent_and_read(ada: Any, bea: Any, lunch: int) -> None:
    sent = says(ada, "**soup** is ready")
    direct = {"type": "private", "to": [bea.email], "content": "for you"}
    ok(ada.send_message(direct))
    found = newest(bea, ["stream", "lunch"], ["topic", "soup"])
    assert found[-1]["id"] == sent
    assert found[-1]["content"] == "<p><strong>soup</strong> is ready</p>"
    assert found[-1]["client"] == "TestProgram"
    assert newest(bea, ["is", "private"])[-1]["type"] == "private"
    assert ok(bea.get_raw_message(sent))["raw_content"] == "**soup** is ready"
    found = ok(bea.check_messages_match_narrow(msg_ids=[sent], narrow=[["search", "ready"]]))
    assert str(sent) in found["messages"]
    assert ok(ada.render_message({"content": "*so*"}))["rendered"] == "<p><em>so</em></p>"


def test_messages_are_edited_moved_and_deleted(ada: Any, bea: Any, lunch: int) -> None:
    sent = says(ada, "soup", topic="old")
    ok(ada.update_message({"message_id": sent, "content": "salad", "topic": "new"}))
    history = ok(bea.get_message_history(sent))["message_history"]
    assert [one["content"] for one in history] == ["soup", "salad"]
    ok(ada.add_subscriptions([{"name": "kitchen"}]))
    ok(bea.add_subscriptions([{"name": "kitchen"}]))
    ok(ada.move_topic("lunch", "kitchen", "new", "moved"))
    moved = newest(bea, ["stream", "kitchen"], ["topic", "moved"])
    assert sent in [one["id"] for one in moved]
    ok(ada.delete_message(sent))
    assert bea.get_raw_message(sent)["code"] == "BAD_REQUEST"


def test_reactions_come_and_go(ada: Any, bea: Any, lunch: int) -> None:
    sent = says(ada, "soup")
    ok(bea.add_reaction({"message_id": sent, "emoji_name": "tada"}))
    assert bea.add_reaction({"message_id": sent, "emoji_name": "tada"})["code"] == "REACTION_ALREADY_EXISTS"
    own = {"message_id": sent, "emoji_name": "smile", "emoji_code": "1f642", "reaction_type": "unicode_emoji"}
    ok(bea.add_reaction(own))
    (message,) = newest(ada, ["id", str(sent)])
    assert {one["emoji_name"] for one in message["reactions"]} == {"tada", "smile"}
    for gone in ("tada", "smile"):
        ok(bea.remove_reaction({"message_id": sent, "emoji_name": gone}))
    assert newest(ada, ["id", str(sent)])[0]["reactions"] == []


def test_flags_are_set_and_messages_marked_as_read(ada: Any, bea: Any, lunch: int) -> None:
    sent = says(ada, "soup", topic="flags")

    def flags() -> list[str]:
        found: list[str] = newest(bea, ["id", str(sent)])[0]["flags"]
        return found

    ok(bea.update_message_flags({"messages": [sent], "op": "add", "flag": "starred"}))
    assert flags() == ["starred"]
    for mark in (
        bea.mark_all_as_read,
        partial(bea.mark_stream_as_read, lunch),
        partial(bea.mark_topic_as_read, lunch, "flags"),
    ):
        ok(bea.update_message_flags({"messages": [sent], "op": "remove", "flag": "read"}))
        assert "read" not in flags()
        ok(mark())
        assert "read" in flags()


def test_files_are_uploaded(ada: Any, bea: Any, lunch: int) -> None:
    stored = ok(ada.upload_file(named("plan.txt", b"soup at noon")))
    says(ada, f"[plan]({stored['uri']})")
    assert "plan.txt" in {one["name"] for one in ok(ada.get_attachments())["attachments"]}
    for client, address in ((ada, ada), (bea, bea)):
        got = client.session.get(address.base_url.removesuffix("/api/") + stored["url"], timeout=PATIENCE)
        assert got.content == b"soup at noon"


def test_the_typing_of_others_is_sent(ada: Any, bea: Any, lunch: int) -> None:
    bea_id = ok(bea.get_profile())["user_id"]
    ok(ada.set_typing_status({"op": "start", "to": [bea_id]}))
    ok(ada.set_typing_status({"op": "stop", "to": [bea_id]}))
    ok(ada.set_typing_status({"op": "start", "type": "stream", "stream_id": lunch, "topic": "soup"}))


# -- channels ---------------------------------------------------------------------------------------


def test_channels_are_joined_changed_and_left(ada: Any, bea: Any) -> None:
    answer = ok(ada.add_subscriptions([{"name": "a b", "description": "odd"}], principals=[bea.email]))
    assert answer["subscribed"]
    channel_id = ok(ada.get_stream_id("a b"))["stream_id"]
    bea_id = ok(bea.get_profile())["user_id"]
    assert ok(bea.get_subscription_status(bea_id, channel_id))["is_subscribed"]
    assert ok(ada.get_subscribers(stream="a b"))["subscribers"] == [bea_id]
    assert "a b" in {one["name"] for one in ok(bea.get_subscriptions())["subscriptions"]}
    assert ok(bea.list_subscriptions())["subscriptions"]
    assert "a b" in {one["name"] for one in ok(ada.get_streams())["streams"]}
    color = {"stream_id": channel_id, "property": "color", "value": "#ffaa00"}
    ok(bea.update_subscription_settings([color]))
    ok(ada.update_stream({"stream_id": channel_id, "new_name": "even", "description": "*better*"}))
    assert ok(ada.get_stream_id("even"))["stream_id"] == channel_id
    ok(ada.add_default_stream(channel_id))
    assert "@" in ok(ada.get_stream_email_address(channel_id))["email"]
    assert ok(ada.remove_subscriptions(["even"], principals=[bea_id]))["removed"] == ["even"]
    ok(ada.delete_stream(channel_id))
    assert ada.get_subscribers(stream="no such channel")["result"] == "error"


def test_topics_are_listed_and_muted(ada: Any, bea: Any, lunch: int) -> None:
    says(ada, "soup", topic="listed")
    assert ok(bea.get_stream_topics(lunch))["topics"][0]["name"] == "listed"
    for op in ("add", "remove"):
        ok(bea.mute_topic({"stream": "lunch", "topic": "listed", "op": op}))


# -- people -----------------------------------------------------------------------------------------


def test_people_are_looked_at_and_changed(ada: Any, bea: Any) -> None:
    profile = ok(bea.get_profile())
    assert profile["full_name"] == "Bea"
    bea_id = profile["user_id"]
    assert {"Ada", "Bea", "Robo"} <= {one["full_name"] for one in ok(ada.get_users())["members"]}
    assert ok(ada.get_members({"client_gravatar": True}))["members"]
    assert ok(ada.get_user_by_id(bea_id, include_custom_profile_fields=True))["user"]["full_name"] == "Bea"
    try:
        ok(ada.update_user_by_id(bea_id, full_name="Bea B."))
        assert ok(bea.get_profile())["full_name"] == "Bea B."
    finally:
        ok(ada.update_user_by_id(bea_id, full_name="Bea"))


def test_accounts_come_and_go(served: Served, ada: Any) -> None:
    new = {"email": "new@example.com", "full_name": "New", "password": PASSWORD}
    answer = ada.create_user(new)
    assert answer["msg"] == "User not authorized to create users"
    bea_id = ok(served.client("bea").get_profile())["user_id"]
    ok(ada.deactivate_user_by_id(bea_id))
    try:
        assert not ok(ada.get_user_by_id(bea_id))["user"]["is_active"]
        assert served.client("bea").get_profile()["code"] == "USER_DEACTIVATED"
    finally:
        ok(ada.reactivate_user_by_id(bea_id))
    assert served.client("bea").get_profile()["result"] == "success"


def test_presence_is_told(ada: Any, bea: Any) -> None:
    presences = ok(ada.update_presence({"status": "active", "ping_only": False, "new_user_input": True}))
    assert ada.email in presences["presences"]
    assert ok(bea.get_user_presence(ada.email))["presence"]["aggregated"]["status"] == "active"
    assert ok(bea.get_realm_presence())["presences"]


def test_alert_words_are_added_and_removed(bea: Any) -> None:
    """Words that no other test says: the server is the same for all."""
    assert ok(bea.add_alert_words(["lentils", "barley"]))["alert_words"]
    assert ok(bea.remove_alert_words(["barley"]))["alert_words"] == ["lentils"]
    assert ok(bea.get_alert_words())["alert_words"] == ["lentils"]


def test_notifications_are_set(bea: Any) -> None:
    wanted = {"enable_stream_push_notifications": True, "enable_offline_push_notifications": False}
    ok(bea.update_notification_settings(wanted))


def test_groups_come_and_go(ada: Any, bea: Any) -> None:
    ada_id, bea_id = (ok(one.get_profile())["user_id"] for one in (ada, bea))
    ok(ada.create_user_group({"name": "cooks", "description": "They cook.", "members": [ada_id]}))

    def cooks() -> dict[str, Any]:
        groups = ok(bea.get_user_groups())["user_groups"]
        return next(one for one in groups if one["name"] in ("cooks", "chefs"))

    group_id = cooks()["id"]
    ok(ada.update_user_group({"group_id": group_id, "name": "chefs", "description": "They command."}))
    ok(ada.update_user_group_members(group_id, {"add": [bea_id], "delete": [ada_id]}))
    assert (cooks()["name"], cooks()["members"]) == ("chefs", [bea_id])
    ok(ada.remove_user_group(group_id))


# -- the organization -------------------------------------------------------------------------------


def test_linkifiers_come_and_go(ada: Any) -> None:
    linkifier_id = ok(ada.add_realm_filter("#(?P<id>[0-9]+)", "https://example.com/{id}"))["id"]
    assert linkifier_id in [one["id"] for one in ok(ada.get_realm_linkifiers())["linkifiers"]]
    ok(ada.remove_realm_filter(linkifier_id))


def test_custom_emoji_come_and_go(ada: Any, bea: Any, lunch: int) -> None:
    ok(ada.upload_custom_emoji("mew", named("mew.png", picture())))
    assert "mew" in {one["name"] for one in ok(bea.get_realm_emoji())["emoji"].values()}
    ok(bea.add_reaction({"message_id": says(ada, "a cat"), "emoji_name": "mew"}))
    ok(ada.delete_custom_emoji("mew"))


def test_profile_fields_come_and_go(ada: Any) -> None:
    field_id = ok(ada.create_realm_profile_field(name="Saying", hint="Short", field_type=1))["id"]
    ok(ada.update_realm_profile_field(field_id, name="Maxim", hint="", field_type=1))
    fields = ok(ada.get_realm_profile_fields())["custom_fields"]
    assert "Maxim" in {one["name"] for one in fields}
    ok(ada.reorder_realm_profile_fields(order=[one["id"] for one in reversed(fields)]))
    ok(ada.remove_realm_profile_field(field_id))


def test_the_server_presents_itself(served: Served, ada: Any) -> None:
    settings = ok(ada.get_server_settings())
    assert settings[f"{served.brand}_version"] == getattr(ada, f"{served.brand}_version")
    assert settings[f"{served.brand}_feature_level"] == ada.feature_level


def test_a_bot_keeps_things(robo: Any) -> None:
    ok(robo.update_storage({"storage": {"a": "1", "b": "2"}}))
    assert ok(robo.get_storage({"keys": ["b"]}))["storage"] == {"b": "2"}
    assert {"a": "1", "b": "2"}.items() <= ok(robo.get_storage())["storage"].items()


ENDPOINTS = (
    ("drafts", "drafts", {"drafts": [{"type": "stream", "to": [0], "topic": "soup", "content": "so"}]}),
    ("saved_snippets", "saved_snippets", {"title": "Today", "content": "so"}),
    ("scheduled_messages", "scheduled_messages", {"type": "channel", "to": 0, "topic": "t", "content": "so"}),
    ("user_topics", None, {"stream_id": 0, "topic": "soup", "visibility_policy": 3}),
    ("navigation_views", "navigation_views", {"fragment": "narrow/is/dm", "is_pinned": True, "name": "DMs"}),
    ("reminders", "reminders", {"message_id": 0}),
)
"""Endpoints for which the library has no method: path, list in the answer to GET, and what is posted."""


@pytest.mark.parametrize(("path", "listed", "given"), ENDPOINTS, ids=[one[0] for one in ENDPOINTS])
def test_endpoints_without_a_method_are_called_by_their_path(
    bea: Any, lunch: int, path: str, listed: str | None, given: dict[str, Any]
) -> None:
    real = {
        "drafts": {"drafts": [{**given.get("drafts", [{}])[0], "to": [lunch]}]},
        "scheduled_messages": {**given, "to": lunch, "scheduled_delivery_timestamp": 4_000_000_000},
        "user_topics": {**given, "stream_id": lunch},
        "reminders": {"message_id": says(bea, "so"), "scheduled_delivery_timestamp": 4_000_000_000},
    }.get(path, given)
    ok(bea.call_endpoint(url=path, method="POST", request=real))
    if listed:
        assert ok(bea.call_endpoint(url=path, method="GET"))[listed]


# -- events -----------------------------------------------------------------------------------------


class Enough(Exception):
    """Ends the loop of the library, which has no other end."""


@pytest.fixture
def listening() -> Iterator[Callable[[Callable[..., None]], "Queue[dict[str, Any]]"]]:
    """Runs a loop of the library in a thread until it has given as many things as are wanted."""
    threads: list[threading.Thread] = []

    def listen(loop: Callable[..., None], count: int = 1, **options: Any) -> "Queue[dict[str, Any]]":
        got: Queue[dict[str, Any]] = Queue()
        left = iter(range(count - 1))

        def take(one: dict[str, Any]) -> None:
            got.put(one)
            if next(left, None) is None:
                raise Enough

        def run() -> None:
            with pytest.raises(Enough):
                loop(take, **options)

        threads.append(threading.Thread(target=run))
        threads[-1].start()
        return got

    yield listen
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def when_registered(client: Any) -> threading.Event:
    """Set when the client has got a queue: what happens from then on reaches it."""
    done, register = threading.Event(), client.register

    def registering(*arguments: Any, **options: Any) -> dict[str, Any]:
        answer: dict[str, Any] = register(*arguments, **options)
        done.set()
        return answer

    client.register = registering
    return done


def test_a_waiting_client_is_woken_by_a_message(
    served: Served, ada: Any, lunch: int, listening: Callable[..., "Queue[dict[str, Any]]"]
) -> None:
    waiting = served.client("bea")
    registered = when_registered(waiting)
    got = listening(waiting.call_on_each_message)
    assert registered.wait(PATIENCE)
    sent = says(ada, "live *soup*")
    message = got.get(timeout=PATIENCE)
    assert (message["id"], message["content"]) == (sent, "live *soup*")


def test_events_of_chosen_types_are_received(
    served: Served, ada: Any, lunch: int, listening: Callable[..., "Queue[dict[str, Any]]"]
) -> None:
    waiting = served.client("bea")
    registered = when_registered(waiting)
    got = listening(waiting.call_on_each_event, count=2, event_types=["reaction", "update_message"])
    assert registered.wait(PATIENCE)
    sent = says(ada, "soup")
    ok(ada.add_reaction({"message_id": sent, "emoji_name": "tada"}))
    ok(ada.update_message({"message_id": sent, "content": "salad"}))
    assert got.get(timeout=PATIENCE)["emoji_name"] == "tada"
    assert got.get(timeout=PATIENCE)["content"] == "salad"


def test_queues_are_used_by_hand(ada: Any, lunch: int) -> None:
    queue = ok(ada.register(event_types=["message"], apply_markdown=True))
    sent = says(ada, "**soup**")
    (event,) = ok(ada.get_events(queue_id=queue["queue_id"], last_event_id=queue["last_event_id"]))["events"]
    assert event["message"]["id"] == sent
    ok(ada.deregister(queue["queue_id"], timeout=PATIENCE))
    gone = ada.get_events(queue_id=queue["queue_id"], last_event_id=-1)
    assert gone["code"] == "BAD_EVENT_QUEUE_ID"


def test_clients_go_on_after_a_restart_of_the_server(
    served: Served, ada: Any, lunch: int, listening: Callable[..., "Queue[dict[str, Any]]"]
) -> None:
    waiting = served.client("bea")
    registered = when_registered(waiting)
    got = listening(waiting.call_on_each_message, count=2)
    assert registered.wait(PATIENCE)
    sent = [says(ada, "before")]
    assert got.get(timeout=PATIENCE)["content"] == "before"
    served.stop()
    served.start()
    sent.append(says(ada, "after"))
    assert got.get(timeout=PATIENCE)["id"] == sent[-1]


# -- all of it --------------------------------------------------------------------------------------

USED_BY_OTHERS = {"do_api_query", "ensure_session", "get_user_agent"}
"""Methods with which the library makes each request."""


def test_each_method_of_the_library_is_used_here() -> None:
    methods = {
        name
        for name, _ in inspect.getmembers(library().Client, inspect.isfunction)
        if not name.startswith("_")
    }
    used = {
        node.attr
        for node in ast.walk(ast.parse(Path(__file__).read_text()))
        if isinstance(node, ast.Attribute)
    }
    assert methods - used == USED_BY_OTHERS
