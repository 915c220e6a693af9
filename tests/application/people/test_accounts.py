"""Accounts: keys, passwords and making users, as tools and embedding programs call it."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from chatcore.application.organization.founding import NewOrganization, initialize
from chatcore.application.people import accounts, logins, passwords
from chatcore.application.people.accounts import NewUser
from chatcore.domain.errors import AuthenticationFailed, BadRequest, ChatError, InsufficientRole, RateLimited
from chatcore.domain.ids import UserId
from chatcore.domain.roles import Role
from chatcore.runtime.work import Work
from tests.conftest import HASHES_OF_SERVERS
from tests.worlds.organization import MakeWorld, Someone, World, at_once

PASSWORD = "correct horse"


@cache
def password_hash() -> str:
    return passwords.hash_password(PASSWORD)


# -- keys -------------------------------------------------------------------------------------------


def test_a_key_is_derived_and_not_stored(world: World, ada: Someone) -> None:
    key = logins.api_key(world.svc, UserId(ada.id), world.users["ada"].key_version)
    assert key == world.keys["ada"]
    assert len(key) == 32
    assert key.isalnum()
    assert key.isascii()
    others = {logins.api_key(world.svc, UserId(n), v) for n in range(100) for v in range(10)}
    assert len(others) == 1000


# -- passwords --------------------------------------------------------------------------------------


@pytest.mark.parametrize("password", ["", "short", "x" * 101, "with\0null"])
def test_a_password_has_bounds(password: str) -> None:
    with pytest.raises(BadRequest):
        passwords.hash_password(password)


def test_two_hashes_of_one_password_differ() -> None:
    assert password_hash() != passwords.hash_password(PASSWORD)
    assert password_hash().startswith("$argon2id$")


def test_a_server_takes_time_and_memory_for_a_hash() -> None:
    assert HASHES_OF_SERVERS.hash(PASSWORD).startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_many_tries_at_once_are_no_more_than_one_after_another(world: World) -> None:
    world.change_user("ada", password_hash=password_hash())
    tried: list[str] = []

    def slowly(work: Any, kind: Work) -> Any:
        tried.append("x")
        return False

    svc = replace(world.svc, run_blocking=slowly)

    def attempt() -> type[BaseException]:
        try:
            logins.log_in(svc, "ada@example.org", "wrong")
        except (AuthenticationFailed, RateLimited) as error:
            return type(error)
        raise AssertionError("let in")

    outcomes = at_once(*[attempt] * 12)
    assert outcomes.count(AuthenticationFailed) == len(tried) == 5
    assert outcomes.count(RateLimited) == 7


def test_a_lock_is_for_all_servers_of_the_organization(world: World) -> None:
    for _ in range(5):
        with pytest.raises(AuthenticationFailed):
            logins.log_in(world.svc, "nobody@example.org", "wrong")
    other = World(world.url)
    try:
        with pytest.raises(RateLimited):
            logins.log_in(other.svc, "NOBODY@example.org", "wrong")
    finally:
        other.close()


def test_a_name_that_is_no_name_is_not_kept_as_it_is(world: World) -> None:
    with pytest.raises(AuthenticationFailed):
        logins.log_in(world.svc, "x" * 100_000, "wrong")
    stored = world.storage.read(lambda s: s.logins.failures(f"{'x' * 300} from anywhere", 0))
    assert len(stored) == 1


# -- making users -----------------------------------------------------------------------------------


def test_a_new_user_can_act_and_others_are_notified(world: World, bea: Someone) -> None:
    line = bea.opens_queue("realm_user")
    login = accounts.create_user(world.svc, NewUser(email=" dan@example.org ", full_name="Dan Dare"))
    assert login.email == "dan@example.org"
    assert logins.authenticate(world.svc, login.email, login.api_key).role == Role.MEMBER
    (event,) = line.events()
    assert (event["op"], event["person"]["full_name"]) == ("add", "Dan Dare")
    assert event["person"]["user_id"] == login.user_id
    assert "api_key" not in str(event)


def test_a_user_is_made_with_role_password_or_owner(world: World, ada: Someone) -> None:
    guest = accounts.create_user(
        world.svc, NewUser(email="g@example.org", full_name="Gill", role=Role.GUEST, password=PASSWORD)
    )
    assert logins.log_in(world.svc, "g@example.org", PASSWORD) == guest
    bot = accounts.create_user(
        world.svc,
        NewUser(email="b@example.org", full_name="Bot", is_bot=True, bot_owner_id=UserId(ada.id)),
    )
    actor = logins.authenticate(world.svc, bot.email, bot.api_key)
    assert actor.is_bot
    assert actor.owner is not None
    assert actor.owner.user_id == ada.id


@pytest.mark.parametrize(
    "new",
    [
        NewUser(email="ADA@example.org", full_name="Another"),
        NewUser(email="nobody", full_name="Nobody"),
        NewUser(email="a@b@c", full_name="Nobody"),
        NewUser(email="a b@c", full_name="Nobody"),
        NewUser(email="@c", full_name="Nobody"),
        NewUser(email="x@example.org", full_name="X"),
        NewUser(email="x@example.org", full_name="x" * 101),
        NewUser(email="x@example.org", full_name="*star*"),
        NewUser(email="x@example.org", full_name="Bob|17"),
        NewUser(email="x@example.org", full_name="a\nb"),
        NewUser(email="x@example.org", full_name="Xavier", password="short"),
    ],
)
def test_a_user_outside_the_rules_is_not_made(world: World, new: NewUser) -> None:
    before = world.count("account")
    with pytest.raises(BadRequest):
        accounts.create_user(world.svc, new)
    assert world.count("account") == before


@pytest.mark.parametrize(
    ("by", "asked", "refusal"),
    [
        ("adi", {}, None),
        ("adi", {"role": Role.ADMINISTRATOR}, None),
        ("adi", {"role": Role.OWNER}, InsufficientRole),
        ("adi", {"owner": "ada"}, None),
        ("adi", {"owner": "olga"}, InsufficientRole),
        ("olga", {"role": Role.OWNER}, None),
        ("olga", {"owner": "olga"}, None),
        ("olga", {"owner": "robo"}, BadRequest),
        (None, {"owner": "robo"}, BadRequest),
        (None, {"owner": "gone"}, BadRequest),
        (None, {"owner": "ada", "is_bot": False}, BadRequest),
        ("robo", {}, BadRequest),  # an administrator with the permission, but a bot
        ("mona", {}, InsufficientRole),
    ],
)
def test_permissions_to_create_accounts(
    world: World, by: str | None, asked: dict[str, Any], refusal: type[ChatError] | None
) -> None:
    """Only owners may create owners and bots with that role; the owner of a bot is a person, or nobody."""
    world.add_user("gone", is_active=False)
    world.change_user("robo", role=int(Role.ADMINISTRATOR))
    for name in ("adi", "olga", "robo", "mona"):
        world.change_user(name, can_create_users=True)
    fields = {"email": "new@example.org", "full_name": "New", **asked}
    if (owner := fields.pop("owner", None)) is not None:
        fields = {"is_bot": True, "bot_owner_id": world.users[owner].id, **fields}
    new, before = NewUser(**fields), world.count("account")
    with nullcontext() if refusal is None else pytest.raises(refusal) as refused:
        accounts.create_user(world.svc, new, by=None if by is None else world.actor(by))
    assert refusal is None or refused.type is refusal
    assert world.count("account") == before + (refusal is None)


def test_permission_to_create_accounts_is_checked_before_and_after_the_work(world: World) -> None:
    world.change_user("adi", can_create_users=True)
    adi, new = world.actor("adi"), NewUser(email="new@example.org", full_name="New", password=PASSWORD)
    hashed: list[str] = []

    def demoting(work: Callable[[], Any], *_: Any) -> Any:
        hashed.append(PASSWORD)
        world.change_user("adi", role=int(Role.MEMBER))
        return work()

    svc = replace(world.svc, run_blocking=demoting)
    for _ in range(2):  # as an administrator who is none any more after the work; and before it
        with pytest.raises(InsufficientRole):
            accounts.create_user(svc, new, by=adi)
    assert hashed == [PASSWORD]


def test_the_owner_of_a_new_bot_gets_its_key(world: World, ada: Someone, bea: Someone) -> None:
    lines = [who.opens_queue("realm_bot") for who in (ada, bea, world["adi"])]
    new = NewUser(email="b@example.org", full_name="Bot", is_bot=True, bot_owner_id=UserId(ada.id))
    login = accounts.create_user(world.svc, new)
    mine, others, administrators = (line.events() for line in lines)
    assert [(one["op"], one["bot"]["user_id"], one["bot"]["api_key"]) for one in mine] == [
        ("add", login.user_id, login.api_key)
    ]
    assert others == []
    assert [(one["op"], one["bot"]["user_id"], one["bot"]["api_key"]) for one in administrators] == [
        ("add", login.user_id, "")
    ]


def test_an_organization_is_made_once(world: World) -> None:
    with pytest.raises(BadRequest):
        initialize(world.svc, NewOrganization(name="Other", owner_email="o@example.org", owner_name="Other"))


# -- attempts from one address ------------------------------------------------------------------------


def test_one_address_cannot_try_one_password_on_everybody(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"authenticate_by_ip": "3 per 1800 seconds"})
    for number in range(3):
        with pytest.raises(AuthenticationFailed):
            logins.log_in(world.svc, f"nobody{number}@example.org", "wrong", "192.0.2.7")
        world.clock.now += 60
    with pytest.raises(RateLimited) as refused:
        logins.log_in(world.svc, "somebody@example.org", "wrong", "192.0.2.7")
    assert refused.value.retry_after == 1800 - 180, "until the first try is forgotten"
    with pytest.raises(AuthenticationFailed):
        logins.log_in(world.svc, "somebody@example.org", "wrong", "192.0.2.8")


@pytest.mark.parametrize(
    ("tried", "other", "together"),
    [
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff:1:2:3", True),
        ("2001:db8:1:2::7", "2001:DB8:1:2::8", True),
        ("2001:db8:1:2::7", "2001:db8:1:3::7", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("192.0.2.7", "192.0.2.8", False),
    ],
)
def test_all_addresses_of_one_network_are_counted_together(
    make_world: MakeWorld, tried: str, other: str, together: bool
) -> None:
    world = make_world(rate_limit_rules={"authenticate_by_ip": "1 per 1800 seconds"})
    for name, address, refusal in (
        ("nobody", tried, AuthenticationFailed),
        ("somebody", other, RateLimited if together else AuthenticationFailed),
    ):
        with pytest.raises(refusal):
            logins.log_in(world.svc, f"{name}@example.org", "wrong", address)
