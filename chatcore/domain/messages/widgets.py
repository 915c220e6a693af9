"""Widgets: messages that clients display as a poll, a task list, or a form of their own.

The first submessage of a message holds the widget's initial data; each later one holds one act of a user. The
tables below define the valid data and acts, in the form in which clients write and read them.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chatcore.domain.characters import is_text
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.limits import Limits

WIDGET = "widget"
"""The `msg_type` of a submessage that turns its message into a widget."""
MAX_WIDGET_TYPE_LENGTH = 100
MAX_INDEX = 1000
"""Maximum index of an added option or task, among those added by the same user."""


@dataclass(frozen=True, slots=True)
class Widget:
    """A poll, a task list, or a widget that only clients understand."""

    widget_type: str
    extra_data: Mapping[str, object]
    """The initial data, as JSON has it."""


# -- valid data and acts ---------------------------------------------------------------------------

Check = Callable[[object], bool]
Fields = Mapping[str, Check]


@dataclass(frozen=True, slots=True)
class Act:
    """An act on a widget; it consists of all these fields and `type`."""

    fields: Fields
    by_author: bool = False
    """Whether only the author of the message may perform it."""


@dataclass(frozen=True, slots=True)
class WidgetKind:
    """A kind of widget: its initial data, its form as text, and the possible acts."""

    data: Fields
    from_lines: Callable[[str, Sequence[str]], Mapping[str, object]]
    """Returns the data for the text after the command and the items in the lines below."""
    acts: Mapping[str, Act]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and is_text(value)


def _is_index(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_INDEX


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_vote(value: object) -> bool:
    """Whether the value is a vote for an option (1) or its withdrawal (-1)."""
    return type(value) is int and value in (1, -1)


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _object_of(fields: Fields) -> Check:
    return lambda value: isinstance(value, dict) and _first_wrong_field(value, fields) is None


def _first_wrong_field(value: Mapping[str, object], fields: Fields) -> str | None:
    """Return the first field that is missing, invalid or unknown; None if the value has all *fields*."""
    for name, check in fields.items():
        if name not in value or not check(value[name]):
            return name
    return next((name for name in value if name not in fields), None)


def _poll_data(question: str, items: Sequence[str]) -> Mapping[str, object]:
    return {"question": question, "options": list(items)}


def _task_list_data(title: str, items: Sequence[str]) -> Mapping[str, object]:
    """Return the data of a task list; each item is a task, or a task and its description after a colon."""
    parts = [item.partition(": ") for item in items]
    tasks = [{"task": task.strip(), "desc": description.strip()} for task, _, description in parts]
    return {"task_list_title": title, "tasks": tasks}


KINDS: Mapping[str, WidgetKind] = {
    "poll": WidgetKind(
        data={"question": _is_text, "options": _list_of(_is_text)},
        from_lines=_poll_data,
        acts={
            "vote": Act({"key": _is_text, "vote": _is_vote}),
            "new_option": Act({"option": _is_text, "idx": _is_index}),
            "question": Act({"question": _is_text}, by_author=True),
        },
    ),
    "todo": WidgetKind(
        data={
            "task_list_title": _is_text,
            "tasks": _list_of(_object_of({"task": _is_text, "desc": _is_text})),
        },
        from_lines=_task_list_data,
        acts={
            "new_task": Act(
                {"key": _is_index, "task": _is_text, "desc": _is_text, "completed": _is_bool},
            ),
            "strike": Act({"key": _is_text}),
            "new_task_list_title": Act({"title": _is_text}, by_author=True),
        },
    ),
}
"""Known kinds. Data and acts of other kinds are objects; the rest of them only clients understand."""


# -- creation --------------------------------------------------------------------------------------

_COMMAND = re.compile(rf"/({'|'.join(KINDS)})(?!\S)")
_BULLET = re.compile(r"[-*]?\s*")


def widget_to_send(content: str, given: Widget | None, limits: Limits) -> str | None:
    """Return the first submessage if the message is to be a widget: *given*, or a command in the text.

    :raises BadRequest: *given* is invalid for its kind, or too long
    """
    if given is None:
        widget = _widget_of_text(content)
        return None if widget is None else _write_widget(widget)
    require_widget(given)
    written = _write_widget(given)
    if len(written) > limits.max_message_length:
        raise too_long("Widget", limits.max_message_length)
    return written


def require_widget(widget: Widget) -> None:
    """Check that clients can display a widget.

    :raises BadRequest: invalid type or data
    """
    if not 0 < len(widget.widget_type) <= MAX_WIDGET_TYPE_LENGTH or not is_text(widget.widget_type):
        raise BadRequest("Invalid widget type")
    if not isinstance(widget.extra_data, Mapping):
        raise invalid_widget()
    kind = KINDS.get(widget.widget_type)
    wrong = None if kind is None else _first_wrong_field(widget.extra_data, kind.data)
    if wrong is not None:
        raise BadRequest(f"Invalid {widget.widget_type}: bad or missing '{wrong}'"[:200])


def invalid_widget() -> BadRequest:
    """Return the error for data that are no widget, or that JSON cannot represent."""
    return BadRequest("Invalid widget")


def _widget_of_text(content: str) -> Widget | None:
    """Parse `/poll` or `/todo` with a title, and an item in each line below, with or without a bullet."""
    command = _COMMAND.match(content)
    if command is None:
        return None
    title, *lines = content[command.end() :].splitlines() or [""]
    items = filter(None, (_BULLET.sub("", line.strip(), count=1) for line in lines))
    return Widget(command[1], KINDS[command[1]].from_lines(title.strip(), list(items)))


def _write_widget(widget: Widget) -> str:
    """Return a widget as JSON.

    :raises BadRequest: it cannot be represented in JSON
    """
    fields = {"widget_type": widget.widget_type, "extra_data": widget.extra_data}
    try:
        written = json.dumps(fields, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise invalid_widget() from error
    if not is_text(written):
        raise BadRequest("Widget must be valid Unicode")
    return written


# -- acts ------------------------------------------------------------------------------------------


def widget_in(data: object) -> Widget | None:
    """Return the widget in the parsed JSON of a submessage, or None if it has none."""
    match data:
        case {"widget_type": str() as widget_type, "extra_data": dict() as extra_data}:
            return Widget(widget_type, extra_data)
        case _:
            return None


def require_act(widget: Widget, data: object, *, is_author: bool) -> None:
    """Refuse an act that such a widget does not support, or that is reserved for its author.

    :raises BadRequest: unknown or invalid act, or not the author
    """
    if not isinstance(data, dict):
        raise BadRequest(f"Invalid act in a {widget.widget_type}: not an object"[:200])
    kind = KINDS.get(widget.widget_type)
    if kind is None:
        return
    name = data.get("type")
    act = kind.acts.get(name) if isinstance(name, str) else None
    if act is None:
        raise BadRequest(f"Unknown type of act in a {widget.widget_type}")
    if act.by_author and not is_author:
        raise BadRequest(f"Only the author of a {widget.widget_type} can do that.")
    wrong = _first_wrong_field(data, {"type": _is_text, **act.fields})
    if wrong is not None:
        raise BadRequest(f"Invalid act '{name}': bad or missing '{wrong}'"[:200])
