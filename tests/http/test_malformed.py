"""Two thousand malformed requests of every kind: all are refused in the envelope, none fails."""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.http.bodies.reading import MAX_FIELDS
from chatcore.http.pipeline.routing import MAX_BODY
from tests.worlds.toys import HEADERS, HELLO, MULTIPART, URLENCODED, basic, multipart

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_failure")

Request = dict[str, Any]


def _sent(rng: random.Random, **texts: str) -> Request:
    """The request as a form of either kind or as a query."""
    way = rng.randrange(3)
    if way == 0:
        return {"query_string": texts}
    if way == 1:
        return {"data": texts, "content_type": URLENCODED}
    return {"data": multipart(*((k, v.encode()) for k, v in texts.items())), "content_type": MULTIPART}


BAD_COUNTS = [
    "-1",
    "true",
    "1.0",
    "1e3",
    "1e999",
    "NaN",
    "Infinity",
    "",
    "x",
    "null",
    "[1]",
    "{}",
    str(2**63),
    "9" * 5000,
]
BAD_JSON = [
    "",
    "[",
    "{",
    '{"a":1,"a":2}',
    "[1,]",
    "nul",
    "'a'",
    "NaN",
    '["a" "b"]',
    r'"\ud800"',
    r'["\u0000"]',
    '"\t"',
]
BAD_LISTS = ["[1]", "[true]", "[null]", '{"a":1}', '"read"', '[["read"]]', '["read",1.0]', "3"]


def _wrong_count(rng: random.Random) -> Request:
    return _sent(rng, num_before=rng.choice(BAD_COUNTS))


def _wrong_json(rng: random.Random) -> Request:
    return _sent(
        rng, narrow=rng.choice([*BAD_JSON, "[" * rng.randrange(30, 100_000), '{"a":' * 30 + "1" + "}" * 30])
    )


def _wrong_list(rng: random.Random) -> Request:
    return _sent(rng, flags=rng.choice(BAD_LISTS + BAD_JSON))


def _huge_number(rng: random.Random) -> Request:
    digits = "".join(rng.choices("123456789", k=rng.randrange(20, 6000)))
    return _sent(rng, **{rng.choice(["num_before", "narrow"]): rng.choice(["", "-"]) + digits})


def _null_character(rng: random.Random) -> Request:
    return {
        "path": "/api/v1/messages",
        **_sent(rng, **{**HELLO, rng.choice(["to", "content", "topic"]): "a\0b"}),
    }


def _missing(rng: random.Random) -> Request:
    left_out = rng.choice(sorted(HELLO))
    return {"path": "/api/v1/messages", **_sent(rng, **{k: v for k, v in HELLO.items() if k != left_out})}


def _bad_utf8(rng: random.Random) -> Request:
    bad = rng.choice([b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xe2\x82", b"\xf5\x80\x80\x80"])
    escaped = "".join(f"%{byte:02X}" for byte in bad)
    return rng.choice(
        [
            {"query_string": f"narrow={escaped}"},
            {"query_string": f"{escaped}=1"},
            {"data": f"x={escaped}", "content_type": URLENCODED},
            {"data": b"x=" + bad, "content_type": URLENCODED},
            {"data": multipart(("x", bad)), "content_type": MULTIPART},
        ]
    )


def _wrong_content_type(rng: random.Random) -> Request:
    types = [
        "application/json",
        "text/plain",
        "",
        "x",
        "application/octet-stream",
        "multipart/mixed; boundary=cut",
    ]
    types += [
        f"{URLENCODED}; charset=utf-16",
        f"{URLENCODED}; charset=latin-1",
        f"{MULTIPART}; charset=utf-7",
        "\x7f/;",
    ]
    return {"data": rng.choice([b'{"num_before": 1}', b"num_before=1"]), "content_type": rng.choice(types)}


def _broken_multipart(rng: random.Random) -> Request:
    whole = multipart(("num_before", b"1"), ("narrow", b"[]"))
    cut = whole[: rng.randrange(1, len(whole) - 6)]
    head = b"--cut\r\nContent-Disposition: form-data"
    broken = rng.choice(
        [cut, head + b"\r\n\r\nx\r\n--cut--\r\n", b"--cut\r\n\r\nx\r\n--cut--\r\n", b"no form"]
    )
    charset = multipart(
        ("x", b"1"), head="\r\nContent-Type: text/plain; charset=" + rng.choice(["utf-16", "latin-1"])
    )
    return rng.choice(
        [
            {"data": broken, "content_type": MULTIPART},
            {"data": charset, "content_type": MULTIPART},
            {"data": whole, "content_type": "multipart/form-data"},
            {"data": whole, "content_type": "multipart/form-data; boundary=other"},
            {"data": whole, "content_type": "multipart/form-data; boundary=\u00fc"},
        ]
    )


def _too_much(rng: random.Random) -> Request:
    fields = rng.randrange(MAX_FIELDS + 1, 2 * MAX_FIELDS)
    return rng.choice(
        [
            {"query_string": "&".join(["a=1"] * fields)},
            {"data": b"&" * fields, "content_type": URLENCODED},
            {"data": multipart(*[("a", b"1")] * fields), "content_type": MULTIPART},
            {"data": b"a=" + b"x" * MAX_BODY, "content_type": URLENCODED},
        ]
    )


def _wrong_length(rng: random.Random) -> Request:
    length = rng.choice(["-1", "x", "1e3", "+5", "5 5", "１", "9" * 30, "500", str(MAX_BODY + 1)])
    return {
        "data": "num_before=1",
        "content_type": URLENCODED,
        "environ_overrides": {"CONTENT_LENGTH": length},
    }


def _compressed(rng: random.Random) -> Request:
    coding = rng.choice(["gzip", "deflate", "br", "gzip, identity", "x"])
    headers = {**HEADERS, "Content-Encoding": coding}
    return {
        "data": rng.randbytes(50),
        "content_type": rng.choice([URLENCODED, MULTIPART]),
        "headers": headers,
    }


def _wrong_credentials(rng: random.Random) -> Request:
    noise = rng.randbytes(rng.randrange(40))
    header = rng.choice([basic(noise), "Basic " + noise.decode("latin-1"), "Digest x", "Basic", " "])
    return {"environ_overrides": {"HTTP_AUTHORIZATION": header}}


def _unknown_path(rng: random.Random) -> Request:
    piece = "".join(chr(rng.randrange(1, 256)) for _ in range(rng.randrange(1, 40))) + "x"
    return {"environ_overrides": {"PATH_INFO": "/api/v1/messages/" + piece}}


def _unknown_id(rng: random.Random) -> Request:
    return {"path": "/api/v1/messages/" + rng.choice(["1" * 19, "1" * 5000, "0x1", "1.0", "-1", "1e3", "00"])}


KINDS = [
    _bad_utf8,
    _broken_multipart,
    _compressed,
    _huge_number,
    _missing,
    _null_character,
    _too_much,
    _unknown_id,
    _unknown_path,
    _wrong_content_type,
    _wrong_count,
    _wrong_credentials,
    _wrong_json,
    _wrong_length,
    _wrong_list,
]


@pytest.mark.shows("conventions.error-envelope")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__.strip("_"))
def test_sec_69_70_malformed_requests_are_refused_in_the_envelope(
    client: Client, kind: Callable[[random.Random], Request]
) -> None:
    """The fixture of this module checks that none of the requests is logged as a failure."""
    rng = random.Random(kind.__name__)
    for _ in range(2000 // len(KINDS) + 1):
        request = {"path": "/api/v1/messages/1", "method": "POST", "headers": HEADERS, **kind(rng)}
        response = client.open(**request)
        answer: Mapping[str, Any] = json.loads(response.data)
        assert 400 <= response.status_code < 500, request
        assert answer["result"] == "error"
        assert answer["msg"]
        assert answer["code"]
        assert "Traceback" not in response.text
