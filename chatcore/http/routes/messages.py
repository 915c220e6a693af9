"""Messages."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.messages.saved_snippets import (
    create_saved_snippet,
    delete_saved_snippet,
    edit_saved_snippet,
    list_saved_snippets,
)
from chatcore.http.auth import Auth
from chatcore.http.endpoints.messages import (
    drafts,
    editing,
    fetching,
    flags,
    marking,
    reactions,
    read_receipts,
    reports,
    sending,
    submessages,
    typing,
)
from chatcore.http.endpoints.messages.answers import NewSnippetAnswer, SnippetsAnswer
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import AnyRoute, Route

SNIPPET: Final = {"snippet_id": "saved_snippet_id"}

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/messages", fetching.FetchParams, fetching.fetch, auth=Auth.OPTIONAL),
    Route("POST", "/messages", sending.SendParams, sending.send, auth=Auth.SENDING),
    Route("POST", "/messages/render", sending.RenderParams, sending.render),
    Route("GET", "/messages/{message_id:int}", fetching.GetParams, fetching.get, auth=Auth.OPTIONAL),
    Route("PATCH", "/messages/{message_id:int}", editing.UpdateParams, editing.update),
    Route("DELETE", "/messages/{message_id:int}", editing.DeleteParams, editing.delete),
    Route("GET", "/messages/{message_id:int}/history", editing.HistoryParams, editing.history),
    Route("GET", "/messages/matches_narrow", fetching.MatchesParams, fetching.matches),
    Route(
        "GET",
        "/messages/{message_id:int}/read_receipts",
        read_receipts.ReceiptsParams,
        read_receipts.receipts,
    ),
    Route("POST", "/messages/{message_id:int}/reactions", reactions.AddParams, reactions.add),
    Route("DELETE", "/messages/{message_id:int}/reactions", reactions.RemoveParams, reactions.remove),
    Route("POST", "/submessage", submessages.AddParams, submessages.add),
    Route("POST", "/messages/flags", flags.FlagsParams, flags.update_flags),
    Route("POST", "/messages/flags/narrow", flags.FlagsInNarrowParams, flags.update_flags_in_narrow),
    Route("POST", "/mark_all_as_read", NoParams, marking.mark_all_as_read),
    Route("POST", "/mark_stream_as_read", marking.MarkChannelParams, marking.mark_channel_as_read),
    Route("POST", "/mark_topic_as_read", marking.MarkTopicParams, marking.mark_topic_as_read),
    Route("POST", "/typing", typing.TypingParams, typing.set_typing),
    Route("POST", "/messages/{message_id:int}/typing", typing.EditTypingParams, typing.set_edit_typing),
    Route("POST", "/messages/{message_id:int}/report", reports.ReportParams, reports.report),
    Route("GET", "/drafts", NoParams, drafts.list_drafts),
    Route("POST", "/drafts", drafts.CreateParams, drafts.create),
    Route("PATCH", "/drafts/{draft_id:int}", drafts.EditParams, drafts.edit),
    Route("DELETE", "/drafts/{draft_id:int}", drafts.DeleteParams, drafts.delete),
    operation("GET", "/saved_snippets", list_saved_snippets, SnippetsAnswer),
    operation("POST", "/saved_snippets", create_saved_snippet, NewSnippetAnswer),
    operation("PATCH", "/saved_snippets/{saved_snippet_id:int}", edit_saved_snippet, names=SNIPPET),
    operation("DELETE", "/saved_snippets/{saved_snippet_id:int}", delete_saved_snippet, names=SNIPPET),
)
