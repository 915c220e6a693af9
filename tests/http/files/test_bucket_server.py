"""A server of greenlets whose uploaded files are in a bucket: threads make the thumbnails there."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.http.serving.test_durability import Server
from tests.storage_backends.buckets import URL, bucket, names, s3_address
from tests.waiting import PATIENCE, until
from tests.worlds.files import MULTIPART, form, part
from tests.worlds.images import thumbnail
from tests.worlds.organization import MakeWorld, basic
from tests.worlds.pictures import opened, picture

__all__ = ["bucket", "s3_address"]

AT_ONCE = 8


@pytest.mark.parametrize("store_kind", ["sqlite"])
def test_many_pictures_go_to_a_bucket_and_come_back_at_once(
    make_world: MakeWorld, bucket: Any, tmp_path: Path
) -> None:
    world = make_world()
    world.close()
    server = Server(
        world.url,
        tmp_path,
        CHATCORE_UPLOADS_URL=URL,
        CHATCORE_DATA_DIR=str(tmp_path),
        CHATCORE_DEVELOPMENT="on",
    )
    headers = {"Authorization": basic(world.users["ada"].email, world.keys["ada"])}

    def ask(path: str, data: bytes | None = None) -> bytes:
        more = {"Content-Type": MULTIPART} if data else {}
        request = Request(f"http://127.0.0.1:{server.port}{path}", data, headers | more)
        with urlopen(request, timeout=PATIENCE) as answer:
            found: bytes = answer.read()
        return found

    def upload(number: int) -> tuple[str, bytes]:
        data = picture(size=(1000 + number, 700))
        answer = ask("/api/v1/user_uploads", form(part(data, f"{number}.png")))
        return str(json.loads(answer)["url"]), data

    def upload_and_read(number: int) -> str:
        url, data = upload(number)
        assert ask(url) == data
        return url

    def has_thumbnail(url: str) -> bool:
        return opened(ask(thumbnail(url))).format == "WEBP"

    try:
        with ThreadPoolExecutor(AT_ONCE) as people:
            sent = list(people.map(upload_and_read, range(3 * AT_ONCE)))
        assert all(map(has_thumbnail, sent))  # one account makes one at a time
        until(lambda: len(names(bucket)) > AT_ONCE)
    finally:
        server.stop()
