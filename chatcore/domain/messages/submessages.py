"""Submessages: machine-readable additions to a message. `widgets` defines the widgets."""

import json

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Message, is_storable, is_text
from chatcore.domain.messages.widgets import WIDGET, Widget, require_act, require_widget, widget_in

MAX_MSG_TYPE_LENGTH = 100


def require_may_add(message: Message, user_id: UserId, msg_type: str, content: str, limits: Limits) -> None:
    """Refuse an invalid submessage from a user who may read the message.

    Only the sender may add the first submessage, which opens the message to submessages from others.
    A widget, and the acts on it, have to be such as clients can display, whatever the `msg_type`.

    :raises BadRequest: no submessages may be added to this message, invalid JSON, a widget or an act that
        clients cannot display, or too long or too many submessages (in total or for this account)
    """
    if not 0 < len(msg_type) <= MAX_MSG_TYPE_LENGTH or not is_storable(msg_type):
        raise BadRequest("Invalid msg_type")
    if len(content) > limits.max_message_length:
        raise BadRequest(f"Submessage is too long (limit: {limits.max_message_length} characters)")
    data = _read_content(content)
    is_author = message.sender_id == user_id
    if not message.submessages and not is_author:
        raise BadRequest("You cannot attach a submessage to this message.")
    if (widget := _widget_of(message)) is not None:
        require_act(widget, data, is_author=is_author)
    elif msg_type == WIDGET or (isinstance(data, dict) and "widget_type" in data):
        if not is_author or (widget := widget_in(data)) is None:
            raise BadRequest("Invalid widget")
        require_widget(widget)
    own = [submessage for submessage in message.submessages if submessage.sender_id == user_id]
    for there, most, longest, refusal in (
        (
            message.submessages,
            limits.max_submessages_per_message,
            limits.max_submessages_length,
            "This message has too many submessages.",
        ),
        (
            own,
            limits.max_submessages_of_account,
            limits.max_submessages_length_of_account,
            "You have added too many submessages to this message.",
        ),
    ):
        if (
            len(there) >= most
            or sum(len(submessage.content) for submessage in there) + len(content) > longest
        ):
            raise BadRequest(refusal)


def _widget_of(message: Message) -> Widget | None:
    """Return the widget of a message: the first of its submessages that is one."""
    widgets = (widget_in(_read_content(submessage.content)) for submessage in message.submessages)
    return next((widget for widget in widgets if widget is not None), None)


def _read_content(content: str) -> object:
    """Parse the content of a submessage.

    :raises BadRequest: not valid JSON or not valid Unicode
    """
    try:
        if not is_text(content):
            raise ValueError("not valid Unicode")
        return json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadRequest("Invalid JSON for submessage") from error


def _no_number(name: str) -> object:
    """Reject NaN and infinities: JSON does not have them, but Python's parser accepts them."""
    raise ValueError(name)
