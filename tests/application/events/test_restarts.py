"""Another version of the server starts: each queue gets one event, and the state agrees with it."""

from typing import Any

import pytest

from chatcore.application.events import restarts
from chatcore.domain.organization.organization import ServerStart
from chatcore.settings import SERVICE_FEATURE_LEVEL, SERVICE_VERSION
from chatcore.sites import Sites
from tests.worlds.organization import Line, MakeWorld, World

VERSION = {
    "service_version": SERVICE_VERSION,
    "service_merge_base": SERVICE_VERSION,
    "service_feature_level": SERVICE_FEATURE_LEVEL,
}


def starts(world: World) -> None:
    sites = Sites(world.svc.settings, elsewhere=world.svc)
    sites.start()
    sites.stop()


def generation(world: World) -> Any:
    return world["ada"].post("/register", fetch_event_types=["realm"])["server_generation"]


@pytest.mark.parametrize("before", [ServerStart("1.0", SERVICE_FEATURE_LEVEL, at=1),
                                    ServerStart(SERVICE_VERSION, 1, at=1), None])  # fmt: skip
def test_every_queue_gets_one_event_of_another_version(
    make_world: MakeWorld, before: ServerStart | None
) -> None:
    world = make_world()
    world.change_organization(served_by=before)
    lines = [world[name].opens_queue("restart") for name in ("ada", "bea")]
    started = int(world.clock())
    starts(world)
    world.clock.advance(100)
    starts(world)  # as another process, or later
    other = make_world()
    other.clock.advance(200)
    starts(other)
    for line in lines:
        again = Line(other[str(line.owner.name)], {"queue_id": line.id, "last_event_id": line.last})
        (event,) = again.peek()
        assert event == {"type": "restart", "id": event["id"], **VERSION, "server_generation": started}
    assert generation(world) == generation(other) == started


def test_only_queues_that_name_it_have_an_event_for_web_clients(make_world: MakeWorld) -> None:
    world = make_world()
    starts(world)
    world.change_organization(served_by=ServerStart("1.0", SERVICE_FEATURE_LEVEL, at=1))
    web = world["ada"].opens_queue("web_reload_client")
    other = world["ada"].registers(fetch_event_types=[])
    starts(world)
    (event,) = web.events()
    assert event == {"type": "web_reload_client", "id": event["id"], "immediate": False}
    assert [event["type"] for event in other.events()] == ["restart"]


def test_a_version_that_is_older_again_is_announced_too(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world()
    starts(world)
    line = world["ada"].opens_queue("restart")
    monkeypatch.setattr(restarts, "SERVICE_VERSION", "1.0")
    starts(world)
    monkeypatch.undo()
    starts(world)
    assert [event["service_version"] for event in line.events()] == ["1.0", SERVICE_VERSION]


def test_a_first_start_without_clients_leaves_the_log_empty(make_world: MakeWorld) -> None:
    world = make_world()
    before = world.storage.read(lambda snapshot: snapshot.log.head())
    starts(world)
    assert world.storage.read(lambda snapshot: snapshot.log.head()) == before
    assert generation(world) == int(world.clock())
