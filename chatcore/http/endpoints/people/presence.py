"""Endpoints for presences."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.people import presence
from chatcore.application.services import Services
from chatcore.application.visibility.presences import WantedPresences
from chatcore.domain.people.presence import HISTORY_DAYS, NO_UPDATE
from chatcore.http.parameters.declaring import Count, NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer

UpdateId: TypeAlias = Annotated[int, msgspec.Meta(ge=NO_UPDATE)]


class UpdateParams(Params, kw_only=True, frozen=True):
    status: Annotated[Literal["active", "idle"], about("Whether the client is in use.")]
    ping_only: Annotated[bool, about("Omit the presences of others.")] = False
    new_user_input: Annotated[bool, about("Accepted from older clients and ignored.")] = False
    slim_presence: Annotated[bool, about("Return presences by user id, in the newer form.")] = False
    last_update_id: Annotated[
        UpdateId | None,
        about("The number from an earlier answer: return only later changes, in the newer form; -1 for all."),
    ] = None
    history_limit_days: Annotated[
        Count, about("Omit users who were last online more than this number of days ago.")
    ] = HISTORY_DAYS


class PresenceAnswer(Answer, frozen=True, kw_only=True):
    presences: Mapping[str, Any] | UnsetType = UNSET
    server_timestamp: float | UnsetType = UNSET
    presence_last_update_id: int | UnsetType = UNSET


def update(svc: Services, caller: Caller, p: UpdateParams) -> PresenceAnswer:
    """Report the caller's presence, and get the presences of others."""
    presence.report_activity(svc, caller.actor, is_active=p.status == "active")
    if p.ping_only:
        return PresenceAnswer()
    wanted = WantedPresences(
        slim=p.slim_presence or p.last_update_id is not None,
        history_days=p.history_limit_days,
        after=NO_UPDATE if p.last_update_id is None else p.last_update_id,
    )
    seen = presence.presences(svc, caller.actor, wanted)
    return PresenceAnswer(
        presences=seen.presences,
        server_timestamp=seen.server_timestamp,
        presence_last_update_id=seen.presence_last_update_id,
    )


class OneParams(Params, kw_only=True, frozen=True):
    user_id_or_email: Annotated[Text, about("The user's id or address.")]


class OneAnswer(Answer, frozen=True, kw_only=True):
    presence: Mapping[str, Any]


def of_one(svc: Services, caller: Caller, p: OneParams) -> OneAnswer:
    """Get the presence of a user: when the user was last active."""
    return OneAnswer(presence=presence.presence_of(svc, caller.actor, id_or_email(p.user_id_or_email)))


def id_or_email(text: str) -> int | str:
    """Return the id or address that a piece of a path denotes."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else text


class AllAnswer(Answer, frozen=True, kw_only=True):
    presences: Mapping[str, Any]
    server_timestamp: float


def of_all(svc: Services, caller: Caller, p: NoParams) -> AllAnswer:
    """Get the presences of all users."""
    seen = presence.presences(svc, caller.actor, WantedPresences())
    return AllAnswer(presences=seen.presences, server_timestamp=seen.server_timestamp)
