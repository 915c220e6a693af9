"""The state of a register answer against the description of the API, where that is at hand.

Which fields come for which event types is in `tests.application.registration.test_state`.
"""

import re
from collections.abc import Mapping
from itertools import product
from typing import Final

from chatcore.events.queue import Capabilities
from tests.http.described.test_every_endpoint import STORIES, world
from tests.reference import described
from tests.worlds.described import mismatches
from tests.worlds.groups import just, makes
from tests.worlds.organization import World

__all__ = ["world"]

FIELDS: Final = "custom_profile_fields[]"
WANTED: Final[Mapping[str, str]] = {
    f"{FIELDS}.field_type is not described": "the specification's name, beside that of clients",
}
"""Accepted differences from the description, with their reasons."""

ENVELOPE: Final = {"result", "msg"}
KEY: Final = re.compile(r"\['\d+'\]")


def something_stays(world: World) -> None:
    """Create one of everything that the stories delete again, so that the state contains it."""
    olga, ada, bea = world["olga"], world["ada"], world["bea"]
    olga.post("/realm/filters", pattern="#(?P<id>[0-9]+)", url_template="https://example.org/{id}")
    playground = {"highlighter_language": "Python", "url_template": "https://p.org/{code}"}
    olga.post("/realm/playgrounds", name="Play", **playground)
    motto = ada.get("/realm/profile_fields")["custom_fields"][0]["id"]
    for someone in (ada, bea):
        someone.patch("/users/me/profile_data", data=[{"id": motto, "value": "*Soup!*"}])
        someone.post("/drafts", drafts=[{"type": "", "to": [], "topic": "", "content": "so"}])
        someone.post("/saved_snippets", title="Soup", content="so")
        for place in ({"type": "direct", "to": [ada.id]}, {"type": "channel", "to": world.id("plaza")}):
            due = int(world.clock()) + 60
            given = {"topic": "soup", "content": "so", "scheduled_delivery_timestamp": due, **place}
            someone.post("/scheduled_messages", **given)
        message_id = someone.finds()[0]
        someone.post("/reminders", message_id=message_id, scheduled_delivery_timestamp=due)
    makes(ada, "eaters", ada, bea, can_join_group=just(bea))
    ada.post(f"/user_groups/{makes(ada, 'vegans', ada)}/deactivate")
    ada.writes("for both of you", "bea", "gus")
    ada.says("@**Bea** and @**Olga**")
    ada.says("for everybody", "plaza")


def test_the_state_has_the_described_fields(world: World) -> None:
    description = described("register_state.json")
    world.open_to_the_web()
    for story in (*STORIES, something_stays):
        story(world)
    everybody = (world["olga"], world["ada"], world["bea"], world["gus"], world["robo"], world.nobody)
    problems: dict[bool, set[str]] = {True: set(), False: set()}
    for is_new, someone in product(problems, everybody):
        capabilities = dict.fromkeys(Capabilities.__struct_fields__, is_new)
        more = {} if someone.name is None else {"include_subscribers": True, "slim_presence": is_new}
        state = someone.post("/register", client_capabilities=capabilities, **more)
        for name in state.keys() - ENVELOPE:
            found = mismatches(description["fields"][name], state[name], name, description["types"])
            problems[is_new] |= {KEY.sub("[]", problem) for problem in found}
    assert all(found == WANTED.keys() for found in problems.values()), problems
