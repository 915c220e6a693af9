"""Changing accounts: names, roles with all that follows from them, and addresses."""

import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from chatcore.application.people.accounts import NewUser, allow_email_changes, create_user
from chatcore.application.people.administration import UserChange, update_user
from chatcore.bootstrap import make_application
from chatcore.chat import Chat
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.users import EmailVisibility
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from storage_backends import open_storage
from tests.worlds.registering_over_http import Api, Body, MakeApi

OWNERS_ONLY = ("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner")
ADMINISTRATORS_ONLY = ("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator")
NOT_PERMITTED = ("BAD_REQUEST", "Insufficient permission")
LIMITED: Mapping[str, Any] = {
    "permissions": {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
}


@pytest.fixture
def api(make_api: MakeApi) -> Api:
    found = make_api()
    found.add_person("adam", Role.ADMINISTRATOR)
    return found


def update(api: Api, who: str, target: str, **changes: Any) -> tuple[str, str]:
    """Change an account on both roads; the refusals of the one by id."""
    by_id = api.refused(who, "PATCH", f"users/{api.id(target)}", **changes)
    by_email = api.refused(who, "PATCH", f"users/{placeholder(api, target)}", **changes)
    assert by_email == by_id
    return by_id


def placeholder(api: Api, name: str) -> str:
    return f"user{api.id(name)}@{api.svc.settings.host}"


def people(events: list[Body]) -> list[Body]:
    return [event["person"] for event in events if event["type"] == "realm_user"]


def show_address_to(api: Api, name: str, who: EmailVisibility) -> None:
    api.svc.storage.write(lambda tx: tx.users.update(api.id(name), email_visibility=int(who)))


# -- names ------------------------------------------------------------------------------------------


@pytest.mark.shows(
    "update-user.full-name", "update-user-by-email.same", "update-user-by-email.real-address",
    "update-user-by-email.placeholder", "change.update-by-email",
)  # fmt: skip
@pytest.mark.parametrize("address", ["{id}", "user{id}@chat.example.org", "grace@example.org"])
def test_a_user_is_renamed_by_id_and_by_address(api: Api, address: str) -> None:
    follower = api.follow("gil")
    grace = api.id("grace")
    api.ok("adam", "PATCH", "users/" + address.format(id=grace), full_name=" Grace Hopper ")
    assert follower.events() == [
        {"type": "realm_user", "op": "update", "person": {"user_id": grace, "full_name": "Grace Hopper"}}
    ]
    assert api.user("grace").full_name == "Grace Hopper"


def test_a_blank_or_unchanged_name_is_no_change(api: Api) -> None:
    follower = api.follow("gil")
    for name in ("", "  ", "Grace"):
        api.ok("adam", "PATCH", f"users/{api.id('grace')}", full_name=name)
    api.ok("adam", "PATCH", f"users/{api.id('grace')}")
    assert follower.events() == []


@pytest.mark.shows("update-user.full-name")
@pytest.mark.parametrize("name", ["x", "x" * 101, "a*b", "a@b", "a\x01b", "Ada|7"])
def test_names_outside_the_rules_are_refused(api: Api, name: str) -> None:
    assert update(api, "adam", "grace", full_name=name)[0] == "BAD_REQUEST"


def test_names_are_unique_where_the_organization_wants_it(make_api: MakeApi) -> None:
    api = make_api(require_unique_names=True)
    assert update(api, "ada", "grace", full_name="ＥＶＥ") == (
        "BAD_REQUEST",
        "Unique names required in this organization.",
    )
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", full_name="GRACE")
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", full_name="Grace Hopper")


def test_managers_of_a_bot_are_notified_of_its_name(api: Api) -> None:
    robot, other = api.add_bot("robot", "grace"), api.add_bot("other", "grace")
    followers = [api.follow(who, "realm_bot") for who in ("grace", "ada", "adam", "eve")]
    api.ok("adam", "PATCH", f"users/{robot.id}", full_name="Rover")
    expected = [{"type": "realm_bot", "op": "update", "bot": {"user_id": robot.id, "full_name": "Rover"}}]
    assert [follower.events() for follower in followers] == [expected, expected, expected, []]
    assert api.refused("adam", "PATCH", f"users/{other.id}", full_name="ROVER") == (
        "BAD_REQUEST",
        "Name is already in use!",
    )
    api.svc.storage.write(lambda tx: tx.users.update(other.id, bot_owner_id=None))
    api.ok("adam", "PATCH", f"users/{other.id}", full_name="Grace")


def test_an_inactive_account_is_changed_too(api: Api) -> None:
    follower = api.follow("gil")
    api.ok("adam", "PATCH", f"users/{api.id('ida')}", full_name="Ida Rhodes", role=300)
    assert [set(person) - {"user_id"} for person in people(follower.events())] == [{"role"}, {"full_name"}]
    assert follower.events() == []
    assert api.user("ida").role == Role.MODERATOR


# -- permissions ------------------------------------------------------------------------------------


@pytest.mark.shows("update-user.administrators", "update-user-by-email.same", "authentication.update-users")
@pytest.mark.parametrize("who", ["mary", "grace", "gil"])
@pytest.mark.parametrize(
    "changes", [{"full_name": "Other"}, {"role": 400}, {"new_email": "x@example.org"}, {}]
)
def test_only_administrators_change_accounts(api: Api, who: str, changes: Body) -> None:
    assert update(api, who, "eve", **changes) == NOT_PERMITTED
    assert update(api, who, who, **changes) == NOT_PERMITTED
    assert api.refused(who, "PATCH", f"users/{10**9}", **changes) == NOT_PERMITTED
    assert api.refused(who, "PATCH", "users/nobody@example.org", **changes) == NOT_PERMITTED


def test_an_account_that_is_not_there(api: Api) -> None:
    for path in (f"users/{10**9}", "users/nobody@example.org", "users/me"):
        assert api.refused("adam", "PATCH", path, full_name="Other") == ("BAD_REQUEST", "No such user")


def test_the_bot_of_the_organization_is_left_alone(make_api: MakeApi) -> None:
    api = make_api()
    bot = api.add_bot("voice", "ada")

    def speak(tx: Any) -> None:
        tx.organization.put(replace(tx.organization.get(), notification_bot_id=bot.id))

    api.svc.storage.write(speak)
    assert api.refused("ada", "PATCH", f"users/{bot.id}", role=600) == ("BAD_REQUEST", "No such user")


def test_all_or_nothing_is_changed(api: Api) -> None:
    before = api.user("grace")
    assert update(api, "adam", "grace", full_name="Other", role=100) == OWNERS_ONLY
    too_short = "Name too short! A person or bot has a name of 2 to 100 characters."
    assert update(api, "adam", "grace", role=300, full_name="x") == ("BAD_REQUEST", too_short)
    assert api.user("grace") == before


# -- roles ------------------------------------------------------------------------------------------

ROLE_CHANGES: Mapping[tuple[str, int, int], tuple[str, str] | str | None] = {
    ("adam", 400, 300): None,
    ("adam", 400, 200): None,
    ("adam", 400, 600): None,
    ("adam", 600, 400): None,
    ("adam", 600, 300): None,
    ("adam", 200, 400): None,
    ("adam", 400, 100): OWNERS_ONLY,
    ("adam", 600, 100): OWNERS_ONLY,
    ("adam", 100, 400): OWNERS_ONLY,
    ("adam", 100, 200): OWNERS_ONLY,
    ("adam", 600, 200): "Guests cannot be administrators",
    ("ada", 600, 200): "Guests cannot be administrators",
    ("ada", 600, 100): "Guests cannot be administrators",
    ("ada", 400, 100): None,
    ("ada", 100, 600): None,
    ("ada", 400, 0): "Invalid role",
    ("ada", 400, 101): "Invalid role",
    ("ada", 400, 500): "Invalid role",
    ("ada", 400, -400): "Invalid role",
    ("mary", 400, 300): NOT_PERMITTED,
}


@pytest.mark.shows(
    "role.values", "role.no-guest-administrators", "update-user.role", "update-user.guest-administrator",
    "update-user-by-email.same",
)  # fmt: skip
@pytest.mark.parametrize(("who", "old", "new"), ROLE_CHANGES)
def test_changing_roles_needs_permission(api: Api, who: str, old: int, new: int) -> None:
    api.add_person("vera", Role(old))
    expected = ROLE_CHANGES[who, old, new]
    if expected is None:
        api.ok(who, "PATCH", f"users/{api.id('vera')}", role=new)
        assert api.user("vera").role == new
        return
    code, text = update(api, who, "vera", role=new)
    if isinstance(expected, str):
        assert code == "BAD_REQUEST"
        assert expected in text
    else:
        assert (code, text) == expected
    assert api.user("vera").role == old


@pytest.mark.parametrize("role", Role)
def test_the_same_role_is_no_change(api: Api, role: Role) -> None:
    api.add_person("vera", role)
    follower = api.follow("gil")
    api.ok("adam", "PATCH", f"users/{api.id('vera')}", role=int(role))
    assert follower.events() == []


def test_a_role_is_announced_with_the_groups_that_follow_from_it(api: Api) -> None:
    follower = api.follow("gil")
    grace = api.id("grace")
    api.ok("ada", "PATCH", f"users/{grace}", role=300)
    events = follower.events()
    assert people(events) == [{"user_id": grace, "role": 300}]
    groups = [(event["op"], event["group_id"]) for event in events if event["type"] == "user_group"]
    assert groups == [
        ("remove_members", SystemGroup.FULL_MEMBERS),
        ("remove_members", SystemGroup.MEMBERS),
        ("add_members", SystemGroup.MODERATORS),
    ]
    assert all(event["user_ids"] == [grace] for event in events if event["type"] == "user_group")
    own = api.state("grace", "realm_user")
    assert (own["is_moderator"], own["is_admin"]) == (True, False)


def channel_names(events: list[Body]) -> list[tuple[str, object]]:
    announced: list[tuple[str, object]] = []
    for event in events:
        if event["type"] == "stream":
            names = [channel.get("name", channel["stream_id"]) for channel in event["streams"]]
            announced.append((event["op"], names))
    return announced


def test_channels_become_visible_and_invisible_with_a_role(api: Api) -> None:
    grace, lab = api.id("grace"), api.channel("lab")
    old, new = api.follow("grace", "stream", "subscription"), api.follow("grace", archived_channels=True)
    others = api.follow("mary", "stream")
    api.ok("ada", "PATCH", f"users/{grace}", role=200)
    events = old.events()
    assert channel_names(events) == [("create", ["vault"])]
    api.ok("ada", "PATCH", f"users/{grace}", role=600)
    assert channel_names(old.events()) == [("delete", [api.channel("vault")])]
    announced = channel_names(new.events())
    assert announced == [("create", ["vault"]), ("delete", [api.channel("vault")])]
    assert others.events() == []
    seen = {channel["stream_id"] for channel in api.state("grace", "stream")["streams"]}
    assert seen == {lab, api.channel("lunch"), api.channel("square")}


def test_archived_channels_are_sent_to_clients_that_know_of_them(api: Api) -> None:
    eve, attic, lunch = api.id("eve"), api.channel("attic"), api.channel("lunch")
    old, new = api.follow("eve", "stream", "subscription"), api.follow("eve", archived_channels=True)
    api.ok("ada", "PATCH", f"users/{eve}", role=600)
    assert channel_names(old.events()) == [("delete", [lunch])]
    assert channel_names(new.events()) == [("delete", [lunch]), ("delete", [attic])]
    api.ok("ada", "PATCH", f"users/{eve}", role=400)
    events = old.events()
    assert channel_names(events) == [("create", ["lunch"])]
    peers = [(event["op"], event["stream_ids"], event["user_ids"]) for event in events if "user_ids" in event]
    assert peers == [("peer_add", [lunch], [api.id(name) for name in ("ada", "grace", "gil")])]
    assert channel_names(new.events()) == [("create", ["attic", "lunch"])]


def test_addresses_become_visible_and_invisible_with_a_role(api: Api) -> None:
    show_address_to(api, "eve", EmailVisibility.MODERATORS)
    follower, others = api.follow("grace", "realm_user"), api.follow("gil", "realm_user")
    grace, eve = api.id("grace"), api.id("eve")
    api.ok("ada", "PATCH", f"users/{grace}", role=300)
    assert people(follower.events()) == [
        {"user_id": grace, "role": 300},
        {"user_id": eve, "delivery_email": "eve@example.org"},
    ]
    api.ok("ada", "PATCH", f"users/{grace}", role=400)
    role, address, picture = people(follower.events())
    assert (role, address) == ({"user_id": grace, "role": 400}, {"user_id": eve, "delivery_email": None})
    assert f"/user-{eve}." in picture["avatar_url"], "which a client cannot make itself any more"
    assert len(people(others.events())) == 2


@pytest.mark.shows("event.realm-user")
@pytest.mark.parametrize("with_placeholders", [True, False])
def test_users_become_visible_and_invisible_with_a_role(make_api: MakeApi, with_placeholders: bool) -> None:
    api = make_api(**LIMITED)
    api.add_person("zoe")
    follower = api.follow("eve", "realm_user", user_list_incomplete=not with_placeholders)
    eve, strangers = api.id("eve"), [api.id(name) for name in ("ada", "mary", "grace", "gil", "ida", "zoe")]
    api.ok("ada", "PATCH", f"users/{eve}", role=600)
    events = follower.events()
    gone = [event["person"]["user_id"] for event in events if event["op"] == "remove"]
    assert gone == strangers
    names = [event["person"]["full_name"] for event in events if event["op"] == "add"]
    assert names == (["Unknown user"] * 6 if with_placeholders else [])
    state = api.state("eve", "realm_user", user_list_incomplete=not with_placeholders)
    known = [user for user in state["realm_users"] if user["full_name"] != "Unknown user"]
    assert [user["user_id"] for user in known] == [eve]
    api.ok("ada", "PATCH", f"users/{eve}", role=400)
    added = {
        event["person"]["user_id"]: event["person"] for event in follower.events() if event["op"] == "add"
    }
    assert sorted(added) == strangers
    assert added[api.id("ada")]["delivery_email"] == "ada@example.org"
    assert added[api.id("ada")]["profile_data"] == {}


def test_changes_of_invisible_users_are_not_sent(make_api: MakeApi) -> None:
    api = make_api(**LIMITED)
    follower = api.follow("gil", "realm_user", "user_status")
    api.ok("ada", "PATCH", f"users/{api.id('mary')}", full_name="Mary Jackson", role=400)
    api.ok("mary", "POST", "users/me/status", status_text="out")
    assert follower.events() == []
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", full_name="Grace Hopper")
    assert [person["user_id"] for person in people(follower.events())] == [api.id("grace")]


@pytest.mark.shows("register.incomplete-users")
@pytest.mark.parametrize("with_placeholders", [True, False])
def test_a_new_account_is_unknown_to_limited_guests(make_api: MakeApi, with_placeholders: bool) -> None:
    api = make_api(**LIMITED)
    follower = api.follow("gil", "realm_user", user_list_incomplete=not with_placeholders)
    made = create_user(api.svc, NewUser(email="zoe@example.org", full_name="Zoe"))
    state = api.state("gil", "realm_user", user_list_incomplete=not with_placeholders)["realm_users"]
    announced = people(follower.events())
    for person in announced:
        assert person.pop("is_active") is True
    assert announced == [user for user in state if user["user_id"] == made.user_id]
    assert [person["full_name"] for person in announced] == (["Unknown user"] if with_placeholders else [])


# -- addresses --------------------------------------------------------------------------------------

NOT_AUTHORIZED = ("BAD_REQUEST", "User not authorized to change user emails")


@pytest.mark.shows("update-user.new-email", "authentication.change-addresses", "change.new-email")
def test_an_owner_with_the_permission_changes_addresses(api: Api) -> None:
    assert update(api, "ada", "grace", new_email="hopper@example.org") == NOT_AUTHORIZED
    allow_email_changes(api.svc, "ada@example.org")
    seeing, left_to = api.follow("eve", "realm_user"), api.follow("gil", "realm_user")
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", new_email=" hopper@example.org ")
    grace = api.id("grace")
    announced = people(seeing.events())
    assert announced == [
        {"user_id": grace, "delivery_email": "hopper@example.org"},
        {"user_id": grace, "new_email": "hopper@example.org"},
    ]
    assert people(left_to.events()) == announced
    assert api.user("grace").email == "hopper@example.org"
    assert api.ok("grace", "GET", "users/me")["email"] == "hopper@example.org"
    api.ok("ada", "PATCH", f"users/{grace}", new_email="hopper@example.org")
    assert people(seeing.events()) == []


@pytest.mark.parametrize("source", ["G", "U"])
def test_no_picture_changes_with_the_address(api: Api, source: str) -> None:
    allow_email_changes(api.svc, "ada@example.org")
    grace = api.id("grace")
    api.svc.storage.write(lambda tx: tx.users.update(grace, avatar_source=source))
    follower = api.follow("eve", "realm_user")
    api.ok("ada", "PATCH", f"users/{grace}", new_email="hopper@example.org")
    assert [set(person) - {"user_id"} for person in people(follower.events())] == [
        {"delivery_email"},
        {"new_email"},
    ]


def test_a_new_hidden_address_is_sent_to_those_who_may_see_it(api: Api) -> None:
    allow_email_changes(api.svc, "ada@example.org")
    show_address_to(api, "grace", EmailVisibility.ADMINISTRATORS)
    followers = {who: api.follow(who, "realm_user") for who in ("adam", "grace", "mary", "gil")}
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", new_email="hopper@example.org")
    announced = [{"user_id": api.id("grace"), "delivery_email": "hopper@example.org"}]
    assert {who: people(follower.events()) for who, follower in followers.items()} == {
        "adam": announced,
        "grace": announced,
        "mary": [],
        "gil": [],
    }


@pytest.mark.shows("update-user.new-email", "authentication.change-addresses")
def test_the_permission_is_given_and_taken_by_the_tools(api: Api) -> None:
    allow_email_changes(api.svc, "adam@example.org")
    assert update(api, "adam", "grace", new_email="x@example.org") == NOT_AUTHORIZED
    allow_email_changes(api.svc, "ADA@example.org")
    allow_email_changes(api.svc, "ada@example.org", allowed=False)
    assert update(api, "ada", "grace", new_email="x@example.org") == NOT_AUTHORIZED
    robot = api.add_bot("robot", "ada")
    for nobody in ("nobody@example.org", robot.email):
        with pytest.raises(BadRequest):
            allow_email_changes(api.svc, nobody)


@pytest.mark.parametrize("email", ["", "x", "x@", "a b@example.org", "EVE@example.org", "{placeholder}"])
def test_addresses_that_cannot_be_had(api: Api, email: str) -> None:
    allow_email_changes(api.svc, "ada@example.org")
    wrong = email.format(placeholder=placeholder(api, "eve"))
    assert update(api, "ada", "grace", new_email=wrong)[0] == "BAD_REQUEST"


def test_the_spelling_of_ones_own_address_can_change(api: Api) -> None:
    allow_email_changes(api.svc, "ada@example.org")
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", new_email="Grace@example.org")
    assert api.user("grace").email == "Grace@example.org"


def test_programs_change_accounts_and_policies(api: Api) -> None:
    chat = Chat(api.svc, make_application)
    ada, grace = api.world.actor("ada"), api.world.actor("grace")
    assert ada is not None
    assert grace is not None
    chat.users.allow_email_changes("ada@example.org")
    chat.users.update(ada, "grace@example.org", new_email="hopper@example.org", role=Role.MODERATOR)
    chat.users.update(ada, grace.user_id, full_name="Grace Hopper")
    user = api.user("grace")
    assert (user.email, user.full_name, user.role) == ("hopper@example.org", "Grace Hopper", Role.MODERATOR)
    chat.topics.set_policy(grace, chat.channels.id_of(grace, "lunch"), "Soup", VisibilityPolicy.FOLLOWED)
    assert api.state("grace", "user_topic")["user_topics"][0]["visibility_policy"] == 3


# -- security ---------------------------------------------------------------------------------------


@pytest.mark.shows("role.owners-only", "authentication.owner-role")
def test_sec_17_the_owner_role_is_in_owners_hands(api: Api) -> None:
    api.add_person("olga", Role.OWNER)
    for role in (200, 400, 600):
        assert update(api, "adam", "olga", role=role) == OWNERS_ONLY
    for target in ("grace", "adam", "gil"):
        assert update(api, "adam", target, role=100) == OWNERS_ONLY
    bot = api.add_bot("robot", "ada", Role.ADMINISTRATOR)
    assert api.refused("robot", "PATCH", f"users/{bot.id}", role=100) == OWNERS_ONLY


@pytest.mark.shows("role.last-owner")
def test_sec_17_there_is_always_an_owner(api: Api) -> None:
    api.add_bot("robot", "ada", Role.OWNER)
    api.add_person("olaf", Role.OWNER, is_active=False)
    for role in (200, 300, 400, 600):
        code, text = update(api, "ada", "ada", role=role)
        assert code == "BAD_REQUEST"
        assert "only organization owner" in text
        assert update(api, "robot", "ada", role=role) == (code, text)
    api.ok("ada", "PATCH", f"users/{api.id('robot')}", role=400)
    api.ok("ada", "PATCH", f"users/{api.id('olaf')}", role=400)
    api.add_person("olga", Role.OWNER)
    api.ok("ada", "PATCH", f"users/{api.id('ada')}", role=400)
    assert update(api, "ada", "olga", role=400) == NOT_PERMITTED


@pytest.mark.shows("role.last-owner")
def test_sec_17_one_of_two_who_demote_each_other_wins(store_url: str) -> None:
    storage = open_storage(store_url)
    try:
        api = Api(storage)
        api.add_person("olga", Role.OWNER)
        for _ in range(10):
            actors = {name: api.world.actor(name) for name in ("ada", "olga")}

            def demote(pair: tuple[str, str], actors: Mapping[str, Any] = actors) -> str:
                try:
                    update_user(api.svc, actors[pair[0]], api.id(pair[1]), UserChange(role=400))
                except ChatError as error:
                    return error.code
                return "done"

            with ThreadPoolExecutor(2) as pool:
                results = sorted(pool.map(demote, [("ada", "olga"), ("olga", "ada")]))
            assert results == ["UNAUTHORIZED_PRINCIPAL", "done"]
            (owner,) = (name for name in ("ada", "olga") if api.user(name).role == Role.OWNER)
            other = "olga" if owner == "ada" else "ada"
            api.ok(owner, "PATCH", f"users/{api.id(other)}", role=100)
    finally:
        storage.close()


def test_sec_19_nobody_lifts_a_bot_of_their_own(api: Api) -> None:
    bot = api.add_bot("robot", "grace")
    for role in (100, 200, 300, 400, 600):
        assert update(api, "grace", "robot", role=role) == ADMINISTRATORS_ONLY
        assert api.refused("robot", "PATCH", f"users/{bot.id}", role=role) == NOT_PERMITTED
    assert update(api, "eve", "robot", role=200) == NOT_PERMITTED
    assert api.user("robot").role == Role.MEMBER


def test_sec_31_a_queue_has_the_reach_of_the_role_of_now(api: Api) -> None:
    follower = api.follow("adam", "stream", "realm_user", "message", "realm_bot")
    everything = api.ok("adam", "POST", "register", event_types=["message"], all_public_streams=True)
    show_address_to(api, "eve", EmailVisibility.ADMINISTRATORS)
    robot = api.add_bot("robot", "grace")
    api.ok("ada", "PATCH", f"users/{api.id('adam')}", role=600)
    follower.events()
    api.ok("ada", "POST", "users/me/subscriptions", subscriptions=[{"name": "secret"}], invite_only=True)
    api.ok("ada", "POST", "users/me/subscriptions", subscriptions=[{"name": "open"}])
    api.ok("ada", "POST", "messages", type="channel", to="open", topic="Soup", content="hello")
    api.ok("ada", "PATCH", f"users/{robot.id}", full_name="Rover")
    allow_email_changes(api.svc, "ada@example.org")
    api.ok("ada", "PATCH", f"users/{api.id('eve')}", new_email="eva@example.org")
    events = follower.events()
    assert [event["person"] for event in events] == [{"user_id": robot.id, "full_name": "Rover"}]
    answer = api.ok(
        "adam",
        "GET",
        "events",
        queue_id=everything["queue_id"],
        last_event_id=everything["last_event_id"],
        dont_block=True,
    )
    assert answer["events"] == []
    assert api.refused("adam", "POST", "realm/filters", pattern="x", url_template="https://a.example/") == (
        ADMINISTRATORS_ONLY
    )
    assert api.refused("adam", "POST", "register", all_public_streams=True)[0] == "BAD_REQUEST"


def test_sec_31_rights_are_those_of_the_moment_of_the_change(api: Api) -> None:
    adam = api.world.actor("adam")
    assert adam is not None
    api.ok("ada", "PATCH", f"users/{api.id('adam')}", role=400)
    with pytest.raises(ChatError) as refused:
        update_user(api.svc, adam, api.id("grace"), UserChange(full_name="Other"))
    assert refused.value.code == "UNAUTHORIZED_PRINCIPAL"


@pytest.mark.shows("user.email", "update-user-by-email.real-address")
def test_sec_39_a_hidden_address_is_nowhere(make_api: MakeApi) -> None:
    api = make_api(enable_spectator_access=True)
    show_address_to(api, "grace", EmailVisibility.NOBODY)
    allow_email_changes(api.svc, "ada@example.org")
    digests = [hashlib.md5(email).hexdigest() for email in (b"grace@example.org", b"hopper@example.org")]
    viewers = ("mary", "eve", "gil", "ada")
    followers = [api.follow(who) for who in viewers]
    motto = api.ok("ada", "POST", "realm/profile_fields", field_type=6, name="Friends")["id"]
    api.ok("eve", "PATCH", "users/me/profile_data", data=[{"id": motto, "value": [api.id("grace")]}])
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", full_name="Grace Hopper", role=300)
    api.ok("grace", "POST", "users/me/status", status_text="out", away=True)
    message = api.ok(
        "grace", "POST", "messages", type="channel", to="lunch", topic="Soup", content="@**Grace Hopper**"
    )
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", new_email="hopper@example.org")
    api.ok("grace", "POST", "messages", type="channel", to="square", topic="Soup", content="hello")
    for who, follower in zip(viewers, followers, strict=True):
        seen = [
            follower.events(),
            api.ok(who, "GET", "users", client_gravatar=False, include_custom_profile_fields=True),
            api.ok(who, "GET", f"users/{api.id('grace')}", client_gravatar=False),
            api.ok(who, "GET", f"users/{placeholder(api, 'grace')}"),
            api.ok(who, "GET", f"users/{api.id('grace')}/status"),
            api.ok(who, "GET", "messages", anchor="newest", num_before=10, num_after=0, narrow=[]),
            api.ok(who, "GET", f"messages/{message['id']}"),
            api.state(who),
        ]
        text = str(seen)
        for secret in ("grace@example.org", "hopper@example.org", *digests):
            assert secret not in text, (who, secret)
        for real in ("hopper@example.org", "grace@example.org"):
            unknown = api.refused(who, "GET", "users/nobody@example.org")
            assert api.refused(who, "GET", f"users/{real}") == unknown
    hidden = str([api.ok(None, "GET", "users"), api.ok(None, "POST", "register")])
    assert not any(secret in hidden for secret in (*digests, "hopper@example.org"))
    assert api.refused("ada", "PATCH", "users/hopper@example.org", full_name="Other") == api.refused(
        "ada", "PATCH", "users/nobody@example.org", full_name="Other"
    )


def test_sec_39_without_an_account_no_address_is_seen(make_api: MakeApi) -> None:
    api = make_api(enable_spectator_access=True)
    seen = str([api.ok(None, "GET", "users"), api.ok(None, "POST", "register")])
    assert "grace@example.org" not in seen
    assert hashlib.md5(b"grace@example.org").hexdigest() not in seen
