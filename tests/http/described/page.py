"""The tables of docs/coverage-of-the-api.md: all endpoints, fields of the state and kinds of events, each
with tests that show it.

    python -m tests.http.described.page

Everything on it is recorded: endpoints and events while the stories of the tests run, fields in the state
that they leave.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from chatcore.events.payloads.event import PAYLOADS
from chatcore.http.pipeline.routing import AnyRoute
from chatcore.http.routes import ROUTES
from tests.http.described import missing
from tests.http.described.shown import TESTS, Place, Story, place_of, recorded, tests_with
from tests.http.described.test_every_endpoint import name_of

MOST: Final = 2
"""Tests that are named for each."""
PREFIX: Final = "realm_"
ALWAYS_COMPARED: Final = Place(
    TESTS / "events" / "test_state.py", "test_clients_have_the_state_of_now_after_each_type_of_event"
)
"""The test that compares every field of a fresh state with that of a client that has had the events."""


def text() -> str:
    return "\n".join([*_lines(), ""])


def _lines() -> Iterator[str]:
    shown = recorded()
    yield from ("## Endpoints\n", "| Endpoint | Shown by |", "|---|---|")
    for route in sorted(ROUTES, key=lambda route: (route.full_path, route.method)):
        endpoint = name_of(route)
        reason = missing.REFUSED.get(endpoint)
        yield f"| `{endpoint}` | {_refused(route, reason) if reason else _links(shown.endpoints[route])} |"
    yield from ("\n## Fields of the state\n", "| Field | Sent for | Shown by |", "|---|---|---|")
    for name, types in sorted(shown.fields.items()):
        places = tests_with(name, name.removeprefix(PREFIX)) or [ALWAYS_COMPARED]
        sent_for = ", ".join(f"`{one}`" if one.isidentifier() else one for one in types)
        yield f"| `{name}` | {sent_for} | {_joined(places)} |"
    yield from ("\n## Events\n", "| Type | Operation | Shown by |", "|---|---|---|")
    events = {name: _links(stories) for name, stories in shown.events.items()}
    for name in PAYLOADS.keys() - events.keys():
        events[name] = f"{missing.EVENTS[name]}: {_joined(tests_with(name[0]))}"
    for (event_type, op), links in sorted(events.items(), key=lambda event: (event[0][0], event[0][1] or "")):
        yield f"| `{event_type}` | {f'`{op}`' if op else ''} | {links} |"


def _refused(route: AnyRoute, reason: str) -> str:
    return f"always refused ({reason}): {_joined(tests_with(route.path))}"


def _links(stories: Iterable[Story]) -> str:
    return _joined([place_of(story) for story in stories])


def _joined(places: list[Place]) -> str:
    return "; ".join(place.link for place in places[:MOST])


if __name__ == "__main__":
    print(text(), end="")  # noqa: T201
