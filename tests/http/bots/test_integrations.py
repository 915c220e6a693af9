"""Messages of other programs, by the addresses of integrations."""

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from chatcore.domain.bots import text_format
from chatcore.domain.bots.integrations import post_of
from chatcore.domain.bots.text_marks import to_markdown
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import path_template
from chatcore.http.routes import ROUTES
from tests.worlds.integrations import send_json
from tests.worlds.organization import HOST, Someone, World, succeeded
from tests.worlds.toys import refusal

FORM = "application/x-www-form-urlencoded"
BOM = b"\xef\xbb\xbf"


@pytest.fixture
def hook(world: World, ada: Someone) -> Someone:
    """An incoming webhook of ada's."""
    made = ada.post("/bots", full_name="Hook", short_name="hook", bot_type=2)
    world.storage.read(world.know)
    world.keys["hook-bot"] = made["api_key"]
    return world["hook-bot"]


def posts(world: World, data: Any, integration: str = "text", **query: Any) -> int:
    given = {"api_key": world.keys["hook-bot"], "stream": "lunch", "topic": "alerts", **query}
    answer = succeeded(send_json(world, f"/external/{integration}", given, data))
    return int(answer["id"])


def test_a_program_posts_to_a_channel(world: World, hook: Someone, bea: Someone) -> None:
    line = bea.opens_queue("message")
    message_id = posts(world, {"text": "**Build** failed: <https://ci.example.com/7|build 7>"})
    (event,) = line.events()
    message = event["message"]
    assert (message["id"], message["sender_id"], message["client"]) == (message_id, hook.id, "Webhook text")
    assert (message["display_recipient"], message["subject"]) == ("lunch", "alerts")
    assert message["content"] == "**Build** failed: [build 7](https://ci.example.com/7)"


@pytest.mark.parametrize("stream", ["lunch", "LUNCH", "id"])
def test_a_channel_is_named_by_name_or_id(world: World, hook: Someone, bea: Someone, stream: str) -> None:
    posts(world, {"text": "hi"}, stream=world.id("lunch") if stream == "id" else stream)
    assert bea.reads("channel:lunch")[-1]["sender_id"] == hook.id


def test_without_a_channel_the_owner_gets_the_message(world: World, hook: Someone, ada: Someone) -> None:
    posts(world, {"text": "hi"}, stream="", topic="")
    assert [message["content"] for message in ada.reads("is:dm", apply_markdown=False)] == ["hi"]


def test_the_integration_chooses_a_topic(world: World, hook: Someone, bea: Someone) -> None:
    posts(world, {"text": "hi", "channel": "#builds"}, topic="")
    posts(world, [1], "json", topic="")
    posts(world, {"text": "hi", "channel": "x" * 100 + "\0"}, topic="")
    topics = [message["subject"] for message in bea.reads("channel:lunch")]
    assert topics[:2] == ["builds", "JSON"]
    assert len(topics[2]) == 60


@pytest.mark.parametrize(
    ("integration", "data", "content"),
    [
        ("json", {"a": [1, "```"]}, '````json\n{\n  "a": [\n    1,\n    "```"\n  ]\n}\n````'),
        ("helloworld", {"featured_title": "Soup"},
         "Hello! I am happy to be here! :smile: Today's featured article: **Soup**"),
        ("text", {"blocks": [{"text": {"text": "one"}}, {"fields": [{"text": "two"}]}]}, "one\n\ntwo"),
        ("text", {"attachments": [{"title": "T", "title_link": "https://a.example.com", "text": "x",
                                   "fields": [{"title": "A", "value": 1}]}]},
         "[T](https://a.example.com)\n\nx\n\n**A**: 1"),
    ],
)  # fmt: skip
def test_what_integrations_make_of_data(
    world: World, hook: Someone, bea: Someone, integration: str, data: Any, content: str
) -> None:
    posts(world, data, integration)
    assert bea.reads("channel:lunch", apply_markdown=False)[-1]["content"] == content


GREETING = "Gr\u00fc\u00dfe & \U0001f600 %41+1"
AS_IT_IS = json.dumps({"text": GREETING}, ensure_ascii=False).encode()
AND = {"text": "https://a.example/?" + "&".join(f"x={number}" for number in range(1500))}
BODIES: dict[str, tuple[str, bytes, str]] = {
    "a form": (FORM, urlencode({"x": "1", "payload": AS_IT_IS, "y": "2"}).encode(), GREETING),
    "a form with blanks": (FORM, urlencode({"payload": AS_IT_IS}, quote_via=quote).encode(), GREETING),
    "a form with other escapes": (
        FORM, urlencode({"payload": json.dumps({"text": GREETING})}).encode(), GREETING,
    ),
    "a form with a mark": (FORM, BOM + urlencode({"payload": BOM + AS_IT_IS}).encode(), GREETING),
    "JSON that declares a form": (FORM, AS_IT_IS, GREETING),
    "JSON with a mark that declares a form": (FORM, BOM + b"\r\n " + AS_IT_IS, GREETING),
    "JSON that was escaped": (FORM, quote(AS_IT_IS).encode(), GREETING),
    "JSON with many fields that declares a form": (FORM, json.dumps(AND).encode(), AND["text"]),
    "a form with many fields": (
        FORM, b"&".join([b"x=1"] * 5000 + [urlencode({"payload": json.dumps(AND)}).encode()]), AND["text"],
    ),
    "a form in parts": (
        "multipart/form-data; boundary=cut",
        b'--cut\r\nContent-Disposition: form-data; name="payload"\r\n\r\n' + AS_IT_IS + b"\r\n--cut--\r\n",
        GREETING,
    ),
    "a form in parts with the field twice": (
        "multipart/form-data; boundary=cut",
        b"".join(
            b'--cut\r\nContent-Disposition: form-data; name="payload"\r\n\r\n' + data + b"\r\n"
            for data in (AS_IT_IS, json.dumps(AND).encode())
        )
        + b"--cut--\r\n",
        GREETING,
    ),
    "a form with the field twice": (
        FORM, urlencode([("payload", AS_IT_IS), ("payload", json.dumps(AND))]).encode(), GREETING,
    ),
    "JSON": ("application/json; charset=utf-8", AS_IT_IS, GREETING),
    "JSON with a mark": ("application/json", BOM + AS_IT_IS, GREETING),
    "JSON in UTF-16": ("application/json", AS_IT_IS.decode().encode("utf-16"), GREETING),
    "JSON in windows-1252": ("application/json", b'{"text": "Gr\xfc\xdfe \x85"}', "Gr\u00fc\u00dfe \u2026"),
    "a form in windows-1252": (FORM, b"payload=%7B%22text%22%3A%22Gr%FC%DFe%22%7D", "Gr\u00fc\u00dfe"),
    "JSON that is cut within a character": (
        "application/json", b'{"text": "Gr\xc3\xbc\xc3\x9fe \xf0\x9f\x98"}', "Gr\u00fc\u00dfe \ufffd",
    ),
    "JSON with nothing but a character that is cut": (
        "application/json", b'{"text": "Thanks \xf0\x9f\x98"}', "Thanks \ufffd",
    ),
    "JSON without a type": ("", AS_IT_IS, GREETING),
    "JSON of another type": ("text/plain", AS_IT_IS, GREETING),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("integration", ["text", "json"])
def test_data_arrive_however_they_are_wrapped(
    world: World, hook: Someone, bea: Someone, integration: str, name: str
) -> None:
    content_type, body, text = BODIES[name]
    query = {"api_key": world.keys["hook-bot"], "stream": "lunch"}
    succeeded(send_json(world, f"/external/{integration}", query, body, content_type=content_type))
    content = bea.reads("channel:lunch", apply_markdown=False)[-1]["content"]
    if integration == "json":
        content = json.loads(content.removeprefix("````json").removesuffix("````"))["text"]
    assert content == text


LEFT_OUT = "\n[message truncated]"


@pytest.mark.parametrize("integration", ["text", "json", "helloworld"])
def test_sec_a_post_has_a_bounded_number_of_values(
    world: World, hook: Someone, bea: Someone, integration: str
) -> None:
    query = {"api_key": world.keys["hook-bot"], "stream": "lunch"}
    data = {"blocks": [{"elements": [{}] * 10_000}]}
    refusal(send_json(world, f"/external/{integration}", query, data), code="ANOMALOUS_WEBHOOK_PAYLOAD")
    assert not bea.reads("channel:lunch")


@pytest.mark.parametrize("sign", ["`", "soup ", "&amp;", "<!date^1^a|>"])
def test_sec_long_texts_are_cut_before_they_are_read(
    world: World, hook: Someone, bea: Someone, sign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def counted(text: str) -> str:
        read.append(len(text))
        return to_markdown(text)

    monkeypatch.setattr(text_format, "to_markdown", counted)
    long = (sign * 900_000)[:900_000]
    posts(world, {"text": "hello", "attachments": [{"text": long}]})
    content = bea.reads("channel:lunch", apply_markdown=False)[-1]["content"]
    assert content.startswith("hello")
    assert content.endswith(LEFT_OUT)
    assert sum(read) < 200_000


def test_sec_data_in_many_levels_make_no_long_text(world: World, hook: Someone, bea: Someone) -> None:
    data: Any = [1] * 9000
    for _ in range(200):
        data = [data]
    assert len(post_of("json", data).content) < 200_000
    posts(world, data, "json")
    assert bea.reads("channel:lunch", apply_markdown=False)[-1]["content"].endswith(LEFT_OUT)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (FORM, b"payload=%ff%fe"),
        (FORM, b"payload=\xff\xfe"),
        (FORM, b"payload"),
        (FORM, b"payload="),
        (FORM, b"other=%7B%7D"),
        (FORM, b"&" * 100_000),
        (FORM, b"%" * 1000),
        (FORM, b""),
        ("multipart/form-data; boundary=cut", b""),
        ("multipart/form-data; boundary=cut", b"--cut\r\n"),
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=cut",
         b'--cut\r\nContent-Disposition: form-data; name="payload"\r\n\r\n\xff\r\n--cut--\r\n'),
        ("application/json", b"\xed\xa0\x80"),
        ("application/json", b"[" * 950 + b"]" * 950),
        ("application/json", b"9" * 5000),
        ("a;b=\x7f", b"\0"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("integration", ["text", "json", "helloworld"])
def test_what_is_no_data_is_refused(
    world: World, hook: Someone, integration: str, content_type: str, body: bytes
) -> None:
    query = {"api_key": world.keys["hook-bot"], "stream": "lunch"}
    answer = send_json(world, f"/external/{integration}", query, body, content_type=content_type)
    assert answer.status_code == 400
    assert answer.get_json()["code"] in ("INVALID_JSON", "ANOMALOUS_WEBHOOK_PAYLOAD", "BAD_REQUEST")
    assert world.count("message") == 0


def test_characters_that_no_store_holds_are_replaced(world: World, hook: Someone, bea: Someone) -> None:
    data = {"text": "a\0b \ud800 c", "channel": "\ud800\0"}
    for integration in ("text", "json", "helloworld"):
        posts(world, {**data, "featured_title": "\ud800"}, integration, topic="")
    assert bea.reads("channel:lunch", apply_markdown=False)[0]["content"] == "a\ufffdb \ufffd c"
    assert len(bea.reads("channel:lunch")) == 3


@pytest.mark.parametrize(
    ("integration", "data", "status", "code"),
    [
        ("text", b"", 400, "INVALID_JSON"),
        ("text", b"{", 400, "INVALID_JSON"),
        ("text", b"\xff", 400, "INVALID_JSON"),
        ("text", b"[" * 100_000, 400, "INVALID_JSON"),
        ("text", [], 400, "ANOMALOUS_WEBHOOK_PAYLOAD"),
        ("text", {}, 400, "ANOMALOUS_WEBHOOK_PAYLOAD"),
        ("text", {"text": {"a": 1}}, 400, "ANOMALOUS_WEBHOOK_PAYLOAD"),
        ("text", {"blocks": 3, "attachments": {"a": 1}}, 400, "ANOMALOUS_WEBHOOK_PAYLOAD"),
        ("helloworld", 1, 400, "ANOMALOUS_WEBHOOK_PAYLOAD"),
        ("text", b'{"text": "' + b"x" * 2**20 + b'"}', 413, "BAD_REQUEST"),
        ("unknown", {"text": "hi"}, 404, "BAD_REQUEST"),
    ],
)
def test_bad_data_is_refused_and_sends_nothing(
    world: World, hook: Someone, integration: str, data: Any, status: int, code: str
) -> None:
    query = {"api_key": world.keys["hook-bot"], "stream": "lunch"}
    answer = send_json(world, f"/external/{integration}", query, data)
    assert (answer.status_code, answer.get_json()["code"]) == (status, code)
    assert world.count("message") == 0


def test_channels_are_those_of_the_bot_and_its_owner(world: World, hook: Someone, ada: Someone) -> None:
    world.add_channel("hidden", "cem", invite_only=True)
    for stream in ("hidden", "nowhere", str(world.id("hidden")), "99999"):
        query = {"api_key": world.keys["hook-bot"], "stream": stream}
        answer = send_json(world, "/external/text", query, {"text": "hi"}).get_json()
        assert answer["code"] == "STREAM_DOES_NOT_EXIST"
    posts(world, {"text": "hi"}, stream="secret")
    assert ada.reads("channel:secret")[-1]["sender_id"] == hook.id


# -- keys -----------------------------------------------------------------------------------------------


def test_sec_23_the_key_of_an_incoming_webhook_only_sends(world: World, hook: Someone) -> None:
    """Everything else refuses it, with the answer that it gives to no key, whatever the route."""
    for route in ROUTES:
        path = path_template(route.full_path).format_map(Anything())
        answer = hook.client.open(path, method=route.method, headers=hook.headers, base_url=f"http://{HOST}")
        if route.auth in (Auth.REQUIRED, Auth.OPTIONAL):
            assert answer.status_code == 401, route
    assert hook.says("hi", "plaza")
    assert {route.path for route in ROUTES if route.auth is Auth.SENDING} == {"/messages"}


class Anything(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "1"


def test_sec_23_the_name_of_the_sender_is_the_bots(world: World, hook: Someone, bea: Someone) -> None:
    posts(world, {"text": "hi", "username": "Olga", "sender": "olga@example.org"})
    assert bea.reads("channel:lunch")[-1]["sender_full_name"] == "Hook"


def test_only_keys_of_bots_that_post_are_accepted(world: World, hook: Someone, ada: Someone) -> None:
    url = "https://bots.example.com/"
    outgoing = ada.post("/bots", full_name="Out", short_name="out", bot_type=3, payload_url=url)["api_key"]
    own, ada_key = world.keys["hook-bot"], world.keys["ada"]
    for key in ("", "x" * 32, own.upper(), own[:-1], own + "x", "ü", ada_key, outgoing):
        answer = send_json(world, "/external/text", {"api_key": key, "stream": "lunch"}, {"text": "hi"})
        assert (answer.status_code, answer.get_json()["code"]) == (401, "UNAUTHORIZED")
    posts(world, {"text": "hi"}, api_key=world.keys["robo"])
    ada.post(f"/bots/{hook.id}/api_key/regenerate")
    query = {"api_key": world.keys["hook-bot"], "stream": "lunch"}
    assert send_json(world, "/external/text", query, {"text": "hi"}).status_code == 401
    assert world.count("message") == 1


def test_a_deactivated_bot_posts_nothing(world: World, hook: Someone, ada: Someone) -> None:
    ada.delete(f"/bots/{hook.id}")
    query = {"api_key": world.keys["hook-bot"], "stream": "lunch"}
    assert send_json(world, "/external/text", query, {"text": "hi"}).status_code == 401
    assert world.count("message") == 0
