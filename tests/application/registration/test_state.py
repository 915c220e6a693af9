"""The initial state: which fields come when, and what a caller without an account gets."""

import json
from collections.abc import Mapping
from dataclasses import make_dataclass, replace
from importlib.util import find_spec, module_from_spec
from typing import Any

import pytest

from chatcore.application.registration import state as register_state
from chatcore.domain.errors import LoginRequired
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.organization import Organization
from chatcore.events.queue import Registration
from chatcore.storage import Storage, Transaction
from chatcore.storage.conformance.makers import subscribe
from tests.reference import described
from tests.storage_backends.spying import statements
from tests.worlds.described import NUMBER, described_fields, mismatches
from tests.worlds.registering import NOW, VERSION_FIELDS, World, fill


@pytest.fixture
def world(storage: Storage) -> World:
    return World(storage, enable_spectator_access=True)


@pytest.fixture(scope="module")
def reference() -> dict[str, Any]:
    """The description of the API's fields, which is not part of this repository."""
    return described("register_state.json")


def test_each_field_comes_exactly_with_its_event_types(world: World, reference: Mapping[str, Any]) -> None:
    fields = list(described_fields(reference))
    every_type = sorted({event_type for _, needed, _ in fields for event_type in needed})
    for event_type in every_type:
        expected = {name for name, needed, _ in fields if needed == {event_type}}
        assert set(world.state("ada", [event_type])) == expected | VERSION_FIELDS, event_type
    assert "unread_msgs" in world.state("ada", ["message", "update_message_flags"])
    assert "unread_msgs" not in world.state("ada", ["update_message_flags"])


def test_all_fields_come_when_no_types_are_named(world: World, reference: Mapping[str, Any]) -> None:
    fields = {name for name, _, _ in described_fields(reference)}
    assert set(world.state("ada")) == fields | VERSION_FIELDS


@pytest.mark.shows("register.fetch-event-types")
def test_nothing_but_the_version_comes_for_an_empty_list(world: World) -> None:
    assert set(world.state("ada", [])) == VERSION_FIELDS


def test_legacy_settings_stay_out_for_clients_of_the_settings_object(
    world: World, reference: Mapping[str, Any]
) -> None:
    legacy = {name for name, _, is_legacy in described_fields(reference) if is_legacy}
    assert not legacy & set(world.state("ada", user_settings_object=True))


def test_clients_that_ask_for_user_topic_get_no_muted_topics(world: World) -> None:
    assert "muted_topics" not in world.state("ada", ["muted_topics", "user_topic"])
    assert "muted_topics" in world.state("ada", None)


@pytest.mark.parametrize("who", ["ada", "grace", "gil", None])
def test_every_field_has_the_described_type(
    world: World, reference: Mapping[str, Any], who: str | None
) -> None:
    fill(world)
    state = world.state(who, include_subscribers=who is not None, empty_topic_name=True)
    problems = [
        problem
        for name, value in state.items()
        for problem in mismatches(reference["fields"][name], value, name, reference["types"])
    ]
    assert problems == []


@pytest.mark.parametrize("field", ["user_settings", "realm_user_settings_defaults"])
def test_settings_have_the_usual_values(world: World, reference: Mapping[str, Any], field: str) -> None:
    usual = {
        name: setting["usual_value"]
        for name, setting in reference["fields"][field]["fields"].items()
        if "usual_value" in setting
    }
    got = world.state("grace")[field]
    assert {name: got[name] for name in usual} == usual
    assert set(got) == set(reference["fields"][field]["fields"])


def test_organization_fields_have_the_usual_values(world: World, reference: Mapping[str, Any]) -> None:
    state = world.state("grace", ["realm"])
    usual = {
        name: field["usual_value"]
        for name, field in reference["fields"].items()
        if name in state and "usual_value" in field and name != "realm_enable_spectator_access"
    }
    assert {name: state[name] for name in usual} == usual


def test_a_new_field_of_the_organization_is_not_sent_unless_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wider = make_dataclass(
        "Wider", [("token", str, "hidden")], bases=(Organization,), frozen=True, kw_only=True
    )
    monkeypatch.setattr("chatcore.domain.organization.organization.Organization", wider)
    spec = find_spec("chatcore.application.organization.setting_fields")
    assert spec is not None
    assert spec.loader is not None
    fresh = module_from_spec(spec)
    spec.loader.exec_module(fresh)
    sent = fresh.setting_fields(wider(name="Garden", date_created=NOW))
    assert sent["realm_name"] == "Garden"
    assert "hidden" not in sent.values()


def test_permission_settings_are_described_as_they_are(world: World, reference: Mapping[str, Any]) -> None:
    tables = reference["permission_setting_configs"]["tables"]
    got = world.state("ada", ["realm"])["server_supported_permission_settings"]
    assert got["realm"] == tables["realm"]
    assert got["stream"] == tables["stream"]
    assert got["group"] == tables["group"]


REQUIRED: Mapping[str, type | tuple[type, ...]] = {
    "max_message_id": int,
    "user_id": int,
    "email": str,
    "full_name": str,
    "realm_name": str,
    "realm_users": list,
    "realm_non_active_users": list,
    "cross_realm_bots": list,
    "subscriptions": list,
    "unsubscribed": list,
    "never_subscribed": list,
    "streams": list,
    "presences": dict,
    "muted_topics": list,
    "user_topics": list,
    "muted_users": list,
    "realm_user_groups": list,
    "unread_msgs": dict,
    "starred_messages": list,
    "recent_private_conversations": list,
    "realm_emoji": dict,
    "custom_profile_fields": list,
    "alert_words": list,
    "user_status": dict,
    "user_settings": dict,
    "realm_message_retention_days": int,
    "realm_allow_message_editing": bool,
    "realm_message_content_edit_limit_seconds": int,
    "realm_allow_edit_history": bool,
    "realm_wildcard_mention_policy": int,
    "realm_waiting_period_threshold": int,
    "realm_enable_read_receipts": bool,
    "realm_presence_disabled": bool,
    "realm_icon_url": str,
    "server_emoji_data_url": str,
    "realm_default_external_accounts": dict,
    "max_stream_name_length": int,
    "max_topic_length": int,
    "max_file_upload_size_mib": int,
    "server_presence_ping_interval_seconds": int,
    "server_presence_offline_threshold_seconds": int,
    "event_queue_longpoll_timeout_seconds": int,
    "server_timestamp": NUMBER,
}
REQUIRED_OF_USERS = ("user_id", "email", "full_name", "date_joined", "is_bot", "role", "timezone")
REQUIRED_OF_CHANNELS = (
    "stream_id", "name", "description", "rendered_description", "date_created", "invite_only",
    "is_web_public", "history_public_to_subscribers", "message_retention_days",
)  # fmt: skip


def test_the_state_has_the_fields_that_clients_require(world: World) -> None:
    state = world.state("grace", include_subscribers=True)
    wrong = [name for name, kind in REQUIRED.items() if not isinstance(state.get(name), kind)]
    assert wrong == []
    assert world.id("grace") in [user["user_id"] for user in state["realm_users"]]
    assert [set(REQUIRED_OF_USERS) - set(user) for user in state["realm_users"]] == [set()] * 5
    for shape in (*state["subscriptions"], *state["streams"]):
        assert not set(REQUIRED_OF_CHANNELS) - set(shape)
    assert all("subscribers" in shape for shape in state["subscriptions"])
    assert state["server_emoji_data_url"].startswith("https://chat.example.org/")


def test_numbers_say_for_older_clients_who_may_mention_everybody(storage: Storage) -> None:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world = World(storage, permissions={"can_mention_many_users_group": members})
    state = world.state("ada", ["realm"])
    assert state["realm_wildcard_mention_policy"] == 2
    assert state["realm_create_web_public_stream_policy"] == 7
    assert state["realm_can_mention_many_users_group"] == SystemGroup.MEMBERS


def test_deactivated_people_are_left_out_of_permission_values(storage: Storage) -> None:
    world = World(storage)
    named = GroupSetting.of(members=[world.id("grace"), world.id("ida")])
    world.storage.write(
        lambda tx: tx.organization.put(
            replace(tx.organization.get(), permissions={"can_create_groups": named})
        )
    )
    value = world.state("ada", ["realm"])["realm_can_create_groups"]
    assert value == {"direct_members": [world.id("grace")], "direct_subgroups": []}


def test_without_an_account_nothing_comes_where_the_web_is_shut_out(storage: Storage) -> None:
    world = World(storage)
    with pytest.raises(LoginRequired):
        world.state(None)


@pytest.mark.shows("authentication.register")
def test_without_an_account_only_the_open_part_comes(world: World) -> None:
    fill(world)
    state = world.state(None, include_subscribers=True)
    assert "subscribers" not in state["never_subscribed"][0]
    for name in ("subscriptions", "unsubscribed", "starred_messages", "alert_words", "realm_user_groups"):
        assert state[name] == []
    assert state["unread_msgs"]["count"] == 0
    assert state["max_message_id"] == -1
    assert state["realm_allow_message_editing"] is False
    assert state["realm_presence_disabled"] is True
    assert "@example.org" not in json.dumps(state)
    assert {user["delivery_email"] for user in state["realm_users"]} == {None}
    assert "lab" not in {channel["name"] for channel in state["never_subscribed"]}


def test_the_number_of_statements_does_not_grow(world: World) -> None:
    def cost() -> int:
        actor = world.actor("ada")
        registration = Registration(include_subscribers=True)
        with statements(world.storage) as sent:
            world.storage.read(
                lambda snapshot: register_state.fetch_state(
                    snapshot, actor, None, registration=registration, svc=world.svc, now=NOW
                )
            )
        return len(sent)

    before = cost()

    def grow(tx: Transaction) -> None:
        people = tx.users.add_many(
            {"email": f"user-{n}@example.org", "full_name": f"Number {n}", "date_joined": NOW}
            for n in range(50)
        )
        for n in range(20):
            channel = tx.channels.add({"name": f"channel {n}", "date_created": NOW})
            subscribe(tx, channel.id, *people, world.id("ada"))

    world.storage.write(grow)
    world.post("lunch", "Soup")
    assert cost() == before
    assert before <= 44
