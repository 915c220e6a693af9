"""A bot has no more permissions than its owner, whichever of the three changes: the bot's role, the owner's
role, or the owner; and nobody keeps or gets the key of a bot that has more than they have.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from chatcore.application.people import administration, deactivation
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.bot_roles import BotRoleAboveOwner, bots_above_owners
from chatcore.domain.roles import Role
from tests.security.attacking import nothing_changes
from tests.worlds.organization import Line, Someone, World

ABOVE = "BOT_ROLE_ABOVE_OWNER"
NOT_OWNER = "UNAUTHORIZED_PRINCIPAL"


def makes(world: World, name: str, bot: str, role: int | None = None) -> Someone:
    """Return the program of a new bot of somebody, with a role if one is given."""
    made = world[name].post("/bots", full_name=bot.title(), short_name=bot)
    world.storage.read(world.know)
    if role is not None:
        world["olga"].patch(f"/bots/{made['user_id']}", role=role)
    world.storage.read(world.know)
    known = next(one for one, user in world.users.items() if user.id == made["user_id"])
    world.keys[known] = made["api_key"]
    return Someone(world, known)


def role_of(world: World, who: Someone) -> int:
    return int(world.storage.read(lambda snapshot: snapshot.users.all() and snapshot.users.get(who.id)).role)  # type: ignore[arg-type]


def is_out(program: Someone, line: Line | None = None) -> None:
    program.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    if line is not None:
        assert program.world.storage.read(lambda snapshot: snapshot.queues.of_user(program.id)) == []  # type: ignore[arg-type]


def demote_over_http(world: World, user_id: int, role: Role) -> None:
    world["olga"].patch(f"/users/{user_id}", role=int(role))


def demote_by_tools(world: World, user_id: int, role: Role) -> None:
    email = next(user.email for user in world.users.values() if user.id == user_id)
    administration.set_role(world.svc, email, role)


@pytest.mark.parametrize("demote", [demote_over_http, demote_by_tools])
@pytest.mark.parametrize("role", [Role.MODERATOR, Role.MEMBER])
def test_bots_sink_with_their_owner(
    world: World, bea: Someone, role: Role, demote: Callable[[World, int, Role], None]
) -> None:
    adi = world["adi"]
    bot = makes(world, "adi", "keeper", Role.ADMINISTRATOR)
    other = makes(world, "adi", "helper")
    bots, seen, own = (
        bot.opens_queue("realm_user"),
        bea.opens_queue("realm_user"),
        adi.opens_queue("realm_bot"),
    )
    demote(world, adi.id, role)
    is_out(bot, bots)
    assert [
        (one["user_id"], one["role"]) for event in seen.events() if "role" in (one := event["person"])
    ] == [
        (adi.id, role),
        (bot.id, role),
    ]
    (key,) = [event["bot"]["api_key"] for event in own.events() if "api_key" in event["bot"]]
    world.keys[bot.name or ""] = key
    again = Someone(world, bot.name)
    assert again.get("/users/me")["role"] == role
    again.refused("PATCH", f"/users/{adi.id}", role=200)
    assert other.get("/users/me")["role"] == Role.MEMBER
    again.refused("PATCH", f"/bots/{bot.id}", role=200)
    assert adi.post(f"/bots/{bot.id}/api_key/regenerate")["api_key"] != key
    adi.refused("PATCH", f"/bots/{bot.id}", role=200, code=NOT_OWNER)


def test_bots_of_members_who_become_guests_are_guests(world: World, ada: Someone) -> None:
    robo = world["robo"]
    world["adi"].patch(f"/users/{ada.id}", role=int(Role.GUEST))
    is_out(robo)
    assert role_of(world, robo) == Role.GUEST
    world["adi"].patch(f"/users/{ada.id}", role=int(Role.MEMBER))
    assert role_of(world, robo) == Role.GUEST
    world["adi"].patch(f"/bots/{robo.id}", role=int(Role.MEMBER))


def test_an_owner_who_was_demoted_has_no_bot_of_owners(world: World, olga: Someone) -> None:
    other = world.add_user("omar", role=Role.OWNER)
    bot = makes(world, "omar", "crown", Role.OWNER)
    olga.patch(f"/users/{other.id}", role=400)
    is_out(bot)
    assert role_of(world, bot) == Role.MEMBER


def test_deactivated_bots_sink_too(world: World, ada: Someone) -> None:
    adi, bot = world["adi"], makes(world, "adi", "keeper", Role.ADMINISTRATOR)
    adi.delete(f"/bots/{bot.id}")
    world["olga"].patch(f"/users/{adi.id}", role=400)
    world["olga"].post(f"/users/{bot.id}/reactivate")
    is_out(bot)
    assert role_of(world, bot) == Role.MEMBER


def test_bots_sink_while_their_owner_is_deactivated(world: World) -> None:
    adi, bot = world["adi"], makes(world, "adi", "keeper", Role.ADMINISTRATOR)
    deactivation.deactivate_user(world.svc, None, adi.id)
    demote_by_tools(world, adi.id, Role.MEMBER)
    for who in (adi, bot):
        deactivation.reactivate_user(world.svc, None, who.id)
    is_out(bot)
    assert role_of(world, bot) == Role.MEMBER


def test_no_bot_is_raised_above_its_owner(world: World, ada: Someone, olga: Someone) -> None:
    robo = world["robo"]
    with nothing_changes(world):
        for role in (Role.MODERATOR, Role.ADMINISTRATOR, Role.OWNER):
            olga.refused("PATCH", f"/bots/{robo.id}", role=int(role), code=ABOVE)
            olga.refused("PATCH", f"/users/{robo.id}", role=int(role), full_name="Robo 2", code=ABOVE)
            olga.refused("PATCH", f"/users/{robo.email}", role=int(role), code=ABOVE)
            with pytest.raises(BotRoleAboveOwner):
                administration.set_role(world.svc, robo.email, role)
            new = NewUser(
                email="new@example.org",
                full_name="New",
                role=role,
                is_bot=True,
                bot_owner_id=world.users["ada"].id,
            )
            with pytest.raises(BotRoleAboveOwner):
                create_user(world.svc, new)
    bot = makes(world, "adi", "keeper", Role.ADMINISTRATOR)
    olga.refused("PATCH", f"/bots/{bot.id}", bot_owner_id=ada.id, code=ABOVE)
    olga.refused("PATCH", f"/bots/{bot.id}", bot_owner_id=ada.id, role=300, code=ABOVE)


def test_role_and_owner_change_together(world: World, ada: Someone, olga: Someone) -> None:
    bot = makes(world, "ada", "keeper")
    olga.patch(f"/bots/{bot.id}", bot_owner_id=world["adi"].id, role=200)
    assert role_of(world, bot) == Role.ADMINISTRATOR
    olga.patch(f"/bots/{bot.id}", bot_owner_id=ada.id, role=400)
    assert role_of(world, bot) == Role.MEMBER


def test_guests_have_no_bots_of_members(world: World) -> None:
    gus = world["gus"]
    world.change_organization(permissions={"can_create_bots_group": GroupSetting.of(SystemGroup.EVERYONE)})
    with nothing_changes(world):
        gus.refused("POST", "/bots", full_name="Butler", short_name="butler")
    world["ada"].refused("PATCH", f"/bots/{world['robo'].id}", bot_owner_id=gus.id, code=ABOVE)
    world["adi"].patch(f"/bots/{world['robo'].id}", role=600, bot_owner_id=gus.id)


def test_a_bot_of_the_organization_has_any_role(world: World, ada: Someone, olga: Someone) -> None:
    made = create_user(
        world.svc, NewUser(email="clock@example.org", full_name="Clock", role=Role.ADMINISTRATOR, is_bot=True)
    )
    olga.patch(f"/bots/{made.user_id}", role=100)
    olga.refused("PATCH", f"/bots/{made.user_id}", bot_owner_id=ada.id, code=ABOVE)
    world["adi"].refused("POST", f"/bots/{made.user_id}/api_key/regenerate", code=NOT_OWNER)


# -- keys of bots of others ---------------------------------------------------------------------------


def borrows(world: World, who: str, bot: str) -> Someone:
    """Return the program that has the new key of somebody else's bot."""
    world.keys[bot] = world[who].post(f"/bots/{world[bot].id}/api_key/regenerate")["api_key"]
    program = Someone(world, bot)
    program.get("/users/me")
    return program


@pytest.mark.parametrize("role", [Role.MODERATOR, Role.MEMBER, Role.GUEST])
def test_who_is_no_administrator_any_more_has_no_key_of_others(
    world: World, ada: Someone, role: Role
) -> None:
    borrowed, line = borrows(world, "adi", "robo"), ada.opens_queue("realm_bot")
    world["olga"].patch(f"/users/{world['adi'].id}", role=int(role))
    is_out(borrowed)
    (key,) = [event["bot"]["api_key"] for event in line.events() if "api_key" in event["bot"]]
    world.keys["robo"] = key
    Someone(world, "robo").get("/users/me")


def test_a_key_that_the_bot_itself_renewed_is_still_its_holders(world: World, ada: Someone) -> None:
    borrowed, line = borrows(world, "adi", "robo"), ada.opens_queue("realm_bot")
    for _ in range(2):
        world.keys["robo"] = borrowed.post("/users/me/api_key/regenerate")["api_key"]
        borrowed = Someone(world, "robo")
    world["olga"].patch(f"/users/{world['adi'].id}", role=400)
    is_out(borrowed)
    keys = [event["bot"]["api_key"] for event in line.events() if "api_key" in event["bot"]]
    world.keys["robo"] = keys[-1]
    Someone(world, "robo").get("/users/me")


def test_keys_that_their_holder_may_not_have_any_more_are_replaced(world: World, ada: Someone) -> None:
    olga = world["olga"]
    borrowed = borrows(world, "adi", "robo")
    olga.patch(f"/users/{ada.id}", role=200)
    borrowed.get("/users/me")
    olga.patch(f"/users/{ada.id}", role=100)  # now it is the bot of an owner
    is_out(borrowed)
    olga.patch(f"/users/{ada.id}", role=400)
    borrowed = borrows(world, "adi", "robo")
    olga.delete(f"/users/{world['adi'].id}")
    is_out(borrowed)


def test_a_key_that_its_owner_renewed_is_nobody_elses(world: World, ada: Someone) -> None:
    borrows(world, "adi", "robo")
    world.keys["robo"] = ada.post(f"/bots/{world['robo'].id}/api_key/regenerate")["api_key"]
    own = Someone(world, "robo")
    world["olga"].patch(f"/users/{world['adi'].id}", role=400)
    own.get("/users/me")


def test_a_key_that_a_new_owner_got_is_nobody_elses(world: World, ada: Someone) -> None:
    borrows(world, "adi", "robo")
    mona, olga = world["mona"], world["olga"]
    line = mona.opens_queue("realm_bot")
    olga.patch(f"/bots/{world['robo'].id}", bot_owner_id=mona.id)
    (key,) = [event["bot"]["api_key"] for event in line.events() if "api_key" in event["bot"]]
    world.keys["robo"] = key
    olga.patch(f"/users/{world['adi'].id}", role=400)
    Someone(world, "robo").get("/users/me")


def test_administrators_do_not_manage_bots_of_owners(world: World, ada: Someone, olga: Someone) -> None:
    bot = makes(world, "olga", "crown")
    adi, path = world["adi"], f"/bots/{bot.id}"
    with nothing_changes(world):
        adi.refused("POST", f"{path}/api_key/regenerate", code=NOT_OWNER)
        changes: list[dict[str, Any]] = [
            {"bot_owner_id": adi.id},
            {"full_name": "Mine"},
            {"role": 600},
            {"default_sending_stream": "lunch"},
        ]
        for change in changes:
            adi.refused("PATCH", path, **change, code=NOT_OWNER)
        adi.refused("DELETE", path, code=NOT_OWNER)
        adi.refused("DELETE", f"/users/{bot.id}", code=NOT_OWNER)
        adi.refused("PATCH", f"/users/{bot.id}", role=600, code=NOT_OWNER)
    olga.delete(path)
    adi.refused("POST", f"/users/{bot.id}/reactivate", code=NOT_OWNER)
    olga.post(f"/users/{bot.id}/reactivate")
    world.add_user("omar", role=Role.OWNER).patch(path, full_name="Ours")


def test_no_sequence_of_changes_brings_a_bot_above_its_owner(world: World) -> None:
    """Random changes by all roads, each of which may be refused."""
    chance = random.Random(11)
    for name in ("olga", "adi", "mona", "ada"):
        makes(world, name, f"of-{name}")
    ids = [user.id for name, user in world.users.items() if name != "system"]
    bots = [user.id for name, user in world.users.items() if user.is_bot and name != "system"]
    done = 0
    for _ in range(120):
        who = world[chance.choice(["olga", "olga", "adi"])]
        role, target, bot = chance.choice(list(Role)), chance.choice(ids), chance.choice(bots)
        deeds: list[Callable[[], object]] = [
            lambda: who.request("PATCH", f"/users/{target}", role=int(role)),  # noqa: B023
            lambda: who.request("PATCH", f"/bots/{bot}", role=int(role)),  # noqa: B023
            lambda: who.request("PATCH", f"/bots/{bot}", bot_owner_id=target),  # noqa: B023
            lambda: who.request("PATCH", f"/bots/{bot}", bot_owner_id=target, role=int(role)),  # noqa: B023
            lambda: who.request("DELETE", f"/users/{target}"),  # noqa: B023
            lambda: who.request("POST", f"/users/{target}/reactivate"),  # noqa: B023
            lambda: demote_by_tools(world, target, role),  # noqa: B023
        ]
        try:
            answer = chance.choice(deeds)()
        except BadRequest:
            continue
        done += getattr(answer, "status_code", 200) == 200
        users = world.storage.read(lambda snapshot: snapshot.users.all())
        assert [bot.email for bot, _ in bots_above_owners(users)] == []
    assert done > 20
