"""Widgets: messages that clients show as a poll, a list of tasks, or some form of their own.

What a widget begins with stands in the message's first submessage; what people do with it, each act in one
more. The tables below say what these may be, in the form in which clients write and read them.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.messages import is_text

WIDGET = "widget"
"""The `msg_type` of a submessage that makes a widget of its message."""
MAX_WIDGET_TYPE_LENGTH = 100
MAX_INDEX = 1000
"""Of an option or task that somebody adds, among those that the same person has added."""


@dataclass(frozen=True, slots=True)
class Widget:
    """What a message is beside its text: a poll, a list of tasks, or what only clients know."""

    widget_type: str
    extra_data: Mapping[str, object]
    """What it begins with, as JSON has it."""


# -- what may be in one -----------------------------------------------------------------------------

Check = Callable[[object], bool]
Fields = Mapping[str, Check]


@dataclass(frozen=True, slots=True)
class Act:
    """Something that people can do with a widget; they send these fields, all of them, and `type`."""

    fields: Fields
    by_author: bool = False
    """Only the author of the message can."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of widget: what it begins with, how that is written as a text, and what can be done with it."""

    data: Fields
    from_lines: Callable[[str, Sequence[str]], Mapping[str, object]]
    """From the rest of the first line, and the items in those below."""
    acts: Mapping[str, Act]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and is_text(value)


def _is_index(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_INDEX


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_vote(value: object) -> bool:
    """For an option, or taken back."""
    return type(value) is int and value in (1, -1)


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _object_of(fields: Fields) -> Check:
    return lambda value: isinstance(value, dict) and _wrong(value, fields) is None


def _wrong(value: Mapping[str, object], fields: Fields) -> str | None:
    """The first field that is missing, is not what it should be, or is not known."""
    for name, check in fields.items():
        if name not in value or not check(value[name]):
            return name
    return next((name for name in value if name not in fields), None)


def _poll(first: str, items: Sequence[str]) -> Mapping[str, object]:
    return {"question": first, "options": list(items)}


def _tasks(first: str, items: Sequence[str]) -> Mapping[str, object]:
    parts = [item.partition(": ") for item in items]
    tasks = [{"task": task.strip(), "desc": description.strip()} for task, _, description in parts]
    return {"task_list_title": first, "tasks": tasks}


KINDS: Mapping[str, Kind] = {
    "poll": Kind(
        data={"question": _is_text, "options": _list_of(_is_text)},
        from_lines=_poll,
        acts={
            "vote": Act({"key": _is_text, "vote": _is_vote}),
            "new_option": Act({"option": _is_text, "idx": _is_index}),
            "question": Act({"question": _is_text}, by_author=True),
        },
    ),
    "todo": Kind(
        data={
            "task_list_title": _is_text,
            "tasks": _list_of(_object_of({"task": _is_text, "desc": _is_text})),
        },
        from_lines=_tasks,
        acts={
            "new_task": Act(
                {"key": _is_index, "task": _is_text, "desc": _is_text, "completed": _is_bool},
            ),
            "strike": Act({"key": _is_text}),
            "new_task_list_title": Act({"title": _is_text}, by_author=True),
        },
    ),
}
"""Of other kinds only clients know what they are."""


# -- how one is made --------------------------------------------------------------------------------

_COMMAND = re.compile(rf"/({'|'.join(KINDS)})(?!\S)")
_BULLET = re.compile(r"[-*]?\s*")


def widget_to_send(content: str, given: Widget | None, limits: Limits) -> str | None:
    """The first submessage of a message with that text, if it is to be a widget: *given*, or by the text.

    :raises BadRequest: *given* is not what one of its kind has to be, or too long
    """
    if given is None:
        widget = _widget_of_text(content)
        return None if widget is None else _written(widget)
    require_widget(given)
    written = _written(given)
    if len(written) > limits.max_message_length:
        raise BadRequest(f"Widget is too long (limit: {limits.max_message_length} characters)")
    return written


def require_widget(widget: Widget) -> None:
    """:raises BadRequest: one that clients could not show"""
    if not 0 < len(widget.widget_type) <= MAX_WIDGET_TYPE_LENGTH or not is_text(widget.widget_type):
        raise BadRequest("Invalid widget type")
    if not isinstance(widget.extra_data, Mapping):
        raise BadRequest("Invalid widget")
    kind = KINDS.get(widget.widget_type)
    wrong = None if kind is None else _wrong(widget.extra_data, kind.data)
    if wrong is not None:
        raise BadRequest(f"Invalid {widget.widget_type}: bad or missing '{wrong}'"[:200])


def _widget_of_text(content: str) -> Widget | None:
    """`/poll` or `/todo` with a title behind it, and an item in each line below, with or without a bullet."""
    if (command := _COMMAND.match(content)) is None:
        return None
    first, *rest = content[command.end() :].splitlines() or [""]
    items = [item for line in rest if (item := _BULLET.sub("", line.strip(), count=1))]
    return Widget(command[1], KINDS[command[1]].from_lines(first.strip(), items))


def _written(widget: Widget) -> str:
    """:raises BadRequest: it is nothing that JSON can say"""
    fields = {"widget_type": widget.widget_type, "extra_data": widget.extra_data}
    try:
        written = json.dumps(fields, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise BadRequest("Invalid widget") from error
    if not is_text(written):
        raise BadRequest("Widget must be valid Unicode")
    return written


# -- what is done with one --------------------------------------------------------------------------


def widget_in(said: object) -> Widget | None:
    """The widget that the JSON of a submessage is about."""
    match said:
        case {"widget_type": str() as widget_type, "extra_data": dict() as data}:
            return Widget(widget_type, data)
        case _:
            return None


def require_act(widget: Widget, said: object, *, is_author: bool) -> None:
    """Refuse what nobody, or only the author, does with such a widget.

    :raises BadRequest:
    """
    if (kind := KINDS.get(widget.widget_type)) is None:
        return
    if not isinstance(said, dict):
        raise BadRequest(f"Invalid act in a {widget.widget_type}: not an object")
    name = said.get("type")
    act = kind.acts.get(name) if isinstance(name, str) else None
    if act is None:
        raise BadRequest(f"Unknown type of act in a {widget.widget_type}")
    if act.by_author and not is_author:
        raise BadRequest(f"Only the author of a {widget.widget_type} can do that.")
    if (wrong := _wrong(said, {"type": _is_text, **act.fields})) is not None:
        raise BadRequest(f"Invalid act '{name}': bad or missing '{wrong}'"[:200])
