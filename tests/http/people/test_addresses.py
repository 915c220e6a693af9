"""Looking up users by address: one rule for every parameter that accepts an address."""

from collections.abc import Callable

import pytest

from tests.worlds.organization import HOST, Someone, World, is_, make_world, world

__all__ = ["make_world", "world"]

Finds = Callable[[Someone, str], bool]


def is_ok(asker: Someone, method: str, path: str, **parameters: object) -> bool:
    return asker.request(method, path, **parameters).status_code == 200


PLACES: dict[str, Finds] = {
    "a user": lambda asker, email: is_ok(asker, "GET", f"/users/{email}"),
    "a direct message": lambda asker, email: is_ok(
        asker, "POST", "/messages", type="direct", to=[email], content="soup?"
    ),
    "a narrow": lambda asker, email: is_ok(
        asker, "GET", "/messages", narrow=[is_("sender", email)], anchor="newest", num_before=1, num_after=0
    ),
    "a subscriber": lambda asker, email: is_ok(
        asker, "POST", "/users/me/subscriptions", subscriptions=[{"name": "lunch"}], principals=[email]
    ),
    "a presence": lambda asker, email: is_ok(asker, "GET", f"/users/{email}/presence"),
    "a change": lambda asker, email: is_ok(
        asker.world["olga"], "PATCH", f"/users/{email}", full_name="Beatrice"
    ),
}


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("place", PLACES)
def test_an_address_names_the_same_person_everywhere(world: World, place: str) -> None:
    bea, ada = world["bea"], world["ada"]
    bea.patch("/settings", email_address_visibility=4)
    bea.post("/users/me/presence", status="active")
    named = [f"user{bea.id}@{HOST}", f"User{bea.id}@{HOST.upper()}"]
    not_named = [
        f"user00{bea.id}@{HOST}", f"{bea.id}@{HOST}", f"user{bea.id}@example.org", f"useruser{bea.id}@{HOST}",
        f"user{bea.id}", f"user{bea.id}@", f"user-{bea.id}@{HOST}", f"user6{'0' * 30}@{HOST}",
        bea.email, bea.email.upper(), "nobody@example.org",
    ]  # fmt: skip
    finds = PLACES[place]
    assert [email for email in (*named, *not_named) if finds(ada, email)] == named
    bea.patch("/settings", email_address_visibility=1)
    assert [finds(ada, email) for email in (bea.email, bea.email.title())] == [True, True]


def test_nobody_gets_the_placeholder_of_another(world: World) -> None:
    taken = f"User{world['bea'].id}@{HOST}"
    olga = world["olga"]
    world.change_user("olga", can_change_user_emails=True)
    olga.refused("PATCH", f"/users/{world['ada'].id}", new_email=taken)
