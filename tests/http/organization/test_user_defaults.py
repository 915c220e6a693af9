"""The settings with which new people start: changed over HTTP, announced, and applied to new accounts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.application.imports import importing
from chatcore.application.imports.corpus import read_corpus
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.errors import InsufficientRole, InvalidParameter
from chatcore.domain.people.setting_values import PRESET
from chatcore.domain.people.settings import DEFAULTS, SETTINGS
from chatcore.domain.people.users import EmailVisibility, User
from tests.worlds.organization import Someone, World

PATH = "/realm/user_settings_defaults"
TYPE = "realm_user_settings_defaults"


def another(name: str) -> Any:
    default, allowed = DEFAULTS[name], list(SETTINGS[name].allowed)
    if isinstance(default, bool):
        return not default
    return next(value for value in allowed if value != default) if allowed else 77


def state(who: Someone) -> Mapping[str, Any]:
    defaults: Mapping[str, Any] = who.post("/register", fetch_event_types=[TYPE])[TYPE]
    return defaults


def newcomer(world: World, **more: Any) -> User:
    new = create_user(world.svc, NewUser(email="newt@example.org", full_name="Newt", **more))
    return world.storage.read(lambda snapshot: snapshot.users.get(new.user_id))


def test_every_default_is_changed_and_announced_once(world: World) -> None:
    line = world["gus"].registers(event_types=[TYPE])
    for name in PRESET:
        for _ in range(2):
            world["adi"].patch(PATH, **{name: another(name)})
        (event,) = line.events()
        assert (event["type"], event["op"]) == (TYPE, "update")
        assert (event["property"], event["value"]) == (name, another(name))
        line.state[TYPE][name] = another(name)
    assert state(world["gus"]) == line.state[TYPE]


def test_new_people_start_with_them_and_nobody_else(world: World) -> None:
    before = state(world["ada"])
    world["olga"].patch(PATH, enter_sends=True, email_address_visibility=4, color_scheme=1)
    newt = newcomer(world)
    assert newt.settings == {"enter_sends": True}
    assert newt.email_visibility == EmailVisibility.NOBODY
    ada = world["ada"].post("/register", fetch_event_types=["user_settings"])["user_settings"]
    assert (ada["enter_sends"], ada["email_address_visibility"]) == (False, 1)
    assert state(world["ada"]) == {**before, "enter_sends": True, "email_address_visibility": 4}


def test_bots_start_without_the_defaults(world: World) -> None:
    world["olga"].patch(PATH, enter_sends=True, email_address_visibility=4)
    bot = newcomer(world, is_bot=True)
    assert (bot.settings, bot.email_visibility) == ({}, EmailVisibility.EVERYONE)


def test_the_language_follows_the_setting_of_the_organization(world: World) -> None:
    line = world["ada"].registers(event_types=[TYPE])
    world["olga"].patch("/realm", default_language="de")
    (event,) = line.events()
    assert (event["property"], event["value"]) == ("default_language", "de")
    assert state(world["ada"])["default_language"] == "de"


def test_only_administrators_change_the_defaults(world: World) -> None:
    for who in ("mona", "ada", "gus", "robo"):
        for body in ({"enter_sends": True}, {"color_scheme": 9}, {}):
            world[who].refused("PATCH", PATH, code="UNAUTHORIZED_PRINCIPAL", **body)
    assert state(world["ada"])["enter_sends"] is False


@pytest.mark.parametrize(
    "wrong",
    [
        {"color_scheme": 4},
        {"enter_sends": 1},
        {"web_font_size_px": 0},
        {"web_home_view": "kitchen"},
        {"email_address_visibility": 0},
    ],
)
def test_an_invalid_value_is_refused_with_the_whole_request(world: World, wrong: dict[str, Any]) -> None:
    before = state(world["ada"])
    world["olga"].refused("PATCH", PATH, starred_message_counts=False, **wrong)
    assert state(world["ada"]) == before


def test_a_setting_that_is_not_for_all_is_reported_as_ignored(world: World) -> None:
    answer = world["olga"].patch(PATH, timezone="Europe/London", enable_login_emails=False)
    assert answer["ignored_parameters_unsupported"] == ["enable_login_emails", "timezone"]


def test_imported_people_start_with_the_defaults(world: World, tmp_path: Path) -> None:
    world["olga"].patch(PATH, enter_sends=True)
    path = tmp_path / "corpus.jsonl"
    path.write_text(
        '{"timestamp": 1700000000, "channel": "old", "topic": "t", "sender": "Nora", "content": "x"}\n'
    )
    importing.import_corpus(world.svc, read_corpus(path, world.svc.limits, now=world.svc.now), processes=1)
    (nora,) = world.storage.read(lambda snapshot: snapshot.users.by_names(["Nora"]))
    assert nora.settings == {"enter_sends": True}


def test_a_program_changes_the_defaults() -> None:
    with open_chat() as chat:
        chat.organization.change_user_defaults({"enter_sends": True})
        assert chat.organization.user_defaults() == {
            **{name: DEFAULTS[name] for name in PRESET},
            "enter_sends": True,
        }
        newcomer = chat.users.create("ada@example.com", "Ada Fox")
        with pytest.raises(InsufficientRole):
            chat.organization.change_user_defaults({"enter_sends": False}, by=newcomer)
        with pytest.raises(InvalidParameter, match="Expected one of"):
            chat.organization.change_user_defaults({"timezone": "Europe/London"})
