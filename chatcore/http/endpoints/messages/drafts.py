"""Drafts."""

from typing import Annotated, Literal

import msgspec

from chatcore.application.arguments import Id, SeenContent, about
from chatcore.application.messages import drafts
from chatcore.application.services import Services
from chatcore.domain.messages.drafts import DraftContent, DraftType
from chatcore.events.payloads.drafts import DraftObject
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.encoding import encode_items
from chatcore.http.pipeline.routing import Answer, Done


class DraftParam(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A draft in a request; the server assigns its id."""

    type: Literal["", "stream", "private"]
    to: list[int]
    topic: Text
    content: Text
    timestamp: int | None = None


def _draft_content(sent: DraftParam) -> DraftContent:
    return DraftContent(
        type=DraftType(sent.type),
        to=sent.to,
        topic=sent.topic,
        content=sent.content,
        timestamp=sent.timestamp,
    )


class DraftsAnswer(Answer, frozen=True, kw_only=True):
    count: int
    drafts: list[DraftObject]


def list_drafts(svc: Services, caller: Caller, p: NoParams) -> DraftsAnswer:
    """List the caller's drafts."""
    listed = drafts.list_drafts(svc, caller.actor)
    return DraftsAnswer(count=len(listed), drafts=encode_items([*listed]))


class CreateParams(Params, frozen=True, kw_only=True):
    drafts: Annotated[tuple[DraftParam, ...], about("Drafts, each with type, to, topic and content.")] = ()


class NewDraftsAnswer(Answer, frozen=True, kw_only=True):
    ids: list[int]


def create(svc: Services, caller: Caller, p: CreateParams) -> NewDraftsAnswer:
    """Store drafts."""
    ids = drafts.create_drafts(svc, caller.actor, [_draft_content(sent) for sent in p.drafts])
    return NewDraftsAnswer(ids=list(ids))


class EditParams(Params, frozen=True, kw_only=True):
    draft_id: Annotated[Id, about("The draft's id.")]
    draft: Annotated[DraftParam, about("The new content of the draft.")]
    prev_content_sha256: SeenContent = None


def edit(svc: Services, caller: Caller, p: EditParams) -> Done:
    """Replace a draft."""
    drafts.edit_draft(
        svc, caller.actor, p.draft_id, _draft_content(p.draft), prev_content_sha256=p.prev_content_sha256
    )
    return Done()
