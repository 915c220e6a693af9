"""The organization of `tests.worlds.organization` with a folder for files, and helpers to send them.

url = uploads(ada, b"soup", "soup.txt")["url"]
assert fetches(bea, url).status_code == 404
"""

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from tests.worlds.organization import MakeWorld, Someone, World, succeeded

PNG = b"\x89PNG\r\n\x1a\n and so on"
MULTIPART = "multipart/form-data; boundary=cut"


@pytest.fixture
def files_world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "data")


def part(
    data: bytes, filename: str | None = "soup.txt", *, name: str = "file", content_type: str | None = None
) -> bytes:
    head = f'Content-Disposition: form-data; name="{name}"'.encode()
    if filename is not None:
        head += f'; filename="{filename}"'.encode()
    if content_type is not None:
        head += f"\r\nContent-Type: {content_type}".encode()
    return b"--cut\r\n" + head + b"\r\n\r\n" + data + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--cut--\r\n"


def send_form(
    someone: Someone,
    body: bytes,
    *,
    path: str = "/user_uploads",
    content_type: str = MULTIPART,
    query: Mapping[str, str] | None = None,
) -> TestResponse:
    return someone.client.post(
        f"/api/v1{path}",
        data=body,
        content_type=content_type,
        headers=someone.headers,
        query_string=query,
    )


def sends_file(someone: Someone, data: bytes, filename: str = "soup.txt", **more: Any) -> TestResponse:
    return send_form(someone, form(part(data, filename, **more)))


def uploads(
    someone: Someone, data: bytes = b"soup", filename: str = "soup.txt", **more: Any
) -> dict[str, Any]:
    return succeeded(sends_file(someone, data, filename, **more))


def adds_emoji(someone: Someone, name: str, data: bytes) -> None:
    succeeded(send_form(someone, form(part(data, "picture")), path=f"/realm/emoji/{name}"))


def shows_picture(someone: Someone, data: bytes) -> str:
    """Upload a picture of the user; return its address."""
    answer = succeeded(send_form(someone, form(part(data, "me.png")), path="/users/me/avatar"))
    url: str = answer["avatar_url"]
    return url


def fetches(someone: Someone, url: str, *, method: str = "GET", **headers: str) -> TestResponse:
    """Read a file; headers are named as in Python."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return someone.client.open(url, method=method, headers={**someone.headers, **named}, buffered=True)


def can_read(someone: Someone, url: str) -> bool:
    response = fetches(someone, url)
    assert response.status_code in (200, 404 if someone.name else 401), response.text
    return response.status_code == 200


def attachments(someone: Someone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = someone.get("/attachments")["attachments"]
    return found


def stored_files(world: World) -> list[Path]:
    """Return every file in the folder, including unfinished ones."""
    folder = world.svc.settings.data_dir
    assert folder is not None
    return sorted(path for path in folder.rglob("*") if path.is_file())


class Slowly(io.RawIOBase):
    """A body that arrives in small pieces, and may break off."""

    def __init__(self, data: bytes, *, breaks_after: int | None = None) -> None:
        self.data = data
        self._at = 0
        self._breaks_after = breaks_after

    def read(self, size: int = -1) -> bytes:
        if self._breaks_after is not None and self._at >= self._breaks_after:
            raise OSError("the connection was lost")
        size = len(self.data) if size < 0 else size
        if self._breaks_after is not None:
            size = min(size, self._breaks_after - self._at)
        piece = self.data[self._at : self._at + size]
        self._at += len(piece)
        return piece

    @property
    def taken(self) -> int:
        return self._at


def raw_request(
    someone: Someone, method: str, path: str, body: Slowly | None = None, **environ: Any
) -> tuple[bytes, str, dict[str, str]]:
    """Send a request with exactly this WSGI environment; return body, status line
    and headers of the answer.
    """
    builder = EnvironBuilder(path=path, method=method, headers=list(someone.headers.items()))
    environment = {**builder.get_environ(), **environ}
    builder.close()
    if body is not None:
        environment["wsgi.input"] = body
    answer, status, headers = run_wsgi_app(someone.world.answers, environment)
    return b"".join(answer), status, dict(headers)


def pieces_of(data: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]
