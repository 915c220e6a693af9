"""The client on a device: the page without a connection, and notices while no page is open."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.waiting import until
from tests.web.conftest import Person

Opens = Callable[..., Person]

READY = "() => navigator.serviceWorker.ready.then(() => true)"
KEPT = """
async () => {
  const name = (await caches.keys()).find((one) => one.includes(" kept "));
  const store = await caches.open(name);
  const kept = (await store.keys()).filter(({ url }) => url.includes("kept?"));
  return Promise.all(kept.map(async (one) => (await store.match(one)).text()));
}
"""


@pytest.fixture
def installs(somebody: Opens) -> Opens:
    """Open a browser for somebody, in which the worker is installed."""

    def opens(name: str, **options: Any) -> Person:
        person = somebody(name, service_workers="allow", **options)
        person.page.evaluate(READY)
        return person

    return opens


def begins_offline(person: Person) -> None:
    person.page.context.set_offline(True)
    person.page.reload()


def has_kept(person: Person, text: str) -> None:
    until(lambda: any(text in one for one in person.page.evaluate(KEPT)))


def test_conversations_can_be_read_offline_and_are_current_afterwards(
    installs: Opens, somebody: Opens
) -> None:
    ada, bea = installs("ada"), somebody("bea")
    ada.goes_to_topic("roof")
    ada.says("the roof is open")
    ada.sees("the roof is open")
    has_kept(ada, "the roof is open")
    place = ada.page.url.partition("#")[2]

    begins_offline(ada)
    ada.page.get_by_text("Offline. This is as of").wait_for()
    ada.sees("the roof is open")
    assert ada.page.get_by_label("Message", exact=True).count() == 0, "nothing can be written"
    ada.sees("the roof is open").hover()
    assert ada.page.get_by_role("button", name="React").count() == 0

    bea.goes_to(place)
    bea.says("and the door")
    bea.sees("and the door")
    ada.page.context.set_offline(False)
    ada.sees("and the door")
    ada.page.get_by_text("Offline. This is as of").wait_for(state="detached")
    ada.says("thank you")
    bea.sees("thank you")
