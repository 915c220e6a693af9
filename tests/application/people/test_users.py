"""Reading users as different people see them, and alert words."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from chatcore.application.people import alert_words, users
from chatcore.domain.errors import BadRequest, LoginRequired, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import Position
from chatcore.domain.people.users import EmailVisibility
from chatcore.events.audience import Users
from chatcore.events.happened import AlertWordsChanged
from chatcore.storage import Storage
from tests.worlds.registering import World

LIMITED = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}


@pytest.fixture
def world(storage: Storage) -> World:
    return World(storage)


def actor(world: World, name: str) -> Actor:
    found = world.actor(name)
    assert found is not None
    return found


def show_address_to(world: World, name: str, who: EmailVisibility) -> None:
    world.storage.write(lambda tx: tx.users.update(world.id(name), email_visibility=int(who)))


# -- visibility of addresses ------------------------------------------------------------------------

SEES: Mapping[EmailVisibility, Mapping[str, bool]] = {
    #                                ada: owner; mary: moderator; grace: member; gil: guest; eve: herself
    EmailVisibility.EVERYONE: {"ada": True, "mary": True, "grace": True, "gil": True, "eve": True},
    EmailVisibility.MEMBERS: {"ada": True, "mary": True, "grace": True, "gil": False, "eve": True},
    EmailVisibility.MODERATORS: {"ada": True, "mary": True, "grace": False, "gil": False, "eve": True},
    EmailVisibility.ADMINISTRATORS: {"ada": True, "mary": False, "grace": False, "gil": False, "eve": True},
    EmailVisibility.NOBODY: {"ada": False, "mary": False, "grace": False, "gil": False, "eve": True},
}


@pytest.mark.shows("user.delivery-email", "user.email")
@pytest.mark.parametrize("visibility", SEES)
def test_an_address_is_visible_as_its_owner_allows(world: World, visibility: EmailVisibility) -> None:
    show_address_to(world, "eve", visibility)
    eve = world.id("eve")
    placeholder = f"user{eve}@chat.example.org"
    for name, sees in SEES[visibility].items():
        shape = users.get_user(world.svc, actor(world, name), eve)
        assert shape.delivery_email == ("eve@example.org" if sees else None), name
        everybody = visibility == EmailVisibility.EVERYONE
        assert shape.email == ("eve@example.org" if everybody else placeholder), name


@pytest.mark.shows("named.user-by-email")
@pytest.mark.parametrize("visibility", SEES)
def test_an_address_finds_its_owner_only_for_who_may_see_it(
    world: World, visibility: EmailVisibility
) -> None:
    show_address_to(world, "eve", visibility)
    eve = world.id("eve")
    for name, sees in SEES[visibility].items():
        me = actor(world, name)
        assert users.get_user_by_email(world.svc, me, f"user{eve}@chat.example.org").user_id == eve
        if sees:
            assert users.get_user_by_email(world.svc, me, "Eve@example.org").user_id == eve
        else:
            refusals = [refusal(world, me, address) for address in ("eve@example.org", "no@example.org")]
            assert refusals[0] == refusals[1]


def refusal(world: World, me: Actor, email: str) -> tuple[str, str]:
    with pytest.raises(BadRequest) as refused:
        users.get_user_by_email(world.svc, me, email)
    return refused.value.code, refused.value.message


@pytest.mark.shows("user.avatar-url-null")
def test_the_generated_picture_is_left_to_clients_that_know_the_address(world: World) -> None:
    show_address_to(world, "eve", EmailVisibility.ADMINISTRATORS)
    eve = world.id("eve")
    assert users.get_user(world.svc, actor(world, "ada"), eve).avatar_url is None
    assert users.get_user(world.svc, actor(world, "ada"), eve, client_gravatar=False).avatar_url
    assert users.get_user(world.svc, actor(world, "grace"), eve).avatar_url
    without = replace(world.svc, settings=replace(world.svc.settings, gravatar=False))
    assert users.get_user(without, actor(world, "ada"), eve).avatar_url


# -- lists and single users -------------------------------------------------------------------------


@pytest.mark.shows("own-user.delivery-email", "own-user.max-message-id")
def test_ones_own_account_always_has_its_address_and_a_picture(world: World) -> None:
    show_address_to(world, "grace", EmailVisibility.NOBODY)
    me = users.own_user(world.svc, actor(world, "grace"))
    assert (me.delivery_email, me.email) == ("grace@example.org", f"user{world.id('grace')}@chat.example.org")
    assert me.avatar_url
    assert me.is_active is True
    assert me.profile_data == {}
    assert me.max_message_id == -1
    newest = world.post("lunch", "Soup")
    assert users.own_user(world.svc, actor(world, "grace")).max_message_id == newest


@pytest.mark.shows("named.users")
def test_everybody_is_listed_with_whether_they_are_active(world: World) -> None:
    listed = users.list_users(world.svc, actor(world, "grace"))
    assert {shape.user_id: shape.is_active for shape in listed} == {
        user.id: name != "ida" for name, user in world.users.items()
    }


def test_a_list_can_be_cut_to_some_users(world: World) -> None:
    wanted = [world.id("gil"), world.id("ada"), 10**9]
    listed = users.list_users(world.svc, actor(world, "grace"), user_ids=wanted)
    assert {shape.user_id for shape in listed} == {world.id("gil"), world.id("ada")}


@pytest.mark.shows("user.profile-data")
def test_profile_data_come_on_request_and_never_for_bots(world: World) -> None:
    fields = {"email": "bot@example.org", "full_name": "Bot", "is_bot": True, "date_joined": 1}
    bot = world.storage.write(lambda tx: tx.users.add(fields))
    me = actor(world, "grace")
    with_data = users.list_users(world.svc, me, include_custom_profile_fields=True)
    assert {shape.user_id for shape in with_data if shape.profile_data == {}} == {
        user.id for user in world.users.values()
    }
    assert bot.id in {shape.user_id for shape in with_data}
    assert not any(shape.profile_data == {} for shape in users.list_users(world.svc, me))


@pytest.mark.shows("user.is-active", "get-user.unknown")
def test_a_deactivated_user_is_returned_and_an_unknown_one_refused(world: World) -> None:
    assert users.get_user(world.svc, actor(world, "gil"), world.id("ida")).is_active is False
    for unknown in (0, -1, 10**9, 2**53):
        with pytest.raises(BadRequest):
            users.get_user(world.svc, actor(world, "ada"), unknown)


@pytest.mark.shows("named.users")
def test_a_limited_guest_sees_only_people_it_has_to_do_with(storage: Storage) -> None:
    world = World(storage, permissions=LIMITED)
    gil = actor(world, "gil")
    known = {world.id(name) for name in ("ada", "grace", "gil")}
    assert {shape.user_id for shape in users.list_users(world.svc, gil)} == known
    with pytest.raises(BadRequest, match="No such user"):
        users.get_user_by_email(world.svc, gil, f"user{world.id('eve')}@chat.example.org")
    with pytest.raises(BadRequest, match="No such user"):
        users.get_user_by_email(world.svc, gil, "eve@example.org")
    with pytest.raises(BadRequest, match="No such user"):
        users.get_user(world.svc, gil, world.id("eve"))
    world.send("eve", "gil")
    assert users.get_user(world.svc, gil, world.id("eve")).full_name == "Eve"
    assert len(users.list_users(world.svc, actor(world, "grace"))) == len(world.users)


def test_without_an_account_users_are_listed_only_where_the_web_is_let_in(storage: Storage) -> None:
    world = World(storage)
    with pytest.raises(LoginRequired):
        users.list_users(world.svc, None)


def test_spectators_get_fewer_fields(storage: Storage) -> None:
    world = World(storage, enable_spectator_access=True)
    for shape in users.list_users(world.svc, None, client_gravatar=False):
        if not shape.is_bot:
            assert shape.delivery_email is None
            assert shape.email == f"user{shape.user_id}@chat.example.org"
        assert shape.timezone == ""
        assert shape.date_joined.endswith("T00:00:00+00:00")
        assert shape.avatar_url


# -- alert words ------------------------------------------------------------------------------------


def test_alert_words_are_kept_once_in_their_first_spelling(world: World) -> None:
    me = actor(world, "grace")
    assert alert_words.add_alert_words(world.svc, me, [" Soup ", "", "salad", "SALAD"]) == ["Soup", "salad"]
    assert alert_words.add_alert_words(world.svc, me, ["soup", "bread"]) == ["Soup", "salad", "bread"]
    assert alert_words.remove_alert_words(world.svc, me, ["SOUP", "cheese"]) == ["salad", "bread"]
    assert alert_words.alert_words(world.svc, me) == ["salad", "bread"]
    assert alert_words.alert_words(world.svc, actor(world, "ada")) == []


def test_a_change_of_alert_words_is_sent_to_their_owner(world: World) -> None:
    me = actor(world, "grace")
    alert_words.add_alert_words(world.svc, me, ["soup"])
    alert_words.add_alert_words(world.svc, me, ["Soup"])
    alert_words.remove_alert_words(world.svc, me, ["bread"])
    alert_words.remove_alert_words(world.svc, me, ["soup"])
    logged = world.storage.read(lambda snapshot: snapshot.log.after(Position(0), 100))
    assert [(entry.event, entry.audience) for entry in logged] == [
        (AlertWordsChanged(), Users((me.user_id,))),
        (AlertWordsChanged(), Users((me.user_id,))),
    ]


@pytest.mark.parametrize("word", ["x" * 101, "so\x00up", "so\nup", "\ud800"])
def test_bad_alert_words_are_refused_as_a_whole(world: World, word: str) -> None:
    me = actor(world, "grace")
    with pytest.raises(BadRequest):
        alert_words.add_alert_words(world.svc, me, ["soup", word])
    assert alert_words.alert_words(world.svc, me) == []
    assert alert_words.remove_alert_words(world.svc, me, [word]) == []


def test_sec_79_the_number_of_alert_words_is_limited(world: World) -> None:
    me = actor(world, "grace")
    alert_words.add_alert_words(world.svc, me, [f"word {n}" for n in range(alert_words.MAX_ALERT_WORDS)])
    with pytest.raises(BadRequest):
        alert_words.add_alert_words(world.svc, me, ["one more"])
    for change in (alert_words.add_alert_words, alert_words.remove_alert_words):
        with pytest.raises(BadRequest, match="more than 1000 alert words"):
            change(world.svc, me, ["soup"] * (alert_words.MAX_ALERT_WORDS + 1))


def test_a_deactivated_account_changes_nothing(world: World) -> None:
    me = actor(world, "grace")
    world.storage.write(lambda tx: tx.users.update(me.user_id, is_active=False))
    with pytest.raises(UserDeactivated):
        alert_words.add_alert_words(world.svc, me, ["soup"])
