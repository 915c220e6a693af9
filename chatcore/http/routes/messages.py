"""Messages."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.messages.deleting import delete_message
from chatcore.application.messages.drafts import delete_draft
from chatcore.application.messages.reactions import add_reaction, remove_reaction
from chatcore.application.messages.read_receipts import read_receipts
from chatcore.application.messages.saved_snippets import (
    create_saved_snippet,
    delete_saved_snippet,
    edit_saved_snippet,
    list_saved_snippets,
)
from chatcore.application.messages.sending import preview
from chatcore.application.messages.submessages import add_submessage
from chatcore.application.messages.typing import announce_edit_typing
from chatcore.http.endpoints.messages import (
    drafts,
    editing,
    fetching,
    flags,
    marking,
    reports,
    sending,
    typing,
)
from chatcore.http.endpoints.messages.answers import (
    NewSnippetAnswer,
    ReceiptsAnswer,
    RenderAnswer,
    SnippetsAnswer,
)
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, Route

EMOJI: Final = {"name": "emoji_name", "code": "emoji_code"}
SNIPPET: Final = {"snippet_id": "saved_snippet_id"}

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/messages", fetching.FetchParams, fetching.fetch, auth=Auth.OPTIONAL),
    Route("POST", "/messages", sending.SendParams, sending.send, auth=Auth.SENDING),
    operation("POST", "/messages/render", preview, RenderAnswer),
    Route("GET", "/messages/{message_id:int}", fetching.GetParams, fetching.get, auth=Auth.OPTIONAL),
    Route("PATCH", "/messages/{message_id:int}", editing.UpdateParams, editing.update),
    operation("DELETE", "/messages/{message_id:int}", delete_message),
    Route("GET", "/messages/{message_id:int}/history", editing.HistoryParams, editing.history),
    Route("GET", "/messages/matches_narrow", fetching.MatchesParams, fetching.matches),
    operation("GET", "/messages/{message_id:int}/read_receipts", read_receipts, ReceiptsAnswer),
    operation("POST", "/messages/{message_id:int}/reactions", add_reaction, names=EMOJI),
    operation("DELETE", "/messages/{message_id:int}/reactions", remove_reaction, names=EMOJI),
    operation("POST", "/submessage", add_submessage),
    Route("POST", "/messages/flags", flags.FlagsParams, flags.update_flags),
    Route("POST", "/messages/flags/narrow", flags.FlagsInNarrowParams, flags.update_flags_in_narrow),
    Route("POST", "/mark_all_as_read", NoParams, marking.mark_all_as_read),
    Route("POST", "/mark_stream_as_read", marking.MarkChannelParams, marking.mark_channel_as_read),
    Route("POST", "/mark_topic_as_read", marking.MarkTopicParams, marking.mark_topic_as_read),
    Route("POST", "/typing", typing.TypingParams, typing.set_typing),
    operation("POST", "/messages/{message_id:int}/typing", announce_edit_typing),
    Route("POST", "/messages/{message_id:int}/report", reports.ReportParams, reports.report),
    Route("GET", "/drafts", NoParams, drafts.list_drafts),
    Route("POST", "/drafts", drafts.CreateParams, drafts.create),
    Route("PATCH", "/drafts/{draft_id:int}", drafts.EditParams, drafts.edit),
    operation("DELETE", "/drafts/{draft_id:int}", delete_draft),
    operation("GET", "/saved_snippets", list_saved_snippets, SnippetsAnswer),
    operation("POST", "/saved_snippets", create_saved_snippet, NewSnippetAnswer),
    operation("PATCH", "/saved_snippets/{saved_snippet_id:int}", edit_saved_snippet, names=SNIPPET),
    operation("DELETE", "/saved_snippets/{saved_snippet_id:int}", delete_saved_snippet, names=SNIPPET),
)
