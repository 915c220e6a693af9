"""`chatcore.storage.people.users`."""

from collections.abc import Mapping, Sequence

from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.users import BotType, EmailVisibility, User
from chatcore.domain.roles import Role
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.storage.conformance.makers import NOW, a_town, add_channel, add_user, error_of
from chatcore.storage.people.users import NewUser
from chatcore.storage.transaction import Storage, Transaction


def actors_of(storage: Storage, user_ids: Sequence[UserId], now: int = NOW) -> Mapping[UserId, Actor]:
    return storage.read(lambda snapshot: snapshot.users.actors(user_ids, now))


def test_a_user_comes_back_as_it_was_added(storage: Storage) -> None:
    fields: NewUser = {
        "email": "Ada.L@Example.com",
        "full_name": "Ada Løvelace",
        "role": Role.ADMINISTRATOR,
        "date_joined": NOW,
        "timezone": "Europe/London",
        "email_visibility": EmailVisibility.NOBODY,
        "key_version": 3,
        "avatar_source": "U",
        "avatar_key": "k",
        "password_hash": "$argon2id$…",
        "settings": {"enter_sends": True, "web_font_size_px": 14},
    }
    ada = storage.write(lambda tx: tx.users.add(fields))
    assert ada == User(id=ada.id, **fields)
    assert storage.read(lambda snapshot: snapshot.users.get(ada.id)) == ada
    assert isinstance(storage.read(lambda snapshot: snapshot.users.get(ada.id)).role, Role)


def test_missing_rows_are_not_found(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.users.find(1)) is None
    assert storage.read(lambda snapshot: snapshot.users.find(2**63 - 1)) is None
    assert storage.read(lambda snapshot: snapshot.users.find_by_email("ada@example.com")) is None
    error_of(LookupError, lambda: storage.read(lambda snapshot: snapshot.users.get(UserId(1))))


def test_many_users_are_added_in_the_order_of_their_rows(storage: Storage) -> None:
    names = [f"user{number}" for number in range(25)]
    rows: list[NewUser] = [
        {"email": f"{name}@example.com", "full_name": name, "date_joined": NOW} for name in names
    ]
    added = storage.write(lambda tx: tx.users.add_many(rows))
    assert list(added) == sorted(set(added))
    users = storage.read(lambda snapshot: snapshot.users.all())
    assert [(user.id, user.full_name) for user in users] == list(zip(added, names, strict=True))


def test_users_channels_and_conversations_share_their_ids(storage: Storage) -> None:
    def write(tx: Transaction) -> list[int]:
        ada, ben = add_user(tx, "ada").id, add_user(tx, "ben").id
        talk = tx.conversations.get_or_add(frozenset({ada, ben})).conversation_id
        return [ada, ben, add_channel(tx, "plaza").id, talk, add_user(tx, "cem").id]

    numbers = storage.write(write)
    assert len(set(numbers)) == 5


def test_a_user_is_found_by_email_in_any_case(storage: Storage) -> None:
    ada = storage.write(lambda tx: add_user(tx, "ada", email="Ada@Example.com"))
    assert storage.read(lambda snapshot: snapshot.users.find_by_email("aDA@example.COM")) == ada
    users = storage.read(lambda snapshot: snapshot.users.by_emails(["ADA@example.com", "ben@example.com"]))
    assert users == {"ada@example.com": ada}


def test_a_user_is_found_by_each_spelling_of_the_domain(storage: Storage) -> None:
    spelled, plain = "BEN@BÜCHER.example", "Ben@XN--bcher-kva.example"

    def found() -> list[User | None]:
        return storage.read(lambda snapshot: [*map(snapshot.users.find_by_email, (spelled, plain))])

    ada = storage.write(lambda tx: add_user(tx, "ada", email="ben@bücher.example"))
    assert found() == [ada, ada]
    ben = storage.write(lambda tx: add_user(tx, "ben", email="ben@xn--bcher-kva.example"))
    assert found() == [ada, ben]  # the spelling of the account itself counts first
    storage.write(lambda tx: tx.users.update(ada.id, email="ada@example.com"))
    assert found() == [ben, ben]


def test_no_two_users_have_one_email(storage: Storage) -> None:
    storage.write(lambda tx: add_user(tx, "ada"))
    error_of(Exception, lambda: storage.write(lambda tx: add_user(tx, "Ada")))
    assert len(storage.read(lambda snapshot: snapshot.users.all())) == 1


def test_users_are_found_by_full_name_in_any_case(storage: Storage) -> None:
    def write(tx: Transaction) -> list[User]:
        return [add_user(tx, name, full_name=name[:3]) for name in ("ada1", "ADA2", "ben")]

    first, second, _ = storage.write(write)
    assert storage.read(lambda snapshot: snapshot.users.by_names(["Ada", "cem"])) == [first, second]


def test_users_are_found_by_ids(storage: Storage) -> None:
    town = a_town(storage)
    users = storage.read(lambda snapshot: snapshot.users.by_ids([town.ben, town.ada, UserId(10**9)]))
    assert {user_id: user.full_name for user_id, user in users.items()} == {town.ada: "Ada", town.ben: "Ben"}
    assert storage.read(lambda snapshot: snapshot.users.by_ids([])) == {}


def test_a_user_is_updated(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.users.update(
            town.ada,
            email="countess@example.com",
            full_name="Countess",
            role=Role.OWNER,
            settings={"twenty_four_hour_time": True},
            is_active=False,
        )

    storage.write(write)
    ada = storage.read(lambda snapshot: snapshot.users.find_by_email("Countess@example.com"))
    assert ada is not None
    assert (ada.id, ada.role, ada.is_active) == (town.ada, Role.OWNER, False)
    assert ada.settings == {"twenty_four_hour_time": True}
    assert storage.read(lambda snapshot: snapshot.users.by_names(["countess"])) == [ada]
    assert storage.read(lambda snapshot: snapshot.users.find_by_email("ada@example.com")) is None
    assert storage.read(lambda snapshot: snapshot.users.by_names(["ada"])) == []


def test_actors_carry_the_groups_of_their_role(storage: Storage) -> None:
    def write(tx: Transaction) -> tuple[UserId, UserId]:
        return add_user(tx, "olga", role=Role.OWNER).id, add_user(tx, "gus", role=Role.GUEST).id

    olga, gus = storage.write(write)
    actors = actors_of(storage, [olga, gus, UserId(10**9)])
    assert set(actors) == {olga, gus}
    assert actors[olga].group_ids == system_groups_of(Role.OWNER, full_member=True)
    assert actors[gus].is_guest


def test_a_deactivated_user_is_no_actor(storage: Storage) -> None:
    ada = storage.write(lambda tx: add_user(tx, "ada", is_active=False)).id
    assert actors_of(storage, [ada]) == {}


def test_a_new_member_is_a_full_member_after_the_waiting_period(storage: Storage) -> None:
    teahouse = Organization(name="Teahouse", date_created=NOW, waiting_period_threshold=3)

    def write(tx: Transaction) -> UserId:
        tx.organization.put(teahouse)
        return add_user(tx, "ada", date_joined=NOW).id

    ada = storage.write(write)
    for days, is_full in ((2, False), (3, True)):
        actors = actors_of(storage, [ada], NOW + days * SECONDS_PER_DAY)
        assert (SystemGroup.FULL_MEMBERS.group_id in actors[ada].group_ids) is is_full


def test_a_bot_carries_its_owner(storage: Storage) -> None:
    def write(tx: Transaction) -> tuple[UserId, UserId]:
        ada = add_user(tx, "ada", role=Role.ADMINISTRATOR).id
        bot = add_user(tx, "bot", is_bot=True, bot_type=BotType.GENERIC, bot_owner_id=ada).id
        return ada, bot

    ada, bot = storage.write(write)
    for asked in ([bot], [bot, ada], [ada, bot]):
        actors = actors_of(storage, asked)
        assert set(actors) == set(asked)
        owner = actors[bot].owner
        assert owner is not None
        assert (owner.user_id, owner.role) == (ada, Role.ADMINISTRATOR)
        assert actors[bot].is_bot


def test_active_users_are_found_by_role(storage: Storage) -> None:
    def write(tx: Transaction) -> list[UserId]:
        return [
            add_user(tx, "olga", role=Role.OWNER).id,
            add_user(tx, "gus", role=Role.GUEST).id,
            add_user(tx, "adam", role=Role.ADMINISTRATOR).id,
            add_user(tx, "olaf", role=Role.OWNER, is_active=False).id,
        ]

    olga, gus, adam, _ = storage.write(write)

    def having(*roles: Role) -> list[UserId]:
        return storage.read(lambda snapshot: [user.id for user in snapshot.users.active_with_roles(roles)])

    assert having(Role.OWNER, Role.ADMINISTRATOR) == [olga, adam]
    assert having(Role.GUEST, Role.MEMBER) == [gus]


def give(storage: Storage, user_id: UserId, allowed: bool) -> None:
    storage.write(lambda tx: tx.users.update(user_id, can_change_user_emails=allowed))


def test_the_permission_to_change_addresses_is_given_and_taken(storage: Storage) -> None:
    town = a_town(storage)
    for allowed in (False, True, False):
        give(storage, town.ada, allowed)
        user = storage.read(lambda snapshot: snapshot.users.get(town.ada))
        assert user.can_change_user_emails is allowed


def test_active_people_are_counted(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        add_user(tx, "ada")
        add_user(tx, "ben")
        add_user(tx, "gone", is_active=False)
        add_user(tx, "robot", is_bot=True)

    assert storage.read(lambda snapshot: snapshot.users.count_active_people()) == 0
    storage.write(write)
    assert storage.read(lambda snapshot: snapshot.users.count_active_people()) == 2
