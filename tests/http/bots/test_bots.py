"""Bots over HTTP: made, listed, changed, given away and deactivated by their owners and by administrators."""

from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.application.bots.managing import BotChange, update_bot
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from tests.worlds.files import fetches, files_world, form, part, send_form
from tests.worlds.organization import HOST, MakeWorld, Someone, World, basic, succeeded
from tests.worlds.pictures import picture

__all__ = ["files_world"]

URL = "https://bots.example.com/hook"


def makes(who: Someone, name: str = "echo", **more: Any) -> dict[str, Any]:
    return who.post("/bots", full_name=name.title(), short_name=name, **more)


def program_of(world: World, made: dict[str, Any]) -> Someone:
    """Return a client with the key of a new bot."""
    world.storage.read(world.know)
    name = next(name for name, user in world.users.items() if user.id == made["user_id"])
    world.keys[name] = made["api_key"]
    return world[name]


def state_of(who: Someone, bot_id: int) -> dict[str, Any] | None:
    bots = who.post("/register", event_types=["realm_bot"])["realm_bots"]
    return next((bot for bot in bots if bot["user_id"] == bot_id), None)


def test_a_person_makes_a_bot_with_which_a_program_writes(world: World, ada: Someone, bea: Someone) -> None:
    lines = {name: world[name].opens_queue("realm_bot", "realm_user") for name in ("ada", "bea", "adi")}
    made = makes(ada, default_sending_stream="lunch")
    assert made["default_sending_stream"] == "lunch"
    assert (made["default_events_register_stream"], made["default_all_public_streams"]) == (None, False)
    echo = program_of(world, made)
    assert echo.email == f"echo-bot@{HOST}"
    own = echo.get("/users/me")
    assert (own["is_bot"], own["bot_type"], own["bot_owner_id"], own["role"]) == (True, 1, ada.id, 400)
    sent = echo.post("/messages", type="stream", topic="today", content="hello")["id"]
    assert bea.message(sent)["display_recipient"] == "lunch"
    events = {name: line.events() for name, line in lines.items()}
    assert [event["type"] for event in events["bea"]] == ["realm_user"]
    (mine,) = [event for event in events["ada"] if event["type"] == "realm_bot"]
    (theirs,) = [event for event in events["adi"] if event["type"] == "realm_bot"]
    assert (mine["op"], mine["bot"]["api_key"]) == ("add", made["api_key"])
    assert theirs["bot"] == {**mine["bot"], "api_key": ""}
    assert mine["bot"] == state_of(ada, made["user_id"])
    assert made["api_key"] not in str(events["adi"])


def test_own_bots_are_listed_with_their_keys(ada: Someone, bea: Someone, robo: Someone) -> None:
    made = makes(ada)
    listed = {bot["user_id"]: bot for bot in ada.get("/bots")["bots"]}
    assert listed.keys() == {robo.id, made["user_id"]}
    assert listed[made["user_id"]]["api_key"] == made["api_key"]
    assert listed[robo.id]["username"] == robo.email
    assert bea.get("/bots")["bots"] == []
    ada.delete(f"/bots/{made['user_id']}")
    assert [bot["user_id"] for bot in ada.get("/bots")["bots"]] == [robo.id]


@pytest.mark.parametrize(
    "wrong",
    [
        {"full_name": "x"},
        {"full_name": "Robo"},
        {"full_name": "Notification Bot"},
        {"full_name": "<b>*x*</b>"},
        {"full_name": "e\0cho"},
        {"short_name": ""},
        {"short_name": "a b"},
        {"short_name": "a@b"},
        {"short_name": "x" * 300},
        {"bot_type": 0},
        {"bot_type": 5},
        {"bot_type": 3},
        {"bot_type": 3, "payload_url": "ftp://bots.example.com"},
        {"bot_type": 3, "payload_url": "file:///etc/passwd"},
        {"bot_type": 3, "payload_url": "https://"},
        {"bot_type": 3, "payload_url": "https://[::1"},
        {"bot_type": 3, "payload_url": "https://bots.example.com:99999/"},
        {"bot_type": 3, "payload_url": "https://bots.example.com/" + "x" * 3000},
        {"bot_type": 3, "payload_url": URL, "interface_type": 3},
        {"bot_type": 4},
        {"bot_type": 4, "service_name": "unknown"},
        {"bot_type": 4, "service_name": "converter", "config_data": {"key": "x" * 20_000}},
        {"bot_type": 4, "service_name": "converter", "config_data": {"key": "\0"}},
        {"bot_type": 2, "service_name": "unknown"},
        {"default_sending_stream": "no such channel"},
        {"default_events_register_stream": "secret"},
    ],
)
def test_what_is_wrong_makes_no_bot(world: World, bea: Someone, cem: Someone, wrong: dict[str, Any]) -> None:
    before, line = world.count("account"), cem.opens_queue()
    cem.refused("POST", "/bots", **{"full_name": "Echo", "short_name": "echo", **wrong})
    assert (world.count("account"), world.count("bot"), line.events()) == (before, 0, [])


def test_names_and_addresses_are_taken_once(ada: Someone, bea: Someone) -> None:
    made = makes(ada)
    bea.refused("POST", "/bots", full_name="Other", short_name="echo")
    bea.refused("POST", "/bots", full_name="echo", short_name="other")
    ada.delete(f"/bots/{made['user_id']}")
    bea.refused("POST", "/bots", full_name="Other", short_name="echo")
    bea.post("/bots", full_name="Echo", short_name="other")


@pytest.mark.parametrize("bot_type", [1, 2, 3, 4])
def test_the_organization_says_who_makes_bots(world: World, bot_type: int) -> None:
    given = {"full_name": "Echo", "short_name": "echo", "bot_type": bot_type, "payload_url": URL}
    if bot_type == 4:
        given["service_name"] = "converter"
    for name in ("gus", "robo"):
        world[name].refused("POST", "/bots", **given)
    moderators = GroupSetting.of(SystemGroup.MODERATORS)
    world.change_organization(permissions={"can_create_bots_group": moderators})
    if bot_type == 2:
        world["ada"].post("/bots", **given)
        world["ada"].refused("POST", "/bots", **given)
    else:
        world["ada"].refused("POST", "/bots", **given)
    both = {"can_create_bots_group": moderators, "can_create_write_only_bots_group": moderators}
    world.change_organization(permissions=both)
    given |= {"full_name": "Other", "short_name": "other"}
    world["ada"].refused("POST", "/bots", **given)
    world["mona"].post("/bots", **given)
    nobody = GroupSetting.of(SystemGroup.NOBODY)
    world.change_organization(permissions=dict.fromkeys(both, nobody))
    given |= {"full_name": "Third", "short_name": "third"}
    world["mona"].refused("POST", "/bots", **given)
    world["adi"].post("/bots", **given)


def test_owners_and_administrators_change_a_bot(world: World, ada: Someone, bea: Someone) -> None:
    made = makes(ada, bot_type=3, payload_url=URL)
    line, bot = ada.opens_queue("realm_bot"), f"/bots/{made['user_id']}"
    answer = ada.patch(
        bot,
        full_name="Parrot",
        default_sending_stream="lunch",
        default_events_register_stream="secret",
        default_all_public_streams=True,
        service_payload_url="https://other.example.com/",
        service_interface=2,
    )
    assert (answer["full_name"], answer["default_events_register_stream"]) == ("Parrot", "secret")
    assert (answer["service_payload_url"], answer["service_interface"]) == ("https://other.example.com/", 2)
    changes: dict[str, Any] = {}
    for event in line.events():
        assert event["op"] == "update"
        assert len(event["bot"]) == 2
        changes |= event["bot"]
    (service,) = changes["services"]
    assert (service["base_url"], service["interface"], len(service["token"])) == (
        "https://other.example.com/",
        2,
        32,
    )
    state = state_of(ada, made["user_id"])
    assert state is not None
    assert {**state, **changes} == state
    assert answer == ada.patch(bot)
    world["adi"].patch(bot, default_sending_stream="")
    assert [event["bot"] for event in line.events()] == [
        {"user_id": made["user_id"], "default_sending_stream": None}
    ]
    (seen,) = (state_of(world["adi"], made["user_id"]) or {})["services"]
    assert seen["token"] == ""
    for name in ("bea", "mona", "gus", "robo"):
        for method in ("PATCH", "DELETE"):
            world[name].refused(method, bot, full_name="Mine")
    bea.refused("PATCH", "/bots/99999", full_name="Mine")
    world["adi"].refused("PATCH", f"/bots/{ada.id}", full_name="Mine")
    world["adi"].refused("PATCH", f"/bots/{world.users['system'].id}", full_name="Mine")
    assert state_of(ada, made["user_id"]) == {**state, "default_sending_stream": None}


def test_a_change_is_whole_or_nothing(ada: Someone, bea: Someone) -> None:
    made = makes(ada, bot_type=3, payload_url=URL)
    before, line = state_of(ada, made["user_id"]), ada.opens_queue()
    for wrong in (
        {"default_sending_stream": "no such channel"},
        {"service_payload_url": "ftp://x"},
        {"service_interface": 9},
        {"bot_owner_id": 99_999},
        {"bot_owner_id": made["user_id"]},
        {"full_name": "Robo"},
    ):
        ada.refused("PATCH", f"/bots/{made['user_id']}", **{"full_name": "Parrot", **wrong})
    assert (state_of(ada, made["user_id"]), line.events()) == (before, [])


def test_a_bot_gets_another_owner(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    made = makes(ada, default_sending_stream="secret", default_events_register_stream="lunch")
    lines = {
        name: world[name].opens_queue("realm_bot", "realm_user") for name in ("ada", "bea", "cem", "adi")
    }
    assert ada.patch(f"/bots/{made['user_id']}", bot_owner_id=cem.id)["bot_owner_id"] == cem.id
    events = {name: line.events() for name, line in lines.items()}
    assert [event["person"]["bot_owner_id"] for event in events["bea"]] == [cem.id]
    assert events["ada"][-1] == {**events["ada"][-1], "op": "delete", "bot": {"user_id": made["user_id"]}}
    (added,) = [event["bot"] for event in events["cem"] if event.get("op") == "add"]
    assert added["owner_id"] == cem.id
    assert added["api_key"] not in ("", made["api_key"])
    # A private channel that the new owner may not know of is no default any more.
    assert (added["default_sending_stream"], added["default_events_register_stream"]) == (None, "lunch")
    assert added["api_key"] not in str(events["adi"])
    assert added["api_key"] not in str(events["ada"])
    assert added == state_of(cem, made["user_id"])
    assert state_of(ada, made["user_id"]) is None
    ada.refused("PATCH", f"/bots/{made['user_id']}", full_name="Mine")
    cem.patch(f"/bots/{made['user_id']}", full_name="Mine")


def test_sec_31_a_former_owner_has_no_key_of_the_bot(world: World, ada: Someone, cem: Someone) -> None:
    made = makes(ada)
    echo = program_of(world, made)
    line = echo.opens_queue()
    ada.patch(f"/bots/{made['user_id']}", bot_owner_id=cem.id)
    echo.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    state = state_of(cem, made["user_id"])
    assert state is not None
    world.keys[echo.name] = state["api_key"]
    again = Someone(world, echo.name)
    assert again.get("/users/me")["user_id"] == made["user_id"]
    again.refused("GET", "/events", queue_id=line.id, last_event_id=-1, code="BAD_EVENT_QUEUE_ID")


def test_a_bot_cannot_give_its_owner_more_permissions(world: World, ada: Someone, bea: Someone) -> None:
    made = makes(ada)
    bot_id = made["user_id"]
    ada.refused("PATCH", f"/users/{bot_id}", role=200, code="UNAUTHORIZED_PRINCIPAL")
    ada.refused("PATCH", f"/bots/{bot_id}", role=200, code="UNAUTHORIZED_PRINCIPAL")
    world["adi"].refused("PATCH", f"/bots/{bot_id}", role=100, code="UNAUTHORIZED_PRINCIPAL")
    world["adi"].refused("PATCH", f"/bots/{bot_id}", role=150)
    assert program_of(world, made).get("/users/me")["role"] == 400
    world["adi"].refused("PATCH", f"/bots/{bot_id}", role=200, code="BOT_ROLE_ABOVE_OWNER")
    world["adi"].patch(f"/bots/{bot_id}", role=200, bot_owner_id=world["adi"].id)
    world["adi"].refused("PATCH", f"/bots/{bot_id}", bot_owner_id=bea.id, code="BOT_ROLE_ABOVE_OWNER")
    world["adi"].patch(f"/bots/{bot_id}", bot_owner_id=world["olga"].id)
    own = makes(bea, "own")["user_id"]
    bea.refused("PATCH", f"/bots/{own}", bot_owner_id=world["gus"].id, code="BOT_ROLE_ABOVE_OWNER")


def test_an_administrator_who_changes_a_bot_does_not_get_its_key(world: World, ada: Someone) -> None:
    made = makes(ada)
    answers = {
        name: update_bot(world.svc, world[name].actor, made["user_id"], BotChange(full_name=name))
        for name in ("adi", "ada")
    }
    assert [answers[name]["api_key"] for name in ("adi", "ada")] == ["", made["api_key"]]


def test_nobody_gets_too_many_bots_of_others(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_bots_per_user=1))
    bot_id = makes(world["bea"])["user_id"]
    makes(world["cem"], "other")
    world["bea"].refused("PATCH", f"/bots/{bot_id}", bot_owner_id=world["cem"].id)


def test_a_deactivated_bot_is_out_at_once_and_comes_back(world: World, ada: Someone, bea: Someone) -> None:
    made = makes(ada)
    echo = program_of(world, made)
    line = echo.opens_queue()
    ada.delete(f"/bots/{made['user_id']}")
    echo.refused("GET", "/users/me", status=401, code="USER_DEACTIVATED")
    assert line.owner.request("GET", "/events", queue_id=line.id, last_event_id=-1).status_code == 401
    ada.refused("DELETE", f"/bots/{made['user_id']}")
    ada.refused("PATCH", f"/bots/{made['user_id']}", full_name="Mine")
    state = state_of(ada, made["user_id"])
    assert state is not None
    assert state["is_active"] is False
    bea.refused("POST", f"/users/{made['user_id']}/reactivate", code="UNAUTHORIZED_PRINCIPAL")
    world["adi"].post(f"/users/{made['user_id']}/reactivate")
    assert echo.get("/users/me")["user_id"] == made["user_id"]
    echo.refused("GET", "/events", queue_id=line.id, last_event_id=-1, code="BAD_EVENT_QUEUE_ID")


def test_a_new_key_brings_a_new_token(world: World, ada: Someone) -> None:
    made = makes(ada, bot_type=3, payload_url=URL)
    before, line = state_of(ada, made["user_id"]), ada.opens_queue("realm_bot")
    for_administrators = world["adi"].opens_queue("realm_bot")
    key = ada.post(f"/bots/{made['user_id']}/api_key/regenerate")["api_key"]
    after = state_of(ada, made["user_id"])
    assert before is not None
    assert after is not None
    assert (after["api_key"], before["api_key"]) == (key, made["api_key"])
    assert after["services"][0]["token"] != before["services"][0]["token"]
    changes = [event["bot"] for event in line.events()]
    assert {**before, **changes[0], **changes[1]} == after
    assert [event["bot"]["services"][0]["token"] for event in for_administrators.events()] == [""]


def test_a_default_channel_follows_its_name(world: World, ada: Someone, bea: Someone) -> None:
    made = makes(ada, default_sending_stream="secret")
    line = ada.opens_queue("realm_bot")
    world["olga"].patch(f"/streams/{world.id('secret')}", new_name="whispers")
    assert [event["bot"]["default_sending_stream"] for event in line.events()] == ["whispers"]
    ada.leaves("whispers")
    world["olga"].patch(f"/streams/{world.id('secret')}", new_name="hidden")
    assert line.events() == []
    state = state_of(ada, made["user_id"])
    assert state is not None
    assert state["default_sending_stream"] == "whispers"


def test_queues_of_a_bot_have_its_defaults(world: World, ada: Someone, bea: Someone) -> None:
    made = makes(ada, default_events_register_stream="lunch", default_all_public_streams=True)
    echo = program_of(world, made)
    line = echo.opens_queue("message")
    everywhere = echo.opens_queue("message", narrow=[])
    own = echo.opens_queue("message", narrow=[], all_public_streams=False)
    lunch, plaza = ada.says("soup"), ada.says("sun", "plaza")
    assert line.messages() == [lunch]
    assert everywhere.messages() == [lunch, plaza]
    assert own.messages() == []
    assert bea.opens_queue("message").messages() == []


def test_only_bots_have_a_default_channel(ada: Someone, robo: Someone) -> None:
    for who in (ada, robo):
        who.refused("POST", "/messages", type="stream", topic="today", content="hello")


def test_a_bot_has_a_picture(files_world: World) -> None:
    ada = files_world["ada"]
    fields = [part(text.encode(), None, name=name) for name, text in
              (("full_name", "Echo"), ("short_name", "echo"))]  # fmt: skip
    body = form(*fields, part(picture(), "me.png", name="avatar"))
    made = succeeded(send_form(ada, body, path="/bots"))
    assert made["avatar_url"].startswith("/user_avatars/")
    line = ada.opens_queue("realm_bot")
    response = ada.client.patch(
        f"/api/v1/bots/{made['user_id']}",
        data=form(part(picture(), "me.png")),
        content_type="multipart/form-data; boundary=cut",
        headers=ada.headers,
    )
    changed = succeeded(response)["avatar_url"]
    assert changed != made["avatar_url"]
    assert [event["bot"]["avatar_url"] for event in line.events()] == [changed]
    assert fetches(files_world.nobody, changed).status_code == 200
    assert fetches(files_world.nobody, made["avatar_url"]).status_code == 404
    for wrong in (form(part(b"no picture")), form(part(picture()), part(picture()))):
        assert send_form(ada, wrong, path="/bots").status_code == 400


def test_a_form_that_names_its_method_may_have_a_picture(files_world: World) -> None:
    ada = files_world["ada"]
    made = makes(ada)
    fields = [part(text.encode(), None, name=name) for name, text in
              (("method", "PATCH"), ("full_name", "Echo 2"))]  # fmt: skip
    response = Client(files_world.application).post(
        f"/api/v1/bots/{made['user_id']}",
        data=form(*fields, part(picture(), "me.png")),
        content_type="multipart/form-data; boundary=cut",
        headers=ada.headers,
    )
    changed = succeeded(response)
    assert changed["full_name"] == "Echo 2"
    assert changed["avatar_url"] != made["avatar_url"]


@pytest.mark.shows("level.url-options")
def test_the_lists_of_programs_and_integrations(ada: Someone) -> None:
    state = ada.post("/register", event_types=["realm_embedded_bots", "realm_incoming_webhook_bots"])
    assert {"name": "converter", "config": {}} in state["realm_embedded_bots"]
    integrations = {one["name"]: one for one in state["realm_incoming_webhook_bots"]}
    assert {"json", "text"} <= integrations.keys()
    assert (integrations["json"]["config_options"], integrations["json"]["url_options"]) == ([], [])


def test_a_key_is_never_shown_to_others(make_world: MakeWorld) -> None:
    world = make_world()
    made = makes(world["ada"], bot_type=3, payload_url=URL)
    token = (state_of(world["ada"], made["user_id"]) or {})["services"][0]["token"]
    for name in ("olga", "adi", "mona", "bea", "gus", "robo"):
        who = world[name]
        shown = [who.get("/users"), who.get(f"/users/{made['user_id']}"), who.post("/register")]
        assert made["api_key"] not in str(shown)
        assert token not in str(shown)
    assert basic(f"echo-bot@{HOST}", token) != basic(f"echo-bot@{HOST}", made["api_key"])
