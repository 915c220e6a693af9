"""SCIM 2.0 (RFC 7644): the addresses at which a login service provisions people and groups.

The libraries of the extra `scim` load in `scim_resources`, which is imported once a request has the token.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

import msgspec

from chatcore.application.arguments import about
from chatcore.application.services import Services
from chatcore.application.sign_on import provisioning
from chatcore.domain.errors import NotFound
from chatcore.domain.sign_on.provisioning import MAX_COUNT, NoSuchResource, Unfit, id_in
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.endpoints.sign_on.arriving import url_of_organization
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.encoding import encode
from chatcore.http.pipeline.routing import MAX_BODY, MethodNotAllowed
from chatcore.http.response import Headers, Response
from chatcore.runtime.work import Work

if TYPE_CHECKING:
    from chatcore.http.endpoints.sign_on.scim_resources import Choice, ResourceKind

T = TypeVar("T")
Change: TypeAlias = Callable[[Any], Any]
"""A function of the old person or group to the new one."""

PATH: Final = "/scim/v2"
TYPE: Final = "application/scim+json"
ERROR: Final = "urn:ietf:params:scim:api:messages:2.0:Error"
DESCRIBING: Final = frozenset({"ServiceProviderConfig", "ResourceTypes", "Schemas"})
"""The ends of the addresses at which the service describes itself."""
_EQUALITY: Final = re.compile(r'\s*(?:urn:\S+:)?([A-Za-z]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*', re.IGNORECASE)


class KindParams(Params, kw_only=True, frozen=True, rename="camel"):
    kind: Annotated[Text, about("`Users` or `Groups`.")]
    attributes: Annotated[Text, about("Names of the attributes to return, separated by commas.")] = ""
    excluded_attributes: Annotated[Text, about("Names of attributes to leave out.")] = ""


class ListParams(KindParams, kw_only=True, frozen=True, rename="camel"):
    filter: Annotated[Text, about('One equality, such as `userName eq "zoe@example.com"`.')] = ""
    start_index: Annotated[int, about("The number of the first resource, from 1 on.")] = 1
    count: Annotated[int, about("Resources to return: 100 at most.")] = MAX_COUNT


class OneParams(KindParams, kw_only=True, frozen=True, rename="camel"):
    id: Annotated[Text, about("The id of the resource.")]


def find(svc: Services, caller: Caller, request: Incoming, p: ListParams) -> Response:
    """List people or groups, or find one by a filter; or get what the service says of itself."""
    svc = _admit(svc, request)
    from chatcore.http.endpoints.sign_on import scim_resources as scim

    base = _base(svc, caller)
    if p.kind == "ServiceProviderConfig":
        return _answer(scim.render(scim.service_config(base)))
    start, count = max(p.start_index, 1), min(max(p.count, 0), MAX_COUNT)
    if (described := scim.descriptions(base).get(p.kind)) is not None:
        return _answer(scim.render_list([scim.render(resource) for resource in described], len(described), 1))
    kind, choice = _resource_kind(p), _read_choice(p)
    total, page = kind.find(svc, **_read_filter(p.filter, kind.searched), start=start - 1, count=count)
    shown = _run_library(svc, lambda: [kind.show(item, base, choice) for item in page])
    return _answer(scim.render_list(shown, total, start))


def create(svc: Services, caller: Caller, request: Incoming, p: KindParams) -> Response:
    """Create the account of a person, or a group with its members."""
    svc = _admit(svc, request)
    kind, choice = _resource_kind(p), _read_choice(p)
    change = _read_change(svc, kind.read, request)
    created = kind.add(svc, change(kind.new))
    return _show(svc, caller, p, choice, created, status=201)


def get(svc: Services, caller: Caller, request: Incoming, p: OneParams) -> Response:
    """Get a person, or a group and its members; or one thing that the service says of itself."""
    svc = _admit(svc, request)
    from chatcore.http.endpoints.sign_on import scim_resources as scim

    for resource in scim.descriptions(_base(svc, caller)).get(p.kind, ()):
        if resource.id == p.id:
            return _answer(scim.render(resource))
    if p.kind in DESCRIBING:
        raise NoSuchResource
    return _show(svc, caller, p, _read_choice(p), _resource_kind(p).get(svc, _resource_id(p)))


def replace(svc: Services, caller: Caller, request: Incoming, p: OneParams) -> Response:
    """Change a person or group. What the request leaves out stays, but for the members of a group."""
    svc = _admit(svc, request)
    kind, choice, number = _resource_kind(p), _read_choice(p), _resource_id(p)
    change = _read_change(svc, kind.read, request)
    return _show(svc, caller, p, choice, kind.change(svc, number, change))


def patch(svc: Services, caller: Caller, request: Incoming, p: OneParams) -> Response:
    """Change a person or group by operations: all of them, or none."""
    svc = _admit(svc, request)
    kind, choice, number = _resource_kind(p), _read_choice(p), _resource_id(p)
    change = _read_change(svc, kind.patch, request)
    return _show(svc, caller, p, choice, kind.change(svc, number, change))


def deactivate(svc: Services, caller: Caller, request: Incoming, p: OneParams) -> Response:
    """Deactivate the account of a person, or a group. Nothing is lost."""
    svc = _admit(svc, request)
    _resource_kind(p).deactivate(svc, _resource_id(p))
    return Response(204, b"")


def refuse(refusal: Response) -> Response:
    """Return a refusal in SCIM's form (RFC 7644, 3.12)."""
    assert isinstance(refusal.body, bytes)
    given = msgspec.json.decode(refusal.body)
    content = {"schemas": [ERROR], "status": f"{refusal.status}", "detail": given["msg"]}
    usual = {400: "invalidValue", 409: "uniqueness"}.get(refusal.status)
    if scim_type := given.get("scimType", usual):
        content["scimType"] = scim_type
    headers = [(name, "Bearer" if name == "WWW-Authenticate" else value) for name, value in refusal.headers]
    return Response(refusal.status, encode(content), headers, TYPE)


def _admit(svc: Services, request: Incoming) -> Services:
    """Return the services for a request that has the token; others are refused before their body is read."""
    return provisioning.require_provisioner(svc, request.header("Authorization"))


def _resource_kind(p: KindParams) -> "ResourceKind":
    """Return the kind that the address names.

    :raises MethodNotAllowed: the service describes itself there, and nothing else can be done
    :raises NotFound: there is nothing at the address
    """
    from chatcore.http.endpoints.sign_on.scim_resources import KINDS

    if p.kind in DESCRIBING:
        raise MethodNotAllowed(("GET", "OPTIONS"))
    if (kind := KINDS.get(p.kind)) is None:
        raise NotFound("There is nothing at this address: people are at /Users, and groups at /Groups.")
    return kind


def _read_choice(p: KindParams) -> "Choice":
    """Return which attributes the answer shall have. It is called before anything changes, for it refuses.

    :raises Unfit: no names of attributes, or too many
    """
    from chatcore.http.endpoints.sign_on.scim_resources import read_choice

    return read_choice(p.attributes, p.excluded_attributes)


def _read_filter(text: str, searched: Mapping[str, str]) -> dict[str, str]:
    """Return a filter as the argument of `ResourceKind.find` that stands for it, by its name; a blank filter
    as none. *searched* maps SCIM's attributes to the names of arguments.

    :raises Unfit: the filter is not one equality of one of these attributes and a text
    """
    if not text.strip():
        return {}
    match = _EQUALITY.fullmatch(text)
    arguments = {attribute.lower(): name for attribute, name in searched.items()}
    if match is None or (name := arguments.get(match[1].lower())) is None:
        known = " or ".join(f'{attribute} eq "…"' for attribute in searched)
        raise Unfit(f"Use one equality: {known}.", "invalidFilter")
    try:
        return {name: msgspec.json.decode(match[2], type=str)}
    except ValueError:
        raise Unfit("The value in the filter is no text.", "invalidFilter") from None


def _read_json(request: Incoming) -> object:
    """Return the JSON of a request.

    :raises Unfit: there is none
    :raises BodyTooLarge: it has more than `MAX_BODY` bytes
    """
    try:
        return msgspec.json.decode(b"".join(request.pieces(MAX_BODY)))
    except (ValueError, RecursionError):
        raise Unfit("The body is no JSON.", "invalidSyntax") from None


def _read_change(svc: Services, read: Callable[[object], Change], request: Incoming) -> Change:
    """Return the change for which a request asks.

    :raises Unfit, BodyTooLarge: as `_read_json` does
    :raises Unfit: *read* understands no change in the content
    """
    content = _read_json(request)
    return _run_library(svc, lambda: read(content))


def _run_library(svc: Services, work: Callable[[], T]) -> T:
    """Do work of the library, which takes a while for many values, beside the loop that serves all others."""
    return svc.run_blocking(work, Work.TEXTS)


def _resource_id(p: OneParams) -> int:
    """:raises NoSuchResource: the address has no id"""
    if (number := id_in(p.id)) is None:
        raise NoSuchResource
    return number


def _base(svc: Services, caller: Caller) -> str:
    """Return the address of the service."""
    return url_of_organization(svc, caller) + PATH


def _show(
    svc: Services, caller: Caller, p: KindParams, choice: "Choice", found: Any, *, status: int = 200
) -> Response:
    """Return the answer that shows a person or group; with the status of one that was created, its address,
    too.
    """
    kind, base = _resource_kind(p), _base(svc, caller)
    shown = _run_library(svc, lambda: kind.show(found, base, choice))
    location = [("Location", f"{base}/{p.kind}/{found.id}")] if status == 201 else []
    return _answer(shown, status, location)


def _answer(content: object, status: int = 200, headers: Headers | None = None) -> Response:
    return Response(status, encode(content), headers or [], TYPE)
