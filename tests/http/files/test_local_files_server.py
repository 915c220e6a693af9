"""A server of greenlets whose uploaded files are on its disk: threads make them durable, many at a time."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.http.serving.test_durability import Server
from tests.waiting import PATIENCE
from tests.worlds.files import MULTIPART, form, part
from tests.worlds.organization import MakeWorld, basic

CLIENTS = 24
UPLOADS = 20
"""Uploads of each client: some may fail, if a thread closes a folder by
`os.close` of gevent; `tests/http/serving/test_disk.py` shows that none does.
"""


@pytest.mark.parametrize("store_kind", ["sqlite"])
def test_many_files_of_many_clients_go_to_the_disk_and_come_back(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    world = make_world()
    world.close()
    server = Server(world.url, tmp_path, CHATCORE_DATA_DIR=str(tmp_path))
    headers = {"Authorization": basic(world.users["ada"].email, world.keys["ada"])}

    def ask(connection: HTTPConnection, method: str, path: str, data: bytes | None = None) -> bytes:
        more = {"Content-Type": MULTIPART} if data else {}
        connection.request(method, path, data, headers | more)
        with connection.getresponse() as answer:
            found = answer.read()
            assert answer.status == 200, found
        return found

    def upload_and_read(client: int) -> None:
        sent: dict[str, bytes] = {}
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as connection:
            for number in range(UPLOADS):
                data = f"{client} {number} ".encode() * 15_000
                body = form(part(data, f"{number}.txt"))
                answer = ask(connection, "POST", "/api/v1/user_uploads", body)
                sent[json.loads(answer)["url"]] = data
            assert {url: ask(connection, "GET", url) for url in sent} == sent

    try:
        with ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(upload_and_read, range(CLIENTS)))
    finally:
        server.stop()
