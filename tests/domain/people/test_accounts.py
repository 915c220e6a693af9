"""Accounts: their states, actors, keys and pictures, and the clients that they use."""

import zlib
from collections.abc import Callable

import pytest

from chatcore.domain.errors import BadRequest, CannotDeactivateLastUser, InsufficientRole
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import GroupId, RecipientId, UserId
from chatcore.domain.messages.messages import marks_own_messages_read
from chatcore.domain.people import account_states as states
from chatcore.domain.people.api_keys import API_KEY_LENGTH, derive_api_key, service_token
from chatcore.domain.people.avatars import (
    file_key,
    file_key_of_name,
    generated_picture,
    generated_url,
    url_of,
)
from chatcore.domain.people.identicons import identicon, nobody
from chatcore.domain.people.users import User, actors_of
from chatcore.domain.roles import Role
from chatcore.domain.times import SECONDS_PER_DAY

ADA, BEA, BOT = (UserId(RecipientId(number)) for number in (7, 8, 9))


def user(role: Role = Role.MEMBER, *, is_active: bool = True) -> User:
    return User(id=BEA, email="a@b", full_name="B", date_joined=0, role=role, is_active=is_active)


def actor(role: Role) -> Actor:
    return Actor(ADA, role, system_groups_of(role, full_member=True))


# -- states -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "of", "allowed"),
    [
        (Role.OWNER, Role.OWNER, True),
        (Role.OWNER, Role.MEMBER, True),
        (Role.ADMINISTRATOR, Role.MEMBER, True),
        (Role.ADMINISTRATOR, Role.ADMINISTRATOR, True),
        (Role.ADMINISTRATOR, Role.OWNER, False),
        (Role.MODERATOR, Role.GUEST, False),
        (Role.MEMBER, Role.GUEST, False),
    ],
)
def test_owners_are_deactivated_by_owners(by: Role, of: Role, allowed: bool) -> None:
    if allowed:
        states.require_may_change_state(actor(by), user(of), None)
    else:
        with pytest.raises(InsufficientRole):
            states.require_may_change_state(actor(by), user(of), None)


def test_bots_of_owners_are_deactivated_by_owners() -> None:
    states.require_may_change_state(actor(Role.OWNER), user(Role.MEMBER), user(Role.OWNER))
    states.require_may_change_state(actor(Role.ADMINISTRATOR), user(Role.MEMBER), user(Role.MEMBER))
    with pytest.raises(InsufficientRole):
        states.require_may_change_state(actor(Role.ADMINISTRATOR), user(Role.MEMBER), user(Role.OWNER))


@pytest.mark.parametrize(
    ("is_only_owner", "active_people", "allowed"),
    [(False, 2, True), (False, 1, False), (True, 2, False), (True, 1, False)],
)
def test_the_last_one_stays(is_only_owner: bool, active_people: int, allowed: bool) -> None:
    if allowed:
        states.require_may_deactivate_self(is_only_owner=is_only_owner, active_people=active_people)
    else:
        with pytest.raises(CannotDeactivateLastUser):
            states.require_may_deactivate_self(is_only_owner=is_only_owner, active_people=active_people)


@pytest.mark.parametrize(
    ("is_active", "is_only_owner", "allowed"),
    [(True, False, True), (False, False, False), (True, True, False)],
)
def test_an_active_account_is_deactivated(is_active: bool, is_only_owner: bool, allowed: bool) -> None:
    if allowed:
        states.require_may_be_deactivated(user(is_active=is_active), is_only_owner=is_only_owner)
    else:
        with pytest.raises(BadRequest):
            states.require_may_be_deactivated(user(is_active=is_active), is_only_owner=is_only_owner)


# -- actors -----------------------------------------------------------------------------------------

Groups = Callable[[UserId, frozenset[GroupId]], frozenset[GroupId]]


def account(user_id: UserId, *, owner: UserId | None = None, joined_at: int = 0) -> User:
    bot = {} if owner is None else {"is_bot": True, "bot_type": 1, "bot_owner_id": owner}
    return User(id=user_id, email="one@example.com", full_name="One", date_joined=joined_at, **bot)


def as_they_are(user_id: UserId, groups: frozenset[GroupId]) -> frozenset[GroupId]:
    return groups


@pytest.mark.parametrize(("waited", "is_full"), [(2, False), (3, True), (4, True)])
def test_members_become_full_members_by_waiting(waited: int, is_full: bool) -> None:
    now = waited * SECONDS_PER_DAY
    found = actors_of([account(ADA)], as_they_are, owners={}, waiting_period_days=3, now=now)
    assert (SystemGroup.FULL_MEMBERS.group_id in found[ADA].group_ids) is is_full


def test_bots_have_their_owners() -> None:
    """The order of the accounts does not matter; an inactive owner does not count."""
    accounts = [account(BOT, owner=ADA), account(ADA)]
    found = actors_of(accounts, as_they_are, owners={}, waiting_period_days=0, now=0)
    assert found[BOT].owner == found[ADA]
    alone = [account(BOT, owner=ADA)]
    elsewhere = actors_of(alone, as_they_are, owners={ADA: found[ADA]}, waiting_period_days=0, now=0)
    assert elsewhere[BOT].owner == found[ADA]
    orphan = actors_of(alone, as_they_are, owners={}, waiting_period_days=0, now=0)
    assert orphan[BOT].owner is None


def test_named_groups_are_added() -> None:
    club = GroupId(900)
    found = actors_of(
        [account(ADA)], lambda _, groups: groups | {club}, owners={}, waiting_period_days=0, now=0
    )
    assert found[ADA].group_ids == system_groups_of(Role.MEMBER, full_member=True) | {club}


# -- keys, pictures and clients ---------------------------------------------------------------------


def test_keys_depend_on_all_they_are_derived_from() -> None:
    keys = {
        derive_api_key(secret, user_id, version)
        for secret in (b"one", b"two")
        for user_id in (ADA, BEA)
        for version in (0, 1)
    }
    assert len(keys) == 8
    assert all(len(key) == API_KEY_LENGTH and key.isalnum() and key.islower() for key in keys)
    assert derive_api_key(b"one", ADA, 0) in keys


def test_keys_and_tokens_that_are_in_use_stay_valid_with_every_version() -> None:
    key = derive_api_key(b"one", UserId(7), 0)
    assert key == "xdclcauuyomzrckzzburxuxgm4f3hjed"
    assert service_token(key) == "f98c3ba0d95807af2d57fbed6506c2d4"


KEY = "abcdefghijklmnopqrstuv_-"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (f"{KEY}.png", file_key(KEY)),
        (f"{KEY}-medium.png", file_key(KEY, medium=True)),
        (f"{KEY}.jpg", None),
        (f"{KEY}x.png", None),
        (f"../{KEY[3:]}.png", None),
        ("", None),
    ],
)
def test_names_of_uploaded_pictures(name: str, key: str | None) -> None:
    assert file_key_of_name(name) == key


@pytest.mark.parametrize("medium", [False, True])
def test_urls_lead_to_the_pictures(medium: bool) -> None:
    uploaded, generated = url_of(KEY, medium=medium), generated_url(ADA, 3, medium=medium)
    assert file_key_of_name(uploaded.rpartition("/")[2]) == file_key(KEY, medium=medium)
    name, _, version = generated.rpartition("/")[2].partition("?")
    assert version == "version=3"
    assert generated_picture(name, "chat.example") == identicon("chat.example user-7", 500 if medium else 100)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("user-7.png", True),
        ("organization-medium.png", True),
        ("nobody.png", True),
        ("user-0.png", False),
        ("user-07.png", False),
        ("user-7.gif", False),
        ("anybody.png", False),
    ],
)
def test_names_of_generated_pictures(name: str, is_one: bool) -> None:
    picture = generated_picture(name, "chat.example")
    assert (picture is not None) is is_one
    assert picture is None or picture.startswith(b"\x89PNG")


def test_generated_pictures_are_the_same_each_time_and_differ() -> None:
    pictures = [identicon("a", 100), identicon("b", 100), identicon("a", 500), nobody(100)]
    assert len(set(pictures)) == 4
    assert identicon.__wrapped__("a", 100) == pictures[0]


@pytest.mark.parametrize("number", range(100))
def test_a_generated_picture_is_neither_empty_nor_full(number: int) -> None:
    picture = identicon(f"chat.example user-{number}", 100)
    pixels = zlib.decompress(picture[picture.index(b"IDAT") + 4 :])
    cells = int.from_bytes(pixels, "big").bit_count() / 16**2
    assert 11 <= cells <= 16


@pytest.mark.parametrize(
    ("client", "brand", "marks"),
    [
        ("website", "", True),
        ("Website", "", True),
        ("ios", "", True),
        ("curl", "", False),
        ("acmeandroid", "", False),
        ("desktop", "", False),
        ("acmeandroid", "Acme", True),
        ("AcmeFlutter", "Acme", True),
        ("acme", "Acme", False),
    ],
)
def test_some_clients_mark_their_own_messages_as_read(client: str, brand: str, marks: bool) -> None:
    assert marks_own_messages_read(client, brand) is marks
