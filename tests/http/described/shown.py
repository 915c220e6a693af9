"""The stories and tests that show each part of the API.

Stories run once, on SQLite, and what they call and cause is recorded. Names of fields are searched in the
source of the tests.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import getsourcefile, unwrap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias

from chatcore.application.registration.state import ROWS
from chatcore.http.pipeline.routing import AnyRoute
from tests.http.described.examples import Exchange, Recorder
from tests.http.described.test_events import MORE_STORIES, Name, listening
from tests.http.described.test_every_endpoint import STORIES, settings_in
from tests.postgres import make_store
from tests.worlds.organization import World, found

TESTS: Final = Path(__file__).parents[2]

Story: TypeAlias = Callable[[World], None]


class Place(NamedTuple):
    """A function of the tests."""

    path: Path
    name: str

    @property
    def link(self) -> str:
        words = self.name.removeprefix("test_").replace("_", " ")
        return f"[{words}](../tests/{self.path.relative_to(TESTS).as_posix()})"


def place_of(story: Story) -> Place:
    source = getsourcefile(unwrap(story))
    assert source is not None
    return Place(Path(source), story.__name__)


@dataclass(frozen=True)
class Recorded:
    """The endpoints that the stories call, the events that they cause, and the state at their end."""

    endpoints: Mapping[AnyRoute, list[Story]]
    events: Mapping[Name, list[Story]]
    fields: Mapping[str, list[str]]
    """Fields of the state, each with the types for which it is sent."""
    exchanges: Mapping[AnyRoute, Exchange]


@cache
def recorded() -> Recorded:
    endpoints: dict[AnyRoute, list[Story]] = defaultdict(list)
    events: dict[Name, list[Story]] = defaultdict(list)
    with TemporaryDirectory() as folder, settings_in(Path(folder)) as settings:
        url = f"sqlite:///{folder}/chat.db"
        make_store(url, found)
        world = World(url, **settings)
        recorder = world.answers = Recorder(world.answers)
        try:
            lines = listening(world)
            for story in (*STORIES, *MORE_STORIES):
                world.answers.succeeded.clear()
                story(world)
                for route in world.answers.succeeded:
                    endpoints[route].append(story)
                for name in dict.fromkeys(
                    (event["type"], event.get("op")) for line in lines for event in line.events()
                ):
                    events[name].append(story)
            fields = fields_of(world)
        finally:
            world.close()
    return Recorded(endpoints, events, fields, recorder.exchanges)


def fields_of(world: World) -> Mapping[str, list[str]]:
    """The fields of a state, each with the types of which one is enough, or `always`."""
    fields: dict[str, list[str]] = defaultdict(list)
    olga = world["olga"]
    always = set(olga.post("/register", fetch_event_types=[])) - {"result", "msg"}
    for name in always:
        fields[name].append("always")
    for row in ROWS:
        types = [row.event_type, *([row.also_needs] if row.also_needs else [])]
        for name in olga.post("/register", fetch_event_types=types).keys() - always - {"result", "msg"}:
            if " with ".join(types) not in fields[name]:
                fields[name].append(" with ".join(types))
    return {
        name: [one for one in types if " with " not in one or one.partition(" with ")[0] not in types]
        for name, types in fields.items()
    }


# -- names of fields --------------------------------------------------------------------------------


@cache
def _places() -> Mapping[str, list[Place]]:
    """The tests that have each text or keyword."""
    places: dict[str, list[Place]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for name in sorted(set(_names(node))):
                    places[name].append(Place(path, node.name))
    return places


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(name)) | ast.keyword(arg=str(name)):
                yield name


def tests_with(*names: str) -> list[Place]:
    """The tests that have the first of the names that any test has."""
    return next((places for name in names if (places := _places().get(name))), [])
