"""Who has read a message, and which messages a narrow lets through."""

from typing import Annotated

import msgspec

from chatcore.application import fetching, read_receipts
from chatcore.application.services import Services
from chatcore.application.work import Work
from chatcore.domain.narrow.window import read_message_ids
from chatcore.http.auth import Caller
from chatcore.http.endpoints.highlighting import highlighter
from chatcore.http.endpoints.messages import NARROW
from chatcore.http.params import JsonOfAnyIntegers, Params, about
from chatcore.http.routing import Answer


class ReceiptsParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[int, about("The message's id.")]


class ReceiptsAnswer(Answer, frozen=True, kw_only=True):
    user_ids: list[int]


def receipts(svc: Services, caller: Caller, p: ReceiptsParams) -> ReceiptsAnswer:
    """List who has read a message, of those who let others know."""
    found = read_receipts.read_receipts(svc, caller.user, p.message_id)
    return ReceiptsAnswer(user_ids=[int(user_id) for user_id in found])


class MatchesParams(Params, kw_only=True, frozen=True):
    msg_ids: Annotated[list[int], about("Ids of messages.")]
    narrow: Annotated[JsonOfAnyIntegers, about("The narrow: a list of terms.", schema=NARROW)]


class MatchShape(msgspec.Struct, frozen=True, kw_only=True):
    match_content: str
    match_subject: str


class MatchesAnswer(Answer, frozen=True, kw_only=True):
    messages: dict[str, MatchShape]


def matches(svc: Services, caller: Caller, p: MatchesParams) -> MatchesAnswer:
    """Tell which of one's own messages a narrow lets through, with what was searched for marked."""
    message_ids = read_message_ids(p.msg_ids, {}, svc.limits)
    fetched = fetching.fetch_received(svc, caller.user, p.narrow, message_ids)
    return svc.run_blocking(lambda: MatchesAnswer(messages=_marked(fetched)), Work.TEXTS)


def _marked(fetched: fetching.Fetched) -> dict[str, MatchShape]:
    mark = highlighter(fetched.narrow.search)
    found = {}
    for message in (reading.message for reading in fetched.readings):
        topic = message.topic
        if message.conversation is None:
            topic = topic or fetched.empty_topic_name
        content, subject = mark(message.rendered_content, topic)
        found[str(message.id)] = MatchShape(match_content=content, match_subject=subject)
    return found
