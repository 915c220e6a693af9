"""The base of payloads, and small parts of larger objects."""

from typing import NotRequired, TypeAlias, TypedDict, TypeVar, cast

from chatcore.domain.choices import Value

__all__ = ["DirectPersonObject", "ReactionObject", "SubmessageObject", "TopicLinkObject"]

Values: TypeAlias = dict[str, Value]
"""New values by the names of properties."""

SettingShape: TypeAlias = int | dict[str, list[int]]
"""The holders of a permission: the id of a group, or `direct_members` and `direct_subgroups`."""


Object = TypeVar("Object")


def object_of(object_class: type[Object], value: object) -> Object:
    """Return a TypedDict with, under each of its keys, the attribute of *value* with that name."""
    return cast(Object, {key: getattr(value, key) for key in object_class.__annotations__})


class Payload(TypedDict):
    """An event as a client receives it, with its position in the log."""

    id: int


class ReactionObject(TypedDict):
    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: int


class SubmessageObject(TypedDict):
    id: int
    message_id: int
    sender_id: int
    msg_type: str
    content: str


class DirectPersonObject(TypedDict):
    """A participant of a direct message, in `display_recipient`."""

    id: int
    email: str
    full_name: str
    is_mirror_dummy: bool


class TopicLinkObject(TypedDict):
    text: str
    url: str


class ValueObject(TypedDict):
    """A user's value of a profile field."""

    value: str | None
    rendered_value: NotRequired[str]
