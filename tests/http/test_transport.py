"""Transport rules of all endpoints: sources of parameters, authentication, envelopes, headers."""

import io
import json
import logging
import re
from typing import Any, NoReturn
from unittest.mock import patch
from urllib.parse import parse_qsl

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client, EnvironBuilder, TestResponse, run_wsgi_app

from chatcore.domain.errors import Unauthorized
from chatcore.http import logs
from chatcore.http.app import Application
from chatcore.http.bodies import urlencoded
from chatcore.http.bodies.urlencoded import decode_form
from chatcore.http.pipeline import brand
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.exchange import MAX_REPEATED
from chatcore.http.pipeline.routing import MAX_BODY
from chatcore.storage import slices
from tests.worlds.toys import (
    ADA,
    HEADERS,
    HELLO,
    KEY,
    MULTIPART,
    ROUTES,
    URLENCODED,
    application,
    authenticate,
    basic,
    multipart,
    refusal,
    success,
)

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_failure")

# Sources of parameters


@pytest.mark.parametrize(
    "path", ["/api/v1/messages", "/api/v1//messages", "/api/v1///messages", "/api/v1/messages/"]
)
def test_slashes_after_the_prefix_and_at_the_end_mean_nothing(client: Client, path: str) -> None:
    assert success(client.post(path, data=HELLO, headers=HEADERS))["sent"]["to"] == "lunch"


@pytest.mark.shows("conventions.form-or-query")
def test_a_form_may_be_urlencoded(client: Client) -> None:
    response = client.post("/api/v1/messages", data=HELLO, headers=HEADERS, content_type=URLENCODED)
    assert success(response)["sent"]["content"] == "hello"


def test_a_form_may_be_multipart(client: Client) -> None:
    body = multipart(("type", b"channel"), ("to", b"lunch"), ("content", "grüße\r\n--".encode()))
    response = client.post("/api/v1/messages", data=body, headers=HEADERS, content_type=MULTIPART)
    assert success(response)["sent"]["content"] == "grüße\r\n--"


def test_files_of_a_form_are_passed_over(client: Client) -> None:
    file = multipart(("flags", b"\xff\xfe"), head='; filename="a.png"', end=b"")
    body = file + multipart(("num_before", b"3"))
    response = client.post("/api/v1/messages/1", data=body, headers=HEADERS, content_type=MULTIPART)
    assert success(response)["sent"]["num_before"] == 3


@pytest.mark.parametrize(
    "body",
    [
        multipart(("num_before", b"3"), head="; a=b" * 2000),
        multipart(("num_before", b"3"), head="\r\nContent-Type: text/plain" + "; a=b" * 2000),
        multipart(*[("num_before", b"3")] * 20, head="; a=b" * 1000),
    ],
    ids=["in its name", "in its type", "all together"],
)
def test_the_heads_of_parts_have_an_end(client: Client, body: bytes) -> None:
    response = client.post("/api/v1/messages/1", data=body, headers=HEADERS, content_type=MULTIPART)
    assert "head of a part" in refusal(response, 400, "BAD_REQUEST")["msg"]


@given(
    st.lists(
        st.sampled_from([*"%&=+a4\u00fc;", "%c3", "%BC", "%41", "%e2%82", "%2", "%00", "%25", "%26", "x" * 7])
    ),
    st.sampled_from([3, 4, 5, urlencoded.PIECE]),
)
def test_forms_are_decoded_as_everywhere(parts: list[str], piece: int) -> None:
    text = "".join(parts)
    with patch.object(urlencoded, "PIECE", piece):
        try:
            expected = parse_qsl(text, keep_blank_values=True, errors="strict")
        except UnicodeDecodeError:
            with pytest.raises(UnicodeDecodeError):
                decode_form(text.encode())
        else:
            assert decode_form(text.encode()) == expected


@pytest.mark.parametrize("form", [b"content=" + b"%41x" * 200_000, b"x=%41x%41x&" * 999])
def test_others_run_while_a_long_form_is_decoded(form: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[None] = []
    monkeypatch.setattr(slices, "give_way", lambda: pauses.append(None))
    monkeypatch.setattr(slices, "SLICE", 0)
    decode_form(form)
    assert len(pauses) >= len(form) / (slices.LOOK_EVERY * urlencoded.PIECE)


@pytest.mark.parametrize("text", ["[" * 19 + "]" * 19, "{}"])
def test_a_parameter_has_a_bounded_number_of_lists_and_objects(client: Client, text: str) -> None:
    many = f"[{f'{text},' * (50_001 // text.count(text[0]) + 1)}1]"
    response = client.patch("/api/v1/messages/1", data={"narrow": many}, headers=HEADERS)
    assert "too many values" in refusal(response, 400, "BAD_REQUEST")["msg"]


def test_a_parameter_with_objects_has_a_bounded_number_of_values(client: Client) -> None:
    response = client.patch("/api/v1/messages/1", data={"narrow": f"[{'{},' * 50_001}1]"}, headers=HEADERS)
    assert "too many values" in refusal(response, 400, "BAD_REQUEST")["msg"]


@pytest.mark.shows("conventions.form-or-query")
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_parameters_come_in_the_form_or_in_the_query(client: Client, method: str) -> None:
    for where in ("data", "query_string"):
        response = client.open(
            "/api/v1/messages/1", method=method, headers=HEADERS, **{where: {"num_before": "3"}}
        )
        assert success(response)["sent"]["num_before"] == 3


@pytest.mark.parametrize("content_type", [URLENCODED, f"{URLENCODED}; charset=UTF-8"])
def test_the_form_wins_and_the_first_of_two_values_counts(client: Client, content_type: str) -> None:
    path = "/api/v1/messages/1?num_before=1&num_before=2&narrow=%5B1%5D"
    assert success(client.patch(path, headers=HEADERS))["sent"]["num_before"] == 1
    response = client.patch(
        path, data="num_before=3&num_before=4", headers=HEADERS, content_type=content_type
    )
    sent = success(response)["sent"]
    assert sent["num_before"] == 3
    assert sent["narrow"] == [1]


@pytest.mark.parametrize("method", ["PATCH", "delete", "PUT"])
@pytest.mark.parametrize("content_type", [URLENCODED, MULTIPART])
def test_a_field_in_the_form_of_a_post_names_another_method(
    client: Client, method: str, content_type: str
) -> None:
    fields = {"num_before": "3", "method": method}
    data: Any = fields
    if content_type == MULTIPART:
        data = multipart(*((name, text.encode()) for name, text in fields.items()))
    answer = success(client.post("/api/v1/things/1", data=data, headers=HEADERS, content_type=content_type))
    assert answer["sent"]["method"] == method.upper()
    assert answer["sent"]["num_before"] == 3
    assert "ignored_parameters_unsupported" not in answer


@pytest.mark.parametrize(
    ("method", "how"),
    [
        ("POST", {"query_string": {"method": "DELETE"}}),
        ("POST", {"data": {"method": "DELETE"}, "query_string": {"method": "DELETE"}}),
        ("POST", {"data": {"method": "GET"}}),
        ("POST", {"data": {"method": "BREW"}}),
        ("PATCH", {"data": {"method": "DELETE"}}),
    ],
)
def test_nothing_else_names_another_method(client: Client, method: str, how: dict[str, Any]) -> None:
    answer = success(client.open("/api/v1/things/1", method=method, headers=HEADERS, **how))
    assert answer["sent"]["method"] == method
    assert answer["ignored_parameters_unsupported"] == ["method"]


def test_a_method_that_a_form_names_has_to_be_one_of_the_path(client: Client) -> None:
    path, data = "/api/v1/things/1/patch", {"method": "PATCH"}
    assert success(client.post(path, data=data, headers=HEADERS))["sent"]["method"] == "PATCH"
    assert client.post(path, data=data).status_code == 401
    for other in ({}, {"method": "PUT"}, {"num_before": "3"}):
        response = client.post(path, data=other, headers=HEADERS)
        assert response.status_code == 405
        assert response.headers["Allow"] == "OPTIONS, PATCH"
    assert client.post(path, query_string=data, headers=HEADERS).status_code == 405
    data = {**HELLO, "method": "DELETE"}
    assert client.post("/api/v1/messages", data=data, headers=HEADERS).status_code == 405


@pytest.mark.shows("conventions.json-in-a-field")
def test_text_is_bare_and_the_rest_is_json(client: Client) -> None:
    texts = {**HELLO, "content": '"[1]"', "topic": "null", "read_by_sender": "true", "to": "[3,4]"}
    sent = success(client.post("/api/v1/messages", data=texts, headers=HEADERS))["sent"]
    assert sent["content"] == '"[1]"'
    assert sent["topic"] == "null"
    assert sent["read_by_sender"] is True
    assert sent["to"] == [3, 4]


@pytest.mark.shows("conventions.json-in-a-field")
@pytest.mark.parametrize(("text", "narrow"), [("[]", []), ('[["is","dm"]]', [["is", "dm"]])])
def test_a_narrow_is_json_in_one_field(client: Client, text: str, narrow: object) -> None:
    response = client.get("/api/v1/messages/1", query_string={"narrow": text}, headers=HEADERS)
    assert success(response)["sent"]["narrow"] == narrow


@pytest.mark.shows("conventions.ignored-parameters", "version.ignored-parameters")
def test_unknown_parameters_are_reported_and_path_parameters_may_be_repeated(client: Client) -> None:
    texts = {"zeta": "1", "alpha": "2", "message_id": "9", "stream_id": "1", "group_id": "1", "stream": "x"}
    answer = success(client.post("/api/v1/messages/1", data={**texts, "dont_block": "true"}, headers=HEADERS))
    assert answer["ignored_parameters_unsupported"] == ["alpha", "zeta"]
    assert answer["sent"]["message_id"] == 1
    response = client.post("/api/v1/messages", data={**HELLO, "stream_id": "1"}, headers=HEADERS)
    assert success(response)["ignored_parameters_unsupported"] == ["stream_id"]


@pytest.mark.shows("conventions.error-envelope", "conventions.ignored-only-then")
def test_nothing_is_reported_where_nothing_was_ignored_or_the_request_failed(client: Client) -> None:
    assert "ignored_parameters_unsupported" not in success(client.get("/api/v1/users/me", headers=HEADERS))
    answer = refusal(client.get("/api/v1/absent?zeta=1", headers=HEADERS), 404)
    assert answer == {"result": "error", "msg": "No such draft", "code": "BAD_REQUEST", "draft": 3}


@pytest.mark.shows("conventions.error-extras")
def test_parameter_errors_name_the_parameter(client: Client) -> None:
    answer = refusal(client.post("/api/v1/messages", headers=HEADERS), 400, "REQUEST_VARIABLE_MISSING")
    assert answer["var_name"] == "type"
    response = client.get("/api/v1/messages/1?num_before=-1", headers=HEADERS)
    answer = refusal(response, 400, "REQUEST_VARIABLE_INVALID")
    assert (answer["var_name"], answer["bad_value"]) == ("num_before", "-1")
    response = client.get(f"/api/v1/messages/1?num_before={'x' * 10_000}", headers=HEADERS)
    assert refusal(response, 400, "REQUEST_VARIABLE_INVALID")["bad_value"] == "x" * MAX_REPEATED
    response = client.post("/api/v1/messages", data={**HELLO, "topic": "a", "subject": "a"}, headers=HEADERS)
    answer = refusal(response, 400, "REQUEST_CONFUSING_VAR")
    assert (answer["var_name1"], answer["var_name2"]) == ("topic", "subject")


@pytest.mark.parametrize(
    "piece", ["ada%40example.org", "ada@example.org", "ada+1@b%C3%BCro.example", "a%20b"]
)
def test_pieces_of_the_path_may_be_encoded_or_not(client: Client, piece: str) -> None:
    expected = piece.replace("%40", "@").replace("%C3%BC", "ü").replace("%20", " ")
    assert success(client.get(f"/api/v1/users/{piece}", headers=HEADERS))["sent"] == {"email": expected}


class Broken(io.RawIOBase):
    """The stream of a client that leaves."""

    def read(self, size: int = -1) -> bytes:
        raise OSError("connection reset")


def post_stream(stream: io.IOBase, **environ: object) -> TestResponse:
    """Post without the length that the test client would add."""
    builder = EnvironBuilder("/api/v1/messages/1", method="POST", headers=HEADERS, content_type=URLENCODED)
    whole = {**builder.get_environ(), "wsgi.input": stream, **environ}
    app_iter, status, headers = run_wsgi_app(application(), whole)
    return TestResponse(app_iter, status, headers, builder.get_request())


CHUNKED = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}


def test_a_chunked_body_has_no_length_but_the_same_limit() -> None:
    assert success(post_stream(io.BytesIO(b"num_before=3"), **CHUNKED))["sent"]["num_before"] == 3
    assert success(post_stream(io.BytesIO(b""), **CHUNKED))["sent"]["num_before"] == 0
    refusal(post_stream(io.BytesIO(b"a" * (MAX_BODY + 1)), **CHUNKED), 413)


def test_a_body_without_a_length_is_not_read_where_it_might_have_no_end() -> None:
    environ = {**CHUNKED, "wsgi.input_terminated": False}
    assert success(post_stream(Broken(), **environ))["sent"]["num_before"] == 0


def test_a_body_that_ends_early_is_refused() -> None:
    refusal(post_stream(io.BytesIO(b"num_before=3"), CONTENT_LENGTH="13"))
    refusal(post_stream(Broken(), CONTENT_LENGTH="3"))
    refusal(post_stream(Broken(), **CHUNKED))


# Authentication


@pytest.mark.shows("message.client")
@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("Terminal/0.8 (Linux; 6.1)", "Terminal"),
        ("ChatPython/0.9", "ChatPython"),
        ("curl", "curl"),
        ("", "Unspecified"),
        ("/1.0", "Unspecified"),
        ("x" * 200 + "/1", "x" * 30),
        ("Bad\x1b]0;\x07Name/1", "Bad]0;Name"),
        ("Bot  ada@example.org  role_changed", "Bot ada@example.org role_chang"),
    ],
)
def test_the_client_is_the_product_of_its_user_agent(client: Client, user_agent: str, name: str) -> None:
    environ = {"HTTP_USER_AGENT": user_agent}
    response = client.get("/api/v1/users/me", headers=HEADERS, environ_overrides=environ)
    assert success(response)["client"] == name


@pytest.mark.shows("authentication.wrong")
@pytest.mark.parametrize(
    "header",
    [
        "Basic",
        "Basic ",
        "Basic !!!",
        "Basic YWRh",
        "basic " + "A" * 2_000_000,
        basic(b"ada@example.org"),
        basic(b"ada@example.org:" + KEY.encode() + b":"),
        basic(b"\xff\xfe:" + KEY.encode()),
        basic(b"ada@example.org\0:" + KEY.encode()),
        basic(b"ada@example.org:"),
        basic(b":" + KEY.encode()),
        basic(b"bob@example.org:" + KEY.encode()),
        basic(b"ada@example.org:" + b"x" * 32),
    ],
)
def test_sec_40_wrong_credentials_get_one_answer(client: Client, header: str) -> None:
    response = client.get("/api/v1/users/me", headers={"Authorization": header})
    answer = refusal(response, 401, "UNAUTHORIZED")
    assert answer["msg"] == "Invalid API key"
    assert response.headers["WWW-Authenticate"].startswith("Basic realm=")


def test_credentials_are_asked_for(client: Client) -> None:
    response = client.get("/api/v1/users/me")
    refusal(response, 401, "UNAUTHORIZED")
    assert response.headers["WWW-Authenticate"].startswith("Basic realm=")


def test_a_scheme_other_than_basic_is_a_mistake(client: Client) -> None:
    refusal(client.get("/api/v1/users/me", headers={"Authorization": "Bearer sesame"}))
    refusal(client.get("/api/v1/users/me", headers={"Authorization": ""}))


def test_requests_of_a_deactivated_account_say_so(client: Client) -> None:
    response = client.get("/api/v1/users/me", headers={"Authorization": basic(b"gone@example.org:x")})
    refusal(response, 401, "USER_DEACTIVATED")


def test_optional_credentials_must_be_right_when_there_are_any(client: Client) -> None:
    assert success(client.post("/api/v1/register"))["user_id"] is None
    assert success(client.post("/api/v1/register", headers=HEADERS))["user_id"] == 7
    refusal(client.post("/api/v1/register", headers={"Authorization": "Basic x"}), 401, "UNAUTHORIZED")


def test_an_endpoint_can_check_for_a_login() -> None:
    assert Caller(ADA).is_authenticated
    assert Caller(ADA).actor is ADA
    with pytest.raises(Unauthorized):
        _ = Caller(None).actor


def test_where_none_are_asked_for_wrong_credentials_do_no_harm(client: Client) -> None:
    success(client.get("/api/v1/server_settings", headers={"Authorization": "Basic x"}))


def test_credentials_count_outside_the_api_too(client: Client) -> None:
    refusal(client.get("/user_uploads/a.png"), 401, "UNAUTHORIZED")
    success(client.get("/user_uploads/a.png", headers=HEADERS))


def test_the_order_of_checks(client: Client) -> None:
    """Path and method, then who calls, then the parameters."""
    wrong: dict[str, Any] = {"headers": {"Authorization": "Basic x"}, "data": {"num_before": "x"}}
    refusal(client.open("/api/v1/messages/x", method="POST", **wrong), 404)
    refusal(client.open("/api/v1/users/me", method="POST", **wrong), 405)
    refusal(client.open("/api/v1/messages/1", method="POST", **wrong), 401, "UNAUTHORIZED")


def test_a_host_without_an_organization_is_not_found(client: Client) -> None:
    response = client.get("/api/v1/server_settings", headers={"Host": "Nowhere.Example.Org:9991"})
    refusal(response, 404, "NONEXISTENT_SUBDOMAIN")


# Paths and methods


@pytest.mark.shows("conventions.base-path", "version.prefix")
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/nothing",
        "/api/v1",
        "/api/v2/users/me",
        "/api//v1/users/me",
        "//api/v1/users/me",
        "/api/v1/users//me",
        "/api/v1/users/me//",
        "/api/v1/messages/../users/me",
        "/api/v1/messages;a=b",
        "/api/v1/" + "x" * 10_000,
        "/api/v1/messages/%00",
        "/api/v1/users/a%0Ab",
        "/api/v1/users/%E2%80%AE",
        *(
            f"/api/v1/messages/{text}"
            for text in ("1e3", "%201", "+1", "-1", "01", "1.0", "１", "0x1", "1" * 19)
        ),
    ],
)
def test_sec_80_an_unknown_path_is_not_found(client: Client, path: str) -> None:
    refusal(client.get(path, headers=HEADERS), 404)


def test_a_path_must_be_utf8(client: Client) -> None:
    refusal(client.get("/", headers=HEADERS, environ_overrides={"PATH_INFO": "/api/v1/users/\xff"}), 404)


@pytest.mark.parametrize("method", ["DELETE", "BREW", "get", "TRACE", "\x1b[31m"])
def test_a_method_that_the_path_does_not_have(client: Client, method: str) -> None:
    environ = {"REQUEST_METHOD": method}
    response = client.open("/api/v1/users/me", headers=HEADERS, environ_overrides=environ)
    answer = refusal(response, 405)
    assert answer["allowed_methods"] == ["GET", "HEAD", "OPTIONS"]
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def without_id(response: TestResponse) -> list[tuple[str, str]]:
    return [(name, value) for name, value in response.headers if name != "X-Request-Id"]


def test_head_is_get_without_the_body(client: Client) -> None:
    for path in ("/api/v1/users/me", "/health", "/nothing", "/api/v1/messages"):
        got = client.get(path, headers=HEADERS)
        head = client.head(path, headers=HEADERS)
        assert head.data == b""
        assert head.status_code == got.status_code
        assert without_id(head) == without_id(got)


def test_options_says_what_a_path_can_do_and_asks_for_nothing(client: Client) -> None:
    response = client.options("/api/v1/messages/1")
    assert (response.status_code, response.data) == (204, b"")
    assert response.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"
    assert client.options("/health").headers["Allow"] == "GET, HEAD, OPTIONS"
    refusal(client.options("/nothing"), 404)


def test_it_can_be_mounted_under_a_prefix(caplog: pytest.LogCaptureFixture) -> None:
    mounted = Client(DispatcherMiddleware(application(), {"/chat": application()}))
    success(mounted.get("/chat/api/v1//users/me", headers=HEADERS))
    assert "GET /chat/api/v1/users/me 200" in caplog.text


def test_a_host_may_be_an_address() -> None:
    asked: list[str] = []
    client = Client(Application(asked.append, ROUTES, authenticate=authenticate))
    for host in ("[::1]:9991", "127.0.0.1:9991", "Chat.Example.org"):
        refusal(client.get("/api/v1/users/me", headers={"Host": host}), 404, "NONEXISTENT_SUBDOMAIN")
    assert asked == ["[::1]", "127.0.0.1", "chat.example.org"]


# Answers


def test_every_answer_forbids_caching_and_guessing(client: Client) -> None:
    for path in ("/api/v1/users/me", "/nothing", "/health"):
        headers = client.get(path, headers=HEADERS).headers
        assert headers["Content-Type"] == "application/json"
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_failure_is_logged_once_and_not_shown(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    response = client.get("/api/v1/broken", headers=HEADERS)
    answer = refusal(response, 500, "INTERNAL_SERVER_ERROR")
    assert answer == {"result": "error", "msg": "Internal server error", "code": "INTERNAL_SERVER_ERROR"}
    failures = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in failures] == ["unexpected failure in GET /api/v1/broken"]
    assert failures[0].exc_info
    caplog.clear()


def test_a_rate_limit_says_when_to_come_back(client: Client) -> None:
    response = client.get("/api/v1/busy", headers=HEADERS)
    assert refusal(response, 429, "RATE_LIMIT_HIT")["retry-after"] == 1.25
    assert response.headers["Retry-After"] == "2"


def test_health_needs_neither_key_nor_host(client: Client) -> None:
    for path in ("/health", "/ready"):
        success(client.get(path, headers={"Host": "nowhere.example.org"}))
    refusal(client.post("/health"), 405)


def test_a_server_that_is_not_ready_says_no_more_than_that(caplog: pytest.LogCaptureFixture) -> None:
    def not_yet(host: str) -> NoReturn:
        raise RuntimeError("no such table: message")

    response = Client(application(ready=not_yet)).get("/ready")
    refusal(response, 503, "SERVER_NOT_READY")
    assert "table" not in response.text
    assert "no such table" in caplog.text
    caplog.clear()


# The other spelling of some names


def test_without_a_brand_there_are_neutral_names_only(client: Client) -> None:
    answer = success(client.get("/api/v1/server_settings"))
    assert answer.keys() == {"result", "msg", "service_version", "service_feature_level"}
    response = client.post(
        "/api/v1/messages", data={**HELLO, "reaction_type": "acme_extra_emoji"}, headers=HEADERS
    )
    refusal(response, 400, "BAD_REQUEST")


def test_with_a_brand_fields_have_both_names_and_requests_may_use_either() -> None:
    acme = Client(application(compat_brand="acme"))
    answer = success(acme.get("/api/v1/server_settings"))
    assert answer["acme_version"] == answer["service_version"] == "11.0"
    assert answer["acme_feature_level"] == answer["service_feature_level"] == 421
    assert "acme_merge_base" not in answer
    for word in ("acme", "service"):
        texts = {
            **HELLO,
            "reaction_type": f"{word}_extra_emoji",
            "event_types": f'["message", "{word}_version"]',
            {"acme": "pygments_language", "service": "highlighter_language"}[word]: "python",
        }
        answer = success(acme.post("/api/v1/messages", data=texts, headers=HEADERS))
        assert answer["sent"]["reaction_type"] == "acme_extra_emoji"
        assert answer["sent"]["event_types"] == ["message", "service_version"]
        assert answer["sent"]["highlighter_language"] == answer["sent"]["pygments_language"] == "python"
        assert "ignored_parameters_unsupported" not in answer


def test_nested_objects_and_values_have_their_other_spelling() -> None:
    playground = {"id": 1, "highlighter_language": 'py "thon" \\', "name": '"highlighter_language":"x"'}
    emoji = {"reaction_type": "service_extra_emoji", "text": '"reaction_type":"service_extra_emoji"'}
    answer = msgspec.json.encode({"playgrounds": [playground, playground], "emoji": emoji})
    sent = json.loads(brand.respell_nested(answer, "acme"))
    both = {**playground, "pygments_language": playground["highlighter_language"]}
    assert sent == {"playgrounds": [both, both], "emoji": {**emoji, "reaction_type": "acme_extra_emoji"}}
    assert brand.respell_nested(answer, "") == answer


# The access log


def test_the_access_log_has_one_line_without_secrets(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {**HEADERS, "User-Agent": "Terminal/1"}
    client.post("/api/v1/messages?api_key=sesame", data={**HELLO, "content": "psst"}, headers=headers)
    (record,) = [record for record in caplog.records if record.name == "chatcore.access"]
    assert record.getMessage() == "POST /api/v1/messages 200"
    lines = [formatter().format(record) for formatter in (logs.TextLines, logs.JsonLines)]
    assert re.fullmatch(r".* ms=[0-9.]+ user=7 client=Terminal address=- request=\w{16}", lines[0])
    for secret in ("sesame", "psst", KEY, HEADERS["Authorization"], "ada@"):
        assert secret not in caplog.text + "".join(lines)


def test_sec_81_the_access_log_escapes_what_could_forge_it(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    hostile = {
        "REQUEST_METHOD": "GE\x1b[2J\n",
        "PATH_INFO": '/a\r\nPOST /b 200\x1b]0;\x07" \u0085',
        "HTTP_USER_AGENT": "x\n\x1b[31m' client='y",
    }
    client.get("/", environ_overrides=hostile)
    client.get("/", environ_overrides={"PATH_INFO": "/" + "x" * 10_000})
    for record in caplog.records:
        assert record.getMessage().isprintable()
        assert len(record.getMessage()) < 500
        for formatter in (logs.TextLines(), logs.JsonLines()):
            line = formatter.format(record)
            assert line.isascii()
            assert line.isprintable()
