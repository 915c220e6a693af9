"""A toy application over the real transport: its endpoints echo their parameters."""

from base64 import b64encode
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
from werkzeug.test import TestResponse

from chatcore.application.arguments import Id
from chatcore.domain.errors import NotFound, RateLimited, Unauthorized, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.audit import Origin
from chatcore.domain.roles import Role
from chatcore.http.app import Application
from chatcore.http.parameters.declaring import Count, Json, NoParams, Params, Text, also
from chatcore.http.pipeline.auth import Auth, Caller
from chatcore.http.pipeline.routing import Answer, AnyRoute, Done, Route
from chatcore.runtime.measures import Measures
from chatcore.runtime.rate_limits import RateLimits
from chatcore.settings import Settings

KEY = "k" * 32
ADA = Actor(UserId(7), Role.MEMBER, frozenset())
PEOPLE = {"ada@example.org": ADA}


def basic(text: bytes) -> str:
    return "Basic " + b64encode(text).decode()


HEADERS = {"Authorization": basic(f"ada@example.org:{KEY}".encode())}
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=cut"
HELLO = {"type": "channel", "to": "lunch", "content": "hello"}


class SendParams(Params, frozen=True, kw_only=True):
    type: Literal["direct", "channel"]
    to: int | str | list[int | str]
    content: Text
    topic: Annotated[Text | None, also("subject")] = None
    read_by_sender: bool | None = None
    reaction_type: Literal["unicode_emoji", "service_extra_emoji"] = "unicode_emoji"
    event_types: list[str] | None = None
    highlighter_language: Text | None = None


class Received(Answer, frozen=True):
    sent: dict[str, Any]
    client: str
    user_id: int | None


def send(svc: Any, caller: Caller, p: SendParams) -> Received:
    """Send a message."""
    return Received(msgspec.structs.asdict(p), caller.client, caller.actor.user_id)


class OneParams(Params, frozen=True, kw_only=True):
    message_id: Id
    num_before: Count = 0
    narrow: Json = ()
    flags: list[Text] | None = None


def one(svc: Any, caller: Caller, p: OneParams) -> Received:
    """Answer with what was sent."""
    return Received(
        msgspec.structs.asdict(p),
        caller.client,
        caller.actor_or_none.user_id if caller.actor_or_none else None,
    )


def receives_with(method: str) -> Callable[[Any, Caller, OneParams], Received]:
    def handler(svc: Any, caller: Caller, p: OneParams) -> Received:
        """Answer with the method that was meant."""
        return Received({**msgspec.structs.asdict(p), "method": method}, caller.client, None)

    return handler


class PersonParams(Params, frozen=True):
    email: Text


def person(svc: Any, caller: Caller, p: PersonParams) -> Received:
    """Answer with the address."""
    return Received({"email": p.email}, caller.client, None)


def me(svc: Any, caller: Caller, p: NoParams) -> Received:
    """Answer with the caller."""
    return Received({}, caller.client, caller.actor_or_none.user_id if caller.actor_or_none else None)


class Versions(Answer, frozen=True):
    service_version: str
    service_feature_level: int
    service_merge_base: str | msgspec.UnsetType = msgspec.UNSET


def server_settings(svc: Any, caller: Caller, p: NoParams) -> Versions:
    """Say which version this is."""
    return Versions("11.0", 421)


def broken(svc: Any, caller: Caller, p: NoParams) -> Done:
    """Fail."""
    raise RuntimeError("the cable is out, key=sesame")


def busy(svc: Any, caller: Caller, p: NoParams) -> Done:
    """Have too much to do."""
    raise RateLimited(retry_after=1.25, limit="toys")


def absent(svc: Any, caller: Caller, p: NoParams) -> Done:
    """Find nothing."""
    raise NotFound("No such draft", draft=3)


ROUTES: list[AnyRoute] = [
    Route("POST", "/messages", SendParams, send),
    *(
        Route(method, "/messages/{message_id:int}", OneParams, one)
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
    ),
    *(
        Route(method, "/things/{message_id:int}", OneParams, receives_with(method))
        for method in ("POST", "PUT", "PATCH", "DELETE")
    ),
    Route("PATCH", "/things/{message_id:int}/patch", OneParams, receives_with("PATCH")),
    Route("GET", "/users/me", NoParams, me),
    Route("GET", "/users/{email}", PersonParams, person),
    Route("GET", "/server_settings", NoParams, server_settings, auth=Auth.NONE),
    Route("POST", "/register", NoParams, me, auth=Auth.OPTIONAL),
    Route("GET", "/broken", NoParams, broken),
    Route("GET", "/busy", NoParams, busy),
    Route("GET", "/absent", NoParams, absent),
    Route("GET", "/user_uploads/{email}", PersonParams, person, prefix=""),
]


def authenticate(svc: object, email: str, api_key: str) -> Actor:
    if email == "gone@example.org":
        raise UserDeactivated
    if email not in PEOPLE or api_key != KEY:
        raise Unauthorized
    return PEOPLE[email]


@dataclass
class ToyServices:
    """What the adapter itself uses of an organization's services."""

    settings: Settings = field(default_factory=Settings)
    rate_limits: RateLimits = field(default_factory=lambda: RateLimits(lambda: 0.0, is_on=False))
    storage: Any = field(default_factory=lambda: SimpleNamespace(assuming=nullcontext, confirm=lambda: None))
    origin: Origin = field(default_factory=Origin)
    measures: Measures = field(default_factory=Measures)

    def asked_by(self, origin: Origin) -> "ToyServices":
        return replace(self, origin=origin)

    def clock(self) -> float:
        return 0.0

    monotonic = clock


def application(compat_brand: str = "", ready: Callable[[str], object] = lambda host: None) -> Application:
    site: Any = ToyServices()
    return Application(
        lambda host: None if host == "nowhere.example.org" else site,
        ROUTES,
        authenticate=authenticate,
        ready=ready,
        compat_brand=compat_brand,
    )


def success(response: TestResponse) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    assert answer["result"] == "success"
    assert answer["msg"] == ""
    return answer


def refusal(response: TestResponse, status: int = 400, code: str = "BAD_REQUEST") -> dict[str, Any]:
    answer: dict[str, Any] = response.get_json()
    assert (response.status_code, answer["result"], answer["code"]) == (status, "error", code), answer
    assert answer["msg"]
    return answer


def multipart(*parts: tuple[str, bytes], head: str = "", end: bytes = b"--cut--\r\n") -> bytes:
    return (
        b"".join(
            f'--cut\r\nContent-Disposition: form-data; name="{name}"{head}\r\n\r\n'.encode()
            + content
            + b"\r\n"
            for name, content in parts
        )
        + end
    )
