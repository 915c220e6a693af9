"""Answers of the services of outgoing webhooks."""

import json
from dataclasses import dataclass
from typing import Any

from chatcore.domain.bots.settings import Interface
from chatcore.domain.messages.widgets import Widget


class BadAnswer(Exception):
    """An answer that cannot become a message; the message says why."""


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """The answer of a bot to a message."""

    content: str
    widget: Widget | None = None


def read_answer(body: bytes, interface: Interface) -> BotAnswer | None:
    """Return the message that a service wants to send; None for none.

    :raises BadAnswer: not the JSON that the interface expects
    """
    try:
        answer: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadAnswer("The answer of the service is not JSON.") from error
    if answer in ("", None):
        return None
    if not isinstance(answer, dict):
        raise BadAnswer("The answer of the service is not an object.")
    if interface == Interface.TEXT:
        content: object = answer.get("text")
    elif answer.get("response_not_required") is True:
        return None
    else:
        content = answer.get("content", answer.get("response_string"))
    if content is None:
        return None
    if not isinstance(content, str):
        raise BadAnswer("The content in the answer of the service is not a text.")
    return BotAnswer(content, _read_widget(answer.get("widget_content"))) if content.strip() else None


def _read_widget(given: Any) -> Widget | None:
    if given is None:
        return None
    try:
        data = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        data = None
    if (
        not isinstance(data, dict)
        or not isinstance(data.get("widget_type"), str)
        or not isinstance(data.get("extra_data", {}), dict)
    ):
        raise BadAnswer("The widget_content in the answer of the service is not a widget.")
    return Widget(data["widget_type"], data.get("extra_data", {}))
