"""Pictures of other sites by way of a server of greenlets: a site that is slow stops nobody."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from chatcore.domain.files.foreign_media import ForeignMedia
from chatcore.runtime.foreign_pictures import MAX_AT_ONCE_OF_SITE
from tests.http.serving.test_durability import Server
from tests.waiting import PATIENCE, until
from tests.worlds.organization import MakeWorld
from tests.worlds.pictures import png
from tests.worlds.web_services import Answer, Request, serves

PICTURE = Answer(body=png(3, 2), headers={"Content-Type": "image/png"})


@pytest.mark.parametrize("store_kind", ["sqlite"])
def test_a_slow_site_stops_no_other_requests(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world()
    media: ForeignMedia = world.svc.settings.foreign_media
    world.close()
    settings = {"CHATCORE_OUTGOING_PRIVATE_ADDRESSES": "on", "CHATCORE_DATA_DIR": str(tmp_path)}
    going_on = threading.Event()

    def status(url: str) -> int:
        try:
            with urlopen(f"http://127.0.0.1:{server.port}{media.address(url)}", timeout=PATIENCE) as answer:
                return int(answer.status)
        except HTTPError as error:
            return error.code

    def answer(request: Request) -> Answer:
        if request.path.startswith("/slow"):
            going_on.wait(PATIENCE)
        return PICTURE

    with serves() as service, ThreadPoolExecutor(6) as readers:
        service.answers = answer
        server = Server(world.url, tmp_path, **settings)
        try:
            waiting = [readers.submit(status, f"{service.url}slow{number}.png") for number in range(6)]
            until(lambda: len(service.requests) == MAX_AT_ONCE_OF_SITE)
            assert status(f"http://localhost:{service.port}/quick.png") == 200
            assert len(service.requests) == MAX_AT_ONCE_OF_SITE + 1
            going_on.set()
            assert {one.result(PATIENCE) for one in waiting} <= {200, 404}
        finally:
            going_on.set()
            server.stop()
