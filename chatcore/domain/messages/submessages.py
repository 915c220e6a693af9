"""Submessages: machine-readable additions to a message. `widgets` defines the widgets."""

import json

from chatcore.domain.characters import is_storable, is_text
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.widgets import (
    WIDGET,
    Widget,
    invalid_widget,
    require_act,
    require_widget,
    widget_in,
)

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
        raise too_long("Submessage", limits.max_message_length)
    data = _read_content(content)
    is_author = message.sender_id == user_id
    if not message.submessages and not is_author:
        raise BadRequest("You cannot attach a submessage to this message.")
    widget = _widget_of(message)
    if widget is not None:
        require_act(widget, data, is_author=is_author)
    elif msg_type == WIDGET or (isinstance(data, dict) and "widget_type" in data):
        new_widget = widget_in(data)
        if not is_author or new_widget is None:
            raise invalid_widget()
        require_widget(new_widget)
    lengths = [len(submessage.content) for submessage in message.submessages]
    if (
        len(lengths) >= limits.max_submessages_per_message
        or sum(lengths) + len(content) > limits.max_submessages_length
    ):
        raise BadRequest("This message has too many submessages.")
    own = [len(submessage.content) for submessage in message.submessages if submessage.sender_id == user_id]
    if (
        len(own) >= limits.max_submessages_of_account
        or sum(own) + len(content) > limits.max_submessages_length_of_account
    ):
        raise BadRequest("You have added too many submessages to this message.")


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
        return json.loads(content, parse_constant=_refuse_number)
    except (ValueError, RecursionError) as error:
        raise BadRequest("Invalid JSON for submessage") from error


def _refuse_number(name: str) -> object:
    """Refuse NaN and infinities: JSON does not have them, but Python's parser accepts them."""
    raise ValueError(name)
