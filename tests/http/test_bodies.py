"""Bodies of every wrong form, at every endpoint that takes one: refused in the envelope, never a failure."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from chatcore.http.bodies.reading import MAX_FIELDS
from chatcore.http.pipeline.routing import AnyRoute, path_template
from chatcore.http.routes import ROUTES
from tests.worlds.organization import FROM, HOST, MakeWorld, Someone, World

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
MULTIPART = "multipart/form-data; boundary=cut"
BOM = b"\xef\xbb\xbf"
TAKING = [route for route in ROUTES if route.method in ("POST", "PUT", "PATCH", "DELETE")]


def part(head: str, content: bytes, end: bytes = b"--cut--\r\n") -> bytes:
    return f"--cut\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content + b"\r\n" + end


BODIES: dict[str, tuple[str, bytes]] = {
    "bytes that are no text": (FORM, b"x=\xff\xfe"),
    "escapes that are no text": (FORM, b"payload=%ff%fe&content=%ed%a0%80"),
    "a name that is no text": (FORM, b"%ff=1"),
    "another charset": (f"{FORM}; charset=utf-16", "x=1".encode("utf-16")),
    "an unknown charset": (f"{FORM}; charset=soup", b"x=1"),
    "too many fields": (FORM, b"&".join([b"x=1"] * (MAX_FIELDS + 1))),
    "many separators": (FORM, b"&" * 100_000),
    "JSON as a form": (FORM, b'{"content": "\xc3\xbc & x"}'),
    "broken escapes": (FORM, b"%&%%=%zz&=%"),
    "JSON": ("application/json", b"{}"),
    "JSON with a mark": ("application/json", BOM + b"[]"),
    "half a JSON": ("application/json", b"{"),
    "deep JSON": ("application/json", b"[" * 100_000),
    "a long number": ("application/json", b"9" * 5000),
    "half a pair": ("application/json", rb'"\ud800"'),
    "a text": ("text/plain", b"\0"),
    "bytes": ("application/octet-stream", bytes(range(256))),
    "a strange type": ("\x7f/;=\u00fc", b"x"),
    "no type": ("", b"x=1"),
    "no boundary": ("multipart/form-data", b"x"),
    "a strange boundary": ("multipart/form-data; boundary=\u00fc", b"x"),
    "an empty form in parts": (MULTIPART, b""),
    "half a part": (MULTIPART, part('name="x"', b"1", b"")),
    "a part without a name": (MULTIPART, part("x", b"1")),
    "a part that is no text": (MULTIPART, part('name="x"', b"\xff")),
    "a file without a name": (MULTIPART, part('name="f"; filename=""', b"\xff")),
    "a file that is nothing": (MULTIPART, part('name="f"; filename="\\ud800.png"', b"\x89PNG\r\n\x1a\n")),
    "many parts": (MULTIPART, part('name="x"', b"1", b"") * (MAX_FIELDS + 1)),
    "a compressed form": (FORM, b"\x1f\x8b\x08\0x"),
}
LAST = ("/users/me", "/realm/deactivate")
"""After these, the actor or the organization cannot do anything more."""


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> Iterator[World]:
    return make_world(development=True, data_dir=tmp_path / "data", mail_folder=tmp_path / "mail")


@pytest.fixture
def olga(world: World) -> Someone:
    return world["olga"]


def sends(who: Someone, route: AnyRoute, content_type: str, body: bytes) -> TestResponse:
    path = path_template(route.full_path).format_map(Anything())
    headers = {**who.headers, "Host": HOST}
    if body.startswith(b"\x1f\x8b"):
        headers["Content-Encoding"] = "gzip"
    return who.client.open(
        path, method=route.method, data=body, content_type=content_type, headers=headers, environ_base=FROM
    )


class Anything(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "text" if name == "integration" else "1"


@pytest.mark.parametrize("name", BODIES)
def test_bodies_of_a_wrong_form_are_no_failures(world: World, olga: Someone, name: str) -> None:
    content_type, body = BODIES[name]
    robo = world["robo"]
    wrong: list[str] = []
    for route in sorted(TAKING, key=lambda route: route.full_path.endswith(LAST)):
        answer = sends(olga, route, content_type, body)
        if answer.status_code >= 500:
            wrong.append(f"{route.method} {route.full_path}: {answer.status_code}")
        elif answer.status_code >= 400 and answer.mimetype == JSON and "/tus" not in route.path:
            assert {"result", "code", "msg"} <= answer.get_json().keys(), route
    assert not wrong, "\n".join(["", *wrong])
    hook = {"api_key": world.keys["robo"], "stream": "lunch"}
    for integration in ("text", "json", "helloworld"):
        answer = robo.client.post(
            f"/api/v1/external/{integration}", query_string=hook, data=body, content_type=content_type,
            headers={"Host": HOST}, environ_base=FROM,
        )  # fmt: skip
        assert answer.status_code < 500, answer.get_json()


def test_a_mark_before_a_form_is_no_part_of_it(world: World, olga: Someone) -> None:
    form = f"content=Gr%C3%BC%C3%9Fe&type=channel&to={world.id('lunch')}&topic=soup".encode()
    (route,) = [one for one in TAKING if (one.method, one.path) == ("POST", "/messages")]
    assert sends(olga, route, FORM, BOM + form).status_code == 200
    assert olga.reads("channel:lunch", apply_markdown=False)[-1]["content"] == "Gr\u00fc\u00dfe"
