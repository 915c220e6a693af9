"""Names and addresses that imitate those of other users or of the organization itself."""

import pytest

from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.errors import BadRequest
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import Someone, World


def test_sec_53_nobody_is_called_like_the_organizations_bot(
    world: World, ada: Someone, olga: Someone
) -> None:
    for name in ("Notification Bot", "notification  bot", "\uff2eotification\u00a0Bot"):
        with nothing_changes(world), pytest.raises(BadRequest, match="Name is already in use!"):
            create_user(world.svc, NewUser(email="new@example.org", full_name=name))
        with nothing_changes(world):
            assert refusal(ada, "PATCH", "/settings", full_name=name)["msg"] == "Name is already in use!"
            refusal(olga, "PATCH", f"/users/{world['robo'].id}", full_name=name)


SYSTEM_NAMES = {
    "Owners": "is reserved",
    "moderators": "is reserved",
    "FULL MEMBERS": "is reserved",
    "Everyone on the  internet": "is reserved",
    "everyone": "is reserved",
    "All": "is reserved",
    "\uff41ll": "is reserved",
    "stream": "is reserved",
    "ROLE:owners": "cannot start with 'role:'",
    "\u200brole:z": "cannot start with 'role:'",
    "\uff20team": "cannot start with '@'",
    "User:5": "cannot start with 'user:'",
}


def test_sec_53_no_group_is_called_like_one_of_the_system(world: World, ada: Someone) -> None:
    group = ada.post("/user_groups/create", name="team", description="", members=[ada.id])["group_id"]
    for name, reason in SYSTEM_NAMES.items():
        with nothing_changes(world):
            for method, path in (("POST", "/user_groups/create"), ("PATCH", f"/user_groups/{group}")):
                assert reason in refusal(ada, method, path, name=name, description="", members=[])["msg"], (
                    name
                )
    ada.patch(f"/user_groups/{group}", name="all the owners")


ADDRESSES = {
    "user99999@chat.example.org": "already in use",
    "USER99999@CHAT.example.org": "already in use",
    "a\u202eb@example.org": "Invalid character in email address, at position 2.",
    "a\u200bb@example.org": "Invalid character in email address, at position 2.",
}


def test_sec_53_no_account_has_the_address_that_stands_for_another(world: World, olga: Someone) -> None:
    world.change_user("olga", can_create_users=True, can_change_user_emails=True)
    changed = f"/users/{world['bea'].id}"
    for address, reason in ADDRESSES.items():
        with nothing_changes(world):
            new = refusal(olga, "POST", "/users", email=address, full_name="New", password="correct horse")
            assert reason in new["msg"], address
            assert reason in refusal(olga, "PATCH", changed, new_email=address)["msg"], address
    olga.patch(changed, new_email="user99999@elsewhere.example.org")


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("name", ["all", "by id", "by email", "organization", "1"])
def test_readings_of_the_memory_are_no_addresses(world: World, ada: Someone, name: str) -> None:
    ada.get("/users")  # the store remembers all users
    for method, path, params in (
        ("GET", f"/users/{name}", {}),
        ("GET", f"/users/{name}/presence", {}),
        ("POST", "/messages", {"type": "direct", "to": name, "content": "hello"}),
        ("GET", "/messages", {"anchor": "newest", "num_before": 1, "narrow": [["sender", name]]}),
    ):
        if name != "1" or method == "POST":
            with nothing_changes(world):
                refusal(ada, method, path, **params)
    refusal(world.nobody, "POST", "/fetch_api_key", username=name, password="x")
